"""Calls to Pipecat's own pipeline over a line, in virtual or real time, with engines that are never wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import attrs
import uvicorn

from offhook.line import Line, LineTapes
from offhook.runner.kit import follower_plan
from offhook.sessions import (
    Adapter,
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    CallSetup,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    Session,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolResult,
)
from offhook.speech import SpeechStyle
from offhook.streams import stream
from offhook.testing import FakeVoice, fake_engines
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import agent_config

PACK = bicycle_pack()
AGENT = agent_config(PACK)
PATIENCE = 40.0
Talk = Callable[["Live"], Awaitable[None]]
Answer = Callable[[ToolCall], ToolResult]


def setup(seed: int = 1, **options: str) -> CallSetup:
    return CallSetup(
        "call-1",
        PACK.now,
        lambda purpose: stream(seed, "call-1", purpose),
        fake_engines(),
        follower_plan(PACK, PACK.task("B-E1")),
        options,
    )


def accepted(call: ToolCall) -> ToolResult:
    return ToolResult(call.id, call.name, 200, {"done": True})


@attrs.define(eq=False)
class Live:
    """A call from the caller's end."""

    line: Line
    session: Session
    said: list[str] = attrs.field(factory=list)
    news: asyncio.Event = attrs.field(factory=asyncio.Event)
    sound: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def hears(self, text: str) -> None:
        """Waits until the agent has said something with ``text`` in it, to its end."""
        while not any(text.lower() in said.lower() for said in self.said):
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), PATIENCE)
        await self.line.platform.playout.drained()

    async def speaks(self) -> None:
        """Waits for the agent's first sound."""
        await asyncio.wait_for(self.sound.wait(), PATIENCE)

    async def say(self, text: str) -> None:
        await self.line.caller.say(FakeVoice().speak(text, SpeechStyle()))


@attrs.frozen(eq=False)
class Held:
    """What happened; ``times`` has the loop's time of each event."""

    events: tuple[SessionEvent, ...]
    times: tuple[float, ...]
    tapes: LineTapes
    record: PlatformRecord
    cost: Cost

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def ended(self) -> Ended:
        (ended,) = self.of(Ended)
        assert isinstance(ended, Ended)
        return ended

    @property
    def said(self) -> list[str]:
        return [event.text for event in self.of(AgentTranscript)]

    @property
    def errors(self) -> list[SessionError]:
        return self.of(SessionError)


async def hold(
    adapter: Adapter,
    talk: Talk,
    *,
    call: CallSetup | None = None,
    agent: AgentConfig = AGENT,
    answer: Answer = accepted,
) -> Held:
    """Holds one call. The caller hangs up when ``talk`` returns, or when the agent has."""
    session = await adapter.connect(await adapter.deploy(agent), call or setup())
    line = Line()
    line.platform.on_frame(lambda frame, began: session.send_audio(frame))
    live = Live(line, session)
    events: list[SessionEvent] = []
    times: list[float] = []

    async def pump() -> None:
        async for event in session.events():
            events.append(event)
            times.append(asyncio.get_running_loop().time())
            match event:
                case AgentAudio(samples, rate):
                    line.platform.playout.push(samples, rate)
                    live.sound.set()
                case Clear():
                    session.played(line.platform.playout.clear().utterance_played)
                case AgentTranscript(text):
                    live.said.append(text)
                    live.news.set()
                case ToolCall():
                    await session.send_tool_result(answer(event))
                case _:
                    pass
        await line.platform.playout.drained()

    running = asyncio.create_task(line.run())
    pumping = asyncio.create_task(pump())
    talking = asyncio.ensure_future(talk(live))
    await asyncio.wait({talking, pumping}, return_when=asyncio.FIRST_COMPLETED)
    line.caller.hang_up()
    await running
    await session.hang_up()
    await asyncio.wait_for(pumping, PATIENCE)
    talking.cancel()
    await asyncio.gather(talking, return_exceptions=True)
    return Held(
        tuple(events),
        tuple(times),
        line.result(),
        await session.fetch_record(),
        await session.fetch_cost(),
    )


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[str]:
    """An ASGI app on a free port of 127.0.0.1, and its base URL."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", lifespan="off"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.wait({serving}, timeout=0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await serving
