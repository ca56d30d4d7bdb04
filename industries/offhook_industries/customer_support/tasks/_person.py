"""What callers say who want a person and are being connected with one."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule
from offhook_industries.customer_support.tasks._cues import (
    PERSON,
    any_of,
)
from offhook_industries.customer_support.tasks._examples import fires, silent

__all__ = ["CONDITION", "CONNECTING", "thanks_rule", "waiting_rule"]

CONNECTING: Final = any_of(
    r"\b(?:being|be) (?:put|passed|sent|handed) (?:through|over|along)\b|\bpicking up now\b|\bwhile i "
    r"(?:connect|transfer|put|get|bring)\b",
    r"\b(?:let me|i'll|i'm going to) (?:grab|fetch|find|get)(?: you)? (?:a|an|one of|somebody|someone)\b",
    r"\b(?:getting|bringing|fetching|finding)\b[^.?!]*\b(?:you|through|someone|somebody|colleague|person"
    r"|agent)\b",
    rf"\b(?:{PERSON}|colleagues?) (?:will|is going to|'ll|can now) (?:\w+ )?(?:take|be|join|help|speak"
    rf"|pick)\b",
    r"\bputting you through\b|\bhere (?:they are|he is|she is)\b|\bnext in (?:line|the queue)\b",
    r"\b(?:transferring|connecting|putting|passing|"
    r"handing|sending|routing)\b[^.?!]*\b(?:you|call|over|through)\b",
    rf"\b(?:i'll|i will|let me|going to|i can|i'm)\b[^.?!]*\b(?:transfer|connect|put|get|pass|hand"
    rf"|send)\b[^.?!]*"
    rf"\b(?:you|{PERSON})\b",
    r"\b(?:stay|hold) on the line\b",
    r"\byou'll (?:be|now be|soon be) (?:speaking|talking|connected|transferred|put)\b",
    r"\b(?:please hold|one moment|you'll be connected|will be with you|will join)\b",
)
CONDITION: Final = any_of(
    r"\?",
    r"\bbut (?:first|before|i)\b",
    r"\bbefore (?:i|we)\b",
    r"\b(?:if|once) you\b",
    r"\b(?:can't|cannot|unable|not able)\b",
    r"\b(?:tell me|let me know|i need|i'll need|could you|can you|may i)\b",
)


def waiting_rule(after: tuple[str, ...] = ()) -> Rule:
    """``after`` is what must have happened before the caller waits for a person."""
    return Rule(
        id="waiting",
        when="The agent says that it is connecting the caller with a person",
        not_when=("when it asks for anything first", "when it only offers it or says that it can't"),
        line="Okay. I'll wait.",
        cues=Cues(
            like=(
                "I'm transferring you to a person now.",
                "Please hold while I connect you with a representative.",
            ),
            all_of=(CONNECTING,),
            none_of=(CONDITION,),
            threshold=0.72,
        ),
        first_n=1,
        after=after,
        order=20,
        tests=(
            *fires(
                "All right, I'm connecting you with a person now.",
                "Of course. Please hold while I transfer you to a representative.",
                "I understand. Let me get someone on the line for you.",
                given=after,
            ),
            *silent(
                "I can transfer you, but first, what is this about?",
                "Would you like me to transfer you to a representative?",
                "I'm sorry, I can't connect you without knowing the reason.",
                "How can I help you today?",
                given=after,
            ),
        ),
    )


def thanks_rule(before: tuple[str, ...] = ()) -> Rule:
    """``before`` is what has happened before the caller waits."""
    told = (*before, "said:waiting")
    return Rule(
        id="thanks",
        when="The agent says once more that it is connecting the caller, or says goodbye, after "
        "the caller said they would wait",
        not_when=("when it asks for anything",),
        line="Thank you.",
        cues=Cues(
            like=("You are being transferred now.", "Thank you for calling, goodbye."),
            all_of=(
                any_of(
                    CONNECTING, r"\b(?:thank you|thanks|take care|good ?bye|bye|transfer(?:red)?|connected)\b"
                ),
            ),
            none_of=(CONDITION,),
            threshold=0.72,
        ),
        after=("said:waiting",),
        order=15,
        ends_call=True,
        tests=(
            *fires(
                "Thank you, you're being transferred now. Goodbye.",
                "I'm connecting you with a person now.",
                "You are now connected to our team. Thanks for calling Kestrel.",
                given=told,
            ),
            *silent("I'm connecting you with a person now.", given=before),
            *silent(
                "While we wait, can you tell me your order number?",
                "What is this about?",
                given=told,
            ),
        ),
    )
