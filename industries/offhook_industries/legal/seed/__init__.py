"""Fills a fresh database, the same bytes every time."""

from __future__ import annotations

import sqlite3
from typing import Final

__all__ = ["seed"]

_SEED: Final = 19_940_817


def seed(db: sqlite3.Connection) -> None:
    """Writes every table that starts with rows. Draws depend on nothing but the fixed seed."""
    # Here, so that building the pack does not read the generators' tables.
    from offhook_industries.common.dice import Dice
    from offhook_industries.legal.seed.book import fill_callers, fill_matters
    from offhook_industries.legal.seed.firm import fill_firm
    from offhook_industries.legal.seed.lists import fill_lists
    from offhook_industries.legal.seed.slots import fill_slots

    dice = Dice(_SEED)
    fill_firm(db)
    people = fill_callers(db, dice)
    fill_matters(db, dice, people)
    fill_lists(db)
    fill_slots(db, dice, people)
    db.execute("INSERT INTO call_session VALUES (1, NULL, 'unchecked', 0)")
