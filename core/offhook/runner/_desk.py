"""Reads a session's one event stream: sound to the line, tool calls to the tool server, the rest to the
record.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from numbers import Real
from typing import Any, Final, Protocol, TypeVar

from offhook.audio import Samples
from offhook.clock import is_virtual
from offhook.records import TimedTranscript
from offhook.sessions import (
    AgentAudio,
    AgentChat,
    AgentMedia,
    AgentPicture,
    AgentTranscript,
    Clear,
    Ended,
    Ready,
    Session,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolCancelled,
    TranscriptKind,
    Usage,
    UserSpeech,
    UserTranscript,
)
from offhook.speech import SpeechUnavailable
from offhook.storage import clean_text, one_line

__all__ = [
    "FAREWELL_SECONDS",
    "AgentSink",
    "MeetingEvent",
    "SessionDesk",
    "ToolDesk",
    "finite",
    "note_line",
    "still_running",
    "stop_tasks",
    "within",
]

FAREWELL_SECONDS: Final = 10.0
_STOP_SECONDS: Final = 2.0
# No call or meeting needs more; a platform gone wild must not fill the memory or the record.
_ERRORS: Final = 200
_FINALS: Final = 2_000
_CHARACTERS: Final = 100_000
_USAGE_NAMES: Final = 200
# A platform that always has something ready keeps virtual time from moving at all.
_EVENTS_AT_ONCE: Final = 100_000

T = TypeVar("T")


class _Stop(BaseException):
    """Ends a coroutine that ignores its cancellation."""


async def stop_tasks(*tasks: asyncio.Task[Any]) -> frozenset[asyncio.Task[Any]]:
    """Cancels tasks and waits for them, though never without limit; returns those that did not stop. Their
    coroutines are closed, so that they hold up nothing when the loop ends.
    """
    for task in tasks:
        task.cancel()
    stuck = await still_running(tasks, _STOP_SECONDS)
    for task in stuck:
        task.add_done_callback(_look_at)  # it may end after nobody waits for it any more
        coroutine = task.get_coro()
        try:
            if coroutine is not None:
                # Thrown first: a mere close leaves an asynchronous generator "running" for good.
                with suppress(_Stop, Exception, SystemExit, asyncio.CancelledError):
                    coroutine.throw(_Stop())
                coroutine.close()
        except RuntimeError:  # it ignores that, too: the loop must not wait for it at its end
            asyncio._unregister_task(task)
        except Exception:
            task.cancel()  # it closed, if not quietly
        else:
            task.cancel()  # wakes it, so that it finds its coroutine closed
    await still_running(stuck, 0.0)
    return frozenset(stuck)


async def still_running(tasks: Iterable[asyncio.Task[Any]], seconds: float) -> set[asyncio.Task[Any]]:
    running = {task for task in tasks if not task.done()}
    if running:
        _, running = await asyncio.wait(running, timeout=seconds)
    for task in tasks:
        if task.done():
            _look_at(task)
    return running


def _look_at(task: asyncio.Task[Any]) -> None:
    """Takes note of how a task failed, so that nobody is told that it never was looked at."""
    if not task.cancelled():
        task.exception()


async def within(seconds: float, ask: Callable[[], Awaitable[T]]) -> T:
    """What a plugin answers within some seconds of the loop's clock.

    Raises:
        TimeoutError: no answer; a plugin that will not be cancelled is not waited for.
        RuntimeError: it exited or cancelled itself.
        Exception: whatever else it raised.
    """

    async def asking() -> T:
        try:
            return await ask()
        except SystemExit as error:
            raise RuntimeError(f"it called sys.exit({error.code!r})") from error

    task = asyncio.create_task(asking())
    try:
        await asyncio.wait({task}, timeout=seconds)
        if not task.done():
            raise TimeoutError
        if task.cancelled():
            raise RuntimeError("it cancelled itself")
        return task.result()
    finally:
        await stop_tasks(task)


def finite(value: object, what: str) -> float:
    """A number as a float.

    Raises:
        ValueError: it is none, or not finite.
    """
    if not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"{what} is {value!r}, expected a finite number")
    return float(value)


def note_line(lines: list[str], line: str) -> None:
    """Adds a line as long as there are few; in place of the first that is left out, one that says so."""
    if len(lines) < _ERRORS:
        lines.append(line)
    elif len(lines) == _ERRORS:
        lines.append("... and more were left out")


class _Nonsense(Exception):
    """A platform told something that is not of the type it has to be."""


def _kind(value: Any) -> TranscriptKind:
    try:
        return TranscriptKind(value)
    except ValueError:
        raise _Nonsense(f"a transcript's kind is {value!r}, expected one of TranscriptKind") from None


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise _Nonsense(f"{what} is {type(value).__name__}, expected text")
    return clean_text(value)


MeetingEvent = AgentChat | AgentMedia | AgentPicture


class AgentSink(Protocol):
    """Where the agent's sound or words go, and what it does in a meeting."""

    def audio(self, samples: Samples, rate: int) -> None: ...

    def clear(self) -> float:
        """Flushes what was not played and returns how many seconds of the utterance were."""
        ...

    def text(self, text: str) -> None: ...

    def meeting(self, event: MeetingEvent) -> None:
        """Raises ValueError where there is no meeting, or the event makes no sense in it."""
        ...


class ToolDesk(Protocol):
    """Who answers an agent's tool calls."""

    def start(self, call: ToolCall) -> None: ...

    def cancel(self, call_id: str) -> None: ...

    def hung_up(self) -> None: ...

    async def finish(self) -> tuple[str, ...]: ...


class _Transcript:
    """Finals as they come; deltas are joined and cumulative texts replaced until a final closes them. What
    is too much is left out, and ``full`` called once.
    """

    def __init__(self, full: Callable[[], None]) -> None:
        self.finals: list[TimedTranscript] = []
        self._open = ""
        self._characters = 0
        self._full = full
        self._overflowed = False

    def add(self, text: str, kind: TranscriptKind, at: float) -> bool:
        """Whether this closed an utterance."""
        if kind is TranscriptKind.DELTA:
            if self._has_room(len(self._open) + len(text)):
                self._open += text
            return False
        if kind is TranscriptKind.CUMULATIVE:
            if self._has_room(len(text)):
                self._open = text
            return False
        self._open = ""
        self._keep(text, at)
        return True

    def close(self, at: float) -> None:
        if self._open.strip():
            self._keep(self._open.strip(), at)
            self._open = ""

    def _keep(self, text: str, at: float) -> None:
        if self._has_room(len(text)):
            self.finals.append(TimedTranscript(text, at))
            self._characters += len(text)

    def _has_room(self, characters: int) -> bool:
        if len(self.finals) < _FINALS and self._characters + characters <= _CHARACTERS:
            return True
        if not self._overflowed:
            self._overflowed = True
            self._full()
        return False


class _AtOnce:
    """Counts what comes at one instant of virtual time. In real time there is no such instant."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._virtual = is_virtual()
        self._instant = -math.inf
        self._count = 0

    def too_many(self) -> bool:
        """Counts one more; whether that is one too many."""
        if not self._virtual:
            return False
        now = self._loop.time()
        self._count = self._count + 1 if now == self._instant else 1
        self._instant = now
        return self._count > _EVENTS_AT_ONCE


class SessionDesk:
    """Keeps what a session told, with receive times in line seconds."""

    def __init__(self, session: Session, tools: ToolDesk, sink: AgentSink, now: Callable[[], float]) -> None:
        self._session = session
        self.tools = tools
        self._sink = sink
        self._now = now
        self.user = _Transcript(lambda: self._too_much("user"))
        self.agent = _Transcript(lambda: self._too_much("agent"))
        self.errors: list[str] = []
        self.usage: dict[str, float] = {}
        self.clears: list[float] = []
        self.spoke = False
        self._usage_full = False

    async def run(self) -> Ended:
        """Until the session ends. A stream that breaks, or just stops, was ended by the platform.

        Raises:
            SpeechUnavailable: the platform talks in process and an engine is missing.
        """
        at_once = _AtOnce()
        try:
            async for event in self._session.events():
                if isinstance(event, Ended):
                    return self._ended(event)
                if at_once.too_many():
                    reason = f"the platform sent {_EVENTS_AT_ONCE} events without letting time pass"
                    note_line(self.errors, reason)
                    return Ended("platform", reason)
                self._take(event)
            return Ended("platform", "the event stream stopped")
        except SpeechUnavailable:
            raise
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # nobody asked for it: the platform cancelled itself
            return Ended("platform", self.note_break(error))
        except (Exception, SystemExit) as error:
            return Ended("platform", self.note_break(error))
        finally:
            self._close()

    async def shut(self, session: Session) -> None:
        """Hangs up on the platform; one that fails at it has still been hung up on."""
        try:
            await within(FAREWELL_SECONDS, session.hang_up)
        except Exception as error:
            self.note_break(error)

    def note_break(self, error: BaseException) -> str:
        """Keeps what broke, as one line, and returns that."""
        line = f"platform broke: {one_line(error)}"
        note_line(self.errors, line)
        return line

    def _too_much(self, whose: str) -> None:
        kept = f"{_FINALS} utterances and {_CHARACTERS} characters"
        note_line(self.errors, f"the {whose} transcript was too long: no more than {kept} are kept")

    def _close(self) -> None:
        self.user.close(self._now())
        self.agent.close(self._now())

    def _ended(self, event: Ended) -> Ended:
        if event.by in ("agent", "caller", "platform"):
            return Ended(event.by, clean_text(str(event.reason)))
        self.note_break(ValueError(f"Ended.by is {event.by!r}, expected agent, caller or platform"))
        return Ended("platform", clean_text(str(event.reason)))

    def _take(self, event: SessionEvent) -> None:
        """Takes one event. One that tells nonsense is noted and left out; the call goes on."""
        try:
            self._take_told(event)
        except _Nonsense as nonsense:
            self.note_break(ValueError(str(nonsense)))

    def _take_told(self, event: SessionEvent) -> None:
        match event:
            case AgentAudio(samples, rate):
                self.spoke = self.spoke or bool(len(samples))
                self._sink.audio(samples, rate)
            case Clear():
                self.clears.append(self._now())
                self._session.played(self._sink.clear())
            case AgentTranscript(text, kind):
                said = _text(text, "AgentTranscript.text")
                if self.agent.add(said, _kind(kind), self._now()):
                    self._sink.text(said)
            case UserTranscript(text, kind):
                self.user.add(_text(text, "UserTranscript.text"), _kind(kind), self._now())
            case ToolCall():
                self.tools.start(event)
            case ToolCancelled(call_id):
                self.tools.cancel(call_id)
            case Usage(quantities):
                self._meter(quantities)
            case SessionError(code, message):
                note_line(self.errors, one_line(f"{code}: {message}"))
            case AgentChat() | AgentMedia() | AgentPicture():
                self._join_in(event)
            case Ready() | UserSpeech() | Ended():
                pass

    def _join_in(self, event: MeetingEvent) -> None:
        try:
            self._sink.meeting(event)
        except ValueError as error:
            self.note_break(error)

    def _meter(self, quantities: object) -> None:
        if not isinstance(quantities, Mapping):
            raise _Nonsense(f"Usage.quantities is {type(quantities).__name__}, expected a mapping")
        for name, amount in quantities.items():
            quantity = _text(name, "a name in Usage")
            if quantity not in self.usage and len(self.usage) >= _USAGE_NAMES:
                if not self._usage_full:
                    self._usage_full = True
                    note_line(self.errors, f"Usage has too many names: no more than {_USAGE_NAMES} are kept")
                continue
            try:
                total = self.usage.get(quantity, 0.0) + finite(amount, f"Usage {quantity!r}")
                self.usage[quantity] = finite(total, f"the sum of Usage {quantity!r}")
            except (ValueError, OverflowError) as error:
                self.note_break(error)
