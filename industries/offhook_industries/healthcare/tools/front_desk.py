"""What every desk can do: say where an office is, and promise that somebody calls back."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.common.cards import refuse_card_numbers
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.tools._offices import nearest_offices, office_entry, office_parameter

__all__ = ["front_desk_tools"]

_MOST_OFFICES: Final = 5
_NEAREST: Final = 3
_TOPICS: Final = (
    Choice(
        "scheduling", "trouble with a time that could not be settled on this call", ("scheduling problem",)
    ),
    Choice("billing", "a bill or charge that needs a person to look at it", ("bill",)),
    Choice(
        "cost_estimate",
        "what a visit would cost out of pocket, worked out by a person",
        ("estimate", "out of pocket", "out-of-pocket", "cost estimate"),
    ),
    Choice("coverage", "whether and how a plan covers something", ("insurance question",)),
    Choice("clinical", "a nurse's or doctor's answer for somebody without a chart", ("nurse",)),
    Choice("records", "copies of medical records", ("medical records",)),
    Choice("complaint", "somebody is unhappy with how they were treated", ("complain",)),
    Choice("general", "anything else", ()),
)
_TEAMS: Final[Mapping[str, str]] = {
    "scheduling": "scheduling team",
    "billing": "billing team",
    "cost_estimate": "billing team",
    "coverage": "coverage team",
    "clinical": "clinical team",
    "records": "records team",
    "complaint": "practice manager",
    "general": "front desk",
}
_BEST_TIMES: Final = (
    Choice("morning", "before noon", ("mornings", "before noon")),
    Choice("afternoon", "after noon", ("afternoons", "after lunch", "after noon", "later in the day")),
    Choice("any_time", "at any hour", ("anytime", "any time", "whenever", "all day", "doesn't matter")),
)
_OFFERS: Final = (
    Choice("medical", "ordinary dermatology visits", ()),
    Choice("mohs", "skin cancer surgery", ("surgery",)),
    Choice("cosmetic", "treatments for looks", ()),
    Choice("allergy", "allergy testing and shots", ()),
)
_CONDITIONS: Final[Mapping[str, str]] = {
    "medical": "1",
    "mohs": "offers_surgical = 1",
    "cosmetic": "offers_cosmetic = 1",
    "allergy": "offers_allergy = 1",
}


def front_desk_tools() -> tuple[Tool, ...]:
    return (_callback(), _locations())


def _callback() -> Tool:
    return Tool(
        "create_callback_task",
        "When to call: you want to promise that somebody calls back, because a tool could not finish the "
        "work or a team has to look at it, and the caller agrees. Never promise a callback without this "
        "call; read back the number and say the promised time it returns. Not for questions of verified "
        "patients to nurses or doctors (create_clinical_message), and not to get out of work that "
        "another tool can do.",
        (
            Parameter("topic", ValueKind.TEXT, "What the call back is about", choices=_TOPICS),
            Parameter("caller_name", ValueKind.NAME, "Who is to be called"),
            Parameter("phone", ValueKind.PHONE, "The number to call"),
            Parameter("best_time", ValueKind.TEXT, "When the caller is best reached", choices=_BEST_TIMES),
            Parameter(
                "details",
                ValueKind.TEXT,
                "One sentence for the team; no card numbers",
                required=False,
                constrained=False,
            ),
        ),
        create_callback_task,
    )


def create_callback_task(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    refuse_card_numbers(arguments.get("details", ""), "details")
    topic, phone = arguments["topic"], arguments["phone"]
    # Asked for twice, promised once.
    known = context.db.execute(
        "SELECT due_at FROM callback_tasks WHERE topic = ? AND phone = ?", (topic, phone)
    ).fetchone()
    if known is None:
        due = policy.add_office_hours(context.now, policy.CALLBACK_HOURS[topic])
        context.db.execute(
            "INSERT INTO callback_tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                context.new_id("CB"),
                topic,
                arguments["caller_name"],
                phone,
                arguments["best_time"],
                arguments.get("details", ""),
                due.isoformat(timespec="minutes"),
                context.now.isoformat(),
            ),
        )
    else:
        due = datetime.fromisoformat(known["due_at"])
    promised = policy.spoken_moment(due)
    return {
        "promised_by": promised,
        "team": _TEAMS[topic],
        "phone": phone,
        "in_short": f"our {_TEAMS[topic]} calls {phone} by {promised}",
    }


def _locations() -> Tool:
    return Tool(
        "list_locations",
        "When to call: the caller asks for an office's address, floor, suite, hours, parking or transit, "
        "or what it offers, or asks which offices are near, or you need an office's id. Name one office "
        "by location_id, or a town or ZIP code in near; offers narrows a search. Never give an address, "
        "floor or opening hour from memory. Not needed again once a result has named the office.",
        (
            office_parameter("The one office the caller names", required=False),
            Parameter(
                "offers",
                ValueKind.TEXT,
                "Only offices that do this kind of work",
                required=False,
                choices=_OFFERS,
            ),
            Parameter(
                "near",
                ValueKind.TEXT,
                "Town, region, state or ZIP code to search in",
                required=False,
                constrained=False,
            ),
        ),
        list_locations,
    )


def list_locations(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    if "location_id" in arguments:
        return _one_office(context.db, arguments["location_id"])
    if "near" not in arguments:
        message = (
            "Say where: location_id for an office the caller named, or near with a town, region or ZIP code."
        )
        raise ToolRefusal("say_where", message, field="near", status=422)
    condition = _CONDITIONS[arguments.get("offers", "medical")]
    rows = _near(context.db, arguments["near"], condition)
    if not rows:
        message = "No such office is there. Ask for another town, a ZIP code, or the name of an office."
        raise ToolRefusal("no_office", message, field="near", status=404)
    entries = [office_entry(context.db, row) for row in rows[:_MOST_OFFICES]]
    return {
        "offices": entries,
        "office": entries[0],
        "more": max(0, len(rows) - _MOST_OFFICES),
        "nearest_cosmetic": [],
        "nearest_allergy": [],
        "in_short": f"We have {', '.join(entry['name'] for entry in entries)} there",
    }


def _one_office(db: sqlite3.Connection, location_id: str) -> Mapping[str, Any]:
    row = db.execute("SELECT * FROM locations WHERE location_id = ?", (location_id,)).fetchone()
    entry = office_entry(db, row)
    others = {
        f"nearest_{what}": []
        if row[f"offers_{what}"]
        else [office_entry(db, other) for other in nearest_offices(db, row, f"offers_{what} = 1", _NEAREST)]
        for what in ("cosmetic", "allergy")
    }
    in_short = entry["in_short"]
    # Callers ask for cosmetic work at offices without it far more often than for allergy shots.
    if not row["offers_cosmetic"]:
        found = others["nearest_cosmetic"]
        where = f"; the nearest office that does is {found[0]['name']}" if found else ""
        in_short = f"{in_short}. It does no cosmetic work{where}"
    return {
        "offices": [entry],
        "office": entry,
        "more": 0,
        **others,
        "in_short": in_short,
    }


def _near(db: sqlite3.Connection, text: str, condition: str) -> list[sqlite3.Row]:
    """Offices in a ZIP area, or whose name, region or state stands in the text."""
    zip_code = re.search(r"\b\d{5}\b", text)
    if zip_code is not None:
        return db.execute(
            f"SELECT * FROM locations WHERE substr(postal_code, 1, 3) = ? AND ({condition}) "
            "ORDER BY abs(CAST(postal_code AS INTEGER) - ?), place_no",
            (zip_code[0][:3], int(zip_code[0])),
        ).fetchall()
    words = f" {re.sub(r'[^a-z]+', ' ', text.lower()).strip()} "
    rows = db.execute(f"SELECT * FROM locations WHERE {condition} ORDER BY place_no").fetchall()
    for column in ("name", "region", "state"):
        found = [row for row in rows if f" {row[column].lower()} " in words]
        if found:
            return found
    return []
