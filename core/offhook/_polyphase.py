"""The filter inside ``offhook.audio.Resampler``, apart because ``scipy.signal`` is slow to import."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.signal import firwin, upfirdn

# Half-length in periods of the slower rate, cut-off relative to its Nyquist frequency, window shape.
_HALF_LENGTH: Final = 24
_CUTOFF: Final = 0.95
_KAISER_BETA: Final = 8.0


class Polyphase:
    """A streaming rational resampler: Kaiser-windowed low-pass, about 80 dB down, linear phase, no offset."""

    def __init__(self, source_rate: int, target_rate: int) -> None:
        divisor = math.gcd(source_rate, target_rate)
        self._up, self._down = target_rate // divisor, source_rate // divisor
        slower = max(self._up, self._down)
        self._half = _HALF_LENGTH * slower
        taps: NDArray[np.float64] = self._up * np.asarray(
            firwin(2 * self._half + 1, _CUTOFF / slower, window=("kaiser", _KAISER_BETA)), dtype=np.float64
        )
        # Leading zeros shift the filter so that the wanted output falls on a multiple of the decimation. Made
        # once: a shift per push would cost more than the filtering of a 20 ms frame.
        self._shifted = [np.pad(taps, (shift, 0)) for shift in range(self._down)]
        self._lag = -(-self._half // self._up)
        # Input still needed, and the index its first sample has in the stream.
        self._history = np.zeros(self._lag)
        self._first = -self._lag
        self._made = 0

    def push(self, samples: NDArray[Any], *, last: bool) -> NDArray[np.float64]:
        """All output that the input so far determines."""
        parts = (self._history, samples, np.zeros(self._lag)) if last else (self._history, samples)
        self._history = np.concatenate(parts)
        ready = self._first + len(self._history) - self._lag
        until = -(-ready * self._up // self._down)
        if until <= self._made:
            return np.zeros(0)
        offset = self._made * self._down - self._first * self._up + self._half
        shift = -offset % self._down
        filtered = upfirdn(self._shifted[shift], self._history, self._up, self._down)
        begin = (offset + shift) // self._down
        made: NDArray[np.float64] = filtered[begin : begin + until - self._made]
        self._made = until
        spent = max(0, self._made * self._down // self._up - self._lag - self._first)
        self._history = self._history[spent:]
        self._first += spent
        return made
