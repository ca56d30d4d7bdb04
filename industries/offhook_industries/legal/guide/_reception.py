"""Taking the call, messages, and what clients may hear."""

from __future__ import annotations

from offhook.packs import Ask, Options, ToolGuide
from offhook_industries.legal.guide._common import CLOSED, NAME, PHONE

__all__ = ["reception_guides"]


def reception_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "lookup_caller",
            asks=(
                Ask(
                    ("full_name", "phone"),
                    "I can help with that. May I have your full name, and a number to call you back on?",
                    "I need that once more. Could you say your full name and spell it, and then the callback "
                    "number, one digit at a time?",
                    "I have {phone}. Is that right?",
                ),
            ),
            hold="One moment, please.",
            say="Thank you.",
            refused={
                "not_on_file": "I can't find a record under that number.",
                "several_people": "Several people share that number.",
                "name_mismatch": "That number is on file under another name.",
            },
            retry=("not_on_file", "several_people", "name_mismatch"),
        ),
        ToolGuide(
            "get_caller_matters",
            hold="Let me see what we have.",
            say="{get_caller_matters.in_short}",
            refused=CLOSED,
        ),
        ToolGuide(
            "take_message",
            asks=(
                Ask(
                    ("recipient",),
                    "Who is the message for?",
                    "Sorry, could you say that name again? Who is the message for?",
                ),
                NAME,
                PHONE,
                Ask(
                    ("message",),
                    "What would you like me to pass on?",
                    "Sorry, what is the message, in a sentence or two?",
                ),
            ),
            hold="I'm writing that down.",
            say="{take_message.sentence}",
            completes=True,
        ),
        ToolGuide(
            "get_case_status",
            asks=(
                Ask(
                    ("matter_number",),
                    "What is your matter number? It has six digits.",
                    "Could you say the six digits of the matter number again, one at a time?",
                ),
            ),
            options=(
                Options(
                    "matter_number",
                    "get_caller_matters.matters",
                    "matter_number",
                    "{spoken}",
                    "You have {options} with us. Which one do you mean?",
                    names=("matter_number", "title"),
                ),
            ),
            hold="Let me look at that matter.",
            say="{get_case_status.in_short}",
            refused={
                "unknown_matter": "I find no matter under that number.",
                "not_your_matter": "I can't tell you about that matter.",
            },
            retry=("unknown_matter",),
            completes=True,
        ),
        ToolGuide("transfer_to_human", hold="A person takes it from here. I'm connecting you now."),
        ToolGuide("end_call"),
    )
