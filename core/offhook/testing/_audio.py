"""Clips made from numbers. Levels are RMS in dBFS; equal arguments, equal samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from offhook.audio import LINE_RATE, Clip, silence

__all__ = ["concat", "gap", "noise", "speechlike", "tone"]


def tone(hz: float, seconds: float, dbfs: float = -20.0, *, rate: int = LINE_RATE) -> Clip:
    """A sine."""
    times = np.arange(round(seconds * rate)) / rate
    return Clip(_quantised(np.sqrt(2) * np.sin(2 * np.pi * hz * times) * _level(dbfs)), rate)


def noise(seconds: float, dbfs: float = -20.0, seed: int = 0, *, rate: int = LINE_RATE) -> Clip:
    """White Gaussian noise."""
    values = np.random.default_rng(seed).normal(size=round(seconds * rate))
    return Clip(_quantised(_normalised(values) * _level(dbfs)), rate)


def speechlike(seconds: float, seed: int = 0, dbfs: float = -20.0) -> Clip:
    """Sound with the build of speech, at the line's rate: voiced and hissing syllables of 120 to 300 ms.

    It starts and ends with a syllable; the level is that of the whole.
    """
    rng = np.random.default_rng(seed)
    count = round(seconds * LINE_RATE)
    syllables: list[NDArray[np.float64]] = []
    made = 0
    while made < count:
        length = min(round(rng.uniform(0.12, 0.3) * LINE_RATE), count - made)
        sound = _hiss(rng, length) if rng.random() < 0.25 else _voiced(rng, length)
        # Never quite silent between syllables, as speech isn't inside a word.
        syllables.append(sound * (0.15 + 0.85 * np.sin(np.pi * (np.arange(length) + 0.5) / length)))
        made += length
    values = np.concatenate(syllables) if syllables else np.zeros(0)
    return Clip(_quantised(_normalised(values) * _level(dbfs)))


def gap(seconds: float) -> Clip:
    """Digital silence at the line's rate."""
    return silence(seconds)


def concat(*clips: Clip) -> Clip:
    """The clips one after the other, at the rate of the first.

    Raises:
        ValueError: no clips.
    """
    if not clips:
        raise ValueError("concat needs at least one clip")
    rate = clips[0].rate
    return Clip(np.concatenate([clip.at_rate(rate).samples for clip in clips]), rate)


def _voiced(rng: np.random.Generator, length: int) -> NDArray[np.float64]:
    pitch = rng.uniform(100, 220) * (1 + 0.08 * np.linspace(0, rng.uniform(-1, 1), length))
    phase = 2 * np.pi * np.cumsum(pitch) / LINE_RATE
    formants = rng.uniform((300, 900, 2300), (800, 2200, 3000))
    total = np.zeros(length)
    for harmonic in range(1, 19):
        hz = harmonic * float(pitch[0])
        total += np.sum(1 / (1 + ((hz - formants) / 150) ** 2)) / harmonic * np.sin(harmonic * phase)
    return _normalised(total)


def _hiss(rng: np.random.Generator, length: int) -> NDArray[np.float64]:
    return 0.4 * _normalised(np.diff(rng.normal(size=length + 1)))


def _level(dbfs: float) -> float:
    return float(32768.0 * 10 ** (dbfs / 20))


def _normalised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    rms = float(np.sqrt(np.mean(np.square(values)))) if len(values) else 0.0
    return values / rms if rms > 0 else values


def _quantised(values: NDArray[np.float64]) -> NDArray[np.int16]:
    return np.clip(np.rint(values), -32768, 32767).astype(np.int16)
