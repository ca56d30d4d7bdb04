"""About 1,000 stores over every state, with hours and departments."""

from __future__ import annotations

import sqlite3
from typing import Final

import attrs

from offhook_industries.common.dice import Dice
from offhook_industries.common.names import STREETS
from offhook_industries.common.places import Town, states, towns

__all__ = ["Store", "fill_stores"]

_HOURS: Final = (
    ("full", "10 AM to 9 PM", "10 AM to 10 PM", "11 AM to 7 PM"),
    ("early", "9 AM to 8 PM", "9 AM to 9 PM", "10 AM to 6 PM"),
    ("mall", "11 AM to 8 PM", "11 AM to 9 PM", "noon to 6 PM"),
    ("short", "10 AM to 7 PM", "10 AM to 8 PM", "closed"),
)

_DEPARTMENTS: Final = (
    ("audio", "Audio, an Aurelian Audio and Sound Harbor counter"),
    ("televisions", "Televisions and home theatre"),
    ("computing", "Computing"),
    ("mobile", "Phones and mobile, a Bellwether Mobile counter"),
    ("appliances", "Major appliances, a Coastline Kitchen & Home showroom"),
    ("cameras", "Cameras and drones"),
    ("smart_home", "Smart home"),
    ("gaming", "Gaming"),
    ("outdoor", "Outdoor and e-mobility, a Sagebrush Outdoor counter"),
    ("techcrew", "TechCrew service bench"),
    ("recycling", "Recycling and trade-in desk"),
)

_EVERYWHERE: Final = ("audio", "televisions", "computing", "mobile", "recycling")
_SITES: Final = (
    "Crossing",
    "Plaza",
    "Commons",
    "Square",
    "Galleria",
    "Pavilion",
    "Marketplace",
    "Station",
    "Center",
    "Landing",
)
_STREET_KINDS: Final = ("Avenue", "Boulevard", "Road", "Drive", "Parkway", "Street")
_AREA_CODE_USES: Final = 100  # invented numbers end in 01xx


@attrs.frozen
class Store:
    number: int
    name: str
    street: str
    city: str
    state: str
    postal_code: str
    phone: str
    hours_pattern: str


def fill_stores(db: sqlite3.Connection, dice: Dice) -> tuple[Store, ...]:
    """Writes stores, hours and departments; returns the stores in number order."""
    db.executemany("INSERT INTO hours_patterns VALUES (?, ?, ?, ?)", _HOURS)
    db.executemany("INSERT INTO departments VALUES (?, ?)", _DEPARTMENTS)
    places = towns()
    by_state = [(places[state], count) for state, count in states()]
    sites = [_town_for(index, options) for options, count in by_state for index in range(count)]
    stores = tuple(_store(101 + index, town, dice) for index, town in enumerate(sites))
    db.executemany(
        "INSERT INTO stores VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [attrs.astuple(store) for store in stores]
    )
    links = [(store.number, department) for store in stores for department in _departments(dice)]
    db.executemany("INSERT INTO store_departments VALUES (?, ?)", links)
    return stores


def _town_for(index: int, options: tuple[Town, ...]) -> Town:
    """Every town gets one before any gets a second; beyond that the first, largest ones get more."""
    if index < len(options):
        return options[index]
    return options[(index - len(options)) % max(1, (len(options) + 1) // 2)]


def _store(number: int, town: Town, dice: Dice) -> Store:
    street = dice.pick(STREETS)
    address = f"{dice.between(1, 89)}{dice.digits(2)} {street} {dice.pick(_STREET_KINDS)}"
    name = f"Kestrel {town.name} {dice.pick(STREETS)} {dice.pick(_SITES)}"
    phone = f"{town.area}-555-01{number % _AREA_CODE_USES:02d}"
    hours = dice.weighted([row[0] for row in _HOURS], (60, 20, 15, 5))
    return Store(number, name, address, town.name, town.state, town.zip3 + dice.digits(2), phone, hours)


def _departments(dice: Dice) -> list[str]:
    return [name for name, _ in _DEPARTMENTS if name in _EVERYWHERE or dice.chance(0.7)]
