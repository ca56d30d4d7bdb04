"""Real calls that fail in one known way: a run with stand-in speech, and one fault put into one place."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from offhook.audio import Clip, Samples
from offhook.callers import CallerBrief, CallerReport
from offhook.grading import CallEvidence, Grade
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.line import CallerEnd
from offhook.packs import Pack
from offhook.runner import EngineChoice, RunOptions, carry_out, load_evidence, new_run
from offhook.runner.measured import HostEngines, StoredMeasurements
from offhook.sessions import (
    Adapter,
    AgentConfig,
    CallSetup,
    Capabilities,
    Clear,
    Cost,
    Deployment,
    Ended,
    PlatformRecord,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolResult,
)
from offhook.speech import EngineInfo, Heard, Listener, ListenerHint, SpeechStyle, Voice
from offhook.storage import RunFolder
from offhook.testing import FakeSpeech
from offhook.testing_pack import bicycle_pack
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.desk import MindFactory
from offhook_adapters.reference.minds.follower import make_follower
from offhook_adapters.reference.minds.saboteurs import FAULTS, saboteur
from offhook_caller.caller import SimulatedCaller
from offhook_graders import plugin as graders_plugin

__all__ = [
    "Call",
    "FaultyPlatform",
    "FaultySession",
    "Garbler",
    "Mumbler",
    "SessionFault",
    "StrayingCaller",
    "World",
    "place",
]


@attrs.frozen
class Garbler:
    """A recogniser that takes some words, and some digits, for others."""

    inner: Listener
    words: Mapping[str, str]
    name: str = "garbler"

    @property
    def info(self) -> EngineInfo:
        return self.inner.info

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        heard = self.inner.hear(clip, hint)
        told = " ".join(self.words.get(word.strip(".,?!").casefold(), word) for word in heard.text.split())
        told = told.translate({ord(key): value for key, value in self.words.items() if key.isdigit()})
        return attrs.evolve(heard, text=told, words=())


@attrs.frozen
class Mumbler:
    """A voice whose lines with one of these words in them come out as silence, or as hiss that says
    nothing."""

    inner: Voice
    words: tuple[str, ...]
    silent: bool = False
    name: str = "us-female-heart"
    description: str = "mumbles"

    @property
    def info(self) -> EngineInfo:
        return self.inner.info

    def speak(self, text: str, style: SpeechStyle) -> Clip:
        clip = self.inner.speak(text, style)
        if not any(word in text.casefold() for word in self.words):
            return clip
        level = 0 if self.silent else 3000
        hiss = np.random.default_rng(7).integers(-level, level + 1, len(clip.samples))
        return Clip(hiss.astype(np.int16), clip.rate)


@attrs.frozen
class SessionFault:
    """What goes wrong between a platform and the line, once: ``drops`` ends the session when a tool is asked
    for, ``loses`` answers a tool by itself and never asks the server, ``cuts`` flushes the agent's audio
    after it has begun to say a word, ``stops`` says nothing more from a word on."""

    drops: str = ""
    loses: str = ""
    cuts: str = ""
    stops: str = ""


class FaultySession:
    """A reference session with a fault."""

    def __init__(self, inner: Any, fault: SessionFault) -> None:
        self._inner = inner
        self._fault = fault
        self._mute = False

    def send_audio(self, frame: Samples) -> None:
        self._inner.send_audio(frame)

    async def events(self) -> AsyncIterator[SessionEvent]:
        async for event in self._inner.events():
            text = getattr(event, "text", "").casefold()
            if self._fault.stops and self._fault.stops in text:
                self._mute = True
            if self._mute and not isinstance(event, Ended):
                continue
            if isinstance(event, ToolCall) and event.name == self._fault.drops:
                yield SessionError("gone", "the far end went away", fatal=True)
                yield Ended("platform", "gone")
                return
            if isinstance(event, ToolCall) and event.name == self._fault.loses:
                await self._inner.send_tool_result(ToolResult(event.id, event.name, 200, {"found": True}))
                continue
            yield event
            if self._fault.cuts and type(event).__name__ == "AgentAudio" and self._said_it:
                yield Clear()
            self._said_it = bool(self._fault.cuts) and self._fault.cuts in text

    _said_it = False

    async def send_tool_result(self, result: ToolResult) -> None:
        await self._inner.send_tool_result(result)

    def played(self, seconds: float) -> None:
        self._inner.played(seconds)

    async def hang_up(self) -> None:
        await self._inner.hang_up()

    async def fetch_record(self) -> PlatformRecord:
        record: PlatformRecord = await self._inner.fetch_record()
        return record

    async def fetch_cost(self) -> Cost:
        cost: Cost = await self._inner.fetch_cost()
        return cost


@attrs.frozen
class FaultyPlatform:
    """The reference platform with other ears, another voice or a faulty session of its own."""

    name: str = "faulty"
    make_mind: MindFactory = make_follower
    misheard: Mapping[str, str] = attrs.field(factory=dict)
    mumbled: tuple[str, ...] = ()
    silent: bool = False
    fault: SessionFault | None = None
    transcribes: bool = True

    @property
    def capabilities(self) -> Capabilities:
        return attrs.evolve(self._inner.capabilities, user_transcript=self.transcribes)

    @property
    def _inner(self) -> ReferenceAdapter:
        return ReferenceAdapter(self.name, self.make_mind)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        return await self._inner.deploy(agent)

    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        engines = call.engines
        assert engines is not None
        if self.misheard:
            engines = attrs.evolve(
                engines,
                ears=Garbler(engines.ears, self.misheard),
                careful_ears=Garbler(engines.careful_ears, self.misheard),
            )
        if self.mumbled:
            voices = {
                name: Mumbler(voice, self.mumbled, self.silent) for name, voice in engines.voices.items()
            }
            engines = attrs.evolve(engines, voices=voices)
        session = await self._inner.connect(deployment, attrs.evolve(call, engines=engines))
        return FaultySession(session, self.fault) if self.fault is not None else session

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


@attrs.frozen
class StrayingCaller:
    """The scripted caller, who says at the end of one call that it strayed."""

    inner: SimulatedCaller
    name: str = "straying"
    virtual_time: bool = True

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        report = await self.inner.converse(brief, line)
        return attrs.evolve(report, off_script=("the line of rule proof was owed at 9.00 s and not said",))


class World(FakeSpeech):
    """The plugin: stand-in speech, the bicycle pack, real caller, adapters, graders and reviewers."""

    def __init__(self, *adapters: Adapter, pack: Pack | None = None) -> None:
        self._adapters = adapters
        self._pack = pack or bicycle_pack()

    @hookimpl
    def offhook_adapters(self) -> Sequence[Any]:
        faults = [ReferenceAdapter(f"saboteur-{fault.name}", saboteur(fault)) for fault in FAULTS]
        return [ReferenceAdapter("reference", make_follower), *faults, *self._adapters]

    @hookimpl
    def offhook_callers(self) -> Sequence[Any]:
        caller = SimulatedCaller("scripted")
        return [caller, StrayingCaller(caller)]

    @hookimpl
    def offhook_industries(self) -> Sequence[Pack]:
        return [self._pack]

    @hookimpl
    def offhook_graders(self) -> Sequence[Any]:
        return graders_plugin.offhook_graders()

    @hookimpl
    def offhook_measurers(self) -> Sequence[Any]:
        return graders_plugin.offhook_measurers()

    @hookimpl
    def offhook_reviewers(self) -> Sequence[Any]:
        return graders_plugin.offhook_reviewers()


@attrs.frozen
class Call:
    """One placed call: its grades by name, and its evidence to look at again."""

    grades: Mapping[str, Grade]
    evidence: CallEvidence
    folder: RunFolder

    @property
    def cause(self) -> int:
        return int(self.grades["attribution"].evidence["cause"])

    @property
    def why(self) -> str:
        return self.grades["attribution"].summary

    @property
    def others(self) -> list[Grade]:
        """What a reviewer is given."""
        return [grade for name, grade in sorted(self.grades.items()) if name not in _REVIEWERS]


_REVIEWERS = ("attribution", "failure-filing")

Place = Callable[..., Call]


def place(world: Any, out: Path, *, on: PluginHost | None = None, **options: Any) -> Call:
    """Places one call of the booking task and grades it. ``platform`` is the only other adapter by
    default."""
    host = on or PluginHost()
    assert host.register(world, name="world")
    chosen = {"platform": "faulty", "tasks": ("B-H1",), "engines": EngineChoice(), **options}
    run = new_run(RunOptions(out=out, **chosen), host)
    carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    call_id = max(run.folder.call_ids(), key=lambda name: run.folder.record(name).key.attempt)
    grades = {grade.grader: grade for grade in run.folder.grades(call_id)}
    measurements = StoredMeasurements(run.folder, host.measurers(), HostEngines(host))
    return Call(grades, load_evidence(run.folder, call_id, host.packs(), measurements), run.folder)
