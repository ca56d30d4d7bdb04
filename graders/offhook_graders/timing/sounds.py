"""Where somebody speaks on one channel, found from the sound alone.

A channel is taken as it comes: with hiss or babble under the speech, clicks, a DC offset, at any level and
any rate from 8 kHz. What stands out from the noise around it for long enough is a **sound**: speech with gaps
of up to `BRIDGE_S` between words. Its first and last instant are then settled by one rule on every channel:
the first and the last 2 ms within 40 dB of the sound's peak (`offhook_graders.timing.edges`).

Levels are RMS in dBFS, times seconds from the start of the channel. Samples are ``float32`` of shape
``(n,)`` in 16-bit units, as `without_offset` returns them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook_graders.timing.edges import FULL_SCALE_DB, FineChannel, edges_of
from offhook_graders.timing.onsets import BRIDGE_S

__all__ = ["ChannelSounds", "Sound", "bursts_within", "find_sounds", "without_offset"]


_WINDOW_S: Final = 0.005
_SMOOTH: Final = 9  # windows: 45 ms, about one syllable's attack
_NOISE_SPAN_S: Final = 8.0  # the noise is what the quietest tenth of so much time holds
_NOISE_HOP_S: Final = 0.5
_NOISE_PERCENTILES: Final = (2, 10)
_NOISE_FLOOR_DBFS: Final = -95.0  # below the rounding of 16 bits: digital silence
_SILENT_DBFS: Final = -65.0  # a channel that is nowhere louder carries no voice...
_SPEECH_FLOOR_DBFS: Final = -80.0  # ...but beside a voice, one that is much softer may be another utterance
_RISE_DB: Final = (6.0, 15.0)
_RISE_PER_SWING: Final = 4.0  # for each dB between the two percentiles of the noise
_OF_THE_WAY_UP: Final = 0.5  # in loud noise: half-way from the noise to the speech
_BELOW_SPEECH_DB: Final = 32.0
_LOUD_OVER_NOISE_DB: Final = 6.0
# Babble alone swings 9 dB over its own quietest tenth; speech 10 dB above it reaches 17.
_CONTRAST_DB: Final = 12.0
_NEARLY_DB: Final = 3.0
_RUN_WINDOWS: Final = 7  # a click of less than 25 ms touches at most 6
_SOUND_WINDOWS: Final = 16  # 80 ms in all: the shortest "mm" is longer
_OFFSET_BLOCK_S: Final = 0.02
_OFFSET_BLOCKS: Final = 51
_SILENT: Final = "the channel is silent"


@attrs.frozen
class Sound:
    """One stretch of speech. ``bursts`` are its loud parts; between them lie gaps of up to `BRIDGE_S`."""

    start: float
    end: float
    peak_dbfs: float
    bursts: tuple[tuple[float, float], ...] = ()


@attrs.frozen
class ChannelSounds:
    """All speech of one channel. ``problem`` says why none could be found where the channel is silent or
    drowned in noise; ``speech_dbfs`` and ``noise_dbfs`` are its usual levels, None where there is no such.
    """

    sounds: tuple[Sound, ...] = ()
    speech_dbfs: float | None = None
    noise_dbfs: float | None = None
    problem: str = ""


def without_offset(samples: NDArray[np.int16] | NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    """The samples less their DC offset, also one that drifts.

    The offset is the median of a second of 20 ms means. A filter would do it too, but rings for tens of
    milliseconds after every sound, which is what is measured here.
    """
    block = max(1, round(_OFFSET_BLOCK_S * rate))
    whole = len(samples) // block
    values = samples.astype(np.float32)
    if whole == 0:
        return values
    from scipy.ndimage import median_filter

    means = values[: whole * block].reshape(whole, block).mean(axis=1)
    offset = median_filter(means, size=min(_OFFSET_BLOCKS, 2 * whole - 1), mode="nearest")
    if np.any(offset):
        values[: whole * block].reshape(whole, block)[:] -= offset[:, np.newaxis]
        values[whole * block :] -= offset[-1]
    return values


def find_sounds(samples: NDArray[np.float32], rate: int) -> ChannelSounds:
    """All speech of a channel."""
    levels, window_s = _levels(samples, rate)
    if not len(levels) or float(np.max(levels)) <= _SILENT_DBFS:
        return ChannelSounds(problem=_SILENT)
    smooth = _smoothed(levels)
    noise, rise = _noise(smooth, window_s)
    loud = smooth[smooth > np.maximum(noise + _LOUD_OVER_NOISE_DB, _SPEECH_FLOOR_DBFS)]
    quiet = _level(np.median(noise))
    if not len(loud):
        return ChannelSounds(noise_dbfs=quiet, problem=_drowned(quiet, 0.0))
    speech = float(np.percentile(loud, 90))
    contrast = speech - float(np.median(noise))
    if contrast < _CONTRAST_DB:
        return ChannelSounds(noise_dbfs=quiet, problem=_drowned(quiet, contrast))
    over_noise = noise + np.minimum(rise, _OF_THE_WAY_UP * (speech - noise))
    threshold = np.maximum(over_noise, max(speech - _BELOW_SPEECH_DB, _SPEECH_FLOOR_DBFS))
    runs = _sustained(smooth > threshold, levels > threshold - _NEARLY_DB)
    rough = _clusters(runs, round(BRIDGE_S / window_s))
    channel = FineChannel.of(samples, rate, [(first * window_s, last * window_s) for first, last in rough])
    sounds = (_sound(channel, first * window_s, last * window_s) for first, last in rough)
    return ChannelSounds(_apart(sounds), _level(speech), quiet)


def bursts_within(samples: NDArray[np.float32], rate: int) -> tuple[tuple[float, float], ...]:
    """The loud parts of a stretch that carries one speaker and no noise, such as a turn on the caller's own
    tape: what lies within 40 dB of its peak, bridged over gaps of up to `BRIDGE_S`. Empty where all is below
    -60 dBFS.
    """
    return tuple(FineChannel.of(samples, rate, []).loud_parts(BRIDGE_S))


def _levels(samples: NDArray[np.float32], rate: int) -> tuple[NDArray[np.float64], float]:
    window = max(1, round(_WINDOW_S * rate))
    whole = len(samples) // window
    blocks = samples[: whole * window].reshape(whole, window)
    power = np.einsum("ij,ij->i", blocks, blocks).astype(np.float64) / window
    return _decibels(power), window / rate


def _decibels(power: NDArray[np.float64]) -> NDArray[np.float64]:
    levels: NDArray[np.float64] = 10 * np.log10(power + 1e-3) - FULL_SCALE_DB
    return levels


def _smoothed(levels: NDArray[np.float64]) -> NDArray[np.float64]:
    total = np.concatenate(([0.0], np.cumsum(10 ** (levels / 10))))
    places = np.arange(len(levels))
    low = np.maximum(places - _SMOOTH // 2, 0)
    high = np.minimum(places + _SMOOTH // 2 + 1, len(levels))
    mean: NDArray[np.float64] = 10 * np.log10(np.maximum((total[high] - total[low]) / (high - low), 1e-13))
    return mean


def _noise(smooth: NDArray[np.float64], window_s: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Per window, the noise around it and how far sound must rise above it: hiss is steady, babble is not."""
    hop, half = round(_NOISE_HOP_S / window_s), round(_NOISE_SPAN_S / window_s / 2)
    at = np.arange(0, len(smooth), hop)
    quietest = np.array([np.percentile(smooth[max(0, i - half) : i + half], _NOISE_PERCENTILES) for i in at])
    lowest, low = np.maximum(quietest, _NOISE_FLOOR_DBFS).T
    places = np.arange(len(smooth))
    rise = np.clip(_RISE_DB[0] + _RISE_PER_SWING * (low - lowest), *_RISE_DB)
    return np.interp(places, at, low), np.interp(places, at, rise)


def _sustained(smooth: NDArray[np.bool_], loud: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Stretches of ``smooth`` that hold enough loud windows to be no click."""
    steps = np.diff(np.concatenate(([0], smooth.astype(np.int8), [0])))
    starts, stops = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    counts = np.concatenate(([0], np.cumsum(loud)))
    held = counts[stops] - counts[starts] >= _RUN_WINDOWS
    return list(zip(starts[held].tolist(), stops[held].tolist(), strict=True))


def _clusters(runs: list[tuple[int, int]], bridge: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int, int]] = []
    for start, stop in runs:
        if found and start - found[-1][1] <= bridge:
            first, _, active = found[-1]
            found[-1] = (first, stop, active + stop - start)
        else:
            found.append((start, stop, stop - start))
    return [(start, stop) for start, stop, active in found if active >= _SOUND_WINDOWS]


def _sound(channel: FineChannel, start: float, end: float) -> Sound | None:
    found = edges_of(channel, start, end)
    if found is None:
        return None
    return Sound(found.start, found.end, _level(found.peak_dbfs), found.bursts)


def _apart(sounds: Iterable[Sound | None]) -> tuple[Sound, ...]:
    """In order, and joined where the edges of two came closer than a gap between words."""
    apart: list[Sound] = []
    for sound in filter(None, sounds):
        if apart and sound.start - apart[-1].end <= BRIDGE_S:
            before = apart[-1]
            bursts = (*before.bursts, *(burst for burst in sound.bursts if burst[0] > before.end))
            peak = max(before.peak_dbfs, sound.peak_dbfs)
            apart[-1] = Sound(before.start, max(before.end, sound.end), peak, bursts)
        else:
            apart.append(sound)
    return tuple(apart)


def _level(value: float) -> float:
    return round(float(value), 1)


def _drowned(noise_dbfs: float, contrast_db: float) -> str:
    below = math.floor(10 * contrast_db) / 10  # 11.97 is not the 12 that are needed
    return (
        f"too noisy: nothing stands out (noise {noise_dbfs:.0f} dBFS, the loudest {below:.1f} dB above it; "
        f"{_CONTRAST_DB:.0f} dB are needed, and speech without a pause has less, too)"
    )
