"""Streaming resampling: cut as you like, no offset, little lag; and clips that change their rate."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offhook.audio import LINE_RATE, Resampler, Samples, silence
from offhook.testing import noise, tone

RATES = [8000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000]


def streamed(samples: Samples, source: int, target: int, cuts: list[int]) -> Samples:
    resampler = Resampler(source, target)
    edges = [0, *sorted(cut % (len(samples) + 1) for cut in cuts), len(samples)]
    parts = [resampler.push(samples[begin:end]) for begin, end in itertools.pairwise(edges)]
    return np.concatenate([*parts, resampler.push(samples[:0], last=True)])


@given(source=st.sampled_from(RATES), cuts=st.lists(st.integers(0, 20_000), max_size=30))
@settings(max_examples=60, deadline=None)
def test_the_output_does_not_depend_on_the_cuts(source: int, cuts: list[int]) -> None:
    samples = noise(0.3, rate=source).samples
    assert (
        streamed(samples, source, LINE_RATE, cuts).tobytes()
        == streamed(samples, source, LINE_RATE, []).tobytes()
    )


@pytest.mark.parametrize("source", RATES)
@pytest.mark.parametrize("target", [8000, LINE_RATE])
def test_sound_keeps_its_place_level_and_length(source: int, target: int) -> None:
    made = streamed(tone(700, 0.5, rate=source).samples, source, target, [100, 200, 5000]).astype(float)
    ideal = tone(700, 0.5, rate=target).samples.astype(float)
    assert len(made) == -(-len(tone(700, 0.5, rate=source).samples) * target // source)
    middle = slice(target // 50, len(ideal) - target // 50)
    assert np.abs(made[: len(ideal)][middle] - ideal[middle]).max() <= 3


@pytest.mark.parametrize(
    ("source", "lag"), [(8000, 0.003), (16_000, 0.0015), (44_100, 0.001), (48_000, 0.001)]
)
def test_the_lag_is_short_and_steady(source: int, lag: float) -> None:
    resampler, samples, made = Resampler(source, LINE_RATE), noise(0.4, rate=source).samples, 0
    for index in range(20):
        chunk = samples[index * source // 50 : (index + 1) * source // 50]
        made += len(resampler.push(chunk))
        assert (index + 1) * 480 - made <= lag * LINE_RATE + 1


def test_what_the_slower_rate_cannot_carry_is_removed() -> None:
    loud = tone(6000, 0.3, -6).samples
    assert np.abs(streamed(loud, LINE_RATE, 8000, [])[200:-200]).max() <= 8


def test_full_scale_is_clipped_not_wrapped() -> None:
    square = np.where(np.arange(8000) // 40 % 2, 32767, -32768).astype(np.int16)
    made = streamed(square, 8000, LINE_RATE, [])
    assert made.max() == 32767
    assert made.min() == -32768
    assert np.sign(made[60:110]).min() == np.sign(made[60:110]).max()


def test_silence_stays_silence() -> None:
    quiet = silence(0.2, 16_000)
    assert not quiet.at_rate(LINE_RATE).samples.any()
    assert not streamed(quiet.samples, 16_000, LINE_RATE, []).any()


def test_equal_rates_pass_through() -> None:
    samples = noise(0.1).samples
    assert streamed(samples, LINE_RATE, LINE_RATE, [7]).tobytes() == samples.tobytes()


def test_nothing_can_follow_the_last_chunk() -> None:
    resampler = Resampler(8000, LINE_RATE)
    resampler.push(noise(0.01, rate=8000).samples, last=True)
    with pytest.raises(ValueError, match="open a new one"):
        resampler.push(noise(0.01, rate=8000).samples)


def test_rates_must_be_positive() -> None:
    with pytest.raises(ValueError, match="rates must be positive"):
        Resampler(0, LINE_RATE)


@pytest.mark.parametrize("rate", [1, 7, 44_101, 96_001, 999_983])
def test_a_rate_that_no_sound_comes_in_is_refused(rate: int) -> None:
    with pytest.raises(ValueError, match=f"{rate} Hz can't be brought to 24000 Hz"):
        Resampler(rate, LINE_RATE)


@pytest.mark.parametrize(
    "rate", [8000, 11_025, 12_000, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000]
)
def test_every_rate_in_use_is_taken(rate: int) -> None:
    clip = noise(0.1, rate=rate)
    assert len(streamed(clip.samples, rate, LINE_RATE, [])) == pytest.approx(0.1 * LINE_RATE, abs=2)
