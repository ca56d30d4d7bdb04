"""The ``latency`` grader: how long the caller waits for each reply, by the published rule and by our own, on
our own recording.

Both measure from the end of the caller's speech to the onset of the agent's reply, up to the caller's next
utterance, tool turns included:

- **published**: the caller's end is the end of its channel's last loud window near the end of the sent span,
  the onset the start of the first loud 50 ms window of the agent's channel
  (`offhook_graders.onsets.PublishedRule`, the same energy rule on both channels);
- **ours**: from the last audible sample of the turn on the caller's tape before any audio profile, to the
  first audible sample of the agent.

A turn is left out, with its reason, where the agent was already speaking when the caller finished
(``overlap_s`` says for how long), never answered before the caller's next utterance, or the caller can't be
heard on the tape. No latency is ever clamped.

A call that the harness could not keep up with (`offhook.records.lateness_fault`) is not measured: part of
each wait would be our own. Its turns stay in the evidence, their latencies under ``unreliable_s``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np

from offhook.audio import Samples
from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.line import read_flac
from offhook.records import lateness_fault
from offhook_graders.onsets import (
    BRIDGE_S,
    Activity,
    FineLevels,
    PublishedRule,
    audible_activity,
    audible_end,
    audible_onset,
    dbfs,
    published_activity,
    speaking_since,
)

__all__ = ["LatencyGrader", "TapeError", "TurnLatency"]

_TRUNCATED_S: Final = 0.1  # a tape may end this much before the last sent span: less than a lost frame buffer


class TapeError(ValueError):
    """A tape can't be measured; the message names the file and what is wrong with it."""


@attrs.frozen
class TurnLatency:
    """One caller turn by one measure. ``latency_s`` is None where ``excluded`` says why."""

    turn: int
    caller_end_s: float | None = None
    onset_s: float | None = None
    threshold: float | None = None
    floored: bool = False
    excluded: str = ""
    overlap_s: float | None = None

    @property
    def latency_s(self) -> float | None:
        if self.excluded or self.caller_end_s is None or self.onset_s is None:
            return None
        return round(self.onset_s - self.caller_end_s, 6)

    def as_json(self) -> dict[str, Any]:
        return {
            "turn": self.turn,
            "caller_end_s": _rounded(self.caller_end_s),
            "onset_s": _rounded(self.onset_s),
            "latency_s": self.latency_s,
            "threshold_dbfs": None if self.threshold is None else dbfs(self.threshold),
            "threshold_floored": self.floored,
            "excluded": self.excluded,
            "overlap_s": _rounded(self.overlap_s),
        }


@attrs.frozen
class LatencyGrader:
    """Measures, never decides."""

    rule: PublishedRule = attrs.field(factory=PublishedRule)
    name: str = "latency"
    version: str = "2"
    kind: GradeKind = GradeKind.MEASURE

    def grade(self, call: CallEvidence) -> Grade:
        """Latencies of every caller turn.

        Raises:
            TapeError: the recording or the caller's tape is not what a call leaves behind, or a turn has no
                times.
            offhook.line.AudioFileError: one of them is missing, truncated or damaged.
        """
        if call.recording is None:
            return self._not_measured(call, "a text line has no recording", {})
        turns = call.record.caller_turns
        _check_times(turns)
        caller, agent, rate = _read_recording(call.recording, _last_end(turns))
        caller_activity = published_activity(caller, rate, self.rule)
        agent_activity = published_activity(agent, rate, self.rule)
        limits = _limits(turns, len(agent) / rate)
        published = tuple(
            _published_turn(index, turn, limit, caller_activity, agent_activity, self.rule)
            for index, (turn, limit) in enumerate(zip(turns, limits, strict=True))
        )
        ours: tuple[TurnLatency, ...] = ()
        if call.caller_tape is not None:
            tape, tape_rate = _read_mono(call.caller_tape, _last_end(turns))
            levels = FineLevels.of(agent, rate)
            ours = tuple(
                _our_turn(
                    index,
                    turn,
                    limit,
                    audible_end(tape, tape_rate, turn.start, turn.end),
                    levels,
                    agent,
                    rate,
                )
                for index, (turn, limit) in enumerate(zip(turns, limits, strict=True))
            )
        evidence = {
            "rule": attrs.asdict(self.rule),
            "thresholds_dbfs": {
                "caller": dbfs(caller_activity.threshold),
                "agent": dbfs(agent_activity.threshold),
            },
            "bridge_s": BRIDGE_S,
            "turns": [
                _turn_json(index, turn, limit)
                for index, (turn, limit) in enumerate(zip(turns, limits, strict=True))
            ],
            "published": [turn.as_json() for turn in published],
            "ours": [turn.as_json() for turn in ours],
        }
        latencies = {"published": _latencies(published), "ours": _latencies(ours)}
        if fault := lateness_fault(call.record):
            return self._not_measured(call, fault, evidence | {"unreliable_s": latencies})
        evidence |= {"latencies_s": latencies}
        numbers = _numbers("published", published) | _numbers("ours", ours)
        if not numbers.get("published_turns") and not numbers.get("ours_turns"):
            return self._not_measured(call, _why_not(published), evidence)
        return self._grade(call, Outcome.MEASURED, _summary(published, ours), numbers, evidence)

    def _not_measured(self, call: CallEvidence, why: str, evidence: Mapping[str, Any]) -> Grade:
        return self._grade(call, Outcome.NOT_MEASURED, f"not measured: {why}", {}, evidence)

    def _grade(
        self,
        call: CallEvidence,
        outcome: Outcome,
        summary: str,
        numbers: Mapping[str, float],
        evidence: Mapping[str, Any],
    ) -> Grade:
        return Grade(
            grader=self.name,
            version=self.version,
            kind=self.kind,
            call_id=call.record.call_id,
            outcome=outcome,
            summary=summary,
            numbers=numbers,
            evidence=evidence,
        )


def _check_times(turns: Sequence[CallerTurn]) -> None:
    for index, turn in enumerate(turns):
        if not (math.isfinite(turn.start) and math.isfinite(turn.end)):
            raise TapeError(
                f"caller turn {index} runs from {turn.start} to {turn.end} s; both must be finite "
                "seconds, so record the call again"
            )


# --- the two measures ---


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
        return attrs.evolve(measured, excluded="the agent was already speaking", overlap_s=end - since)
    onset = agent.first(agent.index(end), agent.index(limit))
    if onset is None:
        return attrs.evolve(measured, excluded="no reply before the caller's next utterance")
    return attrs.evolve(measured, onset_s=onset * agent.window_s)


def _our_turn(
    index: int,
    turn: CallerTurn,
    limit: float,
    end: float | None,
    levels: FineLevels,
    agent: Samples,
    rate: int,
) -> TurnLatency:
    if end is None:
        return TurnLatency(index, excluded="the caller's tape is silent over this turn")
    activity = audible_activity(levels, turn.start, end)
    measured = TurnLatency(index, end, threshold=activity.threshold, floored=activity.floored)
    since = speaking_since(activity, end)
    if since is not None and since < end:
        return attrs.evolve(measured, excluded="the agent was already speaking", overlap_s=end - since)
    onset = audible_onset(agent, rate, activity, end, limit)
    if onset is None:
        return attrs.evolve(measured, excluded="no reply before the caller's next utterance")
    return attrs.evolve(measured, onset_s=onset)


def _limits(turns: tuple[CallerTurn, ...], tape_s: float) -> list[float]:
    """For each turn, when the caller's next utterance starts (the tape's end for the last)."""
    starts = [turn.start for turn in turns[1:]]
    return [min(start, tape_s) for start in (*starts, tape_s)][: len(turns)]


# --- tapes ---


def _last_end(turns: tuple[CallerTurn, ...]) -> float:
    return max((turn.end for turn in turns), default=0.0)


def _read_recording(path: Path, needed_s: float) -> tuple[Samples, Samples, int]:
    samples, rate = read_flac(path)
    if samples.ndim != 2 or samples.shape[1] != 2:
        raise TapeError(f"{path}: expected 2 channels (caller left, agent right), found {_channels(samples)}")
    _check_length(path, len(samples) / rate, needed_s)
    return np.ascontiguousarray(samples[:, 0]), np.ascontiguousarray(samples[:, 1]), rate


def _read_mono(path: Path, needed_s: float) -> tuple[Samples, int]:
    samples, rate = read_flac(path)
    if samples.ndim != 1:
        raise TapeError(f"{path}: expected the caller alone on 1 channel, found {_channels(samples)}")
    _check_length(path, len(samples) / rate, needed_s)
    return samples, rate


def _channels(samples: Samples) -> int:
    return 1 if samples.ndim == 1 else int(samples.shape[1])


def _check_length(path: Path, held_s: float, needed_s: float) -> None:
    if held_s < needed_s - _TRUNCATED_S:
        raise TapeError(
            f"{path}: holds {held_s:.2f} s, but the record's last caller turn ends at {needed_s:.2f} s; "
            "restore the whole file"
        )


# --- evidence ---


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _turn_json(index: int, turn: CallerTurn, limit: float) -> dict[str, Any]:
    """``reply_until_s`` is where a reply is no longer one to this turn."""
    return {
        "turn": index,
        "said": turn.written,
        "start_s": _rounded(turn.start),
        "end_s": _rounded(turn.end),
        "reply_until_s": _rounded(limit),
    }


def _latencies(turns: tuple[TurnLatency, ...]) -> list[float]:
    return [turn.latency_s for turn in turns if turn.latency_s is not None]


def _numbers(measure: str, turns: tuple[TurnLatency, ...]) -> dict[str, float]:
    latencies = _latencies(turns)
    numbers = {
        f"{measure}_turns": float(len(latencies)),
        f"{measure}_excluded": float(len(turns) - len(latencies)),
    }
    if latencies:
        median, p95 = np.percentile(latencies, [50, 95], method="linear")
        numbers |= {f"{measure}_median_s": round(float(median), 6), f"{measure}_p95_s": round(float(p95), 6)}
    return numbers


def _summary(published: tuple[TurnLatency, ...], ours: tuple[TurnLatency, ...]) -> str:
    told = []
    for measure, turns in (("published rule", published), ("ours", ours)):
        latencies = _latencies(turns)
        if latencies:
            median = float(np.median(latencies))
            told.append(f"{measure} median {median:.2f} s over {len(latencies)} of {len(turns)} turns")
    return "; ".join(told)


def _why_not(turns: tuple[TurnLatency, ...]) -> str:
    if not turns:
        return "the caller never spoke"
    reasons = [turn.excluded for turn in turns]
    counted = [f"{reasons.count(reason)} x {reason}" for reason in dict.fromkeys(reasons)]
    return f"no turn with a reply ({', '.join(counted)})"
