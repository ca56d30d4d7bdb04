"""Repeated calls: pass^k, steady tasks, spread of runs, solved tasks; tests by task and families of them."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from offhook.stats import benjamini_hochberg, cmh_by_task, repeats, run_spread, solved_tasks

COUNT = st.integers(0, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


# --- pass^k ---


def test_pass_k_is_the_share_of_draws_that_all_pass() -> None:
    outcomes = [True, True, True, False, True]
    draws = list(combinations(outcomes, 3))

    found = repeats([(4, 5)], 3)

    assert found.pass_k == pytest.approx(sum(map(all, draws)) / len(draws)) == pytest.approx(0.4)
    assert found.all_passed_share == 0


@given(st.lists(COUNT, max_size=20), st.integers(1, 6))
def test_pass_k_is_monotone_and_no_less_than_what_was_observed(counts: list[tuple[int, int]], k: int) -> None:
    found = repeats(counts, k)

    assert found.always + found.mixed + found.never == found.tasks
    assert found.tasks + found.left_out == sum(n > 0 for _, n in counts)
    assert min((n for _, n in found.counts), default=k) >= k
    if found.pass_k is None or found.all_passed_share is None:
        assert found.tasks == 0
        return
    assert 0 <= found.all_passed_share <= found.pass_k + 1e-12 <= 1 + 2e-12
    more = repeats(found.counts, k + 1)
    if more.tasks == found.tasks:
        assert more.pass_k <= found.pass_k + 1e-12  # type: ignore[operator]


def test_pass_k_is_unbiased_where_a_power_of_the_rate_is_not() -> None:
    """Over every outcome of 5 calls at a rate of 0.7, weighted by its chance, pass^3 is 0.7³."""
    expected = power = 0.0
    for passes in range(6):
        chance = math.comb(5, passes) * 0.7**passes * 0.3 ** (5 - passes)
        expected += chance * repeats([(passes, 5)], 3).pass_k  # type: ignore[operator]
        power += chance * (passes / 5) ** 3

    assert expected == pytest.approx(0.7**3)
    assert power > 0.7**3 + 0.05


def test_steadiness_is_told() -> None:
    found = repeats([(3, 3)] * 24 + [(1, 3)] * 43 + [(0, 3)] * 30 + [(1, 2)], 3)

    assert (found.always, found.mixed, found.never, found.left_out) == (24, 43, 30, 1)
    assert found.told == "pass^3 25% (24 of 97 tasks always, 43 mixed, 30 never)"
    assert found.pass_k == found.all_passed_share == 24 / 97


def test_too_few_calls_are_not_measured() -> None:
    found = repeats([(1, 2), (0, 0)], 3)

    assert (found.measured, found.pass_k, found.all_passed_share, found.left_out) == (False, None, None, 1)
    assert found.told == "not measured (no task with 3 graded calls)"


@pytest.mark.parametrize(
    ("counts", "k"), [([(1, 2)], 0), ([(3, 2)], 1), ([(-1, 2)], 1), ([(math.nan, 2)], 1)]
)
def test_wrong_counts_are_refused(counts: list[tuple[int, int]], k: int) -> None:
    with pytest.raises(ValueError, match="must"):
        repeats(counts, k)


# --- runs ---


def test_spread_divides_by_one_run_less() -> None:
    found = run_spread([(40, 100), (50, 100), (0, 0), (60, 100)])

    assert found.sd == pytest.approx(0.1)
    assert found.told == "SD 10.0 points over 3 runs"


def test_one_run_has_no_spread() -> None:
    found = run_spread([(40, 100), (0, 0)])

    assert (found.measured, found.sd) == (False, None)
    assert found.told == "not measured (fewer than two graded runs)"


# --- who solved what ---


def test_tasks_solved_by_all_one_and_none() -> None:
    platforms = {
        "b": {"t1": (1, 3), "t2": (0, 3), "t3": (0, 3), "t4": (3, 3)},
        "a": {"t1": (3, 3), "t2": (1, 3), "t3": (0, 3), "t5": (1, 1), "t4": (0, 0)},
    }

    found = solved_tasks(platforms)

    assert found.platforms == ("a", "b")
    assert (found.by_all, found.by_one, found.by_none) == (("t1",), ("t2",), ("t3",))
    assert found.left_out == ("t4", "t5")
    assert dict(found.solvers)["t2"] == ("a",)
    steady = solved_tasks(platforms, every_run=True)
    assert (steady.by_all, steady.by_one, steady.by_none) == ((), ("t1",), ("t2", "t3"))
    assert not solved_tasks({}).measured


# --- tests by task ---


def test_with_one_call_each_it_is_mcnemar() -> None:
    draw = np.random.default_rng(3)
    a, b = draw.integers(0, 2, 60), draw.integers(0, 2, 60)
    first = {f"t{i}": (int(x), 1) for i, x in enumerate(a)}
    second = {f"t{i}": (int(x), 1) for i, x in enumerate(b)}
    table = [[sum((a == x) & (b == y)) for y in (1, 0)] for x in (1, 0)]

    for correction in (False, True):
        found = cmh_by_task(first, second, correction=correction)
        theirs = mcnemar(table, exact=False, correction=correction)
        assert found.p_value == pytest.approx(theirs.pvalue)
        assert found.statistic == pytest.approx(theirs.statistic)
    assert found.telling == table[0][1] + table[1][0]


def test_admissions_at_berkeley() -> None:
    """R's ``mantelhaen.test(UCBAdmissions)`` prints M² = 1.4269, p = 0.2323, common odds ratio 0.9047."""
    men = {"A": (512, 825), "B": (353, 560), "C": (120, 325), "D": (138, 417), "E": (53, 191), "F": (22, 373)}
    women = {"A": (89, 108), "B": (17, 25), "C": (202, 593), "D": (131, 375), "E": (94, 393), "F": (24, 341)}

    found = cmh_by_task(men, women, correction=True)

    assert found.statistic == pytest.approx(1.4269, abs=5e-5)
    assert found.p_value == pytest.approx(0.2323, abs=5e-5)
    assert found.odds_ratio == pytest.approx(0.9047, abs=5e-5)


@given(
    st.dictionaries(
        st.text("abcdef", min_size=1, max_size=2), st.tuples(COUNT, COUNT), min_size=1, max_size=12
    )
)
def test_cmh_by_the_formula(tasks: dict[str, tuple[tuple[int, int], tuple[int, int]]]) -> None:
    first, second = ({name: pair[side] for name, pair in tasks.items()} for side in (0, 1))
    gap = variance = 0.0
    for (a, n), (b, m) in tasks.values():
        if n and m and n + m > 1:
            gap += a - n * (a + b) / (n + m)
            variance += n * m * (a + b) * (n + m - a - b) / ((n + m) ** 2 * (n + m - 1))

    found = cmh_by_task(first, second)

    if found.p_value is None:
        assert variance == 0
        return
    assert found.statistic == pytest.approx(gap**2 / variance, abs=1e-9)
    assert found.p_value == pytest.approx(chi2.sf(gap**2 / variance, 1), abs=1e-9)


def test_tasks_that_pass_or_fail_everywhere_tell_nothing() -> None:
    first, second = (
        {"a": (3, 3), "b": (2, 3), "c": (0, 3)},
        {"a": (3, 3), "b": (0, 3), "c": (0, 3), "d": (1, 3)},
    )

    found = cmh_by_task(first, second)

    assert (found.telling, found.tasks, found.left_out) == (1, ("a", "b", "c"), ("d",))
    assert found.p_value == cmh_by_task({"b": (2, 3)}, {"b": (0, 3)}).p_value
    assert "no finite odds ratio, 1 of 3 tasks tell" in found.told


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ({"a": (1, 1)}, {"b": (0, 1)}, "no task in common"),
        ({"a": (3, 3)}, {"a": (3, 3)}, "no task with both a pass and a failure"),
        ({}, {}, "no task in common"),
    ],
)
def test_no_task_that_tells_is_not_measured(
    first: dict[str, tuple[int, int]], second: dict[str, tuple[int, int]], why: str
) -> None:
    found = cmh_by_task(first, second)

    assert (found.measured, found.p_value) == (False, None)
    assert found.told == f"not measured ({why})"


# --- families ---


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.sampled_from((0.01, 0.05, 0.1)))
def test_family_equals_statsmodels(p_values: list[float], rate: float) -> None:
    found = benjamini_hochberg({f"t{i}": p for i, p in enumerate(p_values)}, rate=rate)
    differs, adjusted, *_ = multipletests(p_values, alpha=rate, method="fdr_bh")

    assert [row.adjusted for row in found.rows] == pytest.approx(list(adjusted))
    # a p value that is exactly at its bar may fall on either side by rounding
    clear = [abs(bound - rate) > 1e-12 for bound in adjusted]
    assert [row.differs for row, is_clear in zip(found.rows, clear, strict=True) if is_clear] == [
        bool(one) for one, is_clear in zip(differs, clear, strict=True) if is_clear
    ]


def test_a_family_of_56_keeps_the_small_p_values() -> None:
    p_values: dict[str, float | None] = {f"test-{i}": 0.0001 if i < 12 else 0.2 + i / 100 for i in range(56)}
    p_values["test-12"] = 0.02  # alone it would count; as the 13th of 56 its bar is 0.0116
    p_values["never-made"] = None

    found = benjamini_hochberg(p_values)

    assert found.tested == 56
    assert found.differing == tuple(f"test-{i}" for i in range(12))
    assert found.rows[-1].adjusted is None


def test_an_empty_family_and_wrong_values() -> None:
    assert benjamini_hochberg({}).rows == ()
    assert benjamini_hochberg({"a": None}).tested == 0
    for wrong in (1.1, -0.1, math.nan):
        with pytest.raises(ValueError, match=r"p value of a must lie in 0\.\.1"):
            benjamini_hochberg({"a": wrong})
    with pytest.raises(ValueError, match="false discovery rate"):
        benjamini_hochberg({"a": 0.5}, rate=5)
