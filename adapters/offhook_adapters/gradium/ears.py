"""Gradium's speech-to-text as a cascade's ears. A session of it ends after five minutes, so a new one takes
over before that, at a moment when the caller is silent if there is one.
"""

from __future__ import annotations

import asyncio
import base64
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import attrs

from offhook.audio import LINE_RATE, Samples
from offhook_adapters.cascade.meter import SoundMeter
from offhook_adapters.cascade.parts import PartFailed, TurnListener
from offhook_adapters.cascade.standby import opened
from offhook_adapters.gradium.line import Line
from offhook_adapters.gradium.turns import Turn, TurnSignal, inactivity
from offhook_adapters.wires.outbox import Outbox
from offhook_adapters.wires.stream import CallStream
from offhook_adapters.wires.vendor import VendorError

__all__ = ["GradiumEars", "Rotation"]

# Text may trail what says that a flush is done (Pipecat 1.14.0 waits as long, read 2026-11-30).
_TRAILING_SECONDS: Final = 0.1
# What a new session hears again, in case somebody began to talk just then.
_AGAIN_SECONDS: Final = 0.6
_FLUSH_SECONDS: Final = 5.0
_IDLE: Final = frozenset({"ready", "end_of_stream"})


@attrs.frozen
class Rotation:
    """When a session is replaced, in seconds of its sound: from ``quiet`` on as soon as the caller is silent,
    at ``latest`` in any case. The next one is opened ``ahead`` of that.
    """

    quiet: float
    latest: float
    ahead: float

    @classmethod
    def within(cls, longest: float) -> Rotation:
        """For sessions that last so many seconds."""
        return cls(quiet=0.8 * longest, latest=0.95 * longest, ahead=0.05 * longest)


class GradiumEars:
    """A live transcription over one session after another.

    Args:
        first: the session to begin with.
        again: opens another one.
        rotation: when that is done.
        stream: the call's stream.
    """

    def __init__(
        self, first: Line, again: Callable[[], Awaitable[Line]], rotation: Rotation, stream: CallStream
    ) -> None:
        self._line = first
        self._again = again
        self._rotation = rotation
        self._stream = stream
        self._meter = SoundMeter(stream)
        self._outbox: Outbox[Mapping[str, Any]] = Outbox(self._send, _audio)
        self._told: asyncio.Queue[tuple[Line, dict[str, Any] | PartFailed | None]] = asyncio.Queue()
        self._readers: set[asyncio.Task[None]] = set()
        self._next: asyncio.Task[Line] | None = None
        self._sent = 0.0
        self._recent: deque[Mapping[str, Any]] = deque()
        self._signal = TurnSignal()
        self._words: list[str] = []
        self._flushes = 0
        self._flush_due: asyncio.TimerHandle | None = None
        self._draining: set[Line] = set()
        self.rotations = 0

    def hear(self, frame: Samples) -> bool:
        taken = self._outbox.frame(frame)
        if taken:
            self._meter.frame()
        return taken

    async def run(self, listener: TurnListener) -> None:
        self._read(self._line)
        sending = asyncio.ensure_future(self._outbox.run())
        taking = asyncio.ensure_future(self._take_all(listener))
        try:
            await asyncio.wait({sending, taking}, return_when=asyncio.FIRST_COMPLETED)
            for task in (taking, sending):
                if task.done():
                    task.result()
        finally:
            for task in (sending, taking, *self._readers):
                task.cancel()
            await asyncio.gather(sending, taking, *self._readers, return_exceptions=True)

    async def close(self) -> None:
        """Hangs up."""
        self._meter.settle()
        if self._flush_due is not None:
            self._flush_due.cancel()
        if self._next is not None:
            self._next.cancel()
            await asyncio.gather(self._next, return_exceptions=True)
            if not self._next.cancelled() and self._next.exception() is None:
                await self._next.result().close()
        await self._line.close()

    # --- towards the platform -------------------------------------------------------------------------------

    async def _send(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "audio":
            await self._rotate()
            self._recent.append(message)
            self._sent += _seconds(message)
            while sum(map(_seconds, self._recent)) > _AGAIN_SECONDS:
                self._recent.popleft()
        await self._line.send(message)

    async def _rotate(self) -> None:
        """Goes over to the next session when it is time. What is sent waits for this, so no sound is lost."""
        due = self._sent >= (self._rotation.latest if self._signal.open else self._rotation.quiet)
        if self._next is None:
            if self._sent >= self._rotation.quiet - self._rotation.ahead:
                self._next = asyncio.ensure_future(opened(self._again, Line.close))
            return
        if not due or not (self._next.done() or self._sent >= self._rotation.latest):
            return
        try:
            fresh = await self._next
        except VendorError as error:
            raise PartFailed("session_not_renewed", str(error)) from None
        old, self._line, self._next, self._sent = self._line, fresh, None, 0.0
        self.rotations += 1
        self._read(fresh)
        self._signal.renewed()
        if self._signal.open:
            self._drain(old)  # its last words are still to come
            await old.send({"type": "flush", "flush_id": 0})
        else:
            for message in self._recent:
                self._sent += _seconds(message)
                await fresh.send(message)
        await old.send({"type": "end_of_stream"})

    def _drain(self, line: Line) -> None:
        self._draining.add(line)
        asyncio.get_running_loop().call_later(_FLUSH_SECONDS, self._draining.discard, line)

    # --- from the platform ----------------------------------------------------------------------------------

    def _read(self, line: Line) -> None:
        async def read() -> None:
            try:
                while (message := await line.next()) is not None:
                    self._told.put_nowait((line, message))
                self._told.put_nowait((line, None))
            except PartFailed as error:
                self._told.put_nowait((line, error))
            finally:
                if line is not self._line:
                    await line.close()

        reader = asyncio.ensure_future(read())
        self._readers.add(reader)
        reader.add_done_callback(self._readers.discard)

    async def _take_all(self, listener: TurnListener) -> None:
        while True:
            line, message = await self._told.get()
            if line is self._line:
                if message is None:
                    raise PartFailed("connection_lost", "the platform closed speech-to-text during the call")
                if isinstance(message, PartFailed):
                    raise message
                self._take(message, listener)
            elif line in self._draining:
                if isinstance(message, dict) and message["type"] == "text":
                    self._words.append(_text(message))
                elif not isinstance(message, dict) or message["type"] == "end_of_stream":
                    self._draining.discard(line)

    def _take(self, message: Mapping[str, Any], listener: TurnListener) -> None:
        match message["type"]:
            case "text":
                self._words.append(_text(message))
            case "step":
                try:
                    turn = self._signal.push(inactivity(message))
                except (LookupError, TypeError, ValueError) as error:
                    raise PartFailed(
                        "bad_message", f"speech-to-text sent a step of another shape ({type(error).__name__})"
                    ) from None
                self._turn(turn, listener)
            case "flushed":
                if message.get("flush_id") == self._flushes:
                    self._finish_in(_TRAILING_SECONDS, listener)
            case kind if kind not in _IDLE:
                self._stream.unknown(str(kind))

    def _turn(self, turn: Turn | None, listener: TurnListener) -> None:
        match turn:
            case Turn.BEGAN:
                listener.caller_began()
            case Turn.INSISTS:
                listener.caller_insists()
            case Turn.ENDED:
                self._flushes += 1
                self._outbox.event({"type": "flush", "flush_id": self._flushes})
                listener.caller_stopped()
                self._finish_in(_FLUSH_SECONDS, listener)

    def _finish_in(self, seconds: float, listener: TurnListener) -> None:
        if self._flush_due is not None:
            self._flush_due.cancel()
        self._flush_due = asyncio.get_running_loop().call_later(seconds, self._finish, listener)

    def _finish(self, listener: TurnListener) -> None:
        if self._draining:  # part of the turn was heard by the session before, which is not done yet
            self._finish_in(_TRAILING_SECONDS, listener)
            return
        words, self._words = self._words, []
        self._signal.flushed()
        listener.caller_said(" ".join(word.strip() for word in words if word.strip()))


def _audio(pcm: bytes) -> Mapping[str, Any]:
    return {"type": "audio", "audio": base64.b64encode(pcm).decode("ascii")}


def _seconds(message: Mapping[str, Any]) -> float:
    # two bytes a sample, four letters for three bytes
    return len(message["audio"]) * 3 / 4 / 2 / LINE_RATE


def _text(message: Mapping[str, Any]) -> str:
    text = message.get("text")
    if not isinstance(text, str):
        raise PartFailed("bad_message", "speech-to-text sent a text without words")
    return text
