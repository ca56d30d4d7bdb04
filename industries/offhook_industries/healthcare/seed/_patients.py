"""Patients: the written-out cases first, then a crowd with families and names that sound alike."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Final

import attrs

from offhook_industries.common.dice import Dice
from offhook_industries.common.names import FIRST_NAMES, LAST_NAMES, SOUND_ALIKES
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.seed._places import Site
from offhook_industries.healthcare.seed.cases import CASES, NEWCOMERS
from offhook_industries.healthcare.vocabulary import PLANS

__all__ = ["Patient", "fill_patients"]

_COUNT: Final = 2600
_FAMILY_SHARE: Final = 0.22
_SOUND_ALIKE_SHARE: Final = 0.08
_UNINSURED_SHARE: Final = 0.1
_OLDEST_DAYS: Final = 88 * 365
_DOMAINS: Final = ("example.com", "example.net", "example.org")
_FIRST_ID: Final = 300_017
# Area codes that people of a region have, besides those of their office.
_MORE_AREAS: Final[Mapping[str, tuple[str, ...]]] = {
    "New York City": ("646", "917", "347", "929"),
    "Long Island": ("516", "631", "934"),
    "Hudson Valley": ("914", "845"),
    "New Jersey": ("551", "862", "848", "609"),
    "Connecticut": ("475", "860"),
    "Philadelphia": ("267", "484"),
    "Central Florida": ("321", "689"),
    "South Florida": ("954", "786"),
    "Gulf Coast": ("813", "727"),
}


@attrs.frozen
class Patient:
    """A row of ``patients``."""

    patient_id: str
    full_name: str
    date_of_birth: str
    phone: str
    email: str
    postal_code: str
    home_location: str
    plan: str | None
    portal_active: int
    last_visit: str | None
    last_shot: str | None


def fill_patients(db: sqlite3.Connection, sites: tuple[Site, ...], dice: Dice) -> tuple[Patient, ...]:
    """Writes and returns the patients, cases first."""
    patients = (*_cases(), *_crowd(sites, dice))
    marks = ", ".join("?" * len(attrs.fields(Patient)))
    db.executemany(f"INSERT INTO patients VALUES ({marks})", [attrs.astuple(patient) for patient in patients])
    return patients


def _cases() -> Iterator[Patient]:
    for case in CASES:
        yield Patient(
            case.patient_id,
            case.full_name,
            case.date_of_birth,
            case.phone,
            f"{case.full_name.lower().replace(' ', '.')}{case.patient_id[-2:]}@example.com",
            case.postal_code,
            case.home_location,
            case.plan,
            int(case.portal_active),
            case.last_visit,
            case.last_shot,
        )


def _crowd(sites: tuple[Site, ...], dice: Dice) -> Iterator[Patient]:
    free = _FreeLines(dice)
    names, shares = [plan.choice.value for plan in PLANS], [plan.share for plan in PLANS]
    previous: Patient | None = None
    for index in range(_COUNT - len(CASES)):
        born = policy.NOW.date() - timedelta(days=dice.between(200, _OLDEST_DAYS))
        if previous is not None and dice.chance(_FAMILY_SHARE):
            name = f"{dice.pick(FIRST_NAMES)} {previous.full_name.split(' ', 1)[1]}"
            home, phone, postal_code = previous.home_location, previous.phone, previous.postal_code
        else:
            site = dice.pick(sites)
            name = f"{dice.pick(FIRST_NAMES)} {_last_name(dice)}"
            home = site.office.location_id
            phone = free.take((site.office.area, *_MORE_AREAS[site.office.region]))
            postal_code = site.office.zip_prefix + dice.digits(2)
        plan = None if dice.chance(_UNINSURED_SHARE) else dice.weighted(names, shares)
        previous = Patient(
            f"P-{_FIRST_ID + index * 13}",
            name,
            born.isoformat(),
            phone,
            f"{name.lower().replace(' ', '.').replace(chr(39), '')}{index % 89}@{dice.pick(_DOMAINS)}",
            postal_code,
            home,
            plan,
            int(dice.chance(0.7)),
            None,
            None,
        )
        yield previous


def _last_name(dice: Dice) -> str:
    return dice.pick(dice.pick(SOUND_ALIKES)) if dice.chance(_SOUND_ALIKE_SHARE) else dice.pick(LAST_NAMES)


class _FreeLines:
    """The invented numbers that nobody written out has, handed out once each."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._taken = {person.phone for person in (*CASES, *NEWCOMERS)}
        self._left: dict[str, list[str]] = {}

    def take(self, areas: tuple[str, ...]) -> str:
        """A number of one of the area codes, where they have any left, else of a spare one."""
        for area in (*self._dice.shuffled(areas), *(f"6{spare}" for spare in range(10, 100))):
            if area not in self._left:
                lines = [f"{area}-555-01{last:02d}" for last in range(100)]
                self._left[area] = self._dice.shuffled([line for line in lines if line not in self._taken])
            if self._left[area]:
                return self._left[area].pop()
        raise ValueError("no invented phone numbers are left: expected fewer patients")
