"""The conversation grader on calls whose sound was put together by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE, Samples
from offhook.callers import AgentHeard, CallerTurn
from offhook.grading import CallEvidence, FreshMeasurements, Grade, GradeKind, Measurement, Outcome
from offhook.line import write_flac
from offhook.records import LateTicks, TimedTranscript
from offhook.testing import noise, speechlike
from offhook_graders.timing.conversation import ConversationGrader, repeats
from offhook_graders.timing.measurement import AudioMeasurer, TapeError, audio_of
from tests.graders.conftest import MakeEvidence

Span = tuple[float, float]


def channel(seconds: float, spans: Sequence[Span], seed: int) -> Samples:
    samples = np.zeros(round(seconds * LINE_RATE), dtype=np.int16)
    for start, end in spans:
        sound = speechlike(end - start, seed).samples
        samples[round(start * LINE_RATE) :][: len(sound)] = sound
    return samples


@attrs.frozen
class Calls:
    evidence: MakeEvidence
    folder: Path

    def call(
        self,
        seconds: float,
        caller: Sequence[Span],
        agent: Sequence[Span],
        *,
        sources: Sequence[str] = (),
        hiss: float | None = None,
    ) -> CallEvidence:
        tapes = [channel(seconds, caller, 1), channel(seconds, agent, 2)]
        if hiss is not None:
            tapes[1] = tapes[1] + noise(seconds, hiss).samples
        write_flac(self.folder / "recording.flac", np.stack(tapes, axis=1), LINE_RATE)
        write_flac(self.folder / "caller.flac", tapes[0], LINE_RATE)
        named = [*sources, *["rule:x"] * (len(caller) - len(sources))]
        call = self.evidence(
            recording=self.folder / "recording.flac",
            caller_tape=self.folder / "caller.flac",
            turns=[
                CallerTurn("said", f"line number {index}", start, end, source)
                for index, ((start, end), source) in enumerate(zip(caller, named, strict=True))
            ],
        )
        return attrs.evolve(call, measurements=FreshMeasurements((AudioMeasurer(),)))


@pytest.fixture
def calls(evidence: MakeEvidence, tmp_path: Path) -> Calls:
    return Calls(evidence, tmp_path)


def graded(call: CallEvidence) -> Grade:
    return ConversationGrader().grade(call)


def test_a_plain_dialogue(calls: Calls) -> None:
    grade = graded(calls.call(16, [(1, 3), (8, 10)], [(4, 7), (11, 14)]))

    assert (grade.kind, grade.outcome) == (GradeKind.MEASURE, Outcome.MEASURED)
    assert grade.numbers["caller_turns"] == grade.numbers["agent_turns"] == 2
    assert grade.numbers["caller_speech_s"] == pytest.approx(4, abs=0.02)
    for nothing in ("overlap_s", "agent_barge_ins", "caller_barge_ins", "unanswered_turns", "dead_air"):
        assert grade.numbers[nothing] == 0, nothing


@pytest.mark.parametrize("hiss", [None, -52.0])
def test_a_caller_who_cuts_in_and_is_yielded_to(calls: Calls, hiss: float | None) -> None:
    grade = graded(calls.call(14, [(1, 2), (5, 8)], [(3, 5.7), (9, 12)], hiss=hiss))

    assert grade.numbers["caller_barge_ins"] == grade.numbers["yielded"] == 1
    assert grade.numbers["yield_median_s"] == pytest.approx(0.7, abs=0.03)
    assert grade.numbers["overlap_s"] == pytest.approx(0.7, abs=0.03)
    assert grade.evidence["yields"][0]["turn"] == 1
    assert grade.evidence["caller_turns"][1]["overlap_s"] == pytest.approx(0.7, abs=0.03)
    assert "yielded 1 x, median 0.70 s" in grade.summary


def test_an_agent_that_talks_over_the_caller(calls: Calls) -> None:
    grade = graded(calls.call(12, [(1, 4)], [(2.5, 8)]))

    assert grade.numbers["agent_barge_ins"] == grade.numbers["talked_over_turns"] == 1
    assert grade.numbers["overlap_share"] == pytest.approx(0.5, abs=0.01)
    assert grade.evidence["agent_barge_ins"][0]["at"] == pytest.approx(2.5, abs=0.01)


def test_an_agent_that_takes_a_pause_for_the_end_cuts_in(calls: Calls) -> None:
    call = calls.call(14, [(1, 3), (3.8, 6)], [(3.3, 8)])
    one_turn = (CallerTurn("said", "said", 1.0, 6.0, "rule:x"),)
    record = attrs.evolve(call.record, caller_turns=one_turn)

    grade = graded(attrs.evolve(call, record=record))

    assert grade.numbers["agent_barge_ins"] == 1
    assert grade.evidence["overlaps"] == [[pytest.approx(3.8, abs=0.01), pytest.approx(6.0, abs=0.01)]]


def test_an_mm_talks_nobody_over(calls: Calls) -> None:
    grade = graded(calls.call(14, [(1, 6)], [(3, 3.4), (7, 9)]))

    assert grade.numbers["agent_barge_ins"] == grade.numbers["talked_over_turns"] == 0
    assert len(grade.evidence["backchannels"]) == 1


def test_an_unanswered_turn_and_dead_air(calls: Calls) -> None:
    sources = ("opening", "silence", "closing")
    grade = graded(calls.call(24, [(1, 2), (10, 10.6), (15, 16)], [(11.5, 14)], sources=sources))

    assert grade.evidence["unanswered"] == [0]
    assert grade.numbers["answerable_turns"] == 2  # the closing line asks for nothing
    assert grade.numbers["dead_air"] == 1
    assert grade.numbers["dead_air_s"] == pytest.approx(8, abs=0.02)


def test_repeats_are_found_in_the_words() -> None:
    said = [
        "What is your ZIP code, please?",
        "Thank you.",
        "what is your zip code please",
        "Your order is $14.99.",
        "Your order is fourteen ninety-nine.",
        "Thank you.",
        "Is there anything else?",
        "And your card?",
        "What is your ZIP code, please?",
    ]

    assert [(found.index, found.before) for found in repeats(said)] == [(2, 0), (4, 3)]


@pytest.mark.parametrize(
    ("one", "other", "again"),
    [
        ("Your code is one two three four.", "Your code is one two three five.", False),
        ("May I have your full name please?", "May I have your full name?", True),
        ("May I have your name?", "Which city do you live in?", False),
        ("", "", False),
    ],
)
def test_what_counts_as_the_same_again(one: str, other: str, again: bool) -> None:
    assert bool(repeats([one, other])) is again


def test_repeats_of_both_sides_are_counted(calls: Calls) -> None:
    call = calls.call(16, [(1, 3), (8, 10)], [(4, 7), (11, 14)])
    turns = [attrs.evolve(turn, spoken="I want to cancel my order") for turn in call.record.caller_turns]
    heard = (AgentHeard("Could you say that again?", 4, 7), AgentHeard("could you say that again", 11, 14))
    record = attrs.evolve(call.record, caller_turns=tuple(turns), caller_heard=heard)

    grade = graded(attrs.evolve(call, record=record))

    assert grade.numbers["agent_repeats"] == grade.numbers["caller_repeats"] == 1
    assert grade.evidence["agent_words_from"] == "caller_heard"
    assert grade.evidence["agent_repeats"][0]["text"] == "could you say that again"


def test_whose_words_the_agents_are(calls: Calls) -> None:
    call = calls.call(8, [(1, 3)], [(4, 7)])
    told = attrs.evolve(call.record, agent_transcripts=(TimedTranscript("Hello.", 4.0),))

    assert "agent_utterances" not in graded(call).numbers
    assert graded(attrs.evolve(call, record=told)).evidence["agent_words_from"] == "agent_transcripts"


def test_a_silent_agent_is_not_measured(calls: Calls) -> None:
    grade = graded(calls.call(8, [(1, 3)], []))

    assert (grade.outcome, grade.summary) == (
        Outcome.NOT_MEASURED,
        "not measured: agent: the channel is silent",
    )


def test_a_call_that_was_not_kept_up_with_is_not_measured(calls: Calls) -> None:
    call = calls.call(8, [(1, 3)], [(4, 7)])
    record = attrs.evolve(call.record, late=LateTicks(1.0, 45.0, 80.0))

    grade = graded(attrs.evolve(call, record=record))

    assert (grade.outcome, dict(grade.numbers)) == (Outcome.NOT_MEASURED, {})
    assert "45.0 ms late" in grade.summary
    assert grade.evidence["caller_turns"]


def test_text_lines_and_calls_without_a_caller(evidence: MakeEvidence, calls: Calls) -> None:
    assert graded(evidence(line="text")).summary == "not measured: a text line has no recording"
    assert graded(calls.call(8, [], [(4, 7)])).summary == "not measured: the caller never spoke"


def test_a_damaged_recording_is_an_error(calls: Calls) -> None:
    call = calls.call(8, [(1, 3)], [(4, 7)])
    (calls.folder / "recording.flac").write_bytes(b"RIFF")

    with pytest.raises(Exception, match=r"recording\.flac: not a FLAC file"):
        graded(call)


def test_without_the_measurer_the_grader_measures_for_itself(calls: Calls) -> None:
    call = calls.call(8, [(1, 3)], [(4, 7)])

    assert graded(attrs.evolve(call, measurements=FreshMeasurements(()))) == graded(call)


@attrs.frozen
class Failed:
    """A store that holds a measurement which failed."""

    def get(self, call: CallEvidence, name: str) -> Measurement:
        return Measurement(name, "1", call.record.call_id, error="caller.flac: truncated")


def test_a_measurement_that_failed_is_an_error(calls: Calls) -> None:
    call = attrs.evolve(calls.call(8, [(1, 3)], [(4, 7)]), measurements=Failed())

    with pytest.raises(TapeError, match=r"caller\.flac: truncated"):
        graded(call)


@attrs.frozen
class Stored:
    """A store that holds a measurement of these values."""

    values: Mapping[str, Any]

    def get(self, call: CallEvidence, name: str) -> Measurement:
        return Measurement(name, "1", call.record.call_id, values=self.values)


@pytest.mark.parametrize(
    ("damage", "why"), [({"turns": []}, "0 caller turns, the record 1"), ({"seconds": -1}, "-1")]
)
def test_a_damaged_measurement_is_told_with_what_to_do(
    calls: Calls, damage: dict[str, Any], why: str
) -> None:
    call = calls.call(8, [(1, 3)], [(4, 7)])
    values = audio_of(call).as_json()
    assert graded(attrs.evolve(call, measurements=Stored(values))) == graded(call)

    with pytest.raises(TapeError, match=rf"damaged \(.*{why}.*delete measurements/audio/1/call-1\.json"):
        graded(attrs.evolve(call, measurements=Stored(values | damage)))
