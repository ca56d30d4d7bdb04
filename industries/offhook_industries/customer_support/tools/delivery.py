"""Moving a scheduled delivery: quoted with its fee, then committed with the quote's token."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._gate import today, verified_customer
from offhook_industries.customer_support.tools._order_quotes import (
    OrderQuote,
    open_order_quote,
    quote_token,
    take_order_quote,
    use_order_quote,
)
from offhook_industries.customer_support.tools._orders import ORDER_NUMBER, items_of, own_order, titles
from offhook_industries.customer_support.tools._tokens import require_consent

__all__ = ["delivery_tools"]

_NAMED_DAYS: Final = 3


def delivery_tools() -> tuple[Tool, ...]:
    return (_quote(), _confirm())


def _quote() -> Tool:
    return Tool(
        "quote_delivery_change",
        "When to call: a verified caller wants a scheduled delivery or installation on another day, or "
        "asks what moving it costs, and has named the day. Prices the change and moves nothing: read "
        "the new day, its time window and the fee back, and get a clear yes before "
        "confirm_delivery_change. Not for parcels, which have no appointment, and not to cancel.",
        (
            ORDER_NUMBER,
            Parameter("new_date", ValueKind.DATE, "The day the caller wants instead"),
        ),
        quote_delivery_change,
    )


def quote_delivery_change(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    order = own_order(context, customer, arguments["order_number"])
    if order["status"] != "scheduled":
        message = (
            "This order has no delivery appointment that could be moved. get_order tells where it is; say so "
            "to the caller."
        )
        raise ToolRefusal("no_delivery_to_change", message, field="order_number")
    now, day = date.fromisoformat(order["delivery_on"]), date.fromisoformat(arguments["new_date"])
    _check_day(today(context), now, day)
    opens = policy.window_opens(now, order["delivery_window"])
    fee = policy.delivery_change_fee(context.now, opens, customer["tier"])
    quote = open_order_quote(
        context,
        customer,
        OrderQuote("delivery_change", order["order_number"], 1, 0, fee.cents, day.isoformat()),
    )
    what = titles(items_of(context.db, order["order_number"]))
    told = policy.dollars(fee.cents) if fee.cents else "no charge"
    return {
        "quote_token": quote.token,
        "order_number": order["order_number"],
        "item": what,
        "from_day": policy.spoken_day(now),
        "to_day": policy.spoken_day(day),
        "window": order["delivery_window"],
        "fee": told,
        "fee_cents": fee.cents,
        "late": policy.is_late(context.now, opens),
        "why": fee.why,
        "in_short": f"moving the delivery of the {what} to {policy.spoken_day(day)}, "
        f"{order['delivery_window']}, comes to {told}, because {fee.why}",
    }


def _check_day(this_day: date, now: date, day: date) -> None:
    """
    Raises:
        ToolRefusal: ``same_day`` or ``day_not_open``.
    """
    if day == now:
        message = "The delivery is on that day already. Ask for the day the caller wants instead."
        raise ToolRefusal("same_day", message, field="new_date")
    days = policy.delivery_days(this_day)
    if day not in days:
        named = "; ".join([policy.spoken_day(other) for other in days if other != now][:_NAMED_DAYS])
        message = (
            f"Nothing is delivered on that day: it must be {policy.FIRST_DELIVERY_DAY} to "
            f"{policy.LAST_DELIVERY_DAY} days ahead and no Sunday. The first open days are {named}."
        )
        raise ToolRefusal("day_not_open", message, field="new_date")


def _confirm() -> Tool:
    return Tool(
        "confirm_delivery_change",
        "When to call: a clear yes has followed your read-back of the new day and of the fee, also when "
        "there is none. Moves the delivery and charges the fee to the card on file. Never when the "
        "caller only wanted to know what it would cost.",
        (
            quote_token("quote_delivery_change"),
            Parameter(
                "fee_acknowledged",
                ValueKind.YES_NO,
                "True only if the caller heard the fee, or that there is none, and agreed",
            ),
        ),
        confirm_delivery_change,
    )


def confirm_delivery_change(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    require_consent(arguments, "fee_acknowledged", "the new day and the fee")
    quote = take_order_quote(context, customer, arguments["quote_token"], "delivery_change")
    order = own_order(context, customer, quote.order_number)
    _commit(context, order, quote)
    use_order_quote(context, quote)
    what = titles(items_of(context.db, quote.order_number))
    day = policy.spoken_day(date.fromisoformat(quote.detail))
    told = policy.dollars(quote.fee_cents) if quote.fee_cents else "no charge"
    return {
        "moved": True,
        "order_number": quote.order_number,
        "item": what,
        "day": day,
        "window": order["delivery_window"],
        "fee": told,
        "in_short": f"the {what} now comes on {day}, {order['delivery_window']}, and the change "
        f"comes to {told}",
    }


def _commit(context: ToolContext, order: sqlite3.Row, quote: OrderQuote) -> None:
    """Moves the appointment, which may have ended since it was quoted, and records the change."""
    if order["status"] != "scheduled":
        message = "The order has no delivery appointment any more. Tell the caller; nothing was changed."
        raise ToolRefusal("no_delivery_to_change", message)
    number = order["order_number"]
    context.db.execute("UPDATE orders SET delivery_on = ? WHERE order_number = ?", (quote.detail, number))
    latest = context.db.execute(
        "SELECT coalesce(max(change_no), 0) FROM delivery_changes WHERE order_number = ?", (number,)
    ).fetchone()[0]
    context.db.execute(
        "INSERT INTO delivery_changes VALUES (?, ?, ?, ?, ?, ?)",
        (number, latest + 1, order["delivery_on"], quote.detail, quote.fee_cents, quote.token),
    )
