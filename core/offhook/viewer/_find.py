"""Which runs lie under a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from offhook.storage import clean_text

__all__ = ["FoundRun", "find_runs"]

_LEVELS: Final = 2  # runs/NAME and runs/SUITE/NAME
_MARKS: Final = {"run.json": "run", "drills.json": "drills"}


@attrs.frozen
class FoundRun:
    """``name`` is the path below the folder that was looked through, with slashes; ``kind`` is ``run`` or
    ``drills``.
    """

    name: str
    path: Path
    kind: str


def find_runs(root: Path) -> tuple[FoundRun, ...]:
    """The runs in ``root`` and up to two levels below it, sorted by name; nothing below a run is looked at.

    A folder that can't be read holds no run. ``root`` itself may be one: its name is then its own.
    """
    own = _kind(root)
    if own:
        return (FoundRun(clean_text(root.resolve().name), root, own),)
    return tuple(sorted(_below(root, root, _LEVELS), key=lambda found: found.name))


def _below(root: Path, folder: Path, levels: int) -> Iterator[FoundRun]:
    try:
        entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".") and entry.is_dir()]
    except OSError:
        return
    for entry in entries:
        kind = _kind(entry)
        if kind:
            yield FoundRun(clean_text(entry.relative_to(root).as_posix()), entry, kind)
        elif levels > 1:
            yield from _below(root, entry, levels - 1)


def _kind(folder: Path) -> str:
    for mark, kind in _MARKS.items():
        try:
            if (folder / mark).is_file():
                return kind
        except OSError:
            return ""
    return ""
