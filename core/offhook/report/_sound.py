"""What a page needs of a recording: an outline to draw and a small file to play."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Final

import attrs
import numpy as np
import soundfile
from numpy.typing import NDArray

from offhook.line import read_flac

__all__ = ["Sound", "sound_of"]

COLUMNS_A_SECOND: Final = 20


@attrs.frozen
class Sound:
    """``caller`` and ``agent`` are peaks in 0..99, ``COLUMNS_A_SECOND`` a second; ``source`` is a data URI
    or empty.
    """

    seconds: float
    caller: list[int]
    agent: list[int]
    source: str


def sound_of(recording: Path, *, audio: bool) -> Sound:
    """Reads a stereo recording (caller left, agent right).

    Raises:
        AudioFileError: the file is missing, damaged or foreign.
    """
    samples, rate = read_flac(recording)
    stereo = samples.reshape(len(samples), -1)
    caller, agent = stereo[:, 0], stereo[:, -1]
    source = _opus(stereo, rate) if audio else ""
    return Sound(len(stereo) / rate, _peaks(caller, rate), _peaks(agent, rate), source)


def _peaks(samples: NDArray[np.int16], rate: int) -> list[int]:
    width = rate // COLUMNS_A_SECOND
    padded = np.pad(np.abs(samples.astype(np.int32)), (0, -len(samples) % width))
    peaks = padded.reshape(-1, width).max(axis=1)
    return [int(value) for value in np.minimum(99, peaks * 100 // 32768)]


def _opus(stereo: NDArray[np.int16], rate: int) -> str:
    buffer = io.BytesIO()
    # libsndfile's Ogg encoders keep a write on the stack: one long write can overrun it.
    with soundfile.SoundFile(buffer, "w", rate, stereo.shape[1], format="OGG", subtype="OPUS") as file:
        for start in range(0, len(stereo), rate):
            file.write(stereo[start : start + rate])
    return "data:audio/ogg;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
