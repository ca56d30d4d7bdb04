"""Tempo, pitch, edges and level of synthesised speech: ``float32`` of shape ``(n,)``, full scale 1."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from offhook.audio import Samples
from offhook.speech import SpeechUnavailable

__all__ = ["Waveform", "as_samples", "check_range", "levelled", "trimmed", "varied"]

Waveform = NDArray[np.float32]

_EDGE_WINDOW_SECONDS: Final = 0.005
_EDGE_BELOW_PEAK_DB: Final = 45.0
_EDGE_KEPT_SECONDS: Final = 0.04
_SPEECH_LEVEL_DBFS: Final = -23.0
_SPEECH_BELOW_PEAK_DB: Final = 40.0
_PEAK_LIMIT: Final = 0.89
_STRETCH_SEED: Final = 1


def check_range(tempo: float, pitch: float) -> None:
    """Refuses what no longer sounds like speech.

    Raises:
        ValueError: a tempo outside 0.5..2 or a pitch outside -12..12 semitones.
    """
    if not 0.5 <= tempo <= 2.0:
        raise ValueError(f"tempo must lie in 0.5..2, got {tempo:g}")
    if not -12.0 <= pitch <= 12.0:
        raise ValueError(f"pitch must lie in -12..12 semitones, got {pitch:g}")


def varied(wave: Waveform, rate: int, tempo: float, pitch: float) -> Waveform:
    """The same speech ``tempo`` times as fast and ``pitch`` semitones higher; formants move with the pitch.

    Args:
        wave: shape ``(n,)``; the result has about ``n / tempo`` samples.
        rate: Hz.
        tempo: 0.5 to 2.
        pitch: -12 to 12 semitones.

    Raises:
        ValueError: tempo or pitch out of range.
        SpeechUnavailable: the time-stretching library is not installed.
    """
    check_range(tempo, pitch)
    if len(wave) == 0 or (tempo == 1.0 and pitch == 0.0):
        return wave
    try:
        from python_stretch.Signalsmith import Stretch
    except ImportError as error:
        raise SpeechUnavailable(
            "python-stretch is not installed: run pip install 'offhook[speech]'"
        ) from error
    stretch = Stretch(_STRETCH_SEED)
    stretch.preset(1, float(rate))
    stretch.setTimeFactor(tempo)
    stretch.setTransposeSemitones(pitch)
    stretched = np.asarray(stretch.process(wave[np.newaxis, :]), dtype=np.float32)
    return np.ascontiguousarray(stretched[0])


def trimmed(wave: Waveform, rate: int) -> Waveform:
    """Without the quiet edges, except 40 ms: quiet is 45 dB below the loudest 5 ms; soft consonants stay."""
    power = _window_power(wave, rate)
    if len(power) == 0 or power.max() == 0:
        return wave[:0]
    heard = np.flatnonzero(power > power.max() * 10 ** (-_EDGE_BELOW_PEAK_DB / 10))
    window = _window(rate)
    kept = round(_EDGE_KEPT_SECONDS * rate)
    first = max(0, int(heard[0]) * window - kept)
    last = min(len(wave), (int(heard[-1]) + 1) * window + kept)
    return wave[first:last]


def levelled(wave: Waveform, rate: int) -> Waveform:
    """Scaled so that its spoken part has an RMS level of -23 dBFS, or less where peaks would pass -1 dBFS.

    One level for every voice: what a noise profile adds then is the same signal-to-noise ratio for each.
    """
    power = _window_power(wave, rate)
    if len(power) == 0 or power.max() == 0:
        return wave
    spoken = power[power > power.max() * 10 ** (-_SPEECH_BELOW_PEAK_DB / 10)]
    gain = 10 ** (_SPEECH_LEVEL_DBFS / 20) / float(np.sqrt(spoken.mean()))
    return (wave * np.float32(min(gain, _PEAK_LIMIT / float(np.abs(wave).max())))).astype(np.float32)


def as_samples(wave: Waveform) -> Samples:
    """16-bit samples, rounded and clipped at full scale."""
    samples: Samples = np.clip(np.rint(wave * 32767.0), -32768, 32767).astype(np.int16)
    return samples


def _window(rate: int) -> int:
    return max(1, round(_EDGE_WINDOW_SECONDS * rate))


def _window_power(wave: Waveform, rate: int) -> NDArray[np.float64]:
    """Mean square of each whole 5 ms window (a shorter rest counts as a window padded with zeros)."""
    window = _window(rate)
    padded = np.pad(wave.astype(np.float64), (0, -len(wave) % window))
    return np.asarray(np.square(padded).reshape(-1, window).mean(axis=1))
