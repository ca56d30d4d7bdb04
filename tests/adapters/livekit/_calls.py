"""Calls to LiveKit in virtual time, with engines that are never wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import numpy as np

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, frames_of
from offhook.clock import deadline_ticker, run_virtual
from offhook.sessions import AgentConfig, CallSetup, Session, SessionEvent, ToolCall, ToolResult
from offhook.speech import SpeechStyle
from offhook.testing import FakeVoice
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import agent_config
from offhook.twins import Behind, Script
from offhook_adapters.livekit.adapter import LiveKitAdapter
from tests.adapters.reference._calls import setup

PACK = bicycle_pack()
PRICE = PACK.task("B-E1")
BOOKING = PACK.task("B-H1")
AGENT = agent_config(PACK)
BOOKING_ANSWERS = (
    ("anything else", "That's everything, thank you. Bye."),
    ("how can i help", "Hi, I'd like to bring my bike in for a brake overhaul."),
    ("full name", "Nadia Okafor, 541-555-0148."),
    ("zip code", "ZIP 97405, and the frame number ends in 7730."),
    ("shall i book", "Yes, please book it for sixty-four dollars."),
    ("mechanic", "Please note that the rear brake squeals in the rain."),
)


def call_setup(**changed: Any) -> CallSetup:
    return attrs.evolve(setup(PACK, PRICE), **changed)


@attrs.define(eq=False)
class Live:
    """A session from the line's end: frames go in all the time, events are kept with their times."""

    session: Session
    events: list[tuple[float, SessionEvent]] = attrs.field(factory=list)
    _words: asyncio.Queue[Any] = attrs.field(factory=asyncio.Queue)

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for _, event in self.events if isinstance(event, kind)]

    async def say(self, text: str) -> None:
        """Returns when all of it has been said."""
        for frame in frames_of(FakeVoice().speak(text, SpeechStyle())):
            self._words.put_nowait(frame)
        await self.until(self._words.empty)

    async def until(self, holds: Callable[[], object], seconds: float = 30.0) -> None:
        async with asyncio.timeout(seconds):
            async for _ in deadline_ticker(FRAME_SECONDS):
                if holds():
                    return

    async def run(self, quiet: Any) -> None:
        async for _ in deadline_ticker(FRAME_SECONDS):
            self.session.send_audio(quiet if self._words.empty() else self._words.get_nowait())

    async def pump(self) -> None:
        async for event in self.session.events():
            self.events.append((asyncio.get_running_loop().time(), event))
            if isinstance(event, ToolCall):
                body = {"price": 5} if event.name != "paint_frame" else {"error": {"code": "unknown_tool"}}
                status = 200 if event.name != "paint_frame" else 404
                await self.session.send_tool_result(ToolResult(event.id, event.name, status, body))


Talk = Callable[[Live], Awaitable[None]]


async def hold(session: Session, talk: Talk) -> Live:
    """Talks, hangs up, and returns what was told."""
    live = Live(session)
    running = asyncio.create_task(live.run(np.zeros(FRAME_SAMPLES, np.int16)))
    pumping = asyncio.create_task(live.pump())
    try:
        await talk(live)
    finally:
        await session.hang_up()
        running.cancel()
        await pumping
    return live


def scripted(script: Script, talk: Talk, *, config: AgentConfig = AGENT, **changed: Any) -> tuple[Live, Any]:
    """One call in virtual time with ``script`` behind it, and the twin it was behind."""

    async def run() -> tuple[Live, Any]:
        adapter = LiveKitAdapter()
        call = call_setup(**changed)
        async with adapter.twin(Behind(call, script)) as twin:
            placed = adapter.with_environment(twin.environment)
            session = await placed.connect(await placed.deploy(config), call)
            return await hold(session, talk), twin

    return run_virtual(run())
