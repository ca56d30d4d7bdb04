"""T2-E1: how long one has to return something."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    IDENTITY,
    any_of,
    said_days,
)
from offhook_industries.customer_support.tasks._declining import (
    confirm_wish_rule,
    no_account_rule,
    no_extras_rule,
    no_person_rule,
    not_called,
)
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_WINDOW = any_of(said_days(15), said_days(60), said_days(14), r"\b(?:two|2) weeks\b")


def task(pack: str) -> Task:
    return Task(
        pack=pack,
        id="T2-E1",
        title="General return window",
        category="returns",
        tier=Tier.EASY,
        structure=Structure(tool_calls=1, constrained_args=1, rows_written=0),
        intent=Intent(
            opening="Hello, how many days do people have to return something they bought at Kestrel?",
            conduct=(
                "You want to know the return window in general. You have no item and no order in mind.",
                "You don't give your name, as no account is needed for that.",
                "When they have told you a number of days, thank them and hang up.",
            ),
            closing="That's all I wanted to know, thanks. Bye.",
            satisfied=("heard:window",),
        ),
        traits=(),
        rules=(
            _told(),
            _in_general(),
            _nothing_to_return(),
            no_account_rule(
                "It's not about an order of mine. I only want to know the rule.", "the return rule"
            ),
            confirm_wish_rule(
                r"\b(?:return\w*|window|days|policy|how long)\b",
                "Yes, that's my question.",
                "So you want to know our return window, is that right?",
                "You're asking about the return policy, correct?",
                "Just to confirm, you'd like the number of days you have for returns?",
            ),
            no_extras_rule(),
            no_person_rule(),
        ),
        expected=(ExpectedCall("get_policy", arguments={"topic": "returns"}),),
        topics=(Topic("window", Cues(all_of=(_WINDOW,))),),
        forbidden=(not_called("transfer_to_human", "the return window needs no person"),),
    )


def _told() -> Rule:
    return told_rule(
        "how many days one has to return things (15, or 60 for members, or 14 for devices with a plan)",
        "window",
        _WINDOW,
        "That's what I wanted to know. Thanks, bye.",
        (
            *fires(
                "You have 15 days from the day you get it, and Plus and Total members have 60.",
                "Most items can be returned within fifteen days. Are you a member?",
                "It's a 15-day window. Was there something particular you wanted to return?",
                "Members get sixty days, and phones have 14 days for everybody.",
            ),
            *fires("Can I help with anything else?", given=("heard:window",)),
            *silent(*ROUTINE, "Which item would you like to return?", "Refunds take three to seven days."),
        ),
    )


def _in_general() -> Rule:
    return Rule(
        id="in-general",
        when="The agent asks which item it is, when or where it was bought, whether it is opened, "
        "whether the "
        "caller is a member, or which rule is meant",
        not_when=("when it asks for a name, a phone number, a proof or an order number",),
        line="Nothing in particular. I mean in general, for anybody.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what)(?:'s| is| was)?\b[^.!]*\b(?:item|product|device|return\w*|buy"
                    r"|bought|purchased?"
                    r"|rules?|policy|topic|kind|type|category|membership|tier|reason)\b",
                    r"\b(?:when|where|how long ago)\b[^.!]*\b(?:buy|bought|purchased?|get|got|receive"
                    r"|delivered)\b",
                    r"\b(?:are|do) you\b[^.!]*\b(?:members?|membership|plus|total|item|mind|product"
                    r"|particular|specific)\b",
                    r"\bwould (?:it|that|this) be\b[^.!]*\b(?:online|store|purchase|phone|member\w*|gift"
                    r"|something)\b",
                    r"\b(?:is|was|has) (?:it|this|that|the (?:item|box|package|product))\b[^.!]*"
                    r"\b(?:open\w*|phone|item|order|for|used|defective|about|store|online|particular"
                    r"|specific)\b",
                    r"\bwhat (?:did|have|was it|is it) (?:it )?(?:that )?you(?:'ve)? (?:\w+ )?(?:pick\w* "
                    r"up|buy|bought|got"
                    r"|get|have)\b",
                    r"\bgot (?:it|that|this) (?:\w+ )?(?:when|where)\b|\b(?:is|was) it (?:like )?(?:a|an) "
                    r"\w+\b[^.!]*\bor\b",
                    r"\bor something else\b|\bwhat (?:did|have) you (?:get|got|order)\b|\bit depends on "
                    r"what\b",
                    r"\b(?:is|was|are|do|did|have|has|which|what|when|where|how)\b[^.!]*\b(?:item"
                    r"|product|buy|bought|"
                    r"purchased?|return\w*|member\w*|order|store|online|opened|mind|phone|device"
                    r"|gift)\b[^.!]*\?",
                ),
            ),
            none_of=(
                *IDENTITY,
                _WINDOW,
                r"\border number\b",
                r"\bwhat (?:a|the) (?:person|customer|member|buyer)\b|\bwhat (?:people|folks|somebody"
                r"|someone|they)\b",
            ),
        ),
        unless=("heard:window",),
        order=20,
        tests=(
            *fires(
                "Which item would you like to return?",
                "Are you a Plus or Total member?",
                "When did you buy it?",
                "Sorry, is it about returns, price matching, or something else?",
            ),
            *silent(*ROUTINE, "You have 15 days. What did you buy?"),
        ),
    )


def _nothing_to_return() -> Rule:
    return Rule(
        id="nothing-to-return",
        when="The agent offers to start or check a return for the caller",
        not_when=("when it has told the number of days",),
        line="No, I'm not returning anything today. I only want to know the rule.",
        cues=Cues(
            all_of=(
                r"\b(?:something|anything|an item) to (?:return|send back|bring back|bring in)\b|"
                r"\b(?:something|anything|an item) (?:that )?(?:you'd like|you want|you wish|you need) "
                r"to (?:return|send"
                r" back)\b|"
                r"\b(?:would you like|you'd like|do you want|did you want|you wanting|want to|shall (?:i"
                r"|we)|should (?:i|we)"
                r"|can i|i can|i could|let's|want me to|like me to|happy to|glad to|able to"
                r"|are you looking|something you'd like|anything you'd like|something you want|anything "
                r"you want)\b[^.!]*"
                r"\b(?:start|begin|open|create|set up|process|check|make|do|get"
                r"|return)\b[^.!]*\b(?:return\w*|eligib\w+"
                r"|refund|something)\b",
            ),
            none_of=(*IDENTITY, _WINDOW, r"\bto know\b|\bhow (?:long|many)\b"),
        ),
        unless=("heard:window",),
        order=18,
        tests=(
            *fires(
                "Would you like me to start a return for you?",
                "Do you want to make a return today?",
                "Shall I check whether your item is eligible for a return?",
            ),
            *silent(*ROUTINE, "You have 15 days. Would you like to start a return?"),
        ),
    )
