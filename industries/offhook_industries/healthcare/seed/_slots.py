"""Times that can be booked in the next eight weeks, and which of them somebody already has."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

import attrs

from offhook_industries.common.dice import Dice
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.seed._case_places import CASE_SLOTS, FAMILIES_WRITTEN_OUT
from offhook_industries.healthcare.seed._places import Site
from offhook_industries.healthcare.seed._providers import Staff

__all__ = ["TakenSlot", "fill_slots"]

_WEEKS: Final = 8
_COUNTS: Final[Mapping[str, int]] = {"medical": 9, "surgical": 4, "allergy": 5, "cosmetic": 6}
_FIRST_MINUTE: Final = 8 * 60
_LAST_MINUTE: Final = 16 * 60
_STEP: Final = 20
_TAKEN_SHARE: Final = 0.12
_FIRST_ID: Final = 100_001


@attrs.frozen
class TakenSlot:
    """A time for which the charts need a booked visit."""

    slot_id: str
    location_id: str
    provider_id: str
    family: str
    starts_at: str


def fill_slots(
    db: sqlite3.Connection, sites: tuple[Site, ...], staff: Staff, dice: Dice
) -> tuple[TakenSlot, ...]:
    """Writes the times; returns those that are taken."""
    rows: list[tuple[str, str, str, str, str, int]] = []
    taken: list[TakenSlot] = []
    for slot in CASE_SLOTS:
        provider = staff[slot.location_id, slot.family][0]
        rows.append(
            (slot.slot_id, slot.location_id, provider, slot.family, slot.starts_at, int(slot.urgent_only))
        )
        if slot.taken:
            taken.append(TakenSlot(*rows[-1][:5]))
    number = _FIRST_ID
    for site in sites:
        for family in site.offers:
            place = (site.office.location_id, family)
            if place in FAMILIES_WRITTEN_OUT:
                continue
            for index, starts_at in enumerate(_times(_COUNTS[family], dice)):
                urgent = int(family == "medical" and index == 0)
                provider = dice.pick(staff[place])
                rows.append((f"SL-{number}", place[0], provider, family, starts_at, urgent))
                number += 1
                if dice.chance(_TAKEN_SHARE):
                    taken.append(TakenSlot(*rows[-1][:5]))
    db.executemany("INSERT INTO slots VALUES (?, ?, ?, ?, ?, ?)", rows)
    return tuple(taken)


def _times(count: int, dice: Dice) -> list[str]:
    """``count`` different times on working days, earliest first; never before tomorrow."""
    first = policy.NOW.date() + timedelta(days=1)
    days = [first + timedelta(days=day) for day in range(_WEEKS * 7)]
    working = [day for day in days if day.weekday() < 5]
    chosen = sorted(dice.sample(working, count))
    minutes = [_FIRST_MINUTE + _STEP * dice.below((_LAST_MINUTE - _FIRST_MINUTE) // _STEP) for _ in chosen]
    return [
        f"{day.isoformat()}T{minute // 60:02d}:{minute % 60:02d}"
        for day, minute in zip(chosen, minutes, strict=True)
    ]
