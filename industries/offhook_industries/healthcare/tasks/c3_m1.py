"""C3-M1: what the copay would be, with a member number at hand."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Trait
from offhook.values import ValueKind
from offhook_industries.common.cues import any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.seed.cases import newcomer
from offhook_industries.healthcare.tasks._build import build
from offhook_industries.healthcare.tasks._cues import (
    ASKED_BIRTH,
    ASKED_MEMBER,
    ASKING_IDENTITY,
    CHECK_IF,
    FIGURE,
    READS_VALUE,
)
from offhook_industries.healthcare.tasks._facts import (
    ASKED_PLAN,
    asks_if_new,
    asks_member,
    asks_office,
    asks_plan,
    asks_reason,
)
from offhook_industries.healthcare.tasks._identity import identity_rules
from offhook_industries.healthcare.tasks._people import new_patient, traits_of
from offhook_industries.healthcare.tasks._refusals import no_booking, usual_refusals

__all__ = ["plan_and_member", "tasks"]

_COPAY: Final = any_of(
    r"\byou(?:'re| are) looking at\b|\byour (?:share|part|cost)\b",
    r"\bco-? ?pay(?:ment)?s?\b",
    r"\byou(?:'d| would|'ll| will)? (?:pay|owe)\b",
    r"\bout of pocket\b|\bspecialist\b|\b(?:per|each|for (?:the|a|that)) (?:\w+ )?(?:visit|time)\b",
    r"\b(?:have to|need to) pay\b",
)


def tasks(pack: str) -> tuple[Task, ...]:
    who = new_patient("Monica Reyes")
    member = str(newcomer("Monica Reyes").member_id)
    closing = "Okay, thank you. That's all I wanted to know. Goodbye."
    return (
        build(
            pack,
            "C3-M1",
            "Copay for a Park Avenue visit",
            "coverage",
            (1, 4, 0),
            Intent(
                opening="Hi, could you tell me what my copay would be for a visit at Park Avenue?",
                conduct=(
                    "You want to hear your copay for a visit at Park Avenue. You have Cigna and your member "
                    "number.",
                    "Give plan, member number and date of birth when you are asked for them.",
                    "When you have heard the copay, thank them and hang up. You book nothing now.",
                ),
                closing=closing,
                satisfied=("said:copay",),
            ),
            (
                _copay_told(closing),
                plan_and_member("I have Cigna", member),
                _member_and_birth(member, who.born),
                asks_plan("I have Cigna."),
                asks_member(f"The member number is {member}."),
                asks_office("Park Avenue."),
                asks_reason("Just an ordinary visit with a dermatologist."),
                asks_if_new(),
                no_booking(),
                *identity_rules(who),
                *usual_refusals(),
            ),
            (
                ExpectedCall(
                    "run_eligibility_check",
                    arguments={
                        "plan": "cigna",
                        "member_id": member,
                        "date_of_birth": who.date_of_birth,
                        "location_id": "park_avenue",
                    },
                ),
            ),
            traits=(*traits_of(who), Trait("member_number", ValueKind.DIGITS, member)),
        ),
    )


def _copay_told(line: str) -> Rule:
    return Rule(
        id="copay",
        when="The agent says how much the copay is, in dollars",
        not_when=("when it says that it will check, or asks something without having named the amount",),
        line=line,
        cues=Cues(
            all_of=(_COPAY, any_of(FIGURE, r"\b[0-9](?: [0-9])+\b(?! (?:digit|hours))", r"\bno copay\b")),
            none_of=(CHECK_IF, ASKING_IDENTITY),
        ),
        order=6,
        ends_call=True,
        tests=(
            *fires(
                "Your copay for a specialist visit is $45.00, and $310.00 of the deductible is left.",
                "You'd pay a forty-five dollar copay. That's an estimate, not a promise.",
                "The co-pay comes to $45.00. Would you like to book a visit?",
            ),
            *silent(
                "Let me check your copay.",
                "It's only an estimate and no promise.",
                "To look up your copay I need your member number.",
                "What's your date of birth?",
            ),
        ),
    )


def _member_and_birth(member: str, born: str) -> Rule:
    return Rule(
        id="member-number-and-birth",
        when="The agent asks in one turn for the member number and the date of birth, and not for the plan",
        not_when=("when it reads them back",),
        line=f"The member number is {member}, and I was born {born}.",
        cues=Cues(
            all_of=(ASKED_MEMBER, ASKED_BIRTH), none_of=(READS_VALUE, ASKED_PLAN, r"\b(?:again|repeat)\b")
        ),
        order=29,
        tests=(
            *fires(
                "What's the member number, and what's your date of birth?",
                "I need the member ID and your birthday.",
                "Could you give me your date of birth and your member ID?",
            ),
            *silent(
                "What's the member number on your card?",
                "What's your date of birth?",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def plan_and_member(plan: str, member: str) -> Rule:
    """For callers who have their member number."""
    return Rule(
        id="plan-and-member-number",
        when="The agent asks in one turn which insurance the caller has and for the member number",
        not_when=("when it reads them back",),
        line=f"{plan}, and the member number is {member}.",
        cues=Cues(
            all_of=(
                ASKED_PLAN,
                any_of(ASKED_MEMBER, r"\b(?:member(?:ship)?|subscriber|policy) (?:id|number)\b"),
            ),
            none_of=(
                r"\b(?:thanks|thank you|okay|great|perfect),? (?:\w+,? )?i(?:'ve got| have)\b(?!.*\?)",
                r"^(?=.*(?:insurance|member) card)(?!.*\b(?:plan|carrier|insurer|company|which|what)\b)",
                r"\b(?:is that|right\?|correct|again|repeat)\b",
                r"^(?!.*\b(?:what|which|who|name of|plan|carrier|insurer|company)\b)",
                r"\byour insurance (?:member|card|id)\b",
            ),
        ),
        order=28,
        tests=(
            *fires(
                "Which insurance do you have, and what's the member number on the card?",
                "I'd need the name of your plan and your member ID.",
                "What plan is it? And the member number, please?",
            ),
            *silent(
                "What's the member number on your card?",
                "What insurance do you have?",
                "What's your date of birth?",
            ),
        ),
    )
