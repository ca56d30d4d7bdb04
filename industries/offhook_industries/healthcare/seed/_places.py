"""The 160 offices, and which plans each takes."""

from __future__ import annotations

import sqlite3
from typing import Final

import attrs

from offhook_industries.common.dice import Dice
from offhook_industries.common.names import STREETS
from offhook_industries.healthcare.offices import OFFICES, Office
from offhook_industries.healthcare.seed._case_places import CASE_PLACES, CASE_PLANS
from offhook_industries.healthcare.vocabulary import PLANS

__all__ = ["Site", "fill_places"]

_HOURS: Final = (
    ("standard", "8 AM to 5 PM", "closed"),
    ("early", "7:30 AM to 4:30 PM", "8 AM to noon"),
    ("long", "8 AM to 7 PM", "9 AM to 2 PM"),
    ("saturday", "9 AM to 6 PM", "9 AM to 1 PM"),
)
_FLOORS: Final = ("1st floor", "2nd floor", "3rd floor", "4th floor", "5th floor", "6th floor", "8th floor")
_STREET_KINDS: Final = ("Avenue", "Street", "Road", "Boulevard", "Lane", "Drive")
_PARKING: Final = (
    "free parking behind the building",
    "free parking in front of the door",
    "a garage next door, two hours free with our stamp",
    "a public garage around the corner, which we don't validate",
    "metered parking on the street",
)
_SHARES: Final = (("surgical", 0.3), ("cosmetic", 0.6), ("allergy", 0.45))
_PHONE_LINES: Final = 100  # invented numbers end in 01xx


@attrs.frozen
class Site:
    """An office as it was written. ``offers`` are the families of visit it does, medical first."""

    office: Office
    offers: tuple[str, ...]
    postal_code: str


def fill_places(db: sqlite3.Connection, dice: Dice) -> tuple[Site, ...]:
    """Writes hours, offices and the plans they take; returns the offices in travelling order."""
    db.executemany("INSERT INTO hours_patterns VALUES (?, ?, ?)", _HOURS)
    written_out = {place.location_id: place for place in CASE_PLACES}
    sites, rows = [], []
    for number, office in enumerate(OFFICES):
        street = f"{dice.between(2, 990)} {dice.pick(STREETS)} {dice.pick(_STREET_KINDS)}"
        offers = tuple(family for family, share in _SHARES if dice.chance(share))
        drawn = (
            street,
            dice.pick(_FLOORS),
            f"Suite {dice.between(1, 8)}{dice.digits(2)}",
            office.zip_prefix + dice.digits(2),
            dice.weighted([pattern for pattern, _, _ in _HOURS], (55, 20, 10, 15)),
            dice.pick(_PARKING),
            f"the bus stop at {dice.pick(STREETS)} {dice.pick(_STREET_KINDS)}",
        )
        place = written_out.get(office.location_id)
        if place is not None:
            drawn = (
                place.street,
                place.floor,
                place.suite,
                place.postal_code,
                place.hours,
                place.parking,
                place.transit,
            )
            offers = place.offers
        sites.append(Site(office, ("medical", *offers), drawn[3]))
        rows.append(_row(number, office, drawn, offers))
    marks = ", ".join("?" * len(rows[0]))
    db.executemany(f"INSERT INTO locations VALUES ({marks})", rows)
    db.executemany("INSERT INTO plan_locations VALUES (?, ?)", _accepted(dice))
    return tuple(sites)


def _row(number: int, office: Office, drawn: tuple[str, ...], offers: tuple[str, ...]) -> tuple[object, ...]:
    street, floor, suite, postal_code, hours, parking, transit = drawn
    return (
        office.location_id,
        number,
        office.name,
        office.region,
        street,
        floor,
        suite,
        office.state,
        postal_code,
        f"{office.area}-555-01{number % _PHONE_LINES:02d}",
        hours,
        parking,
        transit,
        *(int(family in offers) for family, _ in _SHARES),
    )


def _accepted(dice: Dice) -> list[tuple[str, str]]:
    rows = []
    for plan in PLANS:
        for office in OFFICES:
            drawn = dice.chance(plan.share / 100)
            if CASE_PLANS.get((plan.choice.value, office.location_id), drawn):
                rows.append((plan.choice.value, office.location_id))
    return rows
