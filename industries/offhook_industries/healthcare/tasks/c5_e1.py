"""C5-E1: may one read a card number out over the phone?"""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Intent, Rule, Task
from offhook_industries.common.cues import any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._build import build
from offhook_industries.healthcare.tasks._cues import CHECKING
from offhook_industries.healthcare.tasks._refusals import (
    OFFERS_LINK,
    no_booking,
    no_details,
    no_person,
    no_portal,
    no_text,
)

__all__ = ["NO_CARDS", "NO_PAY_CARD", "READ_CARD", "tasks"]

NO_PAY_CARD: Final = r"\b(?:member|insurance|id) (?:number|card)\b|\bmember id\b"
NO_CARDS: Final = any_of(
    r"\b(?:isn't|is not|that's not|not|no longer) (?:an option|possible|allowed|permitted|how we do it"
    r"|available by)\b",
    r"\b(?:for|due to|because of) (?:your |our )?(?:security|safety|privacy)\b[^?]*\b(?:not|no|never|can't"
    r"|don't)\b",
    r"\b(?:isn't|is not|not) something (?:i|we)\b",
    r"\bnot (?:set up|able|equipped|allowed)\b[^.?!]{0,15}\b(?:for|to do) (?:that|it|this)\b",
    r"\b(?:can't|cannot|can not|don't|do not|won't|not (?:set up|equipped|authori[sz]ed)|not able|unable"
    r"|never|not allowed|aren't able|not"
    r" possible|not"
    r" permitted|may not|no)\b[^.?!]{0,60}\b(?:cards?|payments?|pay|over the phone|by phone|by voice|on the"
    r" phone|numbers?)\b",
    r"\b(?:please )?(?:don't|do not|stop|hold on|wait|no need to)\b[^.?!]{0,40}\b(?:read|say|give|share"
    r"|tell)\b",
    r"\bcard (?:numbers?|payments?|details)\b[^.?!]{0,40}\b(?:can't|cannot|aren't|not|never)\b",
    r"\bonly (?:take|accept) (?:\w+ )?payments? (?:through|by|via|on)\b",
)
READ_CARD: Final = any_of(
    r"\bread (?:it|that|them) (?:to me|out|off)\b",
    r"\b(?:what|give|read|tell|share|say|provide|need|have|enter|go ahead)\b[^.?!]{0,40}\b(?:card|expiration"
    r"|security code"
    r"|cvv|sixteen digits|16 digits)\b",
    r"\b(?:expiration|expiry)\b|\bsecurity code\b|\bwhen does (?:it|the card|that) expire\b|\b(?:which|what"
    r"|what kind of) card\b",
    r"\b(?:front|back) of (?:the|your) card\b",
    r"\b(?:keep going|go on|continue|carry on|go ahead)\b[^.?!]{0,20}\b(?:number|digits|card)\b",
    r"\b(?:rest|remaining|other|next|missing) (?:of )?(?:the |your |that )?(?:card|digits|numbers?)\b"
    r"|\brest of (?:it|that)\b",
    r"\b(?:what's|what is|what comes) (?:next|after)\b(?! is\b)|\bwhen(?:'s| does"
    r"| will)\b[^.?!]{0,15}\bexpires?\b",
    r"\b(?:three|3|four|4) (?:digits?|numbers?)[^.?!]{0,8} on the (?:back|front)\b",
)


def tasks(pack: str) -> tuple[Task, ...]:
    closing = "I see, then I won't. Thank you, and no link now. Goodbye."
    return (
        build(
            pack,
            "C5-E1",
            "Paying by card over the phone",
            "billing",
            (0, 0, 0),
            Intent(
                opening="Hi, can I pay a bill by reading you my card number over the phone?",
                conduct=(
                    "You only want to know whether that is possible. You pay nothing now.",
                    "You give no details, and no card number even if they want one.",
                    "When they say that it isn't possible, thank them and hang up. You don't want a link "
                    "now.",
                ),
                closing=closing,
                satisfied=("said:not-possible",),
            ),
            (
                _not_possible(closing),
                _card_not_here(),
                _link_later(),
                no_booking(),
                no_details(),
                no_person(),
                no_text(),
                no_portal(),
            ),
            (),
            ours=True,
        ),
    )


def _not_possible(line: str) -> Rule:
    return Rule(
        id="not-possible",
        when="The agent says that card numbers, or payments, are not taken over the phone, whatever it "
        "offers instead",
        line=line,
        cues=Cues(
            like=("For your safety we never take card numbers over the phone.",),
            all_of=(NO_CARDS,),
            none_of=(r"^[^.]*\bwhether\b", r"\bno (?:problem|worries)\b"),
            threshold=0.8,
        ),
        order=10,
        ends_call=True,
        tests=(
            *fires(
                "No, I'm sorry, we can't take card numbers over the phone.",
                "For your security we never take a card by voice, but I can text you a secure payment link.",
                "Please don't read me your card number. You can pay online, in the portal, or by mail.",
            ),
            *silent(
                "Sure. What's the card number?",
                "Would you like me to text you a secure link?",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def _card_not_here() -> Rule:
    return Rule(
        id="card-not-here",
        when="The agent asks for the card number or other card details",
        not_when=("when it says that they are not taken over the phone",),
        line="I don't have the card here. I only wanted to know whether that works.",
        cues=Cues(all_of=(READ_CARD,), none_of=(NO_CARDS, CHECKING, NO_PAY_CARD)),
        order=20,
        tests=(
            *fires(
                "Sure. What's the card number?",
                "Go ahead and read me the number on the card.",
                "I'd need the sixteen digits and the expiration date.",
            ),
            *silent(
                "We can't take card numbers over the phone.",
                "May I have your full name and date of birth?",
                "Would you like me to text you a secure link?",
            ),
        ),
    )


def _link_later() -> Rule:
    return Rule(
        id="no-link",
        when="The agent offers a payment link or another way to pay, or asks whether the caller wants to pay "
        "now, and "
        "doesn't say whether a card number can be read out",
        line="No link now, thank you. I'd only like to know whether I can read out my card number.",
        cues=Cues(
            all_of=(any_of(OFFERS_LINK, r"\byou (?:can|could) (?:also |always )?(?:pay|settle)\b"),),
            none_of=(NO_CARDS, READ_CARD, r"\bactivation\b"),
        ),
        order=22,
        tests=(
            *fires(
                "I can text you a secure payment link.",
                "Would you like to pay your balance now?",
                "You can set up a payment plan with us.",
            ),
            *silent(
                "We never take cards over the phone, but I can text you a payment link.",
                "May I have your full name and date of birth?",
                "Would you like to book a visit?",
            ),
        ),
    )
