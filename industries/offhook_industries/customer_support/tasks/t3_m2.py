"""T3-M2: the deductible of a protection plan for a dropped phone."""

from __future__ import annotations

from offhook.packs import Cues, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    any_of,
    money,
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

_COST = money("99.00")


def task(pack: str) -> Task:
    who = person("Kevin Marsh", "phone")
    return Task(
        pack=pack,
        id="T3-M2",
        title="Dropped-phone protection-plan deductible",
        category="service",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=4, constrained_args=6, rows_written=0),
        intent=Intent(
            opening="Hello, I dropped my phone and it broke. What would a repair cost me with my "
            "protection plan?",
            conduct=(
                "You want to know what you would pay for the repair under your TechCrew Protect plan.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "The phone fell on the floor and the screen cracked. It did not get wet.",
                "Book nothing today. When you have heard the amount, thank them and hang up.",
            ),
            closing="That's all I wanted to know. Thanks, bye.",
            satisfied=("heard:deductible",),
        ),
        traits=traits_of(who),
        rules=(
            _told(),
            _how_much(),
            what_happened_rule("I dropped it on the floor and the screen cracked.", "phone"),
            no_booking_rule("deductible", "Not today. First I'd like to know what I'd have to pay."),
            confirm_wish_rule(
                r"\b(?:drop\w*|phone|repair\w*|plan|cost)\b",
                "Yes, that's it.",
                "So you dropped your phone and want to know what a repair costs, is that right?",
                "You're asking about the deductible of your protection plan, correct?",
                "Just to be sure, you'd like to know what you would pay for the repair?",
                unless=("heard:deductible",),
            ),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(*gate_calls(who), coverage_call(who.order_number, "drop_damage")),
        topics=(Topic("deductible", Cues(all_of=(_COST,))),),
    )


def _told() -> Rule:
    return told_rule(
        "that the repair costs the caller $99.00",
        "deductible",
        any_of(_COST, r"\b(?:book|appointment|repair|bring)\b"),
        "Ninety-nine dollars, okay. That's all I wanted to know. Bye.",
        (
            *fires(
                "Your TechCrew Protect plan covers drops, with a deductible of $99.00.",
                "You'd pay ninety-nine dollars. Would you like to book a repair?",
                "It's covered by your plan, and the deductible is $99.",
                "That would be 99 dollars. Anything else?",
            ),
            *fires("Would you like to book that?", "Anything else?", given=("heard:deductible",)),
            *silent(*ROUTINE, "Your plan covers drops.", "A bench diagnostic is $39.99."),
        ),
    )


def _how_much() -> Rule:
    return Rule(
        id="how-much",
        when="The agent says that the plan covers the damage, or that there is a deductible, without "
        "naming the $99.00",
        not_when=("when it asks for something", "while it is still looking it up"),
        line="And what would I have to pay myself?",
        cues=Cues(
            all_of=(
                r"\b(?:cover(?:s|ed)?|deductible|accidental)\b|\b(?:included|part of|takes care of"
                r"|protects?)\b[^.]*\bplan\b|\bplan\b[^.]*\b(?:includes?|takes? care|protects?|pays? for"
                r"|picks? up)\b",
            ),
            none_of=(
                r"\?|\b(?:if|whether|let me|check(?:ing)?|see|looking)\b",
                _COST,
                r"(?:\bnot|n't|\bnever)\b.{0,12}\b(?:cover|help|protect|pay|take|include)",
            ),
        ),
        unless=("heard:deductible",),
        order=28,
        tests=(
            *fires(
                "Good news, your plan covers drops.",
                "That is covered under TechCrew Protect, with a deductible.",
                "Accidental damage is covered until November 2027.",
            ),
            *silent(*ROUTINE, "It's covered, and the deductible is $99.00.", "Let me see if it's covered."),
        ),
    )
