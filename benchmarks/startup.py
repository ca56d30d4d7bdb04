"""``help_s``: how long ``offhook --help`` takes."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from benchmarks._row import BenchRow, print_rows

_RUNS: Final = 10


def _help_seconds(command: Path) -> float:
    started = time.perf_counter()
    subprocess.run([command, "--help"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def run() -> list[BenchRow]:
    """Times the installed command, plugins and all."""
    command = Path(sys.executable).with_name("offhook")
    _help_seconds(command)
    times = [_help_seconds(command) for _ in range(_RUNS)]
    how = (
        f"median of {_RUNS} runs of the installed command after one to warm the disk cache, "
        f"{min(times):.3f} to {max(times):.3f} s"
    )
    return [BenchRow("help_s", round(statistics.median(times), 3), "s", "<= 0.3", how)]


if __name__ == "__main__":
    print_rows(run())
