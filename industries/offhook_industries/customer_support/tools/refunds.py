"""After a return is open: its label or recovery kit, and where the money is."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._gate import verified_customer
from offhook_industries.customer_support.tools._orders import (
    ORDER_NUMBER,
    items_of,
    own_order,
    paid_with,
    payment_of,
)
from offhook_industries.customer_support.tools._return_facts import is_hazard

__all__ = ["refund_tools"]

_KINDS: Final = (
    Choice("return", "an item that was sent or brought back", ("returned", "returning")),
    Choice(
        "cancelled_order",
        "an order that was cancelled before it left",
        ("cancelled", "canceled", "cancellation"),
    ),
    Choice("price_match", "the difference of a matched price", ("price match", "matched")),
)
_STAGES: Final[Mapping[str, str]] = {
    "awaiting_item": "is waiting for the item to be checked in",
    "issued": "has been issued",
    "posted": "has been posted",
}
_AFTER_CHECK_IN: Final = {
    "store_card": "within two business days after the item is checked in",
    "credit": "three to seven business days after the item is checked in",
    "debit": "three to seven business days after the item is checked in",
}


def refund_tools() -> tuple[Tool, ...]:
    return (_label(), _status())


def _label() -> Tool:
    return Tool(
        "create_return_label",
        "When to call: confirm_return has just opened a return and the caller wants to send the item, or "
        "asks again for the label of an open one. E-mails a free prepaid label to the address on file; "
        "for a battery that must not be mailed it sends a recovery kit instead, so tell what in_short "
        "says and never promise a label beforehand. Not for items brought to a store.",
        (
            Parameter(
                "rma_number",
                ValueKind.ORDER_NUMBER,
                "The rma_number of the latest confirm_return result",
                constrained=False,
            ),
        ),
        create_return_label,
    )


def create_return_label(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    back = _own_return(context, verified_customer(context), arguments["rma_number"])
    if back["status"] != "open":
        message = "That return is over: the item has been checked in. get_refund_status has the money."
        raise ToolRefusal("return_closed", message, field="rma_number")
    item = items_of(context.db, back["order_number"])[back["line"] - 1]
    hazard = is_hazard(item, back["reason"])
    context.db.execute(
        "UPDATE returns SET shipping = ? WHERE rma_number = ?",
        ("recovery_kit" if hazard else "label", back["rma_number"]),
    )
    if hazard:
        told = (
            f"no label can be made for the {item['title']}, because its battery must not be mailed; a "
            f"courier brings a fireproof recovery kit within three business days and takes it along"
        )
    else:
        told = f"a prepaid label for the {item['title']} is on its way to the e-mail address on file"
    return {
        "rma_number": back["rma_number"],
        "label_emailed": not hazard,
        "email_hint": "" if hazard else "the e-mail address on file",
        "kit_sent": hazard,
        "in_short": told,
    }


def _own_return(context: ToolContext, customer: sqlite3.Row, rma: str) -> sqlite3.Row:
    row: sqlite3.Row | None = context.db.execute(
        "SELECT returns.* FROM returns JOIN orders USING (order_number) "
        "WHERE rma_number = ? AND customer_id = ?",
        (rma, customer["customer_id"]),
    ).fetchone()
    if row is None:
        message = "This caller has no return of that number. A return is opened with confirm_return first."
        raise ToolRefusal("unknown_rma", message, field="rma_number", status=404)
    return row


def _status() -> Tool:
    return Tool(
        "get_refund_status",
        "When to call: a verified caller asks where their money is, after a return, a cancelled order or "
        "a matched price. Tells the stage and when it posts. Not for what a return would pay "
        "(quote_return) and not for a membership's refund.",
        (
            ORDER_NUMBER,
            Parameter("refund_for", ValueKind.TEXT, "What the money is for", choices=_KINDS),
        ),
        get_refund_status,
    )


def get_refund_status(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    order = own_order(context, verified_customer(context), arguments["order_number"])
    row = context.db.execute(
        "SELECT * FROM refunds WHERE order_number = ? AND kind = ? ORDER BY refund_no DESC LIMIT 1",
        (order["order_number"], arguments["refund_for"]),
    ).fetchone()
    if row is None:
        return {"found": False, "in_short": "there is no refund of that kind on this order"}
    payment = payment_of(context, order["order_number"])
    amount, card = policy.dollars(row["amount_cents"]), paid_with(payment)
    posts = _AFTER_CHECK_IN[payment["method"]] if row["posts_by"] is None else _span(row)
    verb = "posted" if row["stage"] == "posted" else "posts"
    return {
        "found": True,
        "stage": row["stage"],
        "stage_spoken": _STAGES[row["stage"]],
        "amount": amount,
        "posts_between": posts,
        "paid_back_to": card,
        "in_short": f"the refund of {amount} {_STAGES[row['stage']]} and {verb} to {card} {posts}",
    }


def _span(row: sqlite3.Row) -> str:
    first, last = date.fromisoformat(row["posts_from"]), date.fromisoformat(row["posts_by"])
    return f"on {policy.spoken_date(first)}" if first == last else policy.spoken_span(first, last)
