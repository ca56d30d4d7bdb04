"""How often intervals hold the true rate: the published setting, simulated and counted out."""

from __future__ import annotations

import re
from pathlib import Path

import attrs
import pytest

from benchmarks.coverage import SEED, SETTING, exact, run, simulated, table

PAGE = Path(__file__).parents[3] / "sdk_docs" / "reference" / "statistics.md"


def test_published_coverage_comes_out_exactly() -> None:
    found = exact(SETTING)

    assert (SETTING.tasks, SETTING.runs) == (12, 5)
    assert f"{found.clustered * 100:.1f}" == "94.6"
    assert f"{found.plain * 100:.1f}" == "68.6"


def test_a_seeded_simulation_agrees() -> None:
    found, truth = simulated(SETTING, 3000, SEED), exact(SETTING)

    assert found == simulated(SETTING, 3000, SEED)
    assert found != simulated(SETTING, 3000, SEED + 1)
    assert 0.93 <= found.clustered <= 0.97
    # three standard errors of 3000 samples
    assert found.clustered == pytest.approx(truth.clustered, abs=0.013)
    assert found.plain == pytest.approx(truth.plain, abs=0.026)


def test_counting_out_weighs_every_sample_once() -> None:
    """Two tasks of one call: four samples, of which two are alike."""
    tiny = attrs.evolve(SETTING, tasks=2, runs=1, rate=0.5)

    assert exact(tiny).plain == pytest.approx(1.0)
    assert exact(attrs.evolve(tiny, rate=0.9)).plain == pytest.approx(1 - 0.1**2)  # 0 of 2 ends at 66%


def test_coverage_is_the_same_for_a_rate_and_its_mirror_and_falls_near_the_ends() -> None:
    low, high = exact(attrs.evolve(SETTING, rate=0.1)), exact(attrs.evolve(SETTING, rate=0.9))

    assert (low.plain, low.clustered) == pytest.approx((high.plain, high.clustered))
    assert high.clustered < 0.90 < 0.94 < exact(SETTING).clustered


def test_the_table_of_the_page_is_what_is_computed() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert "\n".join(table()) in page


def test_the_benchmark_prints_one_figure_within_its_goal() -> None:
    (row,) = run()

    assert row.name == "interval_coverage_pct"
    assert 93 <= row.value <= 97
    assert re.search(r"plain Wilson 68\.\d; exactly 94\.64 and 68\.61$", row.how)
