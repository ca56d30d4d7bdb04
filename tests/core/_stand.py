"""A plugin with everything that a run in real time needs, on calls that last about a second: real lines, tool
server and graders, with stand-ins for the speech engines. ``installed`` makes worker processes find it too.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.audio import Samples
from offhook.callers import AgentHeard, CallerBrief, CallerReport, CallerTurn
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.line import CallerEnd
from offhook.packs import Pack
from offhook.platforms import PlatformUnusable
from offhook.sessions import (
    Adapter,
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    CallSetup,
    Capabilities,
    Cost,
    Deployment,
    Ended,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
)
from offhook.speech import SpeechStyle
from offhook.testing import FakeSpeech, FakeVoice
from offhook.testing_pack import bicycle_pack
from offhook_graders.plugin import offhook_graders as first_party_graders

__all__ = [
    "BriefSession",
    "RealTimePlatform",
    "Stand",
    "StickySession",
    "Terse",
    "installed",
    "stand_host",
]

MENDED: Final = "OFFHOOK_TEST_MENDED"


class BriefSession:
    """Takes a call, greets the caller once it has been heard for a moment, and is hung up on."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[SessionEvent] = asyncio.Queue()
        self._queue.put_nowait(Ready())
        self.frames = 0

    def send_audio(self, frame: Samples) -> None:
        self.frames += 1
        if self.frames == 20:
            clip = FakeVoice().speak("Hello.", SpeechStyle())
            self._queue.put_nowait(AgentTranscript("Hello."))
            self._queue.put_nowait(AgentAudio(clip.samples, clip.rate))

    async def events(self) -> AsyncIterator[SessionEvent]:
        while True:
            event = await self._queue.get()
            yield event
            if isinstance(event, Ended):
                return

    async def send_tool_result(self, result: ToolResult) -> None:
        """It calls no tools."""

    def played(self, seconds: float) -> None:
        """Nothing is ever cut off."""

    async def hang_up(self) -> None:
        self._queue.put_nowait(Ended("caller"))

    async def fetch_record(self) -> PlatformRecord:
        return PlatformRecord()

    async def fetch_cost(self) -> Cost:
        return Cost()


class StickySession(BriefSession):
    """Holds the loop for 100 ms every 200 ms: every other frame is late, whatever the machine."""

    def send_audio(self, frame: Samples) -> None:
        super().send_audio(frame)
        if self.frames % 10 == 0:
            time.sleep(0.1)


@attrs.frozen
class RealTimePlatform:
    """``deploying`` and ``connecting`` are why it can't be used, until the environment says it is mended."""

    name: str
    session: Callable[[], Any] = BriefSession
    concurrency: int = 8
    deploying: str = ""
    connecting: str = ""
    virtual_time: bool = False

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(virtual_time=self.virtual_time, concurrency=self.concurrency)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        if self.deploying and MENDED not in os.environ:
            raise PlatformUnusable(self.deploying)
        return Deployment(self.name, f"{self.name}:1", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        if self.connecting and MENDED not in os.environ:
            raise PlatformUnusable(self.connecting)
        return self.session()

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


@attrs.frozen
class Terse:
    """Says one sentence, listens until line second ``seconds``, and hangs up."""

    name: str = "terse"
    virtual_time: bool = True
    seconds: float = 1.0

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        sent = await line.say(FakeVoice().speak("Yes.", SpeechStyle()))
        await line.sleep_until(self.seconds)
        turn = CallerTurn("Yes.", "Yes.", sent.start, sent.end, "opening")
        heard = AgentHeard("Hello.", sent.end, self.seconds)
        return CallerReport(turns=(turn,), heard=(heard,), events=(), hung_up_because="satisfied")


@attrs.frozen(eq=False)
class Stand(FakeSpeech):
    """The plugin. Engines carry the default names."""

    adapters: tuple[Adapter, ...] = ()
    callers: tuple[Any, ...] = ()
    graders: tuple[Any, ...] = ()

    @hookimpl
    def offhook_adapters(self) -> Sequence[Adapter]:
        return [
            RealTimePlatform("brief"),
            RealTimePlatform("sticky", StickySession),
            RealTimePlatform("keyless", connecting="the key is refused; set another"),
            RealTimePlatform("unlicensed", deploying="no licence; buy one"),
            *self.adapters,
        ]

    @hookimpl
    def offhook_callers(self) -> Sequence[Any]:
        return [Terse(), *self.callers]

    @hookimpl
    def offhook_industries(self) -> Sequence[Pack]:
        return [bicycle_pack()]

    @hookimpl
    def offhook_graders(self) -> Sequence[Any]:
        return [*first_party_graders(), *self.graders]


PLUGIN: Final = Stand()


def stand_host(*more: object, **parts: Any) -> PluginHost:
    """A host with the stand and ``more`` plugins."""
    host = PluginHost()
    assert host.register(Stand(**parts), name="stand")
    for number, plugin in enumerate(more):
        assert host.register(plugin, name=f"more-{number}")
    return host


def installed(folder: Path, monkeypatch: Any, plugin: str = f"{__name__}:PLUGIN") -> None:
    """Installs the stand, or another plugin, as a distribution of its own, found by this process and those it
    starts.
    """
    info = folder / "offhook_stand-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offhook-stand\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[offhook]\nstand = {plugin}\n")
    monkeypatch.syspath_prepend(str(folder))
