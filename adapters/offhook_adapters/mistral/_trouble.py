"""What goes wrong with Mistral's SDK, in one line."""

from __future__ import annotations

from typing import Any, Final

from offhook_adapters.cascade.parts import PartFailed
from offhook_adapters.mistral.config import MISTRAL
from offhook_adapters.wires.trouble import closed_early, closed_text, failed_connect, one_line, refused_status
from offhook_adapters.wires.vendor import VendorError, VendorUnusable

__all__ = ["broke_off", "chat_failed", "is_unknown", "not_configured", "not_connected"]


# How an unknown voice is refused: by the connection's end, not by an event (mistralai 3.7.0, speech.py).
_NOT_TAKEN: Final = 1008


def not_connected(error: Exception, where: str, key: str, *, check: str) -> VendorError:
    """Why a WebSocket did not come about. The SDK wraps what happened, some of it twice."""
    cause: BaseException = error
    while cause.__cause__ is not None and not hasattr(cause, "rcvd"):
        cause = cause.__cause__
    payload = getattr(error, "payload", None)
    if payload is not None:
        return not_configured(getattr(payload, "error", None), where, key)
    if hasattr(cause, "rcvd"):
        if cause.rcvd is not None and cause.rcvd.code == _NOT_TAKEN:
            told = one_line(cause.rcvd.reason, key)
            return VendorUnusable(f"{where} did not take the settings ({told}): check {check}")
        return closed_early(cause, MISTRAL, where, key)
    if isinstance(cause, Exception):
        return failed_connect(cause, MISTRAL, where, key, check=check)
    return VendorError(f"{where} can't be reached: try again later")


def not_configured(error: Any, where: str, key: str) -> VendorError:
    """What an ``error`` event before the first sound means; ``error`` is the SDK's error detail, of which any
    part may be missing.
    """
    code = getattr(error, "code", None)
    told = one_line(f"{code}: {getattr(error, 'message', None)}", key)
    if not isinstance(code, int) or 500 <= code < 600 or code == 429:
        return VendorError(f"{where} did not open the session ({told}): try again later")
    return VendorUnusable(f"{where} did not take the settings ({told}): check the options")


def is_unknown(event: Any, part: str, key: str) -> bool:
    """Whether the SDK does not know an event's kind.

    Raises:
        PartFailed: it knows the kind, and the event has another shape, or is no event at all.
    """
    from mistralai.extra.realtime import UnknownRealtimeEvent

    if not isinstance(event, UnknownRealtimeEvent):
        return False
    if event.type is None or event.error != "unknown event type":
        text = one_line(f"{event.type}: {event.error}", key)
        raise PartFailed("bad_message", f"{part} sent what this adapter can't read ({text})")
    return True


def broke_off(error: Exception, part: str, key: str) -> PartFailed:
    """A connection that was lost during a call."""
    cause = error.__cause__ or error
    if hasattr(cause, "rcvd"):
        return PartFailed("connection_lost", f"{part}: {closed_text(cause, key)}")
    text = one_line(f"{type(error).__name__}: {error}", key)
    return PartFailed("bad_message", f"{part} sent what this adapter can't read ({text})")


def chat_failed(error: Exception, where: str, key: str) -> VendorError:
    """What the chat or model endpoint answered. ``error`` is one of the SDK's or of its HTTP client's."""
    status, body = getattr(error, "status_code", None), getattr(error, "body", None)
    if status is None:
        return failed_connect(error, MISTRAL, where, key)
    return refused_status(int(status), body, MISTRAL, where, key, check="model and prompt")
