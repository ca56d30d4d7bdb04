"""How many calls tell two platforms apart: against statsmodels and against simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import power_proportions_2indep, samplesize_proportions_2indep_onetail

from offhook.stats import CallPlan, calls_needed_effective, newcombe_same_tasks

RATES = st.floats(0.02, 0.98)
PLANS = st.builds(
    CallPlan, st.integers(1, 300), st.integers(1, 8), st.floats(0, 1), st.sampled_from((0.0, 0.4, 0.8))
)


@given(RATES, RATES, st.integers(2, 2000))
def test_power_equals_statsmodels(first: float, second: float, calls: int) -> None:
    if first == second:
        return
    # one-sided at half the level: statsmodels' two-sided power also counts finding the worse one the better
    side = "larger" if first > second else "smaller"
    theirs = power_proportions_2indep(
        first - second, second, calls, alpha=0.025, alternative=side, return_results=False
    )

    assert CallPlan(calls, 1).power(first, second) == pytest.approx(float(theirs), abs=1e-9)


def test_calls_needed_equal_statsmodels_and_a_textbook() -> None:
    theirs = samplesize_proportions_2indep_onetail(0.05, 0.8, 0.8, alpha=0.05, alternative="two-sided")

    assert calls_needed_effective(0.8, 0.85) == pytest.approx(theirs) == pytest.approx(905.4, abs=0.05)
    # 0.65 against 0.75 at power 0.8: 329 a group in Fleiss, Levin and Paik's formula without the correction
    assert math.ceil(calls_needed_effective(0.65, 0.75)) == 329


@given(PLANS, RATES, RATES)
def test_the_calls_needed_are_the_fewest_that_reach_the_power(
    plan: CallPlan, first: float, second: float
) -> None:
    if abs(first - second) < 0.01:
        return
    needed = plan.tasks_needed(first, second)

    assert _with(plan, tasks=needed).power(first, second) >= 0.8 - 1e-6
    if needed > 1:
        assert _with(plan, tasks=needed - 1).power(first, second) < 0.8 + 1e-6
    runs = plan.runs_needed(first, second)
    if runs is None:
        assert _with(plan, runs=10**7).power(first, second) < 0.8 + 1e-4
        return
    assert _with(plan, runs=runs).power(first, second) >= 0.8 - 1e-6
    if runs > 1:
        assert _with(plan, runs=runs - 1).power(first, second) < 0.8 + 1e-6


def _with(plan: CallPlan, *, tasks: int | None = None, runs: int | None = None) -> CallPlan:
    return CallPlan(tasks or plan.tasks, runs or plan.runs, plan.icc, plan.correlation)


@given(PLANS, st.floats(0, 1))
def test_what_can_be_told_is_what_has_the_power(plan: CallPlan, rate: float) -> None:
    below, above = plan.detectable(rate)

    for end, edge in ((below, 0.0), (above, 1.0)):
        if end is None:
            assert rate == edge or plan.power(rate, edge) < 0.8
        else:
            assert plan.power(rate, end) == pytest.approx(0.8, abs=0.01) or end == edge
            assert 0 <= end <= 1


@given(PLANS, RATES, RATES)
def test_power_is_a_share_symmetric_and_grows_with_tasks(plan: CallPlan, first: float, second: float) -> None:
    found = plan.power(first, second)

    assert 0 <= found <= 1 + 1e-12
    assert (
        found == pytest.approx(plan.power(second, first)) == pytest.approx(plan.power(1 - first, 1 - second))
    )
    assert found <= _with(plan, tasks=2 * plan.tasks).power(first, second) + 1e-9


def test_at_the_ends() -> None:
    assert CallPlan(90, 5, 0.3).power(0.8, 0.8) == pytest.approx(0.025)  # either way round: alpha in all
    assert CallPlan(90, 5).power(0.0, 0.0) == 0
    assert CallPlan(90, 5).power(0.0, 1.0) == 1
    assert CallPlan(1, 1).power(0.0, 1.0) == 0  # one call each can't be significant


def test_likeness_of_calls_costs_calls() -> None:
    plan = CallPlan(90, 5, 0.3)

    assert (plan.calls, plan.deff, plan.effective_n) == (450, pytest.approx(2.2), pytest.approx(450 / 2.2))
    assert CallPlan(90, 5, 1.0).effective_n == pytest.approx(90)
    assert plan.runs_needed(0.8, 0.85) is None


def test_planned_power_is_what_the_published_interval_delivers() -> None:
    """Tasks' own rates from a beta distribution, the same ICC; told apart when the interval leaves out 0."""
    plan = CallPlan(60, 3, 0.3)
    draw = np.random.default_rng(2)
    told = 0
    for _ in range(400):
        sides = []
        for rate in (0.6, 0.75):
            own = draw.beta(rate * 0.7 / 0.3, (1 - rate) * 0.7 / 0.3, plan.tasks)
            passes = draw.binomial(plan.runs, own).tolist()
            sides.append({f"t{i}": (c, plan.runs) for i, c in enumerate(passes)})
        interval = newcombe_same_tasks(*sides).interval
        assert interval is not None
        told += not interval.contains(0)

    assert told / 400 == pytest.approx(plan.power(0.6, 0.75), abs=0.07)


@pytest.mark.parametrize(
    "wrong",
    [
        {"tasks": 0},
        {"runs": 0},
        {"icc": 1.2},
        {"icc": math.nan},
        {"correlation": 1.0},
        {"alpha": 0.0},
    ],
)
def test_wrong_plans_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must"):
        CallPlan(**{"tasks": 2, "runs": 2, **wrong})


def test_wrong_questions_are_refused() -> None:
    plan = CallPlan(10, 2)
    with pytest.raises(ValueError, match="equal rates"):
        plan.tasks_needed(0.5, 0.5)
    with pytest.raises(ValueError, match="rate must lie"):
        plan.power(0.5, 80)
    with pytest.raises(ValueError, match="power must lie"):
        plan.detectable(0.5, power=0.01)


def test_numbers_beyond_all_calls_are_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="at most 1000000000"):
        CallPlan(10**400, 1)
    with pytest.raises(ValueError, match="at most 1000000000"):
        CallPlan(1, 10**400)
    with pytest.raises(ValueError, match="no number of calls tells equal rates apart"):
        calls_needed_effective(5e-324, 0.0)
    assert CallPlan(10**9, 10**9, 0.3).power(0.8, 0.85) == 1.0
