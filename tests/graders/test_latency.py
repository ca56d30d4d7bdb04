"""Latency on tapes that were built sample by sample, so the right answer is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import attrs
import numpy as np
import pytest
import soundfile

from offhook.audio import LINE_RATE, Samples
from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, FreshMeasurements, Grade, Outcome
from offhook.line import AudioFileError, write_flac
from offhook.testing import noise, speechlike, tone
from offhook_graders.timing.latency import LatencyGrader
from offhook_graders.timing.measurement import AudioMeasurer, TapeError
from offhook_graders.timing.onsets import PublishedRule, window_rms


class MakeEvidence(Protocol):
    def __call__(self, **parts: Any) -> CallEvidence: ...


@attrs.define
class Tapes:
    """Both sides of a call under construction, in seconds of the line."""

    seconds: float
    caller: Samples = attrs.field(init=False)
    agent: Samples = attrs.field(init=False)
    clean: Samples = attrs.field(init=False)
    turns: list[CallerTurn] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.caller, self.agent, self.clean = (
            np.zeros(round(self.seconds * LINE_RATE), dtype=np.int16) for _ in range(3)
        )

    def caller_says(self, start: float, end: float, *, quiet_tail: float = 0.0) -> Tapes:
        _put(self.caller, start, end)
        _put(self.clean, start, end)
        self.turns.append(CallerTurn("said", "said", start, end + quiet_tail, "opening"))
        return self

    def agent_says(self, start: float, end: float) -> Tapes:
        _put(self.agent, start, end)
        return self


def _put(tape: Samples, start: float, end: float) -> None:
    """A loud tone from its first sample to its last, so that start and end are exact."""
    low, high = round(start * LINE_RATE), round(end * LINE_RATE)
    tape[low:high] = tone(440, (high - low) / LINE_RATE).samples
    tape[low], tape[high - 1] = 3000, 3000


def grade_of(call: CallEvidence) -> Grade:
    """From the sound itself, by the real measurer."""
    return LatencyGrader().grade(attrs.evolve(call, measurements=FreshMeasurements((AudioMeasurer(),))))


class Measure(Protocol):
    def __call__(self, tapes: Tapes, *, clean: bool = True) -> Grade: ...


@pytest.fixture
def measure(evidence: MakeEvidence, tmp_path: Path) -> Measure:
    def run(tapes: Tapes, *, clean: bool = True) -> Grade:
        write_flac(tmp_path / "recording.flac", np.stack([tapes.caller, tapes.agent], axis=1), LINE_RATE)
        write_flac(tmp_path / "caller.flac", tapes.clean, LINE_RATE)
        tape = tmp_path / "caller.flac" if clean else None
        return grade_of(evidence(recording=tmp_path / "recording.flac", caller_tape=tape, turns=tapes.turns))

    return run


def latencies(grade: Grade, measure: str = "ours") -> Sequence[float]:
    found: Sequence[float] = grade.evidence["latencies_s"][measure]
    return found


def reasons(grade: Grade, measure: str = "ours") -> list[str]:
    return [turn["excluded"] for turn in grade.evidence[measure]]


def test_both_measures_on_one_turn(measure: Measure) -> None:
    grade = measure(Tapes(6).caller_says(1.013, 2.037).agent_says(3.129, 5.0))

    assert grade.outcome is Outcome.MEASURED
    assert latencies(grade) == [pytest.approx(3.129 - 2.037, abs=1e-4)]
    # The published rule knows 50 ms windows: the caller's last is 2.00-2.05, the agent's first 3.10-3.15.
    assert latencies(grade, "published") == [pytest.approx(3.10 - 2.05)]
    assert grade.numbers["ours_median_s"] == pytest.approx(1.092, abs=1e-4)


def test_turns_are_measured_each_and_the_last_without_reply_is_left_out(measure: Measure) -> None:
    tapes = Tapes(12).agent_says(0.2, 1.0).caller_says(1.5, 2.5).agent_says(3.0, 4.0)
    tapes.caller_says(4.5, 5.0).agent_says(7.0, 9.0).caller_says(9.5, 10.0)

    grade = measure(tapes)

    for name in ("published", "ours"):
        assert latencies(grade, name) == [pytest.approx(0.5, abs=1e-4), pytest.approx(2.0, abs=1e-4)]
        assert reasons(grade, name) == ["", "", "no reply before the caller's next utterance"]
    assert grade.numbers["ours_excluded"] == 1


def test_trailing_quiet_of_the_sent_span_is_not_the_callers_speech(measure: Measure) -> None:
    grade = measure(Tapes(6).caller_says(1.0, 2.0, quiet_tail=0.4).agent_says(3.0, 4.0))

    assert latencies(grade) == [pytest.approx(1.0, abs=1e-4)]
    assert latencies(grade, "published") == [pytest.approx(1.0)]


def test_a_reply_belongs_to_the_turn_before_the_next_utterance(measure: Measure) -> None:
    grade = measure(Tapes(8).caller_says(1.0, 2.0).caller_says(4.0, 5.0).agent_says(6.0, 7.0))

    assert latencies(grade) == [pytest.approx(1.0, abs=1e-4)]
    assert reasons(grade) == ["no reply before the caller's next utterance", ""]
    assert reasons(grade, "published") == reasons(grade)


def test_an_agent_already_speaking_is_left_out_and_its_overlap_kept(measure: Measure) -> None:
    grade = measure(Tapes(6).caller_says(1.0, 3.0).agent_says(2.5, 5.0))

    assert grade.outcome is Outcome.NOT_MEASURED
    for name in ("published", "ours"):
        assert reasons(grade, name) == ["the agent was already speaking"]
        assert grade.evidence[name][0]["overlap_s"] == pytest.approx(0.5, abs=0.006)
        assert grade.evidence[name][0]["latency_s"] is None
    assert "1 x the agent was already speaking" in grade.summary


def test_a_gap_between_words_does_not_end_speech(measure: Measure) -> None:
    grade = measure(Tapes(6).caller_says(1.0, 3.0).agent_says(2.0, 2.9).agent_says(3.1, 5.0))

    for name in ("published", "ours"):
        assert reasons(grade, name) == ["the agent was already speaking"]
        assert grade.evidence[name][0]["overlap_s"] == pytest.approx(1.0, abs=0.006)


def test_an_agent_that_gave_way_early_is_measured_by_its_next_words(measure: Measure) -> None:
    grade = measure(Tapes(6).caller_says(1.0, 3.0).agent_says(0.2, 1.4).agent_says(3.7, 5.0))

    assert latencies(grade) == [pytest.approx(0.7, abs=1e-4)]
    assert latencies(grade, "published") == [pytest.approx(0.7)]


def test_a_very_quick_reply_is_measured(measure: Measure) -> None:
    grade = measure(Tapes(6).caller_says(1.0, 3.0).agent_says(3.02, 5.0))

    assert latencies(grade) == [pytest.approx(0.02, abs=1e-4)]


def test_a_click_is_not_a_reply_to_ours(measure: Measure) -> None:
    tapes = Tapes(6).caller_says(1.0, 2.0).agent_says(3.0, 4.0)
    tapes.agent[round(2.5 * LINE_RATE)] = 20_000

    assert latencies(measure(tapes)) == [pytest.approx(1.0, abs=1e-4)]


@pytest.mark.parametrize("at", [2.5, 2.5025, 2.5049])
def test_a_burst_of_24_ms_is_not_a_reply_to_ours(measure: Measure, at: float) -> None:
    tapes = Tapes(6).caller_says(1.0, 2.0).agent_says(3.0, 4.0)
    tapes.agent[round(at * LINE_RATE) : round((at + 0.024) * LINE_RATE)] = 20_000

    assert latencies(measure(tapes)) == [pytest.approx(1.0, abs=1e-4)]


@pytest.mark.parametrize(("start", "end"), [(float("nan"), 2.0), (1.0, float("inf"))])
def test_a_turn_without_times_is_named(
    evidence: MakeEvidence, tmp_path: Path, start: float, end: float
) -> None:
    turns = [CallerTurn("a", "a", 1.0, 2.0, "x"), CallerTurn("b", "b", start, end, "x")]
    call = evidence(turns=turns, recording=tmp_path / "recording.flac")

    with pytest.raises(TapeError, match=r"caller turn 1 runs from .* finite"):
        grade_of(call)


@pytest.mark.parametrize(
    "spans",
    [
        [(2.0, 1.0)],  # backwards
        [(-3.0, -1.0)],
        [(1.0, 2.0), (1.0, 2.0)],
        [(1.0, 3.0), (2.0, 4.0)],
        [(3.0, 4.0), (1.0, 2.0)],
    ],
)
def test_times_that_one_caller_can_not_have_are_named(
    evidence: MakeEvidence, tmp_path: Path, spans: list[tuple[float, float]]
) -> None:
    turns = [CallerTurn("a", "a", start, end, "x") for start, end in spans]
    call = evidence(turns=turns, recording=tmp_path / "recording.flac")

    with pytest.raises(TapeError, match=rf"caller turn {len(spans) - 1} runs from .* must start after"):
        grade_of(call)


def test_turns_that_touch_are_measured(measure: Measure) -> None:
    tapes = Tapes(8).caller_says(1.0, 2.0).caller_says(2.0, 3.0).agent_says(4.0, 5.0)

    assert latencies(measure(tapes)) == [pytest.approx(1.0, abs=1e-4)]


def test_a_noisy_agent_channel_raises_the_published_threshold(measure: Measure) -> None:
    tapes = Tapes(8).caller_says(1.0, 2.0).agent_says(3.0, 6.0)
    tapes.agent += noise(8.0, -50).samples

    grade = measure(tapes)

    assert latencies(grade) == [pytest.approx(1.0, abs=0.005)]
    assert latencies(grade, "published") == [pytest.approx(1.0)]
    assert grade.evidence["thresholds_dbfs"]["agent"] == pytest.approx(-38.0, abs=0.5)
    assert grade.evidence["published"][0]["threshold_floored"] is False


def test_on_digital_silence_the_floor_decides(measure: Measure) -> None:
    grade = measure(Tapes(6).caller_says(1.0, 2.0).agent_says(3.0, 4.0))

    assert grade.evidence["published"][0]["threshold_floored"] is True
    assert grade.evidence["published"][0]["threshold_dbfs"] == -60.0


def test_sound_below_the_floor_is_no_reply(measure: Measure) -> None:
    tapes = Tapes(6).caller_says(1.0, 2.0)
    tapes.agent[:] = tone(440, 6.0, -65).samples

    assert measure(tapes).outcome is Outcome.NOT_MEASURED


def test_noise_on_the_callers_channel_does_not_move_our_end(measure: Measure) -> None:
    tapes = Tapes(6).caller_says(1.0, 2.0).agent_says(3.0, 4.0)
    tapes.caller += noise(6.0, -22).samples  # the profile's noise is not on the caller's own tape

    assert latencies(measure(tapes)) == [pytest.approx(1.0, abs=1e-4)]


@pytest.mark.parametrize("silent", ["both", "caller", "agent"])
def test_silent_tapes_are_not_measured(measure: Measure, silent: str) -> None:
    tapes = Tapes(6).caller_says(1.0, 2.0).agent_says(3.0, 4.0)
    if silent in ("both", "caller"):
        tapes.caller[:], tapes.clean[:] = 0, 0
    if silent in ("both", "agent"):
        tapes.agent[:] = 0

    grade = measure(tapes)

    assert (grade.outcome, dict(grade.numbers)) == (Outcome.NOT_MEASURED, {})
    expected = "no reply before" if silent == "agent" else "the caller is not audible"
    assert expected in grade.summary


def test_a_caller_who_never_spoke(measure: Measure) -> None:
    assert measure(Tapes(2).agent_says(0.5, 1.0)).summary == "not measured: the caller never spoke"


def test_without_the_callers_tape_only_the_published_rule_is_measured(measure: Measure) -> None:
    grade = measure(Tapes(6).caller_says(1.0, 2.0).agent_says(3.0, 4.0), clean=False)

    assert latencies(grade, "published") == [pytest.approx(1.0)]
    assert "ours_turns" in grade.numbers
    assert latencies(grade) == []


def test_a_text_line_has_no_latency(evidence: MakeEvidence) -> None:
    grade = grade_of(evidence(line="text"))

    assert (grade.outcome, grade.summary) == (
        Outcome.NOT_MEASURED,
        "not measured: a text line has no recording",
    )


@pytest.mark.parametrize("samples", [1, 1199, 1201, 60_007])
def test_odd_lengths_lose_no_samples(samples: int) -> None:
    levels = window_rms(np.full(samples, 100, dtype=np.int16), 1200)

    assert len(levels) == -(-samples // 1200)
    assert levels == pytest.approx(100.0)


def test_a_tape_of_odd_length_is_measured(measure: Measure) -> None:
    tapes = Tapes(4.00013).caller_says(1.0, 2.0).agent_says(3.0, 4.0)

    assert latencies(measure(tapes)) == [pytest.approx(1.0, abs=1e-4)]


# --- tapes that are not what they should be ---


@pytest.fixture
def placed(evidence: MakeEvidence, tmp_path: Path) -> CallEvidence:
    tapes = Tapes(6).caller_says(1.0, 5.0)
    stereo = np.stack([speechlike(6.0).samples, speechlike(6.0, 1).samples], axis=1)
    write_flac(tmp_path / "recording.flac", stereo, LINE_RATE)
    write_flac(tmp_path / "caller.flac", tapes.clean, LINE_RATE)
    return evidence(
        recording=tmp_path / "recording.flac", caller_tape=tmp_path / "caller.flac", turns=tapes.turns
    )


def test_a_mono_recording_is_refused(placed: CallEvidence) -> None:
    mono = attrs.evolve(placed, recording=placed.caller_tape)

    with pytest.raises(TapeError, match=r"caller.flac: expected 2 channels .* found 1"):
        grade_of(mono)


def test_a_stereo_caller_tape_is_refused(placed: CallEvidence) -> None:
    with pytest.raises(TapeError, match=r"recording.flac: expected the caller alone on 1 channel, found 2"):
        grade_of(attrs.evolve(placed, caller_tape=placed.recording))


def test_a_file_cut_short_is_refused(placed: CallEvidence) -> None:
    assert placed.recording is not None
    content = placed.recording.read_bytes()
    placed.recording.write_bytes(content[: len(content) // 2])

    with pytest.raises(AudioFileError, match=r"recording.flac"):
        grade_of(placed)


def test_a_tape_shorter_than_the_record_is_refused(placed: CallEvidence) -> None:
    assert placed.recording is not None
    samples, rate = soundfile.read(placed.recording, dtype="int16")
    write_flac(placed.recording, samples[: 3 * rate], rate)

    with pytest.raises(TapeError, match=r"holds 3\.00 s, but the record's last caller turn ends at 5\.00 s"):
        grade_of(placed)


def test_the_rule_is_in_the_evidence(measure: Measure) -> None:
    grade = measure(Tapes(6).caller_says(1.0, 2.0).agent_says(3.0, 4.0))

    assert grade.evidence["rule"] == {
        "window_s": 0.05,
        "times": 4.0,
        "percentile": 20.0,
        "floor_dbfs": -60.0,
        "reach_s": 1.5,
    }
    assert PublishedRule(**grade.evidence["rule"]) == PublishedRule()
