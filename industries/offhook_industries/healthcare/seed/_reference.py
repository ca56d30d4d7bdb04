"""The tables made from the closed vocabularies."""

from __future__ import annotations

import sqlite3

from offhook_industries.healthcare.vocabulary import (
    CONCERNS,
    COSMETIC_SERVICES,
    MEDICATIONS,
    PLANS,
    VISIT_TYPES,
)

__all__ = ["fill_reference"]


def fill_reference(db: sqlite3.Connection) -> None:
    db.executemany(
        "INSERT INTO plans VALUES (?, ?, ?, ?)",
        [(plan.choice.value, plan.title, int(plan.needs_referral), plan.note) for plan in PLANS],
    )
    db.executemany(
        "INSERT INTO visit_types VALUES (?, ?, ?, ?)",
        [(visit.choice.value, visit.title, visit.family, visit.minutes) for visit in VISIT_TYPES],
    )
    db.executemany(
        "INSERT INTO concerns VALUES (?, ?, ?)",
        [(concern.choice.value, concern.visit_type, int(concern.ask_urgency)) for concern in CONCERNS],
    )
    db.executemany(
        "INSERT INTO cosmetic_services VALUES (?, ?, ?, ?)",
        [
            (service.choice.value, service.title, service.price, service.typical)
            for service in COSMETIC_SERVICES
        ],
    )
    db.executemany(
        "INSERT INTO formulary VALUES (?, ?, ?)",
        [(medication.choice.value, medication.title, medication.route) for medication in MEDICATIONS],
    )
