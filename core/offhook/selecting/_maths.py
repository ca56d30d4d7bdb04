"""Scaling and the Pareto frontier, in exact arithmetic: a tie is a tie of the figures as they are written,
never one that rounding made or broke.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["exact", "pareto_frontier", "scale_to_best"]


def exact(value: float) -> Fraction:
    """The decimal number that a float stands for: 0.1 is one tenth.

    Raises:
        ValueError: NaN or infinity.
    """
    return Fraction(repr(float(value)))


def scale_to_best(values: Sequence[float], *, higher_is_better: bool) -> tuple[Fraction, ...]:
    """Min-max scaled: the best value becomes 0, the worst 1. Values that are all equal all become 0: none
    is worse than another.

    Raises:
        ValueError: NaN or infinity.
    """
    numbers = [exact(value) for value in values]
    if not numbers:
        return ()
    best, worst = min(numbers), max(numbers)
    if higher_is_better:
        best, worst = worst, best
    if best == worst:
        return tuple(Fraction(0) for _ in numbers)
    return tuple((number - best) / (worst - best) for number in numbers)


def pareto_frontier(points: Sequence[tuple[Fraction, Fraction]]) -> tuple[int, ...]:
    """Positions of the points that no other beats: none is at most as large in both figures and smaller in
    one. Equal points stand together.
    """
    return tuple(
        position
        for position, (a, b) in enumerate(points)
        if not any(c <= a and d <= b and (c, d) != (a, b) for c, d in points)
    )
