"""One call on the reference platform: endpointing, listening, speaking and barge-in around a mind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import attrs
import numpy as np

from offhook.audio import FRAME_SECONDS, Clip, Samples
from offhook.clock import sleep_until
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Clear,
    Cost,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
    UserSpeech,
    UserTranscript,
)
from offhook.speech import VoiceActivityDetector
from offhook.values import ValueKind
from offhook_adapters.reference._wire import Wire
from offhook_adapters.reference.minds.desk import Attention, Mind, Utterance
from offhook_adapters.reference.speech import Ears, Mouth
from offhook_adapters.reference.turns import Endpointer, Started, Stopped, TurnSettings

__all__ = ["Delays", "ReferenceSession"]

_LAST_WORDS_SECONDS: Final = 0.2
_COURTESY_SECONDS: Final = 6.0
# Wordless sound shorter than this is a noise on the line, not an answer that was missed.
_NOISE_SECONDS: Final = 0.5


@attrs.frozen
class Delays:
    """What the platform declares its parts to take, in seconds: each is drawn evenly between two bounds. In
    virtual time computing costs nothing, so these are all there is; in real time they are lower limits.
    """

    hearing: tuple[float, float] = (0.15, 0.25)
    careful_hearing: tuple[float, float] = (0.25, 0.4)
    thinking: tuple[float, float] = (0.2, 0.5)
    speaking: tuple[float, float] = (0.1, 0.2)


class ReferenceSession:
    """A live call. ``rng`` draws the delays and nothing else."""

    def __init__(
        self,
        *,
        ears: Ears,
        mouth: Mouth,
        vad: VoiceActivityDetector,
        rng: np.random.Generator,
        turns: TurnSettings,
        delays: Delays,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._wire = Wire()
        self._ears = ears
        self._mouth = mouth
        self._activity = vad.open()
        self._rng = rng
        self._turns = turns
        self._delays = delays
        self._endpointer = Endpointer(turns)
        self._stopped: list[Stopped] = []
        self._edge = asyncio.Event()
        self._heard: list[tuple[Utterance, Clip]] = []
        self._overheard: list[Utterance] = []
        self._playing_until = 0.0
        self._last_speech = 0.0

    def begin(self, mind: Mind) -> None:
        """Answers the call."""
        self._last_speech = self._loop.time()
        self._wire.emit(Ready())
        self._wire.start(mind, self, self._finish)

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if self._wire.ended:
            return
        now = self._loop.time()
        edge = self._endpointer.push(frame, self._activity.push(frame), now - FRAME_SECONDS)
        match edge:
            case Started():
                self._wire.emit(UserSpeech(True))
                self._edge.set()
            case Stopped():
                self._wire.emit(UserSpeech(False))
                self._last_speech = now
                self._stopped.append(edge)
                self._edge.set()
            case None:
                pass
        if self._endpointer.voiced >= self._turns.barge_in and self._playing_until > now:
            self._playing_until = now
            self._wire.emit(Clear())

    def events(self) -> AsyncIterator[SessionEvent]:
        return self._wire.events()

    async def send_tool_result(self, result: ToolResult) -> None:
        self._wire.resolve(result)

    def played(self, seconds: float) -> None:
        """Nothing to correct: the mind asks again when an answer does not fit its question."""

    async def hang_up(self) -> None:
        await self._wire.close("caller")

    async def fetch_record(self) -> PlatformRecord:
        return self._wire.record

    async def fetch_cost(self) -> Cost:
        return Cost(0.0, "usage")

    # --- the mind's side ------------------------------------------------------------------------------------

    async def say(self, text: str) -> None:
        if not text.strip():
            return
        began = self._loop.time()
        clip = await self._mouth.speak(text)
        await self._delay(began, self._delays.speaking)
        await self._let_finish()
        await self._file_unasked()
        now = self._loop.time()
        self._playing_until = max(self._playing_until, now) + clip.seconds
        self._wire.emit(AgentTranscript(text))
        self._wire.emit(AgentAudio(clip.samples, clip.rate))

    async def listen(
        self, attention: Attention = Attention.QUICK, expecting: tuple[ValueKind, ...] = ()
    ) -> Utterance | None:
        parts: list[tuple[Utterance, Clip]] = []
        while (stopped := await self._next_turn()) is not None:
            part = await self._hear(stopped, attention, expecting)
            if not part[0].text and stopped.end - stopped.start < _NOISE_SECONDS:
                continue
            parts.append(part)
            if not await self._goes_on():
                break
        if not parts:
            return None
        whole = Utterance(
            index=len(self._heard),
            text=" ".join(part.text for part, _ in parts if part.text),
            confidence=min(part.confidence for part, _ in parts),
            attention=attention,
        )
        self._heard.append((whole, Clip(np.concatenate([clip.samples for _, clip in parts]))))
        return whole

    async def rehear(
        self, heard: Utterance, attention: Attention, expecting: tuple[ValueKind, ...]
    ) -> Utterance:
        began = self._loop.time()
        _, clip = self._heard[heard.index]
        again = await self._ears.hear(clip, attention, expecting)
        await self._delay(began, self._delays.careful_hearing)
        return Utterance(heard.index, again.text, again.confidence, attention)

    def overheard(self) -> tuple[Utterance, ...]:
        told, self._overheard = tuple(self._overheard), []
        return told

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        return await self._wire.call(tool, arguments)

    # --- turn-taking ----------------------------------------------------------------------------------------

    async def _delay(self, began: float, bounds: tuple[float, float]) -> None:
        await sleep_until(began + float(self._rng.uniform(*bounds)))

    async def _hear(
        self, stopped: Stopped, attention: Attention, expecting: tuple[ValueKind, ...]
    ) -> tuple[Utterance, Clip]:
        """Transcribes a turn and tells the runner. ``index`` is set by whoever files the whole."""
        began = self._loop.time()
        heard = await self._ears.hear(stopped.clip, attention, expecting)
        slow = attention is not Attention.QUICK
        await self._delay(began, self._delays.careful_hearing if slow else self._delays.hearing)
        if heard.text:
            self._wire.emit(UserTranscript(heard.text))
        return Utterance(len(self._heard), heard.text, heard.confidence, attention), stopped.clip

    async def _next_turn(self) -> Stopped | None:
        """The next turn the caller ends; None after ``give_up`` seconds in which nobody spoke."""
        opened = self._loop.time()
        while not self._stopped:
            self._edge.clear()
            quiet_since = max(opened, self._playing_until, self._last_speech)
            left = quiet_since + self._turns.give_up - self._loop.time()
            if left <= 0 and not self._endpointer.speaking:
                return None
            try:
                await asyncio.wait_for(self._edge.wait(), None if self._endpointer.speaking else left)
            except TimeoutError:
                continue
        return self._stopped.pop(0)

    async def _goes_on(self) -> bool:
        """Thinks for a moment; whether the caller took the turn back meanwhile."""
        deadline = self._loop.time() + float(self._rng.uniform(*self._delays.thinking))
        while not (self._endpointer.speaking or self._stopped):
            self._edge.clear()
            try:
                await asyncio.wait_for(self._edge.wait(), deadline - self._loop.time())
            except TimeoutError:
                return False
        return True

    async def _let_finish(self) -> None:
        """Waits for a caller who is talking, but not for ever: steady noise must not silence the agent."""
        limit = self._loop.time() + _COURTESY_SECONDS
        while self._endpointer.speaking and self._loop.time() < limit:
            self._edge.clear()
            try:
                await asyncio.wait_for(self._edge.wait(), limit - self._loop.time())
            except TimeoutError:
                return

    async def _file_unasked(self) -> None:
        """Hears turns that ended before the agent spoke: they answer nothing, but count as heard."""
        while self._stopped:
            utterance, clip = await self._hear(self._stopped.pop(0), Attention.QUICK, ())
            self._heard.append((utterance, clip))
            self._overheard.append(utterance)

    async def _finish(self) -> None:
        """Hears the last words out before the line is closed."""
        await sleep_until(self._playing_until + _LAST_WORDS_SECONDS)
