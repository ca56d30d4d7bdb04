"""Whole calls held as a run holds them: a line, a tool server, and any vendor's adapter on its own twin."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from offhook.line import Line, LineTapes
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    Session,
    SessionError,
    SessionEvent,
    ToolCall,
    TranscriptKind,
)
from offhook.speech import SpeechStyle
from offhook.testing import FakeVoice
from offhook.toolserver import ToolServer
from offhook.twins import Behind, Script, TwinFaults
from offhook_adapters.twins.adapter import VendorAdapter

from ._calls import AGENT, PACK, call_setup

Talk = Callable[["Live"], Awaitable[None]]


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
    arrived: AgentConfig | None
    tapes: LineTapes
    record: PlatformRecord
    cost: Cost
    key: str

    @property
    def ended(self) -> Ended:
        (ended,) = self.of(Ended)
        assert isinstance(ended, Ended)
        return ended

    @property
    def errors(self) -> list[str]:
        return [event.code for event in self.of(SessionError)]

    @property
    def said(self) -> list[str]:
        """The agent's final words."""
        return [event.text for event in self.of(AgentTranscript) if event.kind is TranscriptKind.FINAL]

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


async def hold(
    adapter: VendorAdapter,
    talk: Talk,
    folder: Path,
    *,
    script: Script | None = None,
    faults: TwinFaults | None = None,
    config: AgentConfig = AGENT,
    **options: str,
) -> Held:
    """Holds one call in real time. The caller hangs up when ``talk`` returns, or at the latest after 40 s.
    Without a script the policy follower answers.
    """
    behind = Behind(call_setup(), script, faults or TwinFaults())
    async with adapter.twin(behind) as twin:
        vendor = adapter.with_environment(twin.environment)
        deployment = await vendor.deploy(config)
        call = attrs.evolve(call_setup(**options), plan=None, engines=None)
        session = await vendor.connect(deployment, call)
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
        record, cost = await session.fetch_record(), await session.fetch_cost()
        await vendor.teardown(deployment)
        return Held(
            tuple(events),
            tuple(tools),
            tuple(twin.received),
            tuple(twin.sent),
            twin.arrived,
            line.result(),
            record,
            cost,
            twin.key,
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
