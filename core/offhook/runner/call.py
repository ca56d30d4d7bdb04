"""One call, from connect to the folder on disk."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

import attrs
import numpy as np

from offhook.audio import LINE_RATE
from offhook.callers import CallerBrief
from offhook.line import LineTapes, write_flac
from offhook.records import RECORD_VERSION, CallRecord, ComponentInfo, LateTicks
from offhook.runner._hold import CallFailed, CallRefused, Held, LineClock, Parties, hold_audio, hold_text
from offhook.runner.kit import CallKit, follower_plan
from offhook.runner.plan import PlannedCall
from offhook.scoring import NO_AGENT
from offhook.sessions import CallSetup
from offhook.storage import file_stamp, to_json, write_text
from offhook.streams import stream
from offhook.toolserver import FrozenCall, ToolServer

__all__ = ["CallFailed", "CallRefused", "place_call"]

_KEPT: Final = ("caller.flac", "platform.json", "recording.flac", "tools.jsonl")


async def place_call(planned: PlannedCall, kit: CallKit, scratch: Path) -> CallRecord:
    """Places one call and leaves its files in ``scratch``; the record itself is returned, not written.

    Raises:
        CallRefused: the platform did not take the call.
        CallFailed: a part of the harness raised. What had been recorded is lost with it.
        SpeechUnavailable: an engine or its weights are missing; no other call would fare better.
    """
    pack = kit.packs[planned.key.pack]
    clock = LineClock()
    with ToolServer(pack, scratch, clock=clock.now, images=kit.images) as server:
        token = secrets.token_urlsafe(24)
        server.open_call(planned.call_id, token, folder=scratch)
        parties = Parties(
            adapter=kit.adapter,
            caller=kit.caller,
            setup=_setup(planned, kit),
            brief=_brief(planned, kit),
            server=server,
            token=token,
            clock=clock,
            deployments=kit.deployments,
        )
        held = await (hold_text(parties) if planned.key.line == "text" else hold_audio(parties))
        frozen = server.freeze(planned.call_id)
    if held.record is not None:
        write_text(scratch / "platform.json", to_json(held.record) + "\n")
    if held.tapes is not None:
        write_flac(scratch / "recording.flac", held.tapes.stereo, LINE_RATE)
        write_flac(scratch / "caller.flac", held.tapes.caller_clean, LINE_RATE)
    return _record(planned, kit, held, frozen, scratch)


def _setup(planned: PlannedCall, kit: CallKit) -> CallSetup:
    pack, task = kit.packs[planned.key.pack], kit.task_of(planned.key)
    return CallSetup(
        call_id=planned.call_id,
        now=pack.now,
        rng=_Streams(kit.seed, planned.call_id, "platform"),
        engines=kit.engines,
        plan=follower_plan(pack, task) if kit.adapter.capabilities.harness_reference else None,
        options=kit.options,
    )


def _brief(planned: PlannedCall, kit: CallKit) -> CallerBrief:
    return CallerBrief(
        task=kit.task_of(planned.key),
        now=kit.packs[planned.key.pack].now,
        voice=planned.voice,
        run=planned.key.run,
        engines=kit.engines,
        rng=_Streams(kit.seed, planned.call_id, "caller"),
    )


@attrs.frozen
class _Streams:
    """The named generators of one side of one call."""

    seed: int
    call_id: str
    side: str

    def __call__(self, purpose: str) -> np.random.Generator:
        return stream(self.seed, self.call_id, f"{self.side}/{purpose}")


def _record(planned: PlannedCall, kit: CallKit, held: Held, frozen: FrozenCall, scratch: Path) -> CallRecord:
    report, desk = held.report, held.desk
    ending, cause = _ending(held, frozen)
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
        files=tuple(
            file_stamp(path)
            for path in sorted(scratch.iterdir())
            if path.is_file() and path.name in {*_KEPT, frozen.state.name}
        ),
    )


def _ending(held: Held, frozen: FrozenCall) -> tuple[str, str]:
    """A tool that failed inside leaves nothing to judge the platform by; neither does an agent that never
    spoke.
    """
    for entry in frozen.log:
        if entry.status >= 500:
            return (
                "error",
                f"tool server: {entry.tool} failed inside ({entry.code}), which no platform can help",
            )
    spoke = held.desk.spoke or (held.tapes is None and bool(held.desk.agent.finals))
    return ("completed", "") if spoke else ("void", NO_AGENT)


def _late(tapes: LineTapes | None) -> LateTicks:
    if tapes is None or len(tapes.lateness) == 0:
        return LateTicks(0.0, 0.0, 0.0)
    p50, p99 = np.percentile(tapes.lateness, (50, 99)) * 1000
    return LateTicks(round(float(p50), 3), round(float(p99), 3), round(float(tapes.lateness.max()) * 1000, 3))


def _unique(components: tuple[ComponentInfo, ...]) -> tuple[ComponentInfo, ...]:
    return tuple(dict.fromkeys(components))
