"""Random draws that stay the same on every Python.

Only ``random()`` of a seeded Mersenne twister is promised never to change, so everything is drawn from that.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TypeVar

__all__ = ["Dice"]

T = TypeVar("T")


class Dice:
    """A seeded source of draws."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, n: int) -> int:
        """0 to ``n`` - 1, evenly."""
        return int(self._random() * n)

    def between(self, low: int, high: int) -> int:
        """``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        sums = list(accumulate(weights))
        return items[bisect_right(sums, self.below(sums[-1]))]

    def digits(self, count: int) -> str:
        return f"{self.below(10**count):0{count}d}"

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """``count`` different items, in their order of drawing."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return self.sample(items, len(items))
