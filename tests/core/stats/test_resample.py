"""Bootstrap intervals over whole tasks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from offhook.stats import bootstrap_by_task, bootstrap_quantile, bootstrap_ratio


def latencies(tasks: int, turns: int, between: float, seed: int = 5) -> dict[str, list[float]]:
    """Seconds around 1.5, the tasks apart by ``between``."""
    draw = np.random.default_rng(seed)
    return {
        f"task-{i:02}": (1.5 + draw.normal(0, between) + draw.normal(0, 0.2, turns)).tolist()
        for i in range(tasks)
    }


def test_equal_seeds_give_equal_intervals_whatever_the_order() -> None:
    groups = latencies(20, 10, 0.3)
    backwards = dict(reversed(groups.items()))

    found = bootstrap_quantile(groups, 0.95, seed=7)

    assert found == bootstrap_quantile(backwards, 0.95, seed=7)
    assert found.interval != bootstrap_quantile(groups, 0.95, seed=8).interval
    assert (found.tasks, found.items, found.resamples, found.seed) == (20, 200, 2000, 7)
    assert found.value == pytest.approx(np.quantile(np.concatenate(list(groups.values())), 0.95))


def test_tasks_are_drawn_and_not_turns() -> None:
    """Turns of a task that are all the same add nothing, however many there are."""
    few = {f"t{i}": [float(i)] for i in range(15)}
    many = {name: values * 40 for name, values in few.items()}

    assert bootstrap_quantile(few, 0.5, seed=1).interval == bootstrap_quantile(many, 0.5, seed=1).interval


def test_the_global_generator_is_left_alone() -> None:
    np.random.seed(4)
    before = np.random.get_state()[1].copy()  # type: ignore[index, union-attr]
    bootstrap_quantile(latencies(5, 5, 0.1), 0.5, seed=3)

    assert (np.random.get_state()[1] == before).all()  # type: ignore[index]


def test_interval_of_a_mean_covers_the_truth_as_often_as_it_says() -> None:
    covered = sum(
        bootstrap_by_task(
            latencies(30, 5, 0.3, seed=seed), lambda values: float(values.mean()), seed=1, resamples=300
        ).interval.contains(1.5)  # type: ignore[union-attr]
        for seed in range(200)
    )

    assert 0.89 <= covered / 200 <= 0.98


def test_ratio_pools_counts() -> None:
    groups = {"a": [(1, 10), (0, 90)], "b": [(9, 100)]}

    found = bootstrap_ratio(groups, seed=2)

    assert found.value == 0.05
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (0.01, 0.09)  # task a twice, task b twice


@pytest.mark.parametrize("groups", [{}, {"a": []}])
def test_nothing_is_not_measured(groups: dict[str, list[float]]) -> None:
    found = bootstrap_quantile(groups, 0.5, seed=1)

    assert (found.measured, found.value, found.interval) == (False, None, None)
    assert found.why_not == "nothing was measured"


def test_one_task_has_a_value_and_no_interval() -> None:
    found = bootstrap_quantile({"a": [1.0, 2.0, 4.0], "b": []}, 0.5, seed=1)

    assert (found.value, found.interval, found.tasks) == (2.0, None, 1)
    assert found.why_not == "one task has no spread between tasks"


def test_a_rate_over_no_words_is_not_measured_and_draws_without_words_are_left_out() -> None:
    assert bootstrap_ratio({"a": [(0, 0)], "b": [(0, 0)]}, seed=1).why_not == "nothing to compute it from"
    found = bootstrap_ratio({"a": [(0, 0)], "b": [(1, 4)]}, seed=1)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (0.25, 0.25)


@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_what_is_no_number_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="every item must be a finite number"):
        bootstrap_quantile({"a": [1.0], "b": [wrong]}, 0.5, seed=1)


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="quantile must lie"):
        bootstrap_quantile({"a": [1.0]}, 95, seed=1)
    with pytest.raises(ValueError, match="resamples"):
        bootstrap_quantile({"a": [1.0]}, 0.5, seed=1, resamples=0)
    with pytest.raises(ValueError, match="pairs"):
        bootstrap_ratio({"a": [1.0]}, seed=1)
    with pytest.raises(ValueError, match="as many columns"):
        bootstrap_ratio({"a": [1.0], "b": [(1.0, 2.0)]}, seed=1)
