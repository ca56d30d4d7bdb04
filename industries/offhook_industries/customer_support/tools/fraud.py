"""Scams in Kestrel's name: whether the charge and the contact were ours, and the report. No gate: people who
are no customers call too, and nothing of an account is told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.common.cards import refuse_card_numbers
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._gate import read_session

__all__ = ["fraud_tools"]

_BILLED: Final = (
    Choice("plus_renewal", "a Kestrel Plus renewal", ("plus", "kestrel plus", "plus membership")),
    Choice("total_renewal", "a Kestrel Total renewal", ("total", "kestrel total", "total membership")),
    Choice(
        "techcrew_support",
        "TechCrew support, computer protection, antivirus or technical help",
        ("techcrew", "tech crew", "tech support", "antivirus"),
    ),
    Choice("protection_plan", "a protection plan or warranty on a product", ("protection plan", "warranty")),
    Choice("order", "an order or delivery that was never placed", ("an order", "a delivery")),
    Choice("other", "something else, or nothing was named", ()),
)
_CHANNELS: Final = (
    Choice("phone_call", "somebody called or left a voicemail", ("phone call", "called me", "voicemail")),
    Choice("text_message", "a text message on the phone", ("text", "text message", "sms", "texted")),
    Choice("email", "an e-mail", ("e-mail", "e mail")),
    Choice("pop_up", "a window on the computer or in the browser", ("pop-up", "popup", "pop up window")),
    Choice("letter", "a letter or card in the post", ("in the mail",)),
)
_MEMBER_PRICES: Final[Mapping[str, int]] = {
    "plus_renewal": policy.PLUS_CENTS,
    "total_renewal": policy.TOTAL_CENTS,
}
_WAYS: Final[Mapping[str, str]] = {
    "phone_call": "by phone",
    "text_message": "by text message",
    "email": "by e-mail",
    "pop_up": "through a window on a screen",
    "letter": "by letter",
}
_NAMES: Final[Mapping[str, str]] = {
    "plus_renewal": "a Kestrel Plus renewal",
    "total_renewal": "a Kestrel Total renewal",
    "techcrew_support": "TechCrew support",
    "protection_plan": "a protection plan",
    "order": "an order like that",
    "other": "anything like that",
}


def fraud_tools() -> tuple[Tool, ...]:
    return (_charge(), _contact(), _report())


def _channel() -> Parameter:
    return Parameter("channel", ValueKind.TEXT, "How it reached the caller", choices=_CHANNELS)


def _charge() -> Tool:
    return Tool(
        "check_subscription_charge",
        "When to call: the caller was told by message or phone that Kestrel or TechCrew charges them, and "
        "has named the amount and what it is said to be for. Tells whether Kestrel bills such an amount "
        "at all. The first of the three scam tools; needs no verified caller. For what the caller "
        "really pays use get_membership.",
        (
            Parameter("amount", ValueKind.AMOUNT, "The amount the caller was told about"),
            Parameter("billed_as", ValueKind.TEXT, "What the charge is said to be for", choices=_BILLED),
        ),
        check_subscription_charge,
    )


def check_subscription_charge(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    _refuse_negative(arguments)
    cents, what = arguments["amount"], arguments["billed_as"]
    ours = _MEMBER_PRICES.get(what) == cents
    told = policy.dollars(cents)
    if ours:
        sentence = (
            f"{told} is what {_NAMES[what]} costs, so this may be ours; the account shows it once verified"
        )
    elif what in _MEMBER_PRICES:
        price = policy.dollars(_MEMBER_PRICES[what])
        sentence = f"Kestrel does not bill {told}: {_NAMES[what]} costs {price} a year and nothing else"
    else:
        sentence = (
            f"Kestrel does not bill {told} for {_NAMES[what]}; our only subscriptions are Plus and Total"
        )
    return {"kestrel_charge": ours, "amount": told, "billed_as": what, "in_short": sentence}


def _refuse_negative(arguments: Mapping[str, Any]) -> None:
    """
    Raises:
        ToolRefusal: ``invalid_argument``.
    """
    if arguments.get("amount", 0) < 0:
        message = "A charge is never less than nothing. Pass the amount the caller was told, without a minus."
        raise ToolRefusal("invalid_argument", message, field="amount", status=422)


def _contact() -> Tool:
    return Tool(
        "check_outbound_contact",
        "When to call: right after check_subscription_charge, or whenever a caller asks whether a call or "
        "message was really from Kestrel or TechCrew. Looks in our own log of the last 60 days by the "
        "number that was reached. It never proves that a message was genuine: scams copy ours.",
        (
            Parameter(
                "phone", ValueKind.PHONE, "The number that was called or texted, or else the caller's own"
            ),
            _channel(),
        ),
        check_outbound_contact,
    )


def check_outbound_contact(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    channel = arguments["channel"]
    row = context.db.execute(
        "SELECT max(sent_on) AS latest FROM outbound_contacts WHERE phone = ? AND channel = ?",
        (arguments["phone"], channel),
    ).fetchone()
    if row["latest"] is None:
        told = f"neither Kestrel nor TechCrew has contacted you {_WAYS[channel]} in the last 60 days"
        return {"contacted": False, "channel": channel, "in_short": told}
    # What it was about belongs to the account, and is told behind the gate only.
    day = policy.spoken_date(date.fromisoformat(row["latest"]))
    told = (
        f"our log has a contact {_WAYS[channel]} on {day}; if it asked for money or access, it was not ours"
    )
    return {"contacted": True, "channel": channel, "in_short": told}


def _report() -> Tool:
    return Tool(
        "report_scam_contact",
        "When to call: somebody pretended to be Kestrel or TechCrew, the charge or the contact was not "
        "ours, and you know how they reached the caller, which amount they named and whether money or "
        "card data went out. Files the report; once for each scam. If money went out, hand over with "
        "transfer_to_human and suspected_fraud afterwards. Never put a card number in details.",
        (
            _channel(),
            Parameter("amount", ValueKind.AMOUNT, "The amount they named, if any", required=False),
            Parameter("money_sent", ValueKind.YES_NO, "True if money, gift cards or card data were given"),
            Parameter(
                "details",
                ValueKind.TEXT,
                "What they said and wanted, in one or two sentences",
                constrained=False,
            ),
        ),
        report_scam_contact,
    )


# What to do with a contact that nothing came of.
_UNTOUCHED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "phone_call": "don't answer them again and don't call the number back",
        "text_message": "don't answer, don't open anything in it, and delete the message",
        "email": "don't answer, don't open anything in it, and delete the message",
        "pop_up": "close it and don't call the number that it shows",
        "letter": "don't answer it and don't call its number",
    }
)


def report_scam_contact(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    _refuse_negative(arguments)
    refuse_card_numbers(arguments["details"], "details")
    facts = (arguments["channel"], arguments.get("amount"), int(arguments["money_sent"]))
    # A platform that sends the request again must not file two.
    known = context.db.execute(
        "SELECT report_no FROM scam_reports WHERE channel = ? AND amount_cents IS ? AND money_sent = ?", facts
    ).fetchone()
    number = known["report_no"] if known is not None else _file(context, facts, arguments["details"])
    if arguments["money_sent"]:
        step = "call the card's bank at once on the number printed on the card, and change passwords"
    else:
        step = _UNTOUCHED[arguments["channel"]]
    return {
        "reported": True,
        "report_number": number,
        "next_step": step,
        "in_short": f"the scam has been reported; {step}",
    }


def _file(context: ToolContext, facts: tuple[str, int | None, int], details: str) -> int:
    number: int = context.db.execute(
        "INSERT INTO scam_reports (channel, amount_cents, money_sent, details, customer_id, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?) RETURNING report_no",
        (*facts, details, read_session(context).customer_id, context.now.isoformat()),
    ).fetchone()["report_no"]
    return number
