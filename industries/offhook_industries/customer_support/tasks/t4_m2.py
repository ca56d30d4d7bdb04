"""T4-M2: already on Total."""

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

_HAS_TOTAL = any_of(
    r"\b(?:shows?|showing|see|seeing|has|there's) (?:kestrel )?total (?:on|for|under|active|there|here)\b",
    r"\byou (?:already|currently) have (?:that|it|this)\b|\byou've (?:already )?got (?:that|it) already\b",
    r"\b(?:you've|you have|you|account has|account's) (?:had|got|have) (?:kestrel )?total\b|\btotal is "
    r"what you\b"
    r"|\bcan't go (?:any )?higher\b|\bno higher\b",
    r"\b(?:already|all ready)\b[^?]*\btotal\b",
    r"\b(?:shows?|see|have) (?:an |a |that )?(?:active "
    r"|current )?(?:kestrel )?total\b[^?]*\b(?:membership|that|renew\w*)\b",
    r"\bnothing (?:higher|above|more|left)\b",
    r"\btotal\b[^?]*\balready\b",
    r"\b(?:it's|it is|you're|you are|account is|membership is|you have|you've got|account "
    r"has|account shows|currently|enrolled in|member of)"
    r" (?:currently |now |actually |on |in |at |a |an |the )*(?:kestrel )?total\b",
    r"\b(?:highest|top|best|maximum) (?:\w+ )?(?:tier|plan|level|membership)\b",
    r"\b(?:nothing|no need|not? \w*)(?: \w+){0,3} (?:to )?upgrade\b",
)
_OFFERING = any_of(
    r"\b(?:would you like|you'd like|you would like|you want|do you want|did you want|you wanting|want "
    r"to|interested|move (?:you )?up"
    r"|upgrade (?:you )?to|help you)\b"
)


def task(pack: str) -> Task:
    who = person("Pedro Kim", "camera")
    return Task(
        pack=pack,
        id="T4-M2",
        title="Already on Total",
        category="membership",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=3, constrained_args=4, rows_written=0),
        intent=Intent(
            opening="Hi there, I'd like to upgrade my membership to Kestrel Total.",
            conduct=(
                "You think you have a smaller membership and want Kestrel Total.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "When you learn that you already have Total, accept it and end the call. "
                "Cancel nothing and buy nothing.",
            ),
            closing="All right, nothing else then. Bye.",
            satisfied=("said:have-it",),
        ),
        traits=traits_of(who),
        rules=(_have_it(), _upgrade_it(), _which_tier(), *identity_rules(who), no_person_rule()),
        expected=gate_calls(who),
    )


def _have_it() -> Rule:
    return Rule(
        id="have-it",
        when="The agent says that the account already has Kestrel Total, or that there is nothing above it",
        not_when=(
            "when it only repeats that the caller wants Total",
            "when it asks whether the caller has Total",
        ),
        line="Oh, I have it already? Then that's all, thank you. Bye.",
        cues=Cues(
            like=("You already have Kestrel Total, so there is nothing to upgrade.",),
            all_of=(_HAS_TOTAL,),
            none_of=(_OFFERING, r"\b(?:are you|do you|if you)\b"),
            threshold=0.75,
        ),
        order=5,
        ends_call=True,
        tests=(
            CueTest(
                "Thank you, you're verified. Your account is on Kestrel Total, our highest "
                "tier, which renews on May 6, 2027.",
                True,
            ),
            CueTest("Good news, Pedro, you already have Total. Is there anything else I can do?", True),
            CueTest("I see that you are currently a Kestrel Total member, so no upgrade is needed.", True),
            CueTest("There's nothing to upgrade, you're at the top tier.", True),
            CueTest(
                "I can help you upgrade to Kestrel Total. May I have your full name and phone number?", False
            ),
            CueTest("Are you already on Kestrel Total?", False),
            CueTest("Which membership do you have now?", False),
            CueTest("Kestrel Total costs more than Plus. Would you like to go on?", False),
        ),
    )


def _upgrade_it() -> Rule:
    return Rule(
        id="if-not-yet",
        when="The agent asks whether to go ahead with the upgrade, or whether the caller wants Total",
        not_when=("when it says that the account has Total", "when it asks for identity details"),
        line="Yes, please, if I don't have it yet.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:proceed|go ahead|move forward|continue|go on)\b[^.!]*\?",
                    r"\btotal\b[^.!]*\byou'd like\b|\byou'd like\b[^.!]*\btotal\b",
                    r"\bready (?:to|for)\b[^.!]*\b(?:total|upgrade|move up)\b",
                    r"\btotal\b[^.!]*\b(?:you want|you're after)\b",
                    r"\b(?:i can|i could|i'll|happy to)\b[^.!]*\b(?:upgrade|switch|change|move)\b[^.!]*"
                    r"\b(?:if|once|okay|yes)\b",
                    r"\b(?:shall|should|may|can|could|want me to|like me to)\b[^.!]*\b(?:switch|move|put"
                    r"|sign|bump|change|add)"
                    r"\b[^.!]*\b(?:you|it|total)\b",
                    r"\b(?:would you like|do you want|did you want|you wanting|want to|you'd like"
                    r"|you would like|you "
                    r"want)\b[^.!]*\b(?:upgrade|total|move)\b",
                    r"\b(?:shall|should|may|can|could|want me to|like me to)\b[^.!]*\b(?:go "
                    r"ahead|proceed|upgrade|make the change|charge)\b[^.!]*\?",
                    r"\b(?:charge|cost|price|pay)\b[^.!]*\b(?:ok|okay|alright|right|correct"
                    r"|fine)\b[^.!]*\?",
                ),
            ),
            none_of=(
                rf"^(?!.*\byou(?:'d| would) like\b).*(?:{_HAS_TOTAL})",
                ASKS_NAME,
                ASKS_PHONE,
                ASKS_ZIP,
                ASKS_CARD,
                r"\b(?:keep|cancel)\b",
                r"\b(?:verif\w+|pull up|look up)\b",
            ),
        ),
        order=50,
        tests=(
            CueTest("Would you like to upgrade to Kestrel Total?", True),
            CueTest("The charge would be $112.50. Shall I go ahead?", True),
            CueTest("So you want to move up to Total, is that right?", True),
            CueTest("A change to Kestrel Total, sure, I can look into that.", False),
            CueTest("Your account is already on Kestrel Total.", False),
            CueTest("May I have your full name and the phone number on the account?", False),
            CueTest("I have the number 941-555-0135. Is that right?", False, ("said:name-and-phone",)),
            CueTest("One moment while I look that up.", False),
        ),
    )


def _which_tier() -> Rule:
    return Rule(
        id="which-now",
        when="The agent asks which membership the caller has now",
        not_when=("when it tells which one it is",),
        line="I'm not sure what I have now. I want Kestrel Total.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what)\b[^.?!]*\b(?:membership|"
                    r"tier|plan|level)\b[^.!]*\b(?:have|on|now|currently|currently have)\b",
                    r"\b(?:your|the) (?:current|present) (?:membership|plan|tier|level)\b[^.!]*\?"
                    r"|\bwhat(?:'s| is) your (?:\w+ )?"
                    r"(?:membership|plan|tier|level)\b",
                    r"\bwhat (?:have you got|do you have|are you on|have you)\b",
                    r"\byou(?:'re| are) on (?:kestrel )?plus\b[^.!]*\?|\bis (?:it|that|yours) (?:kestrel "
                    r")?plus\b",
                    r"\b(?:are you|do you)\b[^.!]*\b(?:already|currently|a member|members?|plus|total)\b",
                ),
            ),
            none_of=(ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD, HOLD, r"\bwant\b"),
        ),
        order=48,
        tests=(
            CueTest("Which membership do you have now?", True),
            CueTest("Are you already a Kestrel Plus member?", True),
            CueTest("What plan are you currently on?", True),
            CueTest("Your plan is Kestrel Total, the highest tier.", False),
            CueTest("What's the ZIP code on the order?", False),
            CueTest("Would you like to upgrade to Kestrel Total?", False),
        ),
    )
