"""The ``latency`` grader: how long the caller waits for each reply, by the published rule and by our own, on
our own recording.

Both measure from the end of the caller's speech to the onset of the agent's reply, up to the caller's next
utterance, tool turns included:

- **published**: the caller's end is the end of its channel's last loud window near the end of the sent span,
  the onset the start of the first loud 50 ms window of the agent's channel
  (`offhook_graders.timing.onsets.PublishedRule`, the same energy rule on both channels);
- **ours**: from the last audible sample of the turn on the caller's tape before any audio profile, to the
  first audible sample of the agent (audible: within 40 dB of the peak, `offhook_graders.timing.edges`).

A turn is left out, with its reason, where the agent was already speaking when the caller finished
(``overlap_s`` says for how long), never answered before the caller's next utterance, or the caller can't be
heard on the tape. No latency is ever clamped.

A call that the harness could not keep up with (`offhook.records.lateness_fault`) is not measured: part of
each wait would be our own. Its turns stay in the evidence, their latencies under ``unreliable_s``.

All is computed from the ``audio`` measurement of the call (`offhook_graders.timing.measurement`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, Grade, GradeKind, measured_grade, not_measured_grade
from offhook.records import lateness_fault
from offhook_graders.timing.measurement import AudioMeasurement, audio_of
from offhook_graders.timing.onsets import BRIDGE_S, Activity, PublishedRule, dbfs, speaking_since
from offhook_graders.timing.waits import (
    MEASURES,
    TurnLatency,
    latencies,
    timing_bound_ms,
    wait_numbers,
    warnings,
)

__all__ = ["LatencyGrader", "our_waits", "published_waits", "reply_limits"]

_ALREADY: Final = "the agent was already speaking"
_NO_REPLY: Final = "no reply before the caller's next utterance"


@attrs.frozen
class LatencyGrader:
    """Measures, never decides."""

    name: str = "latency"
    version: str = "3"
    kind: GradeKind = GradeKind.MEASURE

    def grade(self, call: CallEvidence) -> Grade:
        """Latencies of every caller turn.

        Raises:
            offhook_graders.timing.measurement.TapeError: the call's sound can't be measured, and why.
        """
        if call.recording is None:
            return not_measured_grade(self, call, "a text line has no recording")
        audio = audio_of(call)
        turns = call.record.caller_turns
        limits = reply_limits(turns, audio.seconds)
        waits = {
            "published": published_waits(turns, audio),
            "ours": our_waits(turns, audio),
        }
        bound = timing_bound_ms(call.record.late.p99_ms, audio.rule)
        evidence = {
            "rule": attrs.asdict(audio.rule),
            "thresholds_dbfs": {
                "caller": dbfs(audio.caller.threshold),
                "agent": dbfs(audio.agent.threshold),
            },
            "missed_share": {"caller": audio.caller.missed_share, "agent": audio.agent.missed_share},
            "bridge_s": BRIDGE_S,
            "timing_bound_ms": bound,
            "warnings": warnings({"caller": audio.caller, "agent": audio.agent}),
            "turns": [
                _turn_json(index, turn, limit)
                for index, (turn, limit) in enumerate(zip(turns, limits, strict=True))
            ],
        } | {measure: [turn.as_json() for turn in waits[measure]] for measure in MEASURES}
        told = {measure: latencies(waits[measure]) for measure in MEASURES}
        if fault := lateness_fault(call.record):
            return not_measured_grade(self, call, fault, evidence | {"unreliable_s": told})
        evidence |= {"latencies_s": told}
        numbers: dict[str, float] = {}
        for measure in MEASURES:
            numbers |= wait_numbers(measure, waits[measure])
            numbers |= {f"{measure}_timing_bound_ms": bound[measure]} if told[measure] else {}
        if not any(told.values()):
            return not_measured_grade(self, call, _why_not(waits["published"]), evidence)
        return measured_grade(self, call, _summary(waits), numbers, evidence)


# --- the two measures ---


def published_waits(turns: Sequence[CallerTurn], audio: AudioMeasurement) -> tuple[TurnLatency, ...]:
    """Each turn by the published rule."""
    caller, agent = audio.caller.activity, audio.agent.activity
    limits = reply_limits(turns, audio.seconds)
    return tuple(
        _published_turn(index, turn, limit, caller, agent, audio.rule)
        for index, (turn, limit) in enumerate(zip(turns, limits, strict=True))
    )


def our_waits(turns: Sequence[CallerTurn], audio: AudioMeasurement) -> tuple[TurnLatency, ...]:
    """Each turn to the sample; none without the caller's tape."""
    if audio.turns is None:
        return ()
    limits = reply_limits(turns, audio.seconds)
    ends = (sound.end for sound in audio.turns)
    return tuple(
        _our_turn(index, limit, end, audio)
        for index, (limit, end) in enumerate(zip(limits, ends, strict=True))
    )


def reply_limits(turns: Sequence[CallerTurn], tape_s: float) -> list[float]:
    """For each turn, when the caller's next utterance starts (the tape's end for the last)."""
    starts = [turn.start for turn in turns[1:]]
    return [min(start, tape_s) for start in (*starts, tape_s)][: len(turns)]


def _published_turn(
    index: int, turn: CallerTurn, limit: float, caller: Activity, agent: Activity, rule: PublishedRule
) -> TurnLatency:
    # An utterance can't end before it starts or inside the next one, however far the rule reaches.
    low, high = max(turn.start, turn.end - rule.reach_s), min(turn.end + rule.reach_s, limit)
    voiced = caller.last(caller.index(low), caller.index(high))
    if voiced is None:
        return TurnLatency(index, excluded="the caller is not audible at the end of its turn")
    end = (voiced + 1) * caller.window_s
    measured = TurnLatency(index, end, threshold=agent.threshold, floored=agent.floored)
    since = speaking_since(agent, voiced * caller.window_s)
    if since is not None:
        return attrs.evolve(measured, excluded=_ALREADY, overlap_s=end - since)
    onset = agent.first(agent.index(end), agent.index(limit))
    if onset is None:
        return attrs.evolve(measured, excluded=_NO_REPLY)
    return attrs.evolve(measured, onset_s=onset * agent.window_s)


def _our_turn(index: int, limit: float, end: float | None, audio: AudioMeasurement) -> TurnLatency:
    if end is None:
        return TurnLatency(index, excluded="the caller's tape is silent over this turn")
    measured = TurnLatency(index, end)
    for sound in audio.agent_sounds.sounds:
        if sound.start < end < sound.end:
            return attrs.evolve(measured, excluded=_ALREADY, overlap_s=end - sound.start)
        if end <= sound.start < limit:
            return attrs.evolve(measured, onset_s=sound.start)
    problem = audio.agent_sounds.problem
    return attrs.evolve(measured, excluded=f"{_NO_REPLY} (agent: {problem})" if problem else _NO_REPLY)


# --- evidence ---


def _turn_json(index: int, turn: CallerTurn, limit: float) -> dict[str, Any]:
    """``reply_until_s`` is where a reply is no longer one to this turn."""
    return {
        "turn": index,
        "said": turn.written,
        "start_s": round(turn.start, 6),
        "end_s": round(turn.end, 6),
        "reply_until_s": round(limit, 6),
    }


def _summary(waits: Mapping[str, Sequence[TurnLatency]]) -> str:
    told = []
    for measure, name in (("published", "published rule"), ("ours", "ours")):
        numbers = wait_numbers(measure, waits[measure])
        if f"{measure}_median_s" in numbers:
            median, count = numbers[f"{measure}_median_s"], numbers[f"{measure}_turns"]
            told.append(f"{name} median {median:.2f} s over {count:.0f} of {len(waits[measure])} turns")
    return "; ".join(told)


def _why_not(turns: Sequence[TurnLatency]) -> str:
    if not turns:
        return "the caller never spoke"
    reasons = [turn.excluded for turn in turns]
    counted = [f"{reasons.count(reason)} x {reason}" for reason in dict.fromkeys(reasons)]
    return f"no turn with a reply ({', '.join(counted)})"
