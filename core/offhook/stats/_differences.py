"""The difference of two pass rates: Newcombe's hybrid score interval, plain and over the same tasks."""

from __future__ import annotations

import math

import attrs

from offhook.stats._clusters import ClusteredProportion, clustered_wilson
from offhook.stats._counts import ByTask, shared_tasks
from offhook.stats._intervals import Interval, Proportion, wilson

__all__ = ["Difference", "TaskDifference", "newcombe", "newcombe_same_tasks"]


@attrs.frozen
class Difference:
    """``first - second`` in shares; ``interval`` is None where one of the two was not measured."""

    first: Proportion
    second: Proportion
    interval: Interval | None

    @property
    def measured(self) -> bool:
        return self.interval is not None

    @property
    def value(self) -> float | None:
        return _minus(self.first.share, self.second.share)

    @property
    def told(self) -> str:
        """``-12 points (95% interval -20 to -3)``, or ``not measured (no graded call)``."""
        return _told(self.value, self.interval, "no graded call")


@attrs.frozen
class TaskDifference:
    """``first - second`` in shares over ``tasks``, those with graded calls on both sides; ``left_out`` names
    the others. ``correlation`` is the one of the two rates over the tasks that the interval counts on.
    ``interval`` is None where they share no task."""

    tasks: tuple[str, ...]
    left_out: tuple[str, ...]
    first: ClusteredProportion
    second: ClusteredProportion
    correlation: float
    interval: Interval | None

    @property
    def measured(self) -> bool:
        return self.interval is not None

    @property
    def value(self) -> float | None:
        return _minus(self.first.share, self.second.share)

    @property
    def told(self) -> str:
        """``-12 points (95% interval -20 to -3)``, or ``not measured (no task in common)``."""
        return _told(self.value, self.interval, "no task in common")


def newcombe(
    first_passes: float, first_n: float, second_passes: float, second_n: float, *, confidence: float = 0.95
) -> Difference:
    """``first - second`` of two independent samples with Newcombe's hybrid score interval (Newcombe 1998b,
    method 10), without a continuity correction.

    With d the difference and l, u each sample's Wilson limits, the interval is from
    ``d - sqrt((p1 - l1)² + (u2 - p2)²)`` to ``d + sqrt((u1 - p1)² + (p2 - l2)²)``. It has a width even for
    0/0 %, and lies in -1..1. With an ``n`` of 0 the result says that nothing was measured.

    Raises:
        ValueError: NaN, negative counts, more passes than calls, or a confidence outside 0..1.
    """
    first = wilson(first_passes, first_n, confidence=confidence)
    second = wilson(second_passes, second_n, confidence=confidence)
    if first.interval is None or second.interval is None:
        return Difference(first, second, None)
    return Difference(
        first,
        second,
        _hybrid(first.passes / first.n, first.interval, second.passes / second.n, second.interval, 0.0),
    )


def newcombe_same_tasks(first: ByTask, second: ByTask, *, confidence: float = 0.95) -> TaskDifference:
    """``first - second`` over the tasks that both have, each side ``{task: (passes, graded calls)}``.

    Each side's limits are its clustered Wilson ones. Both sides met the same tasks, so their rates move
    together; with r the correlation of the two over the tasks, the interval is from
    ``d - sqrt(a² - 2 r a b + b²)`` with ``a = p1 - l1``, ``b = u2 - p2``, to ``d + sqrt(a² - 2 r a b + b²)``
    with ``a = u1 - p1``, ``b = p2 - l2``. That is Newcombe's score interval for paired samples (1998c, method
    8), with the correlation taken over whole tasks, as Zou and Donner (2008) do for any two estimates. Single
    calls are not paired: run 3 here and run 3 there have nothing in common but the task.

    r is ``sum(e1 e2) / sqrt(sum(e1²) sum(e2²))`` over tasks, with ``e = passes - share * n``, less its
    standard error ``(1 - r²) / sqrt(tasks - 1)``, and never below 0: with few tasks r is a rough guess, and
    one that is too high makes the interval too narrow. It is 0 with fewer than three tasks or where one side
    is all passes or none.

    Raises:
        ValueError: NaN, negative counts, more passes than calls, or a confidence outside 0..1.
    """
    both, left_out = shared_tasks(first, second)
    mine = clustered_wilson((first[task] for task in both), confidence=confidence)
    theirs = clustered_wilson((second[task] for task in both), confidence=confidence)
    if mine.interval is None or theirs.interval is None:
        return TaskDifference(both, left_out, mine, theirs, 0.0, None)
    correlation = _task_correlation(mine, theirs)
    interval = _hybrid(
        mine.passes / mine.n, mine.interval, theirs.passes / theirs.n, theirs.interval, correlation
    )
    return TaskDifference(both, left_out, mine, theirs, correlation, interval)


def _task_correlation(first: ClusteredProportion, second: ClusteredProportion) -> float:
    if first.tasks < 3:  # two tasks always lie on a line
        return 0.0
    a, b = _residuals(first), _residuals(second)
    scale = math.sqrt(math.fsum(x * x for x in a) * math.fsum(y * y for y in b))
    if scale < 1e-12:
        return 0.0
    found = min(1.0, math.fsum(x * y for x, y in zip(a, b, strict=True)) / scale)
    return max(0.0, found - (1 - found * found) / math.sqrt(first.tasks - 1))


def _residuals(rate: ClusteredProportion) -> list[float]:
    share = rate.passes / rate.n
    return [passes - share * n for passes, n in rate.counts]


def _hybrid(p1: float, first: Interval, p2: float, second: Interval, correlation: float) -> Interval:
    down = _combined(p1 - first.low, second.high - p2, correlation)
    up = _combined(first.high - p1, p2 - second.low, correlation)
    return Interval(max(-1.0, p1 - p2 - down), min(1.0, p1 - p2 + up), first.confidence)


def _combined(a: float, b: float, correlation: float) -> float:
    return math.sqrt(max(0.0, a * a - 2 * correlation * a * b + b * b))


def _minus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second


def _told(value: float | None, interval: Interval | None, why_not: str) -> str:
    if value is None or interval is None:
        return f"not measured ({why_not})"
    return (
        f"{value * 100:+.0f} points ({interval.confidence * 100:g}% interval "
        f"{interval.low * 100:+.0f} to {interval.high * 100:+.0f})"
    )
