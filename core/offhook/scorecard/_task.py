"""The task lane: did the callers get what they called for?"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from offhook.scorecard._input import ScoredCall
from offhook.scorecard._lanes import LaneStatus, counts_by, lane_status, percent
from offhook.scorecard._rules import LaneRules
from offhook.stats import ClusteredProportion, Repeats, clustered_wilson, repeats

__all__ = ["TaskLane", "clustered_line", "task_lane"]


@attrs.frozen
class TaskLane:
    """``rate`` is passed / (passed + failed + measured failures + unclear), clustered by task. ``judge``
    is empty where the deterministic verdicts decide. ``pass_k`` is over tasks on one audio condition that
    ran at least k times. ``not_judged`` calls are in no rate."""

    status: LaneStatus
    floor: int
    judge: str
    passed: int
    failed: int
    measured_failures: int
    unclear: int
    not_judged: int
    rate: ClusteredProportion
    pass_k: Repeats

    @property
    def n(self) -> int:
        return self.rate.n

    @property
    def told(self) -> str:
        if self.status is LaneStatus.NOT_MEASURED:
            return "not measured (no judged call)"
        thin = f"thin, fewer than {self.floor} judged calls: " if self.status is LaneStatus.THIN else ""
        return thin + clustered_line(self.rate)


def task_lane(calls: Iterable[ScoredCall], rules: LaneRules) -> TaskLane:
    """The lane from the calls' verdicts, whoever gave them."""
    judged = [(call, call.judged) for call in calls]
    states = [state for _, state in judged]
    decided = [(call, state == "passed") for call, state in judged if state]
    rate = clustered_wilson(
        counts_by((call.scenario, passed) for call, passed in decided).values(), confidence=rules.confidence
    )
    on_equal_terms = counts_by(("\n".join(call.placed), passed) for call, passed in decided)
    return TaskLane(
        status=lane_status(rate.n, rules.task_calls),
        floor=rules.task_calls,
        judge=next((call.judge for call, _ in judged), ""),
        passed=states.count("passed"),
        failed=states.count("failed"),
        measured_failures=states.count("measured failure"),
        unclear=states.count("unclear"),
        not_judged=states.count(""),
        rate=rate,
        pass_k=repeats(on_equal_terms.values(), rules.pass_k),
    )


def clustered_line(rate: ClusteredProportion, *, unit: str = "call") -> str:
    """A rate with its interval and all that the interval rests on, in one line."""
    if rate.interval is None or rate.design is None or rate.share is None:
        return "not measured"
    level = f"{rate.interval.confidence * 100:g}% interval"
    sizes = sorted({n for _, n in rate.counts})
    each = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    tasks = "task" if rate.tasks == 1 else "tasks"
    assumed = "" if rate.design.estimable else " assumed"
    return (
        f"{percent(rate.share)} ({rate.passes} of {rate.n}; {level} {percent(rate.interval.low)} to "
        f"{percent(rate.interval.high)}; Wilson, clustered by task: design effect "
        f"{rate.design.deff:.2f}{assumed}, effective n {rate.effective_n:.1f}; "
        f"{rate.tasks} {tasks} x {each} {unit if sizes[-1] == 1 else unit + 's'})"
    )
