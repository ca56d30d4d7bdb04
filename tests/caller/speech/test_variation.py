"""Tempo, pitch, edges and level."""

from __future__ import annotations

import numpy as np
import pytest

from offhook_caller.speech.variation import Waveform, as_samples, levelled, trimmed, varied

RATE = 24_000


def _tone(frequency: float, seconds: float, level: float = 0.3) -> Waveform:
    time = np.arange(round(seconds * RATE)) / RATE
    return (level * np.sin(2 * np.pi * frequency * time)).astype(np.float32)


def _loudest_frequency(wave: Waveform) -> float:
    spectrum = np.abs(np.fft.rfft(wave * np.hanning(len(wave))))
    return float(np.argmax(spectrum) * RATE / len(wave))


@pytest.mark.speech
@pytest.mark.parametrize(("tempo", "pitch"), [(0.8, 0.0), (1.25, 0.0), (1.0, 3.0), (0.9, -4.0)])
def test_tempo_sets_length_and_pitch_sets_frequency(tempo: float, pitch: float) -> None:
    out = varied(_tone(220, 2), RATE, tempo, pitch)
    assert len(out) == pytest.approx(2 * RATE / tempo, abs=2)
    middle = out[len(out) // 4 : -len(out) // 4]
    assert _loudest_frequency(middle) == pytest.approx(220 * 2 ** (pitch / 12), rel=0.01)


@pytest.mark.speech
def test_equal_input_gives_equal_bytes() -> None:
    wave = _tone(180, 1)
    assert varied(wave, RATE, 0.9, 2).tobytes() == varied(wave, RATE, 0.9, 2).tobytes()


def test_nothing_to_do_leaves_the_wave_alone() -> None:
    wave = _tone(200, 0.1)
    assert varied(wave, RATE, 1.0, 0.0) is wave


@pytest.mark.parametrize(("tempo", "pitch"), [(0.3, 0.0), (2.5, 0.0), (1.0, 13.0), (1.0, -13.0)])
def test_out_of_range(tempo: float, pitch: float) -> None:
    with pytest.raises(ValueError, match="must lie in"):
        varied(_tone(200, 0.1), RATE, tempo, pitch)


def test_quiet_edges_go_and_soft_ones_stay() -> None:
    hush, soft, loud = np.zeros(RATE, np.float32), _tone(300, 0.2, 0.003), _tone(300, 1.0, 0.5)
    out = trimmed(np.concatenate([hush, soft, loud, hush]), RATE)
    assert len(out) / RATE == pytest.approx(1.2 + 0.08, abs=0.011)


def test_only_silence_trims_to_nothing() -> None:
    assert len(trimmed(np.zeros(5000, np.float32), RATE)) == 0
    assert len(trimmed(np.zeros(0, np.float32), RATE)) == 0


def test_level_is_set_by_the_spoken_part_alone() -> None:
    pause = np.zeros(RATE, np.float32)
    out = levelled(np.concatenate([_tone(300, 1, 0.01), pause, pause]), RATE)
    spoken = out[:RATE]
    assert 20 * np.log10(np.sqrt(np.mean(np.square(spoken)))) == pytest.approx(-23, abs=0.1)


def test_peaks_stay_below_full_scale() -> None:
    clicks = _tone(300, 1, 0.01)
    clicks[::2400] = 1.0
    assert np.abs(levelled(clicks, RATE)).max() <= 0.891


def test_samples_are_rounded_and_clipped() -> None:
    assert as_samples(np.array([0.0, 1.0, -1.0, 2.0, -2.0], np.float32)).tolist() == [
        0,
        32767,
        -32767,
        32767,
        -32768,
    ]
