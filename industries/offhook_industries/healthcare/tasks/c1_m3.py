"""C1-M3: a new caller books allergy skin testing."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task
from offhook_industries.common.cues import any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._booking import visit_rules
from offhook_industries.healthcare.tasks._build import build
from offhook_industries.healthcare.tasks._cues import ASKING_IDENTITY
from offhook_industries.healthcare.tasks._outcomes import booked_topic, when_booked
from offhook_industries.healthcare.tasks._people import new_patient, traits_of

__all__ = ["tasks"]

_DRUGS: Final = (
    r"\b(?:anti-?histamines?|allergy (?:pills?|medicines?|medications?|tablets?)|zyrtec|claritin|benadryl"
    r"|allegra)\b"
)
_NOW: Final = any_of(
    r"\b(?:are|have) you (?:currently |now |still |been )*(?:taking|on|using|taken|had)\b",
    r"\bdo you (?:currently |now |regularly |still )*(?:take|use)\b",
)


_LATELY: Final = any_of(
    r"\b(?:something|anything|one of the things|what) you (?:\w+ )?(?:take|use|need)\b",
    r"\b(?:taken|took|had|taking|using|used) any\b|\byou taking\b|\blast (?:time )?(?:you )?(?:had|took"
    r"|take|dose)\b",
    r"^(?:\w+,? )?any (?:anti|allergy|zyrtec|claritin|benadryl)",
    r"\bany\b[^.?!]*\b(?:lately|recently|right now|at the moment|(?:last|past) (?:\w+ )?(?:week|days"
    r"|month))\b",
)


def tasks(pack: str) -> tuple[Task, ...]:
    who = new_patient("Karen Foster")
    closing = "Great, thank you. That's everything. Goodbye."
    return (
        build(
            pack,
            "C1-M3",
            "Allergy skin testing at Park Avenue",
            "new-patient",
            (1, 2, 1),
            Intent(
                opening="Hello, I'd like to book allergy skin testing at Park Avenue, the first opening you "
                "have.",
                conduct=(
                    "You want the first opening for allergy skin testing at Park Avenue. You have never been "
                    "there.",
                    "You take no antihistamines and can go without them for a week.",
                    "Give your name, date of birth and phone number when you are asked for them.",
                    "Say yes when they ask whether to book it. You want nothing else.",
                ),
                closing=closing,
                satisfied=("heard:booked",),
            ),
            (
                when_booked(closing),
                _takes_none(),
                _without(),
                *visit_rules(
                    who,
                    reason="It's for allergy skin testing.",
                    office="Park Avenue.",
                    plan="I don't have my insurance card with me.",
                ),
            ),
            (
                ExpectedCall(
                    "schedule_allergy_service",
                    arguments={"service": "skin_testing", "location_id": "park_avenue"},
                    free_text={
                        "patient_name": who.full_name,
                        "date_of_birth": who.date_of_birth,
                        "phone": who.phone,
                        "confirmed": "yes",
                    },
                ),
            ),
            traits=traits_of(who),
            topics=(booked_topic(),),
        ),
    )


def _takes_none() -> Rule:
    return Rule(
        id="takes-none",
        when="The agent asks whether the caller takes antihistamines, or took any lately",
        not_when=("when it says or asks that they be left off before the test",),
        line="No, I'm not taking any.",
        cues=Cues(
            all_of=(_DRUGS, any_of(_NOW, _LATELY)),
            none_of=(
                r"\b(?:can|could|will|able|okay|ok|need to|must|have to|should|stop|avoid|without|shall)\b",
            ),
        ),
        order=11,
        tests=(
            *fires(
                "Are you currently taking any antihistamines?",
                "Have you taken any antihistamines in the last week?",
                "Do you take allergy pills like Zyrtec or Claritin?",
            ),
            *silent(
                "You can't take antihistamines for seven days before the test. Is that okay?",
                "May I have your full name and date of birth?",
                "Which office would you like?",
            ),
        ),
    )


def _without() -> Rule:
    return Rule(
        id="without-antihistamines",
        when="The agent says that antihistamines must be left off for seven days before the test, or asks "
        "whether the "
        "caller can do that, and doesn't ask whether to book",
        not_when=("when it asks for identity details in the same turn", "when it asks whether to book"),
        line="Yes, that's fine, I can go without antihistamines for a week.",
        cues=Cues(
            all_of=(_DRUGS,),
            none_of=(
                _NOW,
                _LATELY,
                ASKING_IDENTITY,
                r"\bbooked\b",
                r"^(?!.*\b(?:no|stop|off|avoid|without|skip|not|can't)\b).*\b(?:change|affect|hide"
                r"|mask|spoil|skew|blur)s? (?:the|a|any|your) (?:\w+ )?(?:results?|reactions?|tests?)\b",
            ),
        ),
        first_n=2,
        order=48,
        tests=(
            *fires(
                "Please take no antihistamines for seven days before the test.",
                "You'd have to stop antihistamines a week ahead. Can you do that?",
                "Skin testing only works without antihistamines for seven days. Is that okay?",
            ),
            *silent(
                "Are you currently taking any antihistamines?",
                "May I have your full name and date of birth?",
                "No antihistamines for seven days before. Shall I book the first opening after that?",
            ),
        ),
    )
