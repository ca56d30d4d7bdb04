"""Questions and refusals that several desks share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from offhook.packs import Ask, Options

__all__ = [
    "BIRTH",
    "MEMBER",
    "NAME",
    "NEEDS_CHECK",
    "OFFICE",
    "OWN_VISIT",
    "PATIENT",
    "PHONE",
    "PLAN",
    "SLOT",
    "SLOT_GONE",
]

NAME: Final = Ask(
    ("patient_name",),
    "May I have the patient's full name?",
    "Could you say the full name once more, and spell it?",
)
BIRTH: Final = Ask(
    ("date_of_birth",),
    "What is the date of birth, with the year?",
    "Could you say the date of birth again, month, day and year?",
    "I have {date_of_birth}. Is that right?",
)
PHONE: Final = Ask(
    ("phone",),
    "And the best phone number?",
    "Could you say the phone number again, one digit at a time?",
    "I have {phone}. Is that right?",
)
OFFICE: Final = Ask(
    ("location_id",),
    "Which of our offices is it about?",
    "Sorry, could you say only the name of the office again?",
)
PLAN: Final = Ask(
    ("plan",),
    "Which insurance plan is it? Please say the name as it stands on the card.",
    "Sorry, could you say only the name of the plan again?",
)
MEMBER: Final = Ask(
    ("member_id",),
    "What is the member number on the card?",
    "Could you say the nine digits of the member number again, one at a time?",
    "I have {member_id}. Is that right?",
)
SLOT: Final = Options(
    "slot_id",
    "find_slots.slots",
    "slot_id",
    "{in_short}",
    "I can offer you {options}. Which would you like?",
    names=("time_spoken", "day_spoken"),
)
OWN_VISIT: Final = Options(
    "appointment_id",
    "verify_identity.appointments",
    "appointment_id",
    "{in_short}, with {fee} for a change now",
    "I see {options}. Which one do you mean?",
    names=("visit", "visit_type", "office", "day_spoken"),
    most=4,
)
PATIENT: Final[Mapping[str, str]] = MappingProxyType({"patient_id": "verify_identity.patient_id"})
NEEDS_CHECK: Final[Mapping[str, str]] = MappingProxyType(
    {
        "not_verified": "I have to check who is calling before I can do that.",
        "wrong_patient": "I have to check that patient's details first.",
    }
)
SLOT_GONE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "slot_taken": "I'm sorry, that time has just been taken.",
        "slot_not_offered": "I'm sorry, I can't book that time.",
    }
)
