"""What every card is computed from: one set of call records, their grades and their request logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from offhook.grading import Grade, GradeKind, Outcome
from offhook.packs import Task
from offhook.records import CallRecord, RunManifest, ToolLogEntry
from offhook.scoring import CLEAN, CallResult, settle_calls

__all__ = ["CardInput", "Condition", "ScoredCall", "TaskTraits", "scored_calls"]


@attrs.frozen
class TaskTraits:
    """What a task's own data does not say: how many requests the caller makes in it (None: not known), the
    caller's persona and language."""

    requests: int | None = None
    persona: str = ""
    language: str = ""


@attrs.frozen
class Condition:
    """An audio condition in parts: what is heard behind the caller, and what the line does to it."""

    noise: str = "clean"
    impairment: str = "none"


@attrs.frozen
class CardInput:
    """One run. ``requests`` holds each call's request log by call id; a call that is missing there has none
    that can be read. ``traits`` go by ``pack/task``, ``conditions`` by the name of the audio condition; one
    that is not listed is what the run's manifest says of its profile, or else a noise of its name."""

    manifest: RunManifest
    records: tuple[CallRecord, ...]
    grades: tuple[Grade, ...]
    requests: Mapping[str, tuple[ToolLogEntry, ...]] = attrs.field(factory=dict)
    tasks: tuple[Task, ...] = ()
    traits: Mapping[str, TaskTraits] = attrs.field(factory=dict)
    conditions: Mapping[str, Condition] = attrs.field(factory=dict)


@attrs.frozen
class ScoredCall:
    """One planned call after its re-runs. ``verdict`` is what its verdict grades say together, or what the
    judge or verifier named ``judge`` says: ``pass``, ``fail``, ``unclear``, or empty where there is no
    answer. It stands whatever became of the call afterwards, while ``result`` is settled by the verdict
    grades (a failure of the benchmark's own is void)."""

    result: CallResult
    verdict: str
    grades: Mapping[str, Grade]
    requests: tuple[ToolLogEntry, ...] | None
    task: Task | None
    traits: TaskTraits
    condition: Condition
    judge: str = ""

    @property
    def record(self) -> CallRecord:
        return self.result.record

    @property
    def call_id(self) -> str:
        return self.record.call_id

    @property
    def scenario(self) -> str:
        """``pack/task``: calls of one task share its script, on whatever line."""
        return f"{self.record.key.pack}/{self.record.key.task}"

    @property
    def placed(self) -> tuple[str, str]:
        """The task and its audio condition: calls on equal terms."""
        return (self.scenario, self.record.key.audio)

    @property
    def quiet(self) -> bool:
        return (self.condition.noise, self.condition.impairment) == ("clean", "none")

    @property
    def unanswered(self) -> bool:
        """No agent spoke in any attempt, which counts as a failure without a verdict."""
        return self.result.state == "failed" and self.record.ending != "completed"

    @property
    def ungraded(self) -> bool:
        """The call was held, and whoever was to give its verdict failed or never ran."""
        if self.record.ending != "completed":
            return False
        outcomes = [grade.outcome for grade in _deciding(self.grades, self.judge)]
        return not outcomes or Outcome.ERROR in outcomes

    def measured(self, grader: str) -> Mapping[str, float]:
        """The numbers of a grade that measured something; empty where there is none."""
        grade = self.grades.get(grader)
        return grade.numbers if grade is not None and grade.outcome is Outcome.MEASURED else {}

    def evidence(self, grader: str) -> Mapping[str, Any]:
        grade = self.grades.get(grader)
        return grade.evidence if grade is not None else {}

    @property
    def judged(self) -> str:
        """``passed``, ``failed``, ``unclear``, ``measured failure`` (nobody answered), or empty where the
        call was not judged."""
        if self.unanswered:
            return "measured failure"
        if self.result.state == "void":
            return ""
        return {"pass": "passed", "fail": "failed", "unclear": "unclear"}.get(self.verdict, "")


def _condition(data: CardInput, audio: str) -> Condition:
    if audio in data.conditions:
        return data.conditions[audio]
    stamp = data.manifest.profiles.get(audio)
    if stamp is None:
        return Condition(noise=audio)
    return Condition(stamp.background or CLEAN, stamp.impairment or "none")


def scored_calls(data: CardInput, *, judge: str = "") -> tuple[ScoredCall, ...]:
    """The planned calls that ran, in order of their keys; records and grades may come in any order.

    Args:
        judge: the judge or verifier whose grades are the verdicts; by default the verdict graders' are.
    """
    by_call: dict[str, dict[str, Grade]] = {}
    for grade in data.grades:
        by_call.setdefault(grade.call_id, {})[grade.grader] = grade
    tasks = {f"{task.pack}/{task.id}": task for task in data.tasks}
    found = []
    for result in settle_calls(data.records, data.grades, attempts=data.manifest.attempts):
        key = result.record.key
        name = f"{key.pack}/{key.task}"
        grades = by_call.get(result.record.call_id, {})
        found.append(
            ScoredCall(
                result=result,
                verdict=_verdict(result.record, _deciding(grades, judge)),
                grades=grades,
                requests=data.requests.get(result.record.call_id),
                task=tasks.get(name),
                traits=data.traits.get(name, TaskTraits()),
                condition=_condition(data, key.audio),
                judge=judge,
            )
        )
    return tuple(found)


def _deciding(grades: Mapping[str, Grade], judge: str) -> list[Grade]:
    """The grades that a call's verdict is made of."""
    if judge:
        return [grades[judge]] if judge in grades else []
    return [grade for grade in grades.values() if grade.kind is GradeKind.VERDICT]


def _verdict(record: CallRecord, deciding: Iterable[Grade]) -> str:
    outcomes = {grade.outcome for grade in deciding}
    if record.ending != "completed" or not outcomes or outcomes & {Outcome.ERROR, Outcome.NOT_MEASURED}:
        return ""
    if Outcome.FAIL in outcomes:
        return "fail"
    return "pass" if outcomes == {Outcome.PASS} else "unclear"
