"""What listens, thinks and talks behind a cascade's twin: the run's ears and voice, and a mind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final, Protocol

import attrs
import numpy as np
from aiohttp import web
from numpy.typing import NDArray

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, LINE_RATE, Clip, Resampler, Samples
from offhook.clock import compute, sleep_until
from offhook.sessions import AgentConfig
from offhook.speech import ListenerHint, SpeechUnavailable
from offhook.twins import Behind, TwinFaults
from offhook.values import ValueKind
from offhook_adapters.cascade.sentences import Sentences
from offhook_adapters.reference.completions import MindCompletions
from offhook_adapters.reference.completions_history import BadRequest, read_history
from offhook_adapters.reference.speech import Mouth, chosen_voice, prompt_for
from offhook_adapters.reference.turns import Endpointer, Started, Stopped, TurnSettings
from offhook_adapters.twins.asgi import answered_by
from offhook_adapters.twins.pipe import SoundCount
from offhook_adapters.twins.served import TwinLog, new_key

__all__ = ["House", "Speaking", "TurnEnd", "TwinHearing", "house_behind"]

# Nobody tells these ears what is asked for, so they are shown how a name is spelled and a number is said. All
# of it is invented.
_HINT: Final = ListenerHint(beam=5, prompt=prompt_for((ValueKind.NAME, ValueKind.PHONE)))
_HEARING: Final = (0.15, 0.25)
_SPEAKING: Final = (0.1, 0.2)


class TurnEnd(Protocol):
    """A vendor's end of the wire of its ears. Times are seconds of the caller's sound."""

    def turn_began(self, at: float) -> None: ...

    def turn_ended(self, at: float, text: str) -> None:
        """The turn is over, and these were its words."""
        ...


class TwinHearing:
    """The run's ears on a caller's sound as it arrives.

    ``rate`` is the wire's. ``told`` gets the speech probability after each frame, where a wire tells it.
    """

    def __init__(
        self,
        house: House,
        end: TurnEnd,
        *,
        rate: int = LINE_RATE,
        turns: TurnSettings | None = None,
        told: Callable[[float], None] | None = None,
    ) -> None:
        engines = house.engines
        self._house = house
        self._end = end
        self._told = told
        self._listener = engines.careful_ears
        self._activity = engines.vad.open()
        self._endpointer = Endpointer(turns or TurnSettings())
        self._resampler = Resampler(rate, LINE_RATE) if rate != LINE_RATE else None
        self._rest: Samples = np.zeros(0, dtype=np.int16)
        self._rng = house.behind.call.rng("hearing")
        self._edges: asyncio.Queue[Started | Stopped | Callable[[], None]] = asyncio.Queue()
        self._working = asyncio.ensure_future(self._work())
        self.seconds = 0.0

    @property
    def speaking(self) -> bool:
        """Whether the caller has a turn open."""
        return self._endpointer.speaking

    def hear(self, pcm: bytes) -> None:
        """16-bit little-endian samples at the wire's rate."""
        samples: Samples = np.frombuffer(pcm, dtype="<i2").astype(np.int16)
        if self._resampler is not None:
            samples = self._resampler.push(samples)
        samples = np.concatenate((self._rest, samples))
        whole = len(samples) // FRAME_SAMPLES * FRAME_SAMPLES
        self._rest = samples[whole:]
        for start in range(0, whole, FRAME_SAMPLES):
            frame = samples[start : start + FRAME_SAMPLES]
            probability = self._activity.push(frame)
            edge = self._endpointer.push(frame, probability, self.seconds)
            self.seconds += FRAME_SECONDS
            if edge is not None:
                self._edges.put_nowait(edge)
            if self._told is not None:
                self._told(probability)

    def flush(self) -> None:
        """Hears out what was said so far, as if silence followed."""
        frame: Samples = np.zeros(FRAME_SAMPLES, dtype=np.int16)
        while self._endpointer.speaking:
            edge = self._endpointer.push(frame, 0.0, self.seconds)
            if edge is not None:
                self._edges.put_nowait(edge)

    def then(self, do: Callable[[], None]) -> None:
        """Does something once all that was heard so far has been told."""
        self._edges.put_nowait(do)

    async def close(self) -> None:
        """The client is gone."""
        self._working.cancel()
        await asyncio.gather(self._working, return_exceptions=True)

    async def _work(self) -> None:
        while True:
            match await self._edges.get():
                case Started(at):
                    self._end.turn_began(at)
                case Stopped() as stopped:
                    self._end.turn_ended(stopped.end, await self._heard(stopped.clip))
                case do:
                    do()

    async def _heard(self, clip: Clip) -> str:
        due = asyncio.get_running_loop().time() + float(self._rng.uniform(*_HEARING))
        text = await self._house.heard(self._listener.hear, clip, _HINT)
        await sleep_until(due)
        return text


@attrs.frozen(eq=False)
class House:
    """What the routes of a cascade's twin share: who answers, what goes wrong, and what has crossed the wire.
    ``minds`` are the chat models made so far, by what the agent was told to greet with.
    """

    behind: Behind
    key: str = attrs.field(factory=new_key, repr=False)
    log: TwinLog = attrs.field(factory=TwinLog)
    count: SoundCount = attrs.field(factory=SoundCount)
    failures: list[Exception] = attrs.field(factory=list)
    minds: dict[str, MindCompletions] = attrs.field(factory=dict)

    @property
    def faults(self) -> TwinFaults:
        return self.behind.faults

    @property
    def engines(self) -> Any:
        """Raises ValueError for a call that brings none."""
        if self.behind.call.engines is None:
            raise ValueError("the twin listens and talks itself: give its call speech engines")
        return self.behind.call.engines

    async def heard(self, hear: Callable[..., Any], *given: Any) -> str:
        """What an engine heard; nothing where it is missing, which is told to the twin's owner."""
        try:
            return str((await compute(hear, *given)).text)
        except SpeechUnavailable as error:
            self.failures.append(error)
            return ""

    async def spoken(self, text: str) -> Clip | None:
        """The sound of a text at the line's rate; None where the engine is missing."""
        try:
            return await Mouth(chosen_voice(self.engines, {"voice": self.behind.voice})).speak(text)
        except SpeechUnavailable as error:
            self.failures.append(error)
            return None

    async def complete(self, request: web.Request, body: Mapping[str, Any]) -> web.StreamResponse:
        """Answers a chat completion request, which has been found in order."""
        self.log.received.append({"type": "chat.completions", **body})
        try:
            opening = read_history(body.get("messages")).opening
        except BadRequest:
            opening = ""
        mind = self._mind(opening)
        before = len(mind.failures)
        raw = json.dumps(dict(body)).encode()
        response = await answered_by(mind.app, request, "/v1/chat/completions", raw)
        self.failures.extend(mind.failures[before:])
        if mind.arrived is not None:
            self.arrived(mind.arrived)
        return response

    def arrived(self, agent: AgentConfig) -> None:
        """The agent as it crossed the wire; what came first stays, but for a greeting that came later."""
        known = self.log.arrived
        if known is None:
            self.log.arrived = agent
        elif not known.greeting:
            self.log.arrived = attrs.evolve(known, greeting=agent.greeting)

    def _mind(self, opening: str) -> MindCompletions:
        mind = self.minds.get(opening)
        if mind is None:
            mind = MindCompletions(self.behind.call, script=self.behind.script, greeting=opening)
            self.minds[opening] = mind
        return mind


class Speaking:
    """Text that comes in pieces, spoken a sentence at a time."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._sentences = Sentences()
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self._rng = house.behind.call.rng("speaking")

    def add(self, text: str) -> None:
        """More of it."""
        for sentence in self._sentences.push(text):
            self._texts.put_nowait(sentence)

    def flush(self) -> None:
        """What is there is to be spoken now."""
        for sentence in self._sentences.rest():
            self._texts.put_nowait(sentence)

    def finish(self) -> None:
        """That was all."""
        self.flush()
        self._texts.put_nowait(None)

    async def clips(self) -> AsyncIterator[tuple[str, NDArray[np.int16]]]:
        """Each sentence with its sound at the line's rate."""
        while (text := await self._texts.get()) is not None:
            due = asyncio.get_running_loop().time() + float(self._rng.uniform(*_SPEAKING))
            clip = await self._house.spoken(text.strip())
            await sleep_until(due)
            if clip is not None:
                yield text, clip.at_rate(LINE_RATE).samples


def house_behind(behind: Behind) -> House:
    """Raises MindError or ValueError where the mind can't be made, or there are no engines."""
    house = House(behind)
    MindCompletions(behind.call, script=behind.script)
    chosen_voice(house.engines, {"voice": behind.voice})
    return house
