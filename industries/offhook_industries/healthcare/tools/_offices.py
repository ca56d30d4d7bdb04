"""Offices as tools take and tell them."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

from offhook.packs import Choice, Parameter, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.healthcare.offices import OFFICES

__all__ = [
    "find_office",
    "nearest_offices",
    "office_choices",
    "office_entry",
    "office_parameter",
    "office_reference",
]


def office_choices() -> tuple[Choice, ...]:
    """Every office by its id; its name is said."""
    return tuple(
        Choice(
            office.location_id,
            f"the {office.name} office ({office.region})",
            office.aliases,
        )
        for office in OFFICES
    )


def office_parameter(description: str, *, required: bool = True) -> Parameter:
    """An office that is named on the phone."""
    return Parameter("location_id", ValueKind.TEXT, description, required=required, choices=office_choices())


def office_reference(*, required: bool = True) -> Parameter:
    """An office that an earlier result named."""
    return Parameter(
        "location_id",
        ValueKind.TEXT,
        "Office id as list_locations, a coverage check or the chart gave it, such as hudson_yards",
        required=required,
    )


def find_office(db: sqlite3.Connection, text: str) -> sqlite3.Row:
    """The office with that id; its name is as good.

    Raises:
        ToolRefusal: ``unknown_office``.
    """
    folded = re.sub(r"[\s\-.]+", "_", text.strip().lower())
    row: sqlite3.Row | None = db.execute(
        "SELECT * FROM locations WHERE location_id = ?", (folded,)
    ).fetchone()
    if row is None:
        message = (
            "No office has this id. Call list_locations with the town, and take the location_id from there."
        )
        raise ToolRefusal("unknown_office", message, field="location_id", status=404)
    return row


def nearest_offices(
    db: sqlite3.Connection, row: sqlite3.Row, condition: str, count: int
) -> list[sqlite3.Row]:
    """Offices of the same region that meet an SQL condition on ``locations``, nearest first."""
    return db.execute(
        f"SELECT * FROM locations WHERE region = ? AND location_id != ? AND ({condition}) "
        "ORDER BY abs(place_no - ?), place_no LIMIT ?",
        (row["region"], row["location_id"], row["place_no"], count),
    ).fetchall()


def office_entry(db: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    """An office as it is told."""
    hours = db.execute("SELECT * FROM hours_patterns WHERE pattern = ?", (row["hours_pattern"],)).fetchone()
    saturday = "closed on Saturday" if hours["saturday"] == "closed" else f"Saturday {hours['saturday']}"
    hours_spoken = f"Monday to Friday {hours['weekdays']}, {saturday}, closed on Sunday"
    return {
        "location_id": row["location_id"],
        "name": row["name"],
        "address": f"{row['street']}, {row['floor']}, {row['suite']}, {row['state']} {row['postal_code']}",
        "floor": row["floor"],
        "suite": row["suite"],
        "hours": {
            "monday_to_friday": hours["weekdays"],
            "saturday": hours["saturday"],
            "sunday": "closed",
        },
        "hours_spoken": hours_spoken,
        "parking": row["parking"],
        "transit": row["transit"],
        "phone": row["phone"],
        "offers_medical": True,
        "offers_mohs": bool(row["offers_surgical"]),
        "offers_cosmetic": bool(row["offers_cosmetic"]),
        "offers_allergy": bool(row["offers_allergy"]),
        "in_short": f"{row['name']} is at {row['street']}, on the {row['floor']}, {row['suite']}. It is open "
        f"{hours_spoken}. There is {row['parking']}",
    }
