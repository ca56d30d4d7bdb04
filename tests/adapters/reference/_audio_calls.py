"""Audio calls to a reference platform over a real line in virtual time, with engines that are never wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from offhook.audio import Clip
from offhook.line import CallerEnd, Line, LineTapes
from offhook.packs import Pack, Task
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    CallSetup,
    Clear,
    Ended,
    Engines,
    SessionError,
    ToolCall,
    UserTranscript,
)
from offhook.speech import ListenerHint, SpeechStyle
from offhook.testing import EnergyVad, FakeListener, FakeVoice, run_virtual
from offhook.toolserver import ToolServer, agent_config
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.turns import Endpointer, Stopped, TurnSettings

from ._calls import CALL_ID, TOKEN, Reply, engines, setup

Talk = Callable[[CallerEnd, str], Awaitable[None]]
Aside = Callable[[CallerEnd], Awaitable[None]]
_PATIENCE = 60.0


@attrs.frozen
class AudioCall:
    """What happened. ``heard`` are the platform's transcripts of the caller."""

    said: tuple[str, ...]
    heard: tuple[str, ...]
    tools: tuple[tuple[str, Mapping[str, Any], int], ...]
    ended: Ended
    errors: tuple[str, ...]
    tapes: LineTapes

    @property
    def accepted(self) -> tuple[str, ...]:
        return tuple(tool for tool, _, status in self.tools if status < 300)


def spoken(text: str) -> Clip:
    return FakeVoice().speak(text, SpeechStyle())


def speaking(reply: Reply) -> Talk:
    """A caller who answers each agent turn with ``reply``'s words, and keeps quiet where it has none."""

    async def talk(line: CallerEnd, said: str) -> None:
        words = reply(said)
        if words is not None:
            await line.say(spoken(words))

    return talk


def audio_call(
    adapter: ReferenceAdapter,
    pack: Pack,
    task: Task,
    talk: Talk,
    folder: Path,
    *,
    parts: Engines | None = None,
    seed: int = 1,
    aside: Aside | None = None,
) -> AudioCall:
    """Holds a whole call. The caller hangs up after a minute without a word of the agent; ``aside`` is what
    they do besides answering, from the call's start.
    """
    call = attrs.evolve(setup(pack, task, seed=seed), engines=parts or engines())
    return run_virtual(_hold(adapter, pack, call, talk, folder, aside))


async def _hold(
    adapter: ReferenceAdapter, pack: Pack, call: CallSetup, talk: Talk, folder: Path, aside: Aside | None
) -> AudioCall:
    session = await adapter.connect(await adapter.deploy(agent_config(pack)), call)
    line = Line()
    line.platform.on_frame(lambda frame, began: session.send_audio(frame))
    said: list[str] = []
    heard: list[str] = []
    errors: list[str] = []
    tools: list[tuple[str, Mapping[str, Any], int]] = []

    async def pump(server: ToolServer) -> Ended:
        async for event in session.events():
            match event:
                case AgentTranscript(text=text):
                    said.append(text)
                case UserTranscript(text=text):
                    heard.append(text)
                case AgentAudio(samples=samples, rate=rate):
                    line.platform.playout.push(samples, rate)
                case Clear():
                    session.played(line.platform.playout.clear().utterance_played)
                case ToolCall(id=source, name=name, arguments=arguments):
                    result = await server.call(CALL_ID, TOKEN, name, arguments, source)
                    tools.append((name, arguments, result.status))
                    await session.send_tool_result(result)
                case SessionError(message=message):
                    errors.append(message)
                case Ended():
                    await line.platform.playout.drained()
                    line.platform.hang_up()
                    return event
                case _:
                    pass
        return Ended("nobody")

    with ToolServer(pack, folder, clock=lambda: line.now) as server:
        server.open_call(CALL_ID, TOKEN)
        running = asyncio.create_task(line.run())
        pumping = asyncio.create_task(pump(server))
        caller = asyncio.create_task(_converse(line.caller, talk))
        besides = asyncio.ensure_future(aside(line.caller)) if aside else None
        await line.ended()
        await session.hang_up()
        ended = await pumping
        await running
        caller.cancel()
        if besides is not None:
            await besides
    return AudioCall(tuple(said), tuple(heard), tuple(tools), ended, tuple(errors), line.result())


async def _converse(line: CallerEnd, talk: Talk) -> None:
    """Hears the agent's turns one by one; a turn is over after 0.9 s of silence."""
    activity = EnergyVad().open()
    endpointer = Endpointer(TurnSettings(hangover=0.9, release=0.5))
    turns: asyncio.Queue[Clip] = asyncio.Queue()

    def listen(frame: Any, began: float) -> None:
        edge = endpointer.push(frame, activity.push(frame), began)
        if isinstance(edge, Stopped):
            turns.put_nowait(edge.clip)

    line.on_frame(listen)
    while True:
        try:
            clip = await asyncio.wait_for(turns.get(), _PATIENCE)
        except TimeoutError:
            line.hang_up()
            return
        await talk(line, FakeListener().hear(clip, ListenerHint()).text)
