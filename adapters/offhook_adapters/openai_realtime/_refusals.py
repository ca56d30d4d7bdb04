"""What the platform's own errors mean before the first word."""

from __future__ import annotations

from typing import Any, Final

from offhook_adapters.wires.trouble import NO_CREDIT, one_line
from offhook_adapters.wires.vendor import Vendor, VendorError, VendorUnusable

__all__ = ["refused_session"]

_BUSY_CODES: Final = frozenset({"rate_limit_exceeded", "session_expired"})


def refused_session(error: Any, vendor: Vendor, key: str) -> VendorError:
    """What an ``error`` event before the first word means; ``error`` is the SDK's RealtimeError, of which any
    part may be missing.
    """
    kind, code = str(getattr(error, "type", "")), str(getattr(error, "code", ""))
    what = f"the platform refused the session: {one_line(str(getattr(error, 'message', '')), key)}"
    if code in NO_CREDIT or kind in NO_CREDIT:
        return VendorUnusable(f"{what}: check the plan and billing of the account")
    if code == "invalid_api_key" or kind == "authentication_error":
        return VendorUnusable(f"the platform refused the key: check {vendor.key}")
    # what is wrong with a request stays wrong
    wrong = kind == "invalid_request_error" and code not in _BUSY_CODES
    return VendorUnusable(what) if wrong else VendorError(what)
