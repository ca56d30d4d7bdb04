"""Measurers, graders and reviewers of a stored call: what is kept, what is made again, what failing costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.grading import (
    CallEvidence,
    Grade,
    GradeKind,
    Grader,
    GradingEngines,
    Measurer,
    NotMeasured,
    Outcome,
    Reviewer,
)
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.runner import GradeDesk, UnknownName, read_run
from offhook.scoring import settle_calls
from offhook.speech import SpeechUnavailable
from offhook.storage import RunFolder
from offhook.testing_pack import bicycle_pack
from tests.core._stored import stored_run


@attrs.frozen
class Counting:
    """A measurer that keeps count of how often it had to work."""

    made: list[str]
    outcome: Callable[[], Mapping[str, Any]] = lambda: {"level": 7}
    version: str = "1"
    name: str = "level"

    def measure(self, call: CallEvidence, engines: GradingEngines) -> Mapping[str, Any]:
        self.made.append(call.record.call_id)
        return self.outcome()


@attrs.frozen
class LevelGrader:
    name: str = "level-grader"
    version: str = "1"
    kind: GradeKind = GradeKind.VERDICT

    def grade(self, call: CallEvidence) -> Grade:
        found = call.measured("level")
        outcome = Outcome.PASS if found.values.get("level") == 7 else Outcome.FAIL
        summary = found.error or "measured"
        return Grade(self.name, self.version, self.kind, call.record.call_id, outcome, summary)


@attrs.frozen
class Blame:
    """A reviewer that files every failed call under one cause."""

    cause: float
    name: str = "attribution"
    version: str = "1"
    kind: GradeKind = GradeKind.FINDING

    def review(self, call: CallEvidence, grades: Sequence[Grade]) -> Grade:
        failed = [grade.grader for grade in grades if grade.outcome is Outcome.FAIL]
        told = f"the caller left its script ({', '.join(failed)})"
        numbers = {"cause": self.cause} if failed else {}
        return Grade(self.name, self.version, self.kind, call.record.call_id, Outcome.MEASURED, told, numbers)


def _host(*things: Any) -> PluginHost:
    class Parts:
        @hookimpl
        def offhook_measurers(self) -> Sequence[Measurer]:
            return [thing for thing in things if isinstance(thing, Measurer)]

        @hookimpl
        def offhook_graders(self) -> Sequence[Grader]:
            return [thing for thing in things if isinstance(thing, Grader)]

        @hookimpl
        def offhook_reviewers(self) -> Sequence[Reviewer]:
            return [thing for thing in things if isinstance(thing, Reviewer)]

        @hookimpl
        def offhook_industries(self) -> Sequence[Any]:
            return [bicycle_pack()]

    host = PluginHost()
    assert host.register(Parts(), name="parts"), host.problems
    return host


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return stored_run(tmp_path / "run", calls=2)


def _grades(folder: RunFolder, host: PluginHost) -> list[Grade]:
    for call in GradeDesk(host, folder).regrade():
        assert call.problem == ""
    return list(read_run(folder, host).grades)


def test_a_measurement_is_made_once_and_read_afterwards(folder: RunFolder) -> None:
    made: list[str] = []
    host = _host(Counting(made), LevelGrader())
    first, second = _grades(folder, host), _grades(folder, host)
    assert first == second
    assert {grade.outcome for grade in first} == {Outcome.PASS}
    assert made == list(folder.call_ids())


def test_another_version_measures_anew(folder: RunFolder) -> None:
    made: list[str] = []
    _grades(folder, _host(Counting(made), LevelGrader()))
    _grades(folder, _host(Counting(made, version="2"), LevelGrader()))
    assert made == [*folder.call_ids(), *folder.call_ids()]


@pytest.mark.parametrize("damage", ["", "{", '{"record_sha256":"0","measurement":{}}'])
def test_a_damaged_measurement_is_made_again(folder: RunFolder, damage: str) -> None:
    made: list[str] = []
    host = _host(Counting(made), LevelGrader())
    _grades(folder, host)
    spoilt = folder.call_ids()[0]
    (folder.path / "measurements" / "level" / "1" / f"{spoilt}.json").write_text(damage)
    assert {grade.outcome for grade in _grades(folder, host)} == {Outcome.PASS}
    assert made == [*folder.call_ids(), spoilt]


def test_a_measurement_of_another_record_is_not_taken(folder: RunFolder) -> None:
    made: list[str] = []
    host = _host(Counting(made), LevelGrader())
    _grades(folder, host)
    one, two = folder.call_ids()
    place = folder.path / "measurements" / "level" / "1"
    (place / f"{one}.json").write_text((place / f"{two}.json").read_text())
    _grades(folder, host)
    assert made == [one, two, one]


def _absent() -> Mapping[str, Any]:
    raise NotMeasured("nothing to measure here")


def _no_engine() -> Mapping[str, Any]:
    raise SpeechUnavailable("no engine; install one")


def _broken() -> Mapping[str, Any]:
    raise LookupError("lost\nits way")


@pytest.mark.parametrize(
    ("outcome", "told", "again"),
    [
        (_absent, "nothing to measure here", False),
        (_no_engine, "no engine; install one", True),
        (_broken, "LookupError: lost its way", True),
        (lambda: {"level": float("nan")}, "ValueError: Out of range float values", True),
        (lambda: {"level": object()}, "TypeError: Object of type object", True),
    ],
)
def test_what_fails_says_so_and_is_kept_only_where_it_would_fail_again(
    folder: RunFolder, outcome: Callable[[], Mapping[str, Any]], told: str, again: bool
) -> None:
    made: list[str] = []
    host = _host(Counting(made, outcome), LevelGrader())
    assert all(grade.summary.startswith(told) for grade in _grades(folder, host))
    _grades(folder, host)
    assert len(made) == (4 if again else 2)


def test_a_measurer_nobody_provides_is_named(folder: RunFolder) -> None:
    (first, _) = _grades(folder, _host(LevelGrader()))
    assert first.summary == "no measurer 'level' is installed"


@pytest.mark.parametrize(
    ("cause", "state"), [(1, "void"), (2, "void"), (3, "void"), (4, "failed"), (6, "failed")]
)
def test_a_failure_of_our_own_making_is_void(folder: RunFolder, cause: float, state: str) -> None:
    host = _host(LevelGrader(), Blame(cause))
    grades = _grades(folder, host)
    records = read_run(folder, host).records
    assert [result.state for result in settle_calls(records, grades)] == [state, state]
    assert settle_calls(records, grades)[0].why.count("left its script") == (state == "void")


def test_a_reviewer_reads_the_stored_grades_of_graders_that_do_not_run(folder: RunFolder) -> None:
    host = _host(LevelGrader(), Blame(2))
    _grades(folder, host)
    (reviewed, _) = [call.grades for call in GradeDesk(host, folder, only=["attribution"]).regrade()]
    assert [grade.summary for grade in reviewed] == ["the caller left its script (level-grader)"]


def test_a_reviewer_that_decides_is_an_error(folder: RunFolder) -> None:
    host = _host(LevelGrader(), Blame(2, kind=GradeKind.VERDICT))
    found = {grade.grader: grade for grade in _grades(folder, host)}
    assert found["attribution"].outcome is Outcome.ERROR
    assert "the grade's kind is <GradeKind.VERDICT: 'verdict'>" in found["attribution"].summary


def test_an_unknown_grader_names_reviewers_too(folder: RunFolder) -> None:
    with pytest.raises(UnknownName, match="known: attribution, level-grader"):
        GradeDesk(_host(LevelGrader(), Blame(2)), folder, only=["x"])
