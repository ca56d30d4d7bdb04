"""Calls that were in flight when their process was killed. They left no record, yet the platform may charge
for them, so a spending cap counts them on ``--resume``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from offhook.storage import RunFolder

__all__ = ["dropped_calls", "note_dropped"]

_NOTE: Final = "dropped-"


def dropped_calls(folder: RunFolder) -> int:
    """How many calls of a run that nobody carries out at the moment were dropped so far."""
    return sum(1 for _ in _left(folder)) + sum(1 for _ in (folder.path / "failures").glob(f"{_NOTE}*.txt"))


def note_dropped(folder: RunFolder) -> None:
    """Keeps a line under ``failures/`` for each call whose scratch folder a dying process left, before that
    is swept away. Call it only while holding the run's lock.

    Raises:
        StorageError: the disk refuses.
    """
    for scratch in _left(folder):
        name = scratch.name.lstrip(".")
        folder.note_failure(f"{_NOTE}{name}", "The call was in flight when its process was killed.\n")


def _left(folder: RunFolder) -> Iterator[Path]:
    return (folder.path / "calls").glob(".*")
