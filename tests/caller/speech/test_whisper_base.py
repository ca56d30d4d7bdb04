"""Joining the base model's halves: once, whole, by several processes at a time."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from offhook.speech import SpeechUnavailable
from offhook_caller.speech.whisper_base import WHISPER_BASE_SHA256, whisper_base_folder

pytestmark = pytest.mark.speech

JOIN = (
    "from offhook.caches import cache_root\n"
    "from offhook_caller.speech.whisper_base import whisper_base_folder\n"
    "folder = whisper_base_folder(cache_root())\n"
    "print(folder, (folder / 'model.bin').stat().st_ino)\n"
)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_processes_starting_together_join_once(tmp_path: Path) -> None:
    environment = {**os.environ, "OFFHOOK_CACHE": str(tmp_path)}
    started = [
        subprocess.Popen([sys.executable, "-c", JOIN], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = {process.communicate()[0] for process in started}
    assert [process.returncode for process in started] == [0, 0, 0]
    assert len(answers) == 1, "all must see one and the same file"
    folder = whisper_base_folder(tmp_path)
    assert _sha256(folder / "model.bin") == WHISPER_BASE_SHA256
    assert WHISPER_BASE_SHA256.startswith("d01c3014881c")
    assert {path.name for path in folder.iterdir()} == {
        "config.json",
        "model.bin",
        "tokenizer.json",
        "vocabulary.txt",
    }
    assert not list(folder.parent.glob("*.joining"))


def test_a_damaged_or_half_made_copy_is_joined_anew(tmp_path: Path) -> None:
    folder = whisper_base_folder(tmp_path)
    with (folder / "model.bin").open("r+b") as stream:
        stream.truncate(1000)
    (folder.parent / f"{folder.name}.joining").mkdir()
    assert whisper_base_folder(tmp_path) == folder
    assert _sha256(folder / "model.bin") == WHISPER_BASE_SHA256
    assert not list(folder.parent.glob("*.joining"))


def test_a_cache_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SpeechUnavailable, match="free 150 MB there, or set OFFHOOK_CACHE"):
        whisper_base_folder(tmp_path / "file")
