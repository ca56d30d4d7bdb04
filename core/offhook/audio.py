"""Sound as the line carries it: 16-bit mono PCM clips and the 20 ms frame.

Units: sample rates in Hz, durations in seconds, levels in dBFS. Samples are ``int16`` arrays of shape
``(n,)``.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from typing import Any, Final

import attrs
import numpy as np
import soxr
from numpy.typing import NDArray

Samples = NDArray[np.int16]

__all__ = [
    "FRAME_SAMPLES",
    "FRAME_SECONDS",
    "LINE_RATE",
    "Clip",
    "Resampler",
    "Samples",
    "frames_of",
    "rms_dbfs",
    "silence",
]

LINE_RATE: Final = 24_000
FRAME_SECONDS: Final = 0.02
FRAME_SAMPLES: Final = 480


_LARGEST_FACTOR: Final = 1000
"""The filter of a conversion grows with the larger half of the reduced ratio: 320 for 11,025 Hz, the worst
rate in use."""


def _as_samples(value: object) -> Samples:
    array = np.asarray(value)
    if array.ndim != 1 or array.dtype != np.int16:
        raise ValueError(
            f"samples must be an int16 array of shape (n,), got {array.dtype} of shape {array.shape}"
        )
    return array


@attrs.frozen(eq=False)
class Clip:
    """A piece of mono sound.

    Raises:
        ValueError: samples that are not ``int16`` of shape ``(n,)``, or a rate that is not positive.
    """

    samples: Samples = attrs.field(converter=_as_samples)
    rate: int = LINE_RATE

    def __attrs_post_init__(self) -> None:
        if self.rate <= 0:
            raise ValueError(f"rate must be positive, got {self.rate}")

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate

    @property
    def sha256(self) -> str:
        """Hash of rate and samples; equal sound, equal hash."""
        digest = hashlib.sha256(f"{self.rate}:".encode())
        digest.update(np.ascontiguousarray(self.samples).tobytes())
        return digest.hexdigest()

    def at_rate(self, rate: int) -> Clip:
        """The same sound at another rate (whole-clip soxr, high quality)."""
        if rate == self.rate:
            return self
        # Through float, because soxr dithers 16-bit output: silence must stay silence.
        return Clip(_to_int16(soxr.resample(self.samples.astype(np.float32), self.rate, rate)), rate)


class Resampler:
    """Streaming sample-rate conversion that keeps its filter state across chunks.

    Linear phase, no offset: output sample ``n`` is the sound at second ``n / target_rate``. The output does
    not depend on how the input is cut, and lags it by 3 ms at 8 kHz, 1.5 ms at 16 kHz and 1 ms above 24 kHz.
    (A soxr stream hands its output out in blocks of 37 to 73 ms, which a line that plays every 20 ms would
    show as a platform's latency.)

    Raises:
        ValueError: a rate that is not positive, two whose ratio needs a filter of absurd size (44,101 to
            24,000, say, which no sound comes in), or a chunk after the last one.
    """

    def __init__(self, source_rate: int, target_rate: int) -> None:
        if source_rate <= 0 or target_rate <= 0:
            raise ValueError(f"rates must be positive, got {source_rate} and {target_rate}")
        largest = max(source_rate, target_rate) // math.gcd(source_rate, target_rate)
        if largest > _LARGEST_FACTOR:
            raise ValueError(
                f"{source_rate} Hz can't be brought to {target_rate} Hz; use a common rate such as 24000"
            )
        self._closed = False
        self._filter = None
        if source_rate != target_rate:
            from offhook._polyphase import Polyphase

            self._filter = Polyphase(source_rate, target_rate)

    def push(self, samples: Samples, *, last: bool = False) -> Samples:
        """Converts one chunk; with ``last`` the filter's tail is flushed too."""
        if self._closed:
            raise ValueError("the resampler was flushed; open a new one for a new stream")
        self._closed = last
        return samples if self._filter is None else _to_int16(self._filter.push(samples, last=last))


def _to_int16(values: NDArray[np.floating[Any]]) -> Samples:
    rounded: Samples = np.clip(np.rint(values), -32768, 32767).astype(np.int16)
    return rounded


def silence(seconds: float, rate: int = LINE_RATE) -> Clip:
    """Digital silence of the given length."""
    return Clip(np.zeros(round(seconds * rate), dtype=np.int16), rate)


def frames_of(clip: Clip) -> Iterator[Samples]:
    """Cuts a clip at the line's rate into 20 ms frames; the last one is padded with silence."""
    samples = clip.at_rate(LINE_RATE).samples
    for start in range(0, len(samples), FRAME_SAMPLES):
        frame = samples[start : start + FRAME_SAMPLES]
        yield frame if len(frame) == FRAME_SAMPLES else np.pad(frame, (0, FRAME_SAMPLES - len(frame)))


def rms_dbfs(samples: Samples) -> float:
    """Root-mean-square level in dB relative to full scale; ``-inf`` for digital silence or no samples."""
    if len(samples) == 0:
        return float("-inf")
    mean_square = float(np.mean(np.square(samples.astype(np.float64))))
    return float("-inf") if mean_square == 0 else 10 * float(np.log10(mean_square / 32768.0**2))
