"""Where speech starts and stops on a tape: the published energy rule, and a sample-accurate measure.

All functions are pure and take one channel as ``int16`` of shape ``(n,)``. Times are seconds from the start
of the tape, levels are RMS or peak in 16-bit units (full scale 32768) unless a name says dBFS."""

from __future__ import annotations

from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import Samples

__all__ = [
    "BRIDGE_S",
    "Activity",
    "FineLevels",
    "PublishedRule",
    "amplitude",
    "audible_activity",
    "audible_end",
    "audible_onset",
    "dbfs",
    "published_activity",
    "speaking_since",
    "window_rms",
]

BRIDGE_S: Final = 0.3  # a quiet stretch this short is a gap between words: whoever paused is still speaking

_FINE_S: Final = 0.005
_SUSTAIN_WINDOWS: Final = 9  # an onset holds: of these fine windows (45 ms)...
# ...so many are above the threshold: a click of less than 25 ms touches at most 6, and is not speech.
_SUSTAIN_ACTIVE: Final = 7
_FLOOR_DBFS: Final = -60.0
_AUDIBLE_PEAK_DBFS: Final = -50.0
_OVER_LOCAL_NOISE: Final = 1.5
_OVER_GLOBAL_NOISE: Final = 4.0
_NOISE_CREST: Final = 3.0


def amplitude(level_dbfs: float) -> float:
    """A level in dBFS as 16-bit units."""
    return float(32768.0 * 10 ** (level_dbfs / 20))


def dbfs(level: float) -> float | None:
    """16-bit units as dBFS, rounded to 0.1 dB; None for silence, which has no finite level."""
    return round(20 * float(np.log10(level / 32768.0)), 1) if level > 0 else None


def window_rms(samples: Samples, window: int) -> NDArray[np.float64]:
    """RMS of consecutive windows, shape ``(ceil(n / window),)``; a last, shorter window is measured over its
    own samples."""
    whole = len(samples) // window
    blocks = samples[: whole * window].reshape(whole, window).astype(np.float32)
    mean_squares = np.einsum("ij,ij->i", blocks, blocks, dtype=np.float32).astype(np.float64) / window
    rest = samples[whole * window :].astype(np.float64)
    if len(rest):
        mean_squares = np.append(mean_squares, np.mean(rest * rest))
    rms: NDArray[np.float64] = np.sqrt(mean_squares)
    return rms


@attrs.frozen(eq=False)
class Activity:
    """Which windows of a channel are loud. ``threshold`` is the RMS a window must exceed, ``floored`` whether
    the absolute floor decided."""

    window_s: float
    active: NDArray[np.bool_]
    threshold: float
    floored: bool

    def index(self, at: float) -> int:
        """The window that holds an instant. Within a thousandth of a window a border belongs to the later
        window."""
        return int(np.floor(at / self.window_s + 1e-3))

    def first(self, start: int, stop: int) -> int | None:
        """The first active window in ``start..stop``, or None."""
        found = np.flatnonzero(self.active[max(0, start) : max(0, stop)])
        return max(0, start) + int(found[0]) if len(found) else None

    def last(self, start: int, stop: int) -> int | None:
        """The last active window in ``start..stop``, or None."""
        found = np.flatnonzero(self.active[max(0, start) : max(0, stop)])
        return max(0, start) + int(found[-1]) if len(found) else None


# --- the published rule ---


@attrs.frozen
class PublishedRule:
    """Onset at the first ``window_s`` window whose RMS exceeds ``times`` x the channel's ``percentile``-th
    percentile RMS, never less than ``floor_dbfs`` (on digital silence the percentile is 0). The caller's end
    is searched ``reach_s`` around the end of the utterance."""

    window_s: float = 0.05
    times: float = 4.0
    percentile: float = 20.0
    floor_dbfs: float = _FLOOR_DBFS
    reach_s: float = 1.5


def published_activity(samples: Samples, rate: int, rule: PublishedRule) -> Activity:
    """Loud windows of a whole channel by the published rule."""
    window = round(rule.window_s * rate)
    rms = window_rms(samples, window)
    noise = float(np.percentile(rms, rule.percentile)) if len(rms) else 0.0
    floor = amplitude(rule.floor_dbfs)
    threshold = max(rule.times * noise, floor)
    return Activity(window / rate, rms > threshold, threshold, threshold == floor)


def speaking_since(activity: Activity, at: float) -> float | None:
    """When the speech began that goes on at ``at``, or None where nobody speaks then.

    Speech goes on through a gap of up to `BRIDGE_S`.
    """
    here = activity.index(at)
    bridge = round(BRIDGE_S / activity.window_s)
    before = activity.last(here - bridge, here + 1)
    after = activity.first(here, here + bridge + 1)
    if before is None or after is None or after - before > bridge:
        return None
    loud = np.flatnonzero(activity.active[: before + 1])
    breaks = np.flatnonzero(np.diff(loud) > bridge)
    return float(loud[breaks[-1] + 1 if len(breaks) else 0]) * activity.window_s


# --- ours: the first and the last audible sample ---


@attrs.frozen(eq=False)
class FineLevels:
    """A channel's RMS in 5 ms windows."""

    window_s: float
    rms: NDArray[np.float64]

    @classmethod
    def of(cls, samples: Samples, rate: int) -> FineLevels:
        window = max(1, round(_FINE_S * rate))
        return cls(window / rate, window_rms(samples, window))

    def activity(self, noise: float) -> Activity:
        """Windows above a noise level, or above -60 dBFS where that is more."""
        floor = amplitude(_FLOOR_DBFS)
        threshold = max(noise, floor)
        return Activity(self.window_s, self.rms > threshold, threshold, threshold == floor)


def audible_activity(levels: FineLevels, start: float, stop: float) -> Activity:
    """Loud 5 ms windows by a threshold that adapts to the noise under one turn.

    ``start..stop`` is when this channel should carry nothing but noise, because the other side talks. The
    threshold is 1.5 x the 95th percentile of those windows, but at most 4 x the whole channel's 20th
    percentile (in case it was not quiet after all), and at least -60 dBFS."""
    if not len(levels.rms):
        return levels.activity(0.0)
    noise = _OVER_GLOBAL_NOISE * float(np.percentile(levels.rms, 20))
    quiet = levels.rms[int(start / levels.window_s) : int(stop / levels.window_s)]
    if len(quiet):
        noise = min(noise, _OVER_LOCAL_NOISE * float(np.percentile(quiet, 95)))
    return levels.activity(noise)


def audible_onset(samples: Samples, rate: int, activity: Activity, start: float, stop: float) -> float | None:
    """The first audible sample in ``start..stop``, or None.

    Of the first fine window that opens a sustained stretch, the first sample whose magnitude passes -50 dBFS
    or, in noise, 4 x the noise's RMS. A sound that never reaches that level sample by sample starts with its
    window."""
    counts = np.concatenate(([0], np.cumsum(activity.active)))
    ends = np.minimum(np.arange(len(activity.active)) + _SUSTAIN_WINDOWS, len(activity.active))
    opens = activity.active & (counts[ends] - counts[:-1] >= _SUSTAIN_ACTIVE)
    found = np.flatnonzero(opens[activity.index(start) : activity.index(stop) + 1])
    if not len(found):
        return None
    window = activity.index(start) + int(found[0])
    # The window before may hold the first samples of the sound, too few to lift its RMS.
    size = round(activity.window_s * rate)
    low = max(round(start * rate), (window - 1) * size)
    high = min(round(stop * rate), (window + _SUSTAIN_WINDOWS) * size, len(samples))
    loud = np.flatnonzero(np.abs(samples[low:high].astype(np.int32)) >= _sample_level(activity))
    onset = low + int(loud[0]) if len(loud) else max(low, window * size)
    return onset / rate if onset < round(stop * rate) else None


def audible_end(samples: Samples, rate: int, start: float, stop: float) -> float | None:
    """The end of the last sample in ``start..stop`` that passes -50 dBFS, or None where all is quieter.

    For a tape without line noise: nothing on it is a click, and the last sound may be as short as the release
    of a final "p"."""
    low, high = round(start * rate), min(round(stop * rate), len(samples))
    loud = np.flatnonzero(np.abs(samples[low:high].astype(np.int32)) >= amplitude(_AUDIBLE_PEAK_DBFS))
    return (low + int(loud[-1]) + 1) / rate if len(loud) else None


def _sample_level(activity: Activity) -> float:
    """The magnitude that counts as audible: absolute on a quiet channel, above the noise's usual peaks on a
    noisy one."""
    audible = amplitude(_AUDIBLE_PEAK_DBFS)
    return (
        audible if activity.floored else max(audible, _NOISE_CREST * activity.threshold / _OVER_LOCAL_NOISE)
    )
