"""T4-E1: what the two memberships cost."""

from __future__ import annotations

from offhook.packs import Cues, CueTest, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ASKS_CARD,
    ASKS_NAME,
    ASKS_PHONE,
    ASKS_ZIP,
    ELSE,
    any_of,
    money,
)
from offhook_industries.customer_support.tasks._declining import no_person_rule

__all__ = ["task"]

_PLUS, _TOTAL = "29.99", "179.99"
_PRICES = any_of(money(_PLUS), money(_TOTAL))
# The agent is about to tell the other price.
_OTHER_NEXT = r"\b(?:one (?:second|moment|sec)|while i|let me|i'll|just a)\b[^.!?]*\btotal\b"
_ACCOUNT = any_of(
    r"\bare you with us\b|\b(?:first|new) (?:membership|account|customer)\b[^.!]*\?",
    ASKS_NAME,
    ASKS_PHONE,
    ASKS_ZIP,
    ASKS_CARD,
    r"\b(?:do you have|on|find|pull up|look up|verify|access)\b[^.!]*\b(?:account|identity)\b",
    r"\bhave you (?:got|already)\b[^.!]*\b(?:membership|account)\b",
    r"\b(?:are you|do you(?! want| wish))\b[^.!]*\b(?:members?|membership already|already have|customer)\b",
)


def task(pack: str) -> Task:
    return Task(
        pack=pack,
        id="T4-E1",
        title="Plus and Total membership pricing",
        category="membership",
        tier=Tier.EASY,
        structure=Structure(tool_calls=2, constrained_args=2, rows_written=0),
        intent=Intent(
            opening="Hi, what do Kestrel Plus and Kestrel Total cost for a year?",
            conduct=(
                "You compare prices and want both yearly prices, nothing more.",
                "You don't join, and you don't give your name, as no account is needed for a price.",
                "When you have heard both prices, thank them and hang up.",
            ),
            closing="That's all I wanted to know, thanks. Bye.",
            satisfied=("heard:plus-price", "heard:total-price"),
        ),
        traits=(),
        rules=(
            _both_heard(),
            _and_total(),
            _and_plus(),
            _which(),
            _no_account(),
            _not_joining(),
            no_person_rule(),
        ),
        expected=(
            ExpectedCall("get_fee", arguments={"fee": "plus_membership"}),
            ExpectedCall("get_fee", arguments={"fee": "total_membership"}),
        ),
        topics=(
            Topic("plus-price", Cues(all_of=(money(_PLUS),))),
            Topic("total-price", Cues(all_of=(money(_TOTAL),))),
        ),
    )


def _both_heard() -> Rule:
    both = ("heard:plus-price", "heard:total-price")
    return Rule(
        id="both-heard",
        when="The agent has told both yearly prices by the end of this turn",
        not_when=("while one of them is missing",),
        line="Great, that's all I wanted to know. Thanks, bye.",
        cues=Cues(all_of=(any_of(_PRICES, ELSE, r"\b(?:sign|join|interested|like to|help)\b"),)),
        after=both,
        order=5,
        ends_call=True,
        tests=(
            CueTest("Kestrel Plus is $29.99 a year, and Kestrel Total is $179.99 a year.", True),
            CueTest("Plus costs 29.99. Total costs 179.99 for the year.", True),
            CueTest(
                "Total is one hundred seventy-nine dollars and ninety-nine cents a year.",
                True,
                ("heard:plus-price", "said:and-total"),
            ),
            CueTest("Is there anything else I can help you with?", True, both),
            CueTest("Kestrel Plus membership is $29.99 a year.", False),
            CueTest("Kestrel Total membership is $179.99 a year.", False),
            CueTest("Is there anything else I can help you with?", False, ("heard:plus-price",)),
            CueTest("One moment while I look both of them up.", False),
        ),
    )


def _and_total() -> Rule:
    return Rule(
        id="and-total",
        when="The agent has told the price of Plus and not that of Total",
        not_when=("when both prices have been told", "when it says that it is looking the other one up"),
        line="Thanks. And what does Kestrel Total cost?",
        cues=Cues(all_of=(any_of(money(_PLUS), ELSE),), none_of=(_OTHER_NEXT,)),
        after=("heard:plus-price",),
        unless=("heard:total-price",),
        order=10,
        tests=(
            CueTest("Kestrel Plus membership is $29.99 a year.", True),
            CueTest(
                "Plus would be twenty-nine ninety-nine per year. Shall I tell you what it includes?", True
            ),
            CueTest("Is there anything else I can do for you?", True, ("heard:plus-price",)),
            CueTest("Kestrel Plus is $29.99 a year, and Kestrel Total is $179.99 a year.", False),
            CueTest("Kestrel Total membership is $179.99 a year.", False),
            CueTest("One moment please.", False),
        ),
    )


def _and_plus() -> Rule:
    return Rule(
        id="and-plus",
        when="The agent has told the price of Total and not that of Plus",
        not_when=("when both prices have been told",),
        line="Thanks. And what does Kestrel Plus cost?",
        cues=Cues(all_of=(any_of(money(_TOTAL), ELSE),)),
        after=("heard:total-price",),
        unless=("heard:plus-price",),
        order=12,
        tests=(
            CueTest("Kestrel Total membership is $179.99 a year.", True),
            CueTest("That's one seventy-nine ninety-nine a year for Total.", True),
            CueTest("Is there anything else I can do for you?", True, ("heard:total-price",)),
            CueTest("Kestrel Total is $179.99 a year, and Kestrel Plus is $29.99 a year.", False),
            CueTest("Kestrel Plus membership is $29.99 a year.", False),
            CueTest("Which membership do you want to know about?", False),
        ),
    )


def _which() -> Rule:
    return Rule(
        id="both-please",
        when="The agent asks which membership the caller wants to know about, or which price comes first",
        not_when=("when it has just told a price",),
        line="Both of them. Kestrel Plus first, then Kestrel Total.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what)\b[^.!]*\b(?:membership|one|tier|plan|price|prices|fee)\b",
                    r"\b(?:plus|total)\b[^.?!]*\bor\b[^.?!]*\b(?:plus|total|both)\b",
                    r"\b(?:do you mean|you mean|is that|is it) (?:the )?(?:kestrel )?(?:plus|total)\b"
                    r"|\bwhich (?:one )?first\b",
                    r"\bwhich (?:of (?:the two|them|these|those)|one)\b",
                    r"\b(?:shall|should|can|may) i (?:start|begin) with (?:the )?(?:kestrel )?(?:plus"
                    r"|total)\b",
                    r"\b(?:the two|both|the pair)\b[^.?!]*\bor\b[^.?!]*\b(?:one|just)\b",
                    r"\bplus\b[^.?!]*\btotal\b[^.?!]*\bor\b",
                ),
            ),
            none_of=(
                _PRICES,
                r"\beach one (?:includes|gives|offers|comes)\b|\b(?:explain|walk you through|go over"
                r"|tell you)\b",
                r"\b(?:are you (?!interested|asking|after|looking)|do you have|currently)\b",
                ASKS_NAME,
                ASKS_PHONE,
            ),
        ),
        order=20,
        tests=(
            CueTest("Which membership are we talking about?", True),
            CueTest("Sure. Would you like the price of Plus or Total?", True),
            CueTest("Sorry, which price was that, Kestrel Plus or Kestrel Total?", True),
            CueTest("Kestrel Plus membership is $29.99 a year.", False),
            CueTest("May I have your full name and phone number?", False),
            CueTest("Let me look that up for you.", False),
        ),
    )


def _no_account() -> Rule:
    return Rule(
        id="no-account",
        when="The agent asks for a name, a phone number or other identity details, or whether the "
        "caller has an account or a membership",
        line="It's not about my account. I just want to know the two prices.",
        cues=Cues(all_of=(_ACCOUNT,), none_of=(_PRICES,)),
        order=30,
        tests=(
            CueTest("May I have your full name and the phone number on the account?", True),
            CueTest("Are you a Kestrel member already?", True),
            CueTest("I need to verify your identity first. What's your ZIP code?", True),
            CueTest("Which membership would you like the price of?", False),
            CueTest("Kestrel Plus membership is $29.99 a year.", False),
            CueTest("Is there anything else I can do for you?", False),
        ),
    )


def _not_joining() -> Rule:
    return Rule(
        id="not-joining",
        when="The agent offers to sign the caller up or to explain the benefits before both "
        "prices have been told",
        not_when=("when it tells a price in the same turn",),
        line="No, thanks. I only want to know what each of them costs.",
        cues=Cues(
            like=("Would you like to sign up for Kestrel Plus today?",),
            all_of=(
                any_of(
                    r"\b(?:sign (?:you )?up|join|enroll|enrol|become a member|benefits|includes?"
                    r"|what you get|"
                    r"upgrade)\b[^.!]*\?",
                    r"\b(?:think\w*|interest\w*|plan\w*|like|want|consider\w*)\b[^.!]*\b(?:joining"
                    r"|signing up|enrolling|becoming"
                    r"|membership|a member)\b[^.!]*\?",
                    r"\b(?:want|like|care) to hear (?:more|the rest|about|what)\b",
                    r"\bthinking (?:of|about) (?:joining|signing|becoming|getting)\b",
                    r"\b(?:i can|i could|happy to|let me|would you like|do you want|want me to"
                    r"|shall i)\b[^.!]*\b(?:get you (?:signed|enrolled|started)|signed up|enrolled|you'd "
                    r"get|you get|"
                    r"sign (?:you )?up|enroll|enrol|benefits|includes?|perks|comes with|what you get)\b",
                ),
            ),
            none_of=(_PRICES, ASKS_NAME, ASKS_PHONE),
            threshold=0.72,
        ),
        order=40,
        tests=(
            CueTest("Would you like to sign up today?", True),
            CueTest("Shall I explain the benefits of each one?", True),
            CueTest("Do you want to become a member?", True),
            CueTest("Kestrel Plus is $29.99 a year. Would you like to join?", False),
            CueTest("Which membership would you like the price of?", False),
            CueTest("Let me look that up for you.", False),
        ),
    )
