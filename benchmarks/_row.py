"""What every benchmark prints: one JSON line a figure."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

import attrs

__all__ = ["BenchRow", "print_rows"]


@attrs.frozen
class BenchRow:
    """One figure of ``make bench``. ``goal`` is a comparison such as ``"<= 0.3"``; ``how`` says what was
    measured, the task mix, the state of the cache and the cores.
    """

    name: str
    value: float
    unit: str
    goal: str
    how: str


def print_rows(rows: Iterable[BenchRow]) -> None:
    """Each row as soon as it is there; stdout holds nothing else."""
    for row in rows:
        print(json.dumps(attrs.asdict(row), ensure_ascii=False))
        sys.stdout.flush()
