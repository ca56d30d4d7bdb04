"""Quotes on an order: a moved delivery, a matched price, a return. Each is read back, then committed."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from offhook.packs import Parameter, ToolContext
from offhook.values import ValueKind
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._tokens import usable

__all__ = ["OrderQuote", "open_order_quote", "quote_token", "take_order_quote", "use_order_quote"]

_AGAIN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "delivery_change": "Call quote_delivery_change and read the day and the fee back.",
        "price_match": "Call quote_price_match and read the difference back.",
        "return": "Call quote_return and read the refund back.",
    }
)


@attrs.frozen
class OrderQuote:
    """What was quoted. ``amount_cents`` goes to the customer, ``fee_cents`` is charged or kept back;
    ``detail`` is the new day, the reason of a return, or the competitor."""

    kind: str
    order_number: str
    line: int
    amount_cents: int
    fee_cents: int
    detail: str
    token: str = ""


def quote_token(tool: str) -> Parameter:
    """The parameter of a confirming tool that takes the token of ``tool``."""
    return Parameter(
        "quote_token", ValueKind.TEXT, f"The quote_token of the latest {tool} result", constrained=False
    )


def open_order_quote(context: ToolContext, customer: sqlite3.Row, quote: OrderQuote) -> OrderQuote:
    """Stores the quote under a fresh token; earlier open ones of this kind on the item become void."""
    opened = attrs.evolve(quote, token=context.new_id("QT"))
    context.db.execute(
        "UPDATE order_quotes SET state = 'superseded' WHERE order_number = ? AND line = ? AND kind = ? "
        "AND state = 'open'",
        (quote.order_number, quote.line, quote.kind),
    )
    context.db.execute(
        "INSERT INTO order_quotes VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?)",
        (
            opened.token,
            customer["customer_id"],
            opened.kind,
            opened.order_number,
            opened.line,
            opened.amount_cents,
            opened.fee_cents,
            opened.detail,
            context.now.isoformat(),
            (context.now + policy.QUOTE_LIFETIME).isoformat(),
        ),
    )
    return opened


def take_order_quote(context: ToolContext, customer: sqlite3.Row, token: str, kind: str) -> OrderQuote:
    """The open quote behind a token.

    Raises:
        ToolRefusal: as `usable`.
    """
    found = context.db.execute("SELECT * FROM order_quotes WHERE quote_token = ?", (token,)).fetchone()
    row = usable(context, found, customer, kind, _AGAIN[kind])
    return OrderQuote(
        kind,
        row["order_number"],
        row["line"],
        row["amount_cents"],
        row["fee_cents"],
        row["detail"],
        token,
    )


def use_order_quote(context: ToolContext, quote: OrderQuote) -> None:
    """Uses the token up."""
    context.db.execute("UPDATE order_quotes SET state = 'used' WHERE quote_token = ?", (quote.token,))
