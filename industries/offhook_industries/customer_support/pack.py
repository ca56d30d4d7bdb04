"""Puts the customer support pack together. Cheap: databases are made later, by the seed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from offhook.labelled import with_examples
from offhook.packs import Agent, Pack
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.graph import graph
from offhook_industries.customer_support.guide import follower_guide
from offhook_industries.customer_support.judged import ACCESS, FACTS, MUST_NOT, with_judging
from offhook_industries.customer_support.seed import seed
from offhook_industries.customer_support.tables import pack_tables
from offhook_industries.customer_support.tasks import all_tasks
from offhook_industries.customer_support.tools import all_tools

__all__ = ["build_pack"]

_NAME: Final = "customer-support"
_FOLDER: Final = Path(__file__).parent
_SESSION_TOOLS: Final = ("transfer_to_human", "end_call")
_GATES: Final = ("verify_identity",)
_GREETING: Final = (
    "Thanks for calling Kestrel Electronics. This is Wren, the automated assistant. What can I do for you?"
)


def build_pack() -> Pack:
    """The pack ``customer-support``: Kestrel Electronics, its 30 calls and 33 tools."""
    department = graph()
    return Pack(
        name=_NAME,
        title="Customer support (Kestrel Electronics)",
        version="1.0.0",
        now=policy.NOW,
        schema=(_FOLDER / "schema.sql").read_text(encoding="utf-8"),
        seed=seed,
        tables=pack_tables(),
        tools=all_tools(),
        agent=Agent(
            company="Kestrel Electronics",
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
