"""T2-M2: a laptop that is past the 15-day window."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    any_of,
    said_day,
    said_days,
)
from offhook_industries.customer_support.tasks._declining import confirm_wish_rule, declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._returning import opened_rule, start_it_rule, why_return_rule
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_CLOSED = any_of(
    r"\b(?:a|one|about a) week (?:past|over|late|too late|after)\b|\b(?:returns?|window"
    r"|that)\b[^.?!]*\bstopped\b",
    r"\b(?:would have|should have|had) (?:had )?to\b[^.?!]*\bby\b|\bmissed (?:it|that) by\b|\btime (?:is"
    r"|has) (?:up|run out)\b",
    said_day("August", 5),
    r"\breturns?\b[^.?!]*\b(?:ended|closed|over|expired|shut|lapsed)\b",
    r"\b(?:window|period)(?:'s| is| has)?(?: been| now)? (?:shut|closed|over|gone|ended)\b",
    said_days(7) + r"[^.?!]*\b(?:over|late|past|ago|too|after|outside|beyond)\b",
    r"\b(?:over|late|past|overdue|by)\b[^.?!]{0,12}" + said_days(7),
    r"\b(?:window|period|time|deadline|days?)\b[^.?!]*\b(?:closed|ended|passed|over|expired|past|up|gone"
    r"|ran out|lapsed)\b",
    r"\b(?:can't|cannot|can no longer|no longer|isn't|is not|not) (?:be )?(?:return\w*|take (?:it"
    r"|that) back|"
    r"accept\w*|eligible|able to (?:accept|take|return))",
    r"\b(?:past|outside|beyond|out of|missed|after) (?:of )?(?:the|your|our|that)\b[^.?!]{0,20}"
    r"\b(?:window|period|deadline|limit|days)\b",
    r"\btoo late\b",
    r"\b(?:it's|it has|it is|that's) been (?:over |more than |about )?(?:22|2 2|twenty[- ]two"
    r"|three weeks)\b",
    r"\breturns?\b[^.?!]*\b(?:isn't|not|no longer|can't be) (?:possible|an option|available|allowed"
    r"|accepted)\b",
    r"\b(?:days|weeks) (?:ago|past|over|late|overdue)\b|\b(?:limit|deadline|cutoff|last day) was\b",
)
_NOT_TOLD = r"\?|\b(?:if|whether|unless|once)\b"


def task(pack: str) -> Task:
    who = person("Nathan Cole", "laptop")
    return Task(
        pack=pack,
        id="T2-M2",
        title="Laptop past the 15-day window",
        category="returns",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=4, constrained_args=5, rows_written=0),
        intent=Intent(
            opening="Hello, I bought a student laptop from you in July. Can I still return it?",
            conduct=(
                "You want to know whether the laptop can still be returned, and would return it if so.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "When you learn that the window has closed, accept it. Ask for no exception and no person.",
            ),
            closing="All right, then I'll keep it. Bye.",
            satisfied=("heard:closed",),
        ),
        traits=traits_of(who),
        rules=(
            _told(),
            why_return_rule("Nothing's wrong with it. I just don't use it."),
            opened_rule("Yes, the box is open."),
            start_it_rule("closed"),
            confirm_wish_rule(
                r"\b(?:return\w*|laptop|send)\b",
                "Yes, that's right.",
                "So you'd like to return a laptop, is that right?",
                "You're asking whether your laptop can still be returned, correct?",
                "Just to confirm, you want to send back a laptop you bought in July?",
                unless=("heard:closed",),
            ),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall("check_return_eligibility", arguments={"order_number": who.order_number}),
        ),
        topics=(Topic("closed", Cues(all_of=(_CLOSED,), none_of=(_NOT_TOLD,))),),
    )


def _told() -> Rule:
    return told_rule(
        "that the laptop can no longer be returned (the window ended August 5, seven days ago)",
        "closed",
        any_of(_CLOSED, r"\b(?:sorry|afraid|unfortunately|exception|would you)\b"),
        "That's a pity, but all right. Then I'll keep it. Thanks, bye.",
        (
            *fires(
                "I'm sorry, the 15-day window ended on August 5, 2026, so that's 7 days over.",
                "Unfortunately it can't be returned any more. The return period has passed.",
                "You're seven days past the return window. Would you like me to ask for an exception?",
                "It's no longer eligible for a return, as the last day was August 5th.",
            ),
            *fires("Is there anything else I can help with?", given=("heard:closed",)),
            *silent(*ROUTINE, "Let me see whether the window has closed.", "You had 15 days for that."),
        ),
    )
