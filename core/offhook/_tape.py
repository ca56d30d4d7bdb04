"""Tapes that are written frame by frame, and the FLAC files they end up in."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any, Final

import numpy as np
import soundfile
from numpy.typing import NDArray

from offhook.audio import FRAME_SAMPLES, Samples

__all__ = ["AudioFileError", "Tape", "read_flac", "write_flac"]

# Ten seconds. Blocks rather than one growing array: nothing is ever copied, and the memory of a stretch in
# which nobody speaks is never touched.
_BLOCK_FRAMES: Final = 500


class AudioFileError(Exception):
    """A recording can't be read or written; the message is one line that names the file."""


class Tape:
    """A mono recording, silent until written: frame ``k`` is samples ``k * 480`` to ``(k + 1) * 480``."""

    def __init__(self) -> None:
        self._blocks: list[Samples] = []

    def write(self, index: int, frame: Samples) -> None:
        """Puts one frame in its place."""
        block, place = divmod(index, _BLOCK_FRAMES)
        while block >= len(self._blocks):
            self._blocks.append(np.zeros(_BLOCK_FRAMES * FRAME_SAMPLES, dtype=np.int16))
        start = place * FRAME_SAMPLES
        self._blocks[block][start : start + FRAME_SAMPLES] = frame

    def samples(self, frames: int) -> Samples:
        """The first ``frames`` frames as one array."""
        tape = np.zeros(frames * FRAME_SAMPLES, dtype=np.int16)
        size = _BLOCK_FRAMES * FRAME_SAMPLES
        for number, block in enumerate(self._blocks):
            part = tape[number * size : (number + 1) * size]
            part[:] = block[: len(part)]
        return tape


def write_flac(path: str | os.PathLike[str], samples: NDArray[np.int16], rate: int) -> None:
    """Writes ``int16`` samples, ``(n,)`` or ``(n, channels)`` with ``n >= 1``; equal samples, equal bytes.

    Raises:
        AudioFileError: the file can't be written.
        ValueError: samples of another type or shape, or none.
    """
    if samples.dtype != np.int16 or samples.ndim not in (1, 2) or len(samples) == 0:
        raise ValueError(
            "samples must be int16 of shape (n,) or (n, channels) with n >= 1, "
            f"got {samples.dtype} of shape {samples.shape}"
        )
    encoded = io.BytesIO()
    soundfile.write(encoded, samples, rate, format="FLAC", subtype="PCM_16")
    try:
        Path(path).write_bytes(encoded.getbuffer())
    except OSError as error:
        raise AudioFileError(f"{os.fspath(path)}: can't be written: {error.strerror}") from error


def read_flac(path: str | os.PathLike[str]) -> tuple[NDArray[np.int16], int]:
    """The samples, ``int16`` of shape ``(n,)`` or ``(n, channels)``, and the rate of a 16-bit FLAC file.

    Raises:
        AudioFileError: the file is missing, isn't 16-bit FLAC, or is truncated or damaged.
    """
    name = os.fspath(path)
    try:
        encoded = Path(path).read_bytes()
    except OSError as error:
        raise AudioFileError(f"{name}: can't be read: {error.strerror}") from error
    if not encoded.startswith(b"fLaC"):
        raise AudioFileError(f"{name}: not a FLAC file")
    try:
        with soundfile.SoundFile(io.BytesIO(encoded)) as file:
            if file.subtype != "PCM_16":
                raise AudioFileError(f"{name}: not a 16-bit FLAC file but {file.subtype}")
            promised, rate = file.frames, int(file.samplerate)
            samples: NDArray[Any] = file.read(dtype="int16")
    except soundfile.SoundFileError as error:
        raise AudioFileError(f"{name}: truncated or damaged: the FLAC decoder gave up") from error
    if len(samples) != promised:
        raise AudioFileError(f"{name}: truncated: {len(samples)} of {promised} samples are there")
    return samples, rate
