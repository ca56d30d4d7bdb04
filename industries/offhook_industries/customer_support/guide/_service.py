"""Words for cover, repairs and TechCrew appointments."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide
from offhook_industries.customer_support.guide._shared import ASK_ORDER, NO_ACCESS, WHICH_ORDER

__all__ = ["service_guides"]


def service_guides() -> tuple[ToolGuide, ...]:
    return (*_cover(), _booking(), *_appointments())


def _cover() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "get_protection_plans",
            hold="Let me see your plans.",
            say="I see that {get_protection_plans.in_short}.",
            refused=NO_ACCESS,
        ),
        ToolGuide(
            "check_coverage",
            asks=(
                ASK_ORDER,
                Ask(
                    ("failure",),
                    "What is wrong with it, and how did that happen?",
                    "Sorry, did it stop working by itself, did it fall, did it get wet, or is it something "
                    "else?",
                ),
            ),
            options=(WHICH_ORDER,),
            hold="Let me see who pays for that.",
            say="I've checked, and {check_coverage.in_short}.",
            refused={
                "battery_hazard": "Please stop using it, don't charge it, and leave it on something that "
                "can't burn, away from people. TechCrew doesn't repair that.",
                **NO_ACCESS,
            },
            retry=("unknown_order",),
        ),
    )


def _booking() -> ToolGuide:
    return ToolGuide(
        "book_service_appointment",
        asks=(
            ASK_ORDER,
            Ask(
                ("service",),
                "Would you like to bring it to the bench in a store, have somebody come to your home, or "
                "get help remotely?",
                "Sorry, should that be in a store, at home, or remotely?",
            ),
            Ask(
                ("day",),
                "Which day would you like? Please give me month, day and year.",
                "Sorry, which day was that? Please say the month, the day and the year.",
            ),
            Ask(
                ("postal_code",),
                "And near which ZIP code should that be?",
                "Sorry, could you say that ZIP code once more, one digit at a time?",
            ),
        ),
        # Chosen for check_coverage already: whoever books has heard who pays, and need not hear it twice.
        options=(WHICH_ORDER,),
        propose="That's a TechCrew appointment on {day}, near ZIP code {postal_code}, and it costs "
        "{check_coverage.cost}. Shall I book it?",
        hold="One moment while I book that.",
        say="Done, {book_service_appointment.in_short}.",
        refused={
            "nothing_to_repair": "There is nothing TechCrew could repair there.",
            "no_bench_nearby": "I'm afraid no store near there has a TechCrew bench.",
            "already_booked": "There is an appointment for that already.",
            "day_not_open": "TechCrew has nothing free on that day.",
            "wrong_service": "TechCrew doesn't do that for this product.",
            **NO_ACCESS,
        },
        retry=("day_not_open", "wrong_service", "no_bench_nearby"),
        completes=True,
    )


def _appointments() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "get_service_appointment",
            hold="Let me see your appointments.",
            say="I see that {get_service_appointment.in_short}.",
            refused=NO_ACCESS,
        ),
        ToolGuide(
            "cancel_service_appointment",
            carry={"appointment_id": "book_service_appointment.appointment_id"},
            hold="All right, I'm cancelling that.",
            say="Done, {cancel_service_appointment.in_short}.",
            refused={
                "already_cancelled": "That appointment has been cancelled already.",
                "already_done": "That appointment is over, so it can't be cancelled any more.",
                **NO_ACCESS,
            },
            completes=True,
        ),
    )
