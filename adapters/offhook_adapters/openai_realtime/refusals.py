"""What the platform's refusals mean before the first word."""

from __future__ import annotations

from typing import Any, Final

from offhook_adapters.openai_realtime.dialect import Cause, Dialect
from offhook_adapters.wires.trouble import NO_CREDIT, failed_connect, one_line
from offhook_adapters.wires.vendor import Vendor, VendorError, VendorUnusable

__all__ = ["explained", "refused_connect", "refused_session"]

_EMPTY: Final = NO_CREDIT | {"credit_balance_exhausted"}
_BUSY_CODES: Final = frozenset({"rate_limit_exceeded", "session_expired"})


def refused_session(error: Any, vendor: Vendor, key: str) -> VendorError:
    """What an ``error`` event before the first word means; ``error`` is the SDK's RealtimeError, of which any
    part may be missing.
    """
    kind, code = str(getattr(error, "type", "")), str(getattr(error, "code", ""))
    told = one_line(str(getattr(error, "message", "")), key) or "no reason was given"
    what = f"the platform refused the session: {told}"
    if code in _EMPTY or kind in _EMPTY:
        return VendorUnusable(f"{what}: check the plan and billing of the account")
    if code == "invalid_api_key" or kind == "authentication_error":
        return VendorUnusable(f"the platform refused the key: check {vendor.key}")
    # what is wrong with a request stays wrong
    wrong = kind == "invalid_request_error" and code not in _BUSY_CODES
    return VendorUnusable(what) if wrong else VendorError(f"{what}: try again later")


def refused_connect(error: Exception, dialect: Dialect, where: str, key: str) -> VendorError:
    """Why no connection came about; ``error`` as in ``failed_connect``."""
    body = getattr(getattr(error, "response", None), "body", None) or b""
    return explained(dialect, body.decode("utf-8", "replace"), where) or failed_connect(
        error, dialect.vendor, where, key
    )


def explained(dialect: Dialect, told: str, where: str) -> VendorUnusable | None:
    """A refusal that only its words tell apart; None where they don't."""
    match dialect.cause(told):
        case Cause.KEY:
            return VendorUnusable(f"{where} refused the key: check {dialect.vendor.key}")
        case Cause.CREDIT:
            return VendorUnusable(f"{where} has no credit left: check the plan and billing of the account")
        case _:
            return None
