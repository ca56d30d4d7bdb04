"""Finding the caller's record and proving that the caller owns it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from offhook.names import match_names
from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._gate import open_account, read_session, verified_customer
from offhook_industries.customer_support.tools._membership_facts import membership_facts
from offhook_industries.customer_support.tools._orders import items_of, titles

__all__ = ["identity_tools"]

_RECENT_ORDERS: Final = 4


def identity_tools() -> tuple[Tool, ...]:
    return (_identify(), _verify(), _summary())


def _identify() -> Tool:
    return Tool(
        "identify_customer",
        "When to call: the caller wants anything done with, or read from, their own account, "
        "orders or membership, and you have both "
        "their full name and the phone number on the account. It finds the record and proves "
        "nothing yet: verify_identity comes next. "
        "Not needed for general questions on prices, policies or stores.",
        (
            Parameter("full_name", ValueKind.NAME, "First and last name as the caller says them"),
            Parameter("phone", ValueKind.PHONE, "The phone number on the account"),
        ),
        identify_customer,
    )


def identify_customer(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    rows = context.db.execute(
        "SELECT customer_id, full_name FROM customers WHERE phone = ?", (arguments["phone"],)
    ).fetchall()
    named = [row for row in rows if match_names(arguments["full_name"], row["full_name"]).same]
    exact = [row for row in named if row["full_name"].casefold() == arguments["full_name"].casefold()]
    found = exact or named
    if not found:
        message = (
            "No account has this name together with this phone number. Ask for the full name "
            "again, and for the number one digit at a "
            "time; another number may be the one on file."
        )
        raise ToolRefusal("no_match", message, status=404)
    if len(found) > 1:
        message = (
            "Several people with such a name share this phone number. Ask for the full name, "
            "spelled if need be, and call again."
        )
        raise ToolRefusal("several_matches", message, field="full_name")
    return _open(context, found[0])


def _open(context: ToolContext, row: sqlite3.Row) -> Mapping[str, Any]:
    """Opens a record on the call. Changing to another one closes what was verified; finding the same one
    again does not."""
    session = read_session(context)
    still = int(session.verified and session.customer_id == row["customer_id"])
    context.db.execute("UPDATE call_session SET customer_id = ?, verified = ?", (row["customer_id"], still))
    return {"found": True, "first_name": row["full_name"].split(" ", 1)[0], "verified": bool(still)}


def _verify() -> Tool:
    return Tool(
        "verify_identity",
        "When to call: identify_customer found the record and you have the ZIP code and the "
        "card's last four digits, both from one and the "
        "same order of theirs. Required before any account detail is read out, quoted or "
        "changed. Three wrong attempts lock it for "
        "the call.",
        (
            Parameter("postal_code", ValueKind.ZIP, "ZIP code the order was billed or delivered to"),
            Parameter(
                "card_last4",
                ValueKind.DIGITS,
                "The four digits in which the card that paid for the order ends",
                length=4,
            ),
        ),
        verify_identity,
    )


def verify_identity(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer_id = open_account(context)
    session = read_session(context)
    if session.failures >= policy.MOST_VERIFICATION_FAILURES:
        message = (
            "Verification is locked for this call. Tell the caller so and use transfer_to_human "
            "with verification_failed."
        )
        raise ToolRefusal("verification_locked", message, status=403)
    match = context.db.execute(
        "SELECT 1 FROM orders JOIN payments USING (order_number) WHERE customer_id = ? AND "
        "postal_code = ? AND card_last4 = ?",
        (customer_id, arguments["postal_code"], arguments["card_last4"]),
    ).fetchone()
    if match is None:
        _count_failure(context)
    context.db.execute("UPDATE call_session SET verified = 1")
    return {"verified": True}


def _count_failure(context: ToolContext) -> None:
    """Which of the two was wrong is not told: that would let a stranger find them one by one."""
    context.db.execute("UPDATE call_session SET failures = failures + 1, verified = 0")
    left = policy.MOST_VERIFICATION_FAILURES - read_session(context).failures
    if left > 0:
        message = (
            f"ZIP code and card digits do not fit together on any order of this account. Ask for "
            f"both again, slowly; attempts left: {left}."
        )
    else:
        message = (
            "ZIP code and card digits do not fit, and that was the last attempt. Use "
            "transfer_to_human with verification_failed."
        )
    raise ToolRefusal("identity_mismatch", message, status=403)


def _summary() -> Tool:
    return Tool(
        "get_customer_summary",
        "When to call: every time verify_identity has just succeeded, before anything else, "
        "whatever the caller wants. Gives name, "
        "membership, latest orders and open TechCrew appointments.",
        (),
        get_customer_summary,
    )


def get_customer_summary(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    facts = membership_facts(customer, context.now.date())
    recent = _recent_orders(context.db, customer["customer_id"])
    return {
        "full_name": customer["full_name"],
        "tier": facts["tier"],
        "tier_name": facts["tier_name"],
        "membership": facts["in_short"],
        "benefits": facts["benefits"],
        "recent_orders": recent,
        "latest_order": recent[0] if recent else None,
        "techcrew_appointments": _appointments(context.db, customer["customer_id"]),
    }


def _recent_orders(db: sqlite3.Connection, customer_id: int) -> list[dict[str, Any]]:
    orders = db.execute(
        "SELECT order_number, placed_on, status FROM orders WHERE customer_id = ? ORDER BY "
        "placed_on DESC, order_number LIMIT ?",
        (customer_id, _RECENT_ORDERS),
    ).fetchall()
    return [_recent(db, order) for order in orders]


def _recent(db: sqlite3.Connection, order: sqlite3.Row) -> dict[str, Any]:
    """An order as it is offered: by what was bought, when, and what became of it."""
    items = items_of(db, order["order_number"])
    placed = policy.spoken_date(date.fromisoformat(order["placed_on"]))
    status = order["status"].replace("_", " ")
    return {
        "order_number": order["order_number"],
        "placed_on": placed,
        "status": status,
        "items": [row["title"] for row in items],
        "item": items[0]["title"],
        "kind": items[0]["kind"].replace("_", " "),
        "in_short": f"the {titles(items)} of {placed}, {status}",
    }


def _appointments(db: sqlite3.Connection, customer_id: int) -> list[dict[str, Any]]:
    rows = db.execute(
        "SELECT appointment_id, service_appointments.kind, on_day, window, title FROM "
        "service_appointments JOIN products USING (sku) "
        "WHERE customer_id = ? AND status = 'booked' ORDER BY on_day, appointment_id",
        (customer_id,),
    ).fetchall()
    return [
        {
            "appointment": row["appointment_id"],
            "kind": row["kind"].replace("_", " "),
            "day": policy.spoken_date(date.fromisoformat(row["on_day"])),
            "window": row["window"],
            "item": row["title"],
        }
        for row in rows
    ]
