"""Orders as the tools read them: the caller's own order, one item of it, and what goes with both."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from offhook.packs import Parameter, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.seed.banners import BANNERS

__all__ = [
    "ITEM",
    "ORDER_NUMBER",
    "add_refund",
    "item_of",
    "items_of",
    "matched_cents",
    "own_order",
    "paid_with",
    "payment_of",
    "return_of",
    "sold_by_kestrel",
    "titles",
]

ORDER_NUMBER: Final = Parameter(
    "order_number",
    ValueKind.ORDER_NUMBER,
    "The caller's order number: as they say it, or of the order in recent_orders that they describe",
)
ITEM: Final = Parameter(
    "item",
    ValueKind.TEXT,
    "Which product of the order, in a word or two; leave it out when the order has only one",
    required=False,
    constrained=False,
)
_METHODS: Final[Mapping[str, str]] = {
    "credit": "credit card",
    "debit": "debit card",
    "store_card": "Kestrel card",
}


def own_order(context: ToolContext, customer: sqlite3.Row, number: str) -> sqlite3.Row:
    """The order of that number, if it is this customer's.

    Raises:
        ToolRefusal: ``unknown_order``; another customer's order is as unknown as one that never was.
    """
    row: sqlite3.Row | None = context.db.execute(
        "SELECT * FROM orders WHERE order_number = ? AND customer_id = ?", (number, customer["customer_id"])
    ).fetchone()
    if row is None:
        message = (
            "This caller has no order of that number. Ask for it once more, one character at a time, or "
            "find it in recent_orders of get_customer_summary by what was bought."
        )
        raise ToolRefusal("unknown_order", message, field="order_number", status=404)
    return row


def items_of(db: sqlite3.Connection, order_number: str) -> list[sqlite3.Row]:
    """The items of an order with their products, in the order of its lines."""
    return db.execute(
        "SELECT order_items.*, products.title, products.kind, products.product_class, "
        "products.warranty_months, products.recalled, products.battery_safety_flag FROM order_items "
        "JOIN products USING (sku) WHERE order_number = ? ORDER BY line",
        (order_number,),
    ).fetchall()


def titles(items: list[sqlite3.Row]) -> str:
    """What is on an order, as it is said."""
    names = [row["title"] for row in items]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def item_of(context: ToolContext, order: sqlite3.Row, wanted: str | None) -> sqlite3.Row:
    """The one item that is meant. Of several, the one whose title or kind shares most words with ``wanted``.

    Raises:
        ToolRefusal: ``which_item`` where it stays open, ``unknown_item`` where nothing on the order fits.
    """
    items = items_of(context.db, order["order_number"])
    if len(items) == 1:
        return items[0]
    listed = titles(items)
    if wanted is None:
        message = f"The order has several items: {listed}. Ask which one it is about and pass it as item."
        raise ToolRefusal("which_item", message, field="item")
    words = _words(wanted)
    scores = [len(words & _words(f"{row['title']} {row['kind'].replace('_', ' ')}")) for row in items]
    best = [row for row, score in zip(items, scores, strict=True) if score == max(scores)]
    if max(scores) == 0:
        message = f"Nothing like that is on the order. It has {listed}."
        raise ToolRefusal("unknown_item", message, field="item", status=404)
    if len(best) > 1:
        message = f"Several items of the order fit: {titles(best)}. Ask which one it is about."
        raise ToolRefusal("which_item", message, field="item")
    return best[0]


def _words(text: str) -> set[str]:
    """Words without a plural's s."""
    return {word.removesuffix("s") for word in re.findall(r"[a-z0-9]+", text.lower())}


def sold_by_kestrel(order: sqlite3.Row) -> bool:
    """Whether Kestrel or one of its older brands sold it, and no Marketplace seller."""
    return order["seller"] in BANNERS


def payment_of(context: ToolContext, order_number: str) -> sqlite3.Row:
    row: sqlite3.Row = context.db.execute(
        "SELECT * FROM payments WHERE order_number = ?", (order_number,)
    ).fetchone()
    return row


def paid_with(payment: sqlite3.Row) -> str:
    """``"the credit card ending in 1156"``."""
    return f"the {_METHODS[payment['method']]} ending in {payment['card_last4']}"


def matched_cents(context: ToolContext, order_number: str, line: int | None = None) -> int:
    """What price matches have paid back already, on one line or on the whole order: it is not paid twice."""
    total: int = context.db.execute(
        "SELECT coalesce(sum(amount_cents), 0) FROM refunds WHERE order_number = ? AND kind = 'price_match' "
        "AND line = coalesce(?, line)",
        (order_number, line),
    ).fetchone()[0]
    return total


def return_of(context: ToolContext, order_number: str, line: int) -> sqlite3.Row | None:
    """The return of an item, whether it is open or over."""
    row: sqlite3.Row | None = context.db.execute(
        "SELECT * FROM returns WHERE order_number = ? AND line = ?", (order_number, line)
    ).fetchone()
    return row


def add_refund(
    context: ToolContext, order_number: str, kind: str, line: int, cents: int, *, issued: bool
) -> Mapping[str, Any]:
    """Writes a refund and tells where and when it comes. ``issued`` is False while an item is awaited."""
    payment = payment_of(context, order_number)
    today: date = context.now.date()
    first, last = policy.refund_dates(payment["method"], today)
    latest = context.db.execute(
        "SELECT coalesce(max(refund_no), 0) FROM refunds WHERE order_number = ?", (order_number,)
    ).fetchone()[0]
    stage, dates = (
        ("issued", (first.isoformat(), last.isoformat())) if issued else ("awaiting_item", (None, None))
    )
    context.db.execute(
        "INSERT INTO refunds VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (order_number, latest + 1, kind, line, cents, stage, *dates),
    )
    return {
        "refund": policy.dollars(cents),
        "paid_back_to": paid_with(payment),
        "posts_between": policy.spoken_span(first, last) if issued else None,
    }
