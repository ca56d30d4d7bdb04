"""What follows a sale: returns and refunds on their way, prices elsewhere, and the messages Kestrel sent."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from offhook_industries.common.dice import Dice
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.seed.catalog import products
from offhook_industries.customer_support.seed.customers import Customer
from offhook_industries.customer_support.seed.orders import Sale

__all__ = ["fill_contacts", "fill_offers", "fill_returns"]

Row = tuple[object, ...]

_RETURN_SHARE: Final = 0.05
_CONTACT_SHARE: Final = 0.4
_CONTACT_DAYS: Final = 60
_REASONS: Final = ("changed_mind", "defective", "damaged_on_arrival", "wrong_item")
_PURPOSES: Final = (
    ("email", "order confirmation"),
    ("email", "membership renewal notice"),
    ("text_message", "delivery reminder"),
    ("text_message", "pick-up notice"),
    ("phone_call", "TechCrew appointment reminder"),
    ("letter", "recall notice"),
)
# sku, competitor, cents, sold by somebody else on that site
_OFFERS: Final = (
    ("AU-1010", "rivertide", 24999, 0),
    ("AU-1010", "bolt_depot", 28999, 0),
    ("AU-1010", "cascade_direct", 23999, 1),
    ("AU-1011", "rivertide", 47999, 0),
    ("AU-1021", "rivertide", 15999, 0),
    ("TV-2005", "montrose_home", 64999, 0),
)


def fill_returns(db: sqlite3.Connection, sales: tuple[Sale, ...], dice: Dice) -> None:
    """Writes refunds of cancelled orders, and the returns of some delivered items with theirs."""
    refunds: list[Row] = []
    returns: list[Row] = []
    for sale in sales:
        if sale.order.status == "cancelled":
            placed = date.fromisoformat(sale.order.placed_on)
            total = sum(item.quantity * item.unit_cents for item in sale.items)
            refunds.append(_refund(sale, "cancelled_order", 0, total, placed + timedelta(days=1)))
        elif sale.order.status in ("delivered", "picked_up") and dice.chance(_RETURN_SHARE):
            back, money = _return(sale, dice)
            returns.append(back)
            refunds.append(money)
    db.executemany("INSERT INTO returns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)", returns)
    db.executemany("INSERT INTO refunds VALUES (?, ?, ?, ?, ?, ?, ?, ?)", refunds)


def _refund(sale: Sale, kind: str, line: int, cents: int, issued: date | None) -> Row:
    if issued is None:
        return (sale.order.order_number, 1, kind, line, cents, "awaiting_item", None, None)
    first, last = policy.refund_dates(sale.method, issued)
    stage = "posted" if last <= policy.NOW.date() else "issued"
    dates = (first.isoformat(), last.isoformat())
    return (sale.order.order_number, 1, kind, line, cents, stage, *dates)


def _return(sale: Sale, dice: Dice) -> tuple[Row, Row]:
    """The first item comes back some days after it arrived, or is still on its way."""
    item, today = sale.items[0], policy.NOW.date()
    arrived = date.fromisoformat(sale.order.delivery_on or sale.order.placed_on)
    opened = min(today, arrived + timedelta(days=dice.below(12)))
    received = opened + timedelta(days=dice.between(2, 9))
    reason = dice.weighted(_REASONS, (6, 3, 2, 1))
    fee = policy.restocking_fee(
        item.product.product_class,
        item.product.kind,
        item.unit_cents,
        opened=bool(item.box_opened),
        state=sale.order.state,
        fault=reason != "changed_mind",
    ).cents
    cents = item.quantity * item.unit_cents - fee
    issued = received if received <= today else None
    number = sale.order.order_number
    back = (
        f"RMA-{number[3:]}{item.line}",
        number,
        item.line,
        reason,
        cents,
        fee,
        "open" if issued is None else "closed",
        dice.weighted(("label", "none"), (1, 1)),
        opened.isoformat(),
    )
    return back, _refund(sale, "return", item.line, cents, issued)


def fill_offers(db: sqlite3.Connection, dice: Dice) -> None:
    """Writes today's prices at the competitors whose prices are matched."""
    written = {(sku, competitor) for sku, competitor, _, _ in _OFFERS}
    shops = [name for name in policy.COMPETITORS if name != "kestrel"]
    drawn = (
        (product.sku, shop, product.price_cents * dice.between(88, 112) // 100, int(dice.chance(0.15)))
        for product in products()
        if product.product_class != "special_order"
        for shop in dice.sample(shops, 3)
    )
    rows = [*_OFFERS, *(offer for offer in drawn if offer[:2] not in written)]
    db.executemany("INSERT INTO competitor_offers VALUES (?, ?, ?, ?)", sorted(rows))


def fill_contacts(db: sqlite3.Connection, people: tuple[Customer, ...], dice: Dice) -> None:
    """Writes the messages and calls of the last weeks to people of the crowd."""
    rows = enumerate(_contacts(people, dice), 1)
    db.executemany("INSERT INTO outbound_contacts VALUES (?, ?, ?, ?, ?)", [(n, *row) for n, row in rows])


def _contacts(people: tuple[Customer, ...], dice: Dice) -> Iterator[Row]:
    for person in people:
        if dice.chance(_CONTACT_SHARE):
            channel, purpose = dice.pick(_PURPOSES)
            day = policy.NOW.date() - timedelta(days=dice.below(_CONTACT_DAYS))
            yield (person.phone, channel, day.isoformat(), purpose)
