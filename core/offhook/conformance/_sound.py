"""Two sounds compared: is what arrived all of what was said, and nothing else?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import LINE_RATE, Resampler, Samples
from offhook.drills import audible_part
from offhook.sessions import AgentAudio

__all__ = ["Likeness", "joined", "likeness"]

_NOTHING: Final = np.zeros(0, dtype=np.int16)


@attrs.frozen
class Likeness:
    """``correlation`` is the highest normalised cross-correlation of the two sounds, 0..1, and ``level`` the
    ratio of their levels where they fit best. ``expected`` and ``arrived`` count samples at 24 kHz from the
    first audible one to the last.
    """

    correlation: float
    level: float
    expected: int
    arrived: int


def joined(sounds: Sequence[AgentAudio]) -> Samples:
    """The pieces one after the other at the line's rate. A change of rate begins a new stream."""
    parts: list[Samples] = []
    rate, resampler = 0, None
    for sound in sounds:
        if sound.rate != rate:
            if resampler is not None:
                parts.append(resampler.push(_NOTHING, last=True))
            rate = sound.rate
            resampler = None if rate == LINE_RATE else Resampler(rate, LINE_RATE)
        parts.append(sound.samples if resampler is None else resampler.push(sound.samples))
    if resampler is not None:
        parts.append(resampler.push(_NOTHING, last=True))
    return np.concatenate(parts) if parts else _NOTHING


def likeness(expected: Samples, arrived: Samples) -> Likeness:
    """How much of a sound arrived, wherever in ``arrived`` it is."""
    from scipy.signal import correlate

    wanted, got = _audible(expected), _audible(arrived)
    if not len(wanted) or not len(got):
        return Likeness(0.0, 0.0, len(wanted), len(got))
    match = correlate(got, wanted, mode="full", method="fft")
    place = int(np.argmax(match)) - (len(wanted) - 1)
    begin, end = max(0, place), min(len(got), place + len(wanted))
    part = got[begin:end]
    energy = float(np.sqrt(np.sum(wanted**2) * max(np.sum(got**2), 1.0)))
    level = float(np.sqrt(np.sum(part**2) / np.sum(wanted[begin - place : end - place] ** 2)))
    return Likeness(float(match.max()) / energy, level, len(wanted), len(got))


def _audible(samples: Samples) -> NDArray[np.float64]:
    part = audible_part(samples)
    return np.zeros(0) if part is None else samples[part[0] : part[1]].astype(np.float64)
