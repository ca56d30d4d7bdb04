"""Errors as one line without secrets in it, and which of them no other call would escape."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

from offhook_adapters.wires.vendor import Vendor, VendorError, VendorUnusable

__all__ = [
    "NO_CREDIT",
    "closed_early",
    "closed_text",
    "failed_connect",
    "is_oversized",
    "one_line",
    "refused_status",
    "unread_opening",
]

# Keys as vendors make them, and any word with its middle starred out. Only the beginning of a word is tried
# for the latter: anywhere in it would take time by the square of its length.
_KEY: Final = re.compile(
    r"\b(?:sk|xai|gsk|hf|key)[-_][\w*.…-]{4,}[\w*…-]|\bAIza[\w-]{20,}|(?<!\S)\S*\*{3,}[^\s.,;:]*"
)
_LONGEST: Final = 300
NO_CREDIT: Final = frozenset({"billing_hard_limit_reached", "insufficient_quota", "quota_exceeded"})
# Statuses below 500 that pass by themselves: timeout, conflict, too early, too many requests.
_PASSING: Final = frozenset({408, 409, 425, 429})
# IANA's WebSocket close codes "Unauthorized" and "Forbidden".
_UNAUTHORISED: Final = frozenset({3000, 3003})
_TOO_BIG: Final = 1009


def one_line(text: str, *secrets: str) -> str:
    """The text on one line, without the secrets, plain or as JSON or a URL would hold them, or anything else
    that looks like a key.
    """
    bare = text
    forms: set[str] = set()
    for secret in secrets:
        forms |= {secret, json.dumps(secret)[1:-1], quote(secret, safe=""), quote(secret)}
    for form in sorted(forms, key=len, reverse=True):
        bare = bare.replace(form, "[key]") if form else bare
    return _KEY.sub("[key]", " ".join(bare.split()))[:_LONGEST]


def closed_text(error: Any, *secrets: str) -> str:
    """How a WebSocket was closed; ``error`` is a ``websockets`` ConnectionClosed."""
    if is_oversized(error):
        size = one_line(error.sent.reason)
        return "the platform sent a message larger than any should be" + (f" ({size})" if size else "")
    frame = error.rcvd or error.sent
    if frame is None:
        return "the connection broke without a closing handshake"
    reason = one_line(frame.reason, *secrets)
    return f"the connection was closed with code {frame.code}" + (f": {reason}" if reason else "")


def is_oversized(error: Any) -> bool:
    """Whether it was this end that closed, because of a message over the limit; ``error`` as in
    ``closed_text``.
    """
    return error.sent is not None and error.sent.code == _TOO_BIG and not error.rcvd_then_sent


def unread_opening(error: BaseException, where: str, *secrets: str) -> VendorError:
    """The first messages were not what the vendor documents; ``error`` is what became of reading them."""
    text = one_line(f"{type(error).__name__}: {error}", *secrets)
    return VendorError(
        f"{where} began with what this adapter can't read ({text}): "
        "check the server's address, and whether there is a newer offhook"
    )


def failed_connect(
    error: Exception,
    vendor: Vendor,
    where: str,
    key: str,
    *,
    check: str = "base_url and model",
    address: str = "base_url",
) -> VendorError:
    """Why no connection came about, and what to do. ``error`` may carry an HTTP response, as those of
    ``websockets`` and ``httpx`` do. ``address`` names the setting that says where the server is.
    """
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    if status is None:
        if _is_distrust(error):
            return VendorUnusable(
                f"{where} has a certificate that is not trusted here: check its address, or set "
                "SSL_CERT_FILE to its authority's file"
            )
        return VendorError(
            f"{where} can't be reached ({type(error).__name__}): check the network and {address}"
        )
    body = getattr(response, "body", None)
    if body is None:
        body = getattr(response, "content", b"")
    return refused_status(int(status), body, vendor, where, key, check=check)


def refused_status(
    status: int,
    body: bytes | str | None,
    vendor: Vendor,
    where: str,
    key: str,
    *,
    check: str = "base_url and model",
    no_credit: Iterable[str] = NO_CREDIT,
) -> VendorError:
    """What an HTTP status means. ``check`` names what else may be wrong with the request."""
    if status == 401:
        return VendorUnusable(f"{where} refused the key (HTTP 401): check {vendor.key}")
    code, message = _told(body)
    told = one_line(message, key)
    what = f"{where} answered HTTP {status}" + (f" ({told})" if told else "")
    if status == 403:
        return VendorUnusable(f"{what}: check what {vendor.key} may use")
    if status == 402 or code in set(no_credit):
        return VendorUnusable(f"{what}: check the plan and billing of the account")
    if status >= 500 or status in _PASSING:
        return VendorError(f"{what}: try again later")
    return VendorUnusable(f"{what}: check {check}")


def closed_early(error: Any, vendor: Vendor, where: str, *secrets: str) -> VendorError:
    """Why a connection was closed before the session was open; ``error`` as in ``closed_text``."""
    frame = error.rcvd or error.sent
    if frame is not None and (frame.code in _UNAUTHORISED or "invalid_api_key" in frame.reason):
        return VendorUnusable(f"{where} refused the key (close code {frame.code}): check {vendor.key}")
    return VendorError(f"{where} did not open the session: {closed_text(error, *secrets)}")


def _is_distrust(error: BaseException | None) -> bool:
    """Whether a certificate is at fault; HTTP clients wrap the error that says so."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        seen.append(error)
        error = error.__cause__ or error.__context__
    return False


def _told(body: bytes | str | None) -> tuple[str, str]:
    """Code and message of a refusal; the body itself where it has another shape."""
    text = body if isinstance(body, str) else (body or b"").decode("utf-8", "replace")
    try:
        error = json.loads(text)["error"]
        return str(error.get("code", "")), str(error["message"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return "", text
