"""Call records and grades built by hand, so that every figure of a card has a known answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from offhook.grading import Grade, GradeKind, Outcome
from offhook.judging import Subject, Verdict
from offhook.packs import Task
from offhook.records import CallKey, CallRecord, LateTicks, RunManifest, ToolLogEntry, empty_record
from offhook.scorecard import CardInput
from offhook.testing_pack import bicycle_pack

__all__ = ["TASKS", "Built", "build", "call", "graded", "manifest", "request", "ruling", "verdict"]

TASKS: tuple[Task, ...] = bicycle_pack().tasks


@attrs.frozen
class Built:
    """One call: its record, its grades and its request log."""

    record: CallRecord
    grades: tuple[Grade, ...] = ()
    requests: tuple[ToolLogEntry, ...] = ()

    def having(self, *grades: Grade, **changes: Any) -> Built:
        """The same call with other fields in its record, and grades that replace those of their graders."""
        record = attrs.evolve(self.record, **changes)
        new = tuple(attrs.evolve(grade, call_id=record.call_id) for grade in grades)
        names = {grade.grader for grade in new}
        return Built(record, (*(g for g in self.grades if g.grader not in names), *new), self.requests)

    def without(self, *graders: str) -> Built:
        return attrs.evolve(self, grades=tuple(g for g in self.grades if g.grader not in graders))

    def asking(self, *requests: ToolLogEntry) -> Built:
        return attrs.evolve(self, requests=requests)


def call(task: str, run: int = 1, passed: bool = True, *, audio: str = "clean", **changes: Any) -> Built:
    """A held, graded call whose caller hung up satisfied; ``changes`` are fields of its record."""
    key = CallKey("shop", task, "acme", run, audio=audio)
    call_id = f"{task}-{audio}-{run}"
    record = attrs.evolve(
        empty_record(call_id, key, seed=1, ending="completed", voice="voice-a"),
        **{"ended_by": "caller", "hung_up_because": "satisfied", "seconds": 60.0, **changes},
    )
    return Built(record, (verdict(passed, call_id=call_id),))


def verdict(
    passed: bool | Outcome, grader: str = "tool-adherence", *, call_id: str = "", **evidence: Any
) -> Grade:
    outcome = passed if isinstance(passed, Outcome) else Outcome.PASS if passed else Outcome.FAIL
    return Grade(grader, "1", GradeKind.VERDICT, call_id, outcome, "built", evidence=evidence)


def graded(
    grader: str,
    numbers: Mapping[str, float] | None = None,
    evidence: Mapping[str, Any] | None = None,
    *,
    outcome: Outcome = Outcome.MEASURED,
) -> Grade:
    """A grade that decides nothing."""
    return Grade(grader, "1", GradeKind.MEASURE, "", outcome, "built", numbers or {}, evidence or {})


def ruling(subject: Subject, verdict: Verdict, *, found: bool | None = True) -> dict[str, Any]:
    """As a judge's grade keeps it."""
    return {
        "subject": subject.value,
        "id": "x",
        "verdict": verdict.value,
        "quote": "as it was said",
        "speaker": "agent",
        "claim": "",
        "reason": "",
        "quote_found": found,
    }


def request(tool: str, *, accepted: bool = True, response: Mapping[str, Any] | None = None) -> ToolLogEntry:
    outcome = "accepted" if accepted else "refused"
    return ToolLogEntry(0, tool, {}, "{}", 200 if accepted else 409, response or {}, outcome, "", 1.0)


def manifest(calls: Iterable[Built], **changes: Any) -> RunManifest:
    keys = [built.record.key for built in calls]
    planned = len({(key.pack, key.task, key.audio, key.run) for key in keys})
    fields: dict[str, Any] = {
        "version": 1,
        "run_id": "built",
        "seed": 1,
        "platform": "acme",
        "caller": "scripted",
        "line": "audio",
        "runs": max((key.run for key in keys), default=1),
        "audio": tuple(sorted({key.audio for key in keys})) or ("clean",),
        "tasks": tuple(sorted({f"{key.pack}/{key.task}" for key in keys})),
        "planned": planned,
        "harness_reference": False,
        "components": (),
    }
    return RunManifest(**{**fields, **changes})


def build(calls: Iterable[Built], *, installed: tuple[Task, ...] = (), **changes: Any) -> CardInput:
    """A run of these calls; ``changes`` are fields of its manifest."""
    every = tuple(calls)
    return CardInput(
        manifest=manifest(every, **changes),
        records=tuple(built.record for built in every),
        grades=tuple(grade for built in every for grade in built.grades),
        requests={built.record.call_id: built.requests for built in every},
        tasks=installed,
    )


LATE = LateTicks(1.0, 50.0, 80.0)
