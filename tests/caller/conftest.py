"""A caller on a real line in virtual time, and an agent that talks back, both with engines that need no
weights."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime

import attrs
import pytest

from offhook.audio import Samples
from offhook.callers import CallerBrief, CallerReport
from offhook.clock import run_virtual
from offhook.line import Line, LineTapes, PlatformEnd
from offhook.packs import Task
from offhook.sessions import Engines
from offhook.speech import ListenerHint, SpeechStyle
from offhook.streams import stream
from offhook.testing import EnergyVad, FakeListener, FakeVoice, HashEmbedder
from offhook.testing_pack import bicycle_pack
from offhook_caller.caller import SimulatedCaller
from offhook_caller.ears import Ear, EarSettings, Utterance
from offhook_caller.journal import CallerSettings

Part = str | float | None
Answer = Callable[[str], Iterable[Part] | None]
"""What the agent says to what it heard: sentences and pauses in seconds; None hangs up."""


@attrs.frozen
class FinishedCall:
    report: CallerReport
    tapes: LineTapes
    agent_heard: tuple[str, ...]


class TalkingAgent:
    """Says its greeting, then answers every utterance of the caller after 0.8 s of silence."""

    def __init__(self, greeting: Iterable[Part], answer: Answer, engines: Engines, voice: str) -> None:
        self._greeting = tuple(greeting)
        self._answer = answer
        self._voice = engines.voices[voice]
        self._listener = engines.ears
        self._ear = Ear(engines.vad.open(), EarSettings(hangover=0.8))
        self._woken = asyncio.Event()
        self.heard: list[str] = []

    async def serve(self, platform: PlatformEnd) -> None:
        platform.on_frame(self._listen)
        over = asyncio.ensure_future(platform.ended())
        over.add_done_callback(lambda _: self._woken.set())
        await self._say(platform, self._greeting)
        while not platform.hung_up:
            self._woken.clear()
            utterances: tuple[Utterance, ...] = self._ear.take()
            if not utterances:
                await self._woken.wait()
                continue
            text = " ".join(self._listener.hear(entry.clip, ListenerHint()).text for entry in utterances)
            self.heard.append(text)
            said = self._answer(text)
            if said is None:
                platform.hang_up()
            else:
                await self._say(platform, said)

    def _listen(self, frame: Samples, began: float) -> None:
        if self._ear.push(frame, began):
            self._woken.set()

    async def _say(self, platform: PlatformEnd, parts: Iterable[Part]) -> None:
        for part in parts:
            if platform.hung_up:
                return
            if part is None:
                platform.hang_up()
            elif isinstance(part, float):
                await platform.sleep_until(platform.now + part)
            else:
                platform.playout.push(self._voice.speak(part, SpeechStyle()).samples)
                platform.playout.end()
                await platform.playout.drained()


NOW = datetime.fromisoformat("2026-08-12T10:00:00")


def fake_engines() -> Engines:
    return Engines({"fake": FakeVoice()}, FakeListener(), FakeListener(), EnergyVad(), HashEmbedder())


def brief_for(
    task: Task, run: int = 1, seed: int = 7, *, engines: Engines | None = None, voice: str = "fake"
) -> CallerBrief:
    return CallerBrief(
        task, NOW, voice, run, engines or fake_engines(), lambda purpose: stream(seed, f"call-{run}", purpose)
    )


def place_call(
    task: Task,
    greeting: Iterable[Part],
    answer: Answer,
    *,
    settings: CallerSettings | None = None,
    run: int = 1,
    seed: int = 7,
    engines: Engines | None = None,
    voice: str = "fake",
    agent_voice: str = "fake",
) -> FinishedCall:
    async def call() -> FinishedCall:
        line = Line()
        brief = brief_for(task, run, seed, engines=engines, voice=voice)
        agent = TalkingAgent(greeting, answer, brief.engines, agent_voice)
        caller = SimulatedCaller("scripted", settings=settings)
        carrying = asyncio.ensure_future(line.run())
        serving = asyncio.ensure_future(agent.serve(line.platform))
        report = await caller.converse(brief, line.caller)
        await carrying
        serving.cancel()
        return FinishedCall(report, line.result(), tuple(agent.heard))

    return run_virtual(call())


@pytest.fixture(scope="session")
def booking() -> Task:
    return bicycle_pack().task("B-H1")


@pytest.fixture(scope="session")
def price() -> Task:
    return bicycle_pack().task("B-E1")


@pytest.fixture
def call() -> Callable[..., FinishedCall]:
    return place_call


@pytest.fixture
def make_brief() -> Callable[..., CallerBrief]:
    return brief_for
