"""Runs to look at: real calls on stand-in engines, and one run with everything odd that a page may meet."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import attrs

from offhook.callers import AgentHeard, CallerTurn
from offhook.grading import Grade, GradeKind, Outcome
from offhook.host import PluginHost
from offhook.records import CallRecord, LateTicks, RunManifest, TimedTranscript, empty_record
from offhook.runner import RunOptions, carry_out, new_run
from offhook.storage import RunFolder, to_json, write_text
from offhook.testing import FakeSpeech

__all__ = ["ARABIC", "LONG", "MARKUP", "fake_host", "make_odd_run", "make_run"]

MARKUP = "<script>document.title='taken'</script><img src=x onerror=alert(1)>"
ARABIC = "سلمى القحطاني‏"
LONG = "Maximiliane-Wilhelmina" * 12


def fake_host() -> PluginHost:
    """The installed plugins, with stand-ins for the speech engines."""
    host = PluginHost.discover(block=["speech"])
    assert host.register(FakeSpeech(), name="fake-engines")
    return host


def make_run(host: PluginHost, out: Path, **options: Any) -> RunFolder:
    """Places the calls; ``options`` as in ``RunOptions``."""
    run = new_run(RunOptions(out=out, **{"platform": "reference", **options}), host)
    carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    return run.folder


def make_odd_run(host: PluginHost, out: Path) -> RunFolder:
    """Over a run of two real calls: a call of 60 turns that was not kept up with, a failure full of long and
    hostile words, a call without sound, one that is void, one in error and one whose record is damaged.
    """
    folder = make_run(host, out, platform="saboteur-claims-done", tasks=("T4-E1", "T4-M2"))
    records = {record.key.task: record for record in map(folder.record, folder.call_ids())}
    _put(folder, _sixty_turns(records["T4-E1"]), sound_of=records["T4-E1"])
    hostile = _hostile(records["T4-M2"])
    _put(folder, hostile, sound_of=records["T4-M2"])
    folder.write_grades(hostile.call_id, _long_grades(hostile.call_id))
    _put(folder, _renamed(records["T4-E1"], "no-sound", "T4-SILENT-1"))
    for ending, cause in (
        ("void", f"no agent speech, {LONG}"),
        ("error", f"the line broke: {MARKUP} {LONG}"),
    ):
        key = attrs.evolve(records["T4-E1"].key, task=f"T4-{ending.upper()}")
        _put(folder, empty_record(f"odd-{ending}", key, seed=1, ending=ending, cause=cause))
    _put(folder, _renamed(records["T4-E1"], "odd-damaged", "T4-D1"))
    (folder.call_folder("odd-damaged") / "record.json").write_text('{"version": 1, "call_id"')
    manifest = folder.manifest()
    tasks = (*manifest.tasks, f"customer-support/T4-{LONG}", f"customer-support/{MARKUP}")
    changed = attrs.evolve(manifest, run_id=f"{ARABIC} {MARKUP} {LONG}", tasks=tasks, planned=12)
    _write_manifest(folder, changed)
    return folder


def _write_manifest(folder: RunFolder, manifest: RunManifest) -> None:
    write_text(folder.path / "run.json", to_json(manifest) + "\n")


def _renamed(record: CallRecord, call_id: str, task: str) -> CallRecord:
    return attrs.evolve(record, call_id=call_id, key=attrs.evolve(record.key, task=task), files=())


def _put(folder: RunFolder, record: CallRecord, *, sound_of: CallRecord | None = None) -> None:
    scratch = folder.scratch(record.call_id)
    if sound_of is not None:
        source = folder.call_folder(sound_of.call_id)
        for name in ("recording.flac", "tools.jsonl"):
            (scratch / name).write_bytes((source / name).read_bytes())
        record = attrs.evolve(
            record, files=tuple(f for f in sound_of.files if f.name in ("recording.flac", "tools.jsonl"))
        )
    folder.commit_call(scratch, record)


def _sixty_turns(record: CallRecord) -> CallRecord:
    step = record.seconds / 60
    return attrs.evolve(
        _renamed(record, "odd-sixty", "T4-SIXTY"),
        late=LateTicks(2.0, 91.0, 140.0),
        caller_turns=tuple(
            CallerTurn(
                f"Caller line {at}.", f"Caller line {at}, said aloud.", at * step, (at + 0.9) * step, ""
            )
            for at in range(0, 60, 2)
        ),
        caller_heard=tuple(
            AgentHeard(f"Agent line {at}. " + "Please hold on. " * (at % 7), at * step, (at + 0.9) * step)
            for at in range(1, 60, 2)
        ),
        user_transcripts=tuple(TimedTranscript(f"heard {at}", at * step) for at in range(0, 60, 2)),
    )


def _hostile(record: CallRecord) -> CallRecord:
    first, *rest = record.caller_turns
    return attrs.evolve(
        _renamed(record, "odd-hostile", f"T4-{LONG}"),
        caller_turns=(attrs.evolve(first, written=f"{ARABIC} {MARKUP} {LONG}", spoken=LONG), *rest),
        off_script=(f"said {MARKUP}", LONG),
        session_errors=(f"{ARABIC} {LONG}",),
    )


def _long_grades(call_id: str) -> tuple[Grade, ...]:
    call = {
        "tool": f"change_{LONG}",
        "arguments": {"full_name": ARABIC, "note": MARKUP, "address": LONG},
        "alternatives": {},
        "matched": False,
        "request": None,
        "note": f"nearest request differs in {LONG}",
        "differences": [{"what": "full_name", "expected": ARABIC, "observed": LONG}],
    }
    change = {
        "table": "customers",
        "column": f"full_name_{LONG}",
        "change_text": f"{ARABIC} → {LONG}",
        "observed_text": MARKUP,
        "ok": False,
    }
    extra = {
        "table": "customers",
        "key": ["C-1", LONG],
        "kind": "changed",
        "columns": {"address": {"seed": LONG, "observed": MARKUP}},
    }
    verdict = GradeKind.VERDICT
    versions = PluginHost.discover(block=["speech"]).grade_versions()
    return (
        Grade(
            "tool-adherence", versions["tool-adherence"], verdict, call_id, Outcome.FAIL, f"0 of 1 {LONG}",
            {}, {"expected_calls": [call]},
        ),
        Grade(
            "state-adherence", versions["state-adherence"], verdict, call_id, Outcome.FAIL, MARKUP,
            {}, {"expected_changes": [change], "unexpected_changes": [extra]},
        ),
    )  # fmt: skip
