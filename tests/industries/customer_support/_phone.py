"""A call to the pack's tools: on the real tool server, or on a database with a clock that moves."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import attrs
import pytest

import offhook_industries.customer_support as home
from offhook.packs import Agent, FollowerGuide, Pack, TableRole, Task, ToolRefusal
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.seed import seed
from offhook_industries.customer_support.seed.cases import CASES
from offhook_industries.customer_support.tables import pack_tables
from offhook_industries.customer_support.tools import all_tools
from tests.industries._line import ToolLine

WRITTEN = tuple(table.name for table in pack_tables() if table.role in (TableRole.WRITE, TableRole.QUOTE))


def small_pack(tasks: Sequence[Task] = ()) -> Pack:
    """Schema, seed and tools, without what is said on the calls."""
    tools = all_tools()
    schema = (Path(home.__file__).parent / "schema.sql").read_text(encoding="utf-8")
    return Pack(
        name="customer-support",
        title="Kestrel's tools",
        version="1",
        now=policy.NOW,
        schema=schema,
        seed=seed,
        tables=pack_tables(),
        tools=tools,
        agent=Agent("Kestrel", "Help.", "Hello.", tuple(tool.name for tool in tools)),
        guide=FollowerGuide((), "Pardon?", "Anything else?", "Bye.", "Sorry."),
        tasks=tuple(tasks),
    )


@attrs.frozen
class Phone(ToolLine):
    """One call to Kestrel's tools."""

    written = WRITTEN
    harmless = ("get_policy", {"topic": "returns"})

    def pass_gate(self, who: Mapping[str, str], proof: Mapping[str, str]) -> None:
        self.ok("identify_customer", **who)
        assert self.ok("verify_identity", **proof) == {"verified": True}

    def caller(self, full_name: str) -> None:
        """The gate, passed by the written-out customer of that name."""
        case = next(case for case in CASES if case.full_name == full_name)
        order = case.orders[0]
        self.pass_gate(
            {"full_name": case.full_name, "phone": case.phone},
            {"postal_code": order.postal_code, "card_last4": order.card_last4},
        )


@attrs.define
class Desk:
    """The tools on one database with a clock that moves. Of what a refused tool wrote, gate state is kept."""

    pack: Pack
    db: sqlite3.Connection
    now: datetime
    drawn: int = 0

    def new_id(self, prefix: str) -> str:
        self.drawn += 1
        return f"{prefix}-{self.drawn:08d}"

    def use(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        self.db.execute("BEGIN")
        try:
            body = self.pack.tool(tool).run(self, arguments)
        except ToolRefusal:
            kept = tuple(
                self.db.execute("SELECT customer_id, verified, failures FROM call_session").fetchone()
            )
            self.db.rollback()
            self.db.execute("UPDATE call_session SET customer_id = ?, verified = ?, failures = ?", kept)
            raise
        self.db.commit()
        return body

    def code(self, tool: str, **arguments: Any) -> str:
        with pytest.raises(ToolRefusal) as caught:
            self.use(tool, **arguments)
        return caught.value.code

    def caller(self, full_name: str) -> None:
        """The gate, passed by the written-out customer of that name."""
        case = next(case for case in CASES if case.full_name == full_name)
        self.use("identify_customer", full_name=case.full_name, phone=case.phone)
        order = case.orders[0]
        self.use("verify_identity", postal_code=order.postal_code, card_last4=order.card_last4)
