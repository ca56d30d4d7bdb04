"""Allergy services: tests and shots, with the preparation and spacing they need."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any, Final

from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.healthcare.tools._gate import (
    patient_id_parameter,
    require_yes,
    visitor,
)
from offhook_industries.healthcare.tools._offices import office_parameter
from offhook_industries.healthcare.tools._visits import (
    FreeSlot,
    commit_visit,
    first_day,
    free_slots,
    offered_slot,
    refuse_second_booking,
    refuse_too_soon,
    visit_type_row,
)
from offhook_industries.healthcare.vocabulary import ALLERGY_SERVICES, ALLERGY_VISITS

__all__ = ["allergy_tools"]

_PREPARATION: Final[Mapping[str, str]] = {
    "skin_testing": "Take no antihistamines for seven days before the test",
    "patch_testing": "Keep the back free of creams, and don't shower it for two days after the patches go on",
    "allergy_shot": "Stay for thirty minutes after the shot",
    "allergy_evaluation": "Bring a list of what you take and what you reacted to",
}


def allergy_tools() -> tuple[Tool, ...]:
    return (_schedule(),)


def _schedule() -> Tool:
    return Tool(
        "schedule_allergy_service",
        "When to call: the caller wants skin testing, patch testing, an allergy shot or an allergy "
        "evaluation, heard how to prepare, and clearly said yes. Pass the slot_id of a time from "
        "find_slots, or only the office for its first opening that leaves time to prepare. For a "
        "verified patient pass patient_id; for somebody new pass name, date of birth and phone. Shots "
        "are for patients with a chart only. Afterwards say day, time and preparation.",
        (
            Parameter("service", ValueKind.TEXT, "Which allergy service", choices=ALLERGY_SERVICES),
            office_parameter("The office the caller names; leave out when slot_id is given", required=False),
            Parameter("slot_id", ValueKind.TEXT, "The time the caller took, from find_slots", required=False),
            patient_id_parameter(required=False),
            Parameter(
                "patient_name", ValueKind.NAME, "A new patient's full name", required=False, constrained=False
            ),
            Parameter(
                "date_of_birth",
                ValueKind.DATE,
                "A new patient's date of birth",
                required=False,
                constrained=False,
            ),
            Parameter(
                "phone", ValueKind.PHONE, "A new patient's phone number", required=False, constrained=False
            ),
            Parameter(
                "confirmed",
                ValueKind.YES_NO,
                "True only if the caller heard the preparation and said yes",
                constrained=False,
            ),
        ),
        schedule_allergy_service,
    )


def schedule_allergy_service(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    service = arguments["service"]
    visit = visit_type_row(context, dict(ALLERGY_VISITS)[service])
    who = visitor(context, arguments, needs=("patient_name", "date_of_birth", "phone"))
    require_yes(arguments, "confirmed", "not_confirmed", "the service, the office and how to prepare")
    refuse_second_booking(context, who, visit["visit_type"])
    earliest = first_day(context, who.patient_id, visit["visit_type"])
    slot = _slot(context, arguments, visit, earliest)
    refuse_too_soon(context, who.patient_id, visit["visit_type"], slot)
    entry = commit_visit(context, who, slot, visit["visit_type"])
    return {
        **entry,
        "booked": True,
        "service": service,
        "service_name": visit["title"],
        "preparation": _PREPARATION[service],
    }


def _slot(context: ToolContext, arguments: Mapping[str, Any], visit: sqlite3.Row, earliest: date) -> FreeSlot:
    """The time that was chosen, or the office's first one that is late enough.

    Raises:
        ToolRefusal: ``where`` , ``not_offered_here``, ``no_opening``, or as ``offered_slot``.
    """
    if "slot_id" in arguments:
        return offered_slot(context, arguments["slot_id"], visit["visit_type"])
    if "location_id" not in arguments:
        message = "Say where or when: location_id for an office's first opening, or slot_id from find_slots."
        raise ToolRefusal("say_where", message, field="location_id", status=422)
    office = context.db.execute(
        "SELECT * FROM locations WHERE location_id = ?", (arguments["location_id"],)
    ).fetchone()
    if not office["offers_allergy"]:
        message = (
            f"{office['name']} has no allergy services. list_locations "
            "with this office names the nearest that has."
        )
        raise ToolRefusal("not_offered_here", message, field="location_id")
    since = max(context.now, datetime.combine(earliest, time()))
    rows = free_slots(context, office["location_id"], "allergy", since=since, count=1)
    if not rows:
        message = f"{office['name']} has no opening for this. Offer another office or the waiting list."
        raise ToolRefusal("no_opening", message, field="location_id")
    return FreeSlot(rows[0])
