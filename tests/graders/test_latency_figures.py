"""Percentiles, tails, shares, the timing bound and warnings."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE
from offhook.callers import CallerTurn
from offhook.grading import FreshMeasurements, Outcome
from offhook.line import write_flac
from offhook.records import LateTicks
from offhook.testing import noise, speechlike
from offhook_graders.timing.latency import LatencyGrader
from offhook_graders.timing.measurement import AudioMeasurer, LoudWindows
from offhook_graders.timing.onsets import PublishedRule
from offhook_graders.timing.waits import TurnLatency, timing_bound_ms, wait_numbers, warnings
from tests.graders.conftest import MakeEvidence


def waits(*seconds: float | None) -> list[TurnLatency]:
    return [
        TurnLatency(index, 1.0, None if wait is None else 1.0 + wait, excluded="" if wait else "no reply")
        for index, wait in enumerate(seconds)
    ]


def test_figures_of_known_waits() -> None:
    numbers = wait_numbers("ours", waits(0.5, 1.0, 1.5, None, 2.5, 12.0))

    assert numbers == {
        "ours_turns": 5.0,
        "ours_excluded": 1.0,
        "ours_median_s": 1.5,
        "ours_p95_s": pytest.approx(10.1),
        "ours_p99_s": pytest.approx(11.62),
        "ours_tail_ratio": pytest.approx(10.1 / 1.5, abs=1e-4),
        "ours_over_1s": 3.0,
        "ours_over_2s": 2.0,
        "ours_over_3s": 1.0,
        "ours_over_5s": 1.0,
        "ours_over_10s": 1.0,
    }


def test_without_a_wait_there_are_only_counts() -> None:
    assert wait_numbers("ours", waits(None)) == {"ours_turns": 0.0, "ours_excluded": 1.0}


def test_waits_of_nothing_have_no_tail_ratio() -> None:
    turns = [TurnLatency(0, 1.0, 1.0)]

    assert wait_numbers("ours", turns)["ours_median_s"] == 0.0
    assert "ours_tail_ratio" not in wait_numbers("ours", turns)


def test_the_timing_bound_is_grain_frame_and_lateness() -> None:
    assert timing_bound_ms(0.0, PublishedRule()) == {"published": 120.0, "ours": 24.0}
    assert timing_bound_ms(7.5, PublishedRule()) == {"published": 127.5, "ours": 31.5}


@pytest.mark.parametrize(("missed", "told"), [(None, 0), (0.24, 0), (0.25, 1)])
def test_a_threshold_inside_the_speech_is_warned_of(missed: float | None, told: int) -> None:
    found = warnings({"agent": LoudWindows(0.05, 10, 3276.8, False, (), missed)})

    assert len(found) == told
    assert all("the agent speaks so much" in line and "-20.0 dBFS" in line for line in found)


@pytest.mark.parametrize(("talks_s", "warned"), [(3.0, False), (17.5, True)])
def test_an_agent_that_hardly_pauses_is_warned_of(
    evidence: MakeEvidence, tmp_path_factory: pytest.TempPathFactory, talks_s: float, warned: bool
) -> None:
    folder = tmp_path_factory.mktemp("call")
    stereo = np.zeros((20 * LINE_RATE, 2), dtype=np.int16)
    stereo[LINE_RATE : 2 * LINE_RATE, 0] = speechlike(1.0).samples
    said = speechlike(talks_s, 1).samples
    stereo[round(2.4 * LINE_RATE) : round(2.4 * LINE_RATE) + len(said), 1] = said
    stereo[:, 1] += noise(20.0, -75, 2).samples
    write_flac(folder / "recording.flac", stereo, LINE_RATE)
    write_flac(folder / "caller.flac", np.ascontiguousarray(stereo[:, 0]), LINE_RATE)
    call = evidence(
        recording=folder / "recording.flac",
        caller_tape=folder / "caller.flac",
        turns=[CallerTurn("a", "a", 1.0, 2.0, "opening")],
    )

    grade = LatencyGrader().grade(attrs.evolve(call, measurements=FreshMeasurements((AudioMeasurer(),))))

    assert grade.outcome is Outcome.MEASURED
    assert bool(grade.evidence["warnings"]) is warned
    assert (grade.evidence["missed_share"]["agent"] >= 0.25) is warned
    # Ours does not depend on how much the agent talks.
    assert grade.evidence["latencies_s"]["ours"] == [pytest.approx(0.4, abs=0.01)]


def test_lateness_widens_the_bound_of_a_call(
    evidence: MakeEvidence, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("call")
    stereo = np.zeros((5 * LINE_RATE, 2), dtype=np.int16)
    stereo[LINE_RATE : 2 * LINE_RATE, 0] = speechlike(1.0).samples
    stereo[3 * LINE_RATE : 4 * LINE_RATE, 1] = speechlike(1.0, 1).samples
    write_flac(folder / "recording.flac", stereo, LINE_RATE)
    write_flac(folder / "caller.flac", np.ascontiguousarray(stereo[:, 0]), LINE_RATE)
    call = evidence(
        recording=folder / "recording.flac",
        caller_tape=folder / "caller.flac",
        turns=[CallerTurn("a", "a", 1.0, 2.0, "opening")],
    )
    record = attrs.evolve(call.record, late=LateTicks(1.0, 9.25, 12.0))
    call = attrs.evolve(call, record=record, measurements=FreshMeasurements((AudioMeasurer(),)))

    grade = LatencyGrader().grade(call)

    assert grade.evidence["timing_bound_ms"] == {"published": 129.25, "ours": 33.25}
    assert grade.numbers["ours_timing_bound_ms"] == 33.25
    assert grade.numbers["ours_over_1s"] == 0.0
