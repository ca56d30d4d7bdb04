"""Questions and refusals that several desks share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from offhook.packs import Ask

__all__ = ["CLOSED", "MATTER", "NAME", "PHONE"]

NAME: Final = Ask(
    ("full_name",),
    "May I have your full name?",
    "Could you say your full name once more, and spell it?",
)
PHONE: Final = Ask(
    ("phone",),
    "And what is the best number to call you back on?",
    "Could you say the callback number again, one digit at a time?",
    "I have {phone}. Is that right?",
)
MATTER: Final = Ask(
    ("matter_type",),
    "What kind of matter is it, for example a car accident, an injury at work, or a problem at your job?",
    "Sorry, what kind of matter is it, in a word or two?",
)

# What is said where a gate is closed. Names and reasons of a conflict are never told.
CLOSED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "no_caller_open": "I need your name and callback number before I can go on.",
        "conflict_not_checked": "I have to check first that the firm is free to take this.",
        "conflict_found": "I'm sorry, the firm can't take this further, and I can't go into the reason.",
        "practice_area_not_checked": "I have to check first whether the firm handles this kind of matter.",
        "practice_area_declined": "I'm sorry, that is a kind of matter this firm doesn't handle.",
        "jurisdiction_not_checked": "I have to check first whether we are licensed in that state.",
        "not_licensed": "I'm sorry, we have no lawyer licensed in that state.",
        "deadline_not_checked": "I have to look at the filing deadline first.",
        "deadline_passed": "By our figures the time for filing is over; only a lawyer can say for certain.",
        "represented_elsewhere": "You have a lawyer for this already, so I can't take it in.",
    }
)
