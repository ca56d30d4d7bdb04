"""The firm's book: people who have been in touch, cases first, and the matters of those it acts for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

import attrs

from offhook_industries.common.dice import Dice
from offhook_industries.common.names import FIRST_NAMES, LAST_NAMES, SOUND_ALIKES, STREETS
from offhook_industries.common.places import Town, towns
from offhook_industries.legal import policy
from offhook_industries.legal.directory import ATTORNEYS
from offhook_industries.legal.seed.cases import CASES, Case
from offhook_industries.legal.states import STATE_CODES

__all__ = ["Caller", "fill_callers", "fill_matters"]

_COUNT: Final = 1400
_SOUND_ALIKE_SHARE: Final = 0.08
_HOUSEHOLD_SHARE: Final = 0.04
_STREET_KINDS: Final = ("Street", "Avenue", "Lane", "Court", "Road", "Drive")
_DOMAINS: Final = ("example.com", "example.net", "example.org")
_KINDS: Final = (("client", "prospect", "professional", "insurance"), (45, 47, 4, 4))
_SOURCES: Final = (("web_form", "referral", "phone", "mail"), (5, 3, 3, 1))
_OPENED_WITHIN_DAYS: Final = 900
_OPPONENTS: Final = (
    "Alder", "Beacon", "Birchwood", "Cobalt", "Crestline", "Driftwood", "Eastgate", "Fairmont", "Glacier",
    "Hawthorne", "Ironwood", "Juniper", "Kingsley", "Larkfield", "Maplewood", "Northfield", "Oakdale",
    "Prairie", "Quarry", "Ridgeline", "Silverton", "Stonebridge", "Timberline", "Union", "Valley",
    "Westbrook",
)  # fmt: skip
_OPPONENT_TRADES: Final = (
    "Freight", "Markets", "Insurance", "Properties", "Medical Group", "Construction", "Foods", "Hotels",
    "Transport", "Stores", "Motors", "Warehouse",
)  # fmt: skip
_STAGES: Final = (
    ("investigation", "statements are being taken"),
    ("record collection", "records are being collected from the treating doctors"),
    ("demand", "the demand letter has gone to the other side"),
    ("pleadings", "the answer to the complaint is awaited"),
    ("discovery", "papers are being exchanged with the other side"),
    ("settlement talks", "an offer is under review with the client"),
    ("trial preparation", "the case is being prepared for trial"),
)


@attrs.frozen
class Caller:
    """A row of ``callers``."""

    caller_id: int
    full_name: str
    phone: str
    email: str | None
    street: str | None
    city: str | None
    state: str | None
    zip: str | None
    kind: str
    source: str
    created_at: str


def fill_callers(db: sqlite3.Connection, dice: Dice) -> tuple[Caller, ...]:
    """Writes the callers, with the screenings and representations of the cases; returns them, cases first."""
    people = (*_cases(), *_crowd(len(CASES), dice))
    marks = ", ".join("?" * len(attrs.fields(Caller)))
    db.executemany(f"INSERT INTO callers VALUES ({marks})", [attrs.astuple(person) for person in people])
    for person, case in zip(people, CASES, strict=False):
        db.executemany(
            "INSERT INTO screenings VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(person.caller_id, *attrs.astuple(screening)) for screening in case.screenings],
        )
        if case.represented is not None:
            db.execute("INSERT INTO representations VALUES (?, ?, ?)", (person.caller_id, *case.represented))
    return people


def _caller_id(index: int) -> int:
    return 5001 + index


def _cases() -> Iterator[Caller]:
    for index, case in enumerate(CASES):
        created = (policy.NOW - timedelta(days=3 + index % 11, hours=index % 7)).isoformat()
        if case.kind == "client":
            created = f"{case.matters[0].opened_on}T09:00:00"
        yield _of_case(case, _caller_id(index), created)


def _of_case(case: Case, caller_id: int, created: str) -> Caller:
    return Caller(
        caller_id,
        case.full_name,
        case.phone,
        case.email,
        case.street,
        case.city,
        case.state,
        case.zip,
        case.kind,
        case.source,
        created,
    )


def _crowd(first: int, dice: Dice) -> Iterator[Caller]:
    names = {code: name for name, code in STATE_CODES.items()}
    served = sorted({names_of for attorney in ATTORNEYS for names_of in attorney.states})
    places = {names[code]: options for code, options in towns().items()}
    elsewhere = sorted(set(places) - set(served))
    free = {town.area: _free_lines(town.area, dice) for state in sorted(places) for town in places[state]}
    previous: Caller | None = None
    for index in range(first, _COUNT):
        if previous is not None and dice.chance(_HOUSEHOLD_SHARE):
            yield _relative(previous, _caller_id(index), dice)
            previous = None
            continue
        state = dice.pick(served if dice.chance(0.94) else elsewhere)
        town = dice.pick([town for town in places[state] if free[town.area]] or _any_town(places, free))
        previous = _stranger(_caller_id(index), town, names[town.state], free[town.area].pop(), dice)
        yield previous


def _any_town(places: dict[str, tuple[Town, ...]], free: dict[str, list[str]]) -> list[Town]:
    return [town for state in sorted(places) for town in places[state] if free[town.area]]


def _free_lines(area: str, dice: Dice) -> list[str]:
    """The invented numbers of an area code that no written-out caller has, shuffled. The last twenty are
    nobody's, so that a new caller can have one.
    """
    taken = {case.phone for case in CASES}
    lines = (f"{area}-555-01{last:02d}" for last in range(80))
    return dice.shuffled([line for line in lines if line not in taken])


def _relative(of: Caller, caller_id: int, dice: Dice) -> Caller:
    first, last = of.full_name.split(" ", 1)
    name = f"{dice.pick([other for other in FIRST_NAMES if other != first])} {last}"
    return attrs.evolve(of, caller_id=caller_id, full_name=name, email=_email(name, dice), kind="prospect")


def _stranger(caller_id: int, town: Town, state: str, phone: str, dice: Dice) -> Caller:
    last = dice.pick(dice.pick(SOUND_ALIKES)) if dice.chance(_SOUND_ALIKE_SHARE) else dice.pick(LAST_NAMES)
    name = f"{dice.pick(FIRST_NAMES)} {last}"
    street = f"{dice.between(1, 9899)} {dice.pick(STREETS)} {dice.pick(_STREET_KINDS)}"
    created = policy.NOW - timedelta(days=dice.between(1, _OPENED_WITHIN_DAYS), minutes=dice.below(480))
    return Caller(
        caller_id,
        name,
        phone,
        _email(name, dice) if dice.chance(0.9) else None,
        street,
        town.name,
        state,
        town.zip3 + dice.digits(2),
        dice.weighted(*_KINDS),
        dice.weighted(*_SOURCES),
        created.isoformat(),
    )


def _email(name: str, dice: Dice) -> str:
    first, last = name.lower().replace("'", "").split(" ", 1)
    return f"{first}.{last}{dice.below(97)}@{dice.pick(_DOMAINS)}"


def fill_matters(db: sqlite3.Connection, dice: Dice, people: Sequence[Caller]) -> None:
    """Writes the written-out matters and one for every client of the crowd whose state has an attorney."""
    rows: list[tuple[object, ...]] = []
    taken: set[str] = set()
    for person, case in zip(people, CASES, strict=False):
        for matter in case.matters:
            taken.add(matter.matter_number)
            rows.append(
                (
                    matter.matter_number,
                    person.caller_id,
                    matter.matter_type,
                    matter.state,
                    matter.attorney_id,
                    matter.adverse_party,
                    matter.opened_on,
                    matter.stage,
                    matter.next_step,
                    matter.next_on,
                    matter.status,
                    int(matter.status_by_number),
                )
            )
    numbers = {
        year: dice.shuffled(
            [f"{year}{last:04d}" for last in range(1, 1000) if f"{year}{last:04d}" not in taken]
        )
        for year in ("24", "25", "26")
    }
    for person in people[len(CASES) :]:
        if person.kind == "client":
            rows += _matter(person, numbers, dice)
    marks = ", ".join("?" * 12)
    db.executemany(f"INSERT INTO matters VALUES ({marks})", rows)


def _matter(person: Caller, numbers: dict[str, list[str]], dice: Dice) -> list[tuple[object, ...]]:
    attorneys = [attorney for attorney in ATTORNEYS if person.state in attorney.states]
    if not attorneys:
        return []
    attorney = dice.pick(attorneys)
    opened = date.fromisoformat(person.created_at[:10])
    closed = (policy.NOW.date() - opened).days > 400 and dice.chance(0.6)
    stage, step = ("closed", "nothing further") if closed else dice.pick(_STAGES)
    next_on = None if closed else (policy.NOW.date() + timedelta(days=dice.between(3, 60))).isoformat()
    return [
        (
            numbers[f"{opened:%y}"].pop(),
            person.caller_id,
            dice.pick(attorney.areas),
            person.state,
            attorney.attorney_id,
            _opponent(dice),
            opened.isoformat(),
            stage,
            step,
            next_on,
            "closed" if closed else "open",
            int(dice.chance(0.3)),
        )
    ]


def _opponent(dice: Dice) -> str:
    if dice.chance(0.4):
        return f"{dice.pick(FIRST_NAMES)} {dice.pick(LAST_NAMES)}"
    return f"{dice.pick(_OPPONENTS)} {dice.pick(_OPPONENT_TRADES)}"
