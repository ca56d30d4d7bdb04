"""What commands write where the user wants it, and what they show of words that came from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from offhook.storage import RunFolder

__all__ = ["refuse_evidence", "shown", "write_page"]

_EVIDENCE: Final = ("run.json", "flags.json", "calls", "grades", "measurements", "reviews")


def write_page(path: Path, text: str) -> None:
    """Writes a page whole, into a folder that is made if need be.

    Raises:
        StorageError: the disk refuses.
    """
    from offhook.storage import StorageError, write_text

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from error


def refuse_evidence(path: Path | None, folders: Iterable[RunFolder]) -> None:
    """Keeps a slip in a file's name from writing over what a run is made of.

    Raises:
        UsageError: the path is a part of one of the runs.
    """
    if path is None:
        return
    for folder in folders:
        found, run = path.resolve(), folder.path.resolve()
        if any(found.is_relative_to(run / name) for name in _EVIDENCE):
            raise click.UsageError(
                f"{path} is a part of the run; name another file", click.get_current_context()
            )


def shown(text: str) -> str:
    """Somebody's words on one line of a terminal, without the characters that would steer it."""
    flat = " ".join(text.split())
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in flat
    )
