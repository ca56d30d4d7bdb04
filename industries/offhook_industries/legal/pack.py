"""Puts the legal pack together. Cheap: databases are made later, by the seed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from offhook.labelled import with_examples
from offhook.packs import Agent, Pack
from offhook_industries.legal import policy
from offhook_industries.legal.graph import graph
from offhook_industries.legal.guide import follower_guide
from offhook_industries.legal.judged import ACCESS, FACTS, MUST_NOT, with_judging
from offhook_industries.legal.seed import seed
from offhook_industries.legal.tables import pack_tables
from offhook_industries.legal.tasks import all_tasks
from offhook_industries.legal.tools import all_tools

__all__ = ["build_pack"]

_NAME: Final = "legal"
_FOLDER: Final = Path(__file__).parent
_GREETING: Final = (
    "Thank you for calling Halverson and Reed. This is Ellis, an automated assistant, not a lawyer. "
    "How can I help you today?"
)
_GATES: Final = ("lookup_caller", "check_conflict", "check_practice_area", "check_jurisdiction")
_NOISE_GAIN: Final = 0.1
"""Louder street noise masks the ten digits of a callback number, which most of these calls turn on."""


def build_pack() -> Pack:
    """The pack ``legal``: Halverson & Reed, its 30 calls and 20 tools."""
    tools = all_tools()
    department = graph()
    return Pack(
        name=_NAME,
        title="Legal (Halverson & Reed)",
        version="1.0.0",
        now=policy.NOW,
        schema=(_FOLDER / "schema.sql").read_text(encoding="utf-8"),
        seed=seed,
        tables=pack_tables(),
        tools=tools,
        agent=Agent(
            company="Halverson & Reed",
            prompt=department.collapsed_prompt(),
            greeting=_GREETING,
            tools=tuple(tool.name for tool in tools),
        ),
        guide=follower_guide(),
        tasks=with_examples(with_judging(all_tasks(_NAME)), _FOLDER / "turns.jsonl"),
        folder=_FOLDER,
        facts=FACTS,
        must_not=MUST_NOT,
        access=ACCESS,
        graph=department,
        gates=_GATES,
        noise_gain=_NOISE_GAIN,
    )
