"""``interval_coverage_pct``: how often the 95 % intervals of a pass rate hold the true rate.

The setting is 12 tasks of 5 calls each. A task's own pass rate is drawn from a beta distribution around the
true rate, 0.6, with an intraclass correlation of 0.69, and its calls pass or fail by that rate: the number of
passes is beta-binomial. Rate and correlation are those at which plain and clustered intervals cover exactly
as often as published for 12 x 5 calls, 68.6 % and 94.6 %.

    python -m benchmarks.coverage --table

prints the exact coverage by pass rate, as ``sdk_docs/reference/statistics.md`` has it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Final

import attrs
import numpy as np

from benchmarks._row import BenchRow, print_rows
from offhook.stats import Interval, clustered_wilson, wilson

__all__ = ["SEED", "SETTING", "Coverage", "Setting", "exact", "simulated", "table"]

SEED: Final = 1
_TRIALS: Final = 20_000
_RATES: Final = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@attrs.frozen
class Setting:
    """``rate`` is the true pass rate; ``icc`` how alike the calls of a task are, above 0 and below 1."""

    tasks: int
    runs: int
    rate: float
    icc: float

    @property
    def shapes(self) -> tuple[float, float]:
        """The two parameters of the beta distribution that tasks' own rates follow."""
        scale = (1 - self.icc) / self.icc
        return self.rate * scale, (1 - self.rate) * scale


SETTING: Final = Setting(12, 5, 0.6, 0.69)
_MILD: Final = Setting(24, 3, 0.6, 0.3)


@attrs.frozen
class Coverage:
    """Shares of samples whose interval holds the true rate."""

    plain: float
    clustered: float


def simulated(setting: Setting, trials: int, seed: int) -> Coverage:
    """Over ``trials`` random samples, from one seeded stream."""
    draw = np.random.default_rng(seed)
    own_rates = draw.beta(*setting.shapes, size=(trials, setting.tasks))
    samples = draw.binomial(setting.runs, own_rates)
    plain = clustered = 0
    for sample in samples.tolist():
        holds = _holds(setting, sample)
        plain += holds[0]
        clustered += holds[1]
    return Coverage(plain / trials, clustered / trials)


def exact(setting: Setting) -> Coverage:
    """Over every sample there can be, weighted by its probability: no chance in it."""
    plain, clustered = [], []
    for sample, chance in _samples(setting):
        holds = _holds(setting, sample)
        plain.append(chance * holds[0])
        clustered.append(chance * holds[1])
    return Coverage(math.fsum(plain), math.fsum(clustered))


def _samples(setting: Setting) -> Iterator[tuple[tuple[int, ...], float]]:
    """Passes of each task, up to the order of the tasks, which no interval looks at."""
    chances = _beta_binomial(setting)
    for sample in combinations_with_replacement(range(setting.runs + 1), setting.tasks):
        orders = math.factorial(setting.tasks)
        for passes in set(sample):
            orders //= math.factorial(sample.count(passes))
        yield sample, orders * math.prod(chances[passes] for passes in sample)


def _beta_binomial(setting: Setting) -> list[float]:
    from scipy.stats import betabinom

    return [float(betabinom.pmf(k, setting.runs, *setting.shapes)) for k in range(setting.runs + 1)]


def _holds(setting: Setting, sample: tuple[int, ...] | list[int]) -> tuple[bool, bool]:
    counts = [(passes, setting.runs) for passes in sample]
    plain = wilson(sum(sample), setting.tasks * setting.runs)
    return _contains(plain.interval, setting.rate), _contains(clustered_wilson(counts).interval, setting.rate)


def _contains(interval: Interval | None, rate: float) -> bool:
    return interval is not None and interval.contains(rate)


def table() -> list[str]:
    """The coverage by pass rate as lines of Markdown."""
    lines = [
        "| true rate | plain, 12 x 5 | clustered, 12 x 5 | plain, 24 x 3 | clustered, 24 x 3 |",
        "|---|---|---|---|---|",
    ]
    for rate in _RATES:
        found = [exact(attrs.evolve(setting, rate=rate)) for setting in (SETTING, _MILD)]
        cells = [f"{share * 100:.1f} %" for one in found for share in (one.plain, one.clustered)]
        lines.append(f"| {rate} | {' | '.join(cells)} |")
    return lines


def run() -> list[BenchRow]:
    """Simulates the pinned setting."""
    found, truth = simulated(SETTING, _TRIALS, SEED), exact(SETTING)
    how = (
        f"clustered Wilson at 95 % nominal, {SETTING.tasks} tasks x {SETTING.runs} calls, beta-binomial with "
        f"rate {SETTING.rate} and ICC {SETTING.icc}, {_TRIALS} samples, seed {SEED}; plain Wilson "
        f"{found.plain * 100:.1f}; exactly {truth.clustered * 100:.2f} and {truth.plain * 100:.2f}"
    )
    return [BenchRow("interval_coverage_pct", round(found.clustered * 100, 2), "%", ">= 93 and <= 97", how)]


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print("\n".join(table()))
    else:
        print_rows(run())
