"""Text calls to a reference platform with a real tool server behind it, for tests."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from offhook.packs import Pack, Task
from offhook.runner.kit import follower_plan
from offhook.sessions import (
    AgentTranscript,
    CallSetup,
    Ended,
    Engines,
    FollowerPlan,
    SessionError,
    ToolCall,
)
from offhook.streams import stream
from offhook.testing import EnergyVad, FakeListener, FakeVoice, HashEmbedder, run_virtual
from offhook.textline import TextLine
from offhook.toolserver import ToolServer, agent_config
from offhook_adapters.reference.adapter import ReferenceAdapter

CALL_ID = "call-1"
TOKEN = "secret"
Reply = Callable[[str], str | None]


@attrs.frozen
class TextCall:
    """What happened: ``said`` by the agent, the tool server's log, and how the session ended."""

    said: tuple[str, ...]
    tools: tuple[tuple[str, Mapping[str, Any], int], ...]
    ended: Ended
    errors: tuple[str, ...]
    log: tuple[Any, ...]

    @property
    def accepted(self) -> tuple[str, ...]:
        return tuple(tool for tool, _, status in self.tools if status < 300)


def engines() -> Engines:
    """Engines that are never wrong and need no weights."""
    return Engines({"fake": FakeVoice()}, FakeListener(), FakeListener(), EnergyVad(), HashEmbedder())


def setup(pack: Pack, task: Task, *, plan: FollowerPlan | None = None, seed: int = 1) -> CallSetup:
    return CallSetup(
        CALL_ID,
        pack.now,
        lambda purpose: stream(seed, CALL_ID, purpose),
        engines(),
        plan or follower_plan(pack, task),
    )


def answers(rules: Sequence[tuple[str, str]]) -> Reply:
    """Answers by the first key that is part of what the agent said; silent if none is."""

    def reply(said: str) -> str | None:
        return next((line for key, line in rules if key.lower() in said.lower()), None)

    return reply


def in_turn(*lines: str) -> Reply:
    """Answers in this order whatever is said, then stays silent."""
    left = itertools.chain(lines, itertools.repeat(None))
    return lambda said: next(left)


def text_call(
    adapter: ReferenceAdapter,
    pack: Pack,
    task: Task,
    reply: Reply,
    folder: Path,
    *,
    plan: FollowerPlan | None = None,
) -> TextCall:
    """Holds a whole call in virtual time. The caller hangs up after two minutes of silence."""
    return run_virtual(_hold(adapter, pack, setup(pack, task, plan=plan), reply, folder))


async def _hold(
    adapter: ReferenceAdapter, pack: Pack, call: CallSetup, reply: Reply, folder: Path
) -> TextCall:
    deployment = await adapter.deploy(agent_config(pack))
    session = await adapter.connect_text(deployment, call)
    line = TextLine()
    line.attach(session)
    said: list[str] = []
    tools: list[tuple[str, Mapping[str, Any], int]] = []
    errors: list[str] = []

    async def pump(server: ToolServer) -> Ended:
        ended = Ended("nobody")
        async for event in session.events():
            match event:
                case AgentTranscript(text=text):
                    said.append(text)
                    line.agent_said(text)
                case ToolCall(id=source, name=name, arguments=arguments):
                    result = await server.call(CALL_ID, TOKEN, name, arguments, source)
                    tools.append((name, arguments, result.status))
                    await session.send_tool_result(result)
                case SessionError(message=message):
                    errors.append(message)
                case Ended():
                    ended = event
                    line.end(event.by)
                case _:
                    pass
        return ended

    with ToolServer(pack, folder, clock=lambda: line.now) as server:
        server.open_call(CALL_ID, TOKEN)
        pumping = asyncio.create_task(pump(server))
        while (heard := await line.caller.hear(120)) is not None:
            words = reply(heard.text)
            if words is not None:
                await line.caller.say(words)
        await session.hang_up()
        ended = await pumping
        log = server.freeze(CALL_ID).log
    return TextCall(tuple(said), tuple(tools), ended, tuple(errors), log)
