"""T5-M1: a price match for an open-box television."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    any_of,
)
from offhook_industries.customer_support.tasks._declining import declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._pricing import check_it_rule, offer_rules
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_OPEN_BOX = any_of(
    r"\bopen[- ]?box\b[^?]*\b(?:not|n't|never|cannot|can't|no|exclud\w+|final|unable|ineligible|aren't)\b",
    r"\b(?:not|n't|never|cannot|can't|no|exclud\w+|unable|ineligible)\b[^?]*\bopen[- ]?box\b",
    r"\b(?:bought|was|is|it's|that's|purchased|yours|sold|listed|ordered|got|have|an"
    r"|took)\b[^?]{0,40}\bopen[- ]?box\b",
)


def task(pack: str) -> Task:
    who = person("Martin Hughes", "television")
    return Task(
        pack=pack,
        id="T5-M1",
        title="Price match on an open-box TV",
        category="price match",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=4, constrained_args=5, rows_written=0),
        intent=Intent(
            opening="Hi, I found the television I bought from you cheaper somewhere else. Can you match "
            "the price?",
            conduct=(
                "You want the price of your television matched. You don't think of its being open-box.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "You saw it at Rivertide for $519.99.",
                "When you learn that open-box items are not matched, accept it, thank them and hang up.",
            ),
            closing="All right, that's all then. Bye.",
            satisfied=("heard:open-box",),
        ),
        traits=traits_of(who),
        rules=(
            _told(),
            *offer_rules("television", "Rivertide", "$519.99"),
            check_it_rule("open-box"),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall("get_order", arguments={"order_number": who.order_number}),
        ),
        topics=(Topic("open-box", Cues(all_of=(_OPEN_BOX,), none_of=(r"\?",))),),
    )


def _told() -> Rule:
    return told_rule(
        "that the television was bought open-box, or that open-box items are not matched",
        "open-box",
        any_of(_OPEN_BOX, r"\bmatch\w*\b"),
        "Oh, I see, it was open-box. Never mind then. Thanks, bye.",
        (
            *fires(
                "I'm sorry, open-box items aren't price matched.",
                "That television was bought open-box, so we can't match the price.",
                "We don't match prices on open box products. Is there anything else?",
                "Your TV is an open-box item, and those are excluded from the guarantee.",
            ),
            *fires("Is there anything else I can do?", given=("heard:open-box",)),
            *silent(*ROUTINE, "Was it open-box or new?", "Which store has it for less?"),
        ),
        not_when=("while it only asks whether something is open-box",),
    )
