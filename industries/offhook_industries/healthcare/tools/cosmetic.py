"""Cosmetic work: what it costs, and booking the consult that comes before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from offhook.packs import Parameter, Tool, ToolContext
from offhook.values import ValueKind
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.tools._gate import patient_id_parameter, require_yes, visitor
from offhook_industries.healthcare.tools._visits import commit_visit, offered_slot, refuse_second_booking
from offhook_industries.healthcare.vocabulary import COSMETIC_SERVICES

__all__ = ["cosmetic_tools"]

_CONSULT = "cosmetic_consult"


def cosmetic_tools() -> tuple[Tool, ...]:
    return (_quote(), _book())


def _service_parameter(description: str) -> Parameter:
    return Parameter(
        "service",
        ValueKind.TEXT,
        description,
        choices=tuple(service.choice for service in COSMETIC_SERVICES),
    )


def _quote() -> Tool:
    return Tool(
        "quote_cosmetic_service",
        "When to call: the caller asks what a cosmetic treatment costs, or wants a consult for one. One "
        "call for each treatment. Gives the listed price and what is usual; the exact amount is settled "
        "at the consult. Never name a price from memory. Insurance does not pay for cosmetic work.",
        (_service_parameter("The treatment the caller asks about"),),
        quote_cosmetic_service,
    )


def quote_cosmetic_service(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    row = context.db.execute(
        "SELECT * FROM cosmetic_services WHERE service = ?", (arguments["service"],)
    ).fetchone()
    title = row["title"]
    return {
        "service": row["service"],
        "service_name": title,
        "price": row["price"],
        "typical": row["typical"],
        "deposit": policy.dollars(policy.COSMETIC_DEPOSIT_CENTS),
        "in_short": f"{title[0].upper()}{title[1:]} is {row['price']}; {row['typical']}",
    }


def _book() -> Tool:
    return Tool(
        "book_cosmetic_consult",
        "When to call: the caller took a time that find_slots offered for a cosmetic_consult, heard day, "
        "time, office with floor and provider, heard the deposit and what a late change costs, and said "
        "yes to all of it. For a verified patient pass patient_id; for somebody new pass name and phone. "
        "Not for a patient who already has such a consult and wants another treatment discussed there: "
        "nothing has to be booked for that.",
        (
            Parameter("slot_id", ValueKind.TEXT, "The slot_id of the time the caller took, from find_slots"),
            _service_parameter("The treatment the consult is about"),
            Parameter("patient_name", ValueKind.NAME, "A new patient's full name", required=False),
            Parameter("phone", ValueKind.PHONE, "A new patient's phone number", required=False),
            Parameter(
                "terms_accepted",
                ValueKind.YES_NO,
                "True only if the caller heard the deposit and the late change fee, and said yes",
            ),
            patient_id_parameter(required=False),
        ),
        book_cosmetic_consult,
    )


def book_cosmetic_consult(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    who = visitor(context, arguments, needs=("patient_name", "phone"))
    terms = policy.CHANGE_TERMS["cosmetic"]
    hours = int(terms.notice.total_seconds() // 3600)
    deposit = policy.dollars(policy.COSMETIC_DEPOSIT_CENTS)
    require_yes(
        arguments,
        "terms_accepted",
        "terms_not_accepted",
        f"that a {deposit} deposit holds the time and is lost when the visit is changed less than {hours} "
        "hours before",
    )
    refuse_second_booking(context, who, _CONSULT)
    slot = offered_slot(context, arguments["slot_id"], _CONSULT)
    entry = commit_visit(context, who, slot, _CONSULT, arguments["service"])
    title = context.db.execute(
        "SELECT title FROM cosmetic_services WHERE service = ?", (arguments["service"],)
    ).fetchone()["title"]
    return {
        **entry,
        "booked": True,
        "service": arguments["service"],
        "service_name": title,
        "deposit": deposit,
        "cancel_terms": f"The {deposit} deposit counts towards the treatment. Moving or cancelling is free "
        f"until {hours} hours before; after that the deposit is lost",
    }
