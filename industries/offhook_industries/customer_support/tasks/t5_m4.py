"""T5-M4: the other store's price is not lower."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    any_of,
    money,
)
from offhook_industries.customer_support.tasks._declining import declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._pricing import check_it_rule, offer_rules
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_NOT_LOWER = any_of(
    r"\b(?:theirs|their price|they|bolt depot(?:'s)?)\b[^.?!]*\b(?:more than|higher|above|over)\b",
    r"\b(?:ours|our price|we) (?:was|were|is) (?:\w+ )?(?:lower|cheaper|less)\b",
    r"\balready (?:got|have|had|paid) (?:the|a) (?:better|lower|best|cheaper)\b",
    r"\b(?:not|n't|isn't|no)\b[^.?!]*\b(?:lower|cheaper|less|below|better|difference)\b",
    r"\b(?:higher|more expensive|more than (?:what )?you paid|above|less than (?:theirs|that|the|bolt"
    r"|what they)|"
    r"cheaper (?:here|with us|from us|than|at kestrel)|lower than (?:theirs|that|the|bolt|what))\b",
    r"\b(?:you|already) (?:actually |already )?(?:paid|got it for|bought it for) (?:only |just |\$)?[^.?!]*"
    r"\b(?:less|lower|cheaper|better|279|2 7 9)\b",
    money("279.99"),
    r"\b(?:10|1 0|ten) dollars (?:more|less|higher|cheaper)\b|\$10(?:\.00)? (?:more|less|higher|cheaper)\b",
)
_NOT_TOLD = r"\?|\b(?:if|whether|unless|only match)\b"


def task(pack: str) -> Task:
    who = person("Natalie Grant", "soundbar")
    return Task(
        pack=pack,
        id="T5-M4",
        title="Price not lower on the Halo",
        category="price match",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=4, constrained_args=7, rows_written=0),
        intent=Intent(
            opening="Hi, I bought a Halo soundbar from you, and I'd like a price match with Bolt Depot.",
            conduct=(
                "You want the price of your soundbar matched. You don't remember what you paid.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "Bolt Depot sells it for $289.99, new and in stock.",
                "When you learn that this is not lower than what you paid, accept it and hang up.",
            ),
            closing="All right, that's all then. Bye.",
            satisfied=("heard:not-lower",),
        ),
        traits=traits_of(who),
        rules=(
            _told(),
            *offer_rules("soundbar", "Bolt Depot", "$289.99"),
            check_it_rule("not-lower"),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall(
                "quote_price_match",
                arguments={
                    "order_number": who.order_number,
                    "competitor": "bolt_depot",
                    "competitor_price": 28999,
                },
            ),
        ),
        topics=(Topic("not-lower", Cues(all_of=(_NOT_LOWER,), none_of=(_NOT_TOLD,))),),
    )


def _told() -> Rule:
    return told_rule(
        "that the other price is not lower, or that the caller paid $279.99",
        "not-lower",
        any_of(_NOT_LOWER, r"\bmatch\w*\b"),
        "Oh, so I paid less than that. Never mind then. Thanks, bye.",
        (
            *fires(
                "You paid $279.99, so Bolt Depot's price isn't lower.",
                "There's nothing to refund, as their price is higher than what you paid.",
                "Actually you got it cheaper with us, for 279.99. Anything else?",
                "Their price is ten dollars more than yours, so I can't match it.",
            ),
            *fires("Is there anything else I can do?", given=("heard:not-lower",)),
            *silent(
                *ROUTINE, "We match a price if it's lower than what you paid.", "Which store has it for less?"
            ),
        ),
    )
