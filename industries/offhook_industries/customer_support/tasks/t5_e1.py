"""T5-E1: the Price Match Guarantee."""

from __future__ import annotations

from offhook.packs import Cues, CueTest, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ASKS_CARD,
    ASKS_NAME,
    ASKS_PHONE,
    ASKS_ZIP,
    ELSE,
    any_of,
    both,
)
from offhook_industries.customer_support.tasks._declining import no_person_rule

__all__ = ["task"]

_LOWER = any_of(
    r"\b(?:match\w*|guarantee)\b",
    r"\b(?:go|come|drop|lower|bring)\b[^.?!]*\b(?:down|price)\b",
    r"\bit has to be\b|\bmust be\b|\bneeds to be\b|\bdon't count\b|\bdoesn't count\b",
)
_TERMS = any_of(
    r"\b(?:identical|exact same|same (?:brand|item|product|model|new)|in stock)\b",
    r"\b(?:competitors?|rivertide|montrose|bolt depot|other (?:stores?|retailers?))\b",
    r"\b(?:return (?:window|period)|at the time of|when you buy|after (?:you|the) (?:buy|purchase))\b",
    r"\b(?:marketplace|open[ -]?box|clearance|refurbished|auction|coupons?)\b",
)
_EXCLUDED = any_of(
    r"\b(?:marketplace|open[ -]?box|clearance|refurbished|coupons?)\b[^.?!]*\b(?:not|n't|exclud\w+|out"
    r"|never|no)\b",
    r"\b(?:exclud\w+|except|not|no|n't)\b[^.?!]*\b(?:marketplace|open[ -]?box|clearance|refurbished"
    r"|coupons?)\b",
    r"\b(?:qualifying|eligible|participating|approved)\b[^.?!]*\b(?:rivertide|montrose|bolt depot"
    r"|cascade|stores?|retailers?)\b",
    r"\brivertide\b[^.?!]*\b(?:montrose|bolt|larch|cascade)\b",
)
_ITEM = any_of(
    r"\b(?:what|which)\b[^.!]*\b(?:want|like|have|looking)\b[^.!]*\bmatch(?:ed)?\b",
    r"\b(?:certain|particular|specific) (?:item|product|price|store|thing)\b",
    r"\bhow much\b[^.!]*\b(?:they|it|them|sell\w*|ask\w*|charg\w*|cost\w*|for)\b|\bwhat(?:'s| is) their "
    r"price\b",
    r"\b(?:i can|i could|i'd be|happy to|glad to|let me)\b[^.!]*\b(?:run|check|match|quote|put|test)\b[^.!]*"
    r"\b(?:match|one|price|it|that|for you)\b",
    r"\b(?:tell me|if you(?:'ve| have)) (?:what )?(?:you )?(?:found|saw|seen|got)\b",
    r"\bwho(?:'s| is| has)\b[^.!]*\b(?:cheaper|less|lower)\b",
    r"\b(?:which|what)\b[^.!]*\b(?:item|product|store|competitor|retailer|price|model|order|purchase)\b",
    r"\b(?:do you have|is there|have you|did you|are you looking|is this about|is it about)\b[^.!]*"
    r"\b(?:item|product|mind|competitor|price|purchase|something|order)\b",
    r"\b(?:want|like) (?:me|us) to\b[^.!]*\b(?:match|check|quote|look)\b",
    r"\b(?:shall|should|can) i\b[^.!]*\b(?:match|check|quote)\b",
    r"\bwhose (?:price|offer|deal)\b|\bi (?:can|could) (?:check|match|look)\b[^.!]*\b(?:one|price|it"
    r"|item|match)\b",
)
_ACCOUNT = any_of(
    ASKS_NAME,
    ASKS_PHONE,
    ASKS_ZIP,
    ASKS_CARD,
    r"\b(?:do you have|verify|pull up|look up)\b[^.!]*\b(?:account|identity)\b",
)


def task(pack: str) -> Task:
    return Task(
        pack=pack,
        id="T5-E1",
        title="Price Match Guarantee policy",
        category="price match",
        tier=Tier.EASY,
        structure=Structure(tool_calls=1, constrained_args=1, rows_written=0),
        intent=Intent(
            opening="Hello, can you explain how your Price Match Guarantee works?",
            conduct=(
                "You want to know the rules in general. You have no item, no competitor and "
                "no order in mind.",
                "You don't give your name, as no account is needed for that.",
                "When they have told you what is matched and what is not, thank them and hang up.",
            ),
            closing="That's all I wanted to know, thanks. Bye.",
            satisfied=("heard:terms",),
        ),
        traits=(),
        rules=(_explained(), _nothing_particular(), _no_account(), no_person_rule()),
        expected=(ExpectedCall("get_policy", arguments={"topic": "price_match"}),),
        topics=(
            Topic(
                "terms",
                Cues(all_of=(any_of(both(_LOWER, _TERMS), _EXCLUDED),), none_of=(r"\?",)),
            ),
        ),
    )


def _explained() -> Rule:
    return Rule(
        id="explained",
        when="The agent has said what is matched: which competitors or items, when, or what is left out",
        not_when=("when it only asks what the caller wants matched", "when it only says that it will look"),
        line="That answers my question. Thanks, that's all. Bye.",
        cues=Cues(all_of=(any_of(_TERMS, ELSE, r"\bmatch"),)),
        after=("heard:terms",),
        order=5,
        ends_call=True,
        tests=(
            CueTest(
                "We match the lower price of a qualifying competitor on an identical new "
                "item that is in stock there, when you buy or within "
                "the return window. Marketplace sellers, open-box and clearance prices are not matched.",
                True,
            ),
            CueTest(
                "If a competitor has the same model for less, we'll match it within your return period.", True
            ),
            CueTest(
                "The guarantee covers new, identical items in stock at retailers like "
                "Rivertide. Does that help?",
                True,
            ),
            CueTest("Is there anything else I can help you with?", True, ("heard:terms",)),
            CueTest("Sure, I can explain the Price Match Guarantee. One moment.", False),
            CueTest("Which competitor would you like us to match?", False),
            CueTest("Is there anything else I can help you with?", False),
            CueTest("May I have your name and phone number first?", False),
        ),
    )


def _nothing_particular() -> Rule:
    return Rule(
        id="in-general",
        when="The agent asks for the item, the competitor, the price or the order, or offers to "
        "check a match",
        not_when=("when it has explained the rules",),
        line="Nothing in particular. I only want to know the rules.",
        cues=Cues(all_of=(_ITEM,), none_of=(ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD)),
        unless=("heard:terms",),
        order=20,
        tests=(
            CueTest("Which item did you want us to match?", True),
            CueTest("Do you have a particular product in mind?", True),
            CueTest("What's the competitor's price?", True),
            CueTest("Would you like me to check whether a price qualifies for a match?", True),
            CueTest("The Price Match Guarantee, yes, I have the words for that here.", False),
            CueTest("May I have your full name and the phone number on the account?", False),
            CueTest("We match competitors' prices on identical items in stock.", False),
            CueTest("Let me look that up for you.", False),
        ),
    )


def _no_account() -> Rule:
    return Rule(
        id="no-account",
        when="The agent asks for a name, a phone number or other identity details",
        line="You don't need my account for that. I just want to hear the rules.",
        cues=Cues(all_of=(_ACCOUNT,)),
        order=25,
        tests=(
            CueTest("May I have your full name and the phone number on the account?", True),
            CueTest("What's the ZIP code on your order?", True),
            CueTest("Let me verify you first. Who am I speaking with?", True),
            CueTest("Do you have a particular product in mind?", False),
            CueTest("We match competitors' prices on identical items in stock.", False),
            CueTest("One moment, please.", False),
        ),
    )
