"""One call to the firm's line, on the real tool server."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs

from offhook.packs import Agent, FollowerGuide, Pack, TableRole
from offhook.toolserver import ToolServer
from offhook_industries.legal import policy
from offhook_industries.legal.seed import seed
from offhook_industries.legal.tables import pack_tables
from offhook_industries.legal.tools import all_tools

FOLDER = Path(policy.__file__).parent
WRITTEN = tuple(
    table.name for table in pack_tables() if table.role not in (TableRole.REFERENCE, TableRole.SESSION)
)


def bare_pack() -> Pack:
    """The database and the tools alone: what the guards are about."""
    tools = all_tools()
    return Pack(
        name="legal",
        title="The tools of the legal pack",
        version="1.0.0",
        now=policy.NOW,
        schema=(FOLDER / "schema.sql").read_text(encoding="utf-8"),
        seed=seed,
        tables=pack_tables(),
        tools=tools,
        agent=Agent("Halverson & Reed", "prompt", "greeting", tuple(tool.name for tool in tools)),
        guide=FollowerGuide((), "unclear", "closing", "goodbye", "sorry"),
        tasks=(),
    )


@attrs.frozen
class Line:
    """One call. ``ok`` and ``refused`` say what the tool must answer."""

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
        """The refusal's code; fails if the database is not what it was before."""
        before = self.rows()
        status, body = self.use(tool, **arguments)
        assert 400 <= status < 500, body
        assert self.rows() == before
        assert body["error"]["message"]
        return str(body["error"]["code"])

    def rows(self) -> Mapping[str, list[tuple[Any, ...]]]:
        """All rows a tool may write, gate state aside."""
        return {table: self.all(f"SELECT * FROM {table} ORDER BY 1, 2") for table in WRITTEN}

    def all(self, query: str) -> list[tuple[Any, ...]]:
        if not self.state.exists():  # the first request makes the file
            self.use("check_practice_area", matter_type="tax")
        with closing(sqlite3.connect(self.state)) as db:
            return db.execute(query).fetchall()

    # --- parts of a call ------------------------------------------------------------------------------------

    def admit(self, matter_type: str, state: str, adverse_party: str = "Wickham Bakery") -> None:
        """Conflict, practice area and state, all clear."""
        assert self.ok("check_conflict", adverse_party=adverse_party)["clear"]
        assert self.ok("check_practice_area", matter_type=matter_type)["handled"]
        assert self.ok("check_jurisdiction", matter_type=matter_type, state=state)["licensed"]

    def hold(self, matter_type: str, place: int = 0) -> Mapping[str, Any]:
        """A hold on one of the offered times."""
        slots = self.ok("find_evaluation_slots", matter_type=matter_type)["slots"]
        return self.ok("hold_evaluation", slot_id=slots[place]["slot_id"])
