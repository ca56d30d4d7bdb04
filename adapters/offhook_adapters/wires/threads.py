"""What is made at a vendor in a thread, for somebody who may have given up by the time it is there."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

__all__ = ["made"]

T = TypeVar("T")


async def made(make: Callable[[], T], undo: Callable[[T], object]) -> T:
    """Runs ``make`` in a thread. Where whoever waits is cancelled, ``undo`` gets what was made, in a thread
    too, which goes on by itself; what it raises is passed over.

    Raises:
        Exception: whatever ``make`` raised.
    """
    lock = threading.Lock()
    there: list[T] = []
    given_up = False

    def undone(value: T) -> None:
        with suppress(Exception):
            undo(value)

    def work() -> T:
        value = make()
        with lock:
            there.append(value)
            late = given_up
        if late:
            undone(value)
        return value

    try:
        return await asyncio.to_thread(work)
    except asyncio.CancelledError:
        with lock:
            given_up = True
            lost = tuple(there)
        for value in lost:  # it was on its way here
            asyncio.get_running_loop().run_in_executor(None, undone, value)
        raise
