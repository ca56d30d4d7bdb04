"""How loud speech is while somebody speaks: the active level, which pauses do not lower."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["active_dbfs"]

_ENVELOPE_SECONDS: Final = 0.03
_HANGOVER_SECONDS: Final = 0.2
_MARGIN_DB: Final = 15.9
_FULL_SCALE: Final = 32768.0
_OCTAVES: Final = 20


def active_dbfs(samples: NDArray[Any], rate: int) -> float:
    """The active level in dBFS after ITU-T P.56, method B; ``-inf`` where nothing sounds.

    An envelope (two smoothings of 30 ms) is compared with thresholds an octave apart. Time counts as active
    while the envelope is above a threshold and for 200 ms after; of the thresholds the one is taken that lies
    15.9 dB under the level of the time it calls active, between two of them by interpolation.

    Args:
        samples: shape ``(n,)``, in units of 16-bit samples, integers or floats.
        rate: in Hz.
    """
    from scipy.ndimage import maximum_filter1d
    from scipy.signal import lfilter

    sound = np.asarray(samples, dtype=np.float64)
    energy = float(np.dot(sound, sound))
    if energy == 0.0:
        return float("-inf")
    keep = math.exp(-1 / (rate * _ENVELOPE_SECONDS))
    envelope = np.abs(sound)
    for _ in range(2):
        envelope = lfilter([1 - keep], [1, -keep], envelope)
    # the loudest of the last 200 ms: above a threshold for as long as the hangover holds
    window = max(1, round(rate * _HANGOVER_SECONDS))
    held = np.sort(maximum_filter1d(envelope, window, origin=(window - 1) // 2, mode="constant"))
    # from half the loudest moment down, so that sound in any unit is measured alike
    thresholds = held[-1] / 2.0 ** np.arange(1, _OCTAVES + 1)
    active = len(held) - np.searchsorted(held, thresholds)
    return _crossing(energy, active, thresholds)


def _crossing(energy: float, active: NDArray[np.int64], thresholds: NDArray[np.floating[Any]]) -> float:
    """The level where threshold and level lie the margin apart; thresholds fall."""
    levels = [_db(energy / float(count)) for count in active]
    apart = [level - _db(float(c) ** 2) - _MARGIN_DB for level, c in zip(levels, thresholds, strict=True)]
    after = next((index for index, gap in enumerate(apart) if gap >= 0), len(apart) - 1)
    if after == 0:
        return levels[0]
    share = -apart[after - 1] / (apart[after] - apart[after - 1])
    return levels[after - 1] + share * (levels[after] - levels[after - 1])


def _db(power: float) -> float:
    return 10 * math.log10(power / _FULL_SCALE**2)
