"""The hearing grader: counts for pooling, what is forgiven, and when hearing is not measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE
from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, Grade, Measurement, Outcome
from offhook.line import write_flac
from offhook.records import TimedTranscript
from offhook.scoring import pool_hearing
from offhook.testing import speechlike
from offhook_graders.hearing.alignment import align_call
from offhook_graders.hearing.grader import HearingGrader
from tests.graders.hearing_calls import MakeEvidence, measured, said


def graded(evidence: MakeEvidence, spoken: Sequence[str], heard: Sequence[str], **record: Any) -> Grade:
    return HearingGrader().grade(measured(evidence(turns=said(*spoken), heard=heard, **record)))


def test_one_deletion_in_the_published_figure(evidence: MakeEvidence) -> None:
    reference = "my order number is K E 4 4 0 8 1 1 7 and the zip code is 9 7 4 0 2"

    grade = graded(evidence, [reference], [reference.replace("4 4 0", "4 0")])

    assert grade.outcome is Outcome.MEASURED
    assert (grade.numbers["deletions"], grade.numbers["reference_words"]) == (1, 23)
    assert grade.numbers["wer"] == pytest.approx(1 / 23, abs=1e-6)
    assert grade.numbers["semantic_errors"] == 1  # a missing digit is no substituted phrase
    assert grade.summary == "WER 4.3 % (0 S, 1 D, 0 I over 23 words), SWER 4.3 %"


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

    grade = HearingGrader().grade(measured(evidence(turns=[turn], heard=["zip 97035"])))

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
    assert pool_hearing([grade]) is None


@pytest.mark.parametrize("spoken", [[], ["..."]])
def test_without_a_spoken_word_nothing_is_measured(evidence: MakeEvidence, spoken: list[str]) -> None:
    grade = graded(evidence, spoken, ["ghost words"])

    assert (grade.outcome, dict(grade.numbers)) == (Outcome.NOT_MEASURED, {})
    assert grade.summary == "not measured: the caller said no word"


# --- without engines, and with evidence that is no evidence ---


def test_without_an_embedder_words_are_aligned_and_meaning_is_not_measured(evidence: MakeEvidence) -> None:
    call = evidence(turns=said("please cancel it", "thank you"), heard=["please cancel that thank you"])

    grade = HearingGrader().grade(call)

    assert grade.outcome is Outcome.MEASURED
    assert grade.numbers["substitutions"] == 1
    assert grade.numbers["wer"] == pytest.approx(0.2)
    assert not {"semantic_errors", "plain_semantic_errors", "not_judged", "swer"} & set(grade.numbers)
    assert "SWER not measured: needs the speech extra (" in grade.summary
    assert grade.evidence["aligned_by"] == "words alone"


@attrs.frozen
class Stored:
    """A store that holds an alignment of these values."""

    values: dict[str, Any]

    def get(self, call: CallEvidence, name: str) -> Measurement:
        return Measurement(name, "1", call.record.call_id, values=self.values)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda values: {}, "required field missing"),
        (lambda values: values | {"groups": []}, "no word that was said"),
        (
            lambda values: values | {"groups": [g | {"turns": [7]} for g in values["groups"]]},
            "turns that the",
        ),
        (lambda values: align_call(["cancel it now"], ["cancel that now"]).as_json(), "was not compared"),
    ],
)
def test_a_damaged_alignment_is_told_with_what_to_do(
    evidence: MakeEvidence, damage: Callable[[dict[str, Any]], dict[str, Any]], why: str
) -> None:
    call = measured(evidence(turns=said("cancel it now"), heard=["cancel that now"]))
    values = dict(call.measured("hearing-alignment").values)
    grade = HearingGrader().grade(attrs.evolve(call, measurements=Stored(values)))
    assert grade.numbers["substitutions"] == 1

    with pytest.raises(
        ValueError, match=rf"damaged \(.*{why}.*delete measurements/hearing-alignment/1/call-1"
    ):
        HearingGrader().grade(attrs.evolve(call, measurements=Stored(damage(values))))


def test_a_line_from_after_the_end_of_the_call_is_of_no_use(evidence: MakeEvidence) -> None:
    call = evidence(turns=said("please cancel it"), heard=["please cancel it"], seconds=12.0)
    late = attrs.evolve(call.record, user_transcripts=(TimedTranscript("please cancel it", 40.0),))

    grade = HearingGrader().grade(measured(attrs.evolve(call, record=late)))

    assert grade.outcome is Outcome.NOT_MEASURED
    assert "came at 40.0 s, but the call ended at 12.0 s" in grade.summary
    just = attrs.evolve(call.record, user_transcripts=(TimedTranscript("please cancel it", 12.4),))
    assert HearingGrader().grade(measured(attrs.evolve(call, record=just))).numbers["wer"] == 0


@pytest.mark.parametrize("caller_speaks", [True, False])
def test_a_platform_that_was_sent_nothing_is_not_blamed(
    evidence: MakeEvidence, tmp_path: Path, caller_speaks: bool
) -> None:
    tape = np.zeros((4 * LINE_RATE, 2), dtype=np.int16)
    tape[3 * LINE_RATE :, 0 if caller_speaks else 1] = speechlike(1.0).samples
    write_flac(tmp_path / "recording.flac", tape, LINE_RATE)

    grade = graded(evidence, ["please cancel it"], [], recording=tmp_path / "recording.flac")

    if caller_speaks:
        assert (grade.outcome, grade.numbers["deletions"]) == (Outcome.MEASURED, 3)
    else:
        assert "the caller's channel of the recording is silent" in grade.summary
        assert grade.outcome is Outcome.NOT_MEASURED


def test_a_damaged_recording_is_told(evidence: MakeEvidence, tmp_path: Path) -> None:
    (tmp_path / "recording.flac").write_bytes(b"fLaC and no more")

    grade = graded(evidence, ["yes"], ["yes"], recording=tmp_path / "recording.flac")

    assert (grade.outcome, grade.summary) == (
        Outcome.NOT_MEASURED,
        "not measured: recording.flac can't be read: it is missing or damaged",
    )


@pytest.mark.parametrize(
    ("spoken", "heard"),
    [
        ("I’m at the caf\u00e9", "I'm at the cafe\u0301"),
        ("zip 97035", "zip\u00a0\uff19\uff17\uff10\uff13\uff15"),
        ("yes\u2028please", "\ufeffyes please\u200b"),
    ],
)
def test_ways_to_write_one_text_are_no_errors(evidence: MakeEvidence, spoken: str, heard: str) -> None:
    assert graded(evidence, [spoken], [heard]).numbers["wer"] == 0


def test_text_that_is_no_text_can_still_be_graded(evidence: MakeEvidence) -> None:
    grade = graded(evidence, ["please \ud83d cancel it"], ["please cancel \udc00 it \x00 \u202e"])

    assert grade.outcome is Outcome.MEASURED
    str(grade.evidence).encode("utf-8")


def test_a_pool_adds_counts_over_calls_and_is_no_mean_of_rates(evidence: MakeEvidence) -> None:
    long = graded(evidence, ["please cancel my membership as of today thank you"] * 3, [])
    short = graded(evidence, ["yes"], ["yes"])

    pooled = pool_hearing([long, short])

    assert pooled is not None
    assert pooled.wer == pytest.approx(27 / 28)
    assert (long.numbers["wer"] + short.numbers["wer"]) / 2 == 0.5
