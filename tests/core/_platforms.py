"""A platform around any session, for sessions that misbehave in one place each, and hosts that have it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.hooks import hookimpl
from offhook.host import PluginHost
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
from offhook.testing import FakeVoice
from tests.core._integrators import World, world_host
from tests.core._runs import Placed, placed

__all__ = ["LONE", "ODD", "Platform", "Quiet", "Talking", "host_of", "odd_host", "odd_run"]

LONE: Final = "\ud800"
ODD: Final[Any] = None  # a value of a type that no annotation allows


class Quiet:
    """Takes the call, tells ``events`` and never says anything. Subclasses misbehave in one place each."""

    def __init__(self, *events: Any) -> None:
        self.told: list[Any] = [Ready(), *events]
        self.results: list[ToolResult] = []
        self.hung_up = 0
        self.over = asyncio.Event()

    def send_audio(self, frame: Any) -> None:
        """Heard, and ignored."""

    async def events(self) -> AsyncIterator[SessionEvent]:
        for event in self.told:
            yield event
        await self.over.wait()
        yield Ended("caller")

    async def send_tool_result(self, result: ToolResult) -> None:
        self.results.append(result)

    def played(self, seconds: float) -> None:
        """Nothing is ever cut off."""

    async def hang_up(self) -> None:
        self.hung_up += 1
        self.over.set()

    async def fetch_record(self) -> Any:
        return PlatformRecord()

    async def fetch_cost(self) -> Any:
        return Cost(0.02, "reported")


class Talking(Quiet):
    """Says hello, tells ``events`` and ends the call."""

    def __init__(self, *events: Any, ends: bool = True) -> None:
        clip = FakeVoice().speak("Hello, this is Fernhill.", SpeechStyle())
        hello = (AgentTranscript("Hello, this is Fernhill."), AgentAudio(clip.samples, clip.rate))
        super().__init__(*hello, *events, *([Ended("agent")] if ends else []))


@attrs.frozen
class Platform:
    """An adapter around any session. ``deploying`` and ``connecting`` are raised where given; without
    ``deployed`` it returns no deployment.
    """

    session: Callable[[], Any]
    name: str = "odd"
    deploying: Exception | None = None
    connecting: Exception | None = None
    deployed: bool = True

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(virtual_time=True, record=True, cost=True)

    async def deploy(self, agent: AgentConfig) -> Any:
        if self.deploying is not None:
            raise self.deploying
        return Deployment(self.name, "odd:1", agent, agent.sha256) if self.deployed else None

    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        if self.connecting is not None:
            raise self.connecting
        return self.session()

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


@attrs.frozen(eq=False)
class Brought:
    """A plugin with more platforms and callers."""

    adapters: tuple[Adapter, ...]
    callers: tuple[Any, ...]

    @hookimpl
    def offhook_adapters(self) -> Sequence[Adapter]:
        return self.adapters

    @hookimpl
    def offhook_callers(self) -> Sequence[Any]:
        return self.callers


def host_of(*adapters: Adapter, callers: Sequence[Any] = (), more: Sequence[object] = ()) -> PluginHost:
    """The integrators' world, with these beside what it has."""
    return world_host(Brought(adapters, tuple(callers)), *more)


class OddWorld(World):
    """The integrators' world with one platform and with these graders only."""

    def __init__(self, adapter: Adapter, graders: Sequence[Any]) -> None:
        self._adapter = adapter
        self._graders = graders

    @hookimpl
    def offhook_adapters(self) -> Sequence[Adapter]:
        return [self._adapter]

    @hookimpl
    def offhook_graders(self) -> Sequence[Any]:
        return self._graders


def odd_host(session: Callable[[], Any] = Talking, *graders: Any, deployed: bool = True) -> PluginHost:
    host = PluginHost()
    assert host.register(OddWorld(Platform(session, deployed=deployed), graders), name="odd-world")
    return host


def odd_run(
    folder: Path, session: Callable[[], Any] = Talking, *graders: Any, deployed: bool = True
) -> Placed:
    """A call with such a session."""
    return placed(folder, odd_host(session, *graders, deployed=deployed), "odd")
