"""Protection plans, and who pays when an item fails."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._gate import today, verified_customer
from offhook_industries.customer_support.tools._orders import (
    ITEM,
    ORDER_NUMBER,
    item_of,
    own_order,
    sold_by_kestrel,
)
from offhook_industries.customer_support.tools._service_facts import SERVICE_FEES, services_for

__all__ = ["coverage_tools"]

_FAILURES: Final = (
    Choice(
        "not_working",
        "it stopped working by itself: no power, won't charge, no sound, a fault, an error",
        ("stopped working", "won't charge", "will not charge", "won't turn on", "defect"),
    ),
    Choice(
        "drop_damage",
        "it was dropped, knocked over, sat on or cracked",
        ("dropped", "drop", "fell", "cracked", "broke the screen"),
    ),
    Choice(
        "liquid_damage", "something was spilled on it or it got wet", ("spilled", "water damage", "got wet")
    ),
    Choice("cosmetic", "scratches or wear, but everything works", ("scratched", "scratches")),
    Choice("lost_or_stolen", "it is lost or was stolen", ("lost", "stolen")),
    Choice("setup_help", "help with setting it up or learning to use it", ("set up", "setup", "setting up")),
    Choice(
        "swollen_or_hot_battery",
        "its battery swells, gets hot, leaks or smokes",
        ("swollen", "swelling", "bulging", "overheating", "smoking"),
    ),
)
_PAYERS: Final[Mapping[str, str]] = {
    "manufacturer": "the maker's warranty",
    "total": "Kestrel Total",
    "plan": "the TechCrew Protect plan",
    "nobody": "nobody but you",
}
_MEMBER_COVER: Final[Mapping[str, str]] = {
    "standard": "the account has no membership, which covers no repairs",
    "plus": "Kestrel Plus covers no repairs",
    "total": "Kestrel Total covers failures, and drops and spills of portable devices, on items bought from "
    "Kestrel in the last two years, with no diagnostic fee",
}


def coverage_tools() -> tuple[Tool, ...]:
    return (_plans(), _check())


def _plans() -> Tool:
    return Tool(
        "get_protection_plans",
        "When to call: a verified caller asks which TechCrew Protect plans they have, until when, with "
        "which deductible, or what their membership covers by itself. For one certain failure use "
        "check_coverage, which decides who pays.",
        (),
        get_protection_plans,
    )


def get_protection_plans(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    rows = context.db.execute(
        "SELECT protection_plans.*, title FROM protection_plans JOIN order_items USING (order_number, line) "
        "JOIN products USING (sku) WHERE customer_id = ? ORDER BY ends_on DESC, plan_id",
        (customer["customer_id"],),
    ).fetchall()
    plans = [_plan(row, today(context)) for row in rows]
    active = [plan["item"] for plan in plans if plan["active"]]
    have = f"there is a running TechCrew Protect plan on the {' and the '.join(active)}" if active else ""
    cover = _MEMBER_COVER[customer["tier"]]
    return {
        "plans": plans,
        "membership_cover": cover,
        "in_short": f"{have or 'there is no running TechCrew Protect plan on the account'}; {cover}",
    }


def _plan(row: sqlite3.Row, day: date) -> dict[str, Any]:
    return {
        "plan": row["plan_id"],
        "item": row["title"],
        "order_number": row["order_number"],
        "starts_on": policy.spoken_date(date.fromisoformat(row["starts_on"])),
        "ends_on": policy.spoken_date(date.fromisoformat(row["ends_on"])),
        "active": row["starts_on"] <= day.isoformat() <= row["ends_on"],
        "deductible": policy.dollars(row["deductible_cents"]) if row["deductible_cents"] else "nothing",
        "accidental": bool(row["accidental"]),
    }


def _check() -> Tool:
    return Tool(
        "check_coverage",
        "When to call: a verified caller has a broken item, or asks whether a failure is covered and what "
        "it would cost, and you know which order it is from and what happened. Decides between maker's "
        "warranty, Kestrel Total, a TechCrew Protect plan and nobody. Always before "
        "book_service_appointment, so that the caller has heard the cost. Not for returns.",
        (
            ORDER_NUMBER,
            Parameter("failure", ValueKind.TEXT, "What happened to the item", choices=_FAILURES),
            ITEM,
        ),
        check_coverage,
    )


def check_coverage(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    order = own_order(context, customer, arguments["order_number"])
    item = item_of(context, order, arguments.get("item"))
    failure = arguments["failure"]
    if failure == "swollen_or_hot_battery":
        message = (
            "This is no repair. Tell the caller to stop using it, not to charge, mail or carry it, and to "
            "leave it where it can't burn. Hot, smoking or hurt: transfer_to_human with safety_hazard. Else "
            "check_return_eligibility tells whether it can come back."
        )
        raise ToolRefusal("battery_hazard", message, field="failure")
    cover = _cover(context, customer, order, item, failure)
    services = services_for(item["product_class"], item["kind"])
    _remember(context, order, item, failure, cover)
    cents = SERVICE_FEES[services[0]] if cover.cents is None else cover.cents
    cost = policy.dollars(cents) if cents else "nothing"
    return {
        "order_number": order["order_number"],
        "item": item["title"],
        "failure": failure,
        "covered": cover.payer != "nobody",
        "payer": cover.payer,
        "payer_name": _PAYERS[cover.payer],
        "cost": cost,
        "cost_cents": cents,
        "services": list(services) if cover.repairable else [],
        "why": cover.why,
        "in_short": _in_short(item["title"], cover, cents, services[0]),
    }


def _cover(
    context: ToolContext, customer: sqlite3.Row, order: sqlite3.Row, item: sqlite3.Row, failure: str
) -> policy.Cover:
    day = today(context)
    plan = context.db.execute(
        "SELECT deductible_cents, accidental FROM protection_plans "
        "WHERE customer_id = ? AND order_number = ? "
        "AND line = ? AND starts_on <= ? AND ends_on >= ? ORDER BY deductible_cents LIMIT 1",
        (customer["customer_id"], order["order_number"], item["line"], day.isoformat(), day.isoformat()),
    ).fetchone()
    return policy.cover_for(
        failure,
        item["kind"],
        bought=date.fromisoformat(order["delivery_on"] or order["placed_on"]),
        warranty_months=item["warranty_months"],
        tier=customer["tier"],
        marketplace=not sold_by_kestrel(order),
        plan=None if plan is None else (plan["deductible_cents"], bool(plan["accidental"])),
        today=day,
    )


def _remember(
    context: ToolContext, order: sqlite3.Row, item: sqlite3.Row, failure: str, cover: policy.Cover
) -> None:
    """Keeps what was told, for the booking; the last check of an order is the one that counts."""
    latest = context.db.execute("SELECT coalesce(max(check_no), 0) FROM coverage_checks").fetchone()[0]
    context.db.execute(
        "INSERT OR REPLACE INTO coverage_checks VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            order["order_number"],
            item["line"],
            failure,
            cover.payer,
            int(cover.repairable),
            cover.cents or 0,
            latest + 1,
        ),
    )


def _in_short(title: str, cover: policy.Cover, cents: int, service: str) -> str:
    if not cover.repairable:
        return f"the {title} can't be helped here: {cover.why}"
    if cover.payer == "nobody":
        fee = "a diagnostic" if service == "bench" else "a visit at home"
        return f"it is not covered, because {cover.why}; {fee} costs {policy.dollars(cents)}"
    told = policy.dollars(cents) if cents else "nothing"
    return f"it is covered: {cover.why}, and you pay {told}"
