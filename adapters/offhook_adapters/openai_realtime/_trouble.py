"""Errors as one line without secrets in it."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from offhook_adapters.openai_realtime.config import OpenAIRealtimeError

__all__ = ["closed_text", "failed_connect", "one_line"]

_KEY: Final = re.compile(r"\bsk-[\w*.…-]*[\w*…-]")
_LONGEST: Final = 300


def one_line(text: str, key: str) -> str:
    """The text on one line, without the key or anything else that looks like one."""
    bare = text.replace(key, "[key]") if key else text
    return _KEY.sub("[key]", " ".join(bare.split()))[:_LONGEST]


def closed_text(error: Any, key: str) -> str:
    """How a WebSocket was closed; ``error`` is a ``websockets`` ConnectionClosed."""
    frame = error.rcvd or error.sent
    if frame is None:
        return "the connection broke without a closing handshake"
    reason = one_line(frame.reason, key)
    return f"the connection was closed with code {frame.code}" + (f": {reason}" if reason else "")


def failed_connect(error: Exception, where: str, key: str) -> OpenAIRealtimeError:
    """Why no connection came about, and what to do."""
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    if status in (401, 403):
        return OpenAIRealtimeError(f"{where} refused the key (HTTP {status}): check OPENAI_API_KEY")
    if status is not None:
        told = one_line(_message(getattr(response, "body", b"")), key)
        advice = "check base_url and model" if status in (400, 404) else "try again later"
        return OpenAIRealtimeError(
            f"{where} answered HTTP {status}" + (f" ({told})" if told else "") + f": {advice}"
        )
    return OpenAIRealtimeError(
        f"{where} can't be reached ({type(error).__name__}): check the network and base_url"
    )


def _message(body: bytes | None) -> str:
    text = (body or b"").decode("utf-8", "replace")
    try:
        return str(json.loads(text)["error"]["message"])
    except (ValueError, LookupError, TypeError):
        return text
