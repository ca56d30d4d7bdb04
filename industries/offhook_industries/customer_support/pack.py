"""Puts the customer support pack together. Cheap: databases are made later, by the seed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from offhook.packs import Agent, Pack, Table, TableRole
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.guide import follower_guide
from offhook_industries.customer_support.judged import ACCESS, FACTS, MUST_NOT, with_judging
from offhook_industries.customer_support.seed import seed
from offhook_industries.customer_support.tasks import all_tasks
from offhook_industries.customer_support.tools import all_tools

__all__ = ["build_pack"]

_NAME: Final = "customer-support"
_FOLDER: Final = Path(__file__).parent
_GREETING: Final = (
    "Thanks for calling Kestrel Electronics. This is Wren, the automated assistant. What can I do for you?"
)

_REFERENCE: Final = (
    ("hours_patterns", ("pattern",)),
    ("stores", ("store_number",)),
    ("departments", ("department",)),
    ("store_departments", ("store_number", "department")),
    ("products", ("sku",)),
    ("orders", ("order_number",)),
    ("order_items", ("order_number", "line")),
    ("payments", ("order_number",)),
    ("protection_plans", ("plan_id",)),
    ("service_appointments", ("appointment_id",)),
    ("fees", ("fee",)),
    ("policies", ("topic",)),
    ("kb_articles", ("slug",)),
)


def build_pack() -> Pack:
    """The pack ``customer-support``: Kestrel Electronics, its membership and general-information calls."""
    tools = all_tools()
    return Pack(
        name=_NAME,
        title="Customer support (Kestrel Electronics)",
        version="1.0.0",
        now=policy.NOW,
        schema=(_FOLDER / "schema.sql").read_text(encoding="utf-8"),
        seed=seed,
        tables=_tables(),
        tools=tools,
        agent=Agent(
            company="Kestrel Electronics",
            prompt=(_FOLDER / "prompt.md").read_text(encoding="utf-8"),
            greeting=_GREETING,
            tools=tuple(tool.name for tool in tools),
        ),
        guide=follower_guide(),
        tasks=with_judging(all_tasks(_NAME)),
        folder=_FOLDER,
        facts=FACTS,
        must_not=MUST_NOT,
        access=ACCESS,
    )


def _tables() -> tuple[Table, ...]:
    return (
        *(Table(name, TableRole.REFERENCE, key) for name, key in _REFERENCE),
        Table("customers", TableRole.WRITE, ("customer_id",)),
        Table("membership_changes", TableRole.WRITE, ("customer_id", "change_no"), volatile=("quote_token",)),
        # Who was identified before a hand-over is the agent's choice; that there was one, and why, is not.
        Table(
            "transfers", TableRole.WRITE, ("transfer_no",), volatile=("summary", "customer_id", "created_at")
        ),
        Table("membership_quotes", TableRole.QUOTE, ("quote_token",)),
        Table("call_session", TableRole.SESSION, ("only_row",)),
    )
