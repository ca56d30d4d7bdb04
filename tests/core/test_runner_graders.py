"""Graders that raise, or return what cannot be taken: each is an error of its own, never the run's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.hooks import hookimpl
from offhook.runner import GradeDesk
from offhook.storage import StorageError
from offhook_graders.plugin import offhook_graders as first_party_graders
from tests.core._platforms import LONE, Talking, host_of, odd_run
from tests.core._runs import placed


@attrs.frozen(eq=False)
class Grading:
    """A grader that returns a sound grade with one change, or whatever ``instead`` gives."""

    change: dict[str, Any] = attrs.field(factory=dict)
    instead: Callable[[], Any] | None = None
    name: Any = "strict"
    version: Any = "1"
    kind: Any = GradeKind.MEASURE

    def grade(self, call: CallEvidence) -> Any:
        if self.instead is not None:
            return self.instead()
        own = Grade("strict", "1", GradeKind.MEASURE, call.record.call_id, Outcome.MEASURED, "fine")
        return attrs.evolve(own, **self.change)


def _exit() -> None:
    raise SystemExit(7)


def _surrogate() -> None:
    raise RuntimeError(f"boom {LONE}\nthere")


@pytest.mark.parametrize(
    ("grader", "why"),
    [
        (Grading(instead=lambda: None), "the grader returned NoneType, expected Grade"),
        (Grading(instead=dict), "the grader returned dict, expected Grade"),
        (Grading(instead=_exit), "SystemExit: 7"),
        (Grading(instead=_surrogate), "RuntimeError: boom \ufffd there"),
        (Grading({"numbers": {"x": float("nan")}}), "the grade's number 'x' is nan"),
        (Grading({"numbers": {"x": "1"}}), "the grade's number 'x' is '1'"),
        (Grading({"numbers": None}), "AttributeError"),
        (Grading({"evidence": {"x": float("inf")}}), "ValueError"),
        (Grading({"evidence": {"x": object()}}), "TypeError"),
        (Grading({"summary": LONE}), "UnicodeEncodeError"),
        (Grading({"summary": None}), "the grade's summary is NoneType"),
        (Grading({"outcome": "great"}), "the grade's outcome is 'great'"),
        (
            Grading({"grader": "state-adherence"}),
            "the grade's grader is 'state-adherence', expected 'strict'",
        ),
        (Grading({"grader": "../../escaped"}), "the grade's grader is '../../escaped'"),
        (Grading({"version": "2"}), "the grade's version is '2'"),
        (Grading({"kind": GradeKind.VERDICT}), "the grade's kind is"),
        (Grading({"call_id": "../nope"}), "the grade's call_id is '../nope'"),
    ],
)
def test_a_grade_that_cannot_be_taken_is_an_error_of_its_own_grader(
    grader: Grading, why: str, tmp_path: Path
) -> None:
    ran = odd_run(tmp_path, Talking, grader)
    grade = ran.grade
    assert (grade.grader, grade.version, grade.kind, grade.outcome) == (
        "strict",
        "1",
        GradeKind.MEASURE,
        Outcome.ERROR,
    )
    assert grade.summary.startswith(why)
    written = {path.relative_to(tmp_path) for path in tmp_path.rglob(f"{ran.record.call_id}.json")}
    assert written == {Path("run/grades/strict/1") / f"{ran.record.call_id}.json"}


def test_a_sound_grade_is_stored_as_it_is(tmp_path: Path) -> None:
    ran = odd_run(tmp_path, Talking, Grading({"numbers": {"x": 1.5}, "evidence": {"pairs": [[1, 2]]}}))
    assert (ran.grade.outcome, ran.grade.numbers) == (Outcome.MEASURED, {"x": 1.5})


@pytest.mark.parametrize(
    "names",
    [{"name": "../../escaped"}, {"name": ".hidden"}, {"version": "a/b"}, {"version": 1}, {"kind": "measure"}],
    ids=repr,
)
def test_a_grader_whose_grades_have_no_place_is_left_out_and_told(
    names: dict[str, Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ran = odd_run(tmp_path, Talking, Grading(**names))
    assert not list(tmp_path.rglob(f"{ran.record.call_id}.json"))
    desk = GradeDesk(ran.host, ran.folder)
    (problem,) = desk.problems
    assert "left out" in problem
    assert len(list(desk.regrade())) == 1
    assert [record.getMessage() for record in caplog.records if "left out" in record.getMessage()] == [
        problem
    ]


def test_no_grade_is_written_outside_its_folder(tmp_path: Path) -> None:
    ran = odd_run(tmp_path)
    stray = Grade("..", "1", GradeKind.MEASURE, ran.record.call_id, Outcome.MEASURED, "")
    with pytest.raises(StorageError, match="no folder can be named after grader"):
        ran.folder.write_grades(ran.record.call_id, [stray])


class BadGrader:
    name = "bad"
    version = "1"
    kind = first_party_graders()[0].kind

    def grade(self, call: object) -> Any:
        raise LookupError("this grader is lost\nhere")


def test_a_grader_that_raises_is_an_error_and_never_a_failure(tmp_path: Path) -> None:
    class Bad:
        @hookimpl
        def offhook_graders(self) -> Sequence[Any]:
            return [BadGrader()]

    run = placed(tmp_path, host_of(more=[Bad()]), line="text")
    assert (run.summary.error, run.summary.graded) == (1, 0)
    (result,) = run.summary.calls
    assert result.why == "bad: LookupError: this grader is lost here"
