"""One call to the firm's line, on the real tool server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from offhook.packs import Agent, FollowerGuide, Pack, TableRole
from offhook_industries.legal import policy
from offhook_industries.legal.seed import seed
from offhook_industries.legal.tables import pack_tables
from offhook_industries.legal.tools import all_tools
from tests.industries._line import ToolLine

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
class Line(ToolLine):
    """One call to the firm's tools."""

    written = WRITTEN
    harmless = ("check_practice_area", {"matter_type": "tax"})

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
