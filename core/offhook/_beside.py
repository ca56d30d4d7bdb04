"""Blocking work beside a running event loop, stopped gently when whoever awaits it is cancelled."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

__all__ = ["Relay", "beside", "refuse_async"]

T = TypeVar("T")

_ASYNC: Final = "{} must be a plain function, not an async one; it may start a task of its own"


def refuse_async(**callbacks: Callable[..., object] | None) -> None:
    """Raises TypeError for a callback that would have to be awaited."""
    for name, callback in callbacks.items():
        call = getattr(callback, "__call__", None)  # noqa: B004 - of an object, it may be the async one
        if inspect.iscoroutinefunction(callback) or inspect.iscoroutinefunction(call):
            raise TypeError(_ASYNC.format(name))


class Relay:
    """Brings callbacks from the thread that works to the loop that waits, in order. The first one that
    raises sets ``stop``; ``failure`` keeps what it raised.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, stop: threading.Event) -> None:
        self._loop = loop
        self._stop = stop
        self.failure: BaseException | None = None

    def tell(self, callback: Callable[..., object], *arguments: object) -> None:
        """Called in the working thread; a loop that has closed since hears nothing more."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._call, callback, *arguments)

    def _call(self, callback: Callable[..., object], *arguments: object) -> None:
        try:
            told = callback(*arguments)
            if inspect.iscoroutine(told):
                told.close()
                raise TypeError(_ASYNC.format("a callback"))
        except KeyboardInterrupt:  # the loop's own business: it cancels whoever waits
            raise
        except BaseException as error:  # raised again by beside()
            self.failure = self.failure or error
            self._stop.set()


async def beside(work: Callable[[threading.Event, Relay], T]) -> T:
    """What ``work(stop, relay)`` returns, done in a thread of its own with the caller's context variables.

    Cancelling sets ``stop`` and waits until the work has ended of itself; cancelling once more waits no
    longer, and leaves the thread to end when it has done what it has in hand.

    Raises:
        BaseException: what the work raised, or the first callback that raised.
    """
    loop = asyncio.get_running_loop()
    stop = threading.Event()
    relay = Relay(loop, stop)
    outcome: asyncio.Future[T] = loop.create_future()
    outcome.add_done_callback(lambda done: done.cancelled() or done.exception())  # never left unlooked at
    context = contextvars.copy_context()

    def target() -> None:
        try:
            value = context.run(work, stop, relay)
        except StopIteration as error:  # no future can hold it
            relay.tell(outcome.set_exception, RuntimeError(f"StopIteration: {error}"))
        except BaseException as error:  # raised again where the outcome is awaited
            relay.tell(outcome.set_exception, error)
        else:
            relay.tell(outcome.set_result, value)

    threading.Thread(target=target, name="offhook-run", daemon=True).start()
    try:
        value = await asyncio.shield(outcome)
    except asyncio.CancelledError:
        stop.set()
        with suppress(Exception):
            await asyncio.shield(outcome)
        raise
    if relay.failure is not None:
        raise relay.failure
    return value
