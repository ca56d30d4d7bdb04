"""Wilson and clustered Wilson: published figures, statsmodels, properties, and what nothing says."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from offhook.stats import Interval, clustered_wilson, design_effect, wilson

COUNTS = st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CONFIDENCES = st.sampled_from((0.8, 0.9, 0.95, 0.99))
TASKS = st.lists(
    st.integers(0, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=30
).filter(lambda counts: any(n for _, n in counts))
# 45 of 60 over 12 tasks of 5, spread so that the design effect is the published one
PUBLISHED = [(5, 5)] * 8 + [(3, 5), (1, 5), (1, 5), (0, 5)]


def limits(passes: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    interval = wilson(passes, n, confidence=confidence).interval
    assert interval is not None
    return interval.low, interval.high


# --- Wilson ---


@given(COUNTS, CONFIDENCES)
def test_wilson_equals_statsmodels_and_scipy(count: tuple[int, int], confidence: float) -> None:
    theirs = proportion_confint(*count, alpha=1 - confidence, method="wilson")
    scipys = binomtest(*count).proportion_ci(confidence_level=confidence, method="wilson")

    assert limits(*count, confidence) == pytest.approx(theirs, abs=1e-9)
    assert limits(*count, confidence) == pytest.approx(tuple(scipys), abs=1e-9)


def test_widest_interval_of_450_calls_is_4_6_points_each_way() -> None:
    widths = [wilson(passes, 450).interval.half_width for passes in range(451)]  # type: ignore[union-attr]

    assert max(widths) == widths[225] == pytest.approx(0.046, abs=5e-5)


@given(COUNTS)
def test_interval_lies_in_0_to_1_holds_the_share_and_has_width(count: tuple[int, int]) -> None:
    low, high = limits(*count)

    assert 0 <= low <= count[0] / count[1] <= high <= 1
    assert low < high


@given(COUNTS)
def test_failures_mirror_passes(count: tuple[int, int]) -> None:
    passes, n = count
    low, high = limits(passes, n)

    assert limits(n - passes, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@given(st.integers(2, 500).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_one_more_pass_raises_both_ends(count: tuple[int, int]) -> None:
    passes, n = count
    low, high = limits(passes, n)
    better = limits(passes + 1, n)

    assert low < better[0]
    assert high < better[1] or better[1] == 1


@given(st.floats(0, 1), st.floats(0.01, 1e6), st.floats(1.01, 10))
def test_more_calls_narrow_it_and_n_need_not_be_whole(share: float, n: float, times: float) -> None:
    few, many = limits(min(share * n, n), n), limits(min(share * n * times, n * times), n * times)

    assert many[1] - many[0] < few[1] - few[0]


def test_n_0_says_not_measured() -> None:
    nothing = wilson(0, 0)

    assert (nothing.measured, nothing.share, nothing.interval) == (False, None, None)
    assert nothing.told == "not measured (no graded call)"


def test_none_of_five_is_told_with_its_width() -> None:
    assert wilson(0, 5).told == "0% (0/5; 95% interval 0% to 43%)"


@pytest.mark.parametrize(
    "count", [(3, 2), (-1, 2), (0, -1), (math.nan, 3), (1, math.nan), (1, math.inf), (-math.inf, 2)]
)
def test_what_is_no_count_is_refused_in_one_line(count: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"^passes (must lie in 0\.\.n|and n must be finite)[^\n]*$"):
        wilson(*count)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, math.nan])
def test_a_confidence_is_a_share(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence must lie between 0 and 1"):
        wilson(1, 2, confidence=confidence)
    with pytest.raises(ValueError, match="confidence must lie between 0 and 1"):
        clustered_wilson([(1, 2)], confidence=confidence)


def test_intervals_overlap_where_they_share_a_point() -> None:
    middle = Interval(0.4, 0.6)

    assert middle.overlaps(Interval(0.6, 0.9))
    assert Interval(0.6, 0.9).overlaps(middle)
    assert middle.overlaps(Interval(0.45, 0.5))
    assert not middle.overlaps(Interval(0.61, 0.9))
    assert middle.contains(0.4)
    assert not middle.contains(0.39)


# --- clusters ---


def test_published_line_comes_out() -> None:
    rate = clustered_wilson(PUBLISHED)

    assert rate.told == (
        "75% (45/60; 95% interval 49% to 90%; 12 tasks x 5 calls, design effect 4.10, effective n 14.6)"
    )
    assert (rate.passes, rate.n, rate.tasks, rate.share) == (45, 60, 12, 0.75)


def test_no_other_spread_of_45_over_12_tasks_has_the_published_design_effect() -> None:
    """Only the sum of squares matters, so the published 4.10 pins formula and spread."""
    square = sum(passes * passes for passes, _ in PUBLISHED)
    effects = {other: 12 / 11 * (other - 12 * 3.75**2) / (60 * 0.75 * 0.25) for other in range(180, 226)}

    assert effects[square] == pytest.approx(design_effect(PUBLISHED).raw)  # type: ignore[union-attr]
    assert [other for other, effect in effects.items() if f"{effect:.2f}" == "4.10"] == [square]


def test_unequal_tasks_by_hand() -> None:
    design = design_effect([(2, 2), (0, 4), (3, 6)])

    # share 5/12; residuals 7/6, -5/3, 1/2
    spread = (7 / 6) ** 2 + (5 / 3) ** 2 + 0.25
    assert design is not None
    assert design.raw == pytest.approx(3 / 2 * spread / (12 * 5 / 12 * 7 / 12))
    assert design.cap == 4
    assert design.deff == design.raw


def test_equal_sizes_equal_the_variance_of_task_means() -> None:
    """With equal sizes the ratio estimator is the plain mean of task rates."""
    from statistics import variance

    counts = [(passes, 5) for passes in (5, 4, 4, 2, 0, 1)]
    rates = [passes / n for passes, n in counts]
    share = sum(rates) / 6

    design = design_effect(counts)

    assert design is not None
    assert design.raw == pytest.approx(variance(rates) / 6 / (share * (1 - share) / 30))


@given(TASKS, CONFIDENCES)
def test_clustered_lies_between_calls_and_tasks(counts: list[tuple[int, int]], confidence: float) -> None:
    rate = clustered_wilson(counts, confidence=confidence)
    graded = [count for count in counts if count[1]]

    assert rate.design is not None
    assert rate.interval is not None
    assert rate.effective_n is not None
    assert 1 <= rate.design.deff <= rate.design.cap == rate.n / len(graded)
    assert len(graded) <= rate.effective_n + 1e-9
    assert 0 <= rate.design.icc <= 1
    low, high = limits(rate.passes, rate.n, confidence)
    assert 0 <= rate.interval.low <= low + 1e-12
    assert high - 1e-12 <= rate.interval.high <= 1


@given(TASKS)
def test_clustered_failures_mirror_passes_and_order_is_nothing(counts: list[tuple[int, int]]) -> None:
    rate = clustered_wilson(counts).interval
    mirrored = clustered_wilson((n - passes, n) for passes, n in reversed(counts)).interval

    assert rate is not None
    assert mirrored is not None
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - rate.high, 1 - rate.low), abs=1e-9)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=80))
def test_one_call_a_task_is_plain_wilson(passes: list[int]) -> None:
    rate = clustered_wilson((one, 1) for one in passes)

    assert rate.interval == wilson(sum(passes), len(passes)).interval
    assert rate.design is not None
    assert rate.design.icc == 0


def test_tasks_that_always_or_never_pass_count_as_one_call_each() -> None:
    rate = clustered_wilson([(5, 5)] * 6 + [(0, 5)] * 6)

    assert rate.design is not None
    assert rate.design.raw == pytest.approx(5 * 12 / 11)
    assert (rate.design.deff, rate.design.icc, rate.effective_n) == (5, 1, 12)


def test_calls_spread_evenly_have_no_design_effect_below_1() -> None:
    design = design_effect([(2, 4)] * 9)

    assert design is not None
    assert (design.raw, design.deff) == (0, 1)


@pytest.mark.parametrize("counts", [[(5, 5)] * 12, [(0, 5)] * 12, [(3, 5)]])
def test_where_the_design_effect_can_not_be_told_tasks_are_counted(counts: list[tuple[int, int]]) -> None:
    rate = clustered_wilson(counts)

    assert rate.design is not None
    assert not rate.design.estimable
    assert rate.effective_n == len(counts)
    assert "design effect 5.00 (assumed)" in rate.told
    assert rate.interval == wilson(rate.passes / 5, rate.n / 5).interval


@pytest.mark.parametrize("counts", [[], [(0, 0)], [(0, 0), (0, 0)]])
def test_no_graded_call_says_not_measured(counts: list[tuple[int, int]]) -> None:
    rate = clustered_wilson(counts)

    assert design_effect(counts) is None
    assert (rate.measured, rate.share, rate.effective_n, rate.n) == (False, None, None, 0)
    assert rate.told == "not measured (no graded call)"


def test_a_task_without_a_graded_call_is_no_cluster() -> None:
    assert clustered_wilson([*PUBLISHED, (0, 0)]) == clustered_wilson(PUBLISHED)


@pytest.mark.parametrize("bad", [(3, 2), (-1, 2), (math.nan, 2)])
def test_one_wrong_task_is_refused(bad: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="passes"):
        clustered_wilson([(1, 2), bad])


def test_tasks_of_different_sizes_are_told() -> None:
    assert "2 tasks x 1 to 3 calls" in clustered_wilson([(1, 1), (1, 3)]).told
    assert "1 task x 1 call," in clustered_wilson([(1, 1)]).told


# --- what a report needs is light ---


def test_base_statistics_need_neither_statsmodels_nor_scipy() -> None:
    code = (
        "import sys; sys.modules['statsmodels'] = sys.modules['scipy'] = sys.modules['numpy'] = None\n"
        "from offhook.stats import *\n"
        f"print(clustered_wilson({PUBLISHED}).told)\n"
        "a, b = {'t': (1, 2), 'u': (2, 2)}, {'t': (0, 2), 'u': (1, 2)}\n"
        "print(newcombe_same_tasks(a, b).told, repeats(a.values(), 2).told)\n"
        "print(CallPlan(9, 5, 0.3).power(0.5, 0.9), run_spread([(1, 2), (2, 2)]).told)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "49% to 90%" in done.stdout
