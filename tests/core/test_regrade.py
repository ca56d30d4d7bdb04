"""Exchanging a run's graders: what changes is compared, named, and only then counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from offhook.cli import main
from offhook.host import PluginHost
from offhook.runner import (
    Named,
    UnknownName,
    accept_regrade,
    compared_regrade,
    current_versions,
    other_versions,
    read_named,
    read_run,
    regrades,
    resume_run,
    summary_of,
)
from offhook.storage import RunFolder, StorageError
from tests.core._marks import PACK, Placed, install_marks, marks_host, placed, says


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Placed:
    install_marks(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    says(monkeypatch, version="1", failing=["B-H1/1"], causes={"B-H1/1": 4})
    return placed(tmp_path, runs=2)


def _files(folder: RunFolder) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.path.rglob("*") if path.is_file()}


def _command(name: str, folder: RunFolder, *more: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main([name, str(folder.path), "--block", "offhook", *more])
    return int(str(ended.value.code))


def _victim(run: Placed, task: str = "B-H1", number: int = 1) -> str:
    records = (run.folder.record(call_id) for call_id in run.folder.call_ids())
    return next(r.call_id for r in records if (r.key.task, r.key.run) == (task, number))


# --- what counts ----------------------------------------------------------------------------------


def test_a_run_keeps_the_grades_it_was_graded_by(run: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, version="2", failing=[])
    host = marks_host()
    assert [str(other) for other in other_versions(run.folder, host)] == [
        "marks: version 1 counts on this run, 2 is installed"
    ]
    assert current_versions(run.folder, host) == {"attribution": "1", "marks": "1"}
    assert summary_of(run.folder, host).passed == 3


def test_grading_again_exchanges_no_grader(
    run: Placed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, version="2", failing=[])
    before = _files(run.folder)
    assert _command("grade", run.folder) == 0
    assert "left as it is: marks: version 1 counts on this run, 2 is installed" in capsys.readouterr().err
    assert not (run.folder.path / "grades" / "marks" / "2").exists()
    assert set(_files(run.folder)) == set(before)


def test_a_run_is_not_resumed_with_other_graders(run: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, version="2")
    with pytest.raises(StorageError, match=r"marks: version 1 .* compare first with: offhook regrade"):
        resume_run(run.folder.path, marks_host(), workers=1)


def test_a_run_older_than_such_notes_keeps_the_version_it_has_grades_of(
    run: Placed, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = run.folder.path / "run.json"
    manifest = json.loads(path.read_text())
    del manifest["graders"]
    path.write_text(json.dumps(manifest))
    says(monkeypatch, version="2")
    assert current_versions(run.folder, marks_host())["marks"] == "1"


# --- comparing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_change_that_nobody_named_is_refused_and_nothing_changes(
    workers: str, run: Placed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, version="2", failing=["B-H1/1", "B-E1/2"])
    before = _files(run.folder)
    assert _command("regrade", run.folder, "--workers", workers) == 1
    shown = capsys.readouterr()
    assert "refused: 2 outcomes of 2 calls changed that nobody named" in shown.err
    assert _victim(run, "B-E1", 2) in shown.out
    assert _files(run.folder) == before
    assert current_versions(run.folder, marks_host())["marks"] == "1"


def test_a_reason_without_a_name_is_refused(
    run: Placed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, version="2")
    before = _files(run.folder)
    assert _command("regrade", run.folder, "--reason", "the key was wrong") == 2
    assert "--reason goes with --allow NAME" in capsys.readouterr().err
    assert _files(run.folder) == before


def test_a_named_change_counts_and_is_kept(
    run: Placed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, version="2", failing=[], causes={})
    old = {name: data for name, data in _files(run.folder).items() if "/grades/" in name}
    victim = _victim(run)
    arguments = ("--allow", f"{PACK}/b-h1", "--reason", "the key was wrong", "--json")
    assert _command("regrade", run.folder, *arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["accepted"], told["graders"], told["passed"]) == (True, {"marks": ["1", "2"]}, [3, 4])
    (record,) = regrades(run.folder)
    assert (record.before["marks"], record.after["marks"], record.calls) == ("1", "2", 4)
    assert [(c.call_id, c.grader, c.old, c.new, c.named) for c in record.changes] == [
        (victim, "attribution", "measured, cause 4", "measured", f"{PACK}/b-h1"),
        (victim, "marks", "fail", "pass", f"{PACK}/b-h1"),
    ]
    assert record.named == (Named(f"{PACK}/b-h1", "the key was wrong"),)
    now = _files(run.folder)
    moved = run.folder.path / "grades" / "attribution" / "1" / f"{victim}.json"
    kept = run.folder.path / "regrades" / "0001" / "replaced" / "attribution" / "1" / f"{victim}.json"
    assert now[str(kept)] == old.pop(str(moved))  # attribution follows the grades, its version stays
    assert old.items() <= now.items()
    host = marks_host()
    assert (summary_of(run.folder, host).passed, other_versions(run.folder, host)) == (4, ())
    assert _command("grade", run.folder) == 0
    resume_run(run.folder.path, host, workers=1)


def test_a_grader_without_a_new_version_is_refused_even_where_named(
    run: Placed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, version="1", failing=["B-H1/1", "B-E1"])
    before = _files(run.folder)
    assert _command("regrade", run.folder, "--allow", "B-E1", "--allow", "B-H1") == 1
    assert "marks 1 no longer gives what it gave on 2 calls; give it a new version" in capsys.readouterr().err
    assert _files(run.folder) == before


def test_numbers_without_a_new_version_are_refused_too(run: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, version="1", failing=["B-H1/1"], causes={"B-H1/1": 4}, factor=3.0)
    with compared_regrade(run.folder, marks_host()) as (found, _):
        assert (found.changes, found.renumbered, found.acceptable) == ((), {"marks": 4}, False)


def test_a_dry_run_changes_nothing(
    run: Placed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, version="2", failing=["B-H1/1"], causes={"B-H1/1": 4}, factor=2.0)
    before = _files(run.folder)
    assert _command("regrade", run.folder, "--dry-run") == 0
    shown = capsys.readouterr()
    assert "marks: other numbers on 4 calls, same outcome" in shown.out
    assert "dry run: nothing has changed" in shown.err
    assert _files(run.folder) == before
    assert _command("regrade", run.folder) == 0
    assert current_versions(run.folder, marks_host())["marks"] == "2"


def test_a_second_regrade_starts_from_the_first(run: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ("2", "3"):
        says(monkeypatch, version=version, failing=["B-H1/1"], causes={"B-H1/1": 4})
        assert _command("regrade", run.folder) == 0
    assert [(r.number, r.before["marks"], r.after["marks"]) for r in regrades(run.folder)] == [
        (1, "1", "2"),
        (2, "2", "3"),
    ]
    assert {path.name for path in (run.folder.path / "grades" / "marks").iterdir()} == {"1", "2", "3"}
    says(monkeypatch, version="1", failing=["B-H1/1"], causes={"B-H1/1": 4})
    assert current_versions(run.folder, marks_host())["marks"] == "3"


def test_a_cause_that_moves_is_a_changed_outcome(run: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, blame="2", failing=["B-H1/1"], causes={"B-H1/1": 3})
    host = marks_host()
    with compared_regrade(run.folder, host) as (found, _):
        assert [(change.old, change.new) for change in found.refused] == [
            ("measured, cause 4", "measured, cause 3")
        ]
        assert (found.summary_before.void, found.summary_after.void) == (0, 1)


def test_a_further_measure_and_a_mended_grader_are_no_change(
    run: Placed, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, version="2", failing=["B-H1/1"], causes={"B-H1/1": 4}, raising=["B-E1"])
    host = marks_host()
    with compared_regrade(run.folder, host, [Named("B-E1")]) as (found, beside):
        assert {change.new for change in found.changes} == {"error"}
        accept_regrade(run.folder, found, beside)
    says(monkeypatch, version="3", failing=["B-H1/1"], causes={"B-H1/1": 4}, extra=["one-more"])
    with compared_regrade(run.folder, marks_host()) as (found, _):
        assert (found.changes, found.filled, found.acceptable) == ((), 4 + 2, True)


def test_a_verdict_that_nobody_gives_any_more_is_a_change_and_a_finding_is_not(run: Placed) -> None:
    bare = PluginHost()
    with compared_regrade(run.folder, bare) as (found, _):
        assert {(change.grader, change.new) for change in found.changes} == {("marks", "no grade")}
        assert len(found.refused) == 4
        assert found.after == {"attribution": "", "marks": ""}


def test_damaged_evidence_is_named_and_keeps_the_exchange_back(
    run: Placed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = _victim(run)
    (run.folder.call_folder(victim) / "state.sqlite").unlink()
    says(monkeypatch, version="2", failing=["B-H1/1"], causes={"B-H1/1": 4})
    assert _command("regrade", run.folder) == 1
    assert f"damaged call {victim}: " in capsys.readouterr().err
    assert current_versions(run.folder, marks_host())["marks"] == "1"


def test_a_call_that_can_not_be_graded_keeps_what_an_unchanged_grader_said(
    run: Placed, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = _victim(run)
    (run.folder.call_folder(victim) / "state.sqlite").unlink()
    assert _command("regrade", run.folder, "--allow", victim, "--json") == 1  # for the damage alone
    shown = capsys.readouterr()
    told = json.loads(shown.out)
    assert (told["changes"], told["accepted"]) == ([], False)
    assert told["passed"][0] == told["passed"][1]
    assert f"damaged call {victim}: " in shown.err


def test_names_have_to_be_of_the_run(run: Placed, tmp_path: Path) -> None:
    with (
        pytest.raises(UnknownName, match="unknown call or task 'B-H9'; known: bicycle-repair/B-E1"),
        compared_regrade(run.folder, marks_host(), [Named("B-H9")]),
    ):
        pass
    listed = tmp_path / "names.txt"
    listed.write_text("\ufeff# after the review\n\nB-H1   two of its  keys were wrong\nB-E1\n")
    assert read_named(listed) == (Named("B-H1", "two of its  keys were wrong"), Named("B-E1"))


def test_refused_changes_can_not_be_accepted_by_hand(run: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, version="2", failing=["B-E1"])
    with (
        compared_regrade(run.folder, marks_host()) as (found, beside),
        pytest.raises(ValueError, match="nobody named"),
    ):
        accept_regrade(run.folder, found, beside)
    assert not (run.folder.path / ".regrade").exists()


def test_a_damaged_regrade_record_is_told(run: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, version="2", failing=["B-H1/1"], causes={"B-H1/1": 4})
    assert _command("regrade", run.folder) == 0
    (run.folder.path / "regrades" / "0001.json").write_text("{}")
    with pytest.raises(StorageError, match="version is None, expected 1"):
        read_run(run.folder, marks_host())


def test_a_regraded_run_is_a_draft(run: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    path = run.folder.path / "run.json"
    manifest: dict[str, Any] = json.loads(path.read_text())
    manifest["frozen"] = {"version": "1.0.0", "sha256": "ab" * 32}
    path.write_text(json.dumps(manifest))
    assert summary_of(run.folder, marks_host()).stamp == "manifest 1.0.0 (SHA-256 abababababab)"
    says(monkeypatch, version="2", failing=["B-H1/1"], causes={"B-H1/1": 4})
    assert _command("regrade", run.folder) == 0
    assert summary_of(run.folder, marks_host()).stamp == "draft"
