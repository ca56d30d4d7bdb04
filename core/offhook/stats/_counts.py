"""Counted calls, checked once: every function of the package takes them from here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeAlias

__all__ = ["ByTask", "Count", "check_confidence", "check_count", "shared_tasks", "task_counts"]

Count: TypeAlias = tuple[int, int]
"""``(passes, graded calls)``."""

ByTask: TypeAlias = Mapping[str, Count]
"""Counted calls of each task, by its name."""


def check_count(passes: float, n: float) -> None:
    """Raises ValueError, in one line, for what is no count of passes among calls."""
    if not (math.isfinite(passes) and math.isfinite(n)):
        raise ValueError(f"passes and n must be finite numbers, got {passes} of {n}")
    if not 0 <= passes <= n:
        raise ValueError(f"passes must lie in 0..n, got {passes} of {n}")


def check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")


def task_counts(counts: Iterable[Count]) -> tuple[Count, ...]:
    """The checked counts of tasks with at least one graded call; one without has nothing to say."""
    found = tuple((passes, n) for passes, n in counts)
    for passes, n in found:
        check_count(passes, n)
    return tuple((passes, n) for passes, n in found if n > 0)


def shared_tasks(first: ByTask, second: ByTask) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the tasks with graded calls on both sides, and of all others, both sorted."""
    for passes, n in (*first.values(), *second.values()):
        check_count(passes, n)
    none = (0, 0)
    everywhere = sorted({*first, *second})
    both = tuple(t for t in everywhere if first.get(t, none)[1] > 0 and second.get(t, none)[1] > 0)
    kept = set(both)
    return both, tuple(task for task in everywhere if task not in kept)
