"""Rules that answer questions of who the patient is: the same for every caller, but for the values.

One rule for each set of facts that may be asked for in one turn, the larger sets first.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from offhook.packs import Cues, CueTest, Rule
from offhook_industries.common.cues import REPEATS
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._cues import (
    ASKED_BIRTH,
    ASKED_NAME,
    ASKED_PHONE,
    ASKED_ZIP,
    OFFERS_MESSAGE,
    ONLY_THANKS,
    READS_VALUE,
    TOLD_VALUE,
)
from offhook_industries.healthcare.tasks._people import Person

__all__ = ["identity_rules"]

_FACTS: Final = ("name", "birth", "phone")
_ASKED: Final = {"name": ASKED_NAME, "birth": ASKED_BIRTH, "phone": ASKED_PHONE}
_WORDS: Final = {"name": "the patient's name", "birth": "the date of birth", "phone": "the phone number"}
_AGAIN: Final = "when it asks to hear again, or have spelled, what was said before"
_BACK: Final = "when it reads a value back and asks whether it is right"
_THEIR_OWN: Final = (
    r"\b(?:[0-9] ){6,}[0-9]\b|\b(?:my name(?: is|'s)|(?:our|office|office's) (?:phone )?number|call (?:us"
    r"|them|the office) (?:at"
    r"|on))\b"
    r"|\b[0-9]{3}[- .]*[0-9]{3}[- .]*[0-9]{4}\b"
)
_SENT: Final = (
    r"\bsame (?:\w+ )?(?:number|phone)\b|\b(?:link|text (?:you|it|that)|sms|text message)\b"
    r"|\b(?:on|to|from|in) your (?:phone|cell|mobile)\b(?! number)"
)


def identity_rules(who: Person) -> tuple[Rule, ...]:
    """Name, date of birth and phone number in every combination, and the ZIP code."""
    sets = [facts for size in (3, 2, 1) for facts in combinations(_FACTS, size)]
    return (*(_rule(who, facts, place) for place, facts in enumerate(sets)), _zip(who))


def _rule(who: Person, facts: tuple[str, ...], place: int) -> Rule:
    others = [fact for fact in _FACTS if fact not in facts]
    also = f", and not {' or '.join(_WORDS[fact] for fact in others)}" if others else ""
    return Rule(
        id="-and-".join(facts),
        when=f"The agent asks in one turn for {_joined([_WORDS[fact] for fact in facts])}{also}, in any "
        f"words",
        not_when=(_BACK, _AGAIN),
        line=_line(who, facts),
        cues=Cues(
            all_of=tuple(_ASKED[fact] for fact in facts),
            none_of=(
                READS_VALUE,
                REPEATS,
                ONLY_THANKS,
                TOLD_VALUE,
                _THEIR_OWN,
                *((_SENT, OFFERS_MESSAGE) if "phone" in facts else ()),
            ),
        ),
        order=30 + place,
        tests=_TESTS[facts],
    )


def _line(who: Person, facts: tuple[str, ...]) -> str:
    lines = {
        ("name", "birth", "phone"): f"{who.full_name}, born {who.born}, and the phone number is {who.phone}.",
        ("name", "birth"): f"{who.full_name}, born {who.born}.",
        ("name", "phone"): f"{who.full_name}, and the phone number is {who.phone}.",
        ("birth", "phone"): f"Born {who.born}, and the phone number is {who.phone}.",
        ("name",): f"The name is {who.full_name}.",
        ("birth",): f"Born {who.born}.",
        ("phone",): f"The phone number is {who.phone}.",
    }
    return lines[facts]


def _zip(who: Person) -> Rule:
    return Rule(
        id="zip",
        when="The agent asks for the ZIP code",
        not_when=(_BACK, _AGAIN, "when it also asks for a name, a date of birth or a phone number"),
        line=f"The ZIP code is {who.postal_code}.",
        cues=Cues(all_of=(ASKED_ZIP,), none_of=(READS_VALUE, REPEATS)),
        order=38,
        tests=(
            *fires(
                "And your ZIP code, please?",
                "Two charts match that. What is the zip code on yours?",
                "Could you give me your postal code?",
            ),
            *silent(
                "What's your date of birth?",
                "I have ZIP code 10001 on file. Is that right?",
                "Let me look for an office near you.",
            ),
        ),
    )


def _joined(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


_TESTS: Final[dict[tuple[str, ...], tuple[CueTest, ...]]] = {
    ("name", "birth", "phone"): (
        *fires(
            "I'll need your full name, date of birth, and a phone number.",
            "To set that up, may I have your first and last name, your date of birth and the best number to "
            "reach you?",
            "Who am I speaking with? And what are your birth date and cell phone number?",
        ),
        *silent(
            "May I have your full name and date of birth?",
            "What's a good phone number for you?",
            "I have Ann Miller, born May 2, 1980, phone 212-555-0100. Is that all correct?",
        ),
    ),
    ("name", "birth"): (
        *fires(
            "May I have your full name and date of birth?",
            "Before I open the chart, what's the patient's name? And the date of birth, with the year?",
            "Sure, to verify your identity please tell me your first and last name and your birthday.",
            "I can look into that once I have your name and date of birth.",
        ),
        *silent(
            "What is your full name?",
            "Could you tell me your date of birth?",
            "I have Ann Miller, born May 2, 1980. Is that right?",
        ),
    ),
    ("name", "phone"): (
        *fires(
            "Could I have your name and phone number?",
            "Who's calling, and what's a good callback number?",
            "What name is the chart under? And the mobile number on it?",
        ),
        *silent(
            "What's your date of birth and phone number?",
            "May I have your full name?",
            "Thanks for your name and phone number.",
        ),
    ),
    ("birth", "phone"): (
        *fires(
            "And what's your date of birth and the phone number we have for you?",
            "I just need your birth date and a contact number.",
            "Please give me the phone number on file and your date of birth.",
        ),
        *silent(
            "What's your date of birth?",
            "May I have your full name and date of birth?",
            "What's the best number to reach you?",
        ),
    ),
    ("name",): (
        *fires(
            "May I have your full name, please?",
            "Of course. What's the patient's first and last name?",
            "Thanks. And the name on the chart?",
        ),
        *silent(
            "My name is Robin, and I can help you with that.",
            "What's the name of your insurance plan?",
            "What's your date of birth?",
            "Could you spell your last name for me?",
        ),
    ),
    ("birth",): (
        *fires(
            "And your date of birth, with the year?",
            "When were you born?",
            "Thank you. To pull up the chart I also need the date of birth.",
        ),
        *silent(
            "I have May 2, 1980 as your date of birth. Is that right?",
            "What's your full name?",
            "Could you repeat your date of birth, please?",
        ),
    ),
    ("phone",): (
        *fires(
            "What phone number is on the chart?",
            "And the best number to reach you at?",
            "Thanks. Lastly, could I get a cell number for you?",
        ),
        *silent(
            "I have 212-555-0100 as your phone number. Is that right?",
            "May I have your full name?",
            "I can't read results over the phone.",
        ),
    ),
}
