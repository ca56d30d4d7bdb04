"""Calls of one task are alike: the design effect, and the Wilson interval at the effective sample size."""

from __future__ import annotations

import math
from collections.abc import Iterable

import attrs

from offhook.stats._counts import Count, check_confidence, task_counts
from offhook.stats._intervals import Interval, percent, wilson_limits

__all__ = ["ClusteredProportion", "DesignEffect", "clustered_wilson", "design_effect"]


@attrs.frozen
class DesignEffect:
    """How much wider than that of independent calls the variance of a pass rate is.

    ``raw`` is None where the counts can't tell: one task, or every call passed, or none did. ``deff`` is the
    one to use, capped to 1..``cap`` (calls a task on average); where ``raw`` is None it is ``cap``, which
    counts tasks instead of calls.
    """

    counts: tuple[Count, ...]
    raw: float | None
    deff: float
    cap: float

    @property
    def estimable(self) -> bool:
        return self.raw is not None

    @property
    def icc(self) -> float:
        """The likeness of calls of one task that ``deff`` stands for: ``(deff - 1) / (cap - 1)``, Kish's
        ``1 + (m - 1) ICC`` turned round; 0 with one call a task."""
        return (self.deff - 1) / (self.cap - 1) if self.cap > 1 else 0.0


def design_effect(counts: Iterable[Count]) -> DesignEffect | None:
    """Kish's design effect of the pooled pass rate, tasks being the clusters, from ``(passes, graded calls)``
    of each task. None without a graded call.

    With k tasks, c of n passes in a task and p the pooled rate over N calls, the variance of the rate is
    ``k / (k - 1) * sum((c - p n)²) / N²``, the linearised variance of a ratio over whole clusters, which
    holds for unequal sizes too (Rao and Scott 1992). Over ``p (1 - p) / N``, the variance of N independent
    calls, it gives the design effect (Kish 1965, 8.2). It is capped to 1..N / k: below 1 is chance, and k
    tasks tell no less than k independent calls.

    Raises:
        ValueError: negative or NaN counts, or more passes than calls.
    """
    kept = task_counts(counts)
    if not kept:
        return None
    tasks, calls = len(kept), sum(n for _, n in kept)
    share = sum(passes for passes, _ in kept) / calls
    cap = calls / tasks
    if tasks == 1 or share in (0.0, 1.0):
        return DesignEffect(kept, None, cap, cap)
    spread = math.fsum((passes - share * n) ** 2 for passes, n in kept)
    raw = tasks / (tasks - 1) * spread / (calls * share * (1 - share))
    return DesignEffect(kept, raw, min(cap, max(1.0, raw)), cap)


@attrs.frozen
class ClusteredProportion:
    """A pass rate over calls of several tasks. ``design`` and ``interval`` are None where no call was graded:
    not measured."""

    design: DesignEffect | None
    interval: Interval | None

    @property
    def measured(self) -> bool:
        return self.interval is not None

    @property
    def counts(self) -> tuple[Count, ...]:
        """``(passes, graded calls)`` of each task that had any."""
        return self.design.counts if self.design else ()

    @property
    def passes(self) -> int:
        return sum(passes for passes, _ in self.counts)

    @property
    def n(self) -> int:
        return sum(n for _, n in self.counts)

    @property
    def tasks(self) -> int:
        return len(self.counts)

    @property
    def share(self) -> float | None:
        return self.passes / self.n if self.n else None

    @property
    def effective_n(self) -> float | None:
        """How many independent calls would tell as much: ``n / deff``."""
        return self.n / self.design.deff if self.design else None

    @property
    def told(self) -> str:
        """``75% (45/60; 95% interval 49% to 90%; 12 tasks x 5 calls, design effect 4.10, effective n 14.6)``,
        or ``not measured (no graded call)``."""
        if self.interval is None or self.design is None:
            return "not measured (no graded call)"
        sizes = sorted({n for _, n in self.counts})
        each = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        shape = f"{_many(self.tasks, 'task')} x {each} {'call' if sizes == [1] else 'calls'}"
        effect = f"design effect {self.design.deff:.2f}{'' if self.design.estimable else ' (assumed)'}"
        return (
            f"{percent(self.passes / self.n)} ({self.passes}/{self.n}; {self.interval.told}; {shape}, "
            f"{effect}, effective n {self.n / self.design.deff:.1f})"
        )


def clustered_wilson(counts: Iterable[Count], *, confidence: float = 0.95) -> ClusteredProportion:
    """The pooled pass rate with Wilson's interval at ``n / deff``, from ``(passes, graded calls)`` of each
    task: the score interval at the effective sample size (Rao and Scott 1992).

    With one call a task it is the plain Wilson interval. Tasks without a graded call are left out; with none
    left the result says that nothing was measured.

    Raises:
        ValueError: negative or NaN counts, more passes than calls, or a confidence outside 0..1.
    """
    check_confidence(confidence)
    design = design_effect(counts)
    if design is None:
        return ClusteredProportion(None, None)
    calls = sum(n for _, n in design.counts)
    share = sum(passes for passes, _ in design.counts) / calls
    return ClusteredProportion(design, wilson_limits(share, calls / design.deff, confidence))


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
