"""Errors as one line without secrets in it."""

from __future__ import annotations

import json
import re
from typing import Any, Final
from urllib.parse import quote

from offhook_adapters.openai_realtime.config import OpenAIRealtimeError, OpenAIRealtimeUnusable

__all__ = ["closed_early", "closed_text", "failed_connect", "one_line", "refused_session"]

# Keys as OpenAI makes them, and any word with its middle starred out.
_KEY: Final = re.compile(r"\bsk-[\w*.…-]*[\w*…-]|\S*\*{3,}[^\s.,;:]*")
_LONGEST: Final = 300
_NO_CREDIT: Final = frozenset({"billing_hard_limit_reached", "insufficient_quota"})
_BUSY_CODES: Final = frozenset({"rate_limit_exceeded", "session_expired"})
# Statuses below 500 that pass by themselves: timeout, conflict, too early, too many requests.
_PASSING: Final = frozenset({408, 409, 425, 429})
# IANA's WebSocket close codes "Unauthorized" and "Forbidden".
_UNAUTHORISED: Final = frozenset({3000, 3003})


def one_line(text: str, key: str) -> str:
    """The text on one line, without the key, plain or as JSON or a URL would hold it, or anything else that
    looks like one.
    """
    bare = text
    for form in sorted({key, json.dumps(key)[1:-1], quote(key, safe=""), quote(key)}, key=len, reverse=True):
        bare = bare.replace(form, "[key]") if form else bare
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
    if status is None:
        return OpenAIRealtimeError(
            f"{where} can't be reached ({type(error).__name__}): check the network and base_url"
        )
    if status == 401:
        return OpenAIRealtimeUnusable(f"{where} refused the key (HTTP 401): check OPENAI_API_KEY")
    code, message = _told(getattr(response, "body", b""))
    told = one_line(message, key)
    what = f"{where} answered HTTP {status}" + (f" ({told})" if told else "")
    if status == 403:
        return OpenAIRealtimeUnusable(f"{what}: check what OPENAI_API_KEY may use")
    if code in _NO_CREDIT:
        return OpenAIRealtimeUnusable(f"{what}: check the plan and billing of the account")
    if status >= 500 or status in _PASSING:
        return OpenAIRealtimeError(f"{what}: try again later")
    return OpenAIRealtimeUnusable(f"{what}: check base_url and model")


def refused_session(error: Any, key: str) -> OpenAIRealtimeError:
    """What the platform's ``error`` event before the first word means; ``error`` is the SDK's RealtimeError,
    of which any part may be missing.
    """
    kind, code = str(getattr(error, "type", "")), str(getattr(error, "code", ""))
    what = f"the platform refused the session: {one_line(str(getattr(error, 'message', '')), key)}"
    if code in _NO_CREDIT or kind in _NO_CREDIT:
        return OpenAIRealtimeUnusable(f"{what}: check the plan and billing of the account")
    if code == "invalid_api_key" or kind == "authentication_error":
        return OpenAIRealtimeUnusable("the platform refused the key: check OPENAI_API_KEY")
    # what is wrong with a request stays wrong
    wrong = kind == "invalid_request_error" and code not in _BUSY_CODES
    return OpenAIRealtimeUnusable(what) if wrong else OpenAIRealtimeError(what)


def closed_early(error: Any, where: str, key: str) -> OpenAIRealtimeError:
    """Why a connection was closed before the session was open; ``error`` as in ``closed_text``."""
    frame = error.rcvd or error.sent
    if frame is not None and (frame.code in _UNAUTHORISED or "invalid_api_key" in frame.reason):
        return OpenAIRealtimeUnusable(
            f"{where} refused the key (close code {frame.code}): check OPENAI_API_KEY"
        )
    return OpenAIRealtimeError(f"{where} did not open the session: {closed_text(error, key)}")


def _told(body: bytes | None) -> tuple[str, str]:
    """Code and message of a refusal; the body itself where it has another shape."""
    text = (body or b"").decode("utf-8", "replace")
    try:
        error = json.loads(text)["error"]
        return str(error.get("code", "")), str(error["message"])
    except (ValueError, LookupError, TypeError, AttributeError):
        return "", text
