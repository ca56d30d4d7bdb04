"""The two ends of a line: the caller's mouth and ears, and the platform's input and playout."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import attrs
import numpy as np

from offhook._frame_clock import FrameClock
from offhook._playout import PlayoutBuffer, PlayoutMark
from offhook.audio import FRAME_SAMPLES, LINE_RATE, Clip, Samples

__all__ = ["CallerEnd", "Cleared", "FrameSink", "Mouth", "PlatformEnd", "Playout", "SentSpan", "Sinks"]

FrameSink = Callable[[Samples, float], object]
"""Takes a read-only frame, ``int16`` of shape ``(480,)``, and the line second at which it began."""


@attrs.frozen
class SentSpan:
    """When a clip of the caller was on the line, in line seconds; not ``complete`` when it was cut short."""

    start: float
    end: float
    complete: bool = True


@attrs.frozen
class Cleared:
    """Agent audio dropped on the platform's wish.

    ``at`` is the line second at which it asked, ``dropped`` the seconds of audio lost, ``utterance_played``
    the seconds of the current utterance that were played. A frame under way is played to its end.
    """

    at: float
    dropped: float
    utterance_played: float


class Sinks:
    """Who is handed the frames of one direction."""

    def __init__(self) -> None:
        self._sinks: tuple[FrameSink, ...] = ()

    def add(self, sink: FrameSink) -> Callable[[], None]:
        self._sinks = (*self._sinks, sink)

        def remove() -> None:
            remaining = list(self._sinks)
            if sink in remaining:
                remaining.remove(sink)
            self._sinks = tuple(remaining)

        return remove

    def hand(self, frame: Samples, began: float) -> None:
        for sink in self._sinks:
            sink(frame, began)


@attrs.define(eq=False)
class _Utterance:
    """A clip the caller says: whole frames of sound, of which ``length`` samples are meant."""

    sound: Samples
    length: int
    sent: asyncio.Future[SentSpan]
    position: int = 0
    first_frame: int | None = None
    end_frame: int = 0

    def span(self, now: float) -> SentSpan:
        if self.first_frame is None:
            return SentSpan(now, now, complete=False)
        start = self.first_frame * FRAME_SAMPLES
        end = start + min(self.position, self.length)
        return SentSpan(start / LINE_RATE, end / LINE_RATE, complete=self.position >= self.length)


class Mouth:
    """A speaker's clips: waiting to be said, and said but for the hand-over of their last frame."""

    def __init__(self, clock: FrameClock) -> None:
        self.spans: list[SentSpan] = []
        self._clock = clock
        self._waiting: deque[_Utterance] = deque()
        self._leaving: deque[_Utterance] = deque()

    @property
    def busy(self) -> bool:
        return bool(self._waiting or self._leaving)

    def add(self, samples: Samples) -> _Utterance:
        sound = np.zeros(-(-len(samples) // FRAME_SAMPLES) * FRAME_SAMPLES, dtype=np.int16)
        sound[: len(samples)] = samples
        sound.setflags(write=False)
        utterance = _Utterance(sound, len(samples), asyncio.get_running_loop().create_future())
        self._waiting.append(utterance)
        return utterance

    async def say(self, clip: Clip) -> SentSpan:
        """Queues a clip; returns when its last frame has been sent, or it was cut. As ``CallerEnd.say``."""
        samples = clip.at_rate(LINE_RATE).samples
        self._clock.settle()
        if len(samples) == 0 or self._clock.hung_up:
            now = self._clock.now
            return SentSpan(now, now, complete=len(samples) == 0)
        utterance = self.add(samples)
        try:
            return await utterance.sent
        except asyncio.CancelledError:
            self._clock.settle()
            self.cut(utterance)
            raise

    def stop(self) -> None:
        """Cuts all of it after the frame under way."""
        self._clock.settle()
        self.cut()

    def take(self, index: int) -> Samples | None:
        """The speaker's part of frame ``index``; None for silence."""
        if not self._waiting:
            return None
        utterance = self._waiting[0]
        if utterance.first_frame is None:
            utterance.first_frame = index
        begin = utterance.position
        utterance.position = begin + FRAME_SAMPLES
        if utterance.position >= utterance.length:
            self._leave(utterance)
        return utterance.sound[begin : begin + FRAME_SAMPLES]

    def cut(self, utterance: _Utterance | None = None) -> None:
        """Stops one utterance, or all, after the frame under way."""
        for cut in tuple(self._waiting):
            if utterance is not None and cut is not utterance:
                continue
            if cut.first_frame is None:
                self._waiting.remove(cut)
                self._answer(cut)
            else:
                self._leave(cut)
        self.report()

    def report(self) -> None:
        """Answers for the utterances whose last frame has been handed over."""
        while self._leaving and self._leaving[0].end_frame <= self._clock.handed_over:
            utterance = self._leaving.popleft()
            self.spans.append(utterance.span(self._clock.now))
            self._answer(utterance)

    def _answer(self, utterance: _Utterance) -> None:
        if not utterance.sent.done():
            utterance.sent.set_result(utterance.span(self._clock.now))

    def _leave(self, utterance: _Utterance) -> None:
        self._waiting.remove(utterance)
        utterance.end_frame = self._clock.settled
        self._leaving.append(utterance)


class CallerEnd:
    """The caller's end of the line: a mouth and ears."""

    def __init__(self, clock: FrameClock) -> None:
        self._clock = clock
        self._mouth = Mouth(clock)
        self._ears = Sinks()

    @property
    def now(self) -> float:
        """Line seconds since the call began."""
        return self._clock.now

    @property
    def hung_up(self) -> bool:
        """Whether either side has hung up."""
        return self._clock.hung_up

    @property
    def saying(self) -> bool:
        """Whether a clip is on the line or queued."""
        return self._mouth.busy

    def on_frame(self, sink: FrameSink) -> Callable[[], None]:
        """Has each frame played of the agent, silent ones too, handed to ``sink`` at the frame's end.

        The returned function undoes it. An exception in a sink ends the call and comes out of ``Line.run``.
        """
        return self._ears.add(sink)

    async def say(self, clip: Clip) -> SentSpan:
        """Says a clip after those queued before it and returns when its last frame has been sent.

        It begins on the next frame. When it is cut short (by ``stop_saying``, a hang-up, or cancelling this
        call), its span tells how far it got.
        """
        return await self._mouth.say(clip)

    def stop_saying(self) -> None:
        """Falls silent after the frame under way; what is queued is dropped too."""
        self._mouth.stop()

    def hang_up(self) -> None:
        """Ends the call at the end of the frame under way."""
        self._clock.hang_up("caller")

    async def sleep_until(self, at: float) -> None:
        """Waits until line second ``at``, also before the call has begun and beyond its end."""
        await self._clock.sleep_until(at)

    async def ended(self) -> str:
        """Waits for the end of the call and returns who hung up."""
        return await self._clock.ended()


class Playout:
    """Where a platform's audio goes: in any chunks, at any pace, out in frames by the clock."""

    def __init__(self, clock: FrameClock, buffer: PlayoutBuffer) -> None:
        self._clock = clock
        self._buffer = buffer
        self._clears: list[Cleared] = []
        self._waiters: list[tuple[PlayoutMark, asyncio.Future[bool]]] = []

    @property
    def playing(self) -> bool:
        """Whether agent audio is on the line or waiting to be played."""
        self._clock.settle()
        return self._buffer.unplayed > 0 or self._buffer.last_frame >= self._clock.handed_over

    @property
    def played(self) -> float:
        """Seconds of agent audio played so far, the frame under way included, gaps not."""
        self._clock.settle()
        return self._buffer.played / LINE_RATE

    @property
    def unplayed(self) -> float:
        """Seconds of agent audio pushed and still to be played."""
        self._clock.settle()
        return self._buffer.unplayed / LINE_RATE

    def push(self, samples: Samples, rate: int = LINE_RATE) -> None:
        """Takes agent audio of any length; the array is copied. After a hang-up nothing is taken any more.

        One stream keeps its resampling filter from chunk to chunk.

        Raises:
            ValueError: samples that are not ``int16`` of shape ``(n,)``, or a rate that is not positive.
        """
        self._clock.settle()
        if not self._clock.hung_up:
            self._buffer.push(samples, rate)

    def end(self) -> None:
        """The utterance is complete. Without this, a short gap before more audio counts as an underrun."""
        self._clock.settle()
        self._buffer.end()

    def clear(self) -> Cleared:
        """Drops all audio not played yet, as on a barge-in."""
        self._clock.settle()
        dropped = self._buffer.clear(self._clock.settled)
        cleared = Cleared(self._clock.now, dropped / LINE_RATE, self._buffer.utterance_played / LINE_RATE)
        self._clears.append(cleared)
        self._tell()
        return cleared

    def mark(self) -> PlayoutMark:
        """The place in the agent's audio right after everything pushed so far."""
        self._clock.settle()
        return self._buffer.mark()

    def played_since(self, mark: PlayoutMark) -> float:
        """Seconds of the audio pushed after ``mark`` that were played, up to the next clear."""
        self._clock.settle()
        return self._buffer.played_since(mark) / LINE_RATE

    async def reached(self, mark: PlayoutMark) -> bool:
        """Waits until everything before ``mark`` has been heard (True) or was dropped (False)."""
        heard: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._clock.settle()
        self._waiters.append((mark, heard))
        self._tell()
        return await heard

    async def drained(self) -> bool:
        """Waits until everything pushed so far has been heard (True) or was dropped (False)."""
        return await self.reached(self.mark())

    def _tell(self) -> None:
        """Answers for the marks that have been reached or can't be any more."""
        if not self._waiters:
            return
        waiting, self._waiters = self._waiters, []
        for mark, heard in waiting:
            if heard.done():
                continue
            passed = self._buffer.passed(mark)
            # What was played is heard once the frame that carries it has been handed over.
            in_the_air = self._buffer.last_frame >= self._clock.handed_over
            if passed is None and self._clock.over:
                heard.set_result(False)
            elif passed is None or (passed and in_the_air):
                self._waiters.append((mark, heard))
            else:
                heard.set_result(passed)


class PlatformEnd:
    """The platform's end of the line: what it is sent, and where its audio goes."""

    def __init__(self, clock: FrameClock, buffer: PlayoutBuffer) -> None:
        self.playout = Playout(clock, buffer)
        self._clock = clock
        self._input = Sinks()

    @property
    def now(self) -> float:
        """Line seconds since the call began."""
        return self._clock.now

    @property
    def hung_up(self) -> bool:
        """Whether either side has hung up."""
        return self._clock.hung_up

    def on_frame(self, sink: FrameSink) -> Callable[[], None]:
        """Has each frame of the caller, silent ones too, handed to ``sink`` at the frame's end.

        The returned function undoes it. An exception in a sink ends the call and comes out of ``Line.run``.
        """
        return self._input.add(sink)

    def hang_up(self) -> None:
        """Ends the call at the end of the frame under way."""
        self._clock.hang_up("platform")

    async def sleep_until(self, at: float) -> None:
        """Waits until line second ``at``, also before the call has begun and beyond its end."""
        await self._clock.sleep_until(at)

    async def ended(self) -> str:
        """Waits for the end of the call and returns who hung up."""
        return await self._clock.ended()
