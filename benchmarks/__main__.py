"""All benchmarks in turn, each in a process of its own: ``python -m benchmarks``.

Stdout holds one JSON line a figure and nothing else; what is going on goes to stderr. Exits 1 if one crashes.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Final

_MODULES: Final = (
    ("benchmarks.line",),
    ("benchmarks.profiles",),
    ("benchmarks.packs",),
    ("benchmarks.grading",),
    ("benchmarks.coverage",),
    ("benchmarks.latency",),
    ("benchmarks.regrade",),
    ("benchmarks.startup",),
    ("benchmarks.speed",),
    ("benchmarks.memory",),
    ("benchmarks.report",),
    ("benchmarks.twin",),
    ("benchmarks.livekit",),
    ("benchmarks.pipecat",),
    ("benchmarks.drills",),
    ("benchmarks.real_time",),
    ("benchmarks.hearing", "--quick"),
)


def main() -> int:
    failed = []
    for module in _MODULES:
        name = " ".join(module)
        print(f"{name} ...", file=sys.stderr, flush=True)
        started = time.monotonic()
        code = subprocess.run([sys.executable, "-m", *module], check=False).returncode
        took = time.monotonic() - started
        ending = "done" if code == 0 else f"failed with exit code {code}"
        print(f"{name}: {ending} after {took:.0f} s", file=sys.stderr, flush=True)
        if code != 0:
            failed.append(name)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
