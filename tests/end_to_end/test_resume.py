"""Runs that are killed or interrupted: every call exactly once, nothing half-written, nothing lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from offhook.storage import RunFolder

OFFHOOK = Path(sys.executable).with_name("offhook")
TASKS = ("T4-E1", "T4-H1", "T5-E1")
RUNS = 5
PLANNED = len(TASKS) * RUNS

pytestmark = pytest.mark.speech  # cues are compared by sentence vectors


def _start(out: Path, *more: str) -> subprocess.Popen[str]:
    command = [OFFHOOK, "run", *TASKS, "--runs", str(RUNS), "--line", "text", "--out", out, *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _resume(out: Path) -> dict[str, Any]:
    done = subprocess.run(
        [OFFHOOK, "run", "--resume", out, "--json"], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _finished(out: Path) -> int:
    calls = out / "calls"
    return sum(not entry.name.startswith(".") for entry in calls.iterdir()) if calls.is_dir() else 0


def _wait_until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, "the run made no progress"
        assert process.poll() is None, "the run ended before it could be stopped"
        time.sleep(0.02)


def _check_whole(out: Path) -> None:
    folder = RunFolder.open(out)
    keys = [folder.record(call_id).key for call_id in folder.call_ids()]
    assert len(keys) == len(set(keys)) == PLANNED
    leftovers = [entry for entry in (out / "calls").iterdir() if entry.name.startswith(".")]
    assert leftovers == []
    for call_id in folder.call_ids():
        names = {path.name for path in folder.call_folder(call_id).iterdir()}
        assert names == {"record.json", "tools.jsonl", "state.sqlite", "platform.json"}
        assert folder.grades(call_id)


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = _start(out)
    _wait_until(lambda: _finished(out) >= 3, process)
    process.kill()
    process.communicate()
    assert 3 <= _finished(out) < PLANNED
    result = _resume(out)
    assert (result["planned"], result["graded"], result["missing"]) == (PLANNED, PLANNED, 0)
    _check_whole(out)


def test_ctrl_c_keeps_finished_calls(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = _start(out)
    _wait_until(lambda: _finished(out) >= 2, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"go on with: offhook run --resume {out}" in errors
    assert "Traceback" not in errors
    assert _resume(out)["graded"] == PLANNED
    _check_whole(out)


def test_a_killed_worker_loses_only_its_call(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = _start(out, "--workers", "2")
    _wait_until(lambda: _finished(out) >= 2, process)
    os.kill(_children(process.pid)[-1], signal.SIGKILL)
    _, errors = process.communicate(timeout=120)
    assert process.returncode in (0, 1)
    if process.returncode == 1:
        assert "its worker process died (signal SIGKILL)" in errors
        assert "1 call was lost" in errors
    assert _finished(out) >= PLANNED - 1
    assert _resume(out)["graded"] == PLANNED
    _check_whole(out)


def _children(parent: int) -> list[int]:
    listing = subprocess.run(
        ["ps", "-ww", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(maxsplit=2) for line in listing.splitlines()]
    return [int(pid) for pid, ppid, args in rows if ppid == str(parent) and "spawn_main" in args]


def test_a_run_in_use_is_not_entered_twice(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = _start(out)
    _wait_until(lambda: _finished(out) >= 1, process)
    process.send_signal(signal.SIGSTOP)  # it holds its lock for as long as the second one needs
    second = subprocess.run([OFFHOOK, "run", "--resume", out], capture_output=True, text=True, check=False)
    process.kill()
    process.communicate()
    assert second.returncode == 3
    assert "is being written by another offhook process" in second.stderr
    assert len(second.stderr.strip().splitlines()) == 1
