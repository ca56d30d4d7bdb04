"""The rules of everybody who books a visit, gathered: who, what for, where, when, and yes."""

from __future__ import annotations

from offhook.packs import ExpectedCall, Rule
from offhook_industries.healthcare.tasks._facts import (
    asks_detail,
    asks_how_urgent,
    asks_if_new,
    asks_member,
    asks_office,
    asks_plan,
    asks_reason,
)
from offhook_industries.healthcare.tasks._identity import identity_rules
from offhook_industries.healthcare.tasks._people import Person
from offhook_industries.healthcare.tasks._refusals import no_link, no_person, no_portal, no_text, no_waitlist
from offhook_industries.healthcare.tasks._times import (
    accepts_terms,
    any_time,
    books_it,
    looks_please,
    takes_first,
)

__all__ = ["NO_CARD", "book_new", "consult_new", "consult_rules", "visit_rules"]

NO_CARD = "I don't have my insurance card with me, so no member number."


def visit_rules(
    who: Person,
    *,
    reason: str,
    office: str,
    plan: str,
    member: str = NO_CARD,
    urgent: str = "No, it can wait for a routine visit. It's nothing dangerous.",
    text: bool = False,
    callback: bool = False,
    choosing: tuple[str, ...] = (),
) -> tuple[Rule, ...]:
    """For a new patient's medical visit. With ``text`` or ``callback`` the task has its own answer to offers
    of that. Before the events of ``choosing`` a time of day is not that of the visit.
    """
    return (
        books_it(),
        takes_first(after=choosing),
        any_time(after=choosing),
        looks_please(),
        accepts_terms("Yes, that's fine with me."),
        asks_reason(reason),
        asks_detail(),
        asks_how_urgent(urgent),
        asks_if_new(),
        asks_office(office),
        asks_plan(plan),
        asks_member(member),
        *identity_rules(who),
        *(() if text else (no_text(),)),
        *(() if callback else (no_person(),)),
        no_waitlist(),
        no_link(),
        no_portal(),
    )


def consult_rules(
    who: Person,
    *,
    treatment: str,
    office: str,
    known: bool = False,
    link: bool = False,
    elsewhere: tuple[str, ...] = (),
) -> tuple[Rule, ...]:
    """For a cosmetic consult. ``known`` callers have a chart; with ``link`` the task has its own answer to
    offers of a payment link, and after the events of ``elsewhere`` its own to which office it is.
    """
    terms = "Yes, I accept the deposit and the 48 hours."
    been = "Yes, I'm already a patient of yours."
    return (
        books_it(f"{terms} Please book it."),
        takes_first(),
        any_time(),
        looks_please(),
        accepts_terms(terms),
        asks_reason(f"It's for {treatment}."),
        asks_detail(),
        asks_if_new(been) if known else asks_if_new(),
        asks_office(office, unless=elsewhere),
        asks_plan("I know that insurance doesn't pay for this."),
        asks_member(NO_CARD),
        *identity_rules(who),
        no_text(),
        no_person(),
        no_waitlist(),
        *(() if link else (no_link(),)),
        no_portal(),
    )


def book_new(who: Person, slot_id: str, visit_type: str) -> ExpectedCall:
    return ExpectedCall(
        "book_appointment",
        arguments={
            "slot_id": slot_id,
            "visit_type": visit_type,
            "patient_name": who.full_name,
            "date_of_birth": who.date_of_birth,
            "phone": who.phone,
            "confirmed": True,
        },
    )


def consult_new(who: Person, slot_id: str) -> ExpectedCall:
    return ExpectedCall(
        "book_cosmetic_consult",
        arguments={
            "slot_id": slot_id,
            "patient_name": who.full_name,
            "phone": who.phone,
            "terms_accepted": True,
        },
        carry={"service": "quote_cosmetic_service.service"},
    )
