"""Fills a fresh database, the same bytes every time."""

from __future__ import annotations

import sqlite3
from typing import Final

__all__ = ["seed"]

_SEED: Final = 5_410_171


def seed(db: sqlite3.Connection) -> None:
    """Writes every table that starts with rows. Draws depend on nothing but the fixed seed."""
    # Here, so that building the pack does not read the generators' tables.
    from offhook_industries.common.dice import Dice
    from offhook_industries.customer_support.seed.aftermath import fill_contacts, fill_offers, fill_returns
    from offhook_industries.customer_support.seed.cases import CASES
    from offhook_industries.customer_support.seed.catalog import fill_products
    from offhook_industries.customer_support.seed.customers import fill_customers
    from offhook_industries.customer_support.seed.orders import fill_orders
    from offhook_industries.customer_support.seed.stores import fill_stores
    from offhook_industries.customer_support.seed.texts import fill_texts

    dice = Dice(_SEED)
    fill_texts(db)
    fill_products(db)
    stores = fill_stores(db, dice)
    customers = fill_customers(db, dice)
    sales = fill_orders(db, dice, customers, stores)
    fill_returns(db, sales, dice)
    fill_offers(db, dice)
    fill_contacts(db, customers[len(CASES) :], dice)
    db.execute("INSERT INTO call_session VALUES (1, NULL, 0, 0, 0)")
