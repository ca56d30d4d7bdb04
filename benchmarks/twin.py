"""``twin_overhead_p99_ms`` and ``twin_connect_20_s``: what the OpenAI Realtime adapter adds to the vendor's
SDK, with twenty sessions at once against the loopback twin.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import multiprocessing
import secrets
import time
from collections import deque
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Any, Final

import attrs
import numpy as np
from openai import AsyncOpenAI

from benchmarks._row import BenchRow, print_rows
from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS
from offhook.clock import deadline_ticker, run_real
from offhook.sessions import AgentAudio, AgentConfig, CallSetup, Engines
from offhook.streams import stream
from offhook.testing import EnergyVad, FakeListener, FakeVoice, HashEmbedder
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import agent_config
from offhook_adapters.openai_realtime.config import settings_from
from offhook_adapters.openai_realtime.session import OpenAIRealtimeSession
from offhook_adapters.openai_realtime.twin import Twin
from offhook_adapters.reference.minds.desk import Desk
from offhook_adapters.twins.agent import TwinAgent

_SESSIONS: Final = 20
_SECONDS: Final = 12.0
_LINE_SECONDS: Final = 4.0
_LINE: Final = "We carry road, touring and cargo bicycles in every size from small to very large. "


@attrs.frozen
class _Talker:
    """An agent that goes on talking: each line is sent in one burst and takes some seconds to be heard. As
    on real calls, no two agents begin at once.
    """

    wait: float

    async def converse(self, desk: Desk) -> None:
        await asyncio.sleep(self.wait)
        while True:
            await desk.say(_LINE)
            await asyncio.sleep(_LINE_SECONDS)


class _Stamped:
    """The SDK's connection, which notes when it handed out a piece of sound and when it was given one."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.handed_out: deque[float] = deque()
        self.given: deque[float] = deque()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    async def recv(self) -> Any:
        event = await self._connection.recv()
        if event.type == "response.output_audio.delta":
            self.handed_out.append(time.perf_counter())
        return event

    async def send(self, event: Mapping[str, Any]) -> None:
        if event["type"] == "input_audio_buffer.append":
            self.given.append(time.perf_counter())
        await self._connection.send(event)


@attrs.frozen(eq=False)
class _Measured:
    """Seconds: from the SDK's event to the line's, from a frame to the SDK, and to connect them all."""

    inward: list[float]
    outward: list[float]
    connecting: float


async def _session(agent: AgentConfig, base_url: str, key: str) -> tuple[OpenAIRealtimeSession, _Stamped]:
    settings = settings_from({"base_url": base_url})
    client = AsyncOpenAI(api_key=key, base_url=base_url)
    stamped = _Stamped(await client.realtime.connect(model=settings.model).enter())
    await client.close()
    session = OpenAIRealtimeSession(stamped, settings, key=key, patience=60)  # type: ignore[arg-type]
    await session.open(agent)
    return session, stamped


async def _hear(session: OpenAIRealtimeSession, stamped: _Stamped, taken: list[float]) -> None:
    async for event in session.events():
        now = time.perf_counter()
        if isinstance(event, AgentAudio):
            taken.append(now - stamped.handed_out.popleft())


async def _talk(session: OpenAIRealtimeSession, stamped: _Stamped, phase: float, taken: list[float]) -> None:
    """A frame each 20 ms, silent, so that nobody is interrupted. Each is sent by itself unless the SDK is
    busy, so a frame that waited for its neighbour counts with its wait.
    """
    silent = np.zeros(FRAME_SAMPLES, dtype=np.int16)
    start = asyncio.get_running_loop().time() + phase
    async for tick in deadline_ticker(FRAME_SECONDS, start=start):
        if tick.index * FRAME_SECONDS >= _SECONDS:
            return
        before = time.perf_counter()
        session.send_audio(silent)
        await asyncio.sleep(0)
        while stamped.given:
            taken.append(stamped.given.popleft() - before)


def _call() -> CallSetup:
    engines = Engines({"fake": FakeVoice()}, FakeListener(), FakeListener(), EnergyVad(), HashEmbedder())
    return CallSetup("call-1", bicycle_pack().now, functools.partial(stream, 1, "call-1"), engines)


def _serve(pipe: Connection, key: str) -> None:
    """The twin, in a process of its own as a vendor would be, until the pipe says so."""

    waits = itertools.cycle(_LINE_SECONDS * index / _SESSIONS for index in range(_SESSIONS))

    async def serve() -> None:
        async with Twin(TwinAgent(_call(), lambda config, setup: _Talker(next(waits))), key=key) as twin:
            pipe.send(twin.base_url)
            await asyncio.to_thread(pipe.recv)

    run_real(serve())


async def _measured(base_url: str, key: str) -> _Measured:
    agent = attrs.evolve(agent_config(bicycle_pack()), greeting="Hello.")
    began = time.perf_counter()
    sessions = await asyncio.gather(*(_session(agent, base_url, key) for _ in range(_SESSIONS)))
    connecting = time.perf_counter() - began
    inward: list[float] = []
    outward: list[float] = []
    hearing = [asyncio.create_task(_hear(*session, inward)) for session in sessions]
    phases = [FRAME_SECONDS * index / _SESSIONS for index in range(_SESSIONS)]
    await asyncio.gather(
        *(_talk(*session, phase, outward) for session, phase in zip(sessions, phases, strict=True))
    )
    await asyncio.gather(*(session.hang_up() for session, _ in sessions))
    await asyncio.gather(*hearing)
    return _Measured(inward, outward, connecting)


def _against_twin() -> _Measured:
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    key = secrets.token_urlsafe(16)
    process = spawn.Process(target=_serve, args=(theirs, key))
    process.start()
    try:
        return run_real(_measured(ours.recv(), key))
    finally:
        ours.send(None)
        process.join()


def run() -> list[BenchRow]:
    """Connects, then talks and listens for some seconds."""
    held = _against_twin()
    if len(held.inward) < _SESSIONS or len(held.outward) < _SESSIONS:
        raise RuntimeError("the twin did not talk, or took no sound")
    inward, outward = (1000 * float(np.percentile(values, 99)) for values in (held.inward, held.outward))
    how = (
        f"{_SESSIONS} sessions at once for {_SECONDS:.0f} s, the twin in a process of its own; p99 from the "
        f"SDK's event to the line's {inward:.2f} ms over {len(held.inward)} pieces, from a frame to the SDK "
        f"{outward:.2f} ms over {len(held.outward)} frames; the figure is the larger"
    )
    return [
        BenchRow("twin_overhead_p99_ms", round(max(inward, outward), 2), "ms", "<= 2", how),
        BenchRow(
            "twin_connect_20_s",
            round(held.connecting, 2),
            "s",
            "<= 2",
            "socket, session, prompt and tools accepted, all at once, the twin in a process of its own",
        ),
    ]


if __name__ == "__main__":
    print_rows(run())
