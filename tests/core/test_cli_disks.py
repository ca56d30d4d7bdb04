"""Disks that are full, refuse or go away: one line from the real command, and nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from offhook.storage import RunFolder
from tests.core._command import OFFHOOK, TASKS, error_of, offhook, text_run

pytestmark = pytest.mark.speech  # cues are compared by sentence vectors


def test_a_full_disk_is_one_line_and_the_run_goes_on_after(small_disk: Path) -> None:
    out = small_disk / "run"
    done = offhook("run", *TASKS, "--line", "text", "--out", out, code=3)
    line = error_of(done)
    assert "no space left" in line
    assert "--resume" in line
    calls = RunFolder.open(out).call_ids()
    assert 0 < len(calls) < len(TASKS)
    for call_id in calls:
        RunFolder.open(out).record(call_id)
    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    result = json.loads(offhook("run", "--resume", out, "--json", code=0).stdout)
    assert (result["planned"], result["graded"]) == (3, 3)
    assert [entry for entry in (out / "calls").iterdir() if entry.name.startswith(".")] == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    size = _state_size() * 3 // 2
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    try:
        subprocess.run(mounting, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user can't mount a small file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def _state_size() -> int:
    from offhook.caches import cache_root
    from offhook.host import PluginHost
    from offhook.toolserver import SeedImages

    pack = PluginHost.discover().packs()["customer-support"]
    return SeedImages(cache_root() / "images").image(pack).stat().st_size


def test_a_disk_that_refuses_is_one_line_and_the_run_goes_on_after(tmp_path: Path) -> None:
    """The same on any machine: files may not grow beyond a megabyte, and the call's database does."""
    import resource

    out = tmp_path / "run"
    limit = 1 << 20
    assert _state_size() > limit
    done = offhook(
        *text_run(out),
        code=3,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert "File too large" in error_of(done)
    assert RunFolder.open(out).call_ids() == ()
    result = json.loads(offhook("run", "--resume", out, "--json", code=0).stdout)
    assert result["graded"] == 3


@pytest.mark.parametrize("out", ["file/run", "file"])
def test_an_out_that_cannot_be_written_is_one_line(out: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    line = error_of(offhook(*text_run(tmp_path / out), code=3))
    assert line.startswith(f"Error: cannot write {tmp_path / out}: ")


def test_a_run_folder_that_goes_away_is_one_line(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = subprocess.Popen(
        [OFFHOOK, "run", *TASKS, "--runs", "9", "--line", "text", "--out", out],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (out / "calls").is_dir() or not any(
        not entry.name.startswith(".") for entry in (out / "calls").iterdir()
    ):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGSTOP)
    os.waitpid(process.pid, os.WUNTRACED)  # it writes on until it has really stopped
    shutil.rmtree(out)
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "Traceback" not in errors
    assert errors.splitlines()[-1].startswith("Error: ")
    assert str(out) in errors.splitlines()[-1]
