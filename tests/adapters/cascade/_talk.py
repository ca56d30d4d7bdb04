"""A caller whose words take the place of silence on the line."""

from __future__ import annotations

import asyncio
from collections import deque

import attrs
import numpy as np

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, Samples, frames_of
from offhook.clock import sleep_until
from offhook.sessions import AgentAudio, AgentTranscript
from offhook.speech import SpeechStyle
from offhook.testing import FakeVoice
from tests.adapters._calls import Listening


@attrs.define(eq=False)
class Talking(Listening):
    frames: deque[Samples] = attrs.field(factory=deque)
    sounds_until: float = 0.0
    spoken: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def __aenter__(self) -> Talking:
        await super().__aenter__()
        return self

    async def hears_out(self, sentences: int) -> None:
        """Waits until the agent has said so many sentences, and they are played out."""
        await self.until(lambda told: len(told.of(AgentTranscript)) >= sentences)
        heard = len(self.of(AgentAudio))
        await self.until(lambda told: len(told.of(AgentAudio)) > heard or self.sounds_until)
        loop = asyncio.get_running_loop()
        while loop.time() < self.sounds_until + 0.5:  # more of it may come meanwhile
            await sleep_until(self.sounds_until + 0.5)

    async def say(self, text: str) -> None:
        self.spoken.clear()
        self.frames.extend(frames_of(FakeVoice().speak(text, SpeechStyle())))
        await self.spoken.wait()

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        async for event in self.session.events():
            if isinstance(event, AgentAudio):
                seconds = len(event.samples) / event.rate
                self.sounds_until = max(self.sounds_until, loop.time()) + seconds
            self.events.append(event)
            self.news.set()

    async def _send(self) -> None:
        quiet: Samples = np.zeros(FRAME_SAMPLES, dtype=np.int16)
        while True:
            if self.frames:
                self.session.send_audio(self.frames.popleft())
            else:
                self.spoken.set()
                self.session.send_audio(quiet)
            await asyncio.sleep(FRAME_SECONDS)
