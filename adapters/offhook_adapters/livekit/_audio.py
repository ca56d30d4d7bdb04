"""Sound in and out of a LiveKit session: frames as they come, and speech that can be paused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import numpy as np
from livekit import rtc
from livekit.agents.voice import io

from offhook.audio import FRAME_SAMPLES, LINE_RATE, Resampler, Samples
from offhook.clock import sleep_until
from offhook_adapters._frameworks.clock import LoopTime

__all__ = ["INPUT_RATE", "LineFrames", "LineInput", "LineOutput"]

INPUT_RATE: Final = 16_000
"""Hz. What LiveKit's voice activity and end-of-turn models work at: sound of another rate it would bring
there with a resampler whose dither is another one each time, and no two runs would be alike.
"""


class LineInput(io.AudioInput):
    """The caller's frames, without end until ``close``."""

    def __init__(self) -> None:
        super().__init__(label="offhook line")
        self._resampler = Resampler(LINE_RATE, INPUT_RATE)
        self._frames: asyncio.Queue[rtc.AudioFrame | None] = asyncio.Queue()

    def push(self, samples: Samples) -> None:
        """One 20 ms frame at the line's rate."""
        heard = self._resampler.push(samples)
        self._frames.put_nowait(rtc.AudioFrame(heard.tobytes(), INPUT_RATE, 1, len(heard)))

    def close(self) -> None:
        """No more sound will come."""
        self._frames.put_nowait(None)

    async def __anext__(self) -> rtc.AudioFrame:
        frame = await self._frames.get()
        if frame is None:
            raise StopAsyncIteration
        return frame


class LineFrames:
    """LiveKit's frames, of any length and one rate, as 20 ms frames at the line's rate."""

    def __init__(self) -> None:
        self._resampler: Resampler | None = None
        self._rest: Samples = np.zeros(0, np.int16)

    def push(self, frame: rtc.AudioFrame) -> list[Samples]:
        """The frames that are whole by now."""
        self._resampler = self._resampler or Resampler(frame.sample_rate, LINE_RATE)
        samples = self._resampler.push(np.frombuffer(bytes(frame.data), dtype=np.int16))
        sound = np.concatenate((self._rest, samples))
        whole = len(sound) - len(sound) % FRAME_SAMPLES
        self._rest = sound[whole:]
        return [sound[start : start + FRAME_SAMPLES] for start in range(0, whole, FRAME_SAMPLES)]


class LineOutput(io.AudioOutput):
    """What the agent says, handed to ``play`` as it comes. ``clear`` drops what was handed over and not heard
    yet; after a pause it is handed over once more.
    """

    def __init__(self, play: Callable[[Samples], None], clear: Callable[[], None]) -> None:
        super().__init__(
            label="offhook line",
            capabilities=io.AudioOutputCapabilities(pause=True),
            sample_rate=LINE_RATE,
        )
        self._loop = asyncio.get_running_loop()
        self._clock = LoopTime()
        self._play = play
        self._clear = clear
        self._news = asyncio.Event()
        self._running = asyncio.Event()
        self._running.set()
        self._whole = False
        self._dropping = False
        self._segment: asyncio.Task[None] | None = None
        # Of the segment that is playing: when it would have begun had it never waited, in samples how much of
        # it was handed over, and its sound so far.
        self._origin = 0.0
        self._sent = 0
        self._sound: list[Samples] = []

    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        if self._segment is not None and self._whole:
            await asyncio.wait({self._segment})
        await super().capture_frame(frame)
        if self._dropping:
            return
        self._sound.append(np.frombuffer(bytes(frame.data), dtype=np.int16))
        if self._segment is None:
            self._whole, self._origin, self._sent = False, self._loop.time(), 0
            self._segment = asyncio.create_task(self._play_out())
            self.on_playback_started(created_at=self._clock.time())
        self._hand_over()

    def flush(self) -> None:
        super().flush()
        self._dropping = False
        self._whole = True
        self._news.set()

    def clear_buffer(self) -> None:
        if self._segment is None:
            return
        self._take_back()
        self._segment.cancel()
        # What is still to come of a segment that was not handed over whole belongs to the same one.
        self._dropping = not self._whole
        self._finish(interrupted=True)

    def pause(self) -> None:
        super().pause()
        if self._segment is not None:
            self._take_back()
        self._running.clear()

    def resume(self) -> None:
        super().resume()
        self._running.set()
        self._hand_over()

    def _hand_over(self) -> None:
        """All there is and was not handed over, unless paused. It is heard from now on at the earliest."""
        if self._segment is None or not self._running.is_set():
            return
        sound = np.concatenate(self._sound)
        if len(sound) > self._sent:
            self._origin = max(self._origin, self._loop.time() - self._sent / LINE_RATE)
            self._play(sound[self._sent :])
            self._sent = len(sound)
            self._sound = [sound]

    def _take_back(self) -> None:
        heard = min(self._sent, max(0, round((self._loop.time() - self._origin) * LINE_RATE)))
        if heard < self._sent and self._running.is_set():
            self._clear()
            self._sent = heard

    async def _play_out(self) -> None:
        while True:
            await self._running.wait()
            end = self._origin + self._sent / LINE_RATE
            if self._loop.time() < end:
                await sleep_until(end)
            elif self._whole:
                self._finish(interrupted=False)
                return
            else:
                self._news.clear()
                await self._news.wait()

    def _finish(self, *, interrupted: bool) -> None:
        self._segment = None
        self._sound = []
        self._running.set()
        self.on_playback_finished(playback_position=self._sent / LINE_RATE, interrupted=interrupted)
