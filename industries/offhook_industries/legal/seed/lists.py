"""The conflict list and the other sides of open matters, each with how its words begin to sound."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from offhook_industries.legal.conflicts import sounds_of
from offhook_industries.legal.seed.cases import FIRM_PARTIES

__all__ = ["fill_lists"]


def fill_lists(db: sqlite3.Connection) -> None:
    """Every client past and present is on the list, and what the firm deals with itself."""
    clients = db.execute(
        "SELECT callers.full_name, max(matters.status) FROM matters JOIN callers USING (caller_id) "
        "GROUP BY caller_id ORDER BY caller_id"
    ).fetchall()
    parties = [(name, "company", reason) for name, reason in FIRM_PARTIES]
    parties += [
        (name, "person", "client" if status == "open" else "former client") for name, status in clients
    ]
    db.executemany(
        "INSERT INTO parties VALUES (?, ?, ?, ?)", [(number, *row) for number, row in enumerate(parties, 1)]
    )
    _sounds(db, "parties", [name for name, _, _ in parties])
    opponents = db.execute(
        "SELECT adverse_party, matter_number FROM matters WHERE status = 'open' ORDER BY matter_number"
    ).fetchall()
    db.executemany(
        "INSERT INTO opponents VALUES (?, ?, ?)", [(number, *row) for number, row in enumerate(opponents, 1)]
    )
    _sounds(db, "opponents", [name for name, _ in opponents])


def _sounds(db: sqlite3.Connection, of: str, names: Iterable[str]) -> None:
    rows = [(sound, of, number) for number, name in enumerate(names, 1) for sound in sorted(sounds_of(name))]
    db.executemany("INSERT INTO name_sounds VALUES (?, ?, ?)", rows)
