"""Medical, allergy and cosmetic visits: found, booked, moved, cancelled."""

from __future__ import annotations

from typing import Final

from offhook.packs import Ask, Options, ToolGuide
from offhook_industries.healthcare.guide._common import (
    BIRTH,
    NAME,
    NEEDS_CHECK,
    OFFICE,
    OWN_VISIT,
    PATIENT,
    PHONE,
    SLOT,
    SLOT_GONE,
)

__all__ = ["visit_guides"]

# Where a visit on file is to be moved, its own office is the one to look at.
_OFFICE_OF_VISIT: Final = Options(
    "location_id",
    "verify_identity.appointments",
    "location_id",
    "{in_short}",
    "I see {options}. Which one do you mean?",
    names=OWN_VISIT.names,
    most=4,
)
_CANNOT: Final = {**NEEDS_CHECK, **SLOT_GONE}


def visit_guides() -> tuple[ToolGuide, ...]:
    return (*_searching(), *_medical(), *_changing(), *_others())


def _searching() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "classify_visit_request",
            asks=(
                Ask(
                    ("concern",),
                    "What would you like us to look at?",
                    "Sorry, what is the visit for, in a word or two?",
                ),
            ),
        ),
        ToolGuide(
            "find_slots",
            asks=(
                OFFICE,
                Ask(
                    ("visit_type",),
                    "What kind of visit is it?",
                    "Sorry, is it a medical visit, a follow-up, a skin check, or a cosmetic consult?",
                ),
                Ask(
                    ("urgency",),
                    "Is it spreading, painful or getting worse quickly, or can it wait for a regular visit?",
                    "Sorry, is it urgent, or can it wait?",
                ),
            ),
            options=(_OFFICE_OF_VISIT,),
            take={"visit_type": "classify_visit_request.visit_type"},
            hold="Let me see which times are open.",
            refused={"unknown_office": "I'm afraid I can't find that office."},
        ),
    )


def _medical() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "book_appointment",
            asks=(NAME, BIRTH, PHONE),
            options=(SLOT,),
            take={**PATIENT, "visit_type": "classify_visit_request.visit_type"},
            propose="That is {slot_id}. Shall I book it?",
            consent="confirmed",
            say="You're booked: {book_appointment.in_short}. {book_appointment.cancel_terms}.",
            refused={**_CANNOT, "already_booked": "That visit is booked already."},
            completes=True,
        ),
        ToolGuide(
            "schedule_allergy_service",
            asks=(
                Ask(
                    ("service",),
                    "Which allergy service is it, skin testing, patch testing, or a shot?",
                    "Sorry, skin testing, patch testing, or an allergy shot?",
                ),
                OFFICE,
                NAME,
                BIRTH,
                PHONE,
            ),
            options=(SLOT,),
            take=PATIENT,
            propose="Please note that no antihistamines may be taken for seven days before skin testing. "
            "I would book {slot_id}. Shall I book the first opening that fits?",
            consent="confirmed",
            say="You're booked: {schedule_allergy_service.in_short}. {schedule_allergy_service.preparation}.",
            refused={
                **_CANNOT,
                "too_soon": "That is too soon.",
                "not_offered_here": "That office doesn't do that.",
                "no_opening": "I'm sorry, there is no opening at the moment.",
                "shots_need_a_chart": "Shots are for patients with an open series.",
            },
            completes=True,
        ),
        ToolGuide(
            "send_sms",
            asks=(
                Ask(
                    ("message",),
                    "What would you like to have texted?",
                    "Sorry, is it the confirmation, directions, or how to prepare?",
                ),
                PHONE,
            ),
            take={"appointment_id": "book_appointment.appointment_id"},
            propose="You'd like that as a text message to {phone}. Shall I send it?",
            consent="caller_asked",
            say="{send_sms.in_short}",
            refused={
                "not_asked_for": "Then I won't send anything.",
                "nothing_committed": "There is nothing to confirm yet.",
                "not_for_cosmetic": "Consults are not confirmed by text.",
            },
            completes=True,
        ),
    )


def _changing() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "reschedule_appointment",
            options=(OWN_VISIT, SLOT),
            propose="You have {appointment_id}. Shall I move it to {slot_id}?",
            consent="confirmed",
            say="I've moved it: {reschedule_appointment.in_short}.",
            refused={
                **_CANNOT,
                "past_or_cancelled": "That visit can't be moved any more.",
                "fee_not_disclosed": "Moving it now costs a fee.",
            },
            completes=True,
        ),
        ToolGuide(
            "cancel_appointment",
            options=(OWN_VISIT,),
            offer="I could move the visit to another time instead. Would you like that?",
            propose="You have {appointment_id}. Shall I cancel it?",
            consent="confirmed",
            say="{cancel_appointment.in_short}. {cancel_appointment.deposit}.",
            refused={
                **_CANNOT,
                "past_or_cancelled": "That visit is over or cancelled already.",
                "fee_not_disclosed": "Cancelling it now costs a fee.",
            },
            completes=True,
        ),
        ToolGuide(
            "join_waitlist",
            asks=(
                OFFICE,
                Ask(("visit_type",), "What kind of visit is it?", "Sorry, what kind of visit is it?"),
                NAME,
                PHONE,
            ),
            take=PATIENT,
            say="{join_waitlist.in_short}",
            refused={**NEEDS_CHECK, "already_waiting": "You are on that list already."},
            completes=True,
        ),
    )


def _others() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "quote_cosmetic_service",
            asks=(
                Ask(
                    ("service",),
                    "Which treatment would you like to know about?",
                    "Sorry, which treatment is it?",
                ),
            ),
            hold="Let me look up the price.",
            say="{quote_cosmetic_service.in_short}",
        ),
        ToolGuide(
            "book_cosmetic_consult",
            asks=(NAME, PHONE),
            options=(SLOT,),
            take=PATIENT,
            carry={"service": "quote_cosmetic_service.service"},
            propose="That is {slot_id}. There is a deposit of $50.00, kept as a credit if you cancel "
            "at least 48 hours ahead. Shall I book it on these terms?",
            consent="terms_accepted",
            say="You're booked: {book_cosmetic_consult.in_short}.",
            refused={**_CANNOT, "already_booked": "That consult is booked already."},
            completes=True,
        ),
    )
