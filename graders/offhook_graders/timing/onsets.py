"""The published energy rule: which windows of a channel are loud, by its own noise.

All functions are pure and take one channel as ``int16`` of shape ``(n,)``. Times are seconds from the start
of the tape, levels are RMS or peak in 16-bit units (full scale 32768) unless a name says dBFS."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import Samples

__all__ = [
    "BRIDGE_S",
    "Activity",
    "PublishedRule",
    "amplitude",
    "dbfs",
    "published_activity",
    "speaking_since",
    "window_rms",
]

BRIDGE_S: Final = 0.3  # a quiet stretch this short is a gap between words: whoever paused is still speaking

_FLOOR_DBFS: Final = -60.0


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

    @classmethod
    def from_runs(
        cls, runs: Iterable[Sequence[int]], count: int, *, window_s: float, threshold: float, floored: bool
    ) -> Activity:
        """What `runs` was taken of; ``count`` is how many windows the channel has."""
        active = np.zeros(count, dtype=np.bool_)
        for start, stop in runs:
            active[start:stop] = True
        return cls(window_s, active, threshold, floored)

    @property
    def runs(self) -> tuple[tuple[int, int], ...]:
        """The loud stretches, as windows ``start`` to ``stop`` (exclusive)."""
        steps = np.diff(np.concatenate(([0], self.active.astype(np.int8), [0])))
        starts, stops = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
        return tuple(zip(starts.tolist(), stops.tolist(), strict=True))

    def first(self, start: int, stop: int) -> int | None:
        """The first active window in ``start..stop``, or None."""
        found = np.flatnonzero(self.active[max(0, start) : max(0, stop)])
        return max(0, start) + int(found[0]) if len(found) else None

    def last(self, start: int, stop: int) -> int | None:
        """The last active window in ``start..stop``, or None."""
        found = np.flatnonzero(self.active[max(0, start) : max(0, stop)])
        return max(0, start) + int(found[-1]) if len(found) else None


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
