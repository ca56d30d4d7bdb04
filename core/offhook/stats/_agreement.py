"""Cohen's kappa: how far two graders agree beyond chance."""

from __future__ import annotations

import math
from collections.abc import Iterable

import attrs

from offhook.stats._counts import check_confidence
from offhook.stats._intervals import Interval, wilson_limits, z_value
from offhook.stats._unavailable import statsmodels_module

__all__ = ["Kappa", "cohens_kappa"]


@attrs.frozen
class Kappa:
    """Agreement of two graders on ``n`` items. ``table[i][j]`` counts items that the first labelled
    ``labels[i]`` and the second ``labels[j]``.

    ``kappa`` and ``interval`` are None, and ``why_not`` says why, without an item or where both gave one and
    the same label throughout: agreement beyond chance can't be told then.
    """

    labels: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    kappa: float | None
    interval: Interval | None
    why_not: str = ""

    @property
    def measured(self) -> bool:
        return self.kappa is not None

    @property
    def n(self) -> int:
        return sum(map(sum, self.table))

    @property
    def agreed(self) -> int:
        """Items with the same label from both."""
        return sum(row[i] for i, row in enumerate(self.table))

    @property
    def told(self) -> str:
        """``kappa 0.81 (95% interval 0.70 to 0.92; 91 of 100 agree)``, or ``not measured (...)``."""
        if self.kappa is None or self.interval is None:
            return f"not measured ({self.why_not})"
        level = f"{self.interval.confidence * 100:g}% interval"
        return (
            f"kappa {self.kappa:.2f} ({level} {self.interval.low:.2f} to {self.interval.high:.2f}; "
            f"{self.agreed} of {self.n} agree)"
        )


def cohens_kappa(pairs: Iterable[tuple[str, str]], *, confidence: float = 0.95) -> Kappa:
    """Cohen's kappa (1960) of ``(first's label, second's label)`` of each item, unweighted, with the interval
    from its large-sample variance (Fleiss, Cohen and Everitt 1969; statsmodels' ``cohens_kappa``), clipped to
    -1..1.

    Where every label agrees that variance is 0, which is no certainty: the lower limit is then kappa at the
    lower Wilson limit of the agreement, with the chance agreement as observed. The counterpart holds at
    kappa -1 and wherever else the variance is 0.

    Raises:
        StatsUnavailable: statsmodels is missing.
        ValueError: a confidence outside 0..1.
    """
    check_confidence(confidence)
    items = list(pairs)
    labels = tuple(sorted({label for pair in items for label in pair}))
    table = tuple(
        tuple(sum(pair == (mine, theirs) for pair in items) for theirs in labels) for mine in labels
    )
    if not items:
        return Kappa(labels, table, None, None, "no item was labelled by both")
    if len(labels) == 1:
        return Kappa(labels, table, None, None, f"every label is {labels[0]!r}, so chance alone would agree")
    module = statsmodels_module("statsmodels.stats.inter_rater", "Cohen's kappa")
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):  # it also computes a z value, which nobody asks for
        found = module.cohens_kappa([list(row) for row in table], return_results=True)
    kappa, variance = float(found.kappa), float(found.var_kappa)
    if math.isfinite(variance) and variance > 1e-12:
        half = z_value(confidence) * math.sqrt(variance)
        return Kappa(
            labels, table, kappa, Interval(max(-1.0, kappa - half), min(1.0, kappa + half), confidence)
        )
    return Kappa(labels, table, kappa, _from_agreement(table, confidence))


def _from_agreement(table: tuple[tuple[int, ...], ...], confidence: float) -> Interval:
    n = sum(map(sum, table))
    agreed = sum(row[i] for i, row in enumerate(table)) / n
    chance = sum(sum(row) * sum(other[i] for other in table) for i, row in enumerate(table)) / n**2
    limits = wilson_limits(agreed, n, confidence)
    low, high = ((limit - chance) / (1 - chance) for limit in (limits.low, limits.high))
    return Interval(max(-1.0, low), min(1.0, high), confidence)
