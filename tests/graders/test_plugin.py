"""The graders as a plugin: cheap to import, complete, and their grades survive storage."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE
from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, FreshMeasurements, Grade, GradeKind, Grader
from offhook.line import write_flac
from offhook.packs import Pack
from offhook.records import TimedTranscript
from offhook.storage import from_json, to_json
from offhook.testing import speechlike
from offhook_graders.plugin import offhook_graders, offhook_measurers


@pytest.fixture
def graders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Grader]:
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    return offhook_graders()


@pytest.fixture
def whole_call(grade_requests: Callable[..., CallEvidence], pack: Pack, tmp_path: Path) -> CallEvidence:
    """A call with every kind of evidence, good and bad."""
    call = grade_requests(
        pack.task("B-H1"),
        (
            ("find_customer", {"full_name": "Nadia Okafor", "phone": "541-555-0148"}),
            ("verify_owner", {"postal_code": "97405", "frame_last4": "7731"}),
        ),
    )
    tape = np.zeros((4 * LINE_RATE, 2), dtype=np.int16)
    tape[:LINE_RATE, 0] = speechlike(1.0).samples
    tape[2 * LINE_RATE : 3 * LINE_RATE, 1] = speechlike(1.0, 1).samples
    write_flac(tmp_path / "recording.flac", tape, LINE_RATE)
    write_flac(tmp_path / "caller.flac", np.ascontiguousarray(tape[:, 0]), LINE_RATE)
    record = attrs.evolve(
        call.record,
        caller_turns=(CallerTurn("Yes, please.", "yes please", 0.0, 1.0, "opening"),),
        user_transcripts=(TimedTranscript("yes peas", 1.2),),
    )
    return attrs.evolve(
        call,
        record=record,
        recording=tmp_path / "recording.flac",
        caller_tape=tmp_path / "caller.flac",
        measurements=FreshMeasurements(offhook_measurers()),
    )


def test_two_graders_decide_and_the_others_measure(graders: list[Grader]) -> None:
    assert [(grader.name, grader.kind) for grader in graders] == [
        ("tool-adherence", GradeKind.VERDICT),
        ("state-adherence", GradeKind.VERDICT),
        ("hearing", GradeKind.MEASURE),
        ("latency", GradeKind.MEASURE),
        ("conversation", GradeKind.MEASURE),
    ]
    assert all(isinstance(grader, Grader) for grader in graders)


def test_every_grade_survives_being_stored(graders: list[Grader], whole_call: CallEvidence) -> None:
    for grader in graders:
        grade = grader.grade(whole_call)

        text = to_json(grade)

        assert grade.evidence, grader.name
        assert to_json(from_json(text, Grade, source="grade")) == text


def test_equal_evidence_gives_equal_grades_byte_for_byte(
    graders: list[Grader], whole_call: CallEvidence
) -> None:
    once = [to_json(grader.grade(whole_call)) for grader in graders]

    assert [to_json(grader.grade(whole_call)) for grader in graders] == once


def test_importing_the_plugin_is_cheap() -> None:
    heavy = ("scipy", "jiwer", "numpy")
    code = f"import sys, offhook_graders.plugin; print([name for name in {heavy} if name in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
