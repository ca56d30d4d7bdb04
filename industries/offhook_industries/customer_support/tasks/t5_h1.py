"""T5-H1: a price match that brings money back."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ELSE,
    GO_AHEAD,
    GOODBYE,
    IDENTITY,
    NOT_YET,
    OFFERS_PERSON,
    OFFERS_TEXT,
    OUTCOME,
    any_of,
    money,
)
from offhook_industries.customer_support.tasks._declining import declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._pricing import (
    ASKS_COMPETITOR,
    ASKS_PRICE,
    check_it_rule,
    offer_rules,
)

__all__ = ["task"]

_BACK = money("30.00")
_REFUNDED = any_of(
    r"\b(?:is|are|was|been|it's|that's|'ve|have|has|just|successfully|now|being) (?:now |just "
    r"|successfully |been |being |all )*"
    r"(?:refunded|matched|approved|processed|applied|issued|credited|sent|submitted|done|completed?"
    r"|confirmed)\b",
    r"\b(?:refunded|matched|credited|issued|processed|applied|sent) (?:it|your|the|you|that|\$)",
    r"\b(?:on its way|on the way)\b",
    r"\bback (?:on|in|to|into) your (?:\w+ )?(?:card|account)\b",
    r"\b(?:you're|you are|that's|it's|all) (?:all )?(?:set|done|taken care of)\b",
    r"\brefund (?:is|has been|went|goes|will (?:post|show|appear|reach))\b",
)


def task(pack: str) -> Task:
    who = person("Allison Drake", "soundbar")
    return Task(
        pack=pack,
        id="T5-H1",
        title="Halo soundbar price match at Rivertide",
        category="price match",
        tier=Tier.HARD,
        structure=Structure(tool_calls=5, constrained_args=7, rows_written=2),
        intent=Intent(
            opening="Hello, I bought a Halo soundbar from you last week, and now Rivertide has it for "
            "less. Can I get "
            "the difference back?",
            conduct=(
                "You want the difference between what you paid for the soundbar and Rivertide's price.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "Rivertide sells the same soundbar, new and in stock, for $249.99.",
                "Agree to the refund of $30.00 once they have named it.",
                "When it is refunded, thank them and hang up.",
            ),
            closing="Great, that's all I wanted. Bye.",
            satisfied=("said:agree", "heard:refunded"),
        ),
        traits=traits_of(who),
        rules=(
            _done(),
            _agree(),
            *offer_rules("soundbar", "Rivertide", "$249.99"),
            check_it_rule("difference"),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall(
                "quote_price_match",
                arguments={
                    "order_number": who.order_number,
                    "competitor": "rivertide",
                    "competitor_price": 24999,
                },
            ),
            ExpectedCall("confirm_price_match", carry={"quote_token": "quote_price_match.quote_token"}),
        ),
        topics=(
            Topic("difference", Cues(all_of=(_BACK,))),
            Topic("refunded", Cues(all_of=(_REFUNDED,), none_of=(NOT_YET, r"\?"))),
        ),
    )


def _agree() -> Rule:
    return Rule(
        id="agree",
        when="The agent has named the $30.00 that come back, in this turn or before, and tells it or "
        "asks whether to "
        "refund it",
        not_when=(
            "when it says that the refund has been made",
            "when it asks for the store, the price, who is calling or a proof",
        ),
        line="Yes, please refund me the $30.00.",
        cues=Cues(
            all_of=(any_of(_BACK, GO_AHEAD, r"\b(?:match|refund|difference)\w*\b[^.!]*\?"),),
            none_of=(
                *IDENTITY,
                ASKS_COMPETITOR,
                ASKS_PRICE,
                OFFERS_PERSON,
                OFFERS_TEXT,
                r"\b(?:has|have|'ve) (?:now |just |been )*(?:been )?(?:refunded|matched|issued|processed"
                r"|credited)\b",
                r"\bon its way\b",
            ),
        ),
        after=("heard:difference",),
        unless=("said:agree",),
        order=12,
        tests=(
            *fires(
                "Rivertide's price qualifies, so you get $30.00 back. Shall I refund it to your card?",
                "The difference is thirty dollars. Do you want me to go ahead?",
                "We can match that, which makes $30 back to your card.",
            ),
            *fires("Would you like me to process the refund?", given=("heard:difference",)),
            *silent(*ROUTINE, "Shall I check the match?", "You have 30 days for that."),
            *silent("The $30.00 has been refunded.", given=("heard:difference", "said:agree")),
        ),
    )


def _done() -> Rule:
    agreed = ("heard:difference", "said:agree")
    return Rule(
        id="done",
        when="The caller has agreed to the refund, and the agent says that it has been made or is on its "
        "way, or asks "
        "whether there is anything else",
        not_when=(
            "when it says that it will make it, or asks whether it shall",
            "while it is still working on it",
        ),
        line="Great, thank you. That's all. Bye.",
        cues=Cues(all_of=(any_of(rf"^(?!.*(?:{NOT_YET})).*(?:{_REFUNDED})", OUTCOME, ELSE, GOODBYE),)),
        after=("said:agree",),
        order=4,
        ends_call=True,
        tests=(
            *fires(
                "The price is matched, and $30.00 is on its way to your card.",
                "I've refunded the thirty dollars. Anything else?",
                "You're all set. The refund will show in three to seven business days.",
                "That's done.",
                given=agreed,
            ),
            *silent("One moment while I process that.", "Shall I refund it now?", given=agreed),
            *silent("Your refund has been issued.", "Is there anything else?"),
        ),
    )
