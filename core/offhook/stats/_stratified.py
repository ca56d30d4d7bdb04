"""Two arms compared task by task, and a family of such tests kept honest."""

from __future__ import annotations

import math
from collections.abc import Mapping

import attrs

from offhook.stats._counts import ByTask, shared_tasks
from offhook.stats._unavailable import statsmodels_module

__all__ = ["CmhTest", "FamilyRow", "PValueFamily", "benjamini_hochberg", "cmh_by_task"]


@attrs.frozen
class CmhTest:
    """A Cochran-Mantel-Haenszel test with tasks as strata.

    ``tasks`` have graded calls in both arms, ``left_out`` names the others; ``telling`` counts the tasks with
    both a passed and a failed call, the only ones that can tell the arms apart. ``p_value`` and ``statistic``
    are None, and ``why_not`` says why, where no task tells. ``odds_ratio`` (first over second) is None where
    it would be infinite or undefined.
    """

    first: tuple[tuple[int, int], ...]
    second: tuple[tuple[int, int], ...]
    tasks: tuple[str, ...]
    left_out: tuple[str, ...]
    telling: int
    statistic: float | None
    p_value: float | None
    odds_ratio: float | None
    why_not: str = ""

    @property
    def measured(self) -> bool:
        return self.p_value is not None

    @property
    def told(self) -> str:
        """``p = 0.012 (odds ratio 0.41, 37 of 75 tasks tell)``, or ``not measured (...)``."""
        if self.p_value is None:
            return f"not measured ({self.why_not})"
        odds = "no finite odds ratio" if self.odds_ratio is None else f"odds ratio {self.odds_ratio:.2f}"
        p_value = "p < 0.001" if self.p_value < 0.001 else f"p = {self.p_value:.3f}"
        return f"{p_value} ({odds}, {self.telling} of {len(self.tasks)} tasks tell)"


def cmh_by_task(first: ByTask, second: ByTask, *, correction: bool = False) -> CmhTest:
    """Whether two arms, each ``{task: (passes, graded calls)}``, pass the same tasks equally often: the
    Cochran-Mantel-Haenszel chi-squared test with one degree of freedom and the Mantel-Haenszel pooled odds
    ratio (Mantel and Haenszel 1959; statsmodels' ``StratifiedTable``). With one call of each task in each arm
    it is McNemar's test. ``correction`` takes the continuity correction.

    Raises:
        StatsUnavailable: statsmodels is missing.
        ValueError: negative or NaN counts, or more passes than calls.
    """
    both, left_out = shared_tasks(first, second)
    mine, theirs = tuple(first[task] for task in both), tuple(second[task] for task in both)
    tables = [
        [[a, n - a], [b, m - b]] for (a, n), (b, m) in zip(mine, theirs, strict=True) if 0 < a + b < n + m
    ]
    if not tables:
        why = "no task with both a pass and a failure" if both else "no task in common"
        return CmhTest(mine, theirs, both, left_out, 0, None, None, None, why)
    module = statsmodels_module("statsmodels.stats.contingency_tables", "the test by task")
    import numpy as np

    # tables[i] is a task; statsmodels wants the tasks on the last axis
    stacked = np.moveaxis(np.asarray(tables, dtype=np.float64), 0, -1)
    with np.errstate(divide="ignore", invalid="ignore"):
        strata = module.StratifiedTable(stacked)
        found = strata.test_null_odds(correction=correction)
        odds = float(strata.oddsratio_pooled)
    return CmhTest(
        *(mine, theirs, both, left_out, len(tables)),
        statistic=float(found.statistic),
        p_value=float(found.pvalue),
        odds_ratio=odds if math.isfinite(odds) else None,
    )


@attrs.frozen
class FamilyRow:
    """One test of a family. ``adjusted`` is the smallest false discovery rate at which it would count;
    None, like ``p_value``, where the test could not be made."""

    name: str
    p_value: float | None
    adjusted: float | None
    differs: bool


@attrs.frozen
class PValueFamily:
    """Tests judged together at a false discovery ``rate``; rows in the order they were given."""

    rate: float
    rows: tuple[FamilyRow, ...]

    @property
    def tested(self) -> int:
        return sum(row.p_value is not None for row in self.rows)

    @property
    def differing(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.rows if row.differs)


def benjamini_hochberg(p_values: Mapping[str, float | None], *, rate: float = 0.05) -> PValueFamily:
    """Which tests of a family count at a false discovery ``rate`` (Benjamini and Hochberg 1995; scipy's
    ``false_discovery_control``). A test whose p value is None was not made: it is listed and counts for
    nothing.

    Raises:
        ValueError: a p value or a rate that lies outside 0..1.
    """
    if not 0 < rate < 1:
        raise ValueError(f"the false discovery rate must lie between 0 and 1, got {rate}")
    made = {name: p for name, p in p_values.items() if p is not None}
    for name, p in made.items():
        if not 0 <= p <= 1:
            raise ValueError(f"the p value of {name} must lie in 0..1, got {p}")
    adjusted: dict[str, float] = {}
    if made:
        from scipy.stats import false_discovery_control

        found = false_discovery_control(list(made.values()), method="bh")
        adjusted = {name: float(p) for name, p in zip(made, found, strict=True)}
    rows = tuple(
        FamilyRow(name, p, adjusted.get(name), name in adjusted and adjusted[name] <= rate)
        for name, p in p_values.items()
    )
    return PValueFamily(rate, rows)
