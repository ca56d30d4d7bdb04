"""The score's components with intervals, so that ties between platforms show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import attrs

from offhook.records import lateness_fault
from offhook.scorecard._input import CardInput, ScoredCall, scored_calls
from offhook.scorecard._lanes import counts_by
from offhook.scorecard._rules import LaneRules
from offhook.scoring import (
    CLEAN,
    HEARING_GRADER,
    LATENCY_GRADER,
    HearingCounts,
    hearing_composite,
    platform_score,
)
from offhook.stats import Interval, Standing, bootstrap_by_task, clustered_wilson, standings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["COMPONENTS", "ComponentRow", "ComponentTies", "component_ties"]

COMPONENTS: Final = ("task", "hearing", "latency")

_COUNTS: Final = tuple(field.name for field in attrs.fields(HearingCounts))
_SEED: Final = 1
_RESAMPLES: Final = 2000


@attrs.frozen
class ComponentRow:
    """One run's component: ``share`` of its points in 0..1 with its interval, both None where not
    measured."""

    run: str
    share: float | None
    interval: Interval | None


@attrs.frozen
class ComponentTies:
    """All runs by one component. ``standings`` says who ties with whom: their intervals overlap."""

    component: str
    rows: tuple[ComponentRow, ...]
    standings: tuple[Standing, ...]


def component_ties(
    runs: Mapping[str, CardInput], rules: LaneRules | None = None
) -> tuple[ComponentTies, ...]:
    """Task by clustered Wilson over clean calls; hearing and latency, whose points have no such formula, by a
    bootstrap of whole tasks. Each is a share of the component's points, so the weights don't matter."""
    rules = rules or LaneRules()
    calls = {name: scored_calls(data) for name, data in runs.items()}
    makers = {"task": _task, "hearing": _hearing, "latency": _latency}
    found = []
    for component in COMPONENTS:
        rows = tuple(makers[component](name, calls[name], rules) for name in runs)
        found.append(ComponentTies(component, rows, standings({row.run: row.interval for row in rows})))
    return tuple(found)


def _task(name: str, calls: Sequence[ScoredCall], rules: LaneRules) -> ComponentRow:
    clean = [call for call in calls if call.result.graded and call.record.key.audio == CLEAN]
    counts = counts_by((call.scenario, call.result.state == "passed") for call in clean)
    rate = clustered_wilson(counts.values(), confidence=rules.confidence)
    return ComponentRow(name, rate.share, rate.interval)


def _hearing(name: str, calls: Sequence[ScoredCall], rules: LaneRules) -> ComponentRow:
    """A row for each heard call: whether its line was degraded, whether meaning was measured, the counts."""
    groups: dict[str, list[list[float]]] = {}
    for call in calls:
        numbers = call.measured(HEARING_GRADER)
        if call.record.ending == "completed" and call.result.state != "void" and numbers:
            flags = [float(call.record.key.audio != CLEAN), float("semantic_errors" in numbers)]
            counts = [float(numbers.get(count, 0)) for count in _COUNTS]
            groups.setdefault(call.scenario, []).append(flags + counts)
    return _resampled(name, groups, _hearing_share, rules)


def _hearing_share(rows: NDArray[np.float64]) -> float:
    clean, degraded = (_composite(rows[rows[:, 0] == line]) for line in (0.0, 1.0))
    part = platform_score(
        pass_share=None, c_clean=clean, c_degraded=degraded, median_s=None, p95_s=None
    ).part("hearing")
    return float("nan") if part.points is None else part.points / part.out_of


def _composite(rows: NDArray[np.float64]) -> float | None:
    """C of the rows' calls, as `offhook.scoring.pool_hearing` has it."""
    totals = dict(zip(_COUNTS, rows[:, 2:].sum(axis=0).tolist(), strict=True))
    words = totals["reference_words"]
    if not words:
        return None
    errors = totals["substitutions"] + totals["deletions"] + totals["insertions"]
    whole = bool(rows[:, 1].all())
    return hearing_composite(
        min(1.0, errors / words),
        min(1.0, totals["semantic_errors"] / words) if whole else None,
        totals["facts_heard"] / totals["facts_needed"] if totals["facts_needed"] else None,
    )


def _latency(name: str, calls: Sequence[ScoredCall], rules: LaneRules) -> ComponentRow:
    """The published waits of clean calls, where this machine kept up with at least half of them."""
    clean = [
        call
        for call in calls
        if call.record.key.audio == CLEAN
        and call.record.ending == "completed"
        and call.result.state != "void"
    ]
    kept = [call for call in clean if not lateness_fault(call.record)]
    groups: dict[str, list[float]] = {}
    for call in kept if 2 * len(kept) >= len(clean) else []:
        told = call.evidence(LATENCY_GRADER).get("latencies_s", {})
        groups.setdefault(call.scenario, []).extend(float(wait) for wait in told.get("published", ()))
    return _resampled(name, groups, _latency_share, rules)


def _latency_share(waits: NDArray[np.float64]) -> float:
    import numpy as np

    median, p95 = np.percentile(waits, [50.0, 95.0], method="linear")
    part = platform_score(
        pass_share=None, c_clean=None, c_degraded=None, median_s=float(median), p95_s=float(p95)
    ).part("latency")
    return float("nan") if part.points is None else part.points / part.out_of


def _resampled(
    name: str,
    groups: Mapping[str, ArrayLike],
    share: Callable[[NDArray[np.float64]], float],
    rules: LaneRules,
) -> ComponentRow:
    found = bootstrap_by_task(groups, share, seed=_SEED, resamples=_RESAMPLES, confidence=rules.confidence)
    return ComponentRow(name, found.value, found.interval)
