"""A store on disk for results that can be had again: shared by processes, bounded, never a reason to fail."""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs
import filelock

from offhook.caches import cache_root

__all__ = ["DEFAULT_LIMIT_MB", "ResultStore"]

DEFAULT_LIMIT_MB: Final = 2048

_MAGIC: Final = b"offhook-result-1\n"
_DIGEST_BYTES: Final = 32
_MEGABYTE: Final = 1 << 20
_LEFT_AFTER_CLEARING: Final = 0.9
_BYTES_BETWEEN_CHECKS: Final = 64 * _MEGABYTE
_TEMPORARY_PREFIX: Final = ".writing-"
_ABANDONED_SECONDS: Final = 3600.0


@attrs.define(eq=False)
class ResultStore:
    """Bytes by key. ``limit_bytes`` 0 keeps nothing.

    An entry is written beside its place and renamed there, and carries a checksum over key and content: a
    torn, damaged or misplaced entry reads as absent. When the store has outgrown its limit the entries used
    longest ago go first; each process looks after every 64 MB it has written, so the limit may be passed by
    that much for a while. A folder that can't be written, or a full disk, gives one ``RuntimeWarning`` and
    a store that keeps nothing new.
    """

    folder: Path
    limit_bytes: int
    _unchecked: int | None = attrs.field(default=None, init=False)
    _writable: bool = attrs.field(default=True, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    @classmethod
    def from_environment(cls) -> ResultStore:
        """The store in the cache folder; ``OFFHOOK_CACHE_MB`` sets its limit, 0 turns it off.

        Raises:
            ValueError: ``OFFHOOK_CACHE_MB`` is not a whole number of megabytes.
        """
        text = os.environ.get("OFFHOOK_CACHE_MB", str(DEFAULT_LIMIT_MB))
        if not text.strip().isdecimal():
            raise ValueError(f"OFFHOOK_CACHE_MB must be a whole number of megabytes, got {text!r}")
        return cls(cache_root() / "results", int(text) * _MEGABYTE)

    def get(self, key: str) -> bytes | None:
        """The content stored under a key (a hexadecimal digest), or None."""
        if self.limit_bytes == 0:
            return None
        path = self._path(key)
        try:
            entry = path.read_bytes()
        except OSError:
            return None
        start = len(_MAGIC) + _DIGEST_BYTES
        content = entry[start:]
        if entry[:start] != _MAGIC + _checksum(key, content):
            return None
        try:
            os.utime(path)
        except OSError:
            # Read-only folder, or evicted meanwhile: the content is good all the same.
            return content
        return content

    def put(self, key: str, content: bytes) -> None:
        """Stores a content. Never raises for reasons of the disk."""
        if self.limit_bytes == 0 or not self._writable:
            return
        entry = _MAGIC + _checksum(key, content) + content
        try:
            self._write(self._path(key), entry)
            self._clear_if_due(len(entry))
        except OSError as error:
            self._writable = False
            warnings.warn(
                f"the speech cache {self.folder} can't be written ({error.strerror or error}): "
                "going on without it",
                RuntimeWarning,
                stacklevel=2,
            )

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key

    def _write(self, path: Path, entry: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=_TEMPORARY_PREFIX, dir=path.parent)
        try:
            with open(descriptor, "wb") as stream:
                stream.write(entry)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _clear_if_due(self, written: int) -> None:
        with self._lock:
            # The first write of a process looks at once: earlier processes may have left the store full.
            if self._unchecked is not None:
                self._unchecked += written
                if self._unchecked < min(_BYTES_BETWEEN_CHECKS, self.limit_bytes // 8):
                    return
            self._unchecked = 0
        try:
            with filelock.FileLock(self.folder / "clearing.lock", timeout=0):
                self._clear()
        except filelock.Timeout:
            # Another process is clearing.
            return

    def _clear(self) -> None:
        entries = sorted(self._entries())
        total = sum(size for _, size, _ in entries)
        if total <= self.limit_bytes:
            return
        for _, size, path in entries:
            if total <= self.limit_bytes * _LEFT_AFTER_CLEARING:
                return
            path.unlink(missing_ok=True)
            total -= size

    def _entries(self) -> Iterator[tuple[int, int, Path]]:
        """Last use in ns, size and path of each entry; what killed writers left is removed on the way."""
        for path in self.folder.glob("??/*"):
            try:
                stat = path.stat()
                if path.name.startswith(_TEMPORARY_PREFIX):
                    if time.time() - stat.st_mtime > _ABANDONED_SECONDS:
                        path.unlink()
                    continue
            except FileNotFoundError:
                continue
            yield stat.st_mtime_ns, stat.st_size, path


def _checksum(key: str, content: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + content).digest()
