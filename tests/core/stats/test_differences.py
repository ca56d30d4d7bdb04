"""Differences of two pass rates, ties, and Cohen's kappa."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa as their_kappa
from statsmodels.stats.proportion import confint_proportions_2indep

from offhook.stats import (
    Interval,
    StatsUnavailable,
    clustered_wilson,
    cmh_by_task,
    cohens_kappa,
    newcombe,
    newcombe_same_tasks,
    standings,
    wilson,
)

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
TASKS = st.dictionaries(
    st.sampled_from([f"task-{i}" for i in range(20)]),
    st.integers(1, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    min_size=1,
)


# --- Newcombe, plain ---


@given(COUNTS, COUNTS)
def test_newcombe_equals_statsmodels(first: tuple[int, int], second: tuple[int, int]) -> None:
    found = newcombe(*first, *second)
    theirs = confint_proportions_2indep(*first, *second, method="newcomb", compare="diff")

    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [  # the eight examples of Newcombe 1998b, method 10
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((0, 10, 0, 10), -0.2775, 0.2775),
        ((10, 10, 0, 20), 0.6791, 1.0),
        ((10, 10, 0, 10), 0.6075, 1.0),
    ],
)
def test_newcombe_has_its_published_examples(
    counts: tuple[int, int, int, int], low: float, high: float
) -> None:
    found = newcombe(*counts).interval

    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@given(COUNTS, COUNTS)
def test_swapping_the_two_turns_the_difference_round(first: tuple[int, int], second: tuple[int, int]) -> None:
    there, back = newcombe(*first, *second), newcombe(*second, *first)

    assert there.interval is not None
    assert back.interval is not None
    assert there.value == pytest.approx(-back.value)  # type: ignore[operator]
    assert there.interval.low == pytest.approx(-back.interval.high)
    assert -1 <= there.interval.low < there.interval.high <= 1
    assert there.interval.contains(there.value)  # type: ignore[arg-type]


def test_a_difference_with_nothing_is_not_measured() -> None:
    found = newcombe(3, 5, 0, 0)

    assert (found.measured, found.value, found.interval) == (False, None, None)
    assert found.told == "not measured (no graded call)"
    assert found.first.share == 0.6


def test_a_difference_is_told_in_points() -> None:
    assert newcombe(48, 80, 56, 70).told == "-20 points (95% interval -33 to -5)"


# --- Newcombe, on the same tasks ---


def same(first: list[int], second: list[int], runs: int) -> tuple[dict[str, tuple[int, int]], ...]:
    return tuple({f"t{i}": (c, runs) for i, c in enumerate(passes)} for passes in (first, second))


def test_rates_that_rise_and_fall_with_the_task_narrow_the_interval() -> None:
    first, second = same([3, 3, 3, 2, 1, 0, 0, 3, 3, 1], [3, 3, 2, 1, 0, 0, 0, 2, 3, 0], 3)
    shuffled = {f"t{i}": second[f"t{(i + 5) % 10}"] for i in range(10)}

    together, apart = newcombe_same_tasks(first, second), newcombe_same_tasks(first, shuffled)

    assert together.interval is not None
    assert apart.interval is not None
    assert together.value == pytest.approx(apart.value) == pytest.approx(5 / 30)
    assert together.correlation > 0.6
    assert apart.correlation == 0
    assert together.interval.half_width < 0.7 * apart.interval.half_width
    assert together.interval.low > 0 > apart.interval.low


def test_without_correlation_it_is_the_hybrid_of_clustered_limits() -> None:
    first, second = same([3, 0, 3, 0], [3, 3, 0, 0], 3)

    found = newcombe_same_tasks(first, second)
    one, other = (clustered_wilson(side.values()).interval for side in (first, second))

    assert found.correlation == 0
    assert found.interval is not None
    assert one is not None
    assert other is not None
    down = ((0.5 - one.low) ** 2 + (other.high - 0.5) ** 2) ** 0.5
    assert found.interval.low == pytest.approx(-down)


def test_correlation_by_hand() -> None:
    first, second = same([4, 2, 0, 2], [3, 2, 1, 4], 4)

    # residuals 2 0 -2 0 and 0.5 -0.5 -1.5 1.5
    r = 4 / (8 * 5) ** 0.5
    assert newcombe_same_tasks(first, second).correlation == pytest.approx(r - (1 - r * r) / 3**0.5)


def test_with_one_call_each_the_plain_limits_are_used() -> None:
    first, second = same([1, 1, 0, 1, 0, 1], [1, 0, 0, 1, 1, 1], 1)

    found = newcombe_same_tasks(first, second)

    assert found.first.interval == wilson(4, 6).interval
    assert found.second.interval == wilson(4, 6).interval


def test_tasks_that_only_one_side_has_are_named_and_left_out() -> None:
    found = newcombe_same_tasks({"a": (1, 2), "b": (2, 2), "c": (0, 0)}, {"a": (2, 2), "c": (1, 1)})

    assert (found.tasks, found.left_out) == (("a",), ("b", "c"))
    assert found.value == -0.5


def test_no_task_in_common_is_not_measured() -> None:
    found = newcombe_same_tasks({"a": (1, 2)}, {"b": (1, 2)})

    assert (found.measured, found.value) == (False, None)
    assert found.told == "not measured (no task in common)"


@given(TASKS, TASKS)
def test_same_tasks_swap_and_stay_in_range(
    first: dict[str, tuple[int, int]], second: dict[str, tuple[int, int]]
) -> None:
    there, back = newcombe_same_tasks(first, second), newcombe_same_tasks(second, first)

    assert there.tasks == back.tasks
    assert 0 <= there.correlation <= 1
    if there.interval is None:
        assert set(first).isdisjoint(second)
        return
    assert back.interval is not None
    assert there.interval.low == pytest.approx(-back.interval.high)
    assert -1 <= there.interval.low <= there.value <= there.interval.high <= 1  # type: ignore[operator]


@pytest.mark.parametrize(
    ("shared", "tasks", "runs", "at_least"), [(0.0, 24, 3, 0.92), (0.7, 24, 3, 0.93), (0.7, 90, 5, 0.93)]
)
def test_same_task_intervals_cover_the_true_difference(
    shared: float, tasks: int, runs: int, at_least: float
) -> None:
    """Tasks' own rates: half easy, half hard; a share of tasks is as hard for both platforms."""
    draw = np.random.default_rng(11)
    covered = plain = 0
    for _ in range(400):
        hard = draw.random(tasks) < 0.5
        other = np.where(draw.random(tasks) < shared, hard, draw.random(tasks) < 0.5)
        first = draw.binomial(runs, np.where(hard, 0.3, 0.9))
        second = draw.binomial(runs, np.where(other, 0.2, 0.7))
        found = newcombe_same_tasks(*same(first.tolist(), second.tolist(), runs))
        assert found.interval is not None
        covered += found.interval.contains(0.6 - 0.45)
        together = newcombe(int(first.sum()), tasks * runs, int(second.sum()), tasks * runs)
        plain += together.interval.contains(0.15)  # type: ignore[union-attr]

    assert covered / 400 >= at_least
    assert covered > plain or shared > 0


# --- ties ---


def test_overlap_is_a_tie_and_places_are_ranges() -> None:
    found = standings(
        {
            "a": Interval(0.80, 0.90),
            "b": Interval(0.70, 0.82),
            "c": Interval(0.60, 0.75),
            "d": None,
            "e": Interval(0.1, 0.2),
        }
    )

    assert [(one.name, one.ties, one.place) for one in found] == [
        ("a", ("b",), "1-2"),
        ("b", ("a", "c"), "1-3"),
        ("c", ("b",), "2-3"),
        ("d", (), "not measured"),
        ("e", (), "4"),
    ]
    assert [one.measured for one in found] == [True, True, True, False, True]
    assert standings({}) == ()


# --- kappa ---

LABELS = st.sampled_from(("pass", "fail", "unclear"))


@given(st.lists(st.tuples(LABELS, LABELS), min_size=2, max_size=60))
def test_kappa_equals_statsmodels_where_that_has_a_width(pairs: list[tuple[str, str]]) -> None:
    found = cohens_kappa(pairs)

    assert found.n == len(pairs)
    assert found.agreed == sum(a == b for a, b in pairs)
    if found.interval is None:
        assert len(found.labels) == 1
        return
    with np.errstate(divide="ignore", invalid="ignore"):
        theirs = their_kappa([list(row) for row in found.table])
    assert found.kappa == pytest.approx(theirs.kappa)
    assert -1 <= found.interval.low < found.interval.high <= 1
    if theirs.var_kappa > 1e-9:
        low, high = max(-1.0, theirs.kappa_low), min(1.0, theirs.kappa_upp)
        assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-9)


def test_kappa_by_hand() -> None:
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15

    found = cohens_kappa(pairs)

    # agreement 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4
    assert found.kappa == pytest.approx((0.7 - 0.5) / 0.5)
    assert found.labels == ("no", "yes")
    assert found.table == ((15, 10), (5, 20))
    assert found.told.startswith("kappa 0.40 (95% interval 0.1")
    assert found.told.endswith("; 35 of 50 agree)")


def test_full_agreement_on_few_items_is_not_certain() -> None:
    found = cohens_kappa([("pass", "pass")] * 8 + [("fail", "fail")] * 2)

    assert found.kappa == 1
    assert found.interval is not None
    # at the lower Wilson limit of 10 of 10, 0.7225, with a chance agreement of 0.68
    assert found.interval.low == pytest.approx((0.72247 - 0.68) / 0.32, abs=1e-4)
    assert found.interval.high == 1


@pytest.mark.parametrize(
    ("pairs", "why"),
    [([], "no item was labelled by both"), ([("pass", "pass")] * 9, "every label is 'pass'")],
)
def test_kappa_that_can_not_be_told_says_why(pairs: list[tuple[str, str]], why: str) -> None:
    found = cohens_kappa(pairs)

    assert (found.measured, found.kappa, found.interval) == (False, None, None)
    assert found.told.startswith(f"not measured ({why}")


# --- statsmodels is an extra ---


def test_a_missing_statsmodels_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("statsmodels.stats.inter_rater", "statsmodels.stats.contingency_tables"):
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(StatsUnavailable, match=r"^Cohen's kappa needs .*: pip install 'offhook\[stats\]'$"):
        cohens_kappa([("a", "b"), ("b", "b")])
    with pytest.raises(StatsUnavailable, match=r"pip install 'offhook\[stats\]'"):
        cmh_by_task({"t": (1, 2)}, {"t": (2, 2)})
