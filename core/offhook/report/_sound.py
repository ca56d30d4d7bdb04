"""What a page needs of a recording: an outline to draw and a small file to play."""

from __future__ import annotations

import base64
import io
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs
import numpy as np
import soundfile
from numpy.typing import NDArray

from offhook.line import AudioFileError, read_flac
from offhook.storage import file_stamp

__all__ = ["COLUMNS_A_SECOND", "Sound", "embedded_sound", "is_inside", "opus", "sound_file", "sound_of"]

COLUMNS_A_SECOND: Final = 20


@attrs.frozen
class Sound:
    """``caller`` and ``agent`` are peaks in 0..99, ``COLUMNS_A_SECOND`` a second; ``source`` is an address, a
    data URI or empty.
    """

    seconds: float
    caller: list[int]
    agent: list[int]
    source: str


def sound_of(recording: Path, source: str) -> Sound:
    """Reads a stereo recording (caller left, agent right).

    Args:
        source: where a page finds the sound; empty for none.

    Raises:
        AudioFileError: the file is missing, damaged or foreign.
    """
    stereo, rate = _read(recording)
    return Sound(len(stereo) / rate, _peaks(stereo[:, 0], rate), _peaks(stereo[:, -1], rate), source)


def embedded_sound(recording: Path, derived: Path) -> str:
    """The recording as a data URI of Opus.

    Args:
        derived: where the encoded sound is kept, as ``<call id>.<hash of the recording>.opus``. It may be
            deleted at any time: what is missing is encoded again.

    Raises:
        AudioFileError: the file is missing, damaged or foreign.
    """
    kept = _place(recording, derived)
    try:
        if not is_inside(kept, derived.parent):
            raise PermissionError(f"{kept} leads elsewhere")
        encoded = kept.read_bytes()
    except OSError:
        encoded = opus(*_read(recording))
        with suppress(OSError):  # a run on a read-only disk still gets its page
            _keep(kept, recording.parent.name, encoded)
    return "data:audio/ogg;base64," + base64.b64encode(encoded).decode("ascii")


def sound_file(recording: Path, derived: Path) -> Path:
    """The recording as a file of Opus in ``derived``, made if it is not there yet.

    Raises:
        AudioFileError: the recording is missing, damaged or foreign.
        OSError: ``derived`` can't be written, or lies elsewhere than it seems to.
    """
    kept = _place(recording, derived)
    if not (kept.is_file() and is_inside(kept, derived.parent)):
        _keep(kept, recording.parent.name, opus(*_read(recording)))
    return kept


def is_inside(path: Path, folder: Path) -> bool:
    """Whether a path stays in a folder once all links are followed. A run that somebody else made may hold
    links to files that are nobody's business.
    """
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links in a circle
        return False


def _read(recording: Path) -> tuple[NDArray[np.int16], int]:
    samples, rate = read_flac(recording)
    return samples.reshape(len(samples), -1), rate


def _place(recording: Path, derived: Path) -> Path:
    # Encoding is most of the work of a report, and the recording of a call never changes.
    try:
        stamp = file_stamp(recording).sha256
    except OSError as error:
        raise AudioFileError(f"cannot read {recording}: {error.strerror or error}") from error
    return derived / f"{recording.parent.name}.{stamp[:16]}.opus"


def _peaks(samples: NDArray[np.int16], rate: int) -> list[int]:
    width = rate // COLUMNS_A_SECOND
    padded = np.pad(np.abs(samples.astype(np.int32)), (0, -len(samples) % width))
    peaks = padded.reshape(-1, width).max(axis=1)
    return [int(value) for value in np.minimum(99, peaks * 100 // 32768)]


def _keep(kept: Path, call_id: str, encoded: bytes) -> None:
    """Whole or not at all, and in place of what was kept of an earlier recording of the call."""
    if not is_inside(kept.parent, kept.parent.parent):
        raise PermissionError(f"{kept.parent} leads elsewhere")
    kept.parent.mkdir(parents=True, exist_ok=True)
    temporary = kept.with_name(f".{kept.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        temporary.write_bytes(encoded)
        temporary.replace(kept)
    finally:
        temporary.unlink(missing_ok=True)
    for other in kept.parent.glob(f"{call_id}.*.opus"):
        if other != kept:
            other.unlink(missing_ok=True)


def opus(stereo: NDArray[np.int16], rate: int) -> bytes:
    """Samples of shape ``(n, channels)`` as an Ogg file of Opus."""
    buffer = io.BytesIO()
    # libsndfile's Ogg encoders keep a write on the stack: one long write can overrun it.
    with soundfile.SoundFile(buffer, "w", rate, stereo.shape[1], format="OGG", subtype="OPUS") as file:
        for start in range(0, len(stereo), rate):
            file.write(stereo[start : start + rate])
    return buffer.getvalue()
