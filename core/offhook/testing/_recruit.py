"""A platform for meetings that does what a test says: at set times, or in answer to what it hears."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

import attrs

from offhook.audio import FRAME_SECONDS, LINE_RATE, Clip, Samples
from offhook.drills import Ear, Stretch
from offhook.sessions import (
    Ability,
    AgentAudio,
    AgentConfig,
    CallSetup,
    Capabilities,
    Cost,
    Deployment,
    Ended,
    Engines,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
)
from offhook.speech import ListenerHint, SpeechStyle

__all__ = ["ScriptedRecruit", "SendAt"]

_QUIET_SECONDS: Final = 0.2

Answer = Callable[[str], "str | SessionEvent | Sequence[str | SessionEvent] | None"]


@attrs.frozen
class SendAt:
    """What the agent does at a second after it joined: an event of its session, words to say, or sound."""

    at: float
    what: str | Clip | SessionEvent


def _no_answer(order: str) -> None:
    return None


@attrs.frozen
class ScriptedRecruit:
    """An adapter in virtual time. Its voice is the first of the engines it is given.

    Args:
        answer: given what others said, as heard, each time they fall silent for 0.2 s; returns words to say,
            events, several of both, or None.
        delay: seconds from the last sample it heard to its answer, which begins with the next frame. It knows
            0.22 s after that sample that nothing follows; a shorter delay is not kept.
        script: what it does whatever it hears.
        abilities: what it declares.
    """

    answer: Answer = _no_answer
    delay: float = 0.4
    script: tuple[SendAt, ...] = ()
    abilities: frozenset[Ability] = frozenset({Ability.AUDIO})
    name: str = "scripted-recruit"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(virtual_time=True, meeting=self.abilities)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        return Deployment(self.name, f"{self.name}/{agent.name}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> ScriptedSession:
        """Joins. Raises ValueError where it is given no engines to talk with."""
        if call.engines is None:
            raise ValueError("a scripted recruit needs the engines of the run")
        return ScriptedSession(self, call.engines)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing is kept."""


class ScriptedSession:
    """One meeting of a ``ScriptedRecruit``; see ``Session``."""

    def __init__(self, recruit: ScriptedRecruit, engines: Engines) -> None:
        self._recruit = recruit
        self._engines = engines
        self._voice = engines.voices[min(engines.voices)]
        self._events: asyncio.Queue[SessionEvent] = asyncio.Queue()
        self._events.put_nowait(Ready())
        self._closed: list[Stretch] = []
        self._ear = Ear(engines.vad.open(), lambda: _QUIET_SECONDS, self._closed.append)
        self._due = sorted(recruit.script, key=lambda step: step.at)

    def send_audio(self, frame: Samples) -> None:
        """Hears one frame, answers what has ended with it, and does what is due by its end."""
        self._ear.push(frame)
        now = self._ear.now / LINE_RATE
        for stretch in self._closed:
            heard = self._engines.ears.hear(self._ear.clip(stretch), ListenerHint()).text
            answers = self._recruit.answer(heard)
            for what in answers if isinstance(answers, list | tuple) else (answers,):
                if what is not None:
                    self._due.append(SendAt(stretch.end / LINE_RATE + self._recruit.delay, what))
        self._closed.clear()
        # What is to be heard from a second on has to be there before the frame that begins with it.
        due = [step for step in self._due if step.at < now + FRAME_SECONDS / 2]
        self._due = [step for step in self._due if step not in due]
        for step in sorted(due, key=lambda step: step.at):
            self._send(step.what)

    async def events(self) -> AsyncIterator[SessionEvent]:
        """The stream, until Ended."""
        while True:
            event = await self._events.get()
            yield event
            if isinstance(event, Ended):
                return

    async def send_tool_result(self, result: ToolResult) -> None:
        """It has no tools."""

    def played(self, seconds: float) -> None:
        """It keeps no account of what was heard."""

    async def hang_up(self) -> None:
        self._events.put_nowait(Ended("caller"))

    async def fetch_record(self) -> PlatformRecord:
        return PlatformRecord()

    async def fetch_cost(self) -> Cost:
        return Cost(0.0, "reported")

    def _send(self, what: str | Clip | SessionEvent) -> None:
        if isinstance(what, str):
            what = self._voice.speak(what, SpeechStyle())
        event = AgentAudio(what.samples, what.rate) if isinstance(what, Clip) else what
        self._events.put_nowait(event)
