"""Visits and free times: how they are told, and what has to hold before one is taken, moved or dropped."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final

import attrs

from offhook.packs import ToolContext, ToolRefusal
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.tools._gate import Visitor, is_verified, somebody_verified

__all__ = [
    "FreeSlot",
    "appointment_entries",
    "appointment_entry",
    "commit_visit",
    "deposit_left",
    "deposit_of",
    "first_day",
    "free_slots",
    "offered_slot",
    "own_appointment",
    "post_change_fee",
    "refuse_second_booking",
    "refuse_too_soon",
    "slot_entry",
    "visit_type_row",
]

_APPOINTMENTS: Final = """
    SELECT appointments.*, locations.name AS office, locations.floor, locations.suite,
           providers.full_name AS provider, providers.credentials, visit_types.title AS visit,
           visit_types.family
    FROM appointments JOIN locations USING (location_id) JOIN providers USING (provider_id)
         JOIN visit_types USING (visit_type)
"""
_SLOTS: Final = """
    SELECT slots.*, locations.name AS office, locations.floor, locations.suite,
           providers.full_name AS provider, providers.credentials
    FROM slots JOIN locations USING (location_id) JOIN providers USING (provider_id)
"""
_CHANGE_FIELDS: Final = ("free_change", "fee", "fee_cents")
_FREE: Final = (
    "NOT EXISTS (SELECT 1 FROM appointments WHERE appointments.slot_id = slots.slot_id AND status = 'booked')"
)


@attrs.frozen
class FreeSlot:
    """A time that was offered on this call and is still free."""

    row: sqlite3.Row

    @property
    def starts_at(self) -> datetime:
        return datetime.fromisoformat(self.row["starts_at"])


def visit_type_row(context: ToolContext, visit_type: str) -> sqlite3.Row:
    row: sqlite3.Row = context.db.execute(
        "SELECT * FROM visit_types WHERE visit_type = ?", (visit_type,)
    ).fetchone()
    return row


def _provider(row: sqlite3.Row) -> str:
    return f"{row['provider']}, {row['credentials']}"


def slot_entry(row: sqlite3.Row) -> dict[str, Any]:
    """A free time as it is offered."""
    moment = datetime.fromisoformat(row["starts_at"])
    return {
        "slot_id": row["slot_id"],
        "location_id": row["location_id"],
        "office": row["office"],
        "floor": row["floor"],
        "provider": _provider(row),
        "day_spoken": policy.spoken_day(moment.date()),
        "time_spoken": policy.spoken_time(moment),
        "starts_at": row["starts_at"],
        "in_short": f"{policy.spoken_moment(moment)}, with {_provider(row)}",
    }


def free_slots(
    context: ToolContext,
    location_id: str,
    family: str,
    *,
    since: datetime,
    urgent: bool = False,
    count: int = 3,
) -> list[sqlite3.Row]:
    """The earliest free times of a family at an office that begin after ``since``. What is held back for
    urgent visits comes only with ``urgent``."""
    return context.db.execute(
        f"{_SLOTS} WHERE slots.location_id = ? AND slots.family = ? AND starts_at > ? "
        f"AND urgent_only <= ? AND {_FREE} ORDER BY starts_at, slot_id LIMIT ?",
        (location_id, family, since.isoformat(timespec="minutes"), int(urgent), count),
    ).fetchall()


def offered_slot(context: ToolContext, slot_id: str, visit_type: str | None = None) -> FreeSlot:
    """The time behind an id, if find_slots named it on this call (for that visit type) and it is free.

    Raises:
        ToolRefusal: ``slot_not_offered``, ``wrong_visit_type`` or ``slot_taken``.
    """
    offers = context.db.execute(
        "SELECT visit_type FROM offered_slots WHERE slot_id = ? ORDER BY visit_type", (slot_id,)
    ).fetchall()
    if not offers:
        message = (
            "This time was not offered on this call. Call find_slots for the office and visit type, name the "
            "times to the caller, and use the slot_id of the one they take."
        )
        raise ToolRefusal("slot_not_offered", message, field="slot_id")
    if visit_type is not None and visit_type not in {offer["visit_type"] for offer in offers}:
        shown = ", ".join(offer["visit_type"] for offer in offers)
        message = (
            f"This time was found for {shown}, not for {visit_type}. "
            "Call find_slots with the right visit type."
        )
        raise ToolRefusal("wrong_visit_type", message, field="visit_type")
    row = context.db.execute(f"{_SLOTS} WHERE slot_id = ? AND {_FREE}", (slot_id,)).fetchone()
    if row is None:
        message = "This time is not free any more. Call find_slots again and offer another."
        raise ToolRefusal("slot_taken", message, field="slot_id")
    return FreeSlot(row)


def appointment_entry(context: ToolContext, row: sqlite3.Row) -> dict[str, Any]:
    """A visit as it is told; ``row`` comes from this module."""
    moment = datetime.fromisoformat(row["starts_at"])
    fee = policy.change_fee_cents(row["family"], moment, context.now)
    article = "an" if row["visit"][0].lower() in "aeiou" else "a"
    return {
        "appointment_id": row["appointment_id"],
        "visit_type": row["visit_type"],
        "visit": row["visit"],
        "location_id": row["location_id"],
        "office": row["office"],
        "floor": row["floor"],
        "provider": _provider(row),
        "day_spoken": policy.spoken_day(moment.date()),
        "time_spoken": policy.spoken_time(moment),
        "starts_at": row["starts_at"],
        "free_change": fee == 0,
        "fee": "no charge" if fee == 0 else policy.dollars(fee),
        "fee_cents": fee,
        "in_short": f"{article} {row['visit']} at {row['office']} on {policy.spoken_moment(moment)}",
    }


def appointment_entries(context: ToolContext, patient_id: str) -> list[dict[str, Any]]:
    """A patient's booked visits that are still to come, soonest first."""
    rows = context.db.execute(
        f"{_APPOINTMENTS} WHERE patient_id = ? AND status = 'booked' AND starts_at > ? "
        "ORDER BY starts_at, appointment_id",
        (patient_id, context.now.isoformat(timespec="minutes")),
    ).fetchall()
    return [appointment_entry(context, row) for row in rows]


def own_appointment(context: ToolContext, appointment_id: str) -> sqlite3.Row:
    """A coming visit of a patient who was verified on this call.

    Raises:
        ToolRefusal: ``not_verified``, ``unknown_appointment`` or ``past_or_cancelled``.
    """
    somebody_verified(context)
    row: sqlite3.Row | None = context.db.execute(
        f"{_APPOINTMENTS} WHERE appointment_id = ?", (appointment_id,)
    ).fetchone()
    if row is None or row["patient_id"] is None or not is_verified(context, row["patient_id"]):
        message = (
            "No patient verified on this call has this appointment. Take the appointment_id from the "
            "appointments that verify_identity or get_patient_summary returned."
        )
        raise ToolRefusal("unknown_appointment", message, field="appointment_id", status=404)
    if row["status"] != "booked" or row["starts_at"] <= context.now.isoformat(timespec="minutes"):
        message = "This visit is over or has been cancelled already. Tell the caller; nothing can be changed."
        raise ToolRefusal("past_or_cancelled", message, field="appointment_id")
    return row


def post_change_fee(context: ToolContext, row: sqlite3.Row, arguments: Mapping[str, Any]) -> int:
    """Charges what a late change costs, if the caller was told exactly that; returns the cents.

    Raises:
        ToolRefusal: ``fee_not_disclosed``.
    """
    moment = datetime.fromisoformat(row["starts_at"])
    due = policy.change_fee_cents(row["family"], moment, context.now)
    if arguments.get("fee", 0) != due:
        told = policy.dollars(due) if due else "nothing"
        message = (
            f"Changing this visit now costs {told}. Tell the caller that amount and get a yes to it, then "
            "call " + (f"again with fee={due}." if due else "again without a fee.")
        )
        raise ToolRefusal("fee_not_disclosed", message, field="fee")
    if due:
        covered = deposit_of(context.db, row) >= due
        why = "the visit was changed too late to be free"
        context.db.execute(
            "INSERT INTO charges VALUES (?, ?, 'late_change', 'late change fee', ?, ?, ?, ?, ?)",
            (
                context.new_id("CH"),
                row["patient_id"],
                context.now.date().isoformat(),
                due,
                "paid" if covered else "open",
                f"{why}, and the deposit covers the fee" if covered else why,
                context.now.isoformat(),
            ),
        )
    return due


def deposit_of(db: sqlite3.Connection, row: sqlite3.Row) -> int:
    """What is still held for a visit, in cents: nothing where a late change has used it up."""
    paid: int = db.execute(
        "SELECT coalesce(sum(amount_cents), 0) FROM deposits WHERE appointment_id = ?",
        (row["appointment_id"],),
    ).fetchone()[0]
    return min(paid, deposit_left(db, row["patient_id"]))


def deposit_left(db: sqlite3.Connection, patient_id: str) -> int:
    """What is left of a patient's deposits, in cents: a late change that one covers is posted as paid."""
    cents: int = db.execute(
        "SELECT (SELECT coalesce(sum(amount_cents), 0) FROM deposits WHERE patient_id = :who) - "
        "(SELECT coalesce(sum(amount_cents), 0) FROM charges WHERE patient_id = :who AND "
        "kind = 'late_change' AND status = 'paid')",
        {"who": patient_id},
    ).fetchone()[0]
    return max(0, cents)


def refuse_second_booking(context: ToolContext, who: Visitor, visit_type: str) -> None:
    """A visit of that type that was already booked on this call for the same person is not booked twice.

    Raises:
        ToolRefusal: ``already_booked``.
    """
    row = context.db.execute(
        f"{_APPOINTMENTS} JOIN committed_visits USING (appointment_id) WHERE status = 'booked' AND "
        "visit_type = ? AND patient_id IS ? AND new_name IS ? AND new_phone IS ?",
        (visit_type, who.patient_id, who.name, who.phone),
    ).fetchone()
    if row is not None:
        entry = appointment_entry(context, row)
        message = (
            f"Already booked on this call: {entry['in_short']}. Tell the caller; do not book again. To "
            "change the time, move it."
        )
        raise ToolRefusal("already_booked", message)


def refuse_too_soon(context: ToolContext, patient_id: str | None, visit_type: str, slot: FreeSlot) -> None:
    """
    Raises:
        ToolRefusal: ``too_soon``, or as `first_day`.
    """
    earliest = first_day(context, patient_id, visit_type)
    if slot.starts_at.date() < earliest:
        message = (
            f"This time is too soon: the first possible day is {policy.spoken_day(earliest)}. Call "
            f"find_slots with from_date {earliest.isoformat()} and offer those times."
        )
        raise ToolRefusal("too_soon", message, field="slot_id")


def first_day(context: ToolContext, patient_id: str | None, visit_type: str) -> date:
    """The first day that preparation, and for shots the last one, allow.

    Raises:
        ToolRefusal: ``shots_need_a_chart``.
    """
    earliest = policy.earliest_day(visit_type, context.now)
    if visit_type != "allergy_shot":
        return earliest
    last = context.db.execute("SELECT last_shot FROM patients WHERE patient_id = ?", (patient_id,)).fetchone()
    if last is None or last["last_shot"] is None:
        message = (
            "Shots are given only to patients with an open series on their chart. Verify the patient "
            "first; where there is no series, offer an allergy evaluation."
        )
        raise ToolRefusal("shots_need_a_chart", message)
    spaced = date.fromisoformat(last["last_shot"]) + timedelta(days=policy.SHOT_GAP_DAYS)
    return max(earliest, spaced)


def commit_visit(
    context: ToolContext, who: Visitor, slot: FreeSlot, visit_type: str, service: str | None = None
) -> dict[str, Any]:
    """Writes a new visit and returns it as it is told."""
    appointment_id = context.new_id("AP")
    context.db.execute(
        "INSERT INTO appointments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'booked', ?)",
        (
            appointment_id,
            who.patient_id,
            who.name,
            who.birth,
            who.phone,
            slot.row["location_id"],
            slot.row["provider_id"],
            slot.row["slot_id"],
            slot.row["starts_at"],
            visit_type,
            service,
            context.now.isoformat(),
        ),
    )
    context.db.execute("INSERT INTO committed_visits VALUES (?)", (appointment_id,))
    row = context.db.execute(f"{_APPOINTMENTS} WHERE appointment_id = ?", (appointment_id,)).fetchone()
    entry = appointment_entry(context, row)
    # What changing it would cost is no part of booking it.
    return {field: value for field, value in entry.items() if field not in _CHANGE_FIELDS}
