"""Connections that take one utterance each, opened before they are needed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

import attrs

__all__ = ["Standby", "opened"]

C = TypeVar("C")


async def opened(open: Callable[[], Awaitable[C]], close: Callable[[C], Awaitable[None]]) -> C:
    """A connection, closed where whoever waits for it gives up: vendors' SDKs leave one half open then.

    Raises:
        Exception: whatever ``open`` raised.
    """
    opening = asyncio.ensure_future(open())
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        with contextlib.suppress(Exception):
            await close(await opening)
        raise


@attrs.frozen(eq=False)
class _Spare(Generic[C]):
    opening: asyncio.Task[C]
    began: float


class Standby(Generic[C]):
    """Keeps one connection ready, so that an utterance does not wait for a handshake.

    Args:
        open: opens a connection.
        close: closes one; it may be closed already.
        usable: whether an idle one can still be used.
        lasts: seconds after which a spare one is not used any more.
    """

    def __init__(
        self,
        open: Callable[[], Awaitable[C]],
        close: Callable[[C], Awaitable[None]],
        *,
        usable: Callable[[C], bool],
        lasts: float,
    ) -> None:
        self._open = open
        self._close = close
        self._usable = usable
        self._lasts = lasts
        self._loop = asyncio.get_running_loop()
        self._spare: _Spare[C] | None = None
        self._closed = False
        self._closing: set[asyncio.Task[None]] = set()

    async def ready(self) -> None:
        """Waits until a connection is there.

        Raises:
            Exception: whatever ``open`` raised.
        """
        if self._spare is None:
            self.prepare()
        assert self._spare is not None
        await self._spare.opening

    def prepare(self) -> None:
        """Begins to open one, if none is there."""
        if self._spare is None and not self._closed:
            self._spare = _Spare(asyncio.ensure_future(opened(self._open, self._close)), self._loop.time())

    async def take(self) -> C:
        """A connection of one's own, to be closed by ``give_up``.

        Raises:
            Exception: whatever ``open`` raised.
        """
        spare, self._spare = self._spare, None
        if spare is not None:
            fresh = self._loop.time() - spare.began < self._lasts
            with contextlib.suppress(Exception):  # a spare one that failed may have been idle for too long
                connection = await spare.opening
                if fresh and self._usable(connection):
                    return connection
                self.give_up(connection)
        return await opened(self._open, self._close)

    def give_up(self, connection: C) -> None:
        """Closes a connection that was taken, without making anybody wait for it."""
        closing = asyncio.ensure_future(self._close_quietly(connection))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Closes the spare one and waits for those that are being closed; none is opened any more."""
        self._closed = True
        spare, self._spare = self._spare, None
        if spare is not None:
            spare.opening.cancel()
            await asyncio.gather(spare.opening, return_exceptions=True)
            if not spare.opening.cancelled() and spare.opening.exception() is None:
                self.give_up(spare.opening.result())
        await asyncio.gather(*self._closing)

    async def _close_quietly(self, connection: C) -> None:
        with contextlib.suppress(Exception):
            await self._close(connection)
