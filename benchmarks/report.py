"""``report_open_ms_100`` and ``report_mb_100``: how fast the page of 100 calls opens, and how big it is."""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

from benchmarks._chromium import NO_CHROMIUM, chromium_path, open_chromium
from benchmarks._row import BenchRow, print_rows
from offhook.host import PluginHost
from offhook.report import write_report
from offhook.runner import RunOptions, carry_out, new_run
from offhook.storage import RunFolder
from offhook.testing import FakeSpeech

_TASKS: Final = ("T4-E1", "T4-H1", "T4-H3", "T4-M2", "T4-M3")
_RUNS: Final = 20
_CALLS: Final = len(_TASKS) * _RUNS
_OPENINGS: Final = 7
# What a reader has before the first scroll: the figures, the list of calls, the first one folded out.
_DRAWN: Final = """
(calls) => document.querySelectorAll("details.call > summary").length === calls
  && document.querySelector("details.call[open] .turn") !== null
"""


def _place_calls(host: PluginHost, out: Path) -> RunFolder:
    run = new_run(RunOptions(platform="reference", out=out, tasks=_TASKS, runs=_RUNS), host)
    carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    return run.folder


def _opening_ms(page: Path, chromium: str) -> list[float]:
    """Each time in a new tab, after one to warm the browser up."""
    times = []
    with open_chromium(chromium) as browser:
        for _ in range(_OPENINGS + 1):
            tab = browser.new_page(viewport={"width": 1280, "height": 900})
            started = time.perf_counter()
            tab.goto(page.as_uri())
            tab.wait_for_function(_DRAWN, arg=_CALLS)
            times.append((time.perf_counter() - started) * 1000)
            tab.close()
    return times[1:]


def run() -> list[BenchRow]:
    """Places the calls, writes the page without sound and opens it; without a browser only the size is
    measured.
    """
    with tempfile.TemporaryDirectory() as scratch:
        host = PluginHost.discover(block=["speech"])
        host.register(FakeSpeech(), name="fake-engines")
        folder = _place_calls(host, Path(scratch) / "run")
        page = write_report(folder, host, audio=False)
        calls = f"{_CALLS} calls over fake speech, {_RUNS} each of {', '.join(_TASKS)}, sound left out"
        megabytes = round(page.stat().st_size / 1e6, 2)
        rows = [BenchRow("report_mb_100", megabytes, "MB", "<= 5", calls)]
        chromium = chromium_path()
        if not chromium:
            print(f"report_open_ms_100: {NO_CHROMIUM}", file=sys.stderr)
            return rows
        times = _opening_ms(page, chromium)
        how = (
            f"median of {_OPENINGS} openings in headless Chromium, from navigation until every call is "
            f"listed and one is drawn, {min(times):.0f} to {max(times):.0f} ms; {calls}"
        )
        return [
            BenchRow("report_open_ms_100", round(statistics.median(times), 1), "ms", "<= 2000", how),
            *rows,
        ]


if __name__ == "__main__":
    print_rows(run())
