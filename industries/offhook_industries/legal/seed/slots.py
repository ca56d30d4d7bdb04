"""Open and taken case evaluations: the first ones written out, then two weeks and more of everybody's."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from offhook_industries.common.dice import Dice
from offhook_industries.legal import policy
from offhook_industries.legal.areas import AREAS
from offhook_industries.legal.directory import ATTORNEYS, Attorney
from offhook_industries.legal.seed.book import Caller

__all__ = ["fill_slots"]

# The earliest opening of its attorney's areas and states.
_FIRST: Final = (
    ("EV-2101", "AT-103", "2026-08-18T14:00"),
    ("EV-2102", "AT-105", "2026-08-18T15:30"),
    ("EV-2103", "AT-108", "2026-08-18T16:00"),
    ("EV-2104", "AT-101", "2026-08-18T13:30"),
    ("EV-2105", "AT-106", "2026-08-18T11:30"),
)
# What is already booked for written-out callers: one within a day, one later.
_BOOKED: Final = (
    ("EV-2106", "AT-108", "2026-08-18T09:30", "Rosalind Hart", "consumer", "Oregon"),
    ("EV-2107", "AT-108", "2026-08-20T10:00", "Rosalind Hart", "consumer", "Oregon"),
    ("EV-2108", "AT-101", "2026-08-18T09:00", "Angela Pryor", "medical_malpractice", "Florida"),
)
_TIMES: Final = ("09:00", "10:30", "11:30", "13:30", "14:30", "16:00")
_FROM: Final = date(2026, 8, 19)
_DAYS: Final = 17
_A_DAY: Final = 2
_TAKEN_SHARE: Final = 0.3
_FIRST_NUMBER: Final = 2201


def fill_slots(db: sqlite3.Connection, dice: Dice, people: Sequence[Caller]) -> None:
    fee_kinds = {area.matter_type: area.fee_kind for area in AREAS}
    ids = {person.full_name: person.caller_id for person in people}
    db.executemany("INSERT INTO evaluation_slots VALUES (?, ?, ?, 'open')", _FIRST)
    for slot, attorney_id, starts, name, matter_type, state in _BOOKED:
        _book(db, (slot, attorney_id, starts), ids[name], matter_type, state, fee_kinds[matter_type])
    prospects = {
        attorney.attorney_id: [
            person for person in people if person.kind == "prospect" and person.state in attorney.states
        ]
        for attorney in ATTORNEYS
    }
    for slot, attorney, starts in _calendar(dice):
        visitors = prospects[attorney.attorney_id]
        row = (slot, attorney.attorney_id, starts)
        if dice.chance(_TAKEN_SHARE) and visitors:
            visitor, matter_type = dice.pick(visitors), dice.pick(attorney.areas)
            _book(db, row, visitor.caller_id, matter_type, str(visitor.state), fee_kinds[matter_type])
        else:
            db.execute("INSERT INTO evaluation_slots VALUES (?, ?, ?, 'open')", row)


def _calendar(dice: Dice) -> Iterator[tuple[str, Attorney, str]]:
    number = _FIRST_NUMBER
    for attorney in ATTORNEYS:
        for offset in range(_DAYS):
            day = _FROM + timedelta(days=offset)
            if day.weekday() >= 5:
                continue
            for time in sorted(dice.sample(_TIMES, _A_DAY)):
                if (attorney.attorney_id, f"{day}T{time}") not in {(item[1], item[2]) for item in _BOOKED}:
                    yield f"EV-{number}", attorney, f"{day}T{time}"
                    number += 1


def _book(
    db: sqlite3.Connection,
    slot: tuple[str, str, str],
    caller_id: int,
    matter_type: str,
    state: str,
    fee_kind: str,
) -> None:
    db.execute("INSERT INTO evaluation_slots VALUES (?, ?, ?, 'booked')", slot)
    db.execute(
        "INSERT INTO appointments (caller_id, slot_id, matter_type, state, fee_cents, status, created_at) "
        "VALUES (?, ?, ?, ?, ?, 'booked', ?)",
        (
            caller_id,
            slot[0],
            matter_type,
            state,
            policy.evaluation_fee_cents(fee_kind),
            "2026-08-10T09:00:00",
        ),
    )
