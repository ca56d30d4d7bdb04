"""``python -m benchmarks.hearing``: measures, prints a JSON line per thing asked for, writes the results."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs

from benchmarks._row import BenchRow
from benchmarks.hearing.cases import Case, plan_cases
from benchmarks.hearing.desk import MOST_ASKS, Outcome
from benchmarks.hearing.identities import draw_identities
from benchmarks.hearing.measure import REFERENCE, ear_setups
from benchmarks.hearing.parallel import embedded_engines, measure_in_processes
from benchmarks.hearing.table import Results, bench_rows, markdown
from offhook.speech import SpeechUnavailable

__all__ = ["main", "run"]

RESULTS: Final = Path(__file__).with_name("RESULTS.md")

_SEED: Final = 7
_IDENTITIES: Final = 48
_QUICK_IDENTITIES: Final = 4
_SECONDS_BETWEEN_REPORTS: Final = 10.0


def run(*, quick: bool = True, workers: int = 1) -> list[BenchRow]:
    """The rows of ``make bench``; ``quick`` has four identities and the reference ladder only."""
    return list(bench_rows(_results(quick=quick, workers=workers)))


def _results(*, quick: bool, workers: int) -> Results:
    engines = embedded_engines()
    count = _QUICK_IDENTITIES if quick else _IDENTITIES
    cases = plan_cases(draw_identities(count, _SEED), tuple(engines.voices), _SEED)
    setups = tuple(setup for setup in ear_setups(engines) if not quick or setup.name == REFERENCE)
    measured = measure_in_processes(cases, tuple(setup.name for setup in setups), workers)
    outcomes = tuple(outcome for group in _reported(measured, cases) for outcome in group)
    infos = (*(voice.info for voice in engines.voices.values()), engines.tiny.info, engines.base.info)
    return Results(outcomes, setups, (*infos, engines.vad.info), count, _SEED)


def _reported(
    measured: Iterable[tuple[Outcome, ...]], cases: Sequence[Case]
) -> Iterator[tuple[Outcome, ...]]:
    """Passes outcomes on and says on the error stream how far things are, with the last ears' rates."""
    started = reported = time.monotonic()
    first = last = 0
    for done, group in enumerate(measured, start=1):
        first += group[-1].captured(1)
        last += group[-1].captured(MOST_ASKS)
        now = time.monotonic()
        if now - reported >= _SECONDS_BETWEEN_REPORTS or done == len(cases):
            reported = now
            left = (now - started) / done * (len(cases) - done)
            print(
                f"{done} of {len(cases)} cases, captured after one ask {100 * first / done:.0f} %, "
                f"after up to {MOST_ASKS} {100 * last / done:.0f} %, about {left / 60:.1f} min left",
                file=sys.stderr,
                flush=True,
            )
        yield group


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hearing", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="four identities and the reference ladder; writes no results"
    )
    parser.add_argument(
        "--workers", type=int, default=min(2, os.cpu_count() or 1), help="processes, 700 MB each"
    )
    options = parser.parse_args()
    quick: bool = options.quick
    try:
        results = _results(quick=quick, workers=max(1, options.workers))
    except SpeechUnavailable as error:
        print(f"hearing bench: {error}", file=sys.stderr)
        return 1
    for row in bench_rows(results):
        print(json.dumps(attrs.asdict(row)))
    if not quick:
        RESULTS.write_text(markdown(results), encoding="utf-8")
        print(f"written: {RESULTS.name}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
