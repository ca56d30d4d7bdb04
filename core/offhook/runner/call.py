"""One call, from connect to the folder on disk."""

from __future__ import annotations

import secrets
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import attrs
import numpy as np

from offhook.audio import LINE_RATE
from offhook.callers import CallerBrief
from offhook.clock import compute
from offhook.line import LineTapes, write_flac
from offhook.records import RECORD_VERSION, CallRecord, ComponentInfo, FileStamp, LateTicks
from offhook.runner._hold import (
    CallFailed,
    CallRefused,
    Held,
    LineClock,
    NotPlaced,
    Parties,
    hold_audio,
    hold_text,
)
from offhook.runner._route import REQUESTS_FILE, ToolRoute
from offhook.runner._streams import streams_of
from offhook.runner._voids import agent_sounded, void_cause
from offhook.runner.conditions import LineSound
from offhook.runner.kit import CallKit, follower_plan
from offhook.runner.plan import PlannedCall
from offhook.sessions import CallSetup
from offhook.storage import file_stamp, to_json, write_text
from offhook.toolserver import FrozenCall, ToolServer

__all__ = ["CallFailed", "CallRefused", "NotPlaced", "place_call"]

_KEPT: Final = ("caller.flac", "platform.json", "recording.flac", REQUESTS_FILE, "tools.jsonl")


async def place_call(
    planned: PlannedCall, kit: CallKit, scratch: Path, *, beat: float | None = None
) -> CallRecord:
    """Places one call and leaves its files in ``scratch``; the record itself is returned, not written. On an
    ordinary loop, which other calls share, whatever takes long is done in threads.

    The platform knows the call by a random alias, which the record keeps in ``wall``: the call's own id is
    made of the run's seed and the task, and would tell it which.

    Args:
        beat: where on the loop's clock the line ticks, as in ``Line.run``.

    Raises:
        CallRefused: the platform did not take the call.
        NotPlaced: the agent could not be deployed, or the caller not get ready.
        CallFailed: a part of the harness raised. What had been recorded is lost with it.
        PlatformUnusable: the platform takes no call at all.
        SpeechUnavailable: an engine or its weights are missing; no other call would fare better.
    """
    clock = LineClock()
    token = secrets.token_urlsafe(24)
    with await compute(_opened_server, planned, kit, scratch, clock, token) as server, ExitStack() as stack:
        route = _route(planned, kit, server, token, clock)
        if route is not None:
            stack.callback(route.close)
        parties = Parties(
            call_id=planned.call_id,
            adapter=kit.adapter,
            caller=kit.caller,
            setup=_setup(planned, kit, route),
            brief=_brief(planned, kit),
            server=server,
            token=token,
            clock=clock,
            deployments=kit.deployments,
            beat=beat,
            sound=await compute(_sound, planned, kit),
            route=route,
        )
        held = await (hold_text(parties) if planned.key.line == "text" else hold_audio(parties))
        frozen = await compute(server.freeze, planned.call_id)
    record = await compute(_kept, planned, kit, held, frozen, scratch, route)
    return attrs.evolve(record, wall={"alias": parties.setup.call_id})


def _opened_server(
    planned: PlannedCall, kit: CallKit, scratch: Path, clock: LineClock, token: str
) -> ToolServer:
    server = ToolServer(kit.packs[planned.key.pack], scratch, clock=clock.now, images=kit.images)
    server.open_call(planned.call_id, token, folder=scratch)
    return server


def _route(
    planned: PlannedCall, kit: CallKit, server: ToolServer, token: str, clock: LineClock
) -> ToolRoute | None:
    if kit.switchboard is None:
        return None
    return kit.switchboard.route(server, planned.call_id, token, now=clock.now)


def _setup(planned: PlannedCall, kit: CallKit, route: ToolRoute | None) -> CallSetup:
    pack, task = kit.packs[planned.key.pack], kit.task_of(planned.key)
    return CallSetup(
        call_id=secrets.token_hex(8),
        now=pack.now,
        rng=streams_of(kit.seed, planned.call_id, "platform"),
        engines=kit.engines,
        plan=follower_plan(pack, task) if kit.adapter.capabilities.harness_reference else None,
        options=kit.options,
        tools=kit.switchboard.endpoint(route) if kit.switchboard is not None and route is not None else None,
    )


def _sound(planned: PlannedCall, kit: CallKit) -> LineSound:
    return LineSound() if planned.key.line == "text" else kit.sound_of(planned.key, planned.voice)


def _brief(planned: PlannedCall, kit: CallKit) -> CallerBrief:
    return CallerBrief(
        task=kit.task_of(planned.key),
        now=kit.packs[planned.key.pack].now,
        voice=planned.voice,
        run=planned.key.run,
        engines=kit.engines,
        rng=streams_of(kit.seed, planned.call_id, "caller"),
    )


def _kept(
    planned: PlannedCall,
    kit: CallKit,
    held: Held,
    frozen: FrozenCall,
    scratch: Path,
    route: ToolRoute | None,
) -> CallRecord:
    """Writes the call's files and makes the record of them. What opened the tools to the platform is in none
    of them.
    """
    scrub = route.scrub if route is not None else str
    if route is not None and route.requests:
        write_text(scratch / REQUESTS_FILE, scrub(route.requests))
    if held.record is not None:
        write_text(scratch / "platform.json", scrub(to_json(held.record)) + "\n")
    if held.tapes is not None:
        write_flac(scratch / "recording.flac", held.tapes.stereo, LINE_RATE)
        write_flac(scratch / "caller.flac", held.tapes.caller_clean, LINE_RATE)
    kept = {*_KEPT, frozen.state.name}
    paths = sorted(path for path in scratch.iterdir() if path.is_file() and path.name in kept)
    record = _record(planned, kit, held, frozen, tuple(file_stamp(path) for path in paths))
    return attrs.evolve(record, session_errors=tuple(map(scrub, record.session_errors)))


def _record(
    planned: PlannedCall, kit: CallKit, held: Held, frozen: FrozenCall, files: tuple[FileStamp, ...]
) -> CallRecord:
    report, desk = held.report, held.desk
    ending, cause = _ending(planned, held, frozen)
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
        session_errors=(*desk.errors, *held.failures),
        usage=desk.usage,
        cost_usd=held.cost.usd,
        cost_basis=held.cost.basis,
        underruns=len(held.tapes.underruns) if held.tapes else 0,
        late=_late(held.tapes),
        user_transcript_available=kit.adapter.capabilities.user_transcript,
        components=_unique(kit.components(planned.key, planned.voice)),
        files=files,
    )


def _ending(planned: PlannedCall, held: Held, frozen: FrozenCall) -> tuple[str, str]:
    """A tool that failed inside leaves nothing to judge the platform by; some calls are void."""
    for entry in frozen.log:
        if entry.status >= 500:
            return (
                "error",
                f"tool server: {entry.tool} failed inside ({entry.code}), which no platform can help",
            )
    desk = held.desk
    spoke = bool(desk.agent.finals) if held.tapes is None else agent_sounded(held.tapes.stereo[:, 1])
    cause = void_cause(
        held.report,
        agent_spoke=spoke,
        transcripts=bool(desk.agent.finals or desk.user.finals),
        tool_calls=len(frozen.log),
        audio=planned.key.audio,
    )
    return ("void", cause) if cause else ("completed", "")


def _late(tapes: LineTapes | None) -> LateTicks:
    if tapes is None or len(tapes.lateness) == 0:
        return LateTicks(0.0, 0.0, 0.0)
    p50, p99 = np.percentile(tapes.lateness, (50, 99)) * 1000
    return LateTicks(round(float(p50), 3), round(float(p99), 3), round(float(tapes.lateness.max()) * 1000, 3))


def _unique(components: tuple[ComponentInfo, ...]) -> tuple[ComponentInfo, ...]:
    return tuple(dict.fromkeys(components))
