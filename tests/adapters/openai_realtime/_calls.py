"""Calls over a real socket: the adapter at one end, a twin with engines that are never wrong at the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from offhook.line import Line, LineTapes
from offhook.packs import Task
from offhook.runner.kit import follower_plan
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    CallSetup,
    Clear,
    Cost,
    Ended,
    Engines,
    PlatformRecord,
    Session,
    SessionError,
    SessionEvent,
    ToolCall,
    TranscriptKind,
)
from offhook.speech import SpeechStyle
from offhook.streams import stream
from offhook.testing import EnergyVad, FakeListener, FakeVoice, HashEmbedder
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ToolServer, agent_config
from offhook.twins import TwinFaults
from offhook_adapters.openai_realtime.adapter import OpenAIRealtimeAdapter
from offhook_adapters.openai_realtime.twin import Twin
from offhook_adapters.reference.minds.desk import Desk, Mind
from offhook_adapters.reference.minds.follower import make_follower
from offhook_adapters.twins.agent import TwinAgent

KEY = "sk-test-0123456789abcdef"
PACK = bicycle_pack()
PRICE = PACK.task("B-E1")
AGENT = agent_config(PACK)
Talk = Callable[["Live"], Awaitable[None]]
Converse = Callable[[Desk], Awaitable[None]]


def engines() -> Engines:
    return Engines({"fake": FakeVoice()}, FakeListener(), FakeListener(), EnergyVad(), HashEmbedder())


def setup(task: Task = PRICE) -> CallSetup:
    return CallSetup(
        "call-1",
        PACK.now,
        lambda purpose: stream(1, "call-1", purpose),
        engines(),
        follower_plan(PACK, task),
    )


@attrs.frozen
class Scripted:
    """A mind that does what a function does at its desk."""

    script: Converse

    async def converse(self, desk: Desk) -> None:
        await self.script(desk)


def minds(script: Converse | None) -> Callable[[AgentConfig, CallSetup], Mind]:
    return make_follower if script is None else lambda agent, call: Scripted(script)


@attrs.define(eq=False)
class Live:
    """A call from the caller's end."""

    line: Line
    said: list[str] = attrs.field(factory=list)
    news: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def hears(self, text: str) -> None:
        """Waits until the agent has said something with ``text`` in it, to its end."""
        while not any(text.lower() in said.lower() for said in self.said):
            self.news.clear()
            await self.news.wait()
        await self.line.platform.playout.drained()

    async def say(self, text: str) -> None:
        await self.line.caller.say(FakeVoice().speak(text, SpeechStyle()))


@attrs.frozen(eq=False)
class Held:
    """What happened. ``received`` and ``sent`` are the twin's; ``tools`` what reached the tool server."""

    events: tuple[SessionEvent, ...]
    tools: tuple[tuple[str, Mapping[str, Any] | str, str], ...]
    received: tuple[Mapping[str, Any], ...]
    sent: tuple[Mapping[str, Any], ...]
    tapes: LineTapes
    record: PlatformRecord
    cost: Cost
    base_url: str

    @property
    def ended(self) -> Ended:
        (ended,) = [event for event in self.events if isinstance(event, Ended)]
        return ended

    @property
    def errors(self) -> list[str]:
        return [event.code for event in self.events if isinstance(event, SessionError)]

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def asked(self, kind: str) -> list[Mapping[str, Any]]:
        """The client's messages of one type."""
        return [event for event in self.received if event["type"] == kind]

    def told(self, kind: str) -> list[Mapping[str, Any]]:
        """The twin's events of one type."""
        return [event for event in self.sent if event["type"] == kind]


Place = Callable[[TwinAgent, TwinFaults | None], Any]


def openai_twin(agent: TwinAgent, faults: TwinFaults | None) -> Twin:
    return Twin(agent, key=KEY, faults=faults)


async def hold(
    talk: Talk,
    folder: Path,
    *,
    script: Converse | None = None,
    faults: TwinFaults | None = None,
    patience: float = 15.0,
    config: AgentConfig = AGENT,
    adapter: Any = None,
    place: Place = openai_twin,
    **options: str,
) -> Held:
    """Holds one call in real time. The caller hangs up when ``talk`` returns, or at the latest after 40 s."""
    agent = TwinAgent(setup(), minds(script))
    async with place(agent, faults) as twin:
        bound = attrs.evolve(adapter or OpenAIRealtimeAdapter(), patience=patience).with_environment(
            twin.environment
        )
        session = await bound.connect(await bound.deploy(config), attrs.evolve(setup(), options=options))
        line = Line()
        line.platform.on_frame(lambda frame, began: session.send_audio(frame))
        live, tools, events = Live(line), [], []  # type: ignore[var-annotated]
        with ToolServer(PACK, folder, clock=lambda: line.now) as server:
            server.open_call("call-1", "secret")
            running = asyncio.create_task(line.run())
            pumping = asyncio.create_task(_pump(session, server, live, tools, events))
            talking = asyncio.ensure_future(talk(live))
            await asyncio.wait({talking, pumping}, timeout=40, return_when=asyncio.FIRST_COMPLETED)
            line.caller.hang_up()
            await running
            await asyncio.wait_for(session.hang_up(), 5)
            await session.hang_up()
            await asyncio.wait_for(pumping, 5)
            talking.cancel()
        return Held(
            tuple(events),
            tuple(tools),
            tuple(twin.received),
            tuple(twin.sent),
            line.result(),
            await session.fetch_record(),
            await session.fetch_cost(),
            next(url for name, url in twin.environment.items() if name.endswith("_BASE_URL")),
        )


async def _pump(
    session: Session,
    server: ToolServer,
    live: Live,
    tools: list[tuple[str, Mapping[str, Any] | str, str]],
    events: list[SessionEvent],
) -> None:
    forwards: list[asyncio.Task[None]] = []

    async def forward(call: ToolCall) -> None:
        result = await server.call("call-1", "secret", call.name, call.arguments, call.id)
        await session.send_tool_result(result)

    async for event in session.events():
        events.append(event)
        match event:
            case AgentAudio(samples, rate):
                live.line.platform.playout.push(samples, rate)
            case AgentTranscript(text, kind) if kind is TranscriptKind.FINAL:
                live.said.append(text)
                live.news.set()
            case Clear():
                session.played(live.line.platform.playout.clear().utterance_played)
            case ToolCall(source, name, arguments):
                tools.append((name, arguments, source))
                forwards.append(asyncio.create_task(forward(event)))
            case _:
                pass
    await live.line.platform.playout.drained()
    await asyncio.gather(*forwards)
