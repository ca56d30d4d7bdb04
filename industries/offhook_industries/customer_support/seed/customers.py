"""Customers and their memberships: written-out cases first, then a crowd with households and names that
sound alike."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

import attrs

from offhook_industries.common.dice import Dice
from offhook_industries.common.names import FIRST_NAMES, LAST_NAMES, SOUND_ALIKES, STREETS
from offhook_industries.common.places import Town, states, towns
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.seed.cases import CASES, STRANGERS

__all__ = ["Customer", "fill_customers"]

_COUNT: Final = 2500
_SOUND_ALIKE_SHARE: Final = 0.08
_HOUSEHOLD_SHARE: Final = 0.04
_FORMER_MEMBER_SHARE: Final = 0.08
_PRICES: Final = {"plus": ((policy.PLUS_CENTS, 1999), (9, 1)), "total": ((policy.TOTAL_CENTS, 14999), (9, 1))}
_STREET_KINDS: Final = ("Street", "Avenue", "Lane", "Court", "Road", "Drive")
_DOMAINS: Final = ("example.com", "example.net", "example.org")


@attrs.frozen
class Customer:
    """A row of ``customers``."""

    customer_id: int
    full_name: str
    phone: str
    email: str
    street: str
    city: str
    state: str
    postal_code: str
    tier: str = "standard"
    auto_renew: int = 0
    membership_paid_cents: int = 0
    membership_period_start: str | None = None
    membership_period_end: str | None = None


def fill_customers(db: sqlite3.Connection, dice: Dice) -> tuple[Customer, ...]:
    """Writes customers and the changes behind former members; returns the customers, cases first."""
    cases = tuple(_cases())
    crowd = tuple(_with_membership(person, dice) for person in _crowd(len(cases), dice))
    customers = cases + crowd
    marks = ", ".join("?" * len(attrs.fields(Customer)))
    db.executemany(f"INSERT INTO customers VALUES ({marks})", [attrs.astuple(person) for person in customers])
    former = [row for person in crowd if (row := _cancellation(person, dice)) is not None]
    db.executemany(
        "INSERT INTO membership_changes VALUES (?, 1, 'cancel', ?, 'standard', ?, ?, ?, NULL)", former
    )
    return customers


def _cases() -> Iterator[Customer]:
    for index, case in enumerate(CASES):
        start, end = case.period or (None, None)
        yield Customer(
            _customer_id(index),
            case.full_name,
            case.phone,
            case.email,
            case.street,
            case.city,
            case.state,
            case.postal_code,
            case.tier,
            int(case.tier != "standard"),
            case.paid_cents,
            start,
            end,
        )


def _customer_id(index: int) -> int:
    """Spread out, so that an id says nothing of who comes next to whom."""
    return 100_003 + index * 37


def _crowd(first: int, dice: Dice) -> Iterator[Customer]:
    places = towns()
    names, shares = zip(*states(), strict=True)
    free = {town.area: _free_lines(town.area, dice) for options in places.values() for town in options}
    previous: Customer | None = None
    for index in range(first, _COUNT):
        if previous is not None and dice.chance(_HOUSEHOLD_SHARE):
            last = previous.full_name.split(" ", 1)[1]
            first_name = dice.pick(
                [name for name in FIRST_NAMES if name != previous.full_name.split(" ", 1)[0]]
            )
            name = f"{first_name} {last}"
            person = attrs.evolve(
                previous, customer_id=_customer_id(index), full_name=name, email=_email(name, index, dice)
            )
            previous = None
        else:
            town = dice.pick(
                [town for town in places[dice.weighted(names, shares)] if free[town.area]]
                or _any_town(places, free)
            )
            person = previous = _stranger(index, town, free[town.area].pop(), dice)
        yield person


def _any_town(places: dict[str, tuple[Town, ...]], free: dict[str, list[str]]) -> list[Town]:
    return [town for options in places.values() for town in options if free[town.area]]


def _free_lines(area: str, dice: Dice) -> list[str]:
    """The invented numbers of an area code that no written-out case has, shuffled."""
    taken = {case.phone for case in CASES} | set(STRANGERS)
    lines = (f"{area}-555-01{last:02d}" for last in range(100))
    return dice.shuffled([line for line in lines if line not in taken])


def _stranger(index: int, town: Town, phone: str, dice: Dice) -> Customer:
    last = dice.pick(dice.pick(SOUND_ALIKES)) if dice.chance(_SOUND_ALIKE_SHARE) else dice.pick(LAST_NAMES)
    name = f"{dice.pick(FIRST_NAMES)} {last}"
    street = f"{dice.between(1, 9899)} {dice.pick(STREETS)} {dice.pick(_STREET_KINDS)}"
    zip_code = town.zip3 + dice.digits(2)
    return Customer(
        _customer_id(index), name, phone, _email(name, index, dice), street, town.name, town.state, zip_code
    )


def _email(name: str, index: int, dice: Dice) -> str:
    first, last = name.lower().replace("'", "").split(" ", 1)
    return f"{first}.{last}{index % 97}@{dice.pick(_DOMAINS)}"


def _with_membership(person: Customer, dice: Dice) -> Customer:
    tier = dice.weighted(("standard", "plus", "total"), (62, 27, 11))
    start = policy.NOW.date() - timedelta(days=dice.below(364))
    if tier == "standard":
        if not dice.chance(_FORMER_MEMBER_SHARE):
            return person
        start -= timedelta(days=dice.below(500))
        renew, paid = 0, 0
    else:
        prices, weights = _PRICES[tier]
        renew, paid = int(dice.chance(0.8)), dice.weighted(prices, weights)
    end = policy.add_months(start, policy.TERM_MONTHS)
    return attrs.evolve(
        person,
        tier=tier,
        auto_renew=renew,
        membership_paid_cents=paid,
        membership_period_start=start.isoformat(),
        membership_period_end=end.isoformat(),
    )


def _cancellation(person: Customer, dice: Dice) -> tuple[int, str, int, int, str] | None:
    """How a former member's year ended, refunded by the rule that still holds."""
    if (
        person.tier != "standard"
        or person.membership_period_start is None
        or person.membership_period_end is None
    ):
        return None
    start = date.fromisoformat(person.membership_period_start)
    end = date.fromisoformat(person.membership_period_end)
    last_day = min(end, policy.NOW.date())
    day = start + timedelta(days=dice.below((last_day - start).days + 1))
    tier = dice.weighted(("plus", "total"), (4, 1))
    paid = policy.PLUS_CENTS if tier == "plus" else policy.TOTAL_CENTS
    months = policy.unused_whole_months(day, end)
    refund = policy.cancellation_refund_cents(paid, months)
    return person.customer_id, tier, months, refund, day.isoformat()
