"""Word error rates: counts for pooling, alignment, and when hearing is not measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, Grade, Outcome
from offhook.scoring import pool_wer
from offhook_graders.hearing import WerGrader, align_words

WORDS = st.lists(st.sampled_from(["my", "order", "is", "k", "e", "4", "0"]), max_size=12)


class MakeEvidence(Protocol):
    def __call__(self, **record: Any) -> CallEvidence: ...


def said(*texts: str) -> list[CallerTurn]:
    return [CallerTurn(text, text, float(at), at + 0.5, "opening") for at, text in enumerate(texts)]


def graded(evidence: MakeEvidence, spoken: Sequence[str], heard: Sequence[str], **record: Any) -> Grade:
    return WerGrader().grade(evidence(turns=said(*spoken), heard=heard, **record))


def test_one_deletion_in_the_published_figure(evidence: MakeEvidence) -> None:
    reference = "my order number is K E 4 4 0 8 1 1 7 and the zip code is 9 7 4 0 2"

    grade = graded(evidence, [reference], [reference.replace("4 4 0", "4 0")])

    assert grade.outcome is Outcome.MEASURED
    assert (grade.numbers["deletions"], grade.numbers["reference_words"]) == (1, 23)
    assert grade.numbers["wer"] == pytest.approx(1 / 23, abs=1e-6)
    assert grade.summary == "WER 4.3 % (0 S, 1 D, 0 I over 23 words)"


def test_where_the_platform_cuts_turns_is_no_error(evidence: MakeEvidence) -> None:
    grade = graded(
        evidence,
        ["Cancel my membership today.", "Selina Cortez."],
        ["cancel my", "membership today Selina", "Cortez"],
    )

    assert grade.numbers["wer"] == 0


def test_written_and_spoken_numbers_are_equal(evidence: MakeEvidence) -> None:
    grade = graded(
        evidence,
        ["Five four one, five five five, oh one seven one.", "It's fourteen dollars and ninety-nine cents."],
        ["541-555-0171.", "It’s $14.99"],
    )

    assert grade.numbers["wer"] == 0


def test_the_reference_is_what_was_given_to_the_voice(evidence: MakeEvidence) -> None:
    turn = CallerTurn("ZIP 97035", "zip nine seven oh three five", 0.0, 1.0, "rule:zip")

    grade = WerGrader().grade(evidence(turns=[turn], heard=["zip 97035"]))

    assert grade.evidence["reference"] == [["zip", "9", "7", "0", "3", "5"]]
    assert grade.numbers["wer"] == 0


def test_every_error_is_shown_with_its_words_and_turn(evidence: MakeEvidence) -> None:
    grade = graded(
        evidence, ["please cancel it", "no thank you"], ["please counsel it", "no thank you very much"]
    )

    errors = [chunk for chunk in grade.evidence["alignment"] if chunk["kind"] != "equal"]
    assert errors == [
        {"kind": "substitute", "turn": 0, "reference": "cancel", "hypothesis": "counsel"},
        {"kind": "insert", "turn": 1, "reference": "", "hypothesis": "very much"},
    ]


def test_a_platform_that_transcribed_nothing_has_every_word_wrong(evidence: MakeEvidence) -> None:
    grade = graded(evidence, ["please cancel it"], [])

    assert (grade.outcome, grade.numbers["deletions"], grade.numbers["wer"]) == (Outcome.MEASURED, 3, 1)


def test_more_errors_than_words_are_capped_in_the_rate_only(evidence: MakeEvidence) -> None:
    grade = graded(evidence, ["yes"], ["i would like to know more"])

    assert grade.numbers["wer"] == 1
    assert grade.numbers["substitutions"] + grade.numbers["insertions"] == 6


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"transcript": False}, "gives no transcript"),
        ({"line": "text"}, "text line"),
    ],
)
def test_hearing_that_can_not_be_measured_is_no_zero(
    evidence: MakeEvidence, record: dict[str, Any], why: str
) -> None:
    grade = graded(evidence, ["please cancel it"], [], **record)

    assert grade.outcome is Outcome.NOT_MEASURED
    assert why in grade.summary
    assert pool_wer([grade]) is None


@pytest.mark.parametrize("spoken", [[], ["..."]])
def test_without_a_spoken_word_nothing_is_measured(evidence: MakeEvidence, spoken: list[str]) -> None:
    grade = graded(evidence, spoken, ["ghost words"])

    assert (grade.outcome, dict(grade.numbers)) == (Outcome.NOT_MEASURED, {})
    assert grade.evidence["alignment"] == [
        {"kind": "insert", "turn": 0, "reference": "", "hypothesis": "ghost words"}
    ]


@settings(deadline=None)  # the first alignment imports jiwer
@given(WORDS, WORDS)
def test_wer_is_zero_only_for_equal_words(reference: list[str], hypothesis: list[str]) -> None:
    alignment = align_words(reference, hypothesis)

    assert (alignment.errors == 0) == (reference == hypothesis)
    if reference:
        assert (alignment.wer == 0) == (reference == hypothesis)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_the_alignment_tells_both_sides_in_full(reference: list[str], hypothesis: list[str]) -> None:
    alignment = align_words(reference, hypothesis)

    assert [word for chunk in alignment.chunks for word in chunk.reference] == reference
    assert [word for chunk in alignment.chunks for word in chunk.hypothesis] == hypothesis
    assert abs(len(reference) - len(hypothesis)) <= alignment.errors <= max(len(reference), len(hypothesis))
