"""Cancelling an evaluation, in two steps: the fee is told before anything is changed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from typing import Any

from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.common.saying import dollars
from offhook_industries.legal import policy
from offhook_industries.legal.tools._gate import opened_caller
from offhook_industries.legal.tools._holds import require_yes, supersede, take_hold, use_hold
from offhook_industries.legal.tools._slots import Slot, slot_of

__all__ = ["cancelling_tools"]

_HOLDS = "cancellation_holds"


def cancelling_tools() -> tuple[Tool, ...]:
    return (_hold(), _confirm())


def _hold() -> Tool:
    return Tool(
        "hold_cancellation",
        "When to call: a caller whose record is open wants to cancel an evaluation of theirs. Tells what "
        "cancelling costs and changes nothing. get_caller_matters lists their appointments. Read read_back "
        "out and get a clear yes before confirm_cancellation.",
        (Parameter("appointment_id", ValueKind.TEXT, "The appointment_id that get_caller_matters listed"),),
        hold_cancellation,
    )


def hold_cancellation(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    caller = opened_caller(context)
    row = _own(context, caller["caller_id"], arguments["appointment_id"])
    slot = _slot(context, row)
    fee = policy.cancellation_fee_cents(row["fee_cents"], context.now, slot.starts_at)
    token = context.new_id("CX")
    expires = context.now + policy.HOLD_LIFETIME
    supersede(context, _HOLDS, caller["caller_id"])
    context.db.execute(
        "INSERT INTO cancellation_holds VALUES (?, ?, ?, ?, 'open', ?)",
        (token, caller["caller_id"], row["appointment_no"], fee, expires.isoformat()),
    )
    reason = _reason(row["fee_cents"], fee)
    return {
        "cancel_token": token,
        "appointment_id": f"AP-{row['appointment_no']}",
        **slot.facts(),
        "fee": dollars(fee) if fee else "free",
        "fee_reason": reason,
        "read_back": f"Cancelling the evaluation on {slot.facts()['spoken']}: {reason}",
        "expires_at": expires.isoformat(),
    }


def _own(context: ToolContext, caller_id: int, text: str) -> sqlite3.Row:
    """The caller's booked appointment.

    Raises:
        ToolRefusal: ``unknown_appointment`` or ``not_booked``.
    """
    match = re.fullmatch(r"(?:AP[- ]?)?([0-9]{1,9})", text.strip().upper())
    row: sqlite3.Row | None = context.db.execute(
        "SELECT * FROM appointments WHERE appointment_no = ? AND caller_id = ?",
        (int(match[1]) if match else -1, caller_id),
    ).fetchone()
    if row is None:
        message = "This caller has no such appointment. get_caller_matters lists those they have."
        raise ToolRefusal("unknown_appointment", message, field="appointment_id", status=404)
    if row["status"] != "booked":
        message = "That appointment has been cancelled already. Tell the caller so."
        raise ToolRefusal("not_booked", message, field="appointment_id")
    if _slot(context, row).starts_at <= context.now:
        message = "The time of that appointment has come, so it can't be cancelled. Tell the caller so."
        raise ToolRefusal("not_booked", message, field="appointment_id")
    return row


def _slot(context: ToolContext, appointment: sqlite3.Row) -> Slot:
    slot = slot_of(context, appointment["slot_id"])
    if slot is None:
        raise LookupError(f"appointment {appointment['appointment_no']} has no slot")
    return slot


def _reason(paid: int, fee: int) -> str:
    if not paid:
        return "a free evaluation can be cancelled free of charge."
    if not fee:
        return "there is a day or more to go, so cancelling is free of charge."
    return f"it is less than a day away, so half the consultation fee is charged, {dollars(fee)}."


def _confirm() -> Tool:
    return Tool(
        "confirm_cancellation",
        "When to call: a clear yes has followed your read-back of the appointment and of what cancelling "
        "it costs. Cancels it and gives the time to others; it cannot be undone on this line.",
        (
            Parameter(
                "cancel_token",
                ValueKind.TEXT,
                "The cancel_token of the latest hold_cancellation result",
                constrained=False,
            ),
            Parameter(
                "fee_acknowledged",
                ValueKind.YES_NO,
                "True only if the caller heard what cancelling costs and agreed to it",
            ),
        ),
        confirm_cancellation,
    )


def confirm_cancellation(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    caller = opened_caller(context)
    require_yes(arguments, "fee_acknowledged", "the appointment and what cancelling costs")
    hold = take_hold(
        context,
        _HOLDS,
        caller["caller_id"],
        arguments["cancel_token"],
        field="cancel_token",
        tool="hold_cancellation",
    )
    row = _own(context, caller["caller_id"], str(hold["appointment_no"]))
    slot = _slot(context, row)
    use_hold(context, _HOLDS, hold["token"])
    context.db.execute(
        "UPDATE appointments SET status = 'cancelled', cancellation_cents = ? WHERE appointment_no = ?",
        (hold["fee_cents"], row["appointment_no"]),
    )
    context.db.execute("UPDATE evaluation_slots SET status = 'open' WHERE slot_id = ?", (slot.slot_id,))
    fee = dollars(hold["fee_cents"]) if hold["fee_cents"] else "free"
    charge = f"{fee} is charged." if hold["fee_cents"] else "Nothing is charged."
    return {
        "cancelled": True,
        "day_spoken": slot.day_spoken,
        "fee": fee,
        "sentence": f"The evaluation on {slot.when} is cancelled. {charge}",
    }
