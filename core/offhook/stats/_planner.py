"""How many calls tell two platforms apart, and what a number of calls can tell."""

from __future__ import annotations

import math
from typing import Final

import attrs

__all__ = ["CallPlan", "calls_needed_effective"]

_MOST: Final = 10**9
_CLOSEST: Final = 1e-9  # rates closer than that are equal for all that calls can tell


@attrs.frozen
class CallPlan:
    """``tasks`` x ``runs`` calls to each of two platforms, compared two-sidedly at level ``alpha``.

    ``icc`` is the likeness of calls of one task, 0..1: the design effect is ``1 + (runs - 1) * icc`` (Kish
    1965). ``correlation``, 0..1, is that of the two platforms' rates over the tasks they share; 0 is the safe
    assumption.

    Raises:
        ValueError: on making one with tasks or runs below 1 or above a billion, or a share out of its range.
    """

    tasks: int
    runs: int
    icc: float = 0.0
    correlation: float = 0.0
    alpha: float = 0.05

    def __attrs_post_init__(self) -> None:
        if self.tasks < 1 or self.runs < 1:
            raise ValueError(f"tasks and runs must be at least 1, got {self.tasks} and {self.runs}")
        if self.tasks > _MOST or self.runs > _MOST:
            raise ValueError(f"tasks and runs must be at most {_MOST}")
        if not 0 <= self.icc <= 1:
            raise ValueError(f"icc must lie in 0..1, got {self.icc}")
        if not 0 <= self.correlation < 1:
            raise ValueError(f"correlation must lie in 0..1 and below 1, got {self.correlation}")
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha must lie between 0 and 1, got {self.alpha}")

    @property
    def calls(self) -> int:
        """Calls to each platform."""
        return self.tasks * self.runs

    @property
    def deff(self) -> float:
        return 1 + (self.runs - 1) * self.icc

    @property
    def effective_n(self) -> float:
        return self.calls / self.deff

    def power(self, first: float, second: float) -> float:
        """The chance that these calls tell a platform that passes a share ``first`` from one that passes
        ``second``, the better one being found the better: the normal approximation of the two-sided test of
        two proportions, pooled variance under the null hypothesis, at the effective sample size (Fleiss,
        Levin and Paik 2003, chapter 4).

        Raises:
            ValueError: a rate outside 0..1.
        """
        from statistics import NormalDist

        under_null, under_truth = _spreads(first, second, self.correlation)
        gap = abs(first - second) * math.sqrt(self.effective_n)
        bar = _z(self.alpha) * under_null
        if under_truth == 0:  # rates of 0 and 1: every call agrees
            return 1.0 if gap > bar else 0.0
        return NormalDist().cdf((gap - bar) / under_truth)

    def tasks_needed(self, first: float, second: float, *, power: float = 0.8) -> int:
        """The fewest tasks that, with as many runs of each, reach a ``power``.

        Raises:
            ValueError: equal rates, which no number of calls tells apart, a rate outside 0..1, or a power
                outside ``alpha``..1.
        """
        wanted = calls_needed_effective(
            first, second, power=power, alpha=self.alpha, correlation=self.correlation
        )
        return max(1, math.ceil(wanted * self.deff / self.runs - 1e-9))

    def runs_needed(self, first: float, second: float, *, power: float = 0.8) -> int | None:
        """The fewest runs of these tasks that reach a ``power``; None where no number of runs does, because
        more calls of one task say less and less.

        Raises:
            ValueError: as for ``tasks_needed``.
        """
        wanted = calls_needed_effective(
            first, second, power=power, alpha=self.alpha, correlation=self.correlation
        )
        # tasks * m / (1 + (m - 1) * icc) >= wanted, solved for m
        slack = self.tasks - wanted * self.icc
        if slack <= 0:
            return 1 if wanted <= self.tasks else None
        return max(1, math.ceil(wanted * (1 - self.icc) / slack - 1e-9))

    def detectable(self, rate: float, *, power: float = 0.8) -> tuple[float | None, float | None]:
        """The nearest rates below and above ``rate`` that these calls tell from it with a ``power``; None on
        a side where not even 0 or 1 is far enough.

        Raises:
            ValueError: a rate outside 0..1, or a power outside ``alpha``..1.
        """
        _check_power(power, self.alpha)
        return self._nearest(rate, 0.0, power), self._nearest(rate, 1.0, power)

    def _nearest(self, rate: float, end: float, power: float) -> float | None:
        if rate == end or self.power(rate, end) < power:
            return None
        # Power grows with the distance from rate, so halving finds where it is reached.
        near, far = rate, end
        while abs(far - near) > 1e-9:
            middle = (near + far) / 2
            near, far = (near, middle) if self.power(rate, middle) >= power else (middle, far)
        return far


def calls_needed_effective(
    first: float, second: float, *, power: float = 0.8, alpha: float = 0.05, correlation: float = 0.0
) -> float:
    """Independent calls to each platform that tell rates ``first`` and ``second`` apart (Fleiss, Levin and
    Paik 2003, chapter 4, without a continuity correction); times the design effect it is calls.

    Raises:
        ValueError: equal rates, a rate outside 0..1, or a power outside ``alpha``..1.
    """
    _check_power(power, alpha)
    under_null, under_truth = _spreads(first, second, correlation)
    if abs(first - second) < _CLOSEST:
        raise ValueError(f"no number of calls tells equal rates apart, got {first} and {second}")
    from statistics import NormalDist

    reach = _z(alpha) * under_null + NormalDist().inv_cdf(power) * under_truth
    return (reach / (first - second)) ** 2


def _spreads(first: float, second: float, correlation: float) -> tuple[float, float]:
    """Standard deviations of one call's difference: were the rates equal, and as they are."""
    for rate in (first, second):
        if not 0 <= rate <= 1:
            raise ValueError(f"a rate must lie in 0..1, got {rate}")
    mean = (first + second) / 2
    a, b = first * (1 - first), second * (1 - second)
    under_null = math.sqrt(2 * mean * (1 - mean) * (1 - correlation))
    return under_null, math.sqrt(max(0.0, a + b - 2 * correlation * math.sqrt(a * b)))


def _z(alpha: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(1 - alpha / 2)


def _check_power(power: float, alpha: float) -> None:
    if not alpha < power < 1:
        raise ValueError(f"power must lie between alpha and 1, got {power}")
