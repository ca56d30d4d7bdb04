"""Our latency against replies injected at known samples; the published rule against windows built by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks._dialogue import CONDITIONS, Said, make_dialogue, said_by_all
from benchmarks.latency import errors_ms
from offhook.audio import LINE_RATE, Samples
from offhook.host import PluginHost
from offhook.line import read_flac
from offhook.testing import speechlike
from offhook_graders.timing.latency import published_waits
from offhook_graders.timing.measurement import AudioMeasurement, measure_audio

LIMITS_MS: Mapping[str, tuple[float, float]] = {
    "clean": (10, 20),
    "noise on the caller's line": (10, 20),
    "hiss at 30 dB": (15, 50),
    "babble at 10 dB": (50, 120),
}


@pytest.fixture(scope="module")
def built() -> list[Said]:
    lengths = np.random.default_rng(1).uniform(0.5, 2.5, 24)
    return [Said("said", speechlike(float(s), seed).samples) for seed, s in enumerate(lengths)]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_built_speech_is_timed_within_the_limits(built: list[Said], tmp_path: Path, condition: str) -> None:
    errors = errors_ms(built, tmp_path, condition, tapes=3, turns=10)["ours"]

    median, p95 = LIMITS_MS[condition]
    assert len(errors.ms) == errors.turns == 30
    assert errors.median <= median
    assert errors.p95 <= p95


@pytest.mark.speech
@pytest.mark.slow
@pytest.mark.parametrize("condition", CONDITIONS)
def test_real_voices_are_timed_within_the_limits(tmp_path: Path, condition: str) -> None:
    said = said_by_all(PluginHost.discover())

    errors = errors_ms(said, tmp_path, condition, tapes=24, turns=10)["ours"]

    median, p95 = LIMITS_MS[condition]
    assert errors.turns == 240
    assert len(errors.ms) >= 235
    assert errors.median <= median
    assert errors.p95 <= p95


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("seed", [3, 4])
def test_the_published_rule_is_the_windows_counted_by_hand(
    built: list[Said], tmp_path: Path, condition: str, seed: int
) -> None:
    dialogue = make_dialogue(built, np.random.default_rng(seed), turns=6, seconds=0.0)
    dialogue.write(tmp_path, condition, voices=built, seed=seed)
    stereo, rate = read_flac(tmp_path / "recording.flac")
    assert rate == LINE_RATE
    caller, agent = (_loud_windows(stereo[:, side]) for side in (0, 1))
    starts = [turn.start for turn in dialogue.turns[1:]]
    by_hand: list[tuple[float, float]] = []
    for turn, limit in zip(dialogue.turns, [*starts, len(stereo) / LINE_RATE], strict=True):
        near = [
            k
            for k in caller
            if max(turn.start, turn.end - 1.5) <= k * 0.05 + 0.05 and k * 0.05 < turn.end + 1.5
        ]
        end = max(k for k in near if (k + 1) * 0.05 <= limit) + 1
        by_hand.append((end * 0.05, min(k for k in agent if k >= end) * 0.05))

    audio = measure_audio(dialogue.turns, tmp_path / "recording.flac", tmp_path / "caller.flac")

    measured = published_waits(dialogue.turns, audio)
    assert [wait.excluded for wait in measured] == [""] * 6
    assert [wait.caller_end_s for wait in measured] == pytest.approx([end for end, _ in by_hand], abs=1e-9)
    assert [wait.onset_s for wait in measured] == pytest.approx([onset for _, onset in by_hand], abs=1e-9)


def _loud_windows(samples: Samples) -> list[int]:
    """Numbers of the 50 ms windows above four times the 20th percentile, in plain Python."""
    values: Sequence[int] = samples.tolist()
    levels = []
    for start in range(0, len(values), 1200):
        window = values[start : start + 1200]
        levels.append(math.sqrt(sum(value * value for value in window) / len(window)))
    place = 0.2 * (len(levels) - 1)
    low = sorted(levels)[math.floor(place) : math.floor(place) + 2]
    percentile = low[0] + (low[-1] - low[0]) * (place - math.floor(place))
    threshold = max(4 * percentile, 32768 * 10 ** (-60 / 20))
    return [number for number, level in enumerate(levels) if level > threshold]


def test_a_measurement_survives_as_json(built: list[Said], tmp_path: Path) -> None:
    dialogue = make_dialogue(built, np.random.default_rng(0), turns=3, seconds=0.0)
    dialogue.write(tmp_path, "hiss at 30 dB")
    audio = measure_audio(dialogue.turns, tmp_path / "recording.flac", tmp_path / "caller.flac")

    again = AudioMeasurement.from_json(audio.as_json())

    assert again == audio
    assert len(audio.agent_sounds.sounds) >= 3


@pytest.mark.parametrize("data", [{}, {"seconds": "long"}])
def test_what_is_no_measurement_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"not an audio measurement: .*\$"):
        AudioMeasurement.from_json(data)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seconds": -5.0}, "a recording of -5 s"),
        ({"seconds": 2.0}, "windows of 0.05 s in 2 s"),
        ({"agent": {"window_s": 0.0}}, "windows of 0 s"),
        ({"caller": {"count": 10**12}}, "1000000000000 windows"),
        (
            {"agent_sounds": {"sounds": [{"start": 2, "end": 1, "peak_dbfs": -9}]}},
            "sounds that are out of order",
        ),
        ({"turns": [{"bursts": [[3.0, 4.0], [1.0, 2.0]]}]}, "sounds that are out of order"),
    ],
)
def test_what_no_recording_can_have_led_to_is_refused(changes: dict[str, Any], why: str) -> None:
    windows = {"window_s": 0.05, "count": 200, "threshold": 33.0, "floored": True, "runs": []}
    rule = {"window_s": 0.05, "times": 4.0, "percentile": 20.0, "floor_dbfs": -60.0, "reach_s": 1.5}
    sounds = {"sounds": [{"start": 1.0, "end": 2.0, "peak_dbfs": -9.0}]}
    whole: dict[str, Any] = {
        "seconds": 10.0,
        "rule": rule,
        "caller": windows,
        "agent": windows,
        "turns": [{"bursts": [[1.0, 2.0], [3.0, 4.0]]}],
        "agent_sounds": sounds,
    }
    assert AudioMeasurement.from_json(whole).seconds == 10.0
    damaged = whole | {
        name: whole[name] | change if isinstance(change, dict) else change for name, change in changes.items()
    }

    with pytest.raises(ValueError, match=f"not an audio measurement: .*{why}"):
        AudioMeasurement.from_json(damaged)
