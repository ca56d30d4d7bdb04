"""Grading stored calls: every grader on each call. A grader that raises, or evidence that is damaged, yields
``error`` grades and stops nothing.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Final

import attrs

from offhook.grading import (
    CallEvidence,
    FreshMeasurements,
    Grade,
    GradeKind,
    Grader,
    Measurements,
    Outcome,
    Reviewer,
)
from offhook.host import PluginHost
from offhook.packs import Pack
from offhook.records import ModelLayer
from offhook.runner._versions import current_versions
from offhook.runner.measured import HostEngines, StoredMeasurements
from offhook.runner.plan import UnknownName
from offhook.storage import RunFolder, StorageError, from_json, is_safe_name, one_line, to_json

__all__ = ["GradeDesk", "GradedCall", "load_evidence", "verdict_of"]

_logger: Final = logging.getLogger(__name__)


def load_evidence(
    folder: RunFolder,
    call_id: str,
    packs: Mapping[str, Pack],
    measurements: Measurements | None = None,
    *,
    layers: tuple[ModelLayer, ...] | None = None,
) -> CallEvidence:
    """One stored call as graders see it, its files checked against the record's hashes.

    Args:
        measurements: where measurements come from; without it there are none.
        layers: the models inside the platform; read from the run's manifest where not given.

    Raises:
        StorageError: a file of the call is missing, malformed or altered.
        UnknownName: the call's pack or task is not installed.
    """
    record = folder.record(call_id)
    if record.key.pack not in packs:
        raise UnknownName("pack", record.key.pack, packs)
    pack = packs[record.key.pack]
    if record.key.task not in {task.id for task in pack.tasks}:
        raise UnknownName("task", record.key.task, [task.id for task in pack.tasks])
    altered = folder.check_files(record)
    if altered:
        raise StorageError("; ".join(altered))
    place = folder.call_folder(call_id)
    state = place / "state.sqlite"
    if not state.is_file():
        raise StorageError(f"{state} is missing; the call can't be graded")
    return CallEvidence(
        record=record,
        tools=folder.tools(call_id),
        state=state,
        recording=_tape(place / "recording.flac", record.key.line),
        caller_tape=_tape(place / "caller.flac", record.key.line),
        pack=pack,
        task=pack.task(record.key.task),
        layers=_layers(folder) if layers is None else layers,
        measurements=measurements or FreshMeasurements(()),
    )


@attrs.frozen
class GradedCall:
    """The grades of one call. ``problem`` is one line where its evidence could not be read."""

    call_id: str
    grades: tuple[Grade, ...]
    problem: str = ""


class GradeDesk:
    """Runs a host's graders, then its reviewers, over the calls of one run folder. ``problems`` has one line
    for each that is left out because no grade of its could be stored. A grader whose version is not the one
    that counts on the run is left to a regrade.

    Args:
        only: names of the graders and reviewers to run (none: all).
        into: where grades are written, if not into the run: a regrade looks at them before they count. Then
            all graders run, whatever their version.

    Raises:
        UnknownName: ``only`` names a grader that nobody provides.
        StorageError: the run's manifest is malformed.
    """

    def __init__(
        self,
        host: PluginHost,
        folder: RunFolder,
        *,
        only: Sequence[str] = (),
        into: RunFolder | None = None,
    ) -> None:
        graders, reviewers = host.graders(), host.reviewers()
        for name in only:
            if name not in graders and name not in reviewers:
                raise UnknownName("grader", name, {**graders, **reviewers})
        self._versions = current_versions(folder, host)
        everyone: dict[str, Grader | Reviewer] = {**reviewers, **graders}
        if into is None:
            everyone = {
                name: grader
                for name, grader in everyone.items()
                if self._versions.get(name, grader.version) == grader.version
            }
        faults = {
            name: _registration_fault(grader, name in graders)
            for name, grader in everyone.items()
            if not only or name in only
        }
        self._graders = [grader for name, grader in graders.items() if faults.get(name) == ""]
        self._reviewers = [
            reviewer for name, reviewer in reviewers.items() if name not in graders and faults.get(name) == ""
        ]
        self.problems = tuple(fault for fault in faults.values() if fault)
        self._packs = host.packs()
        self._folder = folder
        self._layers = _layers(folder)
        self._into = into or folder
        self._measurements = StoredMeasurements(folder, host.measurers(), HostEngines(host))

    def catch_up(self) -> tuple[GradedCall, ...]:
        """Grades the completed calls that a dying process stored and did not come to grade."""
        late = [call_id for call_id in self._folder.call_ids() if self._is_owed(call_id)]
        return tuple(self.grade(call_id) for call_id in late)

    def grade(self, call_id: str) -> GradedCall:
        """Grades one completed call and stores the grades beside it.

        Evidence that can't be read gives ``error`` grades. They are stored only where there was no grade:
        one that was made while the evidence was whole still stands.

        Raises:
            StorageError: the grades can't be written.
        """
        try:
            evidence = load_evidence(
                self._folder, call_id, self._packs, self._measurements, layers=self._layers
            )
        except (StorageError, UnknownName) as error:
            problem = one_line(str(error))
            failed = (
                *(_error_grade(grader, call_id, problem) for grader in self._graders),
                *(_error_review(reviewer, call_id, problem) for reviewer in self._reviewers),
            )
            held = {grade.grader for grade in self._stored(call_id)}
            self._into.write_grades(call_id, [grade for grade in failed if grade.grader not in held])
            return GradedCall(call_id, failed, problem)
        grades = [_graded(grader, evidence) for grader in self._graders]
        known = {grade.grader: grade for grade in (*self._stored(call_id), *grades)}
        for reviewer in self._reviewers:
            before = tuple(known[name] for name in sorted(known) if name != reviewer.name)
            grades.append(_reviewed(reviewer, evidence, before))
            known[reviewer.name] = grades[-1]
        self._into.write_grades(call_id, grades)
        return GradedCall(call_id, tuple(grades))

    def regrade(self) -> Iterator[GradedCall]:
        """Grades every completed call of the run, one by one. One whose record can't be read is told too.
        Logs what is wrong with graders that are left out.
        """
        self.warn()
        for call_id in self.gradable():
            yield self.grade(call_id)

    def warn(self) -> None:
        """Logs what is wrong with graders that are left out."""
        for problem in self.problems:
            _logger.warning("%s", problem)

    def gradable(self) -> tuple[str, ...]:
        """The calls that ``regrade`` goes through, sorted."""
        return tuple(
            call_id for call_id in self._folder.call_ids() if self._ending(call_id) in ("completed", "")
        )

    def _is_owed(self, call_id: str) -> bool:
        return self._ending(call_id) == "completed" and not self._has_all(call_id)

    def _has_all(self, call_id: str) -> bool:
        held = {grade.grader for grade in self._stored(call_id)}
        names = [grader.name for grader in self._graders] + [reviewer.name for reviewer in self._reviewers]
        return held.issuperset(names)

    def _ending(self, call_id: str) -> str:
        """How the call ended; empty where its record can't be read."""
        try:
            return self._folder.record(call_id).ending
        except StorageError:
            return ""

    def _stored(self, call_id: str) -> tuple[Grade, ...]:
        """What there is of this desk's grades; a damaged file counts for none."""
        try:
            return self._folder.grades(call_id, self._versions)
        except StorageError:
            return ()


def verdict_of(grades: Iterable[Grade]) -> bool | None:
    """Whether a call passed: every verdict grader says so. None if one of them failed to grade, or there is
    none.
    """
    outcomes = [grade.outcome for grade in grades if grade.kind is GradeKind.VERDICT]
    if not outcomes or any(outcome not in (Outcome.PASS, Outcome.FAIL) for outcome in outcomes):
        return None
    return all(outcome is Outcome.PASS for outcome in outcomes)


def _graded(grader: Grader, evidence: CallEvidence) -> Grade:
    call_id = evidence.record.call_id
    try:
        grade = grader.grade(evidence)
        fault = _fault_of(grade, (grader.name, grader.version, grader.kind, call_id))
    except (Exception, SystemExit) as error:  # a plugin may even call sys.exit()
        return _error_grade(grader, call_id, one_line(error))
    return _error_grade(grader, call_id, one_line(fault)) if fault else grade


def _reviewed(reviewer: Reviewer, evidence: CallEvidence, grades: tuple[Grade, ...]) -> Grade:
    call_id = evidence.record.call_id
    try:
        grade = reviewer.review(evidence, grades)
        fault = _fault_of(grade, (reviewer.name, reviewer.version, GradeKind.FINDING, call_id))
    except (Exception, SystemExit) as error:
        return _error_review(reviewer, call_id, one_line(error))
    return _error_review(reviewer, call_id, one_line(fault)) if fault else grade


def _fault_of(grade: object, expected: tuple[str, str, GradeKind, str]) -> str:
    """Why a grade can't be taken, or nothing. It speaks for its grader and its call alone, and has to read
    back from disk. Raises whatever JSON makes of its evidence.
    """
    if not isinstance(grade, Grade):
        return f"the grader returned {type(grade).__name__}, expected Grade"
    stamped = (grade.grader, grade.version, grade.kind, grade.call_id)
    for what, found, wanted in zip(("grader", "version", "kind", "call_id"), stamped, expected, strict=True):
        if type(found) is not type(wanted) or found != wanted:
            return f"the grade's {what} is {found!r}, expected {str(wanted)!r}"
    if not isinstance(grade.outcome, Outcome):
        return f"the grade's outcome is {grade.outcome!r}, expected one of Outcome"
    if not isinstance(grade.summary, str):
        return f"the grade's summary is {type(grade.summary).__name__}, expected text"
    for name, number in grade.numbers.items():
        if not isinstance(name, str) or not isinstance(number, Real) or not math.isfinite(number):
            return f"the grade's number {name!r} is {number!r}, expected a finite number"
    text = to_json(grade)
    text.encode("utf-8")
    from_json(text, Grade, source="the grade")
    return ""


def _registration_fault(grader: Grader | Reviewer, has_kind: bool) -> str:
    try:
        name, version = grader.name, grader.version
        kind = getattr(grader, "kind", None) if has_kind else GradeKind.FINDING
    except Exception as error:
        return f"a grader is left out: {one_line(error)}"
    if not (is_safe_name(name) and is_safe_name(version)):
        return (
            f"grader {name!r}, version {version!r}, is left out: names and versions are made of letters, "
            "digits, '.', '_' and '-', and start with no dot"
        )
    if not isinstance(kind, GradeKind):
        return f"grader {name!r} is left out: its kind is {kind!r}, expected one of GradeKind"
    return ""


def _error_grade(grader: Grader, call_id: str, why: str) -> Grade:
    return Grade(grader.name, grader.version, grader.kind, call_id, Outcome.ERROR, why)


def _error_review(reviewer: Reviewer, call_id: str, why: str) -> Grade:
    return Grade(reviewer.name, reviewer.version, GradeKind.FINDING, call_id, Outcome.ERROR, why)


def _layers(folder: RunFolder) -> tuple[ModelLayer, ...]:
    """Calls can be graded without a manifest; nothing is then known of the platform's models."""
    try:
        return folder.manifest().layers
    except StorageError:
        return ()


def _tape(path: Path, line: str) -> Path | None:
    if line == "text":
        return None
    if not path.is_file():
        raise StorageError(f"{path} is missing; the call can't be graded")
    return path
