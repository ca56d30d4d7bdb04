"""Stereo recordings of other people's calls, in whatever form they come: wav, flac, ogg, mp3 and all else
that libsndfile reads. What can't be measured is refused here, in one line that says what to do."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import Samples

__all__ = ["LEAST_RATE", "RecordingError", "Stereo", "read_stereo"]

LEAST_RATE: Final = 8000

_MOST_RATE: Final = 48_000  # a higher one is brought to this
_BLOCK_S: Final = 30
_ALIKE: Final = 0.999
_MOST_PEAK: Final = 4.0  # times full scale: 12 dB of clipping is an overdriven export, more is another unit
_OGG_END_OF_STREAM: Final = 0x04
_STREAMED: Final = (0, 0x7FFFFFFF, 0xFFFFFFFF)  # sizes that a wav has which was written into a pipe


class RecordingError(ValueError):
    """A file can't be measured; the message is one line that names it."""


@attrs.frozen(eq=False)
class Stereo:
    """Both sides of a call, ``int16`` of shape ``(n,)`` each."""

    caller: Samples
    agent: Samples
    rate: int

    @property
    def seconds(self) -> float:
        return len(self.caller) / self.rate


def read_stereo(path: Path, *, swap: bool = False) -> Stereo:
    """Reads a recording whose left channel is the caller (with ``swap`` the right one).

    Raises:
        RecordingError: not an audio file, not two channels, below 8 kHz, empty, truncated, with samples that
            are no numbers or far beyond full scale, or the same sound on both channels.
    """
    import soundfile

    if not path.is_file():
        raise RecordingError(f"{path}: {_what_it_is(path)}")
    try:
        if path.stat().st_size == 0:
            raise RecordingError(f"{path}: the file is empty")
        with soundfile.SoundFile(_named(path)) as file:
            rate, promised = int(file.samplerate), int(file.frames)
            _check_form(path, int(file.channels), rate, promised)
            blocks, read = _blocks(path, file, rate)
    except soundfile.LibsndfileError as error:
        raise RecordingError(
            f"{path}: can't be read as audio ({str(error.error_string).strip(' .')})"
        ) from error
    except (OSError, RuntimeError) as error:
        raise RecordingError(f"{path}: can't be read: {error}") from error
    if read < promised or _cut_short(path):
        raise RecordingError(f"{path}: truncated after {read / rate:.2f} s; fetch the whole file")
    if _alike(blocks):
        raise RecordingError(
            f"{path}: both channels hold the same sound; a recording with caller and agent apart is needed"
        )
    caller, agent = (_at_most(np.concatenate([block[:, side] for block in blocks]), rate) for side in (0, 1))
    if swap:
        caller, agent = agent, caller
    return Stereo(caller, agent, min(rate, _MOST_RATE))


def _what_it_is(path: Path) -> str:
    if path.is_dir():
        return "is a folder"
    return "is no file but a pipe or device; save it as a file" if path.exists() else "no such file"


def _named(path: Path) -> Path | bytes:
    """What soundfile is to open: it takes a name whose bytes are no UTF-8 as bytes alone."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return path


def _check_form(path: Path, channels: int, rate: int, frames: int) -> None:
    if channels == 1:
        raise RecordingError(f"{path}: is mono; caller and agent must be on channels of their own")
    if channels != 2:
        raise RecordingError(f"{path}: has {channels} channels; bring it to two, caller left and agent right")
    if rate < LEAST_RATE:
        raise RecordingError(f"{path}: {rate} Hz is too low; at least {LEAST_RATE} Hz are needed")
    if frames == 0:
        raise RecordingError(f"{path}: holds no sound at all (0 samples)")


def _blocks(path: Path, file: Any, rate: int) -> tuple[list[NDArray[np.int16]], int]:
    """The samples in 16 bits, block by block, so that an hour in floats is never held at once."""
    blocks: list[NDArray[np.int16]] = []
    read = 0
    while len(block := file.read(_BLOCK_S * rate, dtype="float32", always_2d=True)):
        wrong = np.argwhere(~np.isfinite(block))
        if len(wrong):
            at, channel = wrong[0]
            raise RecordingError(
                f"{path}: the sample at {(read + at) / rate:.3f} s of the {('left', 'right')[channel]} "
                "channel is not a number; export the recording again"
            )
        if (peak := float(np.max(np.abs(block)))) > _MOST_PEAK:
            raise RecordingError(
                f"{path}: holds samples of up to {peak:.4g}, where 1.0 is full scale; export the recording "
                "again, scaled to full scale"
            )
        blocks.append(np.clip(np.rint(block * 32768.0), -32768, 32767).astype(np.int16))
        read += len(block)
    if not blocks:
        raise RecordingError(f"{path}: holds no sound at all (0 samples)")
    return blocks, read


def _at_most(samples: Samples, rate: int) -> Samples:
    if rate <= _MOST_RATE:
        return samples
    from offhook.audio import Clip

    return Clip(samples, rate).at_rate(_MOST_RATE).samples


def _alike(blocks: Sequence[NDArray[np.int16]]) -> bool:
    """Whether one channel is a louder or softer copy of the other."""
    sums = np.zeros((2, 2))
    for block in blocks:
        values = block.astype(np.float64)
        values -= values.mean(axis=0)
        sums += values.T @ values
    power = float(sums[0, 0] * sums[1, 1])
    return power > 0 and abs(float(sums[0, 1])) / power**0.5 > _ALIKE


def _cut_short(path: Path) -> bool:
    """Whether a wav holds less than its header says, or an ogg lacks its last page: libsndfile reads either
    without a word."""
    with path.open("rb") as file:
        head = file.read(12)
        if head[:4] == b"RIFF" and head[8:] == b"WAVE":
            return _wav_cut_short(file, path.stat().st_size)
        if head[:4] == b"OggS":
            file.seek(max(0, path.stat().st_size - 65_536))
            tail = file.read()
            page = tail.rfind(b"OggS")
            return page < 0 or len(tail) < page + 27 or not tail[page + 5] & _OGG_END_OF_STREAM
    return False


def _wav_cut_short(file: Any, size: int) -> bool:
    while len(header := file.read(8)) == 8:
        name, length = struct.unpack("<4sI", header)
        if name == b"data":
            return length not in _STREAMED and bool(file.tell() + length > size)
        file.seek(length + length % 2, 1)
    return True
