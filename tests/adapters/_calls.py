"""Sessions of a vendor's adapter on its own twin, with engines that are never wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import attrs
import numpy as np

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS
from offhook.runner.kit import follower_plan
from offhook.sessions import AgentConfig, CallSetup, Session, SessionEvent, ToolEndpoint
from offhook.speech import SpeechStyle
from offhook.streams import stream
from offhook.testing import FakeVoice, fake_engines
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import agent_config
from offhook.twins import Behind, RunningTwin, Script, ScriptDesk, TwinFaults

PACK = bicycle_pack()
AGENT = agent_config(PACK)
NOWHERE = ToolEndpoint("http://127.0.0.1:9/hooks/nobody", "", "token-of-a-call-0123456789")


def call_setup(**options: str) -> CallSetup:
    """A call of the pack's first task; its tools are reached nowhere."""
    return CallSetup(
        "call-1",
        PACK.now,
        lambda purpose: stream(1, "call-1", purpose),
        fake_engines(),
        follower_plan(PACK, PACK.task("B-E1")),
        options=options,
        tools=NOWHERE,
    )


async def greets(desk: ScriptDesk) -> None:
    """The least an agent does."""
    await desk.say(AGENT.greeting)
    await desk.listen()


@asynccontextmanager
async def twinned(
    adapter: Any, script: Script = greets, faults: TwinFaults | None = None
) -> AsyncIterator[tuple[Any, RunningTwin]]:
    """The adapter in the environment of a running twin, and the twin."""
    async with adapter.twin(Behind(call_setup(), script, faults or TwinFaults())) as twin:
        yield adapter.with_environment(twin.environment), twin


async def dialled(adapter: Any, agent: AgentConfig = AGENT, **options: str) -> Session:
    """A session of a deployed agent."""
    deployment = await adapter.deploy(agent)
    session: Session = await adapter.connect(deployment, call_setup(**options))
    return session


@attrs.define(eq=False)
class Listening:
    """Takes a session's events as they come, and sends silence as a line does."""

    session: Session
    events: list[SessionEvent] = attrs.field(factory=list)
    news: asyncio.Event = attrs.field(factory=asyncio.Event)
    tasks: list[asyncio.Task[None]] = attrs.field(factory=list)

    async def __aenter__(self) -> Listening:
        self.tasks = [asyncio.ensure_future(self._read()), asyncio.ensure_future(self._send())]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.session.hang_up()
        await asyncio.wait_for(self.tasks[0], 5)
        self.tasks[1].cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    async def until(self, holds: Callable[[Listening], object], seconds: float = 10.0) -> None:
        """Waits for events; raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not holds(self):
                self.news.clear()
                await self.news.wait()

    async def say(self, text: str) -> None:
        """What the caller says, a frame each 20 ms."""
        samples = FakeVoice().speak(text, SpeechStyle()).samples
        for start in range(0, len(samples) - FRAME_SAMPLES + 1, FRAME_SAMPLES):
            self.session.send_audio(samples[start : start + FRAME_SAMPLES])
            await asyncio.sleep(FRAME_SECONDS)

    async def _read(self) -> None:
        async for event in self.session.events():
            self.events.append(event)
            self.news.set()

    async def _send(self) -> None:
        while True:
            self.session.send_audio(np.zeros(FRAME_SAMPLES, dtype=np.int16))
            await asyncio.sleep(FRAME_SECONDS)
