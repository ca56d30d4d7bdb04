"""Finding a chart, proving that the caller may hear of it, and opening it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any

from offhook.names import match_names
from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.tools._gate import patient_id_parameter, read_session, verified_patient
from offhook_industries.healthcare.tools._visits import appointment_entries

__all__ = ["identity_tools"]


def identity_tools() -> tuple[Tool, ...]:
    return (_identify(), _verify(), _summary())


def _identify() -> Tool:
    return Tool(
        "identify_patient",
        "When to call: the caller may already be a patient, for instance because they speak of a bill, a "
        "result, a refill or a visit of theirs, and has given the phone number on the chart. Says only "
        "whether charts stand under that number and opens none: verify_identity comes next. Always first "
        "when the patient is a child. Not for somebody who says they have never been here.",
        (Parameter("phone", ValueKind.PHONE, "The phone number on the chart"),),
        identify_patient,
    )


def identify_patient(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    charts = context.db.execute(
        "SELECT count(*) FROM patients WHERE phone = ?", (arguments["phone"],)
    ).fetchone()[0]
    if not charts:
        message = (
            "No chart has this phone number. Ask for the number once more, one digit at a time, or for "
            "another one that may be on file. If there is none, the name and date of birth may still "
            "match, or the caller is new."
        )
        raise ToolRefusal("no_match", message, field="phone", status=404)
    context.db.execute("UPDATE call_session SET household_phone = ?", (arguments["phone"],))
    what = "One chart stands" if charts == 1 else f"{charts} charts stand"
    return {"found": True, "charts": charts, "in_short": f"{what} under this number; now verify the patient"}


def _verify() -> Tool:
    return Tool(
        "verify_identity",
        "When to call: you have the patient's full name and date of birth, before anything on a chart, "
        "balance, result or prescription is told or changed. A parent gives the child's name and date of "
        "birth. Add the ZIP code only when the answer asks for it. Returns the patient_id and the coming "
        "visits. Three attempts that match nobody lock it for the call.",
        (
            Parameter("full_name", ValueKind.NAME, "The patient's first and last name"),
            Parameter("date_of_birth", ValueKind.DATE, "The patient's date of birth"),
            Parameter("postal_code", ValueKind.ZIP, "The patient's home ZIP code", required=False),
        ),
        verify_identity,
    )


def verify_identity(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    session = read_session(context)
    if session.failures >= policy.MOST_VERIFICATION_FAILURES:
        raise _locked()
    found = _matching(context, arguments)
    if not found:
        context.db.execute("UPDATE call_session SET failures = failures + 1")
        if session.failures + 1 >= policy.MOST_VERIFICATION_FAILURES:
            raise _locked()
        message = (
            "No patient has this name together with this date of birth. Don't say which of them is "
            "wrong. Ask for the name again, spelled, and for the date of birth as month, day and year."
        )
        raise ToolRefusal("no_match", message, status=404)
    if len(found) > 1:
        message = (
            "Several patients have this name and date of birth. "
            "Ask for the home ZIP code and call again with it."
        )
        raise ToolRefusal("several_matches", message, field="postal_code")
    return _open(context, found[0], session.household_phone)


def _locked() -> ToolRefusal:
    message = (
        "Too many attempts matched nobody; no chart opens on this call any more. Offer a callback, or "
        "hand over with the reason verification_failed."
    )
    return ToolRefusal("locked", message, status=403)


def _matching(context: ToolContext, arguments: Mapping[str, Any]) -> list[sqlite3.Row]:
    """Patients with that birthday whose name is the one given; spelled alike goes before sounding alike."""
    rows = context.db.execute(
        "SELECT * FROM patients WHERE date_of_birth = ? AND ? IN (postal_code, '') ORDER BY patient_id",
        (arguments["date_of_birth"], arguments.get("postal_code", "")),
    ).fetchall()
    given = arguments["full_name"]
    named = [row for row in rows if match_names(given, row["full_name"]).same]
    return [row for row in named if row["full_name"].casefold() == given.casefold()] or named


def _open(context: ToolContext, row: sqlite3.Row, household_phone: str | None) -> Mapping[str, Any]:
    minor = policy.age_on(date.fromisoformat(row["date_of_birth"]), context.now.date()) < policy.ADULT_AGE
    if minor and household_phone != row["phone"]:
        # A number that was found but is not the child's is a wrong guess; none at all is a step left out.
        if household_phone is not None:
            context.db.execute("UPDATE call_session SET failures = failures + 1")
        message = (
            "The patient is a minor. Ask the parent or guardian for the phone number on the child's "
            "chart, call identify_patient with it, then verify again."
        )
        raise ToolRefusal("guardian_phone_needed", message, status=403)
    context.db.execute("INSERT OR IGNORE INTO verified_patients VALUES (?)", (row["patient_id"],))
    visits = appointment_entries(context, row["patient_id"])
    return {
        "verified": True,
        "patient_id": row["patient_id"],
        "first_name": row["full_name"].split(" ", 1)[0],
        "minor": minor,
        "appointments": visits,
        "next_appointment": visits[0] if visits else None,
        "in_short": _visits_in_short(visits),
    }


def _visits_in_short(visits: list[dict[str, Any]]) -> str:
    if not visits:
        return "no visits are booked"
    return " and ".join(visit["in_short"] for visit in visits)


def _summary() -> Tool:
    return Tool(
        "get_patient_summary",
        "When to call: right after each verify_identity that succeeds, before anything about the request: "
        "it has home office, insurance on file, portal, and whether something is owed. Not for "
        "amounts (get_account_balance) and not for test results (get_results_status).",
        (patient_id_parameter(),),
        get_patient_summary,
    )


def get_patient_summary(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    patient = verified_patient(context, arguments["patient_id"])
    db = context.db
    home = db.execute(
        "SELECT name FROM locations WHERE location_id = ?", (patient["home_location"],)
    ).fetchone()["name"]
    owes = db.execute(
        "SELECT 1 FROM charges WHERE patient_id = ? AND status = 'open'", (patient["patient_id"],)
    ).fetchone()
    visits = appointment_entries(context, patient["patient_id"])
    last = patient["last_visit"]
    return {
        "patient_id": patient["patient_id"],
        "full_name": patient["full_name"],
        "age": policy.age_on(date.fromisoformat(patient["date_of_birth"]), context.now.date()),
        "home_office": home,
        "home_location_id": patient["home_location"],
        "insurance": _insurance(db, patient),
        "portal_active": bool(patient["portal_active"]),
        "balance_due": owes is not None,
        "appointments": visits,
        "next_appointment": visits[0] if visits else None,
        "last_visit_spoken": policy.spoken_day(date.fromisoformat(last)) if last else "none yet",
        "in_short": _visits_in_short(visits),
    }


def _insurance(db: sqlite3.Connection, patient: sqlite3.Row) -> str:
    """The plan on file: what was captured last, else what the chart came with."""
    row = (
        db.execute(
            "SELECT title FROM insurance_records JOIN plans USING (plan) WHERE patient_id = ? "
            "ORDER BY captured_at DESC, record_id DESC",
            (patient["patient_id"],),
        ).fetchone()
        or db.execute("SELECT title FROM plans WHERE plan = ?", (patient["plan"],)).fetchone()
    )
    return "none on file" if row is None else str(row["title"])
