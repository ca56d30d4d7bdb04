"""How long a vendor's adapter keeps a message: from when the vendor's SDK, or the socket where there is none,
hands it to the adapter to when the session's ``events()`` gives the sound that was in it.

Nothing need be known about messages: what a task tells the call's stream comes from the message that it took
last, so the time of that goes with the task.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import pkgutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextvars import ContextVar
from typing import Any, Final

import attrs

from offhook.sessions import AgentAudio, SessionEvent
from offhook_adapters.wires.stream import CallStream

__all__ = ["Handing", "Moment", "noted"]


@attrs.frozen
class Moment:
    """By the clock, and by what this process has computed; both in seconds."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Moment:
        return cls(time.perf_counter(), time.process_time())

    def since(self, before: Moment) -> Moment:
        """How much has passed."""
        return Moment(self.wall - before.wall, self.cpu - before.cpu)


@attrs.frozen
class _Taken:
    at: Moment
    task: asyncio.Task[Any] | None


_LAST: Final[ContextVar[_Taken | None]] = ContextVar("offhook_bench_last_message", default=None)


@attrs.define(eq=False)
class Handing:
    """What was noted: how long each piece of sound was ``kept``. ``unasked`` counts the pieces that no
    message brought just then: an adapter had them ready, or kept them back on purpose. ``passed_on`` says
    whether messages go from task to task.
    """

    passed_on: bool
    kept: list[Moment] = attrs.field(factory=list)
    unasked: int = 0
    _told: dict[AgentAudio, Moment] = attrs.field(factory=dict)
    _queued: dict[int, tuple[Any, Moment]] = attrs.field(factory=dict)

    def heard(self, event: AgentAudio) -> None:
        """``events()`` has given a piece of sound."""
        now = Moment.now()
        began = self._told.pop(event, None)
        if began is None:
            self.unasked += 1
        else:
            self.kept.append(now.since(began))

    def took(self, message: Any) -> None:
        """The SDK has handed out a message."""
        now = Moment.now()
        _LAST.set(_Taken(now, asyncio.current_task()))
        if self.passed_on:
            self._queued[id(message)] = (message, now)

    def took_over(self, message: Any) -> None:
        """Another task of the adapter's goes on with a message."""
        message, at = self._queued.pop(id(message), (message, None))
        _LAST.set(None if at is None else _Taken(at, asyncio.current_task()))

    def told(self, event: SessionEvent) -> None:
        """The adapter puts an event into the call's stream."""
        taken = _LAST.get()
        if isinstance(event, AgentAudio) and taken is not None and taken.task is asyncio.current_task():
            self._told[event] = taken.at


@contextlib.contextmanager
def noted(handed_out: str, passed_on: str = "") -> Iterator[Handing]:
    """Notes what adapters do with the messages of one SDK.

    Args:
        handed_out: the SDK's method that gives a message, ``module:Class.method``; it may be a generator.
        passed_on: the adapter's method by which another task of its own gets a message, where there is one.
    """
    handing = Handing(bool(passed_on))
    with contextlib.ExitStack() as stack:
        stack.enter_context(_wrapped(handed_out, handing.took))
        if passed_on:
            stack.enter_context(_wrapped(passed_on, handing.took_over))
        emit = CallStream.emit

        def telling(stream: CallStream, event: SessionEvent) -> None:
            handing.told(event)
            emit(stream, event)

        stack.enter_context(_in_place(CallStream, "emit", telling))
        yield handing


def _wrapped(method: str, note: Callable[[Any], None]) -> contextlib.AbstractContextManager[None]:
    place, _, name = method.rpartition(".")
    owner = pkgutil.resolve_name(place)
    original = getattr(owner, name)
    return _in_place(owner, name, (_each if inspect.isasyncgenfunction(original) else _one)(original, note))


def _one(original: Callable[..., Awaitable[Any]], note: Callable[[Any], None]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def giving(*args: Any, **named: Any) -> Any:
        message = await original(*args, **named)
        note(message)
        return message

    return giving


def _each(original: Callable[..., AsyncIterator[Any]], note: Callable[[Any], None]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def giving(*args: Any, **named: Any) -> AsyncIterator[Any]:
        async with contextlib.aclosing(original(*args, **named)) as messages:  # type: ignore[type-var]
            async for message in messages:
                note(message)
                yield message

    return giving


@contextlib.contextmanager
def _in_place(owner: Any, name: str, replacement: Any) -> Iterator[None]:
    original = getattr(owner, name)
    setattr(owner, name, replacement)
    try:
        yield
    finally:
        setattr(owner, name, original)
