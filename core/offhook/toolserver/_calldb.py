"""One call's own database: a tool runs on it inside one transaction, or leaves no trace.

Everything here is synchronous and knows nothing of HTTP, so the server and the replay share it.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.packs import Pack, TableRole, Tool, ToolRefusal
from offhook.toolserver._arguments import validate_arguments
from offhook.toolserver._images import copy_image
from offhook.toolserver._json import plain_object, refusal_body

__all__ = ["Answer", "CallDatabase"]

log: Final = logging.getLogger("offhook.toolserver")

INTERNAL: Final = refusal_body("internal_error", "the tool failed; nothing was changed")
READS: Final = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
        sqlite3.SQLITE_SAVEPOINT,
    }
)
# Equal calls must leave equal rows: ids come from ``new_id`` and the time from ``now``.
UNREPEATABLE: Final = frozenset({"random", "randomblob", "current_date", "current_time", "current_timestamp"})
WRITES: Final = frozenset({sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE})


@attrs.frozen
class Answer:
    """What a request comes to. ``code`` is empty when it was accepted; ``canonical`` is empty when the
    arguments were invalid; ``fault`` tells the pack's author what broke and reaches no platform."""

    status: int
    body: Mapping[str, Any]
    code: str = ""
    canonical: Mapping[str, Any] = attrs.field(factory=dict)
    fault: str = ""


@attrs.define
class _Context:
    """What a tool function may touch, for the length of one request."""

    db: sqlite3.Connection
    now: datetime
    _seed: str
    _drawn: int = 0

    def new_id(self, prefix: str) -> str:
        self._drawn += 1
        text = f"{self._seed}\x1f{prefix}\x1f{self._drawn}"
        return f"{prefix}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


class CallDatabase:
    """A copy of the seed image at ``path`` and the transactions of one call on it. A tool that breaks is
    logged where ``logs``; a replay tells it by its error.

    Raises:
        OSError: the copy can't be made.
    """

    def __init__(self, pack: Pack, image: Path, path: Path, call_id: str, *, logs: bool = True) -> None:
        self._pack = pack
        self._logs = logs
        self._call_id = call_id
        self._roles = {table.name: table.role for table in pack.tables}
        self._session = tuple(table.name for table in pack.tables if table.role is TableRole.SESSION)
        self._tool_runs = False
        copy_image(image, path)
        # Tools may run in a worker thread; the server lets in one at a time.
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.row_factory = sqlite3.Row
        self._db.execute("PRAGMA foreign_keys=ON")
        # The file is whole between requests and never has a journal beside it. A call whose process dies is
        # placed anew, so nothing waits for the disk. Freed space is overwritten: equal calls leave equal
        # bytes.
        self._db.execute("PRAGMA journal_mode=MEMORY")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.execute("PRAGMA secure_delete=ON")
        self._db.set_authorizer(self._authorize)

    def run(self, tool: Tool, arguments: Mapping[str, Any], index: int) -> Answer:
        """Validates, runs and commits, or rolls back; a refusal keeps the session tables. ``index`` is the
        request's place in the call, from which ids are drawn.

        Never raises for anything the arguments or the tool do: a refusal is an answer, and so is a tool's
        defect (500, logged).
        """
        try:
            clean = validate_arguments(tool, arguments)
        except ToolRefusal as refusal:
            return _refused(refusal, {})
        context = _Context(self._db, self._pack.now, f"{self._call_id}\x1f{index}")
        try:
            self._db.execute("BEGIN IMMEDIATE")
            body = self._run_guarded(tool, context, clean)
            self._db.commit()
        except ToolRefusal as refusal:
            try:
                self._refuse()
            except sqlite3.Error as error:
                return self._broken(tool, error, clean)
            return self._checked(tool, refusal, clean)
        except (Exception, SystemExit) as error:
            return self._broken(tool, error, clean)
        return Answer(200, body, "", clean)

    def close(self) -> None:
        self._db.close()

    def _run_guarded(self, tool: Tool, context: _Context, clean: Mapping[str, Any]) -> Mapping[str, Any]:
        self._tool_runs = True
        try:
            body = tool.run(context, dict(clean))
        finally:
            self._tool_runs = False
        if not isinstance(body, Mapping):
            raise TypeError(f"tool {tool.name} must return a mapping, got {type(body).__name__}")
        if not self._db.in_transaction:
            raise RuntimeError(
                f"tool {tool.name} ended the server's transaction (OR ROLLBACK does that; use OR ABORT)"
            )
        return plain_object(body)  # what can't be answered must not be committed

    def _broken(self, tool: Tool, error: BaseException, clean: Mapping[str, Any]) -> Answer:
        with suppress(sqlite3.ProgrammingError):  # a tool may have closed it: nothing was committed then
            self._db.rollback()
        if self._logs:
            log.error("tool %s failed; rolled back", tool.name, exc_info=error)
        return Answer(500, INTERNAL, "internal_error", clean, f"{type(error).__name__}: {error}")

    def _refuse(self) -> None:
        """Undoes what a refused tool wrote, except in the session tables: a gate counts failed attempts,
        and a count that a refusal undid would never reach its limit.
        """
        kept = {name: self._rows(name) for name in self._session}
        self._db.rollback()
        changed = {name: rows for name, rows in kept.items() if rows != self._rows(name)}
        if not changed:
            return
        self._db.execute("BEGIN IMMEDIATE")
        for name, rows in changed.items():
            self._db.execute(f'DELETE FROM "{name}"')
            for row in rows:
                self._db.execute(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(row))})', row)
        self._db.commit()

    def _rows(self, table: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._db.execute(f'SELECT * FROM "{table}" ORDER BY 1')]

    def _checked(self, tool: Tool, refusal: ToolRefusal, clean: Mapping[str, Any]) -> Answer:
        if 400 <= refusal.status < 500:
            return _refused(refusal, clean)
        fault = f"refused with status {refusal.status}; a refusal's status is 4xx"
        if self._logs:
            log.error("tool %s %s", tool.name, fault)
        return Answer(500, INTERNAL, "internal_error", clean, fault)

    def _authorize(
        self, action: int, first: str | None, second: str | None, database: str | None, trigger: str | None
    ) -> int:
        """SQLite asks before it compiles a statement: a tool reads all, writes what the pack declares
        writable, and leaves transactions, schema, other files and settings alone."""
        if not self._tool_runs:
            return sqlite3.SQLITE_OK
        if action in WRITES:
            allowed = self._roles.get(first or "", TableRole.REFERENCE) is not TableRole.REFERENCE
        else:
            allowed = action in READS and not (action == sqlite3.SQLITE_FUNCTION and second in UNREPEATABLE)
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _refused(refusal: ToolRefusal, clean: Mapping[str, Any]) -> Answer:
    body = refusal_body(refusal.code, refusal.message, refusal.field)
    return Answer(refusal.status, body, refusal.code, clean)
