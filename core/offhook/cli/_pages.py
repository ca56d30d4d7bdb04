"""Writing a page where the user wants it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["write_page"]


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
