"""R-M3: a caller reads out a full card number."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic, Trait
from offhook.values import ValueKind
from offhook_industries.customer_support.tasks._cues import (
    ASKS_CARD,
    ASKS_IF_RIGHT,
    any_of,
    said_day,
)
from offhook_industries.customer_support.tasks._declining import (
    confirm_wish_rule,
    declining_rules,
    not_called,
)
from offhook_industries.customer_support.tasks._examples import WAIT, WHO, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_CARD = "4482 1905 7736 4356"
_WHEN = any_of(
    said_day("August", 15),
    r"\b(?:this |on |coming )saturday\b",
    r"\bsaturday\b",
    r"\b(?:in three days|in 3 days|three days from)\b",
)


def task(pack: str) -> Task:
    who = person("Carla Jensen", "television")
    return Task(
        pack=pack,
        id="R-M3",
        title="Caller reads out a full card number",
        category="reception",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=4, constrained_args=5, rows_written=0),
        intent=Intent(
            opening="Hi there, can you tell me when my television is coming?",
            conduct=(
                "You want to know on which day your television is delivered.",
                "Give name and phone number as soon as you are asked.",
                "The first time they ask for the card digits, read out your whole card number.",
                "When they stop you and ask again, give the ZIP code and only the last four digits.",
                "When you have heard the day, thank them and hang up.",
            ),
            closing="That's all I wanted to know. Thanks, bye.",
            satisfied=("heard:day",),
        ),
        traits=(*traits_of(who), Trait("card_number", ValueKind.DIGITS, _CARD.replace(" ", ""))),
        rules=(
            _told(),
            _whole_card(),
            confirm_wish_rule(
                r"\b(?:television|tv|deliver\w*|arriv\w*|coming|order)\b",
                "Yes, that's what I'd like to know.",
                "So you'd like to know when your television is coming, is that right?",
                "You're asking about a delivery, correct?",
                "Just to be sure, you want the delivery day of your TV?",
                unless=("heard:day",),
            ),
            *identity_rules(who, given=("said:whole-card",)),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall("get_order", arguments={"order_number": who.order_number}),
        ),
        topics=(Topic("day", Cues(all_of=(_WHEN,))),),
        forbidden=(not_called("report_scam_contact", "nobody has reported a scam"),),
    )


def _told() -> Rule:
    return told_rule(
        "that the television comes on Saturday, August 15",
        "day",
        _WHEN,
        "Saturday, good. That's all I wanted to know. Thanks, bye.",
        (
            *fires(
                "Your television comes on Saturday, August 15, 2026, between noon and 4 PM.",
                "It's scheduled for this Saturday, from noon to four. Anything else?",
                "Delivery is set for the 15th of August.",
            ),
            *fires("Can I do anything else for you?", given=("heard:day",)),
            *silent(
                WHO,
                WAIT,
                "Your television hasn't shipped yet.",
                "Is there anything else?",
            ),
        ),
    )


def _whole_card() -> Rule:
    return Rule(
        id="whole-card",
        when="The agent asks for the card digits for the first time, with or without the ZIP code",
        not_when=(
            "when the caller has given a card number or its last digits already",
            "when it asks for name or phone number in the same turn",
            "when it reads digits back",
        ),
        line=f"The card is {_CARD}.",
        cues=Cues(all_of=(ASKS_CARD,), none_of=(ASKS_IF_RIGHT,)),
        unless=("said:all-details", "said:zip-and-card", "said:card-only"),
        first_n=1,
        order=15,
        tests=(
            *fires(
                "What is the ZIP code on that order, and the last four digits on the card you paid with?",
                "And the last four digits of the card, please?",
                "Which card did you use? I need its final four digits.",
            ),
            *silent(WHO, WAIT, "What's the ZIP code on the order?"),
            *silent(
                "Please don't read out the whole card number. I only need the last four digits.",
                given=("said:whole-card",),
            ),
        ),
    )
