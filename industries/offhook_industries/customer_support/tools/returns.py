"""Returns: whether an item may come back, what that pays, and the two steps that open it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
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
from offhook_industries.customer_support.tools._orders import (
    ITEM,
    ORDER_NUMBER,
    add_refund,
    item_of,
    items_of,
    matched_cents,
    own_order,
    paid_with,
    payment_of,
    sold_by_kestrel,
)
from offhook_industries.customer_support.tools._return_facts import (
    FAULTS,
    Eligibility,
    eligibility,
    fee_of,
    is_hazard,
)
from offhook_industries.customer_support.tools._tokens import require_consent

__all__ = ["return_tools"]

_OPENED: Final = Parameter(
    "box_opened",
    ValueKind.YES_NO,
    "True if the caller says that the box has been opened; leave it out otherwise, the order knows most",
    required=False,
)
_REASONS: Final = (
    Choice(
        "changed_mind",
        "doesn't want, like or need it any more, or bought the wrong thing; nothing is wrong with it",
        ("changed my mind", "change of mind", "don't want it", "don't need it", "don't like it"),
    ),
    Choice(
        "defective",
        "it is faulty, broken by itself or doesn't work as it should",
        ("defective", "faulty", "doesn't work"),
    ),
    Choice("damaged_on_arrival", "it came broken or dented out of the box", ("arrived damaged",)),
    Choice(
        "wrong_item", "something else was sent than what was ordered", ("wrong item", "not what I ordered")
    ),
    Choice(
        "recall_or_safety",
        "it is under recall, or its battery swells, gets hot or leaks",
        ("recall", "recalled", "swollen", "swelling", "bulging"),
    ),
)


def return_tools() -> tuple[Tool, ...]:
    return (_check(), _quote(), _confirm())


def _check() -> Tool:
    return Tool(
        "check_return_eligibility",
        "When to call: a verified caller asks whether, until when or at what cost an item of theirs can "
        "come back; and always before quote_return. Works out the window, the days left or over, and "
        "the restocking fee for this item, this order's state and this membership. Say in_short; never "
        "work a window out yourself. Changes nothing. For the rule in general use get_policy.",
        (ORDER_NUMBER, ITEM, _OPENED),
        check_return_eligibility,
    )


def check_return_eligibility(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer, order, item, opened = _read(context, arguments)
    found = eligibility(context, customer, order, item)
    fee = fee_of(order, item, opened=opened, fault=False)
    return {
        "order_number": order["order_number"],
        "item": item["title"],
        "returnable": found.returnable,
        "reason": found.reason,
        "window_days": found.window.days,
        "window_why": found.window.why,
        "last_day": None if found.last_day is None else policy.spoken_date(found.last_day),
        "days_left": found.days_left(today(context)),
        "days_over": found.days_over(today(context)),
        "restocking_fee": fee.spoken,
        "fee_why": fee.why,
        "in_short": _told(found, item["title"], fee, today(context)),
    }


def _read(
    context: ToolContext, arguments: Mapping[str, Any]
) -> tuple[sqlite3.Row, sqlite3.Row, sqlite3.Row, bool]:
    """Customer, order, item, and whether the box is open: what the record knows is not talked away."""
    customer = verified_customer(context)
    order = own_order(context, customer, arguments["order_number"])
    item = item_of(context, order, arguments.get("item"))
    return customer, order, item, bool(item["box_opened"]) or arguments.get("box_opened", False)


def _told(found: Eligibility, title: str, fee: policy.Fee, day: date) -> str:
    sentence = found.sentence(title, day)
    if not found.returnable or found.reason == "installed_appliance":
        return sentence
    kept = f"a restocking fee of {fee.spoken}" if fee.cents else "no restocking fee"
    return f"{sentence}; {kept} applies"


def _quote() -> Tool:
    return Tool(
        "quote_return",
        "When to call: a verified caller wants to send back or hand in an item, check_return_eligibility "
        "says that it may come back, and you know why it comes back. Prices the return and opens "
        "nothing: read the refund and any restocking fee back, and get a clear yes before "
        "confirm_return. A new quote makes an earlier one void.",
        (
            ORDER_NUMBER,
            Parameter("reason", ValueKind.TEXT, "Why the item comes back", choices=_REASONS),
            ITEM,
            _OPENED,
        ),
        quote_return,
    )


def quote_return(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer, order, item, opened = _read(context, arguments)
    reason = arguments["reason"]
    _require_returnable(context, customer, order, item, reason)
    fee = fee_of(order, item, opened=opened, fault=reason in FAULTS)
    paid = _paid(context, order["order_number"], item)
    refund = _refund(context, order["order_number"], item, fee.cents)
    quote = open_order_quote(
        context,
        customer,
        OrderQuote("return", order["order_number"], item["line"], refund, fee.cents, reason),
    )
    card = paid_with(payment_of(context, order["order_number"]))
    kept = f"{policy.dollars(fee.cents)} is kept back, because " if fee.cents else ""
    return {
        "quote_token": quote.token,
        "order_number": order["order_number"],
        "item": item["title"],
        "price": policy.dollars(paid),
        "restocking_fee": fee.spoken,
        "fee_why": fee.why,
        "refund": policy.dollars(refund),
        "paid_back_to": card,
        "hazard": is_hazard(item, reason),
        "in_short": f"for the {item['title']} {policy.dollars(refund)} goes back to {card}; {kept}{fee.why}",
    }


def _require_returnable(
    context: ToolContext, customer: sqlite3.Row, order: sqlite3.Row, item: sqlite3.Row, reason: str
) -> None:
    """
    Raises:
        ToolRefusal: ``already_returned``, ``not_a_safety_case`` or ``not_returnable``.
    """
    found = eligibility(context, customer, order, item)
    if found.reason == "already_returned":
        message = "This item is being returned already. get_refund_status tells where the money is."
        raise ToolRefusal("already_returned", message)
    if reason == "recall_or_safety" and not (item["recalled"] or item["battery_safety_flag"]):
        message = (
            "This product is neither under recall nor known for its battery. If it is only faulty, the "
            "reason is defective; if it is hot, swollen or smoking, use transfer_to_human with safety_hazard."
        )
        raise ToolRefusal("not_a_safety_case", message, field="reason")
    installed = found.reason == "installed_appliance"
    if not found.returnable or (installed and reason != "damaged_on_arrival"):
        message = f"It can't come back: {found.sentence(item['title'], today(context))}. Tell the caller so."
        raise ToolRefusal("not_returnable", message)


def _confirm() -> Tool:
    return Tool(
        "confirm_return",
        "When to call: a clear yes has followed your read-back of the refund and of the restocking fee. "
        "Opens the return and gives its RMA number. Afterwards say next_step. Not while the caller is "
        "only asking what they would get.",
        (
            quote_token("quote_return"),
            Parameter(
                "refund_acknowledged",
                ValueKind.YES_NO,
                "True only if the caller heard the refund and any fee, and agreed",
            ),
        ),
        confirm_return,
    )


def confirm_return(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    require_consent(arguments, "refund_acknowledged", "the refund and any restocking fee")
    quote = take_order_quote(context, customer, arguments["quote_token"], "return")
    order = own_order(context, customer, quote.order_number)
    item = items_of(context.db, quote.order_number)[quote.line - 1]
    _require_returnable(context, customer, order, item, quote.detail)
    rma = f"RMA-{quote.order_number[3:]}{quote.line}"
    _open(context, quote, rma)
    _require_unmatched_since(context, item, quote)
    money = add_refund(context, quote.order_number, "return", quote.line, quote.amount_cents, issued=False)
    use_order_quote(context, quote)
    hazard = is_hazard(item, quote.detail)
    return {
        "rma_number": rma,
        "order_number": quote.order_number,
        "item": item["title"],
        "refund": money["refund"],
        "paid_back_to": money["paid_back_to"],
        "hazard": hazard,
        "next_step": _next_step(hazard=hazard, marketplace=not sold_by_kestrel(order)),
        "in_short": f"the return of the {item['title']} is open, and {money['refund']} goes back to "
        f"{money['paid_back_to']} once it has been checked in",
    }


def _open(context: ToolContext, quote: OrderQuote, rma: str) -> None:
    context.db.execute(
        "INSERT INTO returns VALUES (?, ?, ?, ?, ?, ?, 'open', 'none', ?, ?)",
        (
            rma,
            quote.order_number,
            quote.line,
            quote.detail,
            quote.amount_cents,
            quote.fee_cents,
            today(context).isoformat(),
            quote.token,
        ),
    )


def _require_unmatched_since(context: ToolContext, item: sqlite3.Row, quote: OrderQuote) -> None:
    """What a price match has paid back since the quote is not refunded once more.

    Raises:
        ToolRefusal: ``quote_superseded``.
    """
    if quote.amount_cents != _refund(context, quote.order_number, item, quote.fee_cents):
        message = (
            "The price of this item was matched after the quote, so the refund is smaller. Call quote_return "
            "and read the refund back."
        )
        raise ToolRefusal("quote_superseded", message, field="quote_token")


def _refund(context: ToolContext, order_number: str, item: sqlite3.Row, fee_cents: int) -> int:
    """What goes back for an item, in cents: never less than nothing."""
    return max(0, _paid(context, order_number, item) - fee_cents)


def _paid(context: ToolContext, order_number: str, item: sqlite3.Row) -> int:
    """What was paid for all pieces of an item and not paid back by a price match."""
    paid: int = item["unit_cents"] * item["quantity"]
    return paid - matched_cents(context, order_number, item["line"])


def _next_step(*, hazard: bool, marketplace: bool) -> str:
    if hazard:
        return (
            "Leave it where it can't burn, and don't mail it or bring it in. A courier brings a "
            "recovery kit for it."
        )
    if marketplace:
        return "It goes to the seller, never to a store: you get a prepaid label by e-mail."
    return "You can bring it to any Kestrel store with a photo ID, or get a prepaid label by e-mail."
