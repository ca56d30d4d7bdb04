"""Case evaluations: attorneys, open times, and booking in two steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.common.saying import dollars
from offhook_industries.legal import policy
from offhook_industries.legal.tools._gate import (
    admitted_states,
    opened_caller,
    require_unrepresented,
    title_of,
)
from offhook_industries.legal.tools._holds import require_yes, supersede, take_hold, use_hold
from offhook_industries.legal.tools._slots import Slot, open_slots, slot_of
from offhook_industries.legal.tools._words import matter_type
from offhook_industries.legal.tools.screening import fee_words

__all__ = ["scheduling_tools"]

_HOLDS = "evaluation_holds"


def scheduling_tools() -> tuple[Tool, ...]:
    return (_attorney(), _find(), _hold(), _confirm())


def _attorney() -> Tool:
    return Tool(
        "get_attorney",
        "When to call: the caller asks who an attorney is, what they practise or where they are licensed, "
        "or you have to route to one. Takes the attorney_id of a slot, a hold or a matter; never make one "
        "up. Says nothing of how good somebody is: do not compare attorneys.",
        (
            Parameter(
                "attorney_id",
                ValueKind.TEXT,
                "The attorney_id of an earlier result",
                constrained=False,
            ),
        ),
        get_attorney,
    )


def get_attorney(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    key = arguments["attorney_id"].upper()
    row = context.db.execute("SELECT * FROM attorneys WHERE attorney_id = ?", (key,)).fetchone()
    if row is None:
        message = "There is no such attorney. Use the attorney_id of a slot, a hold or a matter."
        raise ToolRefusal("unknown_attorney", message, field="attorney_id", status=404)
    states = [
        entry["state"]
        for entry in context.db.execute(
            "SELECT state FROM attorney_states WHERE attorney_id = ? ORDER BY state", (key,)
        )
    ]
    areas = [
        entry["title"]
        for entry in context.db.execute(
            "SELECT title FROM attorney_areas JOIN practice_areas USING (matter_type) WHERE attorney_id = ? "
            "ORDER BY title",
            (key,),
        )
    ]
    return {
        "attorney_id": key,
        "name": row["name"],
        "role": row["role"],
        "practice_areas": areas,
        "bar_states": states,
        "in_short": f"{row['name']} is licensed in {_listed(states)} and handles {_listed(areas)} matters.",
    }


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _find() -> Tool:
    return Tool(
        "find_evaluation_slots",
        "When to call: the caller wants a case evaluation, their record is open, and conflict, practice "
        "area and state are clear on this call or by a screening on file. Gives open times, the earliest "
        "first; offer the earliest two or three. Call again later in the call rather than offer from "
        "memory.",
        (matter_type(),),
        find_evaluation_slots,
    )


def find_evaluation_slots(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    kind = arguments["matter_type"]
    opened_caller(context)
    states = admitted_states(context, kind)
    require_unrepresented(context, kind)
    _require_in_time(context, kind)
    found = [
        (slot, state)
        for state in states
        for slot in open_slots(context, kind, state, policy.MOST_SLOTS_OFFERED)
    ]
    found.sort(key=lambda offer: (offer[0].starts_at, offer[0].slot_id))
    found = found[: policy.MOST_SLOTS_OFFERED]
    if not found:
        message = "No evaluation is open for this. Offer a message to the intake desk instead."
        raise ToolRefusal("no_slots", message)
    for slot, state in found:
        context.db.execute("INSERT OR REPLACE INTO call_offers VALUES (?, ?, ?)", (slot.slot_id, kind, state))
    return {
        "matter_type": kind,
        "state": found[0][1],
        "fee": dollars(_fee(context, kind)) if _fee(context, kind) else "free",
        "slots": [slot.facts() for slot, _ in found],
        "in_short": f"The first opening is {found[0][0].facts()['spoken']}.",
    }


def _require_in_time(context: ToolContext, kind: str) -> None:
    """
    Raises:
        ToolRefusal: ``deadline_passed``, where a deadline was checked on this call and none is still to come.
    """
    checked = context.db.execute(
        "SELECT max(ok) AS best FROM call_checks WHERE kind = 'deadline' AND matter_type = ?", (kind,)
    ).fetchone()
    if checked["best"] == 0:
        message = "By the general rule the time to file is over. Book nothing; use transfer_to_human."
        raise ToolRefusal("deadline_passed", message, status=403)


def _fee_kind(context: ToolContext, kind: str) -> str:
    row = context.db.execute("SELECT fee_kind FROM practice_areas WHERE matter_type = ?", (kind,)).fetchone()
    return str(row["fee_kind"])


def _fee(context: ToolContext, kind: str) -> int:
    return policy.evaluation_fee_cents(_fee_kind(context, kind))


def _hold() -> Tool:
    return Tool(
        "hold_evaluation",
        "When to call: the caller has picked one of the times that find_evaluation_slots gave on this "
        "call. Holds and prices it; nothing is booked yet. Read read_back out (day, time, attorney, place, "
        "fee), ask for a clear yes, then confirm_evaluation. A new hold makes the earlier one void.",
        (Parameter("slot_id", ValueKind.TEXT, "The slot_id of the time that was picked"),),
        hold_evaluation,
    )


def hold_evaluation(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    caller = opened_caller(context)
    slot = _offered(context, arguments["slot_id"].upper())
    offer = context.db.execute("SELECT * FROM call_offers WHERE slot_id = ?", (slot.slot_id,)).fetchone()
    kind, state = offer["matter_type"], offer["state"]
    # The offer may be older than a conflict, and may have been another caller's.
    if state not in admitted_states(context, kind):
        raise _not_offered()
    require_unrepresented(context, kind)
    _require_in_time(context, kind)
    fee, terms = _fee(context, kind), fee_words(_fee_kind(context, kind), kind)
    token = context.new_id("HD")
    expires = context.now + policy.HOLD_LIFETIME
    supersede(context, _HOLDS, caller["caller_id"])
    context.db.execute(
        "INSERT INTO evaluation_holds VALUES (?, ?, ?, ?, ?, ?, 'open', ?)",
        (token, caller["caller_id"], slot.slot_id, kind, state, fee, expires.isoformat()),
    )
    return {
        "hold_token": token,
        **slot.facts(),
        "fee_kind": _fee_kind(context, kind),
        "fee": dollars(fee) if fee else "free",
        "fee_terms": terms,
        "read_back": f"The evaluation of the {title_of(context, kind)} matter is on "
        f"{slot.facts()['spoken']}. {terms}",
        "expires_at": expires.isoformat(),
    }


def _offered(context: ToolContext, slot_id: str) -> Slot:
    """
    Raises:
        ToolRefusal: ``unknown_slot``, ``slot_taken`` or ``slot_not_offered``.
    """
    slot = slot_of(context, slot_id)
    if slot is None:
        message = "There is no such slot. Use a slot_id of the latest find_evaluation_slots result."
        raise ToolRefusal("unknown_slot", message, field="slot_id", status=404)
    if slot.status != "open":
        raise ToolRefusal(
            "slot_taken", "That time is taken. Call find_evaluation_slots again.", field="slot_id"
        )
    if context.db.execute("SELECT 1 FROM call_offers WHERE slot_id = ?", (slot_id,)).fetchone() is None:
        raise _not_offered()
    return slot


def _not_offered() -> ToolRefusal:
    message = (
        "That time was not offered to this caller. Call find_evaluation_slots for their kind of matter and "
        "let them pick from its result."
    )
    return ToolRefusal("slot_not_offered", message, field="slot_id")


def _confirm() -> Tool:
    return Tool(
        "confirm_evaluation",
        "When to call: a clear yes has followed your read-back of day, time, attorney, place and fee. "
        "Books the evaluation. Without a yes do not call it; offer another time instead.",
        (
            Parameter(
                "hold_token",
                ValueKind.TEXT,
                "The hold_token of the latest hold_evaluation result",
                constrained=False,
            ),
            Parameter(
                "terms_acknowledged",
                ValueKind.YES_NO,
                "True only if the caller heard time, attorney and fee and agreed to them",
            ),
        ),
        confirm_evaluation,
    )


def confirm_evaluation(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    caller = opened_caller(context)
    require_yes(arguments, "terms_acknowledged", "day, time, attorney, place and fee")
    hold = take_hold(
        context,
        _HOLDS,
        caller["caller_id"],
        arguments["hold_token"],
        field="hold_token",
        tool="hold_evaluation",
    )
    # What allowed the hold may have changed since: a conflict, a deadline that turned out to be over.
    if hold["state"] not in admitted_states(context, hold["matter_type"]):
        raise _not_offered()
    _require_in_time(context, hold["matter_type"])
    slot = _offered(context, hold["slot_id"])
    context.db.execute("UPDATE evaluation_slots SET status = 'booked' WHERE slot_id = ?", (slot.slot_id,))
    use_hold(context, _HOLDS, hold["token"])
    made = context.db.execute(
        "INSERT INTO appointments (caller_id, slot_id, matter_type, state, fee_cents, status, hold_token, "
        "created_at) VALUES (?, ?, ?, ?, ?, 'booked', ?, ?)",
        (
            caller["caller_id"],
            slot.slot_id,
            hold["matter_type"],
            hold["state"],
            hold["fee_cents"],
            hold["token"],
            context.now.isoformat(),
        ),
    )
    fee = dollars(hold["fee_cents"]) if hold["fee_cents"] else "free"
    charge = f"It costs {fee}." if hold["fee_cents"] else "There is no charge for it."
    return {
        "confirmed": True,
        "appointment_id": f"AP-{made.lastrowid}",
        **slot.facts(),
        "fee": fee,
        "sentence": f"The evaluation is booked for {slot.facts()['spoken']}. {charge}",
    }
