"""``adapter_overhead_p99_ms_*`` and ``connect_20_s_*`` of every vendor's adapter: what it adds to the
vendor's SDK, and how long twenty calls take to connect at once. Each vendor's twin runs on loopback in a
process of its own, as a vendor would, and each adapter in one that has loaded nothing before.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import multiprocessing
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, Final

import attrs
import numpy as np

from benchmarks._handing import Handing, Moment, noted
from benchmarks._row import BenchRow, print_rows
from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, Samples
from offhook.clock import deadline_ticker, run_real
from offhook.host import PluginHost
from offhook.sessions import AgentAudio, CallSetup, Greeting, Session, ToolEndpoint
from offhook.speech import SpeechStyle
from offhook.streams import stream
from offhook.testing import FakeVoice, fake_engines
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import agent_config
from offhook.twins import Behind, ScriptDesk

_CALLS: Final = 20
_SECONDS: Final = 20.0
# The first caller waits for the greeting to be over. As on real calls, no two speak at once.
_FIRST_OPENS: Final = 1.5
# A caller speaks that often; the agent has answered by then.
_TURN_SECONDS: Final = 7.0
_MOST_TURNS: Final = 10
_GREETING: Final = "Hello."
_ASKED: Final = "Which bicycles?"
_ANSWER: Final = "We carry road, touring and cargo bicycles. Every size is in stock."


@attrs.frozen
class _Wire:
    """``handed_out`` is what gives the adapter ``what``; ``passed_on`` is where another of its tasks goes on
    with it.
    """

    adapter: str
    what: str
    handed_out: str
    passed_on: str = ""


_WIRES: Final = (
    _Wire(
        "openai-realtime",
        "an event of its SDK",
        "openai.resources.realtime.realtime:AsyncRealtimeConnection.recv",
    ),
    _Wire("xai", "an event of its SDK", "openai.resources.realtime.realtime:AsyncRealtimeConnection.recv"),
    _Wire("gpt-live", "an event of its SDK", "openai.resources.live.live:AsyncLiveConnection.recv"),
    _Wire("gemini-live", "a message of its SDK", "google.genai.live:AsyncSession._receive"),
    _Wire("elevenlabs", "a text frame of its socket", "websockets.asyncio.connection:Connection.recv"),
    _Wire("deepgram", "an event of its SDK", "deepgram.agent.v1.socket_client:AsyncV1SocketClient.recv"),
    _Wire("vapi", "a frame of its socket", "websockets.asyncio.connection:Connection.recv"),
    _Wire(
        "mistral",
        "an event of its SDK",
        "mistralai.extra.realtime.speech:RealtimeSpeechConnection.events",
        "offhook_adapters.cascade.incoming:Incoming.next",
    ),
    _Wire("gradium", "a text frame of its SDK's socket", "aiohttp:ClientWebSocketResponse.receive"),
    _Wire(
        "huggingface",
        "the sound file of a sentence, several pieces, by its SDK",
        "openai.resources.audio.speech:AsyncSpeech.create",
    ),
)


@attrs.frozen(eq=False)
class _Measured:
    """``connecting`` in seconds."""

    kept: tuple[Moment, ...]
    unasked: int
    connecting: float


def _call(number: int) -> CallSetup:
    call_id = f"call-{number}"
    # Whoever posts tool calls needs an address to post them to; this agent calls no tool.
    endpoint = ToolEndpoint("http://127.0.0.1:9/tools", "", secrets.token_urlsafe(16))
    return CallSetup(
        call_id,
        bicycle_pack().now,
        functools.partial(stream, 1, call_id),
        fake_engines(),
        tools=endpoint,
    )


def _greets(adapter: Any) -> bool:
    return adapter.capabilities.greeting is not Greeting.NONE


# --- behind the wire ---


def _serve(pipe: Connection, name: str) -> None:
    """The twin, until the pipe says that it is no longer needed."""
    vendor: Any = PluginHost.discover().adapters()[name]

    async def answers(desk: ScriptDesk) -> None:
        if _greets(vendor):
            await desk.say(_GREETING)
        for _ in range(_MOST_TURNS):
            if await desk.listen() is not None:
                await desk.say(_ANSWER)

    async def serve() -> None:
        async with vendor.twin(Behind(_call(0), answers)) as twin:
            pipe.send(dict(twin.environment))
            await asyncio.to_thread(pipe.recv)

    run_real(serve())


# --- before it ---


async def _hear(session: Session, handing: Handing) -> None:
    async for event in session.events():
        if isinstance(event, AgentAudio):
            handing.heard(event)


def _frames(said: str) -> Samples:
    """Shape ``(frames, samples)``."""
    sound = FakeVoice().speak(said, SpeechStyle()).samples
    return sound[: len(sound) // FRAME_SAMPLES * FRAME_SAMPLES].reshape(-1, FRAME_SAMPLES)


async def _talk(session: Session, asked: Samples, number: int) -> None:
    """A frame each 20 ms: now and then some words, else silence."""
    silent = np.zeros(FRAME_SAMPLES, dtype=np.int16)
    opens = _FIRST_OPENS + _TURN_SECONDS * number / _CALLS
    start = asyncio.get_running_loop().time() + FRAME_SECONDS * number / _CALLS
    async for tick in deadline_ticker(FRAME_SECONDS, start=start):
        now = tick.index * FRAME_SECONDS
        if now >= _SECONDS:
            return
        at = round((now - opens) % _TURN_SECONDS / FRAME_SECONDS) if now >= opens else len(asked)
        session.send_audio(asked[at] if at < len(asked) else silent)


async def _held(wire: _Wire, environment: Mapping[str, str]) -> _Measured:
    vendor: Any = PluginHost.discover().adapters()[wire.adapter]
    adapter = vendor.with_environment(environment)
    agent = attrs.evolve(agent_config(bicycle_pack()), greeting=_GREETING if _greets(vendor) else "")
    deployment = await adapter.deploy(agent)
    # As a run does it: what is loaded by now is left out of the search for garbage, which would take 90 ms.
    gc.collect()
    gc.freeze()
    with noted(wire.handed_out, wire.passed_on) as handing:
        began = time.perf_counter()
        sessions = await asyncio.gather(
            *(adapter.connect(deployment, _call(number)) for number in range(1, _CALLS + 1))
        )
        connecting = time.perf_counter() - began
        hearing = [asyncio.create_task(_hear(session, handing)) for session in sessions]
        asked = _frames(_ASKED)
        await asyncio.gather(*(_talk(session, asked, number) for number, session in enumerate(sessions)))
        await asyncio.gather(*(session.hang_up() for session in sessions))
        await asyncio.gather(*hearing)
    await adapter.teardown(deployment)
    return _Measured(tuple(handing.kept), handing.unasked, connecting)


def _against_twin(wire: _Wire) -> _Measured:
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(theirs, wire.adapter))
    process.start()
    theirs.close()
    try:
        measured = run_real(_held(wire, ours.recv()))
        ours.send(None)
    except BaseException:
        process.terminate()
        raise
    finally:
        process.join()
    if len(measured.kept) < 2 * _CALLS:
        raise RuntimeError(f"only {len(measured.kept)} pieces of sound came of {_CALLS} calls")
    return measured


# --- the figures ---


def _rows(wire: _Wire, measured: _Measured) -> Iterator[BenchRow]:
    name = wire.adapter.replace("-", "_")
    wall, cpu = ([1000 * getattr(piece, clock) for piece in measured.kept] for clock in ("wall", "cpu"))
    p99, computed = (float(np.percentile(taken, 99)) for taken in (wall, cpu))
    how = (
        f"from {wire.what} to AgentAudio out of events(), {len(wall)} pieces of sound in {_CALLS} calls at "
        f"once in one process for {_SECONDS:.0f} s; median {np.median(wall):.2f} ms, longest "
        f"{max(wall):.2f} ms; p99 of what the process computed meanwhile, the other calls included, "
        f"{computed:.2f} ms; {measured.unasked} pieces held ready or kept back on purpose left out; no "
        f"search for garbage in what was loaded, as in a run; the twin in a process of its own; 2 cores"
    )
    yield BenchRow(f"adapter_overhead_p99_ms_{name}", round(p99, 2), "ms", "<= 2", how)
    how = (
        f"{_CALLS} calls of connect() at once after one deploy(), the first of both processes, the twin in "
        f"one of its own; 2 cores"
    )
    yield BenchRow(f"connect_20_s_{name}", round(measured.connecting, 2), "s", "<= 2", how)


def run(names: tuple[str, ...] = ()) -> Iterator[BenchRow]:
    """Two figures of each adapter named, or of all; some 30 s each.

    Raises:
        RuntimeError: some could not be measured. The others were.
    """
    failed = []
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn, max_tasks_per_child=1) as pool:
        for wire in _WIRES:
            if names and wire.adapter not in names:
                continue
            try:
                measured = pool.submit(_against_twin, wire).result()
            except Exception as error:
                failed.append(f"{wire.adapter}: {type(error).__name__}: {error}")
                print(failed[-1], file=sys.stderr, flush=True)
            else:
                yield from _rows(wire, measured)
    if failed:
        raise RuntimeError("; ".join(failed))


if __name__ == "__main__":
    print_rows(run(tuple(sys.argv[1:])))
