"""Fills a fresh database, the same bytes every time."""

from __future__ import annotations

import sqlite3
from typing import Final

__all__ = ["seed"]

_SEED: Final = 2_125_550_133


def seed(db: sqlite3.Connection) -> None:
    """Writes every table that starts with rows. Draws depend on nothing but the fixed seed."""
    # Here, so that building the pack does not read the generators' tables.
    from offhook_industries.common.dice import Dice
    from offhook_industries.healthcare.seed._charts import fill_charts
    from offhook_industries.healthcare.seed._desk import fill_desk
    from offhook_industries.healthcare.seed._patients import fill_patients
    from offhook_industries.healthcare.seed._places import fill_places
    from offhook_industries.healthcare.seed._providers import fill_providers
    from offhook_industries.healthcare.seed._reference import fill_reference
    from offhook_industries.healthcare.seed._slots import fill_slots
    from offhook_industries.healthcare.seed.cases import CASES

    # One stream a subject: more of one changes nothing of another.
    fill_reference(db)
    sites = fill_places(db, Dice(_SEED + 1))
    staff = fill_providers(db, sites, Dice(_SEED + 2))
    taken = fill_slots(db, sites, staff, Dice(_SEED + 3))
    patients = fill_patients(db, sites, Dice(_SEED + 4))
    fill_charts(db, patients, staff, taken, Dice(_SEED + 5))
    fill_desk(db, patients[len(CASES) :], Dice(_SEED + 6))
    db.execute("INSERT INTO call_session VALUES (1, NULL, 0, '')")
