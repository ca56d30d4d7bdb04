"""The four checks."""

from __future__ import annotations

from typing import Final

from offhook.packs import Ask, ToolGuide
from offhook_industries.legal.guide._common import CLOSED, MATTER

__all__ = ["screening_guides"]

_STATE: Final = Ask(("state",), "In which state did it happen?", "Sorry, which state was that?")


def screening_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "check_conflict",
            asks=(
                Ask(
                    ("adverse_party",),
                    "Who would the claim be against, which person or company?",
                    "Sorry, could you say only the name of that person or company again, and spell it?",
                    "I have {adverse_party}. Is that right?",
                ),
            ),
            hold="Let me check that the firm is free to take this.",
            say="{check_conflict.in_short}",
        ),
        ToolGuide(
            "check_practice_area",
            asks=(MATTER,),
            say="{check_practice_area.in_short}",
            refused=CLOSED,
        ),
        ToolGuide(
            "check_jurisdiction",
            asks=(
                MATTER,
                _STATE,
            ),
            say="{check_jurisdiction.in_short}",
            refused=CLOSED,
        ),
        ToolGuide(
            "calculate_filing_deadline",
            asks=(
                MATTER,
                _STATE,
                Ask(
                    ("incident_date",),
                    "On what date did it happen? Please tell me the month, the day and the year.",
                    "Could you say the date again, month, day and year?",
                    "I have {incident_date}. Is that right?",
                ),
            ),
            hold="Let me look at the deadline.",
            say="{calculate_filing_deadline.in_short}",
            refused={**CLOSED, "date_in_future": "That date is still ahead of us."},
            retry=("date_in_future",),
        ),
    )
