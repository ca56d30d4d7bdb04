"""What the desk has already taken down: insurance members, waiting lists, fee reviews, refill requests."""

from __future__ import annotations

import sqlite3
from typing import Final

from offhook_industries.common.dice import Dice
from offhook_industries.healthcare.seed._patients import Patient
from offhook_industries.healthcare.seed.cases import MEMBERS
from offhook_industries.healthcare.vocabulary import VISIT_TYPES

__all__ = ["fill_desk"]

_WAITING: Final = 140
_WAIVER_SHARE: Final = 0.4
_REFILL_SHARE: Final = 0.15
_COPAYS: Final = (2000, 2500, 3000, 4000, 4500, 5000, 6000)
_TAKEN_DOWN: Final = "2026-08-10T11:00:00"


def fill_desk(db: sqlite3.Connection, crowd: tuple[Patient, ...], dice: Dice) -> None:
    """Writes what was taken down before today. ``crowd`` are the patients no call is about."""
    members = {(plan, number): (plan, number, *rest) for plan, number, *rest in MEMBERS}
    for patient in crowd:
        if patient.plan is not None:
            number = dice.digits(9)
            row = (
                patient.plan,
                number,
                patient.date_of_birth,
                int(dice.chance(0.96)),
                dice.pick(_COPAYS),
                dice.below(30) * 5000,
                dice.pick((0, 10, 15, 20, 30)),
            )
            members.setdefault((patient.plan, number), row)
    db.executemany("INSERT INTO coverage_members VALUES (?, ?, ?, ?, ?, ?, ?)", list(members.values()))
    kinds = [visit.choice.value for visit in VISIT_TYPES if visit.family == "medical"]
    waiting = [
        (
            f"WL-{820_001 + 3 * index}",
            patient.patient_id,
            patient.home_location,
            dice.pick(kinds),
            _TAKEN_DOWN,
        )
        for index, patient in enumerate(dice.sample(crowd, _WAITING))
    ]
    db.executemany("INSERT INTO waitlist VALUES (?, ?, NULL, NULL, ?, ?, ?)", waiting)
    _waivers(db, dice)
    _refills(db, dice)


def _waivers(db: sqlite3.Connection, dice: Dice) -> None:
    fees = db.execute(
        "SELECT charge_id, patient_id, service_on FROM charges WHERE kind = 'missed_visit' AND posted_at "
        "> '2025-09' AND charge_id < 'CH-55' ORDER BY charge_id"
    ).fetchall()
    rows = [
        (
            f"FW-{830_001 + 3 * index}",
            charge_id,
            patient_id,
            dice.pick(("illness", "emergency", "weather")),
            "",
            day,
            f"{day}T19:00:00",
        )
        for index, (charge_id, patient_id, day) in enumerate(fees)
        if dice.chance(_WAIVER_SHARE)
    ]
    db.executemany("INSERT INTO fee_waivers VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def _refills(db: sqlite3.Connection, dice: Dice) -> None:
    empty = db.execute(
        "SELECT prescription_id FROM prescriptions JOIN formulary USING (medication) WHERE refills_left "
        "= 0 AND route = 'refill' AND prescription_id < 'RX-88' ORDER BY prescription_id"
    ).fetchall()
    rows = [
        (f"RR-{840_001 + 3 * index}", prescription_id, "refill", _TAKEN_DOWN)
        for index, (prescription_id,) in enumerate(empty)
        if dice.chance(_REFILL_SHARE)
    ]
    db.executemany("INSERT INTO refill_requests VALUES (?, ?, ?, ?)", rows)
