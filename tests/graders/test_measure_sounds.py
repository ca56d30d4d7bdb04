"""Finding speech on one channel, whatever else is on it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from offhook.audio import Clip
from offhook.testing import concat, gap, noise, speechlike, tone
from offhook_graders.timing.sounds import ChannelSounds, bursts_within, find_sounds, without_offset

RATES = (8_000, 16_000, 24_000, 44_100, 48_000)


def found(clip: Clip) -> ChannelSounds:
    return find_sounds(without_offset(clip.samples, clip.rate), clip.rate)


def spans(sounds: ChannelSounds) -> list[tuple[float, float]]:
    return [(sound.start, sound.end) for sound in sounds.sounds]


def near(*expected: tuple[float, float], by: float = 0.003) -> list[object]:
    return [(pytest.approx(start, abs=by), pytest.approx(end, abs=by)) for start, end in expected]


@pytest.fixture
def two() -> Clip:
    return concat(gap(1.0), speechlike(1.5, 1), gap(1.0), speechlike(2.0, 2), gap(1.5))


@pytest.mark.parametrize("rate", RATES)
def test_the_edges_are_found_at_any_rate(two: Clip, rate: int) -> None:
    assert spans(found(two.at_rate(rate))) == near((1.0, 2.5), (3.5, 5.5), by=0.006)


@pytest.mark.parametrize("peak_dbfs", [-6, -20, -40])
def test_level_changes_nothing(two: Clip, peak_dbfs: float) -> None:
    scaled = two.samples * (32768 * 10 ** (peak_dbfs / 20) / np.abs(two.samples).max())

    assert spans(found(Clip(scaled.astype(np.int16)))) == near((1.0, 2.5), (3.5, 5.5), by=0.006)


@pytest.mark.parametrize("offset", [-3000, 500])
def test_an_offset_changes_nothing(two: Clip, offset: int) -> None:
    moved = np.clip(two.samples.astype(np.int32) + offset, -32768, 32767).astype(np.int16)

    assert spans(found(Clip(moved))) == near((1.0, 2.5), (3.5, 5.5))


def test_an_offset_that_comes_and_goes_with_the_voice_is_no_sound(two: Clip) -> None:
    moved = two.samples.copy()
    moved[round(0.5 * 24_000) : round(3.0 * 24_000)] += 800

    assert spans(found(Clip(moved)))[1] == near((3.5, 5.5))[0]
    assert spans(found(Clip(moved)))[0] == near((1.0, 2.5), by=0.6)[0]


def test_clicks_are_no_sound(two: Clip) -> None:
    clicked = two.samples.copy()
    for at in (0.3, 0.78, 2.72, 3.1, 6.0, 6.4):
        clicked[round(at * 24_000) :][:240] = 12_000

    assert spans(found(Clip(clicked))) == near((1.0, 2.5), (3.5, 5.5))


def test_hiss_moves_the_edges_by_little(two: Clip) -> None:
    hissing = two.samples + noise(two.seconds, -50, 3).samples

    sounds = found(Clip(hissing))

    assert spans(sounds) == near((1.0, 2.5), (3.5, 5.5), by=0.04)
    assert sounds.noise_dbfs == pytest.approx(-50, abs=1)


def test_clicks_in_hiss_cost_no_sound(two: Clip) -> None:
    """A click among the noise must not pass for what the noise does."""
    hissing = two.samples + noise(two.seconds, -50, 3).samples
    for at in (0.3, 0.6, 2.9, 3.1):
        hissing[round(at * 24_000) :][:240] = 12_000

    assert spans(found(Clip(hissing))) == near((1.0, 2.5), (3.5, 5.5), by=0.04)


def test_a_gap_between_words_is_inside_a_sound() -> None:
    sounds = found(concat(gap(1.0), speechlike(1.0, 1), gap(0.25), speechlike(1.0, 2), gap(1.0)))

    assert spans(sounds) == near((1.0, 3.25))
    assert [len(sound.bursts) for sound in sounds.sounds] == [2]


@pytest.mark.parametrize(
    ("clip", "why"),
    [
        (gap(3.0), "silent"),
        (tone(300, 3.0, -70), "silent"),
        (noise(5.0, -25), "too noisy: nothing stands out (noise -25 dBFS"),
        (gap(0.001), "silent"),
    ],
)
def test_what_holds_no_speech_says_why(clip: Clip, why: str) -> None:
    sounds = found(clip)

    assert sounds.sounds == ()
    assert why in sounds.problem


def test_speech_below_the_noise_is_not_measured() -> None:
    mixed = noise(6.0, -25).samples.copy()
    mixed[48_000:96_000] += speechlike(2.0, 1, -28).samples

    assert "too noisy" in found(Clip(mixed)).problem


def test_no_samples_at_all() -> None:
    nothing: NDArray[np.float32] = np.zeros(0, dtype=np.float32)

    assert find_sounds(nothing, 24_000).problem == "the channel is silent"
    assert bursts_within(nothing, 24_000) == ()


def test_bursts_are_exact_to_the_sample() -> None:
    samples = np.zeros(24_000, dtype=np.float32)
    samples[5_011:9_007] = 4_000.0
    samples[18_001:20_003] = 4_000.0

    assert bursts_within(samples, 24_000) == (
        (pytest.approx(5_011 / 24_000), pytest.approx(9_007 / 24_000)),
        (pytest.approx(18_001 / 24_000), pytest.approx(20_003 / 24_000)),
    )


def test_a_tape_below_60_dbfs_is_silent() -> None:
    assert bursts_within(np.full(24_000, 20.0, dtype=np.float32), 24_000) == ()


def test_a_voice_without_a_pause_is_told_to_miss_what_is_needed() -> None:
    said = np.concatenate([speechlike(4.0, seed).samples for seed in range(6)])

    problem = found(Clip(said)).problem

    assert "speech without a pause" in problem
    assert float(problem.split("the loudest ")[1].split(" dB")[0]) < 12.0
