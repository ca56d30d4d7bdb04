"""Orders, what is on them, how they were paid, and the plans and appointments that hang on them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

import attrs

from offhook_industries.common.dice import Dice
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.seed.banners import BANNERS
from offhook_industries.customer_support.seed.cases import CASES, CaseOrder
from offhook_industries.customer_support.seed.catalog import Product, products
from offhook_industries.customer_support.seed.customers import Customer
from offhook_industries.customer_support.seed.stores import Store

__all__ = ["Item", "Order", "Sale", "fill_orders"]

_MARKETPLACE: Final = (
    "Pinnacle Deals",
    "Lowland Trading",
    "Copperline Direct",
    "Bright Alley Goods",
    "Northcote Outlet",
)
_METHODS: Final = ("credit", "debit", "store_card")
_PLAN_SHARE: Final = 0.18
_PLAN_MONTHS: Final = 24
_APPOINTMENT_SHARE: Final = 0.12
_ELSEWHERE_SHARE: Final = 0.07


@attrs.frozen
class Order:
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
class Item:
    """A row of ``order_items``, with the product it names."""

    order_number: str
    line: int
    product: Product
    quantity: int
    unit_cents: int
    open_box: int
    box_opened: int


@attrs.frozen
class Sale:
    """An order with what is on it and how it was paid."""

    order: Order
    items: tuple[Item, ...]
    method: str
    card_last4: str


def fill_orders(
    db: sqlite3.Connection, dice: Dice, customers: tuple[Customer, ...], stores: tuple[Store, ...]
) -> tuple[Sale, ...]:
    """Writes orders, items, payments, plans and appointments; returns the crowd's sales. Customers come with
    the cases first."""
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
    plans += [
        row for person in CASES for order in person.orders if (row := _case_plan(order, cases)) is not None
    ]
    visits = [row for kind, row in fillings if kind == "visit"]
    db.executemany("INSERT INTO protection_plans VALUES (?, ?, ?, ?, ?, ?, ?, ?)", plans)
    db.executemany("INSERT INTO service_appointments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", visits)
    return tuple(crowd)


def _write(db: sqlite3.Connection, sales: list[Sale]) -> None:
    marks = ", ".join("?" * len(attrs.fields(Order)))
    db.executemany(f"INSERT INTO orders VALUES ({marks})", [attrs.astuple(sale.order) for sale in sales])
    items = [item for sale in sales for item in sale.items]
    db.executemany(
        "INSERT INTO order_items VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                item.order_number,
                item.line,
                item.product.sku,
                item.quantity,
                item.unit_cents,
                item.open_box,
                item.box_opened,
            )
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


def _case_sale(person: Customer, case: CaseOrder, catalogue: tuple[Product, ...]) -> Sale:
    product = next(item for item in catalogue if item.sku == case.sku)
    after = date.fromisoformat(case.placed_on) + timedelta(days=3)
    order = Order(
        case.order_number,
        person.customer_id,
        None,
        case.seller,
        case.placed_on,
        case.status,
        case.arrives or after.isoformat(),
        case.window,
        int(case.installation),
        int(case.haul_away),
        case.postal_code,
        case.state,
    )
    cents = product.price_cents if case.unit_cents is None else case.unit_cents
    item = Item(case.order_number, 1, product, 1, cents, int(case.open_box), int(case.opened))
    return Sale(order, (item,), case.method, case.card_last4)


def _case_plan(order: CaseOrder, sales: list[Sale]) -> tuple[object, ...] | None:
    """The plan of an order that was written out with one."""
    if order.plan is None:
        return None
    sale = next(sale for sale in sales if sale.order.order_number == order.order_number)
    start = date.fromisoformat(order.placed_on)
    return (
        f"TP-{order.order_number[3:]}-1",
        sale.order.customer_id,
        order.order_number,
        1,
        order.placed_on,
        policy.add_months(start, _PLAN_MONTHS).isoformat(),
        order.plan,
        1,
    )


def _sales(
    person: Customer,
    numbers: Iterator[str],
    catalogue: tuple[Product, ...],
    near: dict[str, list[int]],
    dice: Dice,
) -> Iterator[Sale]:
    card = dice.digits(4)
    for _ in range(dice.weighted((1, 2, 3, 4), (52, 28, 14, 6))):
        number = next(numbers)
        chosen = dice.sample(catalogue, dice.weighted((1, 2, 3), (66, 25, 9)))
        items = tuple(_item(number, line, product, dice) for line, product in enumerate(chosen, 1))
        if dice.chance(0.1):
            card = dice.digits(4)
        yield Sale(_order(person, number, items, near, dice), items, dice.weighted(_METHODS, (6, 3, 1)), card)


def _item(number: str, line: int, product: Product, dice: Dice) -> Item:
    open_box = int(dice.chance(0.06))
    share = 82 if open_box else dice.weighted((100, 90), (8, 2))
    opened = open_box or int(dice.chance(0.7 if product.product_class == "activatable" else 0.3))
    quantity = dice.weighted((1, 2), (19, 1))
    return Item(number, line, product, quantity, product.price_cents * share // 100, open_box, opened)


def _order(
    person: Customer, number: str, items: tuple[Item, ...], near: dict[str, list[int]], dice: Dice
) -> Order:
    today = policy.NOW.date()
    placed = today - timedelta(days=dice.below(12 if dice.chance(0.1) else 420))
    large = any(item.product.product_class in ("major_appliance", "special_order") for item in items)
    marketplace = not large and dice.chance(0.08)
    seller = dice.pick(_MARKETPLACE) if marketplace else dice.weighted(BANNERS, (75, 5, 5, 5, 5, 5))
    store = dice.pick(near[person.state]) if not marketplace and not large and dice.chance(0.4) else None
    delivery = placed + timedelta(days=dice.between(2, 12) if large else dice.between(1, 5))
    status = "picked_up" if store is not None else _status(placed, delivery, today, large, dice)
    due = None if store is not None or status == "cancelled" else delivery.isoformat()
    elsewhere = dice.chance(_ELSEWHERE_SHARE)
    return Order(
        number,
        person.customer_id,
        store,
        seller,
        placed.isoformat(),
        status,
        due,
        dice.pick(policy.VISIT_WINDOWS) if due is not None else None,
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
    sales: list[Sale], near: dict[str, list[int]], dice: Dice
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


def _plan(sale: Sale, item: Item) -> tuple[object, ...]:
    start = date.fromisoformat(sale.order.placed_on)
    phone = item.product.product_class == "activatable"
    plan_id = f"TP-{sale.order.order_number[3:]}-{item.line}"
    end = policy.add_months(start, _PLAN_MONTHS)
    deductible = policy.PHONE_DEDUCTIBLE_CENTS if phone else 0
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


def _visit(sale: Sale, item: Item, near: dict[str, list[int]], dice: Dice) -> tuple[object, ...]:
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
        dice.pick(policy.BENCH_WINDOWS if kind == "bench" else policy.VISIT_WINDOWS),
        status,
        dice.weighted((0, policy.IN_HOME_CENTS if large else policy.BENCH_CENTS), (2, 1)),
    )
