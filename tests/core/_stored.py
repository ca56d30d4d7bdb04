"""Stored calls without a call: the smallest folder that graders accept."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import attrs

from offhook.records import RUN_VERSION, CallKey, RunManifest, empty_record
from offhook.storage import RunFolder, file_stamp
from offhook.streams import opaque_id

__all__ = ["stored_run"]


def stored_run(path: Path, *, calls: int) -> RunFolder:
    """A run of text calls in the test pack, each completed, with an empty log and an empty database."""
    manifest = RunManifest(
        RUN_VERSION,
        path.name,
        seed=1,
        platform="p",
        caller="scripted",
        line="text",
        runs=calls,
        audio=("clean",),
        tasks=("bicycle-repair/B-E1",),
        planned=calls,
        harness_reference=False,
        components=(),
    )
    folder = RunFolder.create(path, manifest)
    for run in range(1, calls + 1):
        key = CallKey("bicycle-repair", "B-E1", "p", run, line="text")
        call_id = opaque_id(1, key.pack, key.task, key.platform, key.run, key.audio, key.line, key.attempt)
        scratch = folder.scratch(call_id)
        sqlite3.connect(scratch / "state.sqlite").close()
        (scratch / "tools.jsonl").write_text("")
        record = empty_record(call_id, key, seed=1, ending="completed")
        stamps = tuple(file_stamp(scratch / name) for name in ("state.sqlite", "tools.jsonl"))
        folder.commit_call(scratch, attrs.evolve(record, files=stamps))
    return folder
