"""Statistics of counted calls: intervals, differences, repeats, tests over tasks and planning.

Every function is pure and returns a frozen object that carries what it was computed from. Where there is
nothing to compute from, the object says "not measured" (``measured`` is False, ``told`` or ``why_not`` says
why); it never says 0. Numbers that can't be counts raise ValueError in one line. What needs statsmodels says
so in its ``Raises``; everything else works without. Nothing heavier than attrs is imported before a function
needs it.
"""

from __future__ import annotations

from offhook.stats._agreement import Kappa, cohens_kappa
from offhook.stats._clusters import ClusteredProportion, DesignEffect, clustered_wilson, design_effect
from offhook.stats._counts import ByTask, Count
from offhook.stats._differences import Difference, TaskDifference, newcombe, newcombe_same_tasks
from offhook.stats._intervals import Interval, Proportion, wilson
from offhook.stats._planner import CallPlan, calls_needed_effective
from offhook.stats._repeats import Repeats, RunSpread, Solved, repeats, run_spread, solved_tasks
from offhook.stats._resample import Resampled, bootstrap_by_task, bootstrap_quantile, bootstrap_ratio
from offhook.stats._stratified import CmhTest, FamilyRow, PValueFamily, benjamini_hochberg, cmh_by_task
from offhook.stats._ties import Standing, standings
from offhook.stats._unavailable import StatsUnavailable

__all__ = [
    "ByTask",
    "CallPlan",
    "ClusteredProportion",
    "CmhTest",
    "Count",
    "DesignEffect",
    "Difference",
    "FamilyRow",
    "Interval",
    "Kappa",
    "PValueFamily",
    "Proportion",
    "Repeats",
    "Resampled",
    "RunSpread",
    "Solved",
    "Standing",
    "StatsUnavailable",
    "TaskDifference",
    "benjamini_hochberg",
    "bootstrap_by_task",
    "bootstrap_quantile",
    "bootstrap_ratio",
    "calls_needed_effective",
    "clustered_wilson",
    "cmh_by_task",
    "cohens_kappa",
    "design_effect",
    "newcombe",
    "newcombe_same_tasks",
    "repeats",
    "run_spread",
    "solved_tasks",
    "standings",
    "wilson",
]
