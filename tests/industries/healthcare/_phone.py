"""One call on the real tool server."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs

from offhook.packs import TableRole
from offhook.toolserver import ToolServer
from offhook_industries.healthcare.tables import pack_tables

__all__ = ["Phone"]


@attrs.frozen
class Phone:
    """One call on the real tool server."""

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
        """All rows of tables that tools may write, gate state aside."""
        self._begin()
        names = [table.name for table in pack_tables() if table.role in (TableRole.WRITE, TableRole.LOG)]
        names += ["payment_links", "portal_invites", "committed_visits"]
        with closing(sqlite3.connect(self.state)) as db:
            return {name: db.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall() for name in names}

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
            self.use("quote_cosmetic_service", service="botox")

    def verify(self, full_name: str, date_of_birth: str, **more: str) -> str:
        return str(
            self.ok("verify_identity", full_name=full_name, date_of_birth=date_of_birth, **more)["patient_id"]
        )

    def first_slot(self, location_id: str, visit_type: str, **more: str) -> str:
        found = self.ok("find_slots", location_id=location_id, visit_type=visit_type, **more)
        return str(found["first_slot"]["slot_id"])
