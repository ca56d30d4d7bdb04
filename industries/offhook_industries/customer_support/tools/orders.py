"""Looking an order up, and cancelling one that has not left."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from offhook.packs import Tool, ToolContext, ToolRefusal
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._gate import verified_customer
from offhook_industries.customer_support.tools._orders import (
    ORDER_NUMBER,
    add_refund,
    items_of,
    matched_cents,
    own_order,
    paid_with,
    payment_of,
    sold_by_kestrel,
    titles,
)

__all__ = ["order_tools"]

_STATUS: Final[Mapping[str, str]] = {
    "processing": "is being prepared",
    "scheduled": "is scheduled for delivery",
    "shipped": "has shipped",
    "delivered": "was delivered",
    "picked_up": "was picked up",
    "cancelled": "was cancelled",
}


def order_tools() -> tuple[Tool, ...]:
    return (_get(), _cancel())


def _get() -> Tool:
    return Tool(
        "get_order",
        "When to call: a verified caller asks where an order is, when it comes, what is on it, who "
        "sold it, how it was paid, or before you work on one of its items and need to know whether "
        "that is open-box, a Marketplace item, recalled or a battery risk. Read safety aloud first "
        "when it is not empty. Not needed for a window or a fee: check_return_eligibility has those.",
        (ORDER_NUMBER,),
        get_order,
    )


def get_order(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    order = own_order(context, verified_customer(context), arguments["order_number"])
    items = items_of(context.db, order["order_number"])
    payment = payment_of(context, order["order_number"])
    return {
        "order_number": order["order_number"],
        "status": order["status"],
        "status_spoken": _STATUS[order["status"]],
        "seller": order["seller"],
        "sold_by_kestrel": sold_by_kestrel(order),
        "placed_on": policy.spoken_date(date.fromisoformat(order["placed_on"])),
        "state": order["state"],
        "delivery": _delivery(order),
        "installation": bool(order["installation"]),
        "haul_away": bool(order["haul_away"]),
        "items": [_item(row) for row in items],
        "total": policy.dollars(payment["amount_cents"]),
        "paid_with": paid_with(payment),
        "cancellable": _why_not(context, order, items) is None,
        "safety": " ".join(line for row in items if (line := _safety(row))),
        "notes": _notes(order, items),
        "in_short": _in_short(order, items),
    }


def _delivery(order: sqlite3.Row) -> Mapping[str, str] | None:
    if order["delivery_on"] is None:
        return None
    day = policy.spoken_day(date.fromisoformat(order["delivery_on"]))
    return {"day": day, "window": order["delivery_window"]}


def _item(row: sqlite3.Row) -> Mapping[str, Any]:
    return {
        "item": row["title"],
        "kind": row["kind"].replace("_", " "),
        "quantity": row["quantity"],
        "price": policy.dollars(row["unit_cents"]),
        "open_box": bool(row["open_box"]),
        "box_opened": bool(row["box_opened"]),
        "product_class": row["product_class"],
        "recalled": bool(row["recalled"]),
        "battery_safety_flag": bool(row["battery_safety_flag"]),
    }


def _safety(row: sqlite3.Row) -> str:
    never = "Don't charge it, and never mail it or carry it into a store."
    if row["recalled"] and row["battery_safety_flag"]:
        return f"The {row['title']} is under recall because of its battery. Stop using it. {never}"
    if row["recalled"]:
        return f"The {row['title']} is under recall. Stop using it."
    if row["battery_safety_flag"]:
        swollen = "If it is swollen, hot or leaking, stop using it."
        return f"The {row['title']} has a battery warning. {swollen} {never}"
    return ""


def _notes(order: sqlite3.Row, items: list[sqlite3.Row]) -> str:
    notes = [
        f"The {row['title']} was sold open-box: its price is final and is not matched."
        for row in items
        if row["open_box"]
    ]
    if not sold_by_kestrel(order):
        notes.append(
            f"It was sold by {order['seller']}, a Marketplace seller: there is no price match, and the "
            f"seller's own return terms hold."
        )
    return " ".join(notes)


def _in_short(order: sqlite3.Row, items: list[sqlite3.Row]) -> str:
    """Half a sentence on what the order is doing, with its day where it has one."""
    text = f"the order of the {titles(items)} {_STATUS[order['status']]}"
    if order["delivery_on"] is None:
        return text
    day = policy.spoken_day(date.fromisoformat(order["delivery_on"]))
    if order["status"] == "scheduled":
        return f"{text} on {day}, {order['delivery_window']}"
    if order["status"] in ("processing", "shipped"):
        return f"{text} and should arrive on {day}"
    return f"{text} on {day}" if order["status"] == "delivered" else text


# --- cancelling -----------------------------------------------------------------------------------------


def _cancel() -> Tool:
    return Tool(
        "cancel_order",
        "When to call: a verified caller wants a whole order cancelled that has not left yet, and has "
        "said yes after you named what is on it. Cancels at once and sends the money back; it can't be "
        "undone. Not for an order that has shipped or arrived: that is a return, once it is there "
        "(check_return_eligibility). Not for a membership or a TechCrew appointment.",
        (ORDER_NUMBER,),
        cancel_order,
    )


def cancel_order(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    order = own_order(context, verified_customer(context), arguments["order_number"])
    items = items_of(context.db, order["order_number"])
    refusal = _why_not(context, order, items)
    if refusal is not None:
        raise ToolRefusal(*refusal, field="order_number")
    number = order["order_number"]
    context.db.execute("UPDATE orders SET status = 'cancelled' WHERE order_number = ?", (number,))
    cents = payment_of(context, number)["amount_cents"] - matched_cents(context, number)
    money = add_refund(context, number, "cancelled_order", 0, cents, issued=True)
    what = titles(items)
    return {
        "cancelled": True,
        "order_number": number,
        "item": what,
        **money,
        "in_short": f"the order of the {what} is cancelled, and {money['refund']} goes back to "
        f"{money['paid_back_to']}",
    }


def _why_not(context: ToolContext, order: sqlite3.Row, items: list[sqlite3.Row]) -> tuple[str, str] | None:
    """Code and message of what stands against cancelling, None where nothing does."""
    status = order["status"]
    if status == "cancelled":
        return "already_cancelled", "The order has been cancelled already. Tell the caller; do nothing more."
    if status in ("delivered", "picked_up"):
        message = "The caller has the order already. check_return_eligibility tells whether it can come back."
        return "already_delivered", message
    if status == "shipped":
        message = (
            "The order has shipped, so it can't be cancelled any more. It can be refused at the door, or "
            "returned once it is there: check_return_eligibility has the window."
        )
        return "already_shipped", message
    if any(row["product_class"] == "special_order" for row in items):
        return "special_order", "A special order can't be cancelled on this line. Offer a person."
    if status == "scheduled":
        opens = policy.window_opens(date.fromisoformat(order["delivery_on"]), order["delivery_window"])
        if policy.is_late(context.now, opens):
            message = (
                "Less than 48 hours are left before the delivery, so the order is on the truck and can't be "
                "cancelled. It can be refused at the door, or moved with quote_delivery_change."
            )
            return "on_the_truck", message
    return None
