"""What the tool server logs while a call is held: kept for the user's bug report instead of shown."""

from __future__ import annotations

import errno
import logging
import sqlite3
from types import TracebackType
from typing import Self

__all__ = ["CallLog"]


class CallLog(logging.Handler):
    """Collects offhook's own warnings and errors inside its ``with`` block, tracebacks included."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []
        self.disk_error: OSError | None = None

    def __enter__(self) -> Self:
        logging.getLogger("offhook").addHandler(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        logging.getLogger("offhook").removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(self.format(record))
        error = record.exc_info[1] if record.exc_info else None
        if self.disk_error is None:
            self.disk_error = _of_the_disk(error)


def _of_the_disk(error: BaseException | None) -> OSError | None:
    """The error if it is the disk's fault. SQLite reports a full disk in its own way."""
    if isinstance(error, sqlite3.Error):
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_FULL":
            return OSError(errno.ENOSPC, "no space left")
        return OSError(errno.EIO, f"SQLite: {error}") if name.startswith("SQLITE_IOERR") else None
    return error if isinstance(error, OSError) else None
