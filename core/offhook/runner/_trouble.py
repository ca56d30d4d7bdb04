"""What the tool server logs while a call is held: kept for the user's bug report instead of shown."""

from __future__ import annotations

import errno
import logging
import sqlite3
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Final, Self

__all__ = ["CallLog"]


# Follows a call into its tasks and threads, so that calls held at once keep their notes apart.
_OF_THIS_CALL: Final[ContextVar[CallLog | None]] = ContextVar("call_log", default=None)


class CallLog(logging.Handler):
    """Collects offhook's own warnings and errors inside its ``with`` block, tracebacks included. What is
    logged on behalf of another call is that call's; what belongs to none is everybody's.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []
        self.disk_error: OSError | None = None
        self._before: Token[CallLog | None] | None = None

    def __enter__(self) -> Self:
        self._before = _OF_THIS_CALL.set(self)
        logging.getLogger("offhook").addHandler(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        logging.getLogger("offhook").removeHandler(self)
        if self._before is not None:
            _OF_THIS_CALL.reset(self._before)

    def emit(self, record: logging.LogRecord) -> None:
        if _OF_THIS_CALL.get() not in (None, self):
            return
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
