"""Offices, callbacks, and handing over."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide
from offhook_industries.healthcare.guide._common import OFFICE, PHONE

__all__ = ["reception_guides"]


def reception_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "list_locations",
            asks=(OFFICE,),
            hold="Let me look that office up.",
            say="{list_locations.in_short}",
            refused={"no_office": "I'm afraid we have no office there."},
            retry=("no_office", "say_where"),
        ),
        ToolGuide(
            "create_callback_task",
            asks=(
                Ask(
                    ("topic",),
                    "What should the callback be about?",
                    "Sorry, is it about costs, a bill, a visit, your insurance, or something else?",
                ),
                Ask(
                    ("caller_name",),
                    "Who should we ask for? Please tell me the full name.",
                    "Could you say the full name once more, and spell it?",
                ),
                PHONE,
                Ask(
                    ("best_time",),
                    "When is a good time to reach you, mornings, afternoons, or any time?",
                    "Sorry, mornings, afternoons, or any time?",
                ),
            ),
            hold="Let me set up that callback.",
            say="{create_callback_task.in_short}",
            completes=True,
        ),
        ToolGuide(
            "transfer_to_human",
            asks=(
                Ask(
                    ("reason",),
                    "May I ask in a few words why you'd like a person?",
                    "Sorry, would you simply like to speak with a person?",
                ),
                Ask(
                    ("department",),
                    "Which desk do you need: the front desk, billing, the clinical team, or cosmetic?",
                    "Sorry, is it a general matter, a bill, a question for a nurse, or something cosmetic?",
                ),
            ),
            hold="All right, I'm connecting you with a person now.",
        ),
        ToolGuide("end_call"),
    )
