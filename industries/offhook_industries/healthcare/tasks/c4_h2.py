"""C4-H2: Botox at a consult that is booked already."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task
from offhook_industries.common.cues import REPEATS, any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._answers import price_told, price_topic, when_parking_told
from offhook_industries.healthcare.tasks._build import build, identified, office, summary, verified
from offhook_industries.healthcare.tasks._changes import which_visit
from offhook_industries.healthcare.tasks._cues import ASKING_IDENTITY, LOOKING, OFFERS_MESSAGE
from offhook_industries.healthcare.tasks._known import known_rules
from offhook_industries.healthcare.tasks._people import patient, traits_of
from offhook_industries.healthcare.tasks._refusals import OFFERS_HUMAN, WAITING

__all__ = ["tasks"]

_CAN: Final = any_of(
    r"\b(?:can|could|may|might|possible|possibly|able|yes|sure|absolutely|decides?|assess\w*|up to"
    r"|discuss\w*|evaluat\w*"
    r"|suitable|candidate|same (?:visit|day)|depends)\b",
)
_ANSWER: Final = any_of(
    both(r"\b(?:botox|it|that|treatment|treated|injections?)\b", _CAN),
    r"\b(?:provider|doctor|injector|clinician)\b[^?!]*\b(?:decides?|decide|assess|determine|discuss|talk"
    r"|evaluate|see)\b",
    r"\bsame (?:visit|day|appointment)\b",
    r"\b(?:provider|doctor|injector|dermatologist)(?:'s)? (?:call|decision|choice)\b|\bup to (?:the|your)"
    r" (?:provider|doctor)\b",
)
_BOOK_OR_MOVE: Final = any_of(
    r"\b(?:would you like|do you want|want me to|like me to|shall i|should i|can i|i can|could i|(?:i|we)"
    r" could|ready to"
    r"|like to)\b"
    r"[^.?!]{0,40}\b(?:book|schedul\w*|set up|move|reschedul\w*|change|reserve|make|add|cancel|swap|switch"
    r"|shift|push|turn|convert)\b",
    r"\b(?:want|need) (?:me|us) to (?:\w+ )?(?:book|schedul\w*|set up|move|reschedul\w*|change|reserve|make"
    r"|add|cancel|swap|switch|shift)\b",
    r"\b(?:another|separate|new|second|different) (?:\w+ )?(?:consult\w*|appointment|visit|time|day)\b",
)


def tasks(pack: str) -> tuple[Task, ...]:
    who = patient("Paula Simmons")
    closing = "Great, that's all I wanted to know. Goodbye."
    return (
        build(
            pack,
            "C4-H2",
            "Botox on an existing cosmetic consult",
            "cosmetic",
            (5, 6, 0),
            Intent(
                opening="Hi, I have a cosmetic consult at Greenwich next week. Can I get Botox at that "
                "visit?",
                conduct=(
                    "You want to know whether you can have Botox at the consult you have, then what Botox "
                    "costs, then where "
                    "one can park at Greenwich.",
                    "You want nothing booked, moved or cancelled: your consult stays as it is.",
                    "When you have heard about the parking, thank them and hang up. No text, no link, no "
                    "callback.",
                ),
                closing=closing,
                satisfied=("said:parking-told",),
            ),
            (
                when_parking_told(
                    closing, "Greenwich", name="parking-told", after=("heard:price",), ends=True, order=6
                ),
                price_told(
                    "Botox",
                    "$14.00 a unit",
                    "Okay. And where can I park at Greenwich?",
                    name="and-parking",
                    unless=("said:and-parking",),
                    order=9,
                ),
                _and_price(),
                which_visit("The cosmetic consult at Greenwich, next week."),
                _leave_it(),
                *known_rules(who, office="Greenwich."),
            ),
            (
                identified(who),
                verified(who),
                summary(who, listed=True),
                ExpectedCall("quote_cosmetic_service", arguments={"service": "botox"}),
                office("greenwich"),
            ),
            traits=traits_of(who),
            topics=(price_topic(),),
        ),
    )


def _and_price() -> Rule:
    return Rule(
        id="and-price",
        when="The agent says whether Botox is possible at that consult, or that the provider decides on it "
        "there",
        not_when=(
            "when it says what Botox costs",
            "when it only says that it will check or needs something first",
            "when it offers to book or move something",
        ),
        line="I see. And what does Botox cost?",
        cues=Cues(
            all_of=(_ANSWER,),
            none_of=(
                LOOKING,
                r"\b(?:whether|if) (?:that's|it's) possible\b",
                r"^(?!.*\b(?:yes|botox|possible)\b).*\bi (?:can )?see (?:your|the) (?:\w+ )?(?:consult|visit"
                r"|appointment)",
                ASKING_IDENTITY,
                REPEATS,
                _BOOK_OR_MOVE,
                r"\b(?:can|may|could) (?:i|you) (?:please )?(?:have|get|tell|give|confirm)\b",
                r"\b(?:help you|happy to help|sure,? i|links?|portal|text)\b",
                OFFERS_HUMAN,
            ),
        ),
        unless=("heard:price", "said:and-price"),
        order=21,
        tests=(
            *fires(
                "Yes, you can get Botox at that visit if the provider finds it suitable.",
                "The provider decides at the consult whether it can be done the same day.",
                "That's possible, your provider will discuss it with you at the consult.",
            ),
            *silent(
                "I can help you with that. May I have your full name and date of birth?",
                "Botox is $14.00 a unit.",
                "Let me check whether that's possible.",
            ),
        ),
    )


def _leave_it() -> Rule:
    return Rule(
        id="leave-it",
        when="The agent offers to book another consult, or to move, change or cancel the one there is",
        not_when=("when it asks for identity details",),
        line="No, my consult stays just as it is. I only have questions.",
        cues=Cues(
            all_of=(_BOOK_OR_MOVE,),
            none_of=(
                ASKING_IDENTITY,
                OFFERS_MESSAGE,
                OFFERS_HUMAN,
                WAITING,
                r"\blinks?\b",
                r"\bportal\b",
            ),
        ),
        order=17,
        tests=(
            *fires(
                "Would you like me to book a Botox consult for you?",
                "I can schedule a separate visit for the Botox.",
                "Do you want to move your consult to another day?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "Would you like me to text you the directions?",
                "Let me pull up your consult.",
            ),
        ),
    )
