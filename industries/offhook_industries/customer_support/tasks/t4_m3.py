"""T4-M3: no membership on the account."""

from __future__ import annotations

from offhook.packs import Cues, CueTest, Intent, Rule, Structure, Task, Tier
from offhook_industries.customer_support.tasks._cues import (
    ASKS_CARD,
    ASKS_NAME,
    ASKS_PHONE,
    ASKS_ZIP,
    HOLD,
    any_of,
)
from offhook_industries.customer_support.tasks._declining import no_person_rule
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of

__all__ = ["task"]

_MEMBERSHIP = r"(?:membership|member|plus|total|plan|subscription)"
_NONE = any_of(
    rf"\b(?:no|not|without|isn't|don't|doesn't|never|any|none)\b[^.?!]*\b{_MEMBERSHIP}\b",
    r"\bfree\b[^.?!]*\baccount\b",
    r"\b(?:standard|basic) (?:account|customer|tier|level)\b",
    r"\bnothing\b[^.?!]*\brenew",
    r"\b(?:kestrel|on|as) standard\b|\bfree (?:tier|level|plan)\b|\bnever (?:signed up|joined|enrolled)\b",
)
_NOT_TOLD = any_of(
    r"\b(?:if you|do you|would you|are you|can't see|cannot see|can't find (?:you|your|an account|the "
    r"account)|unable|not "
    r"sure|could not|couldn't|without (?:your|verif|a phone))\b"
)


def task(pack: str) -> Task:
    who = person("Philippa Contreras", "printer")
    return Task(
        pack=pack,
        id="T4-M3",
        title="No membership on the account",
        category="membership",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=3, constrained_args=4, rows_written=0),
        intent=Intent(
            opening="Hello, could you tell me when my Kestrel membership renews?",
            conduct=(
                "You believe you have a paid membership and want to know its renewal date.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "When you learn that there is no membership, accept it and end the call. "
                "Don't join, whatever they offer.",
            ),
            closing="Okay, nothing else then. Bye.",
            satisfied=("said:none-then",),
        ),
        traits=traits_of(who),
        rules=(_none_then(), _not_joining(), _which_one(), *identity_rules(who), no_person_rule()),
        expected=gate_calls(who),
    )


def _none_then() -> Rule:
    return Rule(
        id="none-then",
        when="The agent says that the account has no paid membership, so that nothing renews",
        not_when=("when it can't see the account yet", "when it asks whether the caller is a member"),
        line="Oh, so I don't have one. All right, good to know. Bye.",
        cues=Cues(
            like=("There is no paid membership on this account.",),
            all_of=(_NONE,),
            none_of=(_NOT_TOLD, ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD),
            threshold=0.75,
        ),
        order=5,
        ends_call=True,
        tests=(
            CueTest(
                "Thank you, you're verified. It's a free Kestrel Standard account with no "
                "paid membership on it.",
                True,
            ),
            CueTest("I don't see any membership on your account, so there's no renewal date.", True),
            CueTest("You're not a Kestrel Plus or Total member at the moment. Would you like to join?", True),
            CueTest("Your account is on the standard tier, so nothing will renew.", True),
            CueTest("Do you have Kestrel Plus or Kestrel Total?", False),
            CueTest("You'd like to know when your membership renews, I see.", False),
            CueTest("Of course, I can find the renewal date for you.", False),
            CueTest("I can't see a membership without your name and phone number. May I have those?", False),
            CueTest("Sure, I can look up your membership. What is the ZIP code on the order?", False),
            CueTest("One moment while I check the membership.", False),
        ),
    )


def _not_joining() -> Rule:
    return Rule(
        id="not-joining",
        when="The agent offers to sign the caller up, or to tell more about the memberships",
        not_when=("when the same turn says that there is no membership",),
        line="No, thank you. I only want to know about the renewal.",
        cues=Cues(
            like=("Would you like to sign up for Kestrel Plus today?",),
            all_of=(
                r"\b(?:start|get|buy|open) (?:a|one|your) (?:\w+ )?membership\b|"
                r"\b(?:i can|i could|let me|shall i|want me to|would you like)\b[^.?!]*\b(?:set you up"
                r"|get you set up"
                r"|set up with|go over|walk you through|explain|run through)\b|"
                r"\b(?:what (?:the |our |each )?(?:\w+ )?memberships? (?:includes?|offers?|gives?)"
                r"|sign (?:you )?up|tell you (?:more |all )?about (?:our|the|plus|total|each)|sign you"
                r"|(?:join|joining)(?! date)|should i add (?:it|that|one)|what you'd get|you'd get with"
                r"|enroll|enrol|becom(?:e|ing) a (?:paid |plus |total )?member|joining|signing up|take "
                r"out a|subscribe|learn more|hear "
                r"(?:more|about)|add (?:a|one))\b",
            ),
            none_of=(
                _NONE,
                ASKS_NAME,
                ASKS_PHONE,
                ASKS_ZIP,
                ASKS_CARD,
                r"\bdid you\b|\bwhen\b",
                r"\byou (?:joined|signed)\b",
            ),
            threshold=0.72,
        ),
        order=44,
        tests=(
            CueTest("Would you like to join Kestrel Plus today?", True),
            CueTest("Can I sign you up, or would you like to hear about Total?", True),
            CueTest("Do you want to learn more about our memberships?", True),
            CueTest("There is no membership on the account. Would you like to sign up?", False),
            CueTest("When did you sign up?", False),
            CueTest("What are the last four digits on the card?", False),
        ),
    )


def _which_one() -> Rule:
    return Rule(
        id="which-one",
        when="The agent asks which membership it is, or when the caller joined",
        not_when=("when it says that there is none",),
        line="I don't remember which one it was.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what)\b[^.?!]*\b(?:membership|tier|plan|one)\b[^.!]*\?",
                    r"\b(?:which|what)\b[^.?!]*\b(?:memberships?|tiers?|plans?)\b[^.!]*\b(?:you|it|that)\b",
                    r"\b(?:is (?:it|that|this)|do you have|are you (?:on|a))\b[^.!]*\b(?:plus|total"
                    r"|members?)\b[^.!]*\?",
                    r"\bwhich one\b[^.!]*\b(?:sign\w*|join\w*|took|bought|got|have)\b",
                    r"\bwhen (?:did you|you)\b|\bdo you know (?:if|which|whether)\b|\b(?:is|was) it plus\b",
                    r"\bplus\b[^.?!]*\bor\b[^.?!]*\btotal\b|\btotal\b[^.?!]*\bor\b[^.?!]*\bplus\b",
                ),
            ),
            none_of=(
                HOLD,
                ASKS_NAME,
                ASKS_PHONE,
                ASKS_ZIP,
                ASKS_CARD,
                r"^(?!.*\b(?:when|which one)\b).*\b(?:join|sign up|learn|hear|come with)\b",
            ),
        ),
        order=46,
        tests=(
            CueTest("Which membership is it, Plus or Total?", True),
            CueTest("Do you have Kestrel Plus or Kestrel Total?", True),
            CueTest("When did you get it?", True),
            CueTest("You don't have a membership at the moment.", False),
            CueTest("What's the ZIP code on the order?", False),
            CueTest("Let me check which membership you have.", False),
        ),
    )
