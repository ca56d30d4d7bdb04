"""The firm itself: states, kinds of matter, filing limits, attorneys, and who takes messages."""

from __future__ import annotations

import sqlite3

from offhook_industries.legal.areas import AREAS
from offhook_industries.legal.directory import ATTORNEYS, DESKS
from offhook_industries.legal.seed.limits import limits
from offhook_industries.legal.states import LICENSED, STATE_CODES

__all__ = ["fill_firm"]


def fill_firm(db: sqlite3.Connection) -> None:
    db.executemany(
        "INSERT INTO states VALUES (?, ?, ?)",
        [(state, code, int(state in LICENSED)) for state, code in STATE_CODES.items()],
    )
    db.executemany(
        "INSERT INTO practice_areas VALUES (?, ?, ?)",
        [(area.matter_type, area.title, area.fee_kind) for area in AREAS],
    )
    db.executemany("INSERT INTO filing_limits VALUES (?, ?, ?, ?, ?)", list(limits()))
    for attorney in ATTORNEYS:
        key = attorney.attorney_id
        db.execute(
            "INSERT INTO attorneys VALUES (?, ?, ?, ?)", (key, attorney.name, attorney.role, attorney.office)
        )
        db.executemany(
            "INSERT INTO attorney_states VALUES (?, ?)", [(key, state) for state in attorney.states]
        )
        db.executemany("INSERT INTO attorney_areas VALUES (?, ?)", [(key, area) for area in attorney.areas])
        db.execute("INSERT INTO recipients VALUES (?, ?, ?)", (attorney.key, attorney.name, key))
    db.executemany("INSERT INTO recipients VALUES (?, ?, NULL)", [(desk.key, desk.title) for desk in DESKS])
