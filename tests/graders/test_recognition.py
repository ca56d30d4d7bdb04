"""What an independent recogniser makes of both sides of a call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE
from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, FreshMeasurements, Measurement
from offhook.line import write_flac
from offhook.records import PlayedSpan
from offhook.speech import Listener, SentenceEmbedder, SpeechUnavailable
from offhook.testing import FakeListener, noise
from offhook_graders.hearing.recognition import AgentRecognition, CallerRecognition, utterances_of
from tests.graders.hearing_calls import MakeEvidence
from tests.graders.spoken_run import spoken

MakeCall = Callable[..., CallEvidence]


@attrs.frozen
class Listening:
    """Grading engines with a recogniser and nothing else."""

    def embedder(self) -> SentenceEmbedder:
        raise SpeechUnavailable("no embedder here")

    def listener(self) -> Listener:
        return FakeListener()


@pytest.fixture
def call(evidence: MakeEvidence, tmp_path: Path) -> MakeCall:
    """A call on which the caller says two things and the agent three, the last two in one breath."""

    def make(**changes: Any) -> CallEvidence:
        caller, said = spoken(["hello there", "four one"])
        agent, played = spoken(["good day", "and you are", "from where"])
        seconds = max(len(caller), len(agent))
        tape = np.zeros((seconds, 2), dtype=np.int16)
        tape[: len(caller), 0], tape[: len(agent), 1] = noise(len(caller) / LINE_RATE, -50).samples, agent
        write_flac(tmp_path / "caller.flac", caller, LINE_RATE)
        write_flac(tmp_path / "recording.flac", tape, LINE_RATE)
        found = evidence(
            turns=[CallerTurn(str(span), str(span), *span, "opening") for span in said],
            seconds=seconds / LINE_RATE,
            recording=tmp_path / "recording.flac",
            caller_tape=tmp_path / "caller.flac",
        )
        spans = [played[0], (played[1][0], played[2][0] - 0.4), played[2]]
        record = attrs.evolve(found.record, played=tuple(PlayedSpan(*span) for span in spans))
        measurements = FreshMeasurements((CallerRecognition(), AgentRecognition()), Listening())
        return attrs.evolve(found, **{"record": record, "measurements": measurements, **changes})

    return make


def texts(measurement: Measurement) -> list[tuple[int, str]]:
    assert not measurement.error
    return [(turn["index"], turn["text"]) for turn in measurement.values["turns"]]


def test_each_side_is_heard_on_its_own_tape_turn_by_turn(call: MakeCall) -> None:
    caller, agent = call().measured("caller-recognition"), call().measured("agent-recognition")

    assert texts(caller) == [(0, "hello there"), (1, "four one")]
    assert texts(agent) == [(0, "good day"), (1, "and you are from where")]
    assert (caller.values["engine"], caller.values["version"]) == ("fake", "offhook.testing 1")
    assert caller.values["turns"][0]["start"] == call().record.caller_turns[0].start
    assert agent.values["turns"][1]["end"] == call().record.played[-1].end


def test_a_pause_of_half_a_second_ends_no_utterance() -> None:
    assert utterances_of([(3.0, 4.0), (0.0, 1.0), (1.5, 2.0), (2.51, 2.6)]) == (
        (0.0, 2.0),
        (2.51, 4.0),
    )
    assert utterances_of([]) == ()


def _no_tape(evidence: CallEvidence) -> CallEvidence:
    return attrs.evolve(evidence, recording=None, caller_tape=None)


def _silent(evidence: CallEvidence) -> CallEvidence:
    for path, shape in ((evidence.caller_tape, (240_000,)), (evidence.recording, (240_000, 2))):
        assert path is not None
        write_flac(path, np.zeros(shape, dtype=np.int16), LINE_RATE)
    return evidence


def _short(evidence: CallEvidence) -> CallEvidence:
    for path, shape in ((evidence.caller_tape, (24_000,)), (evidence.recording, (24_000, 2))):
        assert path is not None
        write_flac(path, np.ones(shape, dtype=np.int16), LINE_RATE)
    return evidence


def _swapped(evidence: CallEvidence) -> CallEvidence:
    return attrs.evolve(evidence, recording=evidence.caller_tape, caller_tape=evidence.recording)


def _damaged(evidence: CallEvidence) -> CallEvidence:
    for path in (evidence.caller_tape, evidence.recording):
        assert path is not None
        path.write_bytes(path.read_bytes()[:2000])
    return evidence


def _wordless(evidence: CallEvidence) -> CallEvidence:
    return attrs.evolve(evidence, record=attrs.evolve(evidence.record, caller_turns=(), played=()))


def _timeless(evidence: CallEvidence) -> CallEvidence:
    nowhere = float("nan")
    turns = tuple(attrs.evolve(turn, end=nowhere) for turn in evidence.record.caller_turns)
    record = attrs.evolve(evidence.record, caller_turns=turns, played=(PlayedSpan(0.0, nowhere),))
    return attrs.evolve(evidence, record=record)


@pytest.mark.parametrize(
    ("spoil", "caller", "agent"),
    [
        (_no_tape, "a text line has no recording", "a text line has no recording"),
        (_silent, "the caller's channel is silent", "the agent's channel is silent"),
        (_short, "caller.flac holds 1.00 s, but the last turn", "recording.flac holds 1.00 s, but the last"),
        (_swapped, "expected 1 audio channel(s), found 2", "expected 2 audio channel(s), found 1"),
        (_damaged, "truncated or damaged", "truncated or damaged"),
        (_wordless, "the caller said nothing", "the agent played nothing"),
        (_timeless, "a turn of the caller has no times", "a turn of the agent has no times"),
    ],
)
def test_what_can_not_be_heard_says_why(
    call: MakeCall, spoil: Callable[[CallEvidence], CallEvidence], caller: str, agent: str
) -> None:
    spoilt = spoil(call())

    assert caller in spoilt.measured("caller-recognition").error
    assert agent in spoilt.measured("agent-recognition").error


def test_silence_within_a_turn_is_not_given_to_a_recogniser(call: MakeCall) -> None:
    quiet = attrs.evolve(call().record, caller_turns=(CallerTurn("hm", "hm", 0.1, 0.9, "opening"),))

    assert texts(call(record=quiet).measured("caller-recognition")) == [(0, "")]


def test_without_a_recogniser_the_reason_is_told(call: MakeCall) -> None:
    alone = FreshMeasurements((CallerRecognition(),))

    assert "no speech engine was given" in call(measurements=alone).measured("caller-recognition").error
