"""How far the runs of one scorecard agree with each other, against the bars of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import attrs

from offhook.scorecard._conversation import CONVERSATION_GRADER
from offhook.scorecard._input import ScoredCall
from offhook.scorecard._lanes import counts_by
from offhook.scorecard._rules import LaneRules
from offhook.scorecard._speed import call_waits
from offhook.stats import run_spread

__all__ = ["Stability", "StabilityBar", "stability"]

_FEWEST_YIELDS = 4  # quartiles of fewer values are the values themselves


@attrs.frozen
class StabilityBar:
    """One measure against its bar. ``unit`` is ``share``, ``points`` or ``s``; ``value`` and ``bar`` are
    shares or seconds. ``at_least`` says which side of the bar is good, ``of`` what the value rests on.
    ``value`` is None, and ``why_not`` says why, where it can't be measured."""

    name: str
    value: float | None
    bar: float
    unit: str
    at_least: bool = False
    of: str = ""
    why_not: str = ""

    @property
    def holds(self) -> bool | None:
        if self.value is None:
            return None
        # A value that is equal to its bar on paper must not miss it by a rounding error.
        return self.value >= self.bar - 1e-9 if self.at_least else self.value <= self.bar + 1e-9

    @property
    def told(self) -> str:
        side = "at least" if self.at_least else "at most"
        bar = f"bar: {side} {_amount(self.bar, self.unit)}"
        if self.value is None:
            return f"{self.name}: not measured ({self.why_not}; {bar})"
        verdict = "held" if self.holds else "missed"
        return f"{self.name}: {_amount(self.value, self.unit)} over {self.of} ({bar}): {verdict}"


@attrs.frozen
class Stability:
    """``reruns`` are the runs with a judged call. ``agreement``: of any two runs of a task, how many had
    the same verdict, averaged over tasks. ``pass_sd``: standard deviation of the runs' pass rates, over
    runs - 1. ``p50``: the largest distance of a run's median wait from the mean of all runs' medians, as a
    share of it. ``yield_iqr``: the spread of the middle half of the times the agent took to yield."""

    reruns: int
    agreement: StabilityBar
    pass_sd: StabilityBar
    p50: StabilityBar
    yield_iqr: StabilityBar

    @property
    def bars(self) -> tuple[StabilityBar, ...]:
        return (self.agreement, self.pass_sd, self.p50, self.yield_iqr)


def stability(calls: Iterable[ScoredCall], rules: LaneRules) -> Stability:
    """The block over the runs that ``CallKey.run`` tells apart."""
    every = list(calls)
    judged = [(call, state == "passed") for call in every if (state := call.judged)]
    runs = counts_by((f"{call.record.key.run:06d}", passed) for call, passed in judged)
    return Stability(
        reruns=len(runs),
        agreement=_agreement(judged, rules),
        pass_sd=_pass_sd(list(runs.values()), rules),
        p50=_p50(every, rules),
        yield_iqr=_yield_iqr(every, rules),
    )


def _agreement(judged: Sequence[tuple[ScoredCall, bool]], rules: LaneRules) -> StabilityBar:
    by_task: dict[tuple[str, str], list[bool]] = {}
    for call, passed in judged:
        by_task.setdefault(call.placed, []).append(passed)
    shares = []
    for verdicts in by_task.values():
        pairs = list(combinations(verdicts, 2))
        if pairs:
            shares.append(sum(a == b for a, b in pairs) / len(pairs))
    bar = StabilityBar("verdict agreement", None, rules.agreement_bar, "share", at_least=True)
    if not shares:
        return attrs.evolve(bar, why_not="no task was judged twice")
    return attrs.evolve(bar, value=sum(shares) / len(shares), of=_many(len(shares), "task"))


def _pass_sd(runs: list[tuple[int, int]], rules: LaneRules) -> StabilityBar:
    spread = run_spread(runs)
    bar = StabilityBar("pass rate SD", spread.sd, rules.pass_sd_bar, "points")
    if spread.sd is None:
        return attrs.evolve(bar, why_not="fewer than two judged runs")
    return attrs.evolve(bar, of=_many(len(spread.runs), "run"))


def _p50(calls: Sequence[ScoredCall], rules: LaneRules) -> StabilityBar:
    from statistics import median

    waits: dict[int, list[float]] = {}
    for call in calls:
        if call.quiet and (found := call_waits(call)):
            waits.setdefault(call.record.key.run, []).extend(found)
    medians = [median(found) for _, found in sorted(waits.items())]
    mean = sum(medians) / len(medians) if medians else 0.0
    bar = StabilityBar("p50 wait, run to run", None, rules.p50_bar, "share")
    if len(medians) < 2 or mean <= 0:
        return attrs.evolve(bar, why_not="fewer than two runs with waits")
    farthest = max(abs(each - mean) for each in medians)
    return attrs.evolve(bar, value=farthest / mean, of=_many(len(medians), "run"))


def _yield_iqr(calls: Sequence[ScoredCall], rules: LaneRules) -> StabilityBar:
    times = [
        float(found["yield_s"])
        for call in calls
        if call.measured(CONVERSATION_GRADER)
        for found in call.evidence(CONVERSATION_GRADER).get("yields", ())
        if found.get("yield_s") is not None
    ]
    bar = StabilityBar("barge-in yield IQR", None, rules.yield_iqr_bar_s, "s")
    if len(times) < _FEWEST_YIELDS:
        return attrs.evolve(bar, why_not=f"{_many(len(times), 'yield')}, {_FEWEST_YIELDS} are needed")
    return attrs.evolve(bar, value=_iqr(times), of=_many(len(times), "yield"))


def _iqr(values: Sequence[float]) -> float:
    import numpy as np

    low, high = np.percentile(np.asarray(values, dtype=np.float64), [25, 75], method="linear")
    return float(high - low)


def _amount(value: float, unit: str) -> str:
    if unit == "s":
        return f"{value * 1000:.0f} ms"
    return f"{value * 100:.1f} points" if unit == "points" else f"{value * 100:.0f}%"


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
