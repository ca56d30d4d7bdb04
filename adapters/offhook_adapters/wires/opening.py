"""Setting up a session on a connection that is open, and what it means where that fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Protocol

from offhook_adapters.wires.trouble import closed_early, unread_opening
from offhook_adapters.wires.vendor import Vendor, VendorError

__all__ = ["opening"]


class _Hangs(Protocol):
    async def hang_up(self) -> None: ...


@asynccontextmanager
async def opening(
    session: _Hangs,
    vendor: Vendor,
    where: str,
    *secrets: str,
    seconds: float,
    closed: Callable[[Any], VendorError] | None = None,
) -> AsyncIterator[None]:
    """The block sets ``session`` up, with ``where``, in at most so many ``seconds``. A session that does not
    come about is hung up. ``closed`` says what it means that the platform closed the connection, where the
    vendor has words of its own for that.

    Raises:
        VendorError: what the block raised, or in one line why the session did not come about.
        BaseException: whoever opens it gave up.
    """
    from websockets.exceptions import ConnectionClosed

    try:
        async with asyncio.timeout(seconds):
            yield
    except BaseException as error:
        await session.hang_up()
        if isinstance(error, VendorError) or not isinstance(error, Exception):
            raise
        if isinstance(error, ConnectionClosed):
            told = closed(error) if closed is not None else closed_early(error, vendor, where, *secrets)
            raise told from None
        if isinstance(error, TimeoutError):
            raise VendorError(
                f"{where} did not open the session within {seconds:.0f} s: try again later"
            ) from None
        raise unread_opening(error, where, *secrets) from None
