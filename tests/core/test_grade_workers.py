"""Grading in several processes, and what happens to stored calls that are damaged."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.cli import main
from offhook.grading import CallEvidence, GradingEngines
from offhook.runner import default_grade_workers, grade_calls, load_evidence, read_run
from offhook.runner.measured import HostEngines, StoredMeasurements
from offhook.storage import RunFolder, StorageError, to_json
from tests.core._marks import Placed, install_marks, marks_host, placed, says


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Placed:
    install_marks(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    says(monkeypatch, failing=["B-H1/1"], causes={"B-H1/1": 4})
    return placed(tmp_path, runs=3)


def _files(folder: RunFolder, what: str = "grades") -> dict[str, bytes]:
    root = folder.path / what
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def _grade(folder: RunFolder, *more: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["grade", str(folder.path), "--block", "offhook", *more])
    return int(str(ended.value.code))


def test_workers_write_what_one_process_writes(run: Placed, capsys: pytest.CaptureFixture[str]) -> None:
    calls = _files(run.folder, "calls")
    shutil.rmtree(run.folder.path / "grades")
    assert _grade(run.folder, "--workers", "1", "--json") == 0
    alone, told = _files(run.folder), capsys.readouterr().out
    assert len(alone) == 2 * len(run.folder.call_ids())
    shutil.rmtree(run.folder.path / "grades")
    assert _grade(run.folder, "--workers", "2", "--json") == 0
    assert (_files(run.folder), capsys.readouterr().out) == (alone, told)
    assert _files(run.folder, "calls") == calls


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_a_plugin_prints_does_not_reach_stdout(
    workers: str, run: Placed, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, failing=["B-H1/1"], causes={"B-H1/1": 4}, printing=True)
    shutil.rmtree(run.folder.path / "grades")
    assert _grade(run.folder, "--workers", workers, "--json") == 0
    shown = capfd.readouterr()
    assert len(shown.out.splitlines()) == 1
    assert json.loads(shown.out)["graded"] == len(run.folder.call_ids())
    assert shown.err.count("thinking aloud") == len(run.folder.call_ids())


def test_few_calls_stay_in_one_process() -> None:
    assert default_grade_workers(3) == 1
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    assert default_grade_workers(10_000) == min(8, cpus)


def test_a_process_that_dies_costs_its_call_and_no_other(
    run: Placed, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = run.folder.call_ids()[2]
    monkeypatch.setenv("OFFHOOK_TEST_DEADLY", victim)
    call_ids = run.folder.call_ids()
    graded = grade_calls(run.folder, marks_host(), call_ids, workers=2, block=("offhook",))
    problems = {call.call_id: call.problem for call in graded if call.problem}
    assert set(problems) == {victim}
    assert "died" in problems[victim]
    assert [call.call_id for call in graded] == list(call_ids)


def test_ctrl_c_lets_the_calls_in_hand_finish(run: Placed, tmp_path: Path) -> None:
    code = "from offhook.cli import main; main()"
    environment = {
        **os.environ,
        "OFFHOOK_TEST_SLOW": "1",
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(Path(__file__).parents[2])]),
    }
    command = [sys.executable, "-c", code, "grade", str(run.folder.path), "--block", "offhook"]
    shutil.rmtree(run.folder.path / "grades")
    with subprocess.Popen([*command, "--workers", "2"], env=environment, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not _files(run.folder) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said.decode()
    assert b"begin again with: offhook grade" in said
    assert b"Traceback" not in said
    assert 0 < len(_files(run.folder)) < 2 * len(run.folder.call_ids())


# --- damaged evidence -----------------------------------------------------------------------------


def _newer(folder: Path) -> None:
    record = json.loads((folder / "record.json").read_text())
    (folder / "record.json").write_text(json.dumps({**record, "version": 99, "novelty": 1}))


def _nan(folder: Path) -> None:
    text = (folder / "record.json").read_text()
    record = json.loads(text)
    (folder / "record.json").write_text(text.replace(f'"seconds":{record["seconds"]}', '"seconds":NaN'))


def _without(name: str) -> Callable[[Path], None]:
    def remove(folder: Path) -> None:
        (folder / name).unlink()

    return remove


def _cut(folder: Path) -> None:
    path = folder / "recording.flac"
    path.write_bytes(path.read_bytes()[:-100])


@pytest.mark.parametrize(
    ("damage", "told", "workers"),
    [
        (_newer, "$.version is 99, expected 1; it was written by another offhook", "1"),
        (_nan, "not JSON (NaN is not a finite number)", "1"),
        (_without("state.sqlite"), "state.sqlite: No such file or directory", "1"),
        (_without("recording.flac"), "recording.flac: No such file or directory", "1"),
        (_without("record.json"), "record.json: No such file or directory", "1"),
        (_cut, "recording.flac is truncated or altered", "1"),
        (_cut, "recording.flac is truncated or altered", "2"),
    ],
)
def test_a_damaged_call_is_named_and_the_others_are_graded(
    damage: Callable[[Path], None],
    told: str,
    workers: str,
    run: Placed,
    capsys: pytest.CaptureFixture[str],
) -> None:
    victim = run.folder.call_ids()[0]
    damage(run.folder.call_folder(victim))
    shutil.rmtree(run.folder.path / "grades")
    assert _grade(run.folder, "--workers", workers) == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("damaged call ")]
    assert len(lines) == 1
    assert lines[0].startswith(f"damaged call {victim}: ")
    assert told in lines[0]
    others = [call_id for call_id in run.folder.call_ids() if call_id != victim]
    assert all(len(run.folder.grades(call_id)) == 2 for call_id in others)


def test_a_damaged_grade_costs_one_line_and_is_made_again(
    run: Placed, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = run.folder.call_ids()[0]
    path = run.folder.path / "grades" / "marks" / "1" / f"{victim}.json"
    path.write_text("{")
    stored = read_run(run.folder, marks_host())
    assert [damage.call_id for damage in stored.damaged] == [victim]
    assert len(stored.grades) == 2 * (len(run.folder.call_ids()) - 1)
    assert _grade(run.folder) == 0
    assert read_run(run.folder, marks_host()).damaged == ()


class Ruler:
    """Counts how often it had to measure."""

    name, version = "ruler", "1"

    def __init__(self) -> None:
        self.times = 0

    def measure(self, call: CallEvidence, engines: GradingEngines) -> Mapping[str, Any]:
        self.times += 1
        return {"seconds": call.record.seconds}


@pytest.mark.parametrize("damage", ["{", "", '{"measurement": null}'])
def test_a_damaged_measurement_is_made_again(damage: str, run: Placed) -> None:
    ruler, call_id = Ruler(), run.folder.call_ids()[0]
    stored = StoredMeasurements(run.folder, {"ruler": ruler}, HostEngines(marks_host()))
    evidence = load_evidence(run.folder, call_id, marks_host().packs(), stored)
    whole = evidence.measured("ruler")
    path = run.folder.path / "measurements" / "ruler" / "1" / f"{call_id}.json"
    written = path.read_bytes()
    assert (evidence.measured("ruler"), ruler.times) == (whole, 1)
    path.write_text(damage)
    assert (evidence.measured("ruler"), ruler.times) == (whole, 2)
    assert path.read_bytes() == written


def test_a_damaged_manifest_is_one_line(run: Placed, capsys: pytest.CaptureFixture[str]) -> None:
    path = run.folder.path / "run.json"
    path.write_text(to_json(attrs.evolve(run.folder.manifest(), version=2)))
    assert _grade(run.folder) == 3
    assert "$.version is 2, expected 1" in capsys.readouterr().err


def test_a_grader_that_raises_leaves_the_run_incomplete(
    run: Placed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, raising=["B-E1/1"])
    assert _grade(run.folder) == 1
    assert "grader marks failed on 1 of 6 calls" in capsys.readouterr().err


def test_grades_can_not_be_written_over_another_process(run: Placed) -> None:
    with run.folder.lock(), pytest.raises(StorageError, match="being written by another"):
        run.folder.lock()
    assert _grade(run.folder) == 0
