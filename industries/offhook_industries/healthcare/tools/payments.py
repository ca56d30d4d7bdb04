"""Paying without a spoken card number: a link, or a plan in parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.tools._gate import patient_id_parameter, verified_patient

__all__ = ["payment_tools"]

_LENDER: Final = "CareCredit"
_BALANCE: Final = Choice(
    "medical_balance",
    "what is owed for visits and procedures",
    ("balance", "full balance", "bill", "medical bill", "what i owe", "i owe"),
)
_DEPOSIT: Final = Choice("cosmetic_deposit", "the deposit that holds a cosmetic consult", ("deposit",))
_TREATMENT: Final = Choice(
    "cosmetic_treatment", "a cosmetic treatment that was quoted", ("treatment", "procedure")
)


def payment_tools() -> tuple[Tool, ...]:
    return (_link(), _financing())


def _link() -> Tool:
    return Tool(
        "send_payment_link",
        "When to call: a verified patient is ready to pay a medical balance or the deposit of a cosmetic "
        "consult and asked for, or agreed to, a payment link on a mobile number they named. Look the "
        "balance up first. Card numbers are never taken by voice; stop a caller who begins to read one "
        "out. Never send a link to somebody who doesn't want to pay now.",
        (
            patient_id_parameter(),
            Parameter("phone", ValueKind.PHONE, "The mobile number for the link, as the caller names it"),
            Parameter("purpose", ValueKind.TEXT, "What is paid", choices=(_BALANCE, _DEPOSIT)),
            Parameter(
                "amount",
                ValueKind.AMOUNT,
                "Only if the caller wants to pay a part of it",
                required=False,
            ),
        ),
        send_payment_link,
    )


def send_payment_link(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    patient = verified_patient(context, arguments["patient_id"])
    purpose, phone = arguments["purpose"], arguments["phone"]
    due = _due(context, patient["patient_id"], purpose)
    amount = arguments.get("amount", due)
    if amount > due or amount <= 0:
        message = (
            f"A link can be for any part of the {policy.dollars(due)} "
            "that are due and no more. Ask how much to pay."
        )
        raise ToolRefusal("more_than_due", message, field="amount")
    sent = context.db.execute(
        "SELECT phone FROM payment_links WHERE patient_id = ? AND purpose = ?",
        (patient["patient_id"], purpose),
    ).fetchone()
    if sent is not None and sent["phone"] == phone:
        message = "This link has been sent to this number already. Tell the caller; don't send it again."
        raise ToolRefusal("already_sent", message)
    context.db.execute(
        "INSERT OR REPLACE INTO payment_links VALUES (?, ?, ?, ?)",
        (patient["patient_id"], purpose, phone, amount),
    )
    return {
        "sent": True,
        "amount": policy.dollars(amount),
        "purpose": purpose,
        "phone": phone,
        "in_short": f"the payment link for {policy.dollars(amount)} has been sent to {phone}",
    }


def _due(context: ToolContext, patient_id: str, purpose: str) -> int:
    """What a link may collect, in cents.

    Raises:
        ToolRefusal: ``nothing_due``.
    """
    if purpose == _BALANCE.value:
        cents = _owed(context, patient_id)
        if not cents:
            raise ToolRefusal(
                "nothing_due", "Nothing is owed on this account. Tell the caller; send nothing."
            )
        return cents
    consult = context.db.execute(
        "SELECT 1 FROM appointments WHERE patient_id = ? AND visit_type = 'cosmetic_consult' AND status "
        "= 'booked' AND starts_at > ? AND appointment_id NOT IN (SELECT appointment_id FROM deposits)",
        (patient_id, context.now.isoformat(timespec="minutes")),
    ).fetchone()
    if consult is None:
        message = "No cosmetic consult waits for a deposit. Book the consult first; a deposit is paid once."
        raise ToolRefusal("nothing_due", message)
    return policy.COSMETIC_DEPOSIT_CENTS


def _owed(context: ToolContext, patient_id: str) -> int:
    cents: int = context.db.execute(
        "SELECT coalesce(sum(amount_cents), 0) FROM charges WHERE patient_id = ? AND status = 'open'",
        (patient_id,),
    ).fetchone()[0]
    return cents


def _financing() -> Tool:
    return Tool(
        "offer_financing",
        "When to call: a verified patient can't pay the full amount at once, and the balance or the "
        "quoted treatment is over two hundred fifty dollars. Returns the monthly parts to read out; the "
        "patient applies on the lender's own page. Never speak of a payment plan without this call, and "
        "never promise that it is approved.",
        (
            patient_id_parameter(),
            Parameter("purpose", ValueKind.TEXT, "What is to be spread out", choices=(_BALANCE, _TREATMENT)),
            Parameter(
                "amount",
                ValueKind.AMOUNT,
                "The quoted price of a cosmetic treatment; leave out for the balance",
                required=False,
            ),
        ),
        offer_financing,
    )


def offer_financing(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    patient = verified_patient(context, arguments["patient_id"])
    if arguments["purpose"] == _BALANCE.value:
        amount = _owed(context, patient["patient_id"])
        if not amount:
            raise ToolRefusal(
                "nothing_due", "Nothing is owed on this account, so nothing has to be spread out."
            )
    elif "amount" in arguments:
        amount = arguments["amount"]
        if amount <= 0:
            message = "A treatment costs something. Pass its price as quote_cosmetic_service gives it."
            raise ToolRefusal("amount_needed", message, field="amount", status=422)
    else:
        message = "Pass the price of the treatment as amount: quote_cosmetic_service gives it."
        raise ToolRefusal("amount_needed", message, field="amount", status=422)
    if amount <= policy.FINANCING_ABOVE_CENTS:
        limit = policy.dollars(policy.FINANCING_ABOVE_CENTS)
        return {
            "available": False,
            "amount": policy.dollars(amount),
            "plans": [],
            "provider": _LENDER,
            "in_short": f"financing begins above {limit}, and this is {policy.dollars(amount)}",
        }
    plans = [_plan(amount, months) for months in policy.FINANCING_MONTHS]
    return {
        "available": True,
        "amount": policy.dollars(amount),
        "plans": plans,
        "provider": _LENDER,
        "in_short": f"financing through {_LENDER} is available: "
        + " or ".join(plan["in_short"] for plan in plans),
    }


def _plan(amount: int, months: int) -> dict[str, Any]:
    monthly = policy.dollars(policy.monthly_cents(amount, months))
    return {"months": months, "monthly": monthly, "in_short": f"{months} monthly payments of {monthly}"}
