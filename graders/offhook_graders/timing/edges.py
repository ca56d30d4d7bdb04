"""The first and the last audible instant of a sound, to the sample where there is no noise.

**Audible** is what lies within 40 dB of the sound's peak: 2 ms of that level, RMS against RMS. Where the
channel's noise is quieter than that, the levels say it directly, and the edge is the first (last) sample that
reaches the level inside those 2 ms. Where it is not, bands of the spectrum are compared with the noise just
before the sound: a frame belongs to the sound while its bands stand out from what the noise itself does, and
the power above the noise is within 40 dB of the peak. A hissed "s" is found in hiss of the same level that
way, and babble does not start an agent's reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

__all__ = ["AUDIBLE_BELOW_PEAK_DB", "FINE_S", "FULL_SCALE_DB", "Edges", "FineChannel", "edges_of"]

AUDIBLE_BELOW_PEAK_DB: Final = 40.0
FINE_S: Final = 0.002
FULL_SCALE_DB: Final = 20 * float(np.log10(32768.0))

_FLOOR_DBFS: Final = -60.0  # what a tape without noise must reach to carry a voice at all
_REACH_S: Final = 0.35  # how far from its loud part a sound may begin or end
_LEAD_GAP_S: Final = 0.06  # between a first consonant and its vowel
_TAIL_GAP_S: Final = 0.16  # the closure before the release of a final "p"
_NOISY_GAP_S: Final = 0.024
_NOISY_TAIL_GAP_S: Final = 0.12
_GUARD_S: Final = 0.12  # so close to a sound the channel is not taken for noise
_CLICK_DB: Final = 12.0  # over the noise's median: babble swings less in 2 ms
_NOISE_FRAMES: Final = 750  # 1.5 s of noise next to the sound
_FEWEST_NOISE_FRAMES: Final = 100
_NOISE_PERCENTILE: Final = 95.0
_NOISE_MARGIN_DB: Final = 2.0
_SPECTRUM_S: Final = 0.01
_BAND_EDGES_HZ: Final = (100, 300, 500, 800, 1200, 1700, 2300, 3000, 4000, 5200, 6600, 8500, 11500)
_LEAST_SPREAD_DB: Final = 1.0
_NORMAL_P90: Final = 1.28  # standard deviations
_STANDS_OUT_PERCENTILE: Final = 99.0
_SURELY: Final = 2.0
_SCORE_FRAMES: Final = 5

Levels = NDArray[np.float64]


@attrs.frozen
class Edges:
    """Where a sound is audible, in seconds; ``bursts`` are its parts between gaps of more than 0.1 s."""

    start: float
    end: float
    peak_dbfs: float
    bursts: tuple[tuple[float, float], ...]


@attrs.frozen(eq=False)
class FineChannel:
    """A channel in frames of 2 ms. ``samples`` are ``float32`` without DC offset, ``levels`` RMS in dBFS,
    ``quiet`` the frames that no sound is near.
    """

    samples: NDArray[np.float32]
    rate: int
    hop: int
    levels: Levels
    quiet: NDArray[np.intp]

    @classmethod
    def of(
        cls, samples: NDArray[np.float32], rate: int, sounds: Sequence[tuple[float, float]]
    ) -> FineChannel:
        """A channel whose sounds are roughly known, in seconds."""
        hop = max(1, round(FINE_S * rate))
        whole = len(samples) // hop
        blocks = samples[: whole * hop].reshape(whole, hop)
        power = np.einsum("ij,ij->i", blocks, blocks).astype(np.float64) / hop
        quiet = np.ones(whole, dtype=np.bool_)
        for start, end in sounds:
            first = int((start - _GUARD_S) * rate / hop)
            quiet[max(0, first) : max(0, int((end + _GUARD_S) * rate / hop))] = False
        levels = _decibels(power)
        if np.any(quiet):
            quiet &= ~_clicks(levels, float(np.median(levels[quiet])) + _CLICK_DB)
        return cls(samples, rate, hop, levels, np.flatnonzero(quiet))

    def frame(self, at: float) -> int:
        return min(max(0, int(at * self.rate / self.hop)), len(self.levels))

    def frames(self, seconds: float) -> int:
        return round(seconds * self.rate / self.hop)

    def noise_before(self, frame: int) -> NDArray[np.intp]:
        """The quiet frames next to a place: those before it, else the channel's first."""
        before = self.quiet[: np.searchsorted(self.quiet, frame)][-_NOISE_FRAMES:]
        return before if len(before) >= _FEWEST_NOISE_FRAMES else self.quiet[:_NOISE_FRAMES]

    def loud_parts(self, bridge_s: float) -> list[tuple[float, float]]:
        """Where a channel without noise is within 40 dB of its peak, to the sample, bridged over gaps."""
        if not len(self.levels) or float(np.max(self.levels)) < _FLOOR_DBFS:
            return []
        audible = float(np.max(self.levels)) - AUDIBLE_BELOW_PEAK_DB
        parts = _parts(np.flatnonzero(self.levels >= audible), self.frames(bridge_s))
        return [(self.first_sample(a, audible), self.last_sample(b - 1, audible)) for a, b in parts]

    def first_sample(self, frame: int, level_dbfs: float) -> float:
        """The first sample of a frame that reaches a level; speech may begin inside the 2 ms."""
        loud = self._loud(frame, level_dbfs)
        return (frame * self.hop + (int(loud[0]) if len(loud) else 0)) / self.rate

    def last_sample(self, frame: int, level_dbfs: float) -> float:
        """The end of the last sample of a frame that reaches a level."""
        loud = self._loud(frame, level_dbfs)
        return (frame * self.hop + (int(loud[-1]) + 1 if len(loud) else self.hop)) / self.rate

    def _loud(self, frame: int, level_dbfs: float) -> NDArray[np.intp]:
        samples = self.samples[frame * self.hop : (frame + 1) * self.hop]
        return np.flatnonzero(np.abs(samples) >= 10 ** ((level_dbfs + FULL_SCALE_DB) / 20))


def _clicks(levels: Levels, threshold: float) -> NDArray[np.bool_]:
    """Frames above a level, and those whose spectrum would see them: one click would raise what counts as
    the noise's own for all sounds after it."""
    near = np.ones(2 * _SCORE_FRAMES + 1, dtype=np.intp)
    return np.convolve(levels > threshold, near, "same")[: len(levels)] > 0


def edges_of(channel: FineChannel, start: float, end: float) -> Edges | None:
    """The audible edges of a sound that is roughly known; None where it is shorter than a frame."""
    first, stop = channel.frame(start), channel.frame(end)
    if stop <= first:
        return None
    peak = float(np.max(channel.levels[first:stop]))
    audible = peak - AUDIBLE_BELOW_PEAK_DB
    noise = channel.noise_before(first)
    reach = channel.frames(_REACH_S)
    low, high = max(0, first - reach), min(len(channel.levels), stop + reach)
    quiet = not len(noise) or (
        float(np.percentile(channel.levels[noise], _NOISE_PERCENTILE)) < audible - _NOISE_MARGIN_DB
    )
    if quiet:
        heard = channel.levels[low:high] >= audible
        onset = low + _walk_back(heard, first - low, channel.frames(_LEAD_GAP_S))
        last = low + _walk_on(heard, stop - low - 1, channel.frames(_TAIL_GAP_S))
        begins, ends = channel.first_sample(onset, audible), channel.last_sample(last, audible)
    else:
        heard, surely = _stands_out(channel, noise, low, high, audible)
        gap = channel.frames(_NOISY_GAP_S)
        onset = _sharpened(channel, noise, low + _walk_back(heard, _next(surely, first - low), gap))
        last = low + _walk_on(heard, _previous(surely, stop - low - 1), channel.frames(_NOISY_TAIL_GAP_S))
        begins, ends = onset * channel.hop / channel.rate, (last + 1) * channel.hop / channel.rate
    if ends <= begins:  # the noise before it is louder than the sound itself
        begins, ends = start, min(end, len(channel.levels) * channel.hop / channel.rate)
    return Edges(begins, ends, peak, _bursts(channel, heard, low, begins, ends))


def _sharpened(channel: FineChannel, noise: NDArray[np.intp], onset: int) -> int:
    """The frame in which a sudden sound begins: the spectrum sees it half its window ahead."""
    ahead = channel.levels[onset : onset + channel.frames(_SPECTRUM_S)]
    loud = np.flatnonzero(ahead > float(np.max(channel.levels[noise])))
    return onset + (int(loud[0]) if len(loud) else 0)


def _walk_back(heard: NDArray[np.bool_], start: int, gap: int) -> int:
    """The first heard frame that leads up to ``start`` without a longer gap."""
    found = np.flatnonzero(heard[: start + 1])
    if not len(found) or start - found[-1] > gap:
        after = np.flatnonzero(heard[start:])
        return start + (int(after[0]) if len(after) else 0)
    breaks = np.flatnonzero(np.diff(found) > gap)
    return int(found[breaks[-1] + 1 if len(breaks) else 0])


def _walk_on(heard: NDArray[np.bool_], start: int, gap: int) -> int:
    """The last heard frame that ``start`` leads up to without a longer gap."""
    return len(heard) - 1 - _walk_back(heard[::-1], len(heard) - 1 - start, gap)


def _next(surely: NDArray[np.bool_], start: int) -> int:
    found = np.flatnonzero(surely[start:])
    return start + (int(found[0]) if len(found) else 0)


def _previous(surely: NDArray[np.bool_], start: int) -> int:
    found = np.flatnonzero(surely[: start + 1])
    return int(found[-1]) if len(found) else start


def _stands_out(
    channel: FineChannel, noise: NDArray[np.intp], low: int, high: int, audible_dbfs: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Per frame of ``low..high``, whether it belongs to the sound and whether it surely does."""
    of_noise = _bands(channel, noise)
    usual = np.median(of_noise, axis=0)
    spread = np.maximum(np.percentile(of_noise, 90, axis=0) - usual, _LEAST_SPREAD_DB) / _NORMAL_P90
    limit = float(np.percentile(_score(of_noise, usual, spread), _STANDS_OUT_PERCENTILE))
    bands = _bands(channel, np.arange(low, high))
    above = np.maximum(10 ** (bands / 10) - 10 ** (usual / 10), 0.0).sum(axis=1)
    score = _score(bands, usual, spread)
    heard = (score > limit) & (10 * np.log10(above + 1e-15) >= audible_dbfs)
    return heard, score > _SURELY * limit


def _score(bands: Levels, usual: Levels, spread: Levels) -> Levels:
    """How far a frame stands out from the noise: root mean square over the bands, in standard deviations."""
    beyond = np.maximum((bands - usual) / spread, 0.0)
    score = np.sqrt(np.mean(beyond * beyond, axis=1))
    kernel = np.ones(_SCORE_FRAMES) / _SCORE_FRAMES
    smooth: Levels = np.convolve(score, kernel, "same")
    return smooth


def _bands(channel: FineChannel, frames: NDArray[np.intp]) -> Levels:
    """RMS per band in dBFS, shape ``(len(frames), bands)``, over 10 ms around each frame."""
    size = round(_SPECTRUM_S * channel.rate)
    if len(channel.samples) < size:
        return np.full((len(frames), 1), -120.0)
    starts = np.clip(frames * channel.hop + channel.hop // 2 - size // 2, 0, len(channel.samples) - size)
    window = np.hanning(size).astype(np.float32)
    cut = np.lib.stride_tricks.sliding_window_view(channel.samples, size)[starts] * window
    power = np.abs(np.fft.rfft(cut, axis=1)) ** 2
    frequencies = np.fft.rfftfreq(size, 1 / channel.rate)
    places = np.unique(np.searchsorted(frequencies, [hz for hz in _BAND_EDGES_HZ if hz < channel.rate / 2]))
    sums = np.add.reduceat(power, places, axis=1) * (2 / (size * float(np.sum(window * window))))
    return _decibels(sums)


def _bursts(
    channel: FineChannel, heard: NDArray[np.bool_], low: int, begins: float, ends: float
) -> tuple[tuple[float, float], ...]:
    """The loud parts between gaps of more than 0.1 s; the first begins and the last ends with the sound."""
    parts = _parts(low + np.flatnonzero(heard), channel.frames(0.1))
    frame_s = channel.hop / channel.rate
    inside = [(a * frame_s, b * frame_s) for a, b in parts if b * frame_s > begins and a * frame_s < ends]
    if not inside:
        return ((begins, ends),)
    inside[0] = (begins, inside[0][1])
    inside[-1] = (inside[-1][0], ends)
    return tuple(inside)


def _parts(frames: NDArray[np.intp], bridge: int) -> list[tuple[int, int]]:
    if not len(frames):
        return []
    breaks = np.flatnonzero(np.diff(frames) > bridge)
    firsts = np.concatenate(([0], breaks + 1))
    lasts = np.concatenate((breaks, [len(frames) - 1]))
    return [(int(frames[a]), int(frames[b]) + 1) for a, b in zip(firsts, lasts, strict=True)]


def _decibels(power: NDArray[np.float64]) -> Levels:
    levels: Levels = 10 * np.log10(power + 1e-3) - FULL_SCALE_DB
    return levels
