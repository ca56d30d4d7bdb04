"""Seed images: a pack's schema and seed built once into a database file that every call starts from a copy
of."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from filelock import FileLock

from offhook.packs import Pack
from offhook.toolserver._digest import pack_digest

__all__ = ["SeedError", "SeedImages", "pack_digest"]


class SeedError(Exception):
    """A pack's schema or seed does not make a database. The message names the pack and what SQLite said."""


class SeedImages:
    """Built seed images in ``folder``, shared safely by processes.

    A file is named by the pack's name, version and content, so a changed pack never starts from an old image.
    Its SHA-256 lies beside it: a file that was damaged or altered since it was built is built again.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: list[tuple[Pack, Path]] = []

    def image(self, pack: Pack) -> Path:
        """The pack's seed image, built if it is not there yet or not as it was built (which is looked at the
        first time it is asked for). The file is read-only; copy it with ``copy_image``.

        Raises:
            SeedError: the schema or the seed fails, or leaves rows that break a foreign key.
            OSError: the folder can't be written.
        """
        for known, path in self._known:
            if known is pack and path.exists():
                return path
        path = self._folder / f"{pack.name}-{pack.version}-{pack_digest(pack)[:16]}.sqlite"
        self._folder.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock")):
            if not _is_whole(path):
                _build(pack, path)
        self._known.append((pack, path))
        return path


def copy_image(image: Path, target: Path) -> None:
    """Makes a call's own writable database. An incomplete copy (full disk) is removed before the error goes
    on.

    Raises:
        OSError: the copy failed.
    """
    try:
        shutil.copyfile(image, target)
    except OSError:
        target.unlink(missing_ok=True)
        raise


def _build(pack: Pack, path: Path) -> None:
    unfinished = path.with_suffix(".building")
    unfinished.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(unfinished)) as db:
            _fill(pack, db)
        _write_sum(unfinished, path.with_suffix(".sha256"))
        unfinished.chmod(0o444)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def _is_whole(path: Path) -> bool:
    try:
        return path.with_suffix(".sha256").read_bytes() == _sum(path)
    except FileNotFoundError:
        return False


def _sum(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest().encode()


def _write_sum(image: Path, target: Path) -> None:
    """Puts image and sum on the disk, before the image gets its name: one that is in place has its sum."""
    with image.open("rb+") as file:
        os.fsync(file.fileno())
    with target.open("wb") as file:
        file.write(_sum(image))
        file.flush()
        os.fsync(file.fileno())


def _fill(pack: Pack, db: sqlite3.Connection) -> None:
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA synchronous=OFF")
    db.execute("PRAGMA journal_mode=MEMORY")
    db.execute("PRAGMA foreign_keys=ON")
    try:
        db.executescript(pack.schema)
        pack.seed(db)
        db.commit()
        broken = db.execute("PRAGMA foreign_key_check").fetchone()
        if broken is not None:
            raise SeedError(
                f"pack {pack.name}: the seed leaves a row of {broken[0]} that refers to no {broken[2]}"
            )
        # One file in rollback mode, pages in order and nothing left over from building: equal packs, equal
        # bytes.
        db.execute("PRAGMA journal_mode=DELETE")
        db.execute("VACUUM")
    except SeedError:
        raise
    except (Exception, SystemExit) as error:
        raise SeedError(
            f"pack {pack.name}: schema or seed failed: {type(error).__name__}: {error}"
        ) from error
