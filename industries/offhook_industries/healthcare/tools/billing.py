"""Bills: what is owed and why, and fees that somebody should look at again."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.common.cards import refuse_card_numbers
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.tools._gate import (
    is_verified,
    patient_id_parameter,
    somebody_verified,
    verified_patient,
)
from offhook_industries.healthcare.tools._visits import deposit_left

__all__ = ["billing_tools"]

_REASONS: Final = (
    Choice("illness", "the patient or a child was ill that day", ("sick", "ill")),
    Choice("emergency", "an accident, a death or another emergency", ("accident", "hospital")),
    Choice("weather", "snow, a storm or no transport", ("snow", "storm", "train")),
    Choice("not_reminded", "no reminder came, or it named another day", ("reminder",)),
    Choice("other", "another reason", ()),
)


def billing_tools() -> tuple[Tool, ...]:
    return (_balance(), _explain(), _waiver())


def _balance() -> Tool:
    return Tool(
        "get_account_balance",
        "When to call: a verified patient asks about a bill, a balance, a charge or what becomes of a "
        "deposit. First of all billing "
        "tools, before anything is explained, collected or spread out. Returns the amount owed, each "
        "charge with its charge_id, and deposits held.",
        (patient_id_parameter(),),
        get_account_balance,
    )


def get_account_balance(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    patient = verified_patient(context, arguments["patient_id"])
    rows = context.db.execute(
        "SELECT * FROM charges WHERE patient_id = ? ORDER BY status, amount_cents DESC, charge_id",
        (patient["patient_id"],),
    ).fetchall()
    charges = [_entry(row) for row in rows]
    unpaid = [entry for entry in charges if entry["status"] == "open"]
    cents = sum(row["amount_cents"] for row in rows if row["status"] == "open")
    if not unpaid:
        in_short = "nothing is owed"
    elif len(unpaid) == 1:
        in_short = f"the balance is {policy.dollars(cents)}, for {unpaid[0]['what']}"
    else:
        in_short = (
            f"the balance is {policy.dollars(cents)}: {' and '.join(one['in_short'] for one in unpaid)}"
        )
    return {
        "patient_id": patient["patient_id"],
        "balance": policy.dollars(cents),
        "balance_cents": cents,
        "charges": charges,
        "main_charge": unpaid[0] if unpaid else None,
        "deposits": _deposits(context.db, patient["patient_id"]),
        "in_short": in_short,
    }


def _entry(row: sqlite3.Row) -> dict[str, Any]:
    day = policy.spoken_date(date.fromisoformat(row["service_on"]))
    amount = policy.dollars(row["amount_cents"])
    what = f"the {row['title']} of {day}"
    return {
        "charge_id": row["charge_id"],
        "title": row["title"],
        "day_spoken": day,
        "amount": amount,
        "amount_cents": row["amount_cents"],
        "status": row["status"],
        "what": what,
        "in_short": f"{amount} for {what}",
    }


def _deposits(db: sqlite3.Connection, patient_id: str) -> str:
    """What is left of deposits, and whether it holds a visit or waits as a credit."""
    rows = db.execute(
        "SELECT appointments.status FROM deposits JOIN appointments USING (appointment_id) "
        "WHERE deposits.patient_id = ?",
        (patient_id,),
    ).fetchall()
    cents = deposit_left(db, patient_id)
    if cents <= 0:
        return "no deposit is held"
    if all(row["status"] == "cancelled" for row in rows):
        return f"a deposit of {policy.dollars(cents)} stands on the account as a credit"
    hours = int(policy.CHANGE_TERMS["cosmetic"].notice.total_seconds() // 3600)
    return (
        f"a deposit of {policy.dollars(cents)} is held for a cosmetic consult; it stays as a credit when the "
        f"consult is changed at least {hours} hours before"
    )


def _explain() -> Tool:
    return Tool(
        "explain_charge",
        "When to call: a verified patient asks why one charge is on the account, after "
        "get_account_balance named its charge_id. Say the reason it returns and no other. Not to waive "
        "or change the charge.",
        (Parameter("charge_id", ValueKind.TEXT, "The charge_id from get_account_balance"),),
        explain_charge,
    )


def explain_charge(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    row = _own_charge(context, arguments["charge_id"])
    entry = _entry(row)
    return {**entry, "why": row["why"], "in_short": f"{entry['in_short']} is there because {row['why']}"}


def _own_charge(context: ToolContext, charge_id: str) -> sqlite3.Row:
    """
    Raises:
        ToolRefusal: ``not_verified`` or ``unknown_charge``.
    """
    somebody_verified(context)
    row: sqlite3.Row | None = context.db.execute(
        "SELECT * FROM charges WHERE charge_id = ?", (charge_id,)
    ).fetchone()
    if row is None or not is_verified(context, row["patient_id"]):
        message = (
            "No patient verified on this call has this charge. Call get_account_balance and take the "
            "charge_id from there."
        )
        raise ToolRefusal("unknown_charge", message, field="charge_id", status=404)
    return row


def _waiver() -> Tool:
    return Tool(
        "request_fee_waiver",
        "When to call: a verified patient disputes a missed-visit fee, gives a reason, and wants it "
        "reviewed. Files the request and promises nothing: the office decides. Only for missed-visit "
        "fees, never for visits, procedures or copays; once a patient in twelve months.",
        (
            Parameter("charge_id", ValueKind.TEXT, "The charge_id of the fee, from get_account_balance"),
            Parameter("reason", ValueKind.TEXT, "Why the visit was missed", choices=_REASONS),
            Parameter(
                "details",
                ValueKind.TEXT,
                "What happened, in the caller's words",
                required=False,
                constrained=False,
            ),
        ),
        request_fee_waiver,
    )


def request_fee_waiver(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    charge = _own_charge(context, arguments["charge_id"])
    refuse_card_numbers(arguments.get("details", ""), "details")
    if charge["kind"] != "missed_visit" or charge["status"] != "open":
        message = (
            "This is no open missed-visit fee, so it can't be reviewed here. Explain the charge; offer a "
            "callback from billing if the caller still disagrees."
        )
        raise ToolRefusal("not_a_missed_visit_fee", message, field="charge_id")
    since = context.now.date() - timedelta(days=policy.WAIVER_EVERY_DAYS)
    earlier = context.db.execute(
        "SELECT charge_id FROM fee_waivers WHERE patient_id = ? AND filed_on > ? ORDER BY filed_on DESC",
        (charge["patient_id"], since.isoformat()),
    ).fetchall()
    if any(row["charge_id"] == charge["charge_id"] for row in earlier):
        message = "A review of this fee has been asked for already. Tell the caller it is under way."
        raise ToolRefusal("already_requested", message)
    if earlier:
        message = (
            "One fee a patient is reviewed in twelve months, and one was. Tell the caller; the fee stands."
        )
        raise ToolRefusal("one_a_year", message)
    context.db.execute(
        "INSERT INTO fee_waivers VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            context.new_id("FW"),
            charge["charge_id"],
            charge["patient_id"],
            arguments["reason"],
            arguments.get("details", ""),
            context.now.date().isoformat(),
            context.now.isoformat(),
        ),
    )
    decided = policy.spoken_moment(policy.add_office_hours(context.now, policy.WAIVER_OFFICE_HOURS))
    return {
        "filed": True,
        "decided_by": decided,
        "in_short": f"the review is asked for, and the office decides by {decided}",
    }
