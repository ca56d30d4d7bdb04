"""What it means that a platform's host has no address, in plain words."""

from __future__ import annotations

import socket
import traceback

from offhook.storage import one_line

__all__ = ["reach_line"]


def reach_line(error: BaseException) -> str:
    """The error on one line. Where a host's name could not be resolved, by whatever client and however it was
    wrapped, that is said first, with what to do.
    """
    failed = _unresolved(error)
    if failed is None:
        return one_line(error)
    what = f"can't resolve {_host(failed)}: check the address or your network"
    return what if error is failed else f"{what} ({one_line(error)})"


def _unresolved(error: BaseException | None) -> socket.gaierror | None:
    """The failed look-up among an error, its causes and what it was raised in place of."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        if isinstance(error, socket.gaierror):
            return error
        seen.append(error)
        error = error.__cause__ or error.__context__
    return None


def _host(failed: socket.gaierror) -> str:
    """Whose address was looked up. The error does not tell; the frames that it passed through do."""
    for frame, _ in traceback.walk_tb(failed.__traceback__):
        host = frame.f_locals.get("host") if frame.f_code.co_name == "getaddrinfo" else None
        if isinstance(host, bytes):
            host = host.decode("ascii", "replace")
        if isinstance(host, str) and host:
            return one_line(host)
    return "the platform's host"
