"""A recruit's session: an ear and a mouth on the clock of the frames it is sent.

Its times are seconds since the first frame. What it says at a second is heard from exactly that second on,
where sound given at the end of a frame is played with the next, as in a room in virtual time.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, TypeVar

import attrs
import numpy as np

from offhook.audio import FRAME_SECONDS, LINE_RATE, Clip, Samples
from offhook.clock import compute
from offhook.drills import Ear, Stretch, audible_part
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    Engines,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
    UserTranscript,
)
from offhook.speech import ListenerHint, SpeechStyle, Voice

__all__ = ["Heard", "RecruitSession"]

_HINT: Final = ListenerHint(beam=5)
_HINTED: Final = ListenerHint(beam=5, prompt="Three. Eleven. Fourteen. Six. Twenty. Eight.")

T = TypeVar("T")


@attrs.frozen
class Heard:
    """What somebody else said, with its first and last audible sample."""

    text: str
    start: float
    end: float


class RecruitSession:
    """See ``Session``. A mind is set to work with ``begin``."""

    def __init__(self, engines: Engines, voice: Voice) -> None:
        self.hang_over = 1.0
        self._engines = engines
        self._voice = voice
        self._events: asyncio.Queue[SessionEvent | Exception] = asyncio.Queue()
        self._closed: list[Stretch] = []
        self._ear = Ear(engines.vad.open(), lambda: self.hang_over, self._closed.append)
        self._waiters: list[asyncio.Future[None]] = []
        self._mind: asyncio.Task[None] | None = None
        self._transcript: list[str] = []

    def begin(self, mind: Callable[[RecruitSession], Awaitable[None]]) -> None:
        """Joins the meeting."""
        self._emit(Ready())
        self._mind = asyncio.create_task(self._run(mind))

    # --- the runner's side ----------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        self._ear.push(frame)
        waiting, self._waiters = self._waiters, []
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)

    async def events(self) -> AsyncIterator[SessionEvent]:
        """The stream. Raises whatever stopped the mind."""
        while True:
            event = await self._events.get()
            if isinstance(event, Exception):
                raise event
            yield event
            if isinstance(event, Ended):
                return

    async def send_tool_result(self, result: ToolResult) -> None:
        """It calls no tools."""

    def played(self, seconds: float) -> None:
        """It keeps no account of what was heard."""

    async def hang_up(self) -> None:
        mind, self._mind = self._mind, None
        if mind is not None:
            mind.cancel()
            await asyncio.gather(mind, return_exceptions=True)
            self._emit(Ended("caller"))

    async def fetch_record(self) -> PlatformRecord:
        return PlatformRecord(tuple(self._transcript))

    async def fetch_cost(self) -> Cost:
        return Cost(0.0, "reported")

    # --- the mind's side ------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """Seconds heard so far."""
        return self._ear.now / LINE_RATE

    async def heard(self, makes_sense: Callable[[str], bool] = bool) -> Heard:
        """What others say next, once they have been quiet for ``hang_over`` seconds. What makes no sense is
        listened to again, with numbers in mind.
        """
        while not self._closed:
            await self._frame()
        stretch = self._closed.pop(0)
        hear, clip = self._engines.careful_ears.hear, self._ear.clip(stretch)
        text = (await compute(hear, clip, _HINT)).text
        if not makes_sense(text):
            again = (await compute(hear, clip, _HINTED)).text
            text = again if makes_sense(again) else text
        self._emit(UserTranscript(text))
        self._transcript.append(f"heard: {text}")
        return Heard(text, stretch.start / LINE_RATE, stretch.end / LINE_RATE)

    async def onset(self, after: float, until: float = math.inf) -> float | None:
        """When others begin to speak, later than ``after``; None when they have not by ``until``. Known about
        0.1 s after it happened.
        """

        def begun() -> Stretch | None:
            stretches = self._ear.stretches
            return stretches[-1] if stretches and stretches[-1].start / LINE_RATE > after else None

        stretch = await self._when(begun, until)
        return None if stretch is None else stretch.start / LINE_RATE

    async def clip(self, text: str) -> Clip:
        """The text in its own voice, from the first to the last audible sample."""
        spoken = (await compute(self._voice.speak, text, SpeechStyle())).at_rate(LINE_RATE).samples
        part = audible_part(spoken)
        return Clip(spoken[part[0] : part[1]] if part else spoken[:0])

    async def say(self, at: float, sound: Clip, text: str) -> float:
        """Is heard from second ``at`` on, or as soon as possible after it, and returns the second at which
        the sound ends. It returns as soon as the sound is under way.
        """
        await self._until(at - FRAME_SECONDS)
        earliest = self._ear.now  # sound given by the end of a frame is heard from the next frame on
        begin = max(round(at * LINE_RATE), earliest)
        led = np.concatenate((np.zeros(begin - earliest, dtype=np.int16), sound.samples))
        self._emit(AgentTranscript(text))
        self._transcript.append(f"said: {text}")
        self._emit(AgentAudio(led, LINE_RATE))
        return (begin + len(sound.samples)) / LINE_RATE

    def stop(self) -> None:
        """Drops what has not been played."""
        self._emit(Clear())

    # --- inside ---------------------------------------------------------------------------------

    async def _until(self, at: float) -> None:
        await self._when(lambda: None, at)

    async def _when(self, ready: Callable[[], T | None], until: float = math.inf) -> T | None:
        """What ``ready`` returns, as soon as it is something; None once second ``until`` has come, to the
        frame before it.
        """
        while (found := ready()) is None:
            if self.now + FRAME_SECONDS > until + 1e-9:
                return None
            await self._frame()
        return found

    async def _frame(self) -> None:
        """Waits for the next frame to have been heard."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        await waiter

    async def _run(self, mind: Callable[[RecruitSession], Awaitable[None]]) -> None:
        try:
            await mind(self)
        except Exception as error:
            self._events.put_nowait(error)
        else:
            self._emit(Ended("agent"))

    def _emit(self, event: SessionEvent) -> None:
        self._events.put_nowait(event)
