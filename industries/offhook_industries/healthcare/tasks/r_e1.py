"""R-E1: somebody who asks for a person at the front desk."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task
from offhook_industries.common.cues import any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._build import build
from offhook_industries.healthcare.tasks._cues import OPENS_QUESTION
from offhook_industries.healthcare.tasks._refusals import OFFERS_HUMAN

__all__ = ["tasks"]

_CONNECTING: Final = any_of(
    r"\b(?:transferring|connecting|putting|passing|handing|sending|routing|getting)\b[^.?!]*\b(?:you|call"
    r"|over|through"
    r"|someone)\b",
    r"\b(?:i'll|i will|let me|going to|i'm going to)\b[^.?!]*\b(?:transfer|connect|put|get|pass|hand"
    r"|send)\b[^.?!]*"
    r"\b(?:you|person|human|someone|somebody|desk|colleague|team)\b",
    r"\bhere(?:'s| is| they are)\b(?:[^.?!]{0,15}\b(?:desk|person|team)\b)?|\bi(?:'ll"
    r"| will) have (?:someone|somebody|a person)\b",
    r"\b(?:stay|hold) on the line\b|\bwhile i (?:connect|transfer|put|get|find)\b",
    r"^(?:\w+,? )?(?:transferring|connecting)\b",
    r"\b(?:please hold|you'll be connected|will be with you|be right with you|being"
    r" (?:transferred|connected)|(?:now|are) (?:transferred|connected))\b",
)
_CONDITION: Final = any_of(
    r"\?",
    r"\bbut (?:first|before|i)\b",
    r"\b(?:before|if|once) (?:i|we|you)\b",
    r"\b(?:can't|cannot|unable|not able)\b",
    r"\b(?:tell me|let me know|i need|i'll need|could you|can you|may i|what|which|why)\b",
)


def tasks(pack: str) -> tuple[Task, ...]:
    return (
        build(
            pack,
            "R-E1",
            "Ask for a person",
            "clinical",
            (1, 2, 0),
            Intent(
                opening="Hello, I'd like to talk to a person at the front desk, please.",
                conduct=(
                    "You want a person at the front desk and nothing else. It's a general matter, you say no "
                    "more.",
                    "You give no name, no number and no details to the machine, and take no help from it.",
                    "When they say that they are connecting you, say that you'll hold, and wait.",
                ),
                closing="All right, goodbye.",
                satisfied=("said:holding",),
            ),
            (_thanks(), _yes_person(), _front_desk(), _holding(), _general_matter()),
            (
                ExpectedCall(
                    "transfer_to_human", arguments={"reason": "caller_request", "department": "front_desk"}
                ),
            ),
        ),
    )


def _yes_person() -> Rule:
    return Rule(
        id="yes-person",
        when="The agent asks whether to connect the caller with a person or the front desk, yes or no",
        not_when=("when it asks why, with whom, or for any detail", "when it is connecting them already"),
        line="Yes, please, a person at the front desk.",
        cues=Cues(
            all_of=(
                any_of(
                    OFFERS_HUMAN,
                    r"\b(?:get|find|grab) (?:someone|somebody)\b",
                    r"\b(?:put|connect|pass|transfer) (?:you|your call|the call)(?: through| over| on)?\b",
                ),
                rf"\?|{OPENS_QUESTION}",
            ),
            none_of=(
                r"\b(?:what|why|which|who|name|birth|number|about|reason|instead|try|regarding|or (?:the|our"
                r"|billing|is"
                r"|can))\b",
            ),
        ),
        order=10,
        tests=(
            *fires(
                "Would you like me to connect you with the front desk?",
                "Shall I transfer you to a person?",
                "You'd like to speak with someone at the front desk, is that right?",
            ),
            *silent(
                "I'm connecting you with the front desk now.",
                "What would you like to talk to them about?",
                "May I have your name before I transfer you to someone?",
            ),
        ),
    )


def _front_desk() -> Rule:
    return Rule(
        id="which-desk",
        when="The agent asks with whom, or with which department or office, the caller wants to talk",
        not_when=("when it asks what it is about",),
        line="With the front desk, please.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what) (?:\w+ )?(?:department|desk|team|office|person|location|area)\b",
                    r"\bwho (?:would|do|did|should|can)\b",
                    r"\bbilling\b[^.!]*\bor\b[^.!]*\?",
                    r"\bfront desk\b[^.!]*\bor\b[^.!]*\?",
                ),
            ),
            none_of=(r"\b(?:about|regarding|reason|why|calling)\b", r"\bname\b"),
        ),
        order=12,
        tests=(
            *fires(
                "Which department would you like?",
                "Who would you like to speak with?",
                "Is that for billing, the clinical team, or the front desk?",
            ),
            *silent(
                "What is it about?",
                "I'm connecting you with the front desk now.",
                "How can I help you today?",
            ),
        ),
    )


def _holding() -> Rule:
    return Rule(
        id="holding",
        when="The agent says that it is connecting the caller with a person",
        not_when=("when it asks for anything first", "when it only offers it or says that it can't"),
        line="Thank you, I'll hold.",
        cues=Cues(
            like=("I'm transferring you to the front desk now.",),
            all_of=(_CONNECTING,),
            none_of=(_CONDITION,),
            threshold=0.75,
        ),
        first_n=1,
        order=20,
        tests=(
            *fires(
                "All right, I'm connecting you with the front desk now.",
                "Of course. Please hold while I transfer you.",
                "Sure, let me get someone at the front desk for you.",
            ),
            *silent(
                "I can transfer you, but first, what is this about?",
                "Would you like me to transfer you to the front desk?",
                "I'm sorry, I can't connect you without a reason.",
            ),
        ),
    )


def _thanks() -> Rule:
    told = ("said:holding",)
    return Rule(
        id="thanks",
        when="The agent says once more that it is connecting the caller, or says goodbye, after the caller "
        "said they "
        "would hold",
        not_when=("when it asks for anything",),
        line="Thanks.",
        cues=Cues(
            all_of=(
                any_of(
                    _CONNECTING,
                    r"\b(?:thank you|thanks|good ?bye|bye|take care|transfer(?:red)?|connected)\b",
                ),
            ),
            none_of=(_CONDITION,),
        ),
        after=told,
        order=15,
        ends_call=True,
        tests=(
            *fires(
                "Thank you, you're being transferred now. Goodbye.",
                "I'm connecting you with the front desk now.",
                "You are now connected. Thanks for calling.",
                given=told,
            ),
            *silent("I'm connecting you with the front desk now."),
            *silent("While we wait, can you tell me your name?", "What is this about?", given=told),
        ),
    )


def _general_matter() -> Rule:
    return Rule(
        id="general-matter",
        when="The agent asks what it is about, asks for any detail, says that it can't connect the caller, "
        "or tries to "
        "help by itself",
        not_when=("when it is connecting the caller", "when it simply asks whether to, or to which desk"),
        line="It's a general matter. I'd rather tell a person at the front desk.",
        cues=Cues(
            like=(
                "What can I help you with today?",
                "I might be able to help you myself if you tell me what you need.",
            ),
            all_of=(
                any_of(
                    rf"\?|{OPENS_QUESTION}",
                    r"\b(?:can you|could you|what do you need|can i help|may i)\b",
                    r"\b(?:tell me|let me know|describe|explain|i need|i'll need|i'd need|i can (?:help"
                    r"|assist|take"
                    r" care)"
                    r"|(?:can't|cannot|unable|not able|no one|nobody))\b",
                ),
            ),
            none_of=(
                r"\b(?:still there|hear me|didn't catch|repeat|say that again|what was that|come again"
                r"|one more time)\b",
                r"\b(?:cut|broke|breaking|dropped) (?:out|up|off)\b",
            ),
            threshold=0.75,
        ),
        order=30,
        tests=(
            *fires(
                "I can do that. May I ask what it's about?",
                "I may be able to help you myself. What do you need?",
                "Please tell me your full name and date of birth first.",
            ),
            *silent(
                "I'm connecting you with the front desk now.",
                "Would you like me to transfer you to the front desk?",
                "Please hold while I transfer you.",
            ),
        ),
    )
