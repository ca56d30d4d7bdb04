"""What a page needs of a recording: an outline to draw and a small file to play."""

from __future__ import annotations

import base64
import io
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs
import numpy as np
import soundfile
from numpy.typing import NDArray

from offhook.line import read_flac
from offhook.storage import file_stamp

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


def sound_of(recording: Path, *, audio: bool, derived: Path) -> Sound:
    """Reads a stereo recording (caller left, agent right).

    Args:
        derived: where the encoded sound is kept, as ``<call id>.<hash of the recording>.opus``. It may be
            deleted at any time: what is missing is encoded again.

    Raises:
        AudioFileError: the file is missing, damaged or foreign.
    """
    samples, rate = read_flac(recording)
    stereo = samples.reshape(len(samples), -1)
    caller, agent = stereo[:, 0], stereo[:, -1]
    source = _source(recording, stereo, rate, derived) if audio else ""
    return Sound(len(stereo) / rate, _peaks(caller, rate), _peaks(agent, rate), source)


def _peaks(samples: NDArray[np.int16], rate: int) -> list[int]:
    width = rate // COLUMNS_A_SECOND
    padded = np.pad(np.abs(samples.astype(np.int32)), (0, -len(samples) % width))
    peaks = padded.reshape(-1, width).max(axis=1)
    return [int(value) for value in np.minimum(99, peaks * 100 // 32768)]


def _source(recording: Path, stereo: NDArray[np.int16], rate: int, derived: Path) -> str:
    # Encoding is most of the work of a report, and the recording of a call never changes.
    call_id = recording.parent.name
    kept = derived / f"{call_id}.{file_stamp(recording).sha256[:16]}.opus"
    try:
        encoded = kept.read_bytes()
    except OSError:
        encoded = _opus(stereo, rate)
        with suppress(OSError):  # a run on a read-only disk still gets its page
            _keep(kept, call_id, encoded)
    return "data:audio/ogg;base64," + base64.b64encode(encoded).decode("ascii")


def _keep(kept: Path, call_id: str, encoded: bytes) -> None:
    """Whole or not at all, and in place of what was kept of an earlier recording of the call."""
    kept.parent.mkdir(exist_ok=True)
    temporary = kept.with_name(f".{kept.name}.{os.getpid()}")
    try:
        temporary.write_bytes(encoded)
        temporary.replace(kept)
    finally:
        temporary.unlink(missing_ok=True)
    for other in kept.parent.glob(f"{call_id}.*.opus"):
        if other != kept:
            other.unlink(missing_ok=True)


def _opus(stereo: NDArray[np.int16], rate: int) -> bytes:
    buffer = io.BytesIO()
    # libsndfile's Ogg encoders keep a write on the stack: one long write can overrun it.
    with soundfile.SoundFile(buffer, "w", rate, stereo.shape[1], format="OGG", subtype="OPUS") as file:
        for start in range(0, len(stereo), rate):
            file.write(stereo[start : start + rate])
    return buffer.getvalue()
