"""Runs made of records and grades, without calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from offhook.grading import Grade, GradeKind, Outcome
from offhook.records import RUN_VERSION, CallKey, CallRecord, RunManifest, empty_record
from offhook.runner import StoredRun

__all__ = ["MISSED", "grade", "made_run", "manifest_of"]

MISSED: Mapping[str, Any] = {
    "expected_calls": [
        {"tool": "find", "matched": True, "differences": []},
        {"tool": "book", "matched": False, "differences": [{"what": "date", "expected": 1, "observed": 2}]},
        {"tool": "pay", "matched": False, "differences": []},
    ]
}


def manifest_of(platform: str, *, run_id: str = "", planned: int = 0) -> RunManifest:
    return RunManifest(
        RUN_VERSION,
        run_id or platform,
        seed=1,
        platform=platform,
        caller="scripted",
        line="text",
        runs=9,
        audio=("clean",),
        tasks=("p/A",),
        planned=planned,
        harness_reference=False,
        components=(),
    )


def grade(call_id: str, outcome: Outcome, evidence: Mapping[str, Any] = {}, *, name: str = "tools") -> Grade:
    return Grade(name, "1", GradeKind.VERDICT, call_id, outcome, "", {}, evidence)


def made_run(
    platform: str, calls: Mapping[str, Sequence[Mapping[str, Any] | None]], *, run_id: str = ""
) -> StoredRun:
    """``calls`` maps a task to its runs: None passed, else the evidence of the grade that failed it."""
    records: list[CallRecord] = []
    grades: list[Grade] = []
    for task, outcomes in calls.items():
        for run, evidence in enumerate(outcomes, start=1):
            call_id = f"{run_id or platform}-{task}-{run}"
            key = CallKey("p", task, platform, run, line="text")
            records.append(empty_record(call_id, key, seed=1, ending="completed"))
            outcome = Outcome.PASS if evidence is None else Outcome.FAIL
            grades.append(grade(call_id, outcome, evidence or {}))
    return StoredRun(
        manifest_of(platform, run_id=run_id, planned=len(records)), tuple(records), tuple(grades), ()
    )
