"""Intervals by resampling whole tasks, for measures without a formula: latency quantiles, error rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import attrs

from offhook.stats._counts import check_confidence
from offhook.stats._intervals import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Statistic: TypeAlias = Callable[[NDArray[np.float64]], float]

__all__ = ["Resampled", "bootstrap_by_task", "bootstrap_quantile", "bootstrap_ratio"]


@attrs.frozen
class Resampled:
    """``value`` over all items of all tasks, and its bootstrap interval. Where there is nothing to compute
    both are None; with one task only the interval is. ``why_not`` says why."""

    value: float | None
    interval: Interval | None
    tasks: int
    items: int
    resamples: int
    seed: int
    why_not: str = ""

    @property
    def measured(self) -> bool:
        return self.value is not None


def bootstrap_by_task(
    groups: Mapping[str, ArrayLike],
    statistic: Statistic,
    *,
    seed: int,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Resampled:
    """``statistic`` of all items, with the percentile interval over ``resamples`` draws of whole tasks with
    replacement (Efron 1979; tasks as the units: Davison and Hinkley 1997, 3.8).

    Items of one task stay together, because they are alike. Equal groups and an equal ``seed`` give an equal
    interval, whatever the order of the groups. With fewer than about ten tasks such intervals are too narrow.

    Args:
        groups: the items of each task, of shape ``(items,)`` or ``(items, columns)``; empty groups are left
            out.
        statistic: takes the concatenated items; may return NaN where it is undefined. Draws without a value
            are left out.

    Raises:
        ValueError: an item that is not finite, groups of different shapes, or settings out of range.
    """
    import numpy as np

    check_confidence(confidence)
    if resamples < 1 or seed < 0:
        raise ValueError(f"resamples must be at least 1 and seed at least 0, got {resamples} and {seed}")
    arrays = [np.asarray(groups[task], dtype=np.float64) for task in sorted(groups)]
    kept = [items for items in arrays if len(items)]
    if any(not np.isfinite(items).all() for items in kept):
        raise ValueError("every item must be a finite number")
    if len({items.shape[1:] for items in kept}) > 1:
        raise ValueError("the items of all tasks must have as many columns")
    told = (len(kept), sum(len(items) for items in kept), resamples, seed)
    if not kept:
        return Resampled(None, None, *told, "nothing was measured")
    value = float(statistic(np.concatenate(kept)))
    if not math.isfinite(value):
        return Resampled(None, None, *told, "nothing to compute it from")
    if len(kept) == 1:
        return Resampled(value, None, *told, "one task has no spread between tasks")
    draws = np.random.default_rng(seed).integers(len(kept), size=(resamples, len(kept)))
    values = np.array([statistic(np.concatenate([kept[i] for i in draw])) for draw in draws])
    defined = values[np.isfinite(values)]
    if not len(defined):
        return Resampled(value, None, *told, "no draw has a value")
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Resampled(value, Interval(float(low), float(high), confidence), *told)


def bootstrap_quantile(
    groups: Mapping[str, ArrayLike],
    quantile: float,
    *,
    seed: int,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Resampled:
    """A quantile of pooled values, such as the 0.95 of latencies in seconds, by linear interpolation (Hyndman
    and Fan's type 7), with the interval of ``bootstrap_by_task``.

    Raises:
        ValueError: as there, or a quantile outside 0..1.
    """
    import numpy as np

    if not 0 <= quantile <= 1:
        raise ValueError(f"a quantile must lie in 0..1, got {quantile}")
    return bootstrap_by_task(
        groups,
        lambda values: float(np.quantile(values, quantile, method="linear")),
        seed=seed,
        resamples=resamples,
        confidence=confidence,
    )


def bootstrap_ratio(
    groups: Mapping[str, ArrayLike], *, seed: int, resamples: int = 2000, confidence: float = 0.95
) -> Resampled:
    """A pooled rate: the sum of the first column over that of the second, such as word errors over reference
    words of each call, with the interval of ``bootstrap_by_task``.

    Raises:
        ValueError: as there, or items that are not pairs.
    """

    def pooled(rows: NDArray[np.float64]) -> float:
        if rows.ndim != 2 or rows.shape[1] != 2:
            raise ValueError("a ratio needs pairs: (count, of how many)")
        above, below = rows.sum(axis=0)
        return float(above / below) if below > 0 else math.nan

    return bootstrap_by_task(groups, pooled, seed=seed, resamples=resamples, confidence=confidence)
