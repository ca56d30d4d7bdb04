"""The reference platform behind a wire: sound in at the wire's rate, and what happens told to one vendor's
end.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

import numpy as np

from offhook.audio import FRAME_SAMPLES, LINE_RATE, Resampler, Samples
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    Clear,
    Ended,
    SessionError,
    SessionEvent,
    UserSpeech,
    UserTranscript,
)
from offhook.speech import SpeechUnavailable
from offhook_adapters.reference.minds.desk import MindError
from offhook_adapters.reference.session import ReferenceSession
from offhook_adapters.reference.speech import Ears, Mouth, chosen_voice
from offhook_adapters.reference.turns import TurnSettings
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.desk import ToolDesk, WireMind

__all__ = ["TwinPlatform", "WireEnd"]


class WireEnd(Protocol):
    """A vendor's end of the wire: each of these becomes the vendor's own messages."""

    def caller_started(self) -> None: ...

    def caller_stopped(self) -> None: ...

    def caller_said(self, text: str) -> None: ...

    def agent_says(self, text: str, samples: Samples) -> None:
        """An utterance, all of it at once, 24 kHz."""
        ...

    def agent_cut(self) -> None:
        """The caller has talked over the agent long enough: what was not played is dropped."""
        ...

    def agent_listens(self) -> None:
        """The agent's turn is over."""
        ...

    def caller_silent(self) -> None:
        """The caller stayed silent for as long as the platform waits."""
        ...

    def trouble(self, code: str, message: str) -> None: ...

    def broke(self, reason: str) -> None:
        """The platform can't go on."""
        ...


class TwinPlatform:
    """The reference platform of one call.

    Args:
        agent: who answers.
        end: whom to tell.
        tools: where the mind's tool calls go.
        rate: of the sound that comes in, in Hz.
    """

    def __init__(self, agent: TwinAgent, end: WireEnd, tools: ToolDesk, rate: int = LINE_RATE) -> None:
        self._agent = agent
        self._end = end
        self._tools = tools
        self._resampler = Resampler(rate, LINE_RATE) if rate != LINE_RATE else None
        self._rest: Samples = np.zeros(0, dtype=np.int16)
        self._session: ReferenceSession | None = None
        self._mind: WireMind | None = None
        self._pump: asyncio.Task[None] | None = None
        self._text = ""
        self.taken_in = 0

    @property
    def awake(self) -> bool:
        """Whether a mind has taken the call."""
        return self._mind is not None

    @property
    def milliseconds(self) -> int:
        """How much sound of the caller was taken in."""
        return self.taken_in * 1000 // LINE_RATE

    def open(self, turns: TurnSettings) -> None:
        """Begins to listen."""
        if self._session is not None:
            return
        engines, call = self._agent.engines, self._agent.call
        self._session = ReferenceSession(
            ears=Ears(engines.ears, engines.careful_ears),
            mouth=Mouth(chosen_voice(engines, {"voice": self._agent.voice})),
            vad=engines.vad,
            rng=call.rng("delays"),
            turns=turns,
            delays=self._agent.delays,
        )
        self._pump = asyncio.create_task(self._tell(self._session))

    def wake(self, config: AgentConfig) -> None:
        """Lets the mind take the call, which greets with ``config.greeting``. Call ``open`` before.

        Raises:
            MindError: it can't.
        """
        if self._session is None:
            raise MindError("the platform does not listen yet")
        mind = self._agent.make_mind(config, self._agent.call)
        self._mind = WireMind(mind, self._tools, self._end.agent_listens, self._end.caller_silent)
        self._session.begin(self._mind)

    def hear(self, pcm: bytes) -> None:
        """Sound of the caller: 16-bit little-endian samples at the wire's rate."""
        if self._session is None:
            return
        samples = np.frombuffer(pcm, dtype="<i2").astype(np.int16)
        if self._resampler is not None:
            samples = self._resampler.push(samples)
        samples = np.concatenate((self._rest, samples))
        whole = len(samples) // FRAME_SAMPLES * FRAME_SAMPLES
        self._rest = samples[whole:]
        for start in range(0, whole, FRAME_SAMPLES):
            self.taken_in += FRAME_SAMPLES
            self._session.send_audio(samples[start : start + FRAME_SAMPLES])

    def forget_rest(self) -> None:
        """Drops the sound that does not fill a frame yet."""
        self._rest = self._rest[:0]

    async def close(self) -> None:
        """The client is gone."""
        if self._session is not None:
            await self._session.hang_up()
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)

    async def _tell(self, session: ReferenceSession) -> None:
        try:
            async for event in session.events():
                self._translate(event)
        except SpeechUnavailable as error:
            self._agent.failures.append(error)
            self._end.broke("an engine of the twin is missing")

    def _translate(self, event: SessionEvent) -> None:
        match event:
            case UserSpeech(speaking=True):
                self._end.caller_started()
            case UserSpeech(speaking=False):
                self._end.caller_stopped()
            case UserTranscript(text):
                self._end.caller_said(text)
            case AgentTranscript(text):
                self._text = text
            case AgentAudio(samples):
                self._end.agent_says(self._text, samples)
                if self._mind is not None:
                    self._mind.sent.mark()
            case Clear():
                self._end.agent_cut()
            case SessionError(code, message):
                self._end.trouble(code, message)
            case Ended(by="platform"):
                self._end.broke("the twin's mind failed")
            case _:
                pass
