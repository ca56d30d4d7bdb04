"""Moving and dropping a visit that is booked, and the one text message this line sends."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.tools._gate import require_yes
from offhook_industries.healthcare.tools._visits import (
    appointment_entry,
    deposit_of,
    offered_slot,
    own_appointment,
    post_change_fee,
    refuse_too_soon,
)

__all__ = ["changing_tools"]

_MESSAGES: Final = (
    Choice(
        "appointment_confirmation",
        "the time and place of a visit that was just booked",
        ("confirmation", "confirm", "appointment details"),
    ),
    Choice("reschedule_confirmation", "the new time of a visit that was just moved", ("new time",)),
    Choice("directions", "the way to drive there, turn by turn", ("the address", "address")),
    Choice("allergy_preparation", "what to stop before an allergy test", ("preparation", "instructions")),
)


def changing_tools() -> tuple[Tool, ...]:
    return (_reschedule(), _cancel(), _text())


def _appointment_parameter(description: str) -> Parameter:
    return Parameter("appointment_id", ValueKind.TEXT, description)


def _fee_parameter() -> Parameter:
    return Parameter(
        "fee",
        ValueKind.AMOUNT,
        "The fee_cents of the appointment, if it has one and the caller agreed to it; leave out where it "
        "is free",
        required=False,
    )


def _reschedule() -> Tool:
    return Tool(
        "reschedule_appointment",
        "When to call: a verified patient wants a booked visit at another time, has taken a time that "
        "find_slots offered for the same type of visit, and said yes to your read-back of the new time "
        "(and of the fee, if the visit has one). Keeps the visit and changes its time. Offer this before "
        "any cancellation. Never cancel and book anew instead.",
        (
            _appointment_parameter("The appointment_id of the visit to move, from the chart"),
            Parameter("slot_id", ValueKind.TEXT, "The slot_id of the new time, from find_slots"),
            Parameter(
                "confirmed",
                ValueKind.YES_NO,
                "True only if the caller said yes to the new time you read back",
                constrained=False,
            ),
            _fee_parameter(),
        ),
        reschedule_appointment,
    )


def reschedule_appointment(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    old = own_appointment(context, arguments["appointment_id"])
    require_yes(arguments, "confirmed", "not_confirmed", "the new day, time, office and provider")
    _refuse_second_move(old, arguments["slot_id"])
    slot = offered_slot(context, arguments["slot_id"], old["visit_type"])
    refuse_too_soon(context, old["patient_id"], old["visit_type"], slot)
    before = appointment_entry(context, old)
    fee = post_change_fee(context, old, arguments)
    context.db.execute(
        "UPDATE appointments SET location_id = ?, provider_id = ?, slot_id = ?, starts_at = ? "
        "WHERE appointment_id = ?",
        (
            slot.row["location_id"],
            slot.row["provider_id"],
            slot.row["slot_id"],
            slot.row["starts_at"],
            old["appointment_id"],
        ),
    )
    context.db.execute("INSERT OR IGNORE INTO committed_visits VALUES (?)", (old["appointment_id"],))
    after = appointment_entry(context, own_appointment(context, old["appointment_id"]))
    return {
        **after,
        "moved": True,
        "from_spoken": f"{before['day_spoken']}, at {before['time_spoken']}",
        "fee": policy.dollars(fee) if fee else "no charge",
        "fee_cents": fee,
    }


def _refuse_second_move(row: sqlite3.Row, slot_id: str) -> None:
    """
    Raises:
        ToolRefusal: ``already_moved``.
    """
    if row["slot_id"] == slot_id:
        message = "The visit is at this time already. Tell the caller it is done; do not move it again."
        raise ToolRefusal("already_moved", message, field="slot_id")


def _cancel() -> Tool:
    return Tool(
        "cancel_appointment",
        "When to call: a verified patient still wants to cancel after you offered to move the visit, and "
        "said yes after you named the visit and what cancelling it costs (the fee of the appointment, "
        "often nothing). Final on this line. Put them on the waiting list afterwards only if they say that "
        "they want to hear of an opening.",
        (
            _appointment_parameter("The appointment_id of the visit to cancel, from the chart"),
            Parameter(
                "confirmed",
                ValueKind.YES_NO,
                "True only if the caller heard the visit and any fee, and said yes",
            ),
            _fee_parameter(),
        ),
        cancel_appointment,
    )


def cancel_appointment(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    row = own_appointment(context, arguments["appointment_id"])
    require_yes(arguments, "confirmed", "not_confirmed", "which visit is cancelled and what that costs")
    entry = appointment_entry(context, row)
    deposit = deposit_of(context.db, row)
    fee = post_change_fee(context, row, arguments)
    context.db.execute(
        "UPDATE appointments SET status = 'cancelled' WHERE appointment_id = ?", (row["appointment_id"],)
    )
    return {
        "cancelled": True,
        "appointment_id": row["appointment_id"],
        "visit_type": row["visit_type"],
        "visit": entry["visit"],
        "location_id": entry["location_id"],
        "office": entry["office"],
        "day_spoken": entry["day_spoken"],
        "time_spoken": entry["time_spoken"],
        "fee": policy.dollars(fee) if fee else "no charge",
        "fee_cents": fee,
        "deposit": _deposit(deposit, fee),
        "in_short": f"{entry['in_short']} is cancelled",
    }


def _deposit(cents: int, fee: int) -> str:
    """What becomes of what is held, in words; nothing is said where nothing is held."""
    if not cents:
        return ""
    if fee:
        return f"The {policy.dollars(cents)} deposit covers the fee and is used up"
    return f"The {policy.dollars(cents)} deposit stays on the account as a credit"


def _text() -> Tool:
    return Tool(
        "send_sms",
        "When to call: a medical or allergy visit was just booked or moved on this call, and the caller "
        "asked for a text message about it. Never offer one and never send one unasked, not even to be "
        "helpful. Not for payment links (send_payment_link) or the portal (send_portal_activation), and "
        "not for cosmetic consults.",
        (
            Parameter("message", ValueKind.TEXT, "Which text", choices=_MESSAGES),
            Parameter("phone", ValueKind.PHONE, "The mobile number the caller wants it on"),
            Parameter("caller_asked", ValueKind.YES_NO, "True only if the caller asked for this text"),
            Parameter(
                "appointment_id",
                ValueKind.TEXT,
                "The visit it is about, if several were booked on this call",
                required=False,
                constrained=False,
            ),
        ),
        send_sms,
    )


def send_sms(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    if not arguments["caller_asked"]:
        message = "Texts go only to callers who ask for one. Don't offer it; go on with the call."
        raise ToolRefusal("not_asked_for", message, field="caller_asked")
    row = context.db.execute(
        "SELECT appointment_id, family FROM committed_visits JOIN appointments USING (appointment_id) "
        "JOIN visit_types USING (visit_type) WHERE ? IN (appointment_id, '') AND status = 'booked' "
        "ORDER BY starts_at DESC",
        (arguments.get("appointment_id", ""),),
    ).fetchone()
    if row is None:
        message = "No visit was booked or moved on this call, so there is nothing to text about."
        raise ToolRefusal("nothing_committed", message)
    if row["family"] == "cosmetic":
        message = "Cosmetic consults are confirmed by e-mail, not by text. Tell the caller so."
        raise ToolRefusal("not_for_cosmetic", message)
    sent = context.db.execute(
        "SELECT 1 FROM sms_log WHERE phone = ? AND message = ? AND appointment_id = ?",
        (arguments["phone"], arguments["message"], row["appointment_id"]),
    ).fetchone()
    if sent is not None:
        message = "This text has been sent to this number already. Tell the caller; don't send it again."
        raise ToolRefusal("already_sent", message)
    context.db.execute(
        "INSERT INTO sms_log VALUES (?, ?, ?, ?, ?)",
        (
            context.new_id("SM"),
            arguments["phone"],
            arguments["message"],
            row["appointment_id"],
            context.now.isoformat(),
        ),
    )
    return {
        "sent": True,
        "phone": arguments["phone"],
        "in_short": f"the text is on its way to {arguments['phone']}",
    }
