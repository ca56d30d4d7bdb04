"""Packet loss concealment after the manner of ITU-T G.711 Appendix I: the last pitch periods are repeated,
ever softer, until packets arrive again.

Unlike there, nothing is held back before a loss is known, so the sound is not delayed for it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from offhook_caller.profiles.codecs import CODEC_RATE, PACKET_SAMPLES

__all__ = ["FADED_OUT_MS", "Concealment"]

Sound = NDArray[np.floating[Any]]

FADED_OUT_MS: Final = 60
"""From here on a gap is silent."""

_MS: Final = CODEC_RATE // 1000
_SHORTEST: Final = 5 * _MS  # pitch periods: 200 Hz down to 66 Hz
_LONGEST: Final = 15 * _MS
_TEMPLATE: Final = 20 * _MS
_HISTORY: Final = 3 * _LONGEST + _LONGEST // 4
_FULL_MS: Final = 10


class Concealment:
    """The receiver of one call: takes packets and gaps in turn, 160 samples at 8 kHz each."""

    def __init__(self) -> None:
        self._history: Sound = np.zeros(_HISTORY)
        self._pitch = _SHORTEST
        self._missing = 0

    def received(self, packet: NDArray[np.int16]) -> Sound:
        """The packet; after a gap its beginning is blended with what filled the gap."""
        sound = packet.astype(np.float64)
        if self._missing:
            overlap = min(10, 4 + 4 * (self._missing // (10 * _MS) - 1)) * _MS
            rising = (np.arange(overlap) + 0.5) / overlap
            sound[:overlap] = sound[:overlap] * rising + self._filled(overlap) * (1 - rising)
            self._missing = 0
        self._remember(sound)
        return sound

    def missed(self) -> Sound:
        """What is played in place of a packet that did not come."""
        if not self._missing:
            self._pitch = _pitch_of(self._history)
        sound = self._filled(PACKET_SAMPLES)
        self._missing += PACKET_SAMPLES
        return sound

    def _filled(self, count: int) -> Sound:
        """The gap's next samples: one pitch period at first, more of them later lest it sound like a tone."""
        at = self._missing + np.arange(count)
        if self._missing >= FADED_OUT_MS * _MS:
            return np.zeros(count)
        sound = _repeated(self._history, self._pitch, 1, at)
        for periods, from_ms in ((2, 10), (3, 20)):
            blend = np.clip((at - from_ms * _MS) / (4 * _MS), 0.0, 1.0)
            if blend[-1] > 0:
                sound = sound * (1 - blend) + _repeated(self._history, self._pitch, periods, at) * blend
        span = FADED_OUT_MS - _FULL_MS
        faded: Sound = sound * np.clip(1 - (at / _MS - _FULL_MS) / span, 0.0, 1.0)
        return faded

    def _remember(self, sound: Sound) -> None:
        self._history = np.concatenate((self._history[len(sound) :], sound))


def _pitch_of(history: Sound) -> int:
    """The lag at which the last 20 ms are most like what came before them, in samples."""
    template = history[-_TEMPLATE:]
    before = history[-_TEMPLATE - _LONGEST : -_SHORTEST]
    likeness = np.correlate(before, template, "valid")
    energy = np.correlate(np.square(before), np.ones(_TEMPLATE), "valid")
    likeness = likeness / np.sqrt(np.maximum(energy, 1.0))
    return _LONGEST - int(np.argmax(likeness))


def _repeated(history: Sound, pitch: int, periods: int, at: NDArray[np.int64]) -> Sound:
    """Samples ``at`` after the history, its last periods over and over. The end of a turn is blended with
    what came before its beginning, so that turns join."""
    length, quarter = periods * pitch, pitch // 4
    turn = history[-length:].copy()
    falling = 1 - (np.arange(quarter) + 0.5) / quarter
    turn[-quarter:] = turn[-quarter:] * falling + history[-length - quarter : -length] * (1 - falling)
    repeated: Sound = turn[at % length]
    return repeated
