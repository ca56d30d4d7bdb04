"""Medical visits: what kind it has to be, when there is room, and booking it; the waiting list."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.tools._gate import Visitor, patient_id_parameter, require_yes, visitor
from offhook_industries.healthcare.tools._offices import (
    find_office,
    nearest_offices,
    office_entry,
    office_reference,
)
from offhook_industries.healthcare.tools._visits import (
    commit_visit,
    free_slots,
    offered_slot,
    refuse_second_booking,
    slot_entry,
    visit_type_row,
)
from offhook_industries.healthcare.vocabulary import CONCERNS, VISIT_TYPES

__all__ = ["booking_tools", "visit_type_parameter"]

_NEAREST: Final = 3
_FAMILY_WORDS: Final[Mapping[str, str]] = {
    "medical": "medical visits",
    "surgical": "surgery",
    "cosmetic": "cosmetic services",
    "allergy": "allergy services",
}
_URGENCY: Final = (
    Choice(
        "routine",
        "can wait for the next ordinary opening",
        ("not urgent", "isn't urgent", "nothing urgent", "no rush", "no hurry", "it can wait", "can wait"),
    ),
    Choice(
        "urgent",
        "got worse quickly, hurts, spreads, bleeds, and should be seen within two days",
        ("as soon as possible", "right away", "today", "asap", "spreading", "painful"),
    ),
)


def booking_tools() -> tuple[Tool, ...]:
    return (_classify(), _find(), _book(), _wait())


def visit_type_parameter() -> Parameter:
    return Parameter(
        "visit_type",
        ValueKind.TEXT,
        "The type of visit, as classify_visit_request or the chart names it",
        choices=tuple(visit.choice for visit in VISIT_TYPES),
    )


def _classify() -> Tool:
    return Tool(
        "classify_visit_request",
        "When to call: the caller has said for which medical, surgical or allergy reason they want to "
        "come, before any times are looked up. Says which type of visit it is and whether to ask how "
        "urgent it is. It gives no advice and neither may you. Not for cosmetic wishes, not for moving a "
        "visit that is booked already.",
        (
            Parameter(
                "concern",
                ValueKind.TEXT,
                "The reason that fits the caller's words best",
                choices=tuple(concern.choice for concern in CONCERNS),
            ),
            Parameter(
                "description",
                ValueKind.TEXT,
                "The reason in the caller's words",
                required=False,
                constrained=False,
            ),
        ),
        classify_visit_request,
    )


def classify_visit_request(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    row = context.db.execute(
        "SELECT * FROM concerns JOIN visit_types USING (visit_type) WHERE concern = ?",
        (arguments["concern"],),
    ).fetchone()
    return {
        "concern": row["concern"],
        "visit_type": row["visit_type"],
        "visit": row["title"],
        "family": row["family"],
        "minutes": row["minutes"],
        "ask_urgency": bool(row["ask_urgency"]),
        "in_short": f"that is a {row['minutes']} minute {row['title']}",
    }


def _find() -> Tool:
    return Tool(
        "find_slots",
        "When to call: you know the office and the type of visit and are ready to offer times, for a new "
        "visit or to move one. Returns the three earliest; offer the first one first. With urgency set "
        "to urgent it also shows times held back for callers who can't wait: only after they said how "
        "bad it is. Only a time found here, on this call, can be booked.",
        (
            office_reference(),
            visit_type_parameter(),
            Parameter(
                "urgency",
                ValueKind.TEXT,
                "Leave out unless the caller was asked how urgent it is",
                required=False,
                choices=_URGENCY,
            ),
            Parameter(
                "from_date",
                ValueKind.DATE,
                "The first day that suits the caller, if they named one",
                required=False,
            ),
        ),
        find_slots,
    )


def find_slots(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    office = find_office(context.db, arguments["location_id"])
    visit = visit_type_row(context, arguments["visit_type"])
    family = visit["family"]
    since = max(context.now, datetime.combine(policy.earliest_day(visit["visit_type"], context.now), time()))
    if "from_date" in arguments:
        since = max(since, datetime.fromisoformat(arguments["from_date"]))
    urgent = arguments.get("urgency") == "urgent"
    rows = free_slots(context, office["location_id"], family, since=since, urgent=urgent)
    context.db.executemany(
        "INSERT OR IGNORE INTO offered_slots VALUES (?, ?)",
        [(row["slot_id"], visit["visit_type"]) for row in rows],
    )
    slots = [slot_entry(row) for row in rows]
    done_here = family == "medical" or bool(office[f"offers_{family}"])
    nearest = (
        []
        if done_here
        else [
            office_entry(context.db, row)
            for row in nearest_offices(context.db, office, f"offers_{family} = 1", _NEAREST)
        ]
    )
    if slots:
        in_short = f"The first opening at {office['name']} is {slots[0]['in_short']}"
    elif done_here:
        in_short = f"{office['name']} has no opening for a {visit['title']} then; offer the waiting list"
    else:
        in_short = f"{office['name']} has no {_FAMILY_WORDS[family]}" + (
            f"; the nearest office that has is {nearest[0]['name']}" if nearest else ""
        )
    return {
        "slots": slots,
        "first_slot": slots[0] if slots else None,
        "visit_type": visit["visit_type"],
        "offered_here": done_here,
        "nearest": nearest,
        "in_short": in_short,
    }


def _book() -> Tool:
    return Tool(
        "book_appointment",
        "When to call: the caller said yes after you read back day, time, office with its floor, and the "
        "provider with credentials, for a medical, surgical or allergy evaluation visit. For a verified "
        "patient pass patient_id; for somebody new pass name, date of birth and phone. One call books "
        "one visit. Not for cosmetic consults, allergy tests or shots, which have their own tools, and "
        "never to move a visit.",
        (
            _slot_parameter(),
            visit_type_parameter(),
            Parameter("patient_name", ValueKind.NAME, "A new patient's full name", required=False),
            Parameter("date_of_birth", ValueKind.DATE, "A new patient's date of birth", required=False),
            Parameter("phone", ValueKind.PHONE, "A new patient's phone number", required=False),
            Parameter(
                "confirmed",
                ValueKind.YES_NO,
                "True only if the caller said yes to the time you read back",
            ),
            patient_id_parameter(required=False),
        ),
        book_appointment,
    )


def _slot_parameter() -> Parameter:
    return Parameter("slot_id", ValueKind.TEXT, "The slot_id of the time the caller took, from find_slots")


def book_appointment(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    visit = visit_type_row(context, arguments["visit_type"])
    _refuse_other_desk(visit["visit_type"], visit["family"])
    who = visitor(context, arguments, needs=("patient_name", "date_of_birth", "phone"))
    require_yes(arguments, "confirmed", "not_confirmed", "day, time, office and provider")
    refuse_second_booking(context, who, visit["visit_type"])
    slot = offered_slot(context, arguments["slot_id"], visit["visit_type"])
    entry = commit_visit(context, who, slot, visit["visit_type"])
    terms = policy.CHANGE_TERMS[visit["family"]]
    hours = int(terms.notice.total_seconds() // 3600)
    return {
        **entry,
        "booked": True,
        "arrive": "Please come fifteen minutes early with a photo ID and your insurance card",
        "cancel_terms": f"Moving or cancelling is free until {hours} hours before; after that it is "
        f"{policy.dollars(terms.fee_cents)}",
    }


def _refuse_other_desk(visit_type: str, family: str) -> None:
    """
    Raises:
        ToolRefusal: ``use_cosmetic_consult`` or ``use_allergy_service``.
    """
    if family == "cosmetic":
        message = "Cosmetic consults have a deposit and other terms. Book this with book_cosmetic_consult."
        raise ToolRefusal("use_cosmetic_consult", message, field="visit_type")
    if family == "allergy" and visit_type != "allergy_evaluation":
        message = "Allergy tests and shots need preparation. Book this with schedule_allergy_service."
        raise ToolRefusal("use_allergy_service", message, field="visit_type")


def _wait() -> Tool:
    return Tool(
        "join_waitlist",
        "When to call: the caller wants an earlier time than any you can offer, or has cancelled and "
        "doesn't want a new time now, and agrees to be called when one opens. Not instead of booking a "
        "time that suits them, and not unasked.",
        (
            office_reference(),
            visit_type_parameter(),
            patient_id_parameter(required=False),
            Parameter("patient_name", ValueKind.NAME, "A new patient's full name", required=False),
            Parameter("phone", ValueKind.PHONE, "A new patient's phone number", required=False),
        ),
        join_waitlist,
    )


def join_waitlist(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    office = find_office(context.db, arguments["location_id"])
    visit = visit_type_row(context, arguments["visit_type"])
    if visit["family"] != "medical" and not office[f"offers_{visit['family']}"]:
        message = f"{office['name']} has no {_FAMILY_WORDS[visit['family']]}. Offer an office that has."
        raise ToolRefusal("not_offered_here", message, field="location_id")
    who = visitor(context, arguments, needs=("patient_name", "phone"))
    _refuse_waiting(context, who, office["location_id"], visit["visit_type"])
    context.db.execute(
        "INSERT INTO waitlist VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            context.new_id("WL"),
            who.patient_id,
            who.name,
            who.phone,
            office["location_id"],
            visit["visit_type"],
            context.now.isoformat(),
        ),
    )
    return {
        "joined": True,
        "office": office["name"],
        "visit": visit["title"],
        "in_short": f"you are on the waiting list for a {visit['title']} at {office['name']}, and we call "
        "you when a time opens",
    }


def _refuse_waiting(context: ToolContext, who: Visitor, location_id: str, visit_type: str) -> None:
    """
    Raises:
        ToolRefusal: ``already_waiting``.
    """
    waiting = context.db.execute(
        "SELECT 1 FROM waitlist WHERE patient_id IS ? AND new_name IS ? AND new_phone IS ? AND "
        "location_id = ? AND visit_type = ?",
        (who.patient_id, who.name, who.phone, location_id, visit_type),
    ).fetchone()
    if waiting is not None:
        message = "They are on this waiting list already. Tell the caller so; do nothing more."
        raise ToolRefusal("already_waiting", message)
