"""T3-M1: Kestrel Total pays for a laptop that will not charge."""

from __future__ import annotations

from offhook.packs import Cues, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    any_of,
)
from offhook_industries.customer_support.tasks._declining import confirm_wish_rule, declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._service import (
    coverage_call,
    no_booking_rule,
    what_happened_rule,
)
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_COVERED = any_of(
    r"\b(?:foots?|pays?|covers?|handles?|eats?) (?:the|that|your|all|for) (?:\w+ )?(?:bill|cost|repair|of "
    r"it)\b",
    r"\b(?:it's|that's|this is|that one's|repair's|is) on us\b|\b(?:picks?|pick) up the (?:bill|tab"
    r"|cost)\b|\bour treat\b",
    r"\b(?:is|it's|that's|be|are|fully|completely) (?:fully |completely |all )?(?:covered|included)\b",
    r"\b(?:total|membership|kestrel|plan|we|that)(?: membership)? (?:covers?|pays?|includes?|takes? "
    r"care|(?:will|would) "
    r"(?:cover|pay))\b",
    r"\b(?:nothing|no charge|no cost|free(?: of charge)?|won't (?:pay|cost|be charged|owe)|zero|0 "
    r"dollars|\$0(?:\.00)?)\b",
    r"\b(?:don't|do not|doesn't|won't|will not) (?:have to pay|owe|pay|cost)\b",
)
_NOT_TOLD = r"\?|\b(?:if|whether|see|check|once)\b"


def task(pack: str) -> Task:
    who = person("Teresa Gomez", "laptop")
    return Task(
        pack=pack,
        id="T3-M1",
        title="Total coverage on a laptop that will not charge",
        category="service",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=4, constrained_args=6, rows_written=0),
        intent=Intent(
            opening="Hi, my laptop won't charge any more. Does my Total membership pay for the repair?",
            conduct=(
                "You want to know whether Kestrel Total covers the repair of your laptop.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "The laptop doesn't charge, with any charger. It was not dropped and did not get wet.",
                "Book nothing today. When they have said who pays, thank them and hang up.",
            ),
            closing="That's all I wanted to know. Thanks, bye.",
            satisfied=("heard:covered",),
        ),
        traits=traits_of(who),
        rules=(
            _told(),
            what_happened_rule("It just stopped working. It won't charge, whatever charger I use.", "laptop"),
            no_booking_rule("covered", "Not today. First I'd like to know whether Total pays for it."),
            confirm_wish_rule(
                r"\b(?:charg\w*|laptop|cover\w*|repair\w*)\b",
                "Yes, that's it.",
                "So you'd like to know whether Total covers your laptop, is that right?",
                "You're calling because your laptop won't charge, correct?",
                "Just to be sure, you want to know if the repair is covered?",
                unless=("heard:covered",),
            ),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(*gate_calls(who), coverage_call(who.order_number, "not_working")),
        topics=(Topic("covered", Cues(all_of=(_COVERED,), none_of=(_NOT_TOLD,))),),
    )


def _told() -> Rule:
    return told_rule(
        "that the repair is covered, or that there is nothing to pay",
        "covered",
        any_of(_COVERED, r"\b(?:book|appointment|repair|bring)\b"),
        "Great, that's all I wanted to know. I'll bring it in some other time. Bye.",
        (
            *fires(
                "Good news, Kestrel Total covers that, so you pay nothing. Shall I book a repair?",
                "The repair is covered by your Total membership.",
                "There's no charge for that, because you're a Total member.",
                "You won't pay anything, Total takes care of it.",
            ),
            *fires("Would you like to book a repair, or is there anything else?", given=("heard:covered",)),
            *silent(*ROUTINE, "Let me see whether it's covered.", "Would you like to know if it's covered?"),
        ),
    )
