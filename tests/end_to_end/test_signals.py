"""Ctrl-C and SIGTERM in the middle of a run with several workers: an orderly end, no process left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from offhook.storage import RunFolder

OFFHOOK = Path(sys.executable).with_name("offhook")
# voiced by piper, whose process is the worker's child
TASKS = ("customer-support/T4-E1", "customer-support/T3-E1")

pytestmark = [pytest.mark.speech, pytest.mark.slow]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A run over audio with two workers, in a process group of its own as a terminal gives it. Its cache is
    empty: what was voiced before needs no piper.
    """
    command = [OFFHOOK, "run", *TASKS, "--runs", "20", "--workers", "2", "--out", tmp_path / "run"]
    process = subprocess.Popen(
        command,
        env={**os.environ, "OFFHOOK_CACHE": str(tmp_path / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _tree(root: int) -> dict[int, str]:
    """The command lines of all descendants of a process, by pid."""
    listing = subprocess.run(
        ["ps", "-ww", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(maxsplit=2) for line in listing.splitlines()]
    children: dict[int, list[tuple[int, str]]] = {}
    for pid, parent, args in (row for row in rows if len(row) == 3):
        children.setdefault(int(parent), []).append((int(pid), args))
    found: dict[int, str] = {}
    left = [root]
    while left:
        for pid, args in children.get(left.pop(), []):
            found[pid] = args
            left.append(pid)
    return found


def _alive(pids: dict[int, str]) -> dict[int, str]:
    """Which of the processes are still there, zombies aside."""
    states = subprocess.run(
        ["ps", "-o", "pid=,stat=", "-p", ",".join(map(str, pids))],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    rows = [line.split() for line in states.splitlines()]
    return {int(pid): pids[int(pid)] for pid, state in rows if not state.startswith("Z")}


def _wait_for_work(process: subprocess.Popen[str], out: Path) -> dict[int, str]:
    """Until a call is stored and both workers have a piper at work; returns the whole family."""
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        assert process.poll() is None, "the run ended before it could be stopped"
        family = _tree(process.pid)
        workers = [args for args in family.values() if "spawn_main" in args]
        pipers = [args for args in family.values() if "piper_worker" in args]
        calls = out / "calls"
        stored = (
            [entry for entry in calls.iterdir() if not entry.name.startswith(".")] if calls.is_dir() else []
        )
        if len(workers) == 2 and len(pipers) >= 2 and stored:
            return family
        time.sleep(0.1)
    raise AssertionError("the run made no progress")


def _wait_until_gone(family: dict[int, str], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while (left := _alive(family)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == {}


def _check_whole(out: Path, *, in_grading: int = 0) -> None:
    """Every stored call is whole, and graded but for those that a stop at once may catch in their grading;
    resuming the run grades them.
    """
    folder = RunFolder.open(out)
    for call_id in folder.call_ids():
        assert folder.check_files(folder.record(call_id)) == ()
    assert sum(not folder.grades(call_id) for call_id in folder.call_ids()) <= in_grading


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_lets_calls_finish(
    how: signal.Signals, run: subprocess.Popen[str], tmp_path: Path
) -> None:
    family = _wait_for_work(run, tmp_path / "run")
    os.killpg(run.pid, how)  # a terminal and a service manager reach the whole group
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 130, errors
    assert "finishing the calls in flight" in errors
    assert "died" not in errors
    assert "Traceback" not in errors
    _wait_until_gone(family, 5)
    _check_whole(tmp_path / "run")
    assert [entry for entry in (tmp_path / "run" / "calls").iterdir() if entry.name.startswith(".")] == []


def test_the_second_signal_stops_at_once_and_takes_everybody_along(
    run: subprocess.Popen[str], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    family = _wait_for_work(run, out)
    os.killpg(run.pid, signal.SIGINT)
    assert run.stderr is not None
    while "finishing the calls in flight" not in run.stderr.readline():
        assert run.poll() is None
    os.killpg(run.pid, signal.SIGINT)
    run.communicate(timeout=30)
    assert run.returncode == 130
    _wait_until_gone(family, 10)
    _check_whole(out, in_grading=2)


def test_a_killed_run_leaves_no_worker_behind(run: subprocess.Popen[str], tmp_path: Path) -> None:
    family = _wait_for_work(run, tmp_path / "run")
    run.kill()
    run.communicate(timeout=30)
    _wait_until_gone(family, 10)
    _check_whole(tmp_path / "run", in_grading=2)


def test_an_interrupt_before_the_first_call_is_quiet(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = subprocess.Popen(
        [OFFHOOK, "run", *TASKS, "--out", out, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "trying the engines ...\n"
    process.send_signal(signal.SIGINT)
    told, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    if told:  # the run had begun
        assert json.loads(told)["planned"] == len(TASKS)
