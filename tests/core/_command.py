"""The installed command in a process of its own, and the one line in which it says what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["OFFHOOK", "TASKS", "error_of", "offhook", "text_run"]

OFFHOOK = Path(sys.executable).with_name("offhook")
TASKS = ("T4-E1", "T5-E1", "T4-H1")


def offhook(
    *arguments: str | Path, code: int, env: dict[str, str] | None = None, **more: Any
) -> subprocess.CompletedProcess[str]:
    """The command, which ends with ``code`` and without a traceback."""
    done = subprocess.run(
        [OFFHOOK, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
        env={**os.environ, **(env or {})},
        **more,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == code, done.stderr
    return done


def error_of(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that says what is wrong; progress may stand before it."""
    errors = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1, done.stderr
    assert done.stderr.splitlines()[-1] == errors[0]
    return errors[0]


def text_run(out: Path, *more: str | Path) -> tuple[str | Path, ...]:
    """Arguments for a run of ``TASKS`` that is over in a moment."""
    return ("run", *TASKS, "--line", "text", "--out", out, "--json", *more)
