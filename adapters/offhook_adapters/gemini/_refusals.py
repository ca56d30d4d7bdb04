"""What the platform's own words mean when it closes the connection before the session is open.

The vendor takes the handshake and closes the socket with a code and a sentence; there are no error codes to
go by (sentences as met in public reports up to November 2026).
"""

from __future__ import annotations

from typing import Any, Final

from offhook_adapters.gemini.prices import LiveModel
from offhook_adapters.wires.trouble import closed_text, is_oversized, one_line
from offhook_adapters.wires.vendor import Vendor, VendorError, VendorUnusable

__all__ = ["closed_before", "is_too_large", "told_by"]

# WebSocket close codes: invalid payload, and policy violation.
_BAD_REQUEST: Final = 1007
_POLICY: Final = 1008


def is_too_large(error: Any) -> bool:
    """Whether the socket was closed because of a message over the limit, which the SDK's ``APIError`` does
    not tell apart; the exception it was made from does.
    """
    closed = error.__context__
    return hasattr(closed, "rcvd_then_sent") and is_oversized(closed)


def told_by(error: Any, *secrets: str) -> str:
    """How the SDK's ``APIError`` says that the socket was closed, in one line."""
    if is_too_large(error):
        return closed_text(error.__context__, *secrets)
    told = error.details if isinstance(error.details, str) else (error.message or error.details)
    reason = one_line(str(told or ""), *secrets)
    return f"the connection was closed with code {error.code}" + (f": {reason}" if reason else "")


def closed_before(
    error: Any, vendor: Vendor, where: str, key: str, model: str, known: LiveModel | None
) -> VendorError:
    """What an ``APIError`` before the first word means, and what to do."""
    text = told_by(error, key)
    low, what = text.lower(), f"{where} did not open the session: {text}"
    if "api key" in low or "api_key" in low:
        return VendorUnusable(f"{where} refused the key: check {vendor.key}")
    # A minute's limit may be told in the same words as a spent account. Stopping is the safer reading: a run
    # goes on from where it stopped, but money spent on refused calls is gone.
    if "billing" in low or "credits" in low:
        return VendorUnusable(f"{what}: check the plan and billing of the account")
    if error.code == _POLICY and ("not found" in low or "not supported" in low):
        return VendorUnusable(f"{what}: check the option model{_ended(model, known)}")
    if error.code == _POLICY and "denied" in low:
        return VendorUnusable(f"{what}: check what {vendor.key} may use")
    if error.code == _BAD_REQUEST:
        return VendorUnusable(f"{what}: check the options, the tools and how long the prompt is")
    return VendorError(f"{what}: try again later")


def _ended(model: str, known: LiveModel | None) -> str:
    if known is None or not known.shut_down:
        return ""
    return f" ({model} was to be shut down on {known.shut_down}; use {known.replaced_by})"
