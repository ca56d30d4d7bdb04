"""Opening the parts of a call side by side, and what their connections share."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Coroutine
from typing import Any, Final

from offhook_adapters.wires.vendor import VendorUnusable

__all__ = ["SharedTrust", "all_of"]

# How long the others may go on once one has failed. Cancelled in the middle of a TLS handshake, the HTTP
# client under the vendors' SDKs (httpcore2 2.16.2) leaves its socket open.
_LAST_SECONDS: Final = 2.0


class SharedTrust:
    """The certificates that all calls of an adapter trust. Reading them takes some 17 ms, which each HTTP
    client would do for itself, on the loop.
    """

    def __init__(self) -> None:
        self._context: ssl.SSLContext | None = None

    def context(self) -> ssl.SSLContext:
        """The same one each time, as the HTTP client under the vendors' SDKs makes it."""
        if self._context is None:
            import httpx2

            self._context = httpx2.create_ssl_context()
        return self._context


async def all_of(*works: Coroutine[Any, Any, None]) -> None:
    """Does all of them at once. When one fails the rest have two seconds to end, then they are cancelled.

    Raises:
        Exception: what the first to fail raised, or one that no other call would escape.
    """
    tasks = [asyncio.create_task(work) for work in works]
    try:
        first, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        if others:
            await asyncio.wait(others, timeout=_LAST_SECONDS)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    errors = [error for task in (*first, *others) if (error := _failure(task)) is not None]
    if errors:
        raise next((error for error in errors if isinstance(error, VendorUnusable)), errors[0]) from None


def _failure(task: asyncio.Task[None]) -> BaseException | None:
    return None if task.cancelled() else task.exception()
