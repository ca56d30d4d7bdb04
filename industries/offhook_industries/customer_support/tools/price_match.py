"""The Price Match Guarantee: a competitor's price is tested, and the difference refunded on a yes."""

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
    return_of,
    sold_by_kestrel,
)

__all__ = ["price_match_tools"]

_COMPETITORS: Final = (
    Choice("rivertide", "the electronics chain Rivertide", ("river tide",)),
    Choice("montrose_home", "the home store Montrose Home", ("montrose",)),
    Choice("larch_and_lane", "the department store Larch & Lane", ("larch & lane", "larch", "larch lane")),
    Choice("bolt_depot", "the hardware and electronics store Bolt Depot", ("bolt",)),
    Choice("cascade_direct", "the online shop Cascade Direct", ("cascade",)),
    Choice(
        "kestrel", "Kestrel's own website or stores sell it for less now", ("kestrel electronics", "your own")
    ),
    Choice("other", "any other shop, an auction, a marketplace or a private seller", ("another shop",)),
)


def price_match_tools() -> tuple[Tool, ...]:
    return (_quote(), _confirm())


def _quote() -> Tool:
    return Tool(
        "quote_price_match",
        "When to call: a verified caller has seen an item of one of their orders cheaper elsewhere, and "
        "you know the order, the competitor and today's price there. Tests every rule of the Price "
        "Match Guarantee and works the difference out; nothing is paid yet. If eligible is false, tell "
        "what in_short says and don't argue. For the rules in general use get_policy.",
        (
            ORDER_NUMBER,
            Parameter(
                "competitor",
                ValueKind.TEXT,
                "Who sells it for less; other for any shop that is not listed",
                choices=_COMPETITORS,
            ),
            Parameter("competitor_price", ValueKind.AMOUNT, "The competitor's price today"),
            ITEM,
        ),
        quote_price_match,
    )


def quote_price_match(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    order = own_order(context, customer, arguments["order_number"])
    item = item_of(context, order, arguments.get("item"))
    competitor, cents = arguments["competitor"], arguments["competitor_price"]
    against = _rule_against(context, customer, order, item) or _price_against(
        context, item, competitor, cents
    )
    if against is not None:
        reason, sentence = against
        return {"eligible": False, "reason": reason, "item": item["title"], "in_short": sentence}
    difference = (item["unit_cents"] - cents) * item["quantity"]
    quote = open_order_quote(
        context,
        customer,
        OrderQuote("price_match", order["order_number"], item["line"], difference, 0, competitor),
    )
    told = policy.dollars(difference)
    return {
        "eligible": True,
        "reason": "qualifies",
        "quote_token": quote.token,
        "order_number": order["order_number"],
        "item": item["title"],
        "paid": policy.dollars(item["unit_cents"]),
        "competitor_name": policy.COMPETITORS[competitor],
        "competitor_price": policy.dollars(cents),
        "difference": told,
        "in_short": f"the {item['title']} qualifies, and the difference of {told} can go back to the card",
    }


def _rule_against(
    context: ToolContext, customer: sqlite3.Row, order: sqlite3.Row, item: sqlite3.Row
) -> tuple[str, str] | None:
    """What about our own sale stands against a match: a stable word, and a sentence to say."""
    title = item["title"]
    if not sold_by_kestrel(order):
        sold = f"the {title} was sold by {order['seller']} on the Marketplace"
        return "marketplace_item", f"{sold}, and Marketplace items are not matched"
    if item["open_box"]:
        return "open_box_item", f"the {title} was sold open-box, and open-box prices are final"
    if item["product_class"] == "special_order":
        return "special_order_item", f"the {title} was made to order, and special orders are not matched"
    if order["status"] == "cancelled":
        return "cancelled_order", "that order was cancelled, so there is no price to match"
    if _window_over(context, customer, order, item):
        return "window_closed", "the return window is over, and prices are matched within it only"
    if matched_cents(context, order["order_number"], item["line"]):
        return "already_matched", f"the price of the {title} has been matched once, and once is all"
    if return_of(context, order["order_number"], item["line"]) is not None:
        return "already_returned", f"the {title} is being returned"
    return None


def _window_over(context: ToolContext, customer: sqlite3.Row, order: sqlite3.Row, item: sqlite3.Row) -> bool:
    if order["status"] not in ("delivered", "picked_up"):
        return False
    window = policy.return_window(item["product_class"], customer["tier"], marketplace=False, recalled=False)
    last = window.last_day(date.fromisoformat(order["delivery_on"] or order["placed_on"]))
    return last is not None and today(context) > last


def _price_against(
    context: ToolContext, item: sqlite3.Row, competitor: str, cents: int
) -> tuple[str, str] | None:
    """What about the other price stands against a match. It counts only as our own check finds it."""
    if competitor not in policy.COMPETITORS:
        named = [name for key, name in policy.COMPETITORS.items() if key != "kestrel"]
        return "competitor_not_listed", f"only these competitors are matched: {', '.join(named)}"
    paid, name = policy.dollars(item["unit_cents"]), policy.COMPETITORS[competitor]
    if cents >= item["unit_cents"]:
        return "not_lower", f"{policy.dollars(cents)} at {name} is not lower than the {paid} that was paid"
    found, third_party = _found(context, item["sku"], competitor)
    if third_party:
        return (
            "third_party_listing",
            f"at {name} it is sold by somebody else, and such listings are not matched",
        )
    if found != cents:
        seen = "no price for it" if found is None else policy.dollars(found)
        return "price_not_confirmed", f"we check the price at {name} ourselves and find {seen} there today"
    return None


def _found(context: ToolContext, sku: str, competitor: str) -> tuple[int | None, bool]:
    """Today's price as we find it, and whether a third party asks for it."""
    if competitor == "kestrel":
        row = context.db.execute("SELECT price_cents FROM products WHERE sku = ?", (sku,)).fetchone()
        return row["price_cents"], False
    row = context.db.execute(
        "SELECT price_cents, third_party FROM competitor_offers WHERE sku = ? AND competitor = ?",
        (sku, competitor),
    ).fetchone()
    return (None, False) if row is None else (row["price_cents"], bool(row["third_party"]))


def _confirm() -> Tool:
    return Tool(
        "confirm_price_match",
        "When to call: quote_price_match said that the item qualifies, you have told the caller the "
        "difference, and they want it. Sends the difference back to the card that paid. Once for each item.",
        (quote_token("quote_price_match"),),
        confirm_price_match,
    )


def confirm_price_match(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    quote = take_order_quote(context, customer, arguments["quote_token"], "price_match")
    order = own_order(context, customer, quote.order_number)
    item = items_of(context.db, quote.order_number)[quote.line - 1]
    # The order may have been cancelled, or the item returned, since it was quoted.
    against = _rule_against(context, customer, order, item)
    if against is not None:
        message = f"Nothing was paid: {against[1]}. Tell the caller."
        raise ToolRefusal(against[0], message, field="quote_token")
    money = add_refund(
        context, quote.order_number, "price_match", quote.line, quote.amount_cents, issued=True
    )
    use_order_quote(context, quote)
    return {
        "matched": True,
        "order_number": quote.order_number,
        "item": item["title"],
        **money,
        "in_short": f"{money['refund']} goes back to {money['paid_back_to']}",
    }
