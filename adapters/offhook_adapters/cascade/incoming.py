"""An SDK's events, read in a task of their own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Generic, TypeVar

__all__ = ["Incoming"]

E = TypeVar("E")


class Incoming(Generic[E]):
    """Events one after another. Some SDKs' iterators swallow a cancellation, which would leave whoever reads
    them by hand running on; here only the reading task is cut off.
    """

    def __init__(self, events: AsyncIterator[E]) -> None:
        self._queue: asyncio.Queue[E | Exception | None] = asyncio.Queue()
        self._reading = asyncio.ensure_future(self._read(events))

    async def next(self) -> E | None:
        """The next event; None once there are no more.

        Raises:
            Exception: whatever the iterator raised.
        """
        event = await self._queue.get()
        if event is None or isinstance(event, Exception):
            self._queue.put_nowait(event)  # it stays so
        if isinstance(event, Exception):
            raise event
        return event

    async def stop(self) -> None:
        """Reads no more."""
        self._reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({self._reading}, timeout=1.0)

    async def _read(self, events: AsyncIterator[E]) -> None:
        last: Exception | None = None
        try:
            async for event in events:
                self._queue.put_nowait(event)
                # A burst is read without ever waiting: whoever takes the events must get a turn in between.
                await asyncio.sleep(0)
        except Exception as error:
            last = error
        finally:
            self._queue.put_nowait(last)
