"""Intervals, and a proportion with its Wilson score interval."""

from __future__ import annotations

import math

import attrs

from offhook.stats._counts import check_confidence, check_count

__all__ = ["Interval", "Proportion", "percent", "wilson", "wilson_limits", "z_value"]


@attrs.frozen
class Interval:
    """``low`` to ``high`` at a two-sided ``confidence``, in the unit of what was measured."""

    low: float
    high: float
    confidence: float = 0.95

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    def overlaps(self, other: Interval) -> bool:
        """Whether the two share a point; ends that touch do."""
        return self.low <= other.high and other.low <= self.high

    def contains(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def told(self) -> str:
        """For shares: ``95% interval 49% to 90%``."""
        return f"{self.confidence * 100:g}% interval {percent(self.low)} to {percent(self.high)}"


@attrs.frozen
class Proportion:
    """``passes`` of ``n`` calls. ``share`` and ``interval`` are None where ``n`` is 0: not measured."""

    passes: float
    n: float
    interval: Interval | None

    @property
    def measured(self) -> bool:
        return self.interval is not None

    @property
    def share(self) -> float | None:
        return self.passes / self.n if self.n else None

    @property
    def told(self) -> str:
        """``75% (45/60; 95% interval 63% to 84%)``, or ``not measured (no graded call)``."""
        if self.interval is None:
            return "not measured (no graded call)"
        return f"{percent(self.passes / self.n)} ({self.passes:g}/{self.n:g}; {self.interval.told})"


def wilson(passes: float, n: float, *, confidence: float = 0.95) -> Proportion:
    """``passes / n`` with Wilson's score interval (Wilson 1927; Newcombe 1998a, method 3), without a
    continuity correction.

    The interval holds every true rate that a score test would not refuse; it lies in 0..1 and has a width at
    0 of n and n of n too. ``n`` need not be whole: an effective sample size is fine. With ``n`` = 0 the
    result says that nothing was measured.

    Raises:
        ValueError: NaN, negative counts, more passes than calls, or a confidence outside 0..1.
    """
    check_count(passes, n)
    check_confidence(confidence)
    if n == 0:
        return Proportion(passes, n, None)
    return Proportion(passes, n, wilson_limits(passes / n, n, confidence))


def wilson_limits(share: float, n: float, confidence: float) -> Interval:
    """The score interval around ``share`` of a sample of size ``n`` > 0."""
    z2 = z_value(confidence) ** 2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    # Under the root is n²·(p(1-p)/n + z²/4n²)/z²: dividing by n last keeps a tiny n from overflowing.
    half = math.sqrt(z2 * (n * share * (1 - share) + z2 / 4)) / (n + z2)
    # At 0 and 1 an end is the share itself, which rounding must not move.
    low, high = min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half))
    return Interval(low, high, confidence)


def z_value(confidence: float) -> float:
    """The two-sided standard normal quantile: 1.96 for 0.95."""
    from statistics import NormalDist

    return -NormalDist().inv_cdf((1 - confidence) / 2)


def percent(share: float) -> str:
    return f"{share * 100:.0f}%"
