"""What the calls need to find at the offices they are about: address, services, plans and free times."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

__all__ = ["CASE_PLACES", "CASE_PLANS", "CASE_SLOTS", "FAMILIES_WRITTEN_OUT", "CasePlace", "CaseSlot"]


@attrs.frozen
class CasePlace:
    """One office, written out. ``offers`` lists what it does besides medical visits."""

    location_id: str
    street: str
    floor: str
    suite: str
    postal_code: str
    hours: str
    parking: str
    transit: str
    offers: tuple[str, ...]


@attrs.frozen
class CaseSlot:
    """``taken`` ones are booked for somebody else, ``urgent_only`` ones are held back."""

    slot_id: str
    location_id: str
    family: str
    starts_at: str
    urgent_only: bool = False
    taken: bool = False


_ALL: Final = ("surgical", "cosmetic", "allergy")

CASE_PLACES: Final = (
    CasePlace(
        "park_avenue",
        "461 Park Avenue South",
        "7th floor",
        "Suite 702",
        "10016",
        "long",
        "a garage on East 31st Street, which we don't validate",
        "the 6 train at 33rd Street",
        _ALL,
    ),
    CasePlace(
        "union_square",
        "38 Union Square West",
        "3rd floor",
        "Suite 310",
        "10003",
        "long",
        "a garage on East 14th Street, which we don't validate",
        "the L, N, Q, R and 4, 5, 6 trains at 14th Street",
        ("cosmetic",),
    ),
    CasePlace(
        "brooklyn_heights",
        "112 Montague Street",
        "2nd floor",
        "Suite 2B",
        "11201",
        "standard",
        "metered parking on the street",
        "the 2, 3 and R trains at Court Street",
        ("allergy",),
    ),
    CasePlace(
        "white_plains",
        "77 Mamaroneck Avenue",
        "4th floor",
        "Suite 401",
        "10601",
        "early",
        "free parking behind the building",
        "a ten minute walk from the White Plains train station",
        ("surgical", "cosmetic"),
    ),
    CasePlace(
        "windermere",
        "509 Lakeside Village Drive",
        "1st floor",
        "Suite 104",
        "34786",
        "standard",
        "free parking in front of the door",
        "the 54 bus at Lakeside Village",
        ("surgical",),
    ),
    CasePlace(
        "winter_garden",
        "1420 Daniels Orchard Road",
        "2nd floor",
        "Suite 220",
        "34787",
        "standard",
        "free parking around the building",
        "the 105 bus at Daniels Orchard Road",
        ("cosmetic", "allergy"),
    ),
    CasePlace(
        "hoboken",
        "220 Washington Street",
        "2nd floor",
        "Suite 205",
        "07030",
        "long",
        "a city garage one block away, which we don't validate",
        "the PATH train at Hoboken Terminal",
        ("allergy", "cosmetic"),
    ),
    CasePlace(
        "garden_city",
        "901 Stewart Avenue",
        "5th floor",
        "Suite 510",
        "11530",
        "standard",
        "free parking in the building's garage",
        "the Garden City train station, a short walk away",
        ("cosmetic", "surgical"),
    ),
    CasePlace(
        "short_hills",
        "30 Chatham Road",
        "1st floor",
        "Suite 8",
        "07078",
        "standard",
        "free parking beside the building",
        "the Short Hills train station, across the road",
        ("cosmetic",),
    ),
    CasePlace(
        "greenwich",
        "55 Railroad Avenue",
        "3rd floor",
        "Suite 302",
        "06830",
        "early",
        "a garage below the building, free for patients",
        "the Greenwich train station, next door",
        ("cosmetic", "surgical"),
    ),
    CasePlace(
        "scarsdale",
        "14 Harwood Court",
        "2nd floor",
        "Suite 21",
        "10583",
        "standard",
        "metered parking in the village lot",
        "the Scarsdale train station, a short walk away",
        ("cosmetic",),
    ),
    CasePlace(
        "forest_hills",
        "107-20 Continental Avenue",
        "6th floor",
        "Suite 600",
        "11375",
        "long",
        "a garage on Austin Street, two hours free with our stamp",
        "the E, F, M and R trains at Forest Hills",
        ("allergy", "cosmetic"),
    ),
    CasePlace(
        "westfield",
        "240 Elm Grove Street",
        "1st floor",
        "Suite 3",
        "07090",
        "early",
        "free parking behind the building",
        "the Westfield train station, five minutes on foot",
        ("surgical", "cosmetic"),
    ),
)

CASE_PLANS: Final[Mapping[tuple[str, str], bool]] = MappingProxyType(
    {
        ("aetna", "park_avenue"): True,
        ("aetna_open_access_elect_choice", "park_avenue"): True,
        ("cigna", "park_avenue"): True,
        ("unitedhealthcare", "park_avenue"): True,
        ("cigna", "union_square"): True,
        ("oscar", "union_square"): True,
        ("unitedhealthcare", "union_square"): True,
        ("oscar", "brooklyn_heights"): False,
        ("unitedhealthcare", "brooklyn_heights"): False,
        ("aetna", "brooklyn_heights"): True,
        # The next office that takes Oscar Health from there is Union Square.
        ("oscar", "gramercy"): False,
        ("oscar", "tribeca"): False,
        ("oscar", "financial_district"): False,
        ("oscar", "park_slope"): False,
        ("oscar", "williamsburg"): False,
        ("oscar", "bushwick"): False,
        ("medicare", "white_plains"): True,
        ("medicare", "windermere"): True,
        ("blue_cross", "windermere"): True,
        ("blue_cross", "forest_hills"): True,
        ("aetna", "montclair"): True,
    }
)
"""Whether an office takes a plan, where a call depends on it."""

CASE_SLOTS: Final = (
    CaseSlot("SL-300100", "park_avenue", "cosmetic", "2026-08-24T09:00", taken=True),
    CaseSlot("SL-300101", "park_avenue", "cosmetic", "2026-08-26T10:30"),
    CaseSlot("SL-300102", "park_avenue", "cosmetic", "2026-08-27T14:00"),
    CaseSlot("SL-300103", "park_avenue", "cosmetic", "2026-08-31T09:30"),
    CaseSlot("SL-300104", "park_avenue", "cosmetic", "2026-09-03T16:00"),
    CaseSlot("SL-300109", "park_avenue", "medical", "2026-08-17T15:20", urgent_only=True),
    CaseSlot("SL-300110", "park_avenue", "medical", "2026-08-19T08:20", taken=True),
    CaseSlot("SL-300111", "park_avenue", "medical", "2026-08-20T09:40"),
    CaseSlot("SL-300112", "park_avenue", "medical", "2026-08-21T13:20"),
    CaseSlot("SL-300113", "park_avenue", "medical", "2026-08-25T10:00"),
    CaseSlot("SL-300120", "park_avenue", "allergy", "2026-08-19T09:00"),
    CaseSlot("SL-300121", "park_avenue", "allergy", "2026-08-24T10:00", taken=True),
    CaseSlot("SL-300122", "park_avenue", "allergy", "2026-08-25T11:00"),
    CaseSlot("SL-300123", "park_avenue", "allergy", "2026-08-28T11:00"),
    CaseSlot("SL-300200", "union_square", "medical", "2026-08-17T16:00", urgent_only=True),
    CaseSlot("SL-300201", "union_square", "medical", "2026-08-19T10:20"),
    CaseSlot("SL-300202", "union_square", "medical", "2026-08-20T14:40"),
    CaseSlot("SL-300203", "union_square", "medical", "2026-08-24T09:00"),
    CaseSlot("SL-300301", "white_plains", "medical", "2026-08-17T14:40", urgent_only=True),
    CaseSlot("SL-300302", "white_plains", "medical", "2026-08-18T09:20", urgent_only=True),
    CaseSlot("SL-300303", "white_plains", "medical", "2026-08-25T13:00"),
    CaseSlot("SL-300304", "white_plains", "medical", "2026-08-27T10:40"),
    CaseSlot("SL-300400", "windermere", "medical", "2026-08-18T11:00", urgent_only=True),
    CaseSlot("SL-300401", "windermere", "medical", "2026-08-24T08:40"),
    CaseSlot("SL-300402", "windermere", "medical", "2026-08-26T15:00"),
    CaseSlot("SL-300403", "windermere", "medical", "2026-09-02T11:20"),
    CaseSlot("SL-300500", "hoboken", "allergy", "2026-08-18T09:00", taken=True),
    CaseSlot("SL-300501", "hoboken", "allergy", "2026-08-18T15:30"),
    CaseSlot("SL-300502", "hoboken", "allergy", "2026-08-20T16:00"),
    CaseSlot("SL-300503", "hoboken", "allergy", "2026-08-25T15:30"),
    CaseSlot("SL-300601", "winter_garden", "cosmetic", "2026-08-25T13:00"),
    CaseSlot("SL-300602", "winter_garden", "cosmetic", "2026-08-28T10:00"),
    CaseSlot("SL-300603", "winter_garden", "cosmetic", "2026-09-01T15:00"),
    CaseSlot("SL-300650", "garden_city", "cosmetic", "2026-09-02T11:00"),
    CaseSlot("SL-300651", "garden_city", "cosmetic", "2026-09-04T14:30"),
    CaseSlot("SL-300652", "garden_city", "cosmetic", "2026-09-10T09:30"),
    CaseSlot("SL-300700", "scarsdale", "medical", "2026-08-17T13:40", urgent_only=True),
    CaseSlot("SL-300701", "scarsdale", "medical", "2026-08-24T11:20"),
    CaseSlot("SL-300702", "scarsdale", "medical", "2026-08-26T09:00"),
    CaseSlot("SL-300703", "scarsdale", "medical", "2026-08-27T15:40"),
    CaseSlot("SL-300801", "short_hills", "cosmetic", "2026-08-24T16:00"),
    CaseSlot("SL-300802", "short_hills", "cosmetic", "2026-08-27T12:00"),
    CaseSlot("SL-300803", "short_hills", "cosmetic", "2026-08-31T10:30"),
    CaseSlot("SL-300900", "forest_hills", "medical", "2026-08-18T10:00", urgent_only=True),
    CaseSlot("SL-300901", "forest_hills", "medical", "2026-08-21T08:20"),
    CaseSlot("SL-300902", "forest_hills", "medical", "2026-08-25T16:20"),
    CaseSlot("SL-300903", "forest_hills", "medical", "2026-08-26T12:00"),
)

FAMILIES_WRITTEN_OUT: Final = frozenset((slot.location_id, slot.family) for slot in CASE_SLOTS)
"""Where no further times are drawn."""
