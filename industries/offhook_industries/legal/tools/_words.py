"""The closed vocabularies of the tools, and the parameters that several of them share."""

from __future__ import annotations

from collections import Counter
from typing import Final

from offhook.packs import Choice, Parameter
from offhook.values import ValueKind
from offhook_industries.legal.areas import AREAS
from offhook_industries.legal.directory import ATTORNEYS, DESKS
from offhook_industries.legal.states import STATE_CODES

__all__ = [
    "CATEGORIES",
    "CHANNELS",
    "RECIPIENTS",
    "full_name",
    "incident_date",
    "matter_type",
    "phone",
    "state",
]

# Postal codes that are also words, or parts of a sentence, would be heard where nobody names a state.
_WORD_CODES: Final = "AL AK AR CA CO DC DE HI ID IN LA MA MD ME MI MO MS MT NE OH OK OR PA RI VA"
_CODES_THAT_ARE_WORDS: Final = frozenset(_WORD_CODES.split())
_SAID: Final = {
    "District of Columbia": ("Washington D.C.", "Washington DC", "D.C."),
    "Washington": ("Washington State",),
}


def _recipients() -> tuple[Choice, ...]:
    """Attorneys by full name, and by the first or last name where nobody shares it; then the desks."""
    words = Counter(word for attorney in ATTORNEYS for word in attorney.name.split())
    people = tuple(
        Choice(
            attorney.key,
            f"the {attorney.role} {attorney.name}",
            (attorney.name, *(word for word in attorney.name.split() if words[word] == 1)),
        )
        for attorney in ATTORNEYS
    )
    return people + tuple(Choice(desk.key, desk.meaning, desk.aliases) for desk in DESKS)


RECIPIENTS: Final = _recipients()
_MATTER_TYPES: Final = tuple(Choice(area.matter_type, area.meaning, area.aliases) for area in AREAS)
_STATES: Final = tuple(
    Choice(
        name,
        f"the state of {name}",
        (*_SAID.get(name, ()), *(() if code in _CODES_THAT_ARE_WORDS else (code,))),
    )
    for name, code in STATE_CODES.items()
)
CHANNELS: Final = (
    Choice("email", "sent to the e-mail address", ("e-mail", "electronic mail")),
    Choice("text", "sent as a text message to the phone", ("text message", "sms")),
    Choice("mail", "sent on paper to the street address", ("post", "postal mail", "regular mail", "paper")),
)
CATEGORIES: Final = (
    Choice(
        "witness", "somebody saw it happen", ("eyewitness", "saw it", "saw the crash", "saw what happened")
    ),
    Choice("evidence", "photos, videos, receipts or letters", ("photos", "photo", "video", "receipt")),
    Choice("medical", "injuries, treatment or doctors", ("injury", "treatment")),
    Choice("insurance", "a policy, an adjuster or a claim number", ("adjuster", "claim number")),
    Choice("opposing_side", "something the other side did or wrote since", ("the other side",)),
    Choice(
        "told_before_screening",
        "facts that came before the conflict check was done",
        ("before the conflict check", "before the check"),
    ),
    Choice("availability", "when the caller can be reached or can come", ("reach me",)),
    Choice("other", "anything else"),
)


def phone(description: str) -> Parameter:
    return Parameter("phone", ValueKind.PHONE, description)


def full_name(description: str) -> Parameter:
    """A name that is told apart on the server; optional."""
    return Parameter("full_name", ValueKind.NAME, description, required=False)


def matter_type() -> Parameter:
    return Parameter(
        "matter_type", ValueKind.TEXT, "The kind of matter that fits best", choices=_MATTER_TYPES
    )


def state() -> Parameter:
    return Parameter(
        "state", ValueKind.TEXT, "The state in which it happened, by its full name", choices=_STATES
    )


def incident_date() -> Parameter:
    return Parameter(
        "incident_date",
        ValueKind.DATE,
        "The day it happened, with its year; for lost work the day it ended, for a purchase the day of sale",
    )
