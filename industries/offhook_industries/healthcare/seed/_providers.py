"""The 380 providers: one for every kind of visit at every office that does it, the rest at busy offices."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Final

from offhook_industries.common.dice import Dice
from offhook_industries.common.names import FIRST_NAMES, LAST_NAMES
from offhook_industries.healthcare.seed._places import Site

__all__ = ["Staff", "fill_providers"]

_COUNT: Final = 380
_CREDENTIALS: Final[Mapping[str, tuple[tuple[str, int], ...]]] = {
    "medical": (("MD", 45), ("DO", 10), ("PA-C", 30), ("NP", 15)),
    "surgical": (("MD, FACMS", 1),),
    "allergy": (("MD", 70), ("NP", 30)),
    "cosmetic": (("MD", 50), ("PA-C", 30), ("NP", 20)),
}

Staff = Mapping[tuple[str, str], tuple[str, ...]]
"""Provider ids by office and family of visit."""


def fill_providers(db: sqlite3.Connection, sites: tuple[Site, ...], dice: Dice) -> Staff:
    """Writes providers and where they work."""
    staff: dict[tuple[str, str], tuple[str, ...]] = {}
    families: list[str] = []
    shared: dict[tuple[str, str], str] = {}
    for site in sites:
        for family in site.offers:
            # Specialists look after two offices of a region; each office has its own dermatologist.
            provider = shared.pop((site.office.region, family), None)
            if provider is None:
                provider = _provider_id(len(families))
                families.append(family)
                if family != "medical":
                    shared[site.office.region, family] = provider
            staff[site.office.location_id, family] = (provider,)
    while len(families) < _COUNT:
        place = (dice.pick(sites).office.location_id, "medical")
        staff[place] = (*staff[place], _provider_id(len(families)))
        families.append("medical")
    names = _names(len(families), dice)
    db.executemany(
        "INSERT INTO providers VALUES (?, ?, ?, ?)",
        [
            (_provider_id(index), name, dice.weighted(*zip(*_CREDENTIALS[family], strict=True)), family)
            for index, (name, family) in enumerate(zip(names, families, strict=True))
        ],
    )
    db.executemany(
        "INSERT INTO provider_locations VALUES (?, ?)",
        sorted(
            {(provider, location) for (location, _), providers in staff.items() for provider in providers}
        ),
    )
    return staff


def _provider_id(index: int) -> str:
    return f"DR-{5000 + index * 7}"


def _names(count: int, dice: Dice) -> list[str]:
    """Different ones: callers tell providers apart by name."""
    names: dict[str, None] = {}
    while len(names) < count:
        names[f"{dice.pick(FIRST_NAMES)} {dice.pick(LAST_NAMES)}"] = None
    return list(names)
