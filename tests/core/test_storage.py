from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.callers import AgentHeard, CallerEvent, CallerTurn
from offhook.grading import Grade, GradeKind, Outcome
from offhook.records import (
    RECORD_VERSION,
    RUN_VERSION,
    CallKey,
    CallRecord,
    ComponentInfo,
    FileStamp,
    LateTicks,
    PlayedSpan,
    RunManifest,
    TimedTranscript,
)
from offhook.storage import RunFolder, StorageError, from_json, to_json

RECORD = CallRecord(
    version=RECORD_VERSION,
    call_id="00ff00ff00ff00ff",
    key=CallKey("bikes", "R-1", "reference", 1),
    run_seed=3,
    voice="v",
    ending="completed",
    cause="",
    ended_by="agent",
    seconds=12.5,
    caller_turns=(CallerTurn("Hi, 97035.", "Hi, nine seven zero three five.", 1.0, 2.5, "opening"),),
    caller_heard=(AgentHeard("Hello — how can I help?", 0.2, 0.9),),
    caller_events=(CallerEvent("opened", 2.5),),
    hung_up_because="satisfied",
    off_script=(),
    user_transcripts=(TimedTranscript("hi 97035", 2.8),),
    agent_transcripts=(TimedTranscript("Hello", 0.1),),
    played=(PlayedSpan(0.2, 0.9),),
    clears=(),
    session_errors=(),
    usage={"seconds": 12.5},
    cost_usd=None,
    cost_basis="unknown",
    underruns=0,
    late=LateTicks(0.0, 0.0, 0.0),
    user_transcript_available=True,
    components=(ComponentInfo("adapter:reference", "offhook", "0.1.0"),),
    files=(FileStamp("tools.jsonl", "00", 0),),
)
MANIFEST = RunManifest(
    version=RUN_VERSION,
    run_id="r",
    seed=3,
    platform="reference",
    caller="scripted",
    line="audio",
    runs=1,
    audio=("clean",),
    tasks=("bikes/R-1",),
    planned=1,
    harness_reference=True,
    components=(),
)


def _committed(folder: RunFolder) -> Path:
    scratch = folder.scratch(RECORD.call_id)
    (scratch / "tools.jsonl").write_text("")
    return folder.commit_call(scratch, RECORD)


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", MANIFEST)
    _committed(folder)
    assert folder.record(RECORD.call_id) == RECORD
    assert folder.manifest() == MANIFEST
    assert folder.call_ids() == (RECORD.call_id,)


def test_equal_values_are_equal_json() -> None:
    assert to_json(RECORD) == to_json(attrs.evolve(RECORD))
    assert json.loads(to_json(RECORD))["caller_heard"][0]["text"] == "Hello — how can I help?"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.update(version=99), r"record\.json: \$\.version is 99, expected 1"),
        (lambda data: data.pop("voice"), r"record\.json: required field missing @ \$\.voice"),
        (
            lambda data: data["key"].update(run="two"),
            r"record\.json: invalid value for type, expected int @ \$\.key\.run",
        ),
        (lambda data: data.update(extra=1), r"record\.json: extra fields found \(extra\) @ \$"),
        (
            lambda data: data["caller_turns"][0].update(start="soon"),
            r"record\.json: invalid value for type, expected float @ \$\.caller_turns\[0\]\.start",
        ),
    ],
)
def test_a_malformed_record_names_file_path_and_expectation(
    tmp_path: Path, change: Any, message: str
) -> None:
    folder = RunFolder.create(tmp_path / "run", MANIFEST)
    path = _committed(folder) / "record.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(StorageError, match=message):
        folder.record(RECORD.call_id)


@pytest.mark.parametrize("text", ["", "{", "\udcff", "[1]"])
def test_something_that_is_no_record_is_one_line(text: str) -> None:
    with pytest.raises(StorageError) as caught:
        from_json(text, CallRecord, source="x.json", version=1)
    assert str(caught.value).startswith("x.json: ")
    assert "\n" not in str(caught.value)


def test_a_call_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", MANIFEST)
    scratch = folder.scratch(RECORD.call_id)
    (scratch / "state.sqlite").write_bytes(b"half")
    assert folder.call_ids() == ()
    assert folder.sweep() == 1
    assert not scratch.exists()


def test_a_finished_call_is_never_changed(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", MANIFEST)
    _committed(folder)
    with pytest.raises(StorageError, match="exists already"):
        _committed(folder)


def test_a_second_writer_is_turned_away(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", MANIFEST)
    with folder.lock(), pytest.raises(StorageError, match="being written by another offhook process"):
        RunFolder.open(tmp_path / "run").lock()
    with folder.lock():
        pass


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "run", MANIFEST)
    with pytest.raises(StorageError, match="already holds a run"):
        RunFolder.create(tmp_path / "run", MANIFEST)


def test_a_folder_without_a_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"holds no run \(no run\.json\)"):
        RunFolder.open(tmp_path)


def test_a_full_disk_is_one_line_and_leaves_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder.create(tmp_path / "run", MANIFEST)
    scratch = folder.scratch(RECORD.call_id)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        StorageError,
        match=r"no space left to write .*; free some, then give the command again \(a run: with --resume\)",
    ):
        folder.commit_call(scratch, RECORD)
    assert folder.call_ids() == ()
    assert list(scratch.iterdir()) == []


def test_grades_lie_beside_the_evidence_by_version(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", MANIFEST)
    before = {path: path.read_bytes() for path in _committed(folder).iterdir()}
    old = Grade("wer", "1", GradeKind.MEASURE, RECORD.call_id, Outcome.MEASURED, "old", {"errors": 1.0})
    new = attrs.evolve(old, version="2", summary="new")
    folder.write_grades(RECORD.call_id, [old])
    folder.write_grades(RECORD.call_id, [new])
    assert folder.grades(RECORD.call_id) == (new,)
    assert folder.grades(RECORD.call_id, {"wer": "1"}) == (old,)
    assert {path: path.read_bytes() for path in before} == before
