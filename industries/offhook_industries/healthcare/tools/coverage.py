"""Insurance: which office takes which plan, what a plan pays, and putting a plan on file."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.tools._gate import (
    patient_id_parameter,
    require_yes,
    verified_patient,
)
from offhook_industries.healthcare.tools._offices import nearest_offices, office_parameter
from offhook_industries.healthcare.vocabulary import PLANS

__all__ = ["coverage_tools"]

_ELSEWHERE: Final = 3
_MEMBER_DIGITS: Final = 9
_RELATIONSHIPS: Final = (
    Choice(
        "self",
        "holding it oneself, in one's own name",
        ("my own", "my plan", "own plan", "myself", "mine", "in my name", "under my name"),
    ),
    Choice(
        "spouse",
        "held by a husband or wife",
        ("my husband", "my wife", "husband's", "wife's", "my partner"),
    ),
    Choice("parent", "held by a mother or father", ("my mother", "my father", "my parents")),
    Choice("other", "held by a grandparent, a guardian or a former partner", ()),
)


def coverage_tools() -> tuple[Tool, ...]:
    return (_accepted(), _eligibility(), _capture())


def _plan_parameter() -> Parameter:
    return Parameter(
        "plan",
        ValueKind.TEXT,
        "The plan as its card names it; the more exact name where two fit",
        choices=tuple(plan.choice for plan in PLANS),
    )


def _member_parameter() -> Parameter:
    return Parameter(
        "member_id",
        ValueKind.DIGITS,
        "Member number on the insurance card, digits only",
        length=_MEMBER_DIGITS,
    )


def _accepted() -> Tool:
    return Tool(
        "check_plan_accepted",
        "When to call: the caller asks whether an office takes their insurance, or wants a first visit "
        "and names a plan. Each time for one plan at one office: offices differ, and so do products of "
        "one insurer, so never answer from another office or a similar name. Says nothing about costs "
        "(run_eligibility_check).",
        (_plan_parameter(), office_parameter("The office the caller asks about")),
        check_plan_accepted,
    )


def check_plan_accepted(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    plan, office = _plan_and_office(context, arguments)
    accepted = _takes(context.db, plan["plan"], office["location_id"])
    elsewhere = [] if accepted else _others(context.db, plan["plan"], office)
    referral = bool(plan["needs_referral"])
    if accepted:
        rule = "a referral from the family doctor is needed" if referral else "no referral is needed"
        in_short = f"Yes, {office['name']} takes {plan['title']}, and {rule}"
    elif elsewhere:
        which = "office that does is" if len(elsewhere) == 1 else "offices that do are"
        in_short = (
            f"No, {office['name']} does not take {plan['title']}. The nearest {which} {_listed(elsewhere)}"
        )
    else:
        in_short = f"No, {office['name']} does not take {plan['title']}, and no office near it does"
    return {
        "accepted": accepted,
        "plan": plan["plan"],
        "plan_name": plan["title"],
        "location_id": office["location_id"],
        "office": office["name"],
        "referral_needed": referral,
        "note": plan["note"],
        "elsewhere": elsewhere,
        "in_short": in_short,
    }


def _listed(names: list[str]) -> str:
    """``"A, B and C"``."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _plan_and_office(context: ToolContext, arguments: Mapping[str, Any]) -> tuple[sqlite3.Row, sqlite3.Row]:
    plan = context.db.execute("SELECT * FROM plans WHERE plan = ?", (arguments["plan"],)).fetchone()
    office = context.db.execute(
        "SELECT * FROM locations WHERE location_id = ?", (arguments["location_id"],)
    ).fetchone()
    return plan, office


def _takes(db: sqlite3.Connection, plan: str, location_id: str) -> bool:
    found = db.execute(
        "SELECT 1 FROM plan_locations WHERE plan = ? AND location_id = ?", (plan, location_id)
    ).fetchone()
    return found is not None


def _others(db: sqlite3.Connection, plan: str, office: sqlite3.Row) -> list[str]:
    # The slug comes out of a closed vocabulary.
    condition = f"location_id IN (SELECT location_id FROM plan_locations WHERE plan = '{plan}')"
    return [row["name"] for row in nearest_offices(db, office, condition, _ELSEWHERE)]


def _eligibility() -> Tool:
    return Tool(
        "run_eligibility_check",
        "When to call: the caller wants to know their copay, deductible or coinsurance and has given "
        "plan, member number and date of birth, and the office. Asks the insurer and returns an "
        "estimate; say that it is one. Without a member number don't call and don't guess a figure: "
        "offer a callback with an estimate.",
        (
            _plan_parameter(),
            _member_parameter(),
            Parameter("date_of_birth", ValueKind.DATE, "Date of birth of the insured patient"),
            office_parameter("The office the visit is at"),
        ),
        run_eligibility_check,
    )


def run_eligibility_check(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    plan, office = _plan_and_office(context, arguments)
    member = context.db.execute(
        "SELECT * FROM coverage_members WHERE plan = ? AND member_id = ? AND date_of_birth = ?",
        (plan["plan"], arguments["member_id"], arguments["date_of_birth"]),
    ).fetchone()
    if member is None:
        message = (
            "The insurer knows no member with this number and date of birth. Ask for the member number "
            "again, one digit at a time, and for the date of birth; check that the plan is the one on "
            "the card."
        )
        raise ToolRefusal("no_coverage_found", message, status=404)
    active = bool(member["active"])
    in_network = _takes(context.db, plan["plan"], office["location_id"])
    copay = policy.dollars(member["copay_cents"])
    left = policy.dollars(member["deductible_left_cents"])
    if not active:
        in_short = f"{plan['title']} says this coverage is not active"
    elif not in_network:
        in_short = f"{office['name']} does not take {plan['title']}, so its copay would not apply there"
    else:
        in_short = (
            f"{plan['title']} gives a copay of {copay} for a visit at {office['name']}, with {left} of the "
            "deductible left; this is an estimate"
        )
    return {
        "active": active,
        "in_network": in_network,
        "plan_name": plan["title"],
        "office": office["name"],
        "copay": copay,
        "deductible_left": left,
        "coinsurance": f"{member['coinsurance_percent']} percent",
        "in_short": in_short,
    }


def _capture() -> Tool:
    return Tool(
        "capture_insurance_update",
        "When to call: the caller wants new or changed insurance put on file and said yes after you read "
        "plan and member number back. For a verified patient pass patient_id; for somebody new pass the "
        "appointment_id that was booked on this call. Not to find out whether a plan is taken.",
        (
            _plan_parameter(),
            _member_parameter(),
            Parameter(
                "relationship",
                ValueKind.TEXT,
                "Whose plan it is, seen from the patient",
                choices=_RELATIONSHIPS,
            ),
            Parameter(
                "confirmed",
                ValueKind.YES_NO,
                "True only if the caller said yes to plan and number as read back",
            ),
            patient_id_parameter(required=False),
            Parameter(
                "appointment_id",
                ValueKind.TEXT,
                "The visit booked on this call for somebody without a chart",
                required=False,
                constrained=False,
            ),
        ),
        capture_insurance_update,
    )


def capture_insurance_update(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    patient_id, appointment_id = _holder(context, arguments)
    require_yes(arguments, "confirmed", "not_confirmed", "the plan and the member number")
    plan = context.db.execute("SELECT * FROM plans WHERE plan = ?", (arguments["plan"],)).fetchone()
    entry = (
        patient_id,
        appointment_id,
        plan["plan"],
        arguments["member_id"],
        arguments["relationship"],
    )
    known = context.db.execute(
        "SELECT 1 FROM insurance_records WHERE patient_id IS ? AND appointment_id IS ? AND plan = ? AND "
        "member_id = ? AND relationship = ?",
        entry,
    ).fetchone()
    if known is None:  # on file already: nothing to add
        context.db.execute(
            "INSERT INTO insurance_records VALUES (?, ?, ?, ?, ?, ?, ?)",
            (context.new_id("IN"), *entry, context.now.isoformat()),
        )
    return {
        "saved": True,
        "plan_name": plan["title"],
        "member_id": arguments["member_id"],
        "in_short": f"{plan['title']} with member number {arguments['member_id']} is on file",
    }


def _holder(context: ToolContext, arguments: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Patient or newcomer's visit to which the insurance belongs.

    Raises:
        ToolRefusal: ``who_is_it_for``, ``unknown_appointment``, or as ``verified_patient``.
    """
    if "patient_id" in arguments:
        return verified_patient(context, arguments["patient_id"])["patient_id"], None
    if "appointment_id" not in arguments:
        message = (
            "Say whose insurance it is: patient_id of a verified "
            "patient, or the appointment_id booked on this call."
        )
        raise ToolRefusal("who_is_it_for", message, field="patient_id", status=422)
    row = context.db.execute(
        "SELECT appointments.* FROM committed_visits JOIN appointments USING (appointment_id) "
        "WHERE appointment_id = ?",
        (arguments["appointment_id"],),
    ).fetchone()
    if row is None:
        message = "This visit was not booked on this call. Use the appointment_id that the booking returned."
        raise ToolRefusal("unknown_appointment", message, field="appointment_id", status=404)
    if row["patient_id"] is not None:
        return row["patient_id"], None
    return None, row["appointment_id"]
