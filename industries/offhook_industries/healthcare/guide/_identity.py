"""The check of who is calling."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide
from offhook_industries.healthcare.guide._common import NEEDS_CHECK, PATIENT

__all__ = ["identity_guides"]


def identity_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "identify_patient",
            asks=(
                Ask(
                    ("phone",),
                    "I can help with that. What is the phone number on the chart?",
                    "Could you say that phone number again, one digit at a time?",
                    "I have {phone}. Is that right?",
                ),
            ),
            hold="One moment.",
            refused={"no_match": "I can't find anything under that number."},
            retry=("no_match",),
        ),
        ToolGuide(
            "verify_identity",
            asks=(
                Ask(
                    ("full_name", "date_of_birth"),
                    "To check that I have the right chart, may I have the patient's full name and "
                    "date of birth, with the year?",
                    "Let's take that once more. Please say the full name and spell it, and then the "
                    "date of birth, month, day and year.",
                    "I have {full_name}, born {date_of_birth}. Is that right?",
                ),
                Ask(
                    ("postal_code",),
                    "And what is the ZIP code on the chart?",
                    "Could you say the ZIP code again, one digit at a time?",
                ),
            ),
            hold="Let me check that.",
            say="Thank you, that matches.",
            refused={
                "guardian_phone_needed": "For a child's chart I need the phone number that stands on it.",
                "locked": "I can't open that chart today.",
            },
            retry=("no_match", "several_matches"),
        ),
        ToolGuide("get_patient_summary", carry=PATIENT, refused=NEEDS_CHECK),
    )
