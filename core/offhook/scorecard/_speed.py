"""The speed lane: how long do callers wait for a reply?"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from offhook.records import lateness_fault
from offhook.scorecard._input import ScoredCall
from offhook.scorecard._lanes import LaneStatus, lane_status, percent
from offhook.scorecard._rules import LaneRules
from offhook.scoring import LATENCY_GRADER

__all__ = ["OverShare", "SpeedLane", "call_waits", "speed_lane"]


@attrs.frozen
class OverShare:
    """``turns`` of the answered ones took longer than ``seconds``."""

    seconds: float
    turns: int


@attrs.frozen
class SpeedLane:
    """Waits in seconds, pooled over the answered turns of clean calls: end of the caller's sent audio to the
    agent's first audible sample, linear interpolation between order statistics. ``bound_ms`` is how far off a
    wait may be at worst, None where the grades don't say. ``late_calls`` are left out: this machine could not
    keep up with them. Percentiles are None where nothing was measured."""

    status: LaneStatus
    floor: int
    turns: int
    calls: int
    late_calls: int
    p50_s: float | None
    p95_s: float | None
    p99_s: float | None
    over: tuple[OverShare, ...]
    bound_ms: float | None
    why_not: str = ""

    @property
    def n(self) -> int:
        return self.turns

    @property
    def tail_ratio(self) -> float | None:
        """p95 over p50; None where there is no positive median."""
        if self.p50_s is None or self.p95_s is None or self.p50_s <= 0:
            return None
        return self.p95_s / self.p50_s

    @property
    def told(self) -> str:
        if self.p50_s is None:
            return f"not measured ({self.why_not})"
        thin = f"thin, fewer than {self.floor} answered turns: " if self.status is LaneStatus.THIN else ""
        tail = "" if self.tail_ratio is None else f", tail ratio {self.tail_ratio:.2f}"
        bound = "timing bound not measured" if self.bound_ms is None else f"timing ±{self.bound_ms:.1f} ms"
        over = ", ".join(f"{o.seconds:g} s {percent(o.turns / self.turns)}" for o in self.over)
        return (
            f"{thin}p50 {self.p50_s:.2f} s, p95 {self.p95_s:.2f} s, p99 {self.p99_s:.2f} s{tail} "
            f"({self.turns} answered turns of {self.calls} clean calls, {bound}); longer than {over}"
        )


def call_waits(call: ScoredCall) -> tuple[float, ...]:
    """The sample-accurate waits of a completed call that the harness kept up with, in seconds."""
    if call.record.ending != "completed" or lateness_fault(call.record):
        return ()
    told = call.evidence(LATENCY_GRADER).get("latencies_s", {})
    return tuple(float(value) for value in told.get("ours", ()))


def speed_lane(calls: Iterable[ScoredCall], rules: LaneRules) -> SpeedLane:
    """The lane from the ``latency`` grades of clean calls."""
    quiet = [call for call in calls if call.quiet and call.record.ending == "completed"]
    late = sum(bool(lateness_fault(call.record)) for call in quiet)
    measured = [(call, found) for call in quiet if (found := call_waits(call))]
    waits = [wait for _, found in measured for wait in found]
    bounds = [
        bound
        for call, _ in measured
        if (bound := call.measured(LATENCY_GRADER).get("ours_timing_bound_ms")) is not None
    ]
    lane = SpeedLane(
        status=lane_status(len(waits), rules.speed_turns),
        floor=rules.speed_turns,
        turns=len(waits),
        calls=len(measured),
        late_calls=late,
        p50_s=None,
        p95_s=None,
        p99_s=None,
        over=tuple(OverShare(limit, sum(wait > limit for wait in waits)) for limit in rules.slow_s),
        bound_ms=max(bounds) if bounds and len(bounds) == len(measured) else None,
        why_not="" if waits else _why_not(quiet, late),
    )
    if not waits:
        return lane
    import numpy as np

    p50, p95, p99 = np.percentile(np.asarray(waits, dtype=np.float64), [50, 95, 99], method="linear")
    return attrs.evolve(lane, p50_s=float(p50), p95_s=float(p95), p99_s=float(p99))


def _why_not(quiet: list[ScoredCall], late: int) -> str:
    if not quiet:
        return "no completed clean call"
    if all(call.record.key.line == "text" for call in quiet):
        return "a text line has no waits"
    if late:
        return f"this machine could not keep up with {late} of {len(quiet)} clean calls"
    return "no turn with a reply"
