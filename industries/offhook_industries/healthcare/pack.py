"""Puts the healthcare pack together. Cheap: databases are made later, by the seed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from offhook.labelled import with_examples
from offhook.packs import Agent, Pack
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.graph import graph
from offhook_industries.healthcare.guide import follower_guide
from offhook_industries.healthcare.judged import ACCESS, FACTS, MUST_NOT, with_judging
from offhook_industries.healthcare.seed import seed
from offhook_industries.healthcare.tables import pack_tables
from offhook_industries.healthcare.tasks import all_tasks
from offhook_industries.healthcare.tools import all_tools

__all__ = ["build_pack"]

_NAME: Final = "healthcare"
_FOLDER: Final = Path(__file__).parent
_SESSION_TOOLS: Final = ("transfer_to_human", "end_call")
_GATES: Final = ("verify_identity",)
_GREETING: Final = (
    "Straus Dermatology, good morning. You've reached Robin, an AI assistant. What can I do for you today?"
)


def build_pack() -> Pack:
    """The pack ``healthcare``: Straus Dermatology, its 30 calls and 29 tools."""
    department = graph()
    return Pack(
        name=_NAME,
        title="Healthcare (Straus Dermatology)",
        version="1.0.0",
        now=policy.NOW,
        schema=(_FOLDER / "schema.sql").read_text(encoding="utf-8"),
        seed=seed,
        tables=pack_tables(),
        tools=all_tools(),
        agent=Agent(
            company="Straus Dermatology",
            prompt=department.collapsed_prompt(),
            greeting=_GREETING,
            tools=(*department.business_tools, *_SESSION_TOOLS),
        ),
        guide=follower_guide(),
        tasks=with_examples(with_judging(all_tasks(_NAME)), _FOLDER / "turns.jsonl"),
        folder=_FOLDER,
        facts=FACTS,
        must_not=MUST_NOT,
        access=ACCESS,
        graph=department,
        gates=_GATES,
    )
