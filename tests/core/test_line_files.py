"""Recordings on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from offhook._tape import Tape
from offhook.audio import FRAME_SAMPLES
from offhook.line import AudioFileError, read_flac, write_flac


def _stereo(count: int = 30_000) -> np.ndarray:
    return np.random.default_rng(3).normal(0, 3000, (count, 2)).astype(np.int16)


@pytest.mark.parametrize("samples", [_stereo(), _stereo()[:, 0].copy(), _stereo(1)])
def test_what_is_written_is_read_back(tmp_path: Path, samples: np.ndarray) -> None:
    write_flac(tmp_path / "a.flac", samples, 24_000)
    read, rate = read_flac(tmp_path / "a.flac")
    assert rate == 24_000
    assert read.dtype == np.int16
    assert np.array_equal(read, samples)


def test_equal_samples_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.flac", "b.flac"):
        write_flac(tmp_path / name, _stereo(), 24_000)
    assert (tmp_path / "a.flac").read_bytes() == (tmp_path / "b.flac").read_bytes()


@pytest.mark.parametrize("keep", [0, 3, 20, 60, 1000, 0.5, 0.9, -1])
def test_a_truncated_file_is_named_in_one_line(tmp_path: Path, keep: float) -> None:
    path = tmp_path / "cut.flac"
    write_flac(path, _stereo(), 24_000)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(keep * len(whole)) if isinstance(keep, float) else keep])
    with pytest.raises(AudioFileError) as caught:
        read_flac(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.flac"
    write_flac(path, _stereo(), 24_000)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 500] = bytes(500)
    path.write_bytes(content)
    with pytest.raises(AudioFileError, match="truncated or damaged"):
        read_flac(path)


@pytest.mark.parametrize("kind", ["text", "wav", "deep", "missing", "folder"])
def test_a_foreign_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "foreign.flac"
    expected = "not a FLAC file"
    if kind == "text":
        path.write_text("not sound at all\n" * 100)
    elif kind == "wav":
        soundfile.write(path, _stereo(), 24_000, format="WAV")
    elif kind == "deep":
        soundfile.write(path, _stereo(), 24_000, format="FLAC", subtype="PCM_24")
        expected = "not a 16-bit FLAC file but PCM_24"
    elif kind == "folder":
        path.mkdir()
        expected = "can't be read: Is a directory"
    else:
        expected = "can't be read: No such file or directory"
    with pytest.raises(AudioFileError, match=expected) as caught:
        read_flac(path)
    assert str(caught.value).startswith(str(path))


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(AudioFileError, match=r"missing/a\.flac: can't be written: No such file"):
        write_flac(tmp_path / "missing" / "a.flac", _stereo(), 24_000)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_in_one_line() -> None:
    with pytest.raises(AudioFileError, match=r"^/dev/full: can't be written: No space left on device$"):
        write_flac("/dev/full", _stereo(), 24_000)


@pytest.mark.parametrize(
    "samples", [np.zeros(10, dtype=np.float32), np.zeros((2, 2, 2), np.int16), _stereo(0)]
)
def test_only_16_bit_sound_is_written(tmp_path: Path, samples: np.ndarray) -> None:
    with pytest.raises(ValueError, match="samples must be int16"):
        write_flac(tmp_path / "a.flac", samples, 24_000)
    assert not (tmp_path / "a.flac").exists()


def test_a_tape_keeps_frames_where_they_belong() -> None:
    tape = Tape()
    places = [0, 3, 499, 500, 1203]
    for place in places:
        tape.write(place, np.full(FRAME_SAMPLES, place + 1, dtype=np.int16))
    read = tape.samples(1300).reshape(-1, FRAME_SAMPLES)
    assert [index for index in range(1300) if read[index].any()] == places
    assert all((read[place] == place + 1).all() for place in places)
    assert len(tape.samples(4)) == 4 * FRAME_SAMPLES
