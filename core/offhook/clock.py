"""Time on a call: the ordinary event loop, or a virtual one that jumps to the next timer when idle.

Everything in offhook awaits the running loop's clock, so the same code runs in real time across a network and
in virtual time in process. Times are seconds of ``loop.time()``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

import attrs

from offhook._virtual_loop import RealIORefused, VirtualDeadlock, VirtualTimeLoop

__all__ = [
    "RealIORefused",
    "Tick",
    "VirtualDeadlock",
    "VirtualTimeLoop",
    "compute",
    "deadline_ticker",
    "is_virtual",
    "run_real",
    "run_virtual",
    "sleep_until",
]

P = ParamSpec("P")
T = TypeVar("T")


def run_virtual(coro: Coroutine[Any, Any, T], *, debug: bool | None = None) -> T:
    """Runs a coroutine to its end on a fresh virtual-time loop and returns its result.

    Like ``asyncio.run``: leftover tasks are cancelled, asynchronous generators and the default executor shut
    down.

    Raises:
        VirtualDeadlock: everything waits and nothing can happen any more.
        RealIORefused: something asked for a socket, pipe, process or foreign thread.
    """
    with asyncio.Runner(debug=debug, loop_factory=VirtualTimeLoop) as runner:
        return runner.run(coro)


def run_real(coro: Coroutine[Any, Any, T], *, debug: bool | None = None) -> T:
    """Runs a coroutine to its end in real time, on asyncio's ordinary loop."""
    with asyncio.Runner(debug=debug) as runner:
        return runner.run(coro)


def is_virtual() -> bool:
    """Whether the running loop keeps virtual time.

    Raises:
        RuntimeError: no loop is running.
    """
    return isinstance(asyncio.get_running_loop(), VirtualTimeLoop)


async def compute(fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls a function that computes (a speech engine, say) without its computing moving virtual time.

    On a virtual loop the call is made in place, so the order of events never depends on threads; on a real
    loop it runs in the default executor and the loop goes on meanwhile.
    """
    if is_virtual():
        return fn(*args, **kwargs)
    return await asyncio.to_thread(fn, *args, **kwargs)


async def sleep_until(deadline: float) -> None:
    """Returns at an absolute time of the running loop; after one turn of the loop when that is past."""
    loop = asyncio.get_running_loop()
    if deadline <= loop.time():
        await asyncio.sleep(0)
        return
    reached: asyncio.Future[None] = loop.create_future()
    timer = loop.call_at(deadline, _reach, reached)
    try:
        await reached
    finally:
        timer.cancel()


def _reach(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


@attrs.frozen
class Tick:
    """One beat of ``deadline_ticker``. ``deadline`` and ``late`` in seconds; ``late`` is 0.0 when on time."""

    index: int
    deadline: float
    late: float


async def deadline_ticker(period: float, *, start: float | None = None) -> AsyncIterator[Tick]:
    """Beats at ``start``, ``start + period``, ... without end; ``start`` is now unless given.

    Deadlines are absolute: a consumer that falls behind gets the missed beats at once, each with its
    lateness, and the beat never drifts.

    Raises:
        ValueError: a period that is not positive.
    """
    if not period > 0:
        raise ValueError(f"period must be positive, got {period}")
    loop = asyncio.get_running_loop()
    first = loop.time() if start is None else start
    index = 0
    while True:
        deadline = first + index * period
        await sleep_until(deadline)
        yield Tick(index, deadline, max(0.0, loop.time() - deadline))
        index += 1
