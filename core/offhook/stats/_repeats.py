"""What repeated calls of one task say: pass^k, steadiness, spread from run to run, and who solved what."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import attrs

from offhook.stats._counts import ByTask, Count, check_count, task_counts

__all__ = ["Repeats", "RunSpread", "Solved", "repeats", "run_spread", "solved_tasks"]


@attrs.frozen
class Repeats:
    """Tasks with at least ``k`` graded calls; ``left_out`` counts those with fewer (but at least one)."""

    k: int
    counts: tuple[Count, ...]
    left_out: int

    @property
    def measured(self) -> bool:
        return bool(self.counts)

    @property
    def tasks(self) -> int:
        return len(self.counts)

    @property
    def pass_k(self) -> float | None:
        """pass^k: the chance that ``k`` calls of a task all pass, averaged over tasks. ``C(c, k) / C(n, k)``
        a task estimates it without bias from n >= k calls (Yao et al. 2024); None where not measured."""
        shares = [math.comb(passes, self.k) / math.comb(n, self.k) for passes, n in self.counts]
        return math.fsum(shares) / len(shares) if shares else None

    @property
    def all_passed_share(self) -> float | None:
        """The observed share of tasks whose graded calls all passed. Equal to ``pass_k`` with exactly ``k``
        calls of each task, lower with more; None where not measured."""
        return self.always / self.tasks if self.counts else None

    @property
    def always(self) -> int:
        """Tasks whose graded calls all passed."""
        return sum(passes == n for passes, n in self.counts)

    @property
    def never(self) -> int:
        """Tasks of which no graded call passed."""
        return sum(passes == 0 for passes, _ in self.counts)

    @property
    def mixed(self) -> int:
        """Tasks that passed at times."""
        return self.tasks - self.always - self.never

    @property
    def told(self) -> str:
        """``pass^3 31% (24 of 97 tasks always, 43 mixed, 30 never)``, or ``not measured (...)``."""
        if self.pass_k is None:
            return f"not measured (no task with {self.k} graded {'call' if self.k == 1 else 'calls'})"
        return (
            f"pass^{self.k} {self.pass_k * 100:.0f}% ({self.always} of {self.tasks} tasks always, "
            f"{self.mixed} mixed, {self.never} never)"
        )


def repeats(counts: Iterable[Count], k: int) -> Repeats:
    """Sorts tasks, given as ``(passes, graded calls)``, by how steadily they pass over ``k`` calls.

    Raises:
        ValueError: ``k`` below 1, negative or NaN counts, or more passes than calls.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    graded = task_counts(counts)
    kept = tuple((passes, n) for passes, n in graded if n >= k)
    return Repeats(k, kept, len(graded) - len(kept))


@attrs.frozen
class RunSpread:
    """Pass rates of whole runs; ``runs`` are their ``(passes, graded calls)``."""

    runs: tuple[Count, ...]

    @property
    def rates(self) -> tuple[float, ...]:
        return tuple(passes / n for passes, n in self.runs)

    @property
    def measured(self) -> bool:
        return len(self.runs) > 1

    @property
    def sd(self) -> float | None:
        """The standard deviation from run to run, over ``runs - 1``, in shares; None with fewer than two
        runs."""
        from statistics import stdev

        return stdev(self.rates) if self.measured else None

    @property
    def told(self) -> str:
        """``SD 4.0 points over 3 runs``, or ``not measured (...)``."""
        if self.sd is None:
            return "not measured (fewer than two graded runs)"
        return f"SD {self.sd * 100:.1f} points over {len(self.runs)} runs"


def run_spread(runs: Iterable[Count]) -> RunSpread:
    """The spread of whole runs, each ``(passes, graded calls)``. A run without a graded call is left out.

    Raises:
        ValueError: negative or NaN counts, or more passes than calls.
    """
    return RunSpread(task_counts(runs))


@attrs.frozen
class Solved:
    """Who solved which task. ``solvers`` has a row for each task that every platform has graded calls of;
    ``left_out`` names the other tasks."""

    platforms: tuple[str, ...]
    solvers: tuple[tuple[str, tuple[str, ...]], ...]
    left_out: tuple[str, ...]
    every_run: bool

    @property
    def measured(self) -> bool:
        return bool(self.solvers)

    @property
    def by_all(self) -> tuple[str, ...]:
        return tuple(task for task, names in self.solvers if len(names) == len(self.platforms))

    @property
    def by_one(self) -> tuple[str, ...]:
        """Tasks that exactly one platform solved."""
        return tuple(task for task, names in self.solvers if len(names) == 1)

    @property
    def by_none(self) -> tuple[str, ...]:
        return tuple(task for task, names in self.solvers if not names)


def solved_tasks(platforms: Mapping[str, ByTask], *, every_run: bool = False) -> Solved:
    """Which tasks all platforms, one, or none solved. A platform solves a task with one passed call, or, with
    ``every_run``, only when all its graded calls of it passed.

    Raises:
        ValueError: negative or NaN counts, or more passes than calls.
    """
    for counts in platforms.values():
        for passes, n in counts.values():
            check_count(passes, n)
    names = tuple(sorted(platforms))
    tasks = sorted({task for counts in platforms.values() for task in counts})
    solvers, left_out = [], []
    for task in tasks:
        found = {name: platforms[name].get(task, (0, 0)) for name in names}
        if any(n == 0 for _, n in found.values()):
            left_out.append(task)
            continue
        solved = tuple(
            name for name, (passes, n) in found.items() if (passes == n if every_run else passes > 0)
        )
        solvers.append((task, solved))
    return Solved(names, tuple(solvers), tuple(left_out), every_run)
