"""One call on the real tool server, for tests of any pack's tools."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import attrs

from offhook.toolserver import ToolServer

__all__ = ["ToolLine"]


@attrs.frozen
class ToolLine:
    """``ok`` and ``refused`` say what a tool must answer. A pack's own line names the tables whose rows
    count, and a request that changes nothing, which makes the call's database.
    """

    written: ClassVar[tuple[str, ...]] = ()
    harmless: ClassVar[tuple[str, Mapping[str, str]]] = ("", {})

    server: ToolServer
    state: Path

    def use(self, tool: str, **arguments: Any) -> tuple[int, Mapping[str, Any]]:
        result = asyncio.run(self.server.call("call", "token", tool, arguments))
        return result.status, result.body

    def ok(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        status, body = self.use(tool, **arguments)
        assert status == 200, body
        return body

    def refused(self, tool: str, **arguments: Any) -> str:
        """The refusal's code; fails if anything that counts has been written, or nothing is said."""
        before = self.rows()
        status, body = self.use(tool, **arguments)
        assert 400 <= status < 500, body
        assert self.rows() == before
        assert body["error"]["message"]
        return str(body["error"]["code"])

    def rows(self) -> Mapping[str, list[tuple[Any, ...]]]:
        """All rows a tool may write, gate state aside."""
        return {table: sorted(self.ask(f"SELECT * FROM {table}"), key=repr) for table in self.written}

    def ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of the call's own database."""
        self._begin()
        with closing(sqlite3.connect(self.state)) as db:
            return db.execute(sql, values).fetchall()

    def edit(self, sql: str, *values: object) -> None:
        """Changes the call's own database, for what no seed row shows."""
        self._begin()
        with closing(sqlite3.connect(self.state)) as db:
            db.execute(sql, values)
            db.commit()

    def _begin(self) -> None:
        if not self.state.exists():  # the first request makes the file
            tool, arguments = self.harmless
            self.use(tool, **arguments)
