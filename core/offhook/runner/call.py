"""One call, from connect to the folder on disk."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

import attrs
import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook.callers import CallerBrief, CallerReport
from offhook.line import Line, LineTapes, write_flac
from offhook.records import RECORD_VERSION, CallRecord, ComponentInfo, LateTicks
from offhook.runner._desk import SessionDesk, ToolForwarder
from offhook.runner.kit import CallKit, follower_plan
from offhook.runner.plan import PlannedCall
from offhook.sessions import CallSetup, Cost, Ended, Session
from offhook.speech import SpeechUnavailable
from offhook.storage import file_stamp
from offhook.streams import stream
from offhook.textline import TextAdapter, TextCaller, TextLine
from offhook.toolserver import FrozenCall, ToolServer, agent_config

__all__ = ["CallFailed", "place_call"]

T = TypeVar("T")


class CallFailed(Exception):
    """A call could not be held: the platform refused it, or a part of the harness raised. The message is
    one line.
    """


@attrs.frozen
class _Held:
    """What is left once both sides have hung up."""

    report: CallerReport
    desk: SessionDesk
    ended: Ended
    seconds: float
    tapes: LineTapes | None
    tool_failures: tuple[str, ...]
    cost: Cost


async def place_call(planned: PlannedCall, kit: CallKit, scratch: Path) -> CallRecord:
    """Places one call and leaves its files in ``scratch``; the record itself is returned, not written.

    Raises:
        CallFailed: the call could not be held. What had been recorded is lost with it.
        SpeechUnavailable: an engine or its weights are missing; no other call would fare better.
    """
    pack = kit.packs[planned.key.pack]
    times = _LineClock()
    with ToolServer(pack, scratch, clock=times.now, images=kit.images) as server:
        token = secrets.token_urlsafe(24)
        server.open_call(planned.call_id, token, folder=scratch)
        hold = _hold_text if planned.key.line == "text" else _hold_audio
        held = await hold(planned, kit, server, token, times)
        frozen = server.freeze(planned.call_id)
    if held.tapes is not None:
        write_flac(scratch / "recording.flac", held.tapes.stereo, LINE_RATE)
        write_flac(scratch / "caller.flac", held.tapes.caller_clean, LINE_RATE)
    return _record(planned, kit, held, frozen, scratch)


class _LineClock:
    """Line seconds for the tool server, which exists before the line does."""

    def __init__(self) -> None:
        self.line: Line | TextLine | None = None

    def now(self) -> float:
        return self.line.now if self.line is not None else 0.0


def _setup(planned: PlannedCall, kit: CallKit) -> CallSetup:
    pack, task = kit.packs[planned.key.pack], kit.task_of(planned.key)
    return CallSetup(
        call_id=planned.call_id,
        now=pack.now,
        rng=_rng(planned, kit, "platform"),
        engines=kit.engines,
        plan=follower_plan(pack, task) if kit.adapter.capabilities.harness_reference else None,
        options=kit.options,
    )


def _brief(planned: PlannedCall, kit: CallKit) -> CallerBrief:
    return CallerBrief(
        kit.task_of(planned.key), planned.voice, planned.key.run, kit.engines, _rng(planned, kit, "caller")
    )


@attrs.frozen
class _Streams:
    """The named generators of one side of one call."""

    seed: int
    call_id: str
    side: str

    def __call__(self, purpose: str) -> np.random.Generator:
        return stream(self.seed, self.call_id, f"{self.side}/{purpose}")


def _rng(planned: PlannedCall, kit: CallKit, side: str) -> _Streams:
    return _Streams(kit.seed, planned.call_id, side)


class _AudioSink:
    def __init__(self, line: Line) -> None:
        self._line = line

    def audio(self, samples: Samples, rate: int) -> None:
        self._line.platform.playout.push(samples, rate)

    def clear(self) -> float:
        return self._line.platform.playout.clear().utterance_played

    def text(self, text: str) -> None:
        """Words are kept by the desk; the caller hears sound only."""


class _TextSink:
    def __init__(self, line: TextLine) -> None:
        self._line = line

    def audio(self, samples: Samples, rate: int) -> None:
        """A text line carries no sound."""

    def clear(self) -> float:
        return 0.0

    def text(self, text: str) -> None:
        self._line.agent_said(text)


async def _hold_audio(
    planned: PlannedCall, kit: CallKit, server: ToolServer, token: str, times: _LineClock
) -> _Held:
    deployment = await _of_platform(kit.adapter.deploy(agent_config(server.pack)))
    session = await _of_platform(kit.adapter.connect(deployment, _setup(planned, kit)))
    # a platform that paces its own audio over a network needs a little of it in hand
    line = Line(jitter_buffer=0.04 if kit.adapter.capabilities.paced_output else 0.0)
    times.line = line
    line.platform.on_frame(lambda frame, _: session.send_audio(frame))
    tools = ToolForwarder(server, planned.call_id, token, session)
    desk = SessionDesk(session, tools, _AudioSink(line), times.now)
    running = asyncio.create_task(line.run())
    stream_end = asyncio.create_task(desk.run())

    async def agent_side() -> None:
        await asyncio.shield(stream_end)
        await line.platform.playout.drained()
        line.platform.hang_up()

    agent = asyncio.create_task(agent_side())
    caller = asyncio.create_task(kit.caller.converse(_brief(planned, kit), line.caller))
    try:
        report, ended = await _both_sides(caller, agent, stream_end, session)
        line.caller.hang_up()
        await _of_platform(running)
    finally:
        await _cancel(running, stream_end, agent, caller)
    failures = await tools.finish()
    cost = await session.fetch_cost()
    return _Held(report, desk, ended, line.now, line.result(), failures, cost)


async def _hold_text(
    planned: PlannedCall, kit: CallKit, server: ToolServer, token: str, times: _LineClock
) -> _Held:
    if not isinstance(kit.adapter, TextAdapter):
        raise CallFailed(f"platform {kit.adapter.name} takes no text calls; leave out --line text")
    if not isinstance(kit.caller, TextCaller):
        raise CallFailed(f"caller {kit.caller.name} holds no text calls; leave out --line text")
    deployment = await _of_platform(kit.adapter.deploy(agent_config(server.pack)))
    line = TextLine()
    times.line = line
    session = await _of_platform(kit.adapter.connect_text(deployment, _setup(planned, kit)))
    line.attach(session)
    tools = ToolForwarder(server, planned.call_id, token, session)
    desk = SessionDesk(session, tools, _TextSink(line), times.now)
    stream_end = asyncio.create_task(desk.run())

    async def agent_side() -> None:
        ended = await asyncio.shield(stream_end)
        line.end(ended.by)

    agent = asyncio.create_task(agent_side())
    caller = asyncio.create_task(kit.caller.converse_text(_brief(planned, kit), line.caller))
    try:
        report, ended = await _both_sides(caller, agent, stream_end, session)
    finally:
        await _cancel(stream_end, agent, caller)
    failures = await tools.finish()
    return _Held(report, desk, ended, line.now, None, failures, await session.fetch_cost())


async def _both_sides(
    caller: asyncio.Task[CallerReport],
    agent: asyncio.Task[None],
    stream_end: asyncio.Task[Ended],
    session: Session,
) -> tuple[CallerReport, Ended]:
    """Waits for the caller, who notices by the line when the agent hung up; then makes sure the platform
    has too.
    """
    await asyncio.wait({caller, agent}, return_when=asyncio.FIRST_COMPLETED)
    if agent.done() and agent.exception() is not None:
        if isinstance(agent.exception(), SpeechUnavailable):
            await agent  # raises it: no call can be held without its engines
        raise CallFailed(f"platform: {_one_line(agent.exception())}") from agent.exception()
    try:
        report = await caller
    except SpeechUnavailable:
        raise
    except Exception as error:
        raise CallFailed(f"caller: {_one_line(error)}") from error
    await session.hang_up()
    try:
        ended = await asyncio.wait_for(asyncio.shield(stream_end), timeout=10.0)
    except TimeoutError:
        ended = Ended("caller", "the platform did not end its session within 10 s of the hang-up")
    except Exception as error:
        raise CallFailed(f"platform: {_one_line(error)}") from error
    return report, ended


async def _of_platform(work: Awaitable[T]) -> T:
    try:
        return await work
    except SpeechUnavailable:
        raise
    except Exception as error:
        raise CallFailed(f"platform: {_one_line(error)}") from error


async def _cancel(*tasks: asyncio.Task[object]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _one_line(error: BaseException | None) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _record(planned: PlannedCall, kit: CallKit, held: _Held, frozen: FrozenCall, scratch: Path) -> CallRecord:
    report, desk = held.report, held.desk
    spoke = desk.spoke or (held.tapes is None and bool(desk.agent.finals))
    ending, cause = ("completed", "") if spoke else ("void", "no_agent")
    return CallRecord(
        version=RECORD_VERSION,
        call_id=planned.call_id,
        key=planned.key,
        run_seed=kit.seed,
        voice=planned.voice,
        ending=ending,
        cause=cause,
        ended_by=held.ended.by if report.hung_up_because == "agent_ended" else "caller",
        seconds=held.seconds,
        caller_turns=report.turns,
        caller_heard=report.heard,
        caller_events=report.events,
        hung_up_because=report.hung_up_because,
        off_script=report.off_script,
        user_transcripts=tuple(desk.user.finals),
        agent_transcripts=tuple(desk.agent.finals),
        played=held.tapes.played if held.tapes else (),
        clears=tuple(desk.clears),
        session_errors=(*desk.errors, *held.tool_failures),
        usage=desk.usage,
        cost_usd=held.cost.usd,
        cost_basis=held.cost.basis,
        underruns=len(held.tapes.underruns) if held.tapes else 0,
        late=_late(held.tapes),
        user_transcript_available=kit.adapter.capabilities.user_transcript,
        components=_unique(kit.components(planned.key, planned.voice)),
        files=tuple(
            file_stamp(path)
            for path in sorted(scratch.iterdir())
            if path.is_file()
            and path.name in {"recording.flac", "caller.flac", "tools.jsonl", frozen.state.name}
        ),
    )


def _late(tapes: LineTapes | None) -> LateTicks:
    if tapes is None or len(tapes.lateness) == 0:
        return LateTicks(0.0, 0.0, 0.0)
    p50, p99 = np.percentile(tapes.lateness, (50, 99)) * 1000
    return LateTicks(round(float(p50), 3), round(float(p99), 3), round(float(tapes.lateness.max()) * 1000, 3))


def _unique(components: tuple[ComponentInfo, ...]) -> tuple[ComponentInfo, ...]:
    return tuple(dict.fromkeys(components))
