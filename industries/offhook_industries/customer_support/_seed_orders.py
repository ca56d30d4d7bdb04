"""Orders, what is on them, how they were paid, and the plans and appointments that hang on them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

import attrs

from offhook_industries.customer_support import policy
from offhook_industries.customer_support._seed_cases import CASES, CaseOrder
from offhook_industries.customer_support._seed_catalog import Product, products
from offhook_industries.customer_support._seed_customers import Customer
from offhook_industries.customer_support._seed_dice import Dice
from offhook_industries.customer_support._seed_stores import Store

__all__ = ["fill_orders"]

_BANNERS: Final = (
    "Kestrel",
    "Sound Harbor",
    "Bellwether Mobile",
    "Aurelian Audio",
    "Coastline Kitchen & Home",
    "Sagebrush Outdoor",
)
_MARKETPLACE: Final = (
    "Pinnacle Deals",
    "Lowland Trading",
    "Copperline Direct",
    "Bright Alley Goods",
    "Northcote Outlet",
)
_WINDOWS: Final = ("8 AM to noon", "noon to 4 PM", "4 PM to 8 PM")
_METHODS: Final = ("credit", "debit", "store_card")
_PLAN_SHARE: Final = 0.18
_APPOINTMENT_SHARE: Final = 0.12
_ELSEWHERE_SHARE: Final = 0.07


@attrs.frozen
class _Order:
    """A row of ``orders``."""

    order_number: str
    customer_id: int
    store_number: int | None
    seller: str
    placed_on: str
    status: str
    delivery_on: str | None
    delivery_window: str | None
    installation: int
    haul_away: int
    postal_code: str
    state: str


@attrs.frozen
class _Item:
    """A row of ``order_items``, with the product it names."""

    order_number: str
    line: int
    product: Product
    quantity: int
    unit_cents: int
    open_box: int


@attrs.frozen
class _Sale:
    order: _Order
    items: tuple[_Item, ...]
    method: str
    card_last4: str


def fill_orders(
    db: sqlite3.Connection, dice: Dice, customers: tuple[Customer, ...], stores: tuple[Store, ...]
) -> None:
    """Writes orders, items, payments, plans and appointments. Customers come with the cases first."""
    catalogue = products()
    numbers = _order_numbers(dice)
    near = _stores_by_state(stores)
    cases = [
        _case_sale(person, order, catalogue)
        for person, case in zip(customers, CASES, strict=False)
        for order in case.orders
    ]
    crowd = [
        sale for person in customers[len(CASES) :] for sale in _sales(person, numbers, catalogue, near, dice)
    ]
    sales = sorted(cases + crowd, key=lambda sale: sale.order.order_number)
    _write(db, sales)
    fillings = list(_service_rows(crowd, near, dice))
    plans = [row for kind, row in fillings if kind == "plan"]
    visits = [row for kind, row in fillings if kind == "visit"]
    db.executemany("INSERT INTO protection_plans VALUES (?, ?, ?, ?, ?, ?, ?, ?)", plans)
    db.executemany("INSERT INTO service_appointments VALUES (?, ?, ?, ?, ?, ?, ?, ?)", visits)


def _write(db: sqlite3.Connection, sales: list[_Sale]) -> None:
    marks = ", ".join("?" * len(attrs.fields(_Order)))
    db.executemany(f"INSERT INTO orders VALUES ({marks})", [attrs.astuple(sale.order) for sale in sales])
    items = [item for sale in sales for item in sale.items]
    db.executemany(
        "INSERT INTO order_items VALUES (?, ?, ?, ?, ?, ?)",
        [
            (item.order_number, item.line, item.product.sku, item.quantity, item.unit_cents, item.open_box)
            for item in items
        ],
    )
    payments = [
        (
            sale.order.order_number,
            sale.method,
            sale.card_last4,
            sum(item.quantity * item.unit_cents for item in sale.items),
        )
        for sale in sales
    ]
    db.executemany("INSERT INTO payments VALUES (?, ?, ?, ?)", payments)


def _order_numbers(dice: Dice) -> Iterator[str]:
    """Order numbers that no written-out case has, each once."""
    used = {order.order_number for case in CASES for order in case.orders}
    while True:
        number = f"KE-44{dice.digits(5)}"
        if number not in used:
            used.add(number)
            yield number


def _stores_by_state(stores: tuple[Store, ...]) -> dict[str, list[int]]:
    near: dict[str, list[int]] = {}
    for store in stores:
        near.setdefault(store.state, []).append(store.number)
    return near


def _case_sale(person: Customer, case: CaseOrder, catalogue: tuple[Product, ...]) -> _Sale:
    product = next(item for item in catalogue if item.sku == case.sku)
    delivered = (date.fromisoformat(case.placed_on) + timedelta(days=3)).isoformat()
    order = _Order(
        case.order_number,
        person.customer_id,
        None,
        "Kestrel",
        case.placed_on,
        "delivered",
        delivered,
        _WINDOWS[1],
        0,
        0,
        case.postal_code,
        case.state,
    )
    return _Sale(
        order,
        (_Item(case.order_number, 1, product, 1, product.price_cents, 0),),
        case.method,
        case.card_last4,
    )


def _sales(
    person: Customer,
    numbers: Iterator[str],
    catalogue: tuple[Product, ...],
    near: dict[str, list[int]],
    dice: Dice,
) -> Iterator[_Sale]:
    card = dice.digits(4)
    for _ in range(dice.weighted((1, 2, 3, 4), (52, 28, 14, 6))):
        number = next(numbers)
        chosen = dice.sample(catalogue, dice.weighted((1, 2, 3), (66, 25, 9)))
        items = tuple(_item(number, line, product, dice) for line, product in enumerate(chosen, 1))
        if dice.chance(0.1):
            card = dice.digits(4)
        yield _Sale(
            _order(person, number, items, near, dice), items, dice.weighted(_METHODS, (6, 3, 1)), card
        )


def _item(number: str, line: int, product: Product, dice: Dice) -> _Item:
    open_box = int(dice.chance(0.06))
    share = 82 if open_box else dice.weighted((100, 90), (8, 2))
    return _Item(
        number, line, product, dice.weighted((1, 2), (19, 1)), product.price_cents * share // 100, open_box
    )


def _order(
    person: Customer, number: str, items: tuple[_Item, ...], near: dict[str, list[int]], dice: Dice
) -> _Order:
    today = policy.NOW.date()
    placed = today - timedelta(days=dice.below(12 if dice.chance(0.1) else 420))
    large = any(item.product.product_class in ("major_appliance", "special_order") for item in items)
    marketplace = not large and dice.chance(0.08)
    seller = dice.pick(_MARKETPLACE) if marketplace else dice.weighted(_BANNERS, (75, 5, 5, 5, 5, 5))
    store = dice.pick(near[person.state]) if not marketplace and not large and dice.chance(0.4) else None
    delivery = placed + timedelta(days=dice.between(2, 12) if large else dice.between(1, 5))
    status = "picked_up" if store is not None else _status(placed, delivery, today, large, dice)
    due = None if store is not None or status == "cancelled" else delivery.isoformat()
    elsewhere = dice.chance(_ELSEWHERE_SHARE)
    return _Order(
        number,
        person.customer_id,
        store,
        seller,
        placed.isoformat(),
        status,
        due,
        dice.pick(_WINDOWS) if due is not None else None,
        int(large and dice.chance(0.6)),
        int(large and dice.chance(0.5)),
        person.postal_code[:3] + dice.digits(2) if elsewhere else person.postal_code,
        person.state,
    )


def _status(placed: date, delivery: date, today: date, large: bool, dice: Dice) -> str:
    if dice.chance(0.03):
        return "cancelled"
    if delivery <= today:
        return "delivered"
    if large:
        return "scheduled"
    return "processing" if placed >= today - timedelta(days=1) else "shipped"


def _service_rows(
    sales: list[_Sale], near: dict[str, list[int]], dice: Dice
) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Rows of protection plans and appointments, each with its kind."""
    for sale in sales:
        for item in sale.items:
            if sale.order.status == "cancelled" or item.product.price_cents < 10000:
                continue
            if dice.chance(_PLAN_SHARE):
                yield "plan", _plan(sale, item)
            if dice.chance(_APPOINTMENT_SHARE):
                yield "visit", _visit(sale, item, near, dice)


def _plan(sale: _Sale, item: _Item) -> tuple[object, ...]:
    start = date.fromisoformat(sale.order.placed_on)
    phone = item.product.product_class == "activatable"
    plan_id = f"TP-{sale.order.order_number[3:]}-{item.line}"
    end = policy.add_months(start, 24)
    deductible = 9900 if phone else 0
    return (
        plan_id,
        sale.order.customer_id,
        sale.order.order_number,
        item.line,
        start.isoformat(),
        end.isoformat(),
        deductible,
        int(phone),
    )


def _visit(sale: _Sale, item: _Item, near: dict[str, list[int]], dice: Dice) -> tuple[object, ...]:
    today = policy.NOW.date()
    large = item.product.product_class in ("major_appliance", "special_order")
    kind = "in_home" if large else dice.weighted(("bench", "remote"), (3, 1))
    earliest = date.fromisoformat(sale.order.placed_on) + timedelta(days=5)
    day = earliest + timedelta(days=dice.below(max(1, (today - earliest).days + 21)))
    status = "booked" if day > today else dice.weighted(("done", "cancelled"), (9, 1))
    store = dice.pick(near[sale.order.state]) if kind == "bench" else None
    visit_id = f"TC-{sale.order.order_number[3:]}-{item.line}"
    return (
        visit_id,
        sale.order.customer_id,
        store,
        kind,
        item.product.sku,
        day.isoformat(),
        dice.pick(_WINDOWS),
        status,
    )
