"""What callers who want a price matched say, apart from their values."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule
from offhook_industries.customer_support.tasks._cues import (
    GO_AHEAD,
    IDENTITY,
    OFFERS_TEXT,
    any_of,
)
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent

__all__ = ["ASKS_COMPETITOR", "ASKS_PRICE", "check_it_rule", "offer_rules"]

ASKS_COMPETITOR: Final = any_of(
    r"\b(?:store|shop|place|retailer|competitor|site)\b[^.?!]*\b(?:is|was|be|called) (?:which|what|who)\b",
    r"\b(?:and|or) where\W*$|\bwhere,? and\b",
    r"\bwhereabouts\b|\bwhere(?:'d| did| have|'ve)? (?:you |it |them )?(?:come across|spot\w*|see|saw"
    r"|find|found)\b",
    r"^(?:and |so |okay |now )?where (?:are|is|was|were) (?:it|they|that|those|this)\b",
    r"\b(?:need|tell me|give me|know|want) (?:the (?:store|shop|place|retailer)|who(?:'s| has| is)?)\b",
    r"\bwhose (?:offer|price|deal|website|shop|store)\b",
    r"\bwho (?:was|is|were) (?:it|that|the|they)\b[^.!]*\b(?:retailer|store|shop|competitor|sell\w*"
    r"|offer\w*|less|cheaper"
    r"|company|place)\b",
    r"\bwho (?:has|have|had|got)\b[^.!]*\b(?:it|them|cheaper|less|lower)\b",
    r"\bwho(?:'s| is| was| are) (?:\w+ )?(?:offering|charging|selling|asking|got)\b",
    r"\b(?:tell|give) me the (?:other )?(?:shop|store|retailer|place)\b",
    r"\b(?:the|their) (?:store|shop|retailer|competitor)(?:'s name)? (?:and|plus)\b",
    r"\bwhere(?:'s| is) (?:the |that |it )?(?:better|lower|cheaper|price|deal|offer|this)\b",
    r"\b(?:which|what) (?:\w+ ){0,2}(?:store|retailer|competitor|shop|website|site|company|seller"
    r"|merchant|place)\b",
    r"\bwho(?:'s| is| has| sells| else)\b[^.!]*\b(?:selling|sells?|competitor|offer\w*|it|price)\b",
    r"\bwhere (?:did|do|is|are|have|was)\b[^.!]*\b(?:see|saw|find|found|seen|price|it|selling|sold"
    r"|cheaper|lower)\b",
    r"\b(?:name of the|competitor(?:'s)? name|competing)\b[^.!]*\b(?:store|competitor|retailer|shop"
    r"|name)?\b",
)
ASKS_PRICE: Final = any_of(
    r"\b(?:have|has|got|sell\w*|list\w*|offer\w*) (?:it|them|those|that) (?:at|for)\W*$",
    r"\b(?:asking|charging|wanting|selling (?:it|them) for)(?: you)? (?:what|how much)\b",
    r"\b(?:need|know|want|give me|tell me|and|take) the (?:price|cost|figure|amount)\b",
    r"\bwhat (?:they|he|she|\w+ depot|\w+) (?:want|wants|ask|asks|asking|charge|charges) (?:for|of)?\b",
    r"\b(?:for )?what kind of (?:money|price)\b|\bwhat (?:do|does) \w+(?: \w+)? want\b",
    r"\bwhat (?:it|they|that|this) (?:costs?|charges?|asks?|is|goes for|are asking|list|was|sells?)\b",
    r"\bwhat (?:were|are|was|is) (?:they|it)\b[^.!]*\b(?:asking|charging|going for|listed|selling)\b",
    r"\bthe (?:amount|price|figure|sum) (?:they|it|that|you|there)\b",
    r"\b(?:for|at) (?:how much|what price|which price)\b",
    r"\b\w+(?: \w+)?'s price is\b|\band the price\b|\bwhat (?:does|do) (?:\w+ ){1,3}(?:want|charge|ask"
    r"|take)\b",
    r"\bwhat(?:'s| is| was)? [\w' ]{0,25}\bprice\b",
    r"\bwhat (?:is|are|does|do|did|was) (?:\w+ ){1,2}(?:charging|charge|asking|ask|selling|sell|want\w*)\b",
    r"\b(?:which|what)(?:'s| is| was)? (?:\w+ ){0,3}(?:price|cost|amount)\b",
    r"\bhow much\b",
    r"\bwhat (?:do|did) they have (?:it|that|the \w+)\b",
    r"\btheir price(?: is)?\b",
    r"\bwhat (?:do|are|does|did|is|are) (?:they|it|you|the \w+)(?: \w+)? (?:charging|charge|asking|ask"
    r"|selling|sell|"
    r"listed|list|going for|cost|see|found|find)\b",
    r"\b(?:their|competitor's|competing|other|advertised|listed|exact) price\b",
    r"\bprice (?:they|you (?:saw|found)|there|listed|advertised)\b",
)
_SAME: Final = any_of(
    r"\b(?:same|identical|exact)\b[^.!]*\W*$(?<!match)(?<=\?)|\b(?:very|exact|exactly the) same\b",
    r"\b(?:used|refurb\w*|second[- ]hand|open[- ]box)\b[^.!]*\b(?:is it|are they|isn't it|they've got it "
    r"new)\W*$",
    r"\b(?:selling it|sold by|seller)\b[^.!]*\bor\b[^.!]*\b(?:somebody|someone|their|third|marketplace)\b",
    r"\b(?:same|identical|exact)\b[^.!]*\?",
    r"\b(?:same|identical|exact)\b[^.!]*\b(?:model|item|one|product|color|colour|brand|version)\b",
    r"\bin stock\b",
    r"\b(?:brand )?new\b[^.!]*\b(?:or|condition)\b",
    r"\b(?:is|are) (?:theirs|it|that one)\b[^.!]*\b(?:new|used|refurb\w*|open[- ]box)\b",
    r"\b(?:theirs|that one|the other one|it|they|one)\b[^.!]*\b(?:brand )?new\b[^.!]*\?|\bbrand new\W*\?",
    r"\bon the shel(?:f|ves)\b|\b(?:have|got|keep) it (?:in stock|available|there|on hand)\b|\bavailable "
    r"(?:there|right now)\b",
    r"\b(?:open[- ]box|refurbished|used|clearance|coupon|third[- ]party|marketplace)\b[^.!]*\?",
    r"\b(?:website|online|in[- ]store|in their store)\b[^.!]*\bor\b",
    r"\bsold (?:by|directly)\b",
)


def offer_rules(item: str, competitor: str, price: str) -> tuple[Rule, ...]:
    """Where the caller saw the item, for how much, and whether it is the same. ``price`` with its sign."""
    return (
        _offer(item, competitor, price),
        _competitor(competitor),
        _price(competitor, price),
        _same(competitor),
    )


def _offer(item: str, competitor: str, price: str) -> Rule:
    return Rule(
        id="the-offer",
        when=f"The agent asks both where the caller saw the {item} cheaper and for what price",
        not_when=("when it asks who is calling, or for a proof", "when it reads them back"),
        line=f"At {competitor}, for {price}.",
        cues=Cues(
            all_of=(ASKS_COMPETITOR, ASKS_PRICE), none_of=(*IDENTITY, r"\bmatch (?:only|competitors)\b")
        ),
        order=20,
        tests=(
            *fires(
                "Which store has it for less, and what's their price?",
                "Where did you see it, and how much are they charging?",
                "Can you tell me which competitor it is and the price you saw?",
            ),
            *silent(*ROUTINE, "Which store was it?", "What's the price there?"),
        ),
    )


def _competitor(competitor: str) -> Rule:
    return Rule(
        id="competitor",
        when="The agent asks which store or competitor has the lower price, and not for the price",
        not_when=("when it asks who is calling, or for a proof", "when it reads it back"),
        line=f"It's at {competitor}.",
        cues=Cues(all_of=(ASKS_COMPETITOR,), none_of=(*IDENTITY, r"\bright\?|\bcorrect\?")),
        order=22,
        tests=(
            *fires(
                "Which store was it?",
                "Where did you see the lower price?",
                "Which competitor is selling it?",
            ),
            *silent(
                *ROUTINE,
                "What's the price there?",
                "Which store has it, and how much is it?",
                f"{competitor} is a store we match with.",
            ),
        ),
    )


def _price(competitor: str, price: str) -> Rule:
    return Rule(
        id="their-price",
        when="The agent asks what the item costs at the other store, and not which store it is",
        not_when=("when it asks who is calling, or for a proof", "when it reads the price back"),
        line=f"It's {price} there.",
        cues=Cues(
            all_of=(ASKS_PRICE, r"\?|\b(?:what|how much|tell me|need|give me)\b"),
            none_of=(
                *IDENTITY,
                r"\bmatch\b[^.!]*\?$(?<!price\?)",
                r"\b(?:you paid|did you pay|difference)\b",
            ),
        ),
        order=24,
        tests=(
            *fires(
                f"And what's the price at {competitor}?",
                "How much are they asking for it?",
                "What price did you see?",
            ),
            *silent(
                *ROUTINE,
                "Which store was it?",
                "Which store has it, and how much is it?",
                f"{competitor} is on our list, that's good.",
                f"Entering the price from {competitor} now.",
            ),
        ),
    )


def _same(competitor: str) -> Rule:
    return Rule(
        id="the-same",
        when="The agent asks whether it is the same item, new, in stock, sold by the store itself, or "
        "online or in "
        "the store",
        not_when=("when it explains what is matched without asking", "when it asks for store or price"),
        line="Yes, it's exactly the same one, new and in stock.",
        cues=Cues(
            all_of=(_SAME, r"\?|\b(?:is|was|are) (?:it|that|they|this|theirs|the one|the other one)\b"),
            none_of=(
                *IDENTITY,
                ASKS_PRICE,
                r"\b(?:which|what) (?:store|retailer|competitor)\b",
                r"\b(?:not|n't) \w*match",
            ),
        ),
        order=26,
        tests=(
            *fires(
                "Is it the exact same model?",
                f"Is it new and in stock at {competitor}?",
                "Is it sold by the store itself, or by a third-party seller?",
            ),
            *silent(*ROUTINE, "Which store was it?", "We only match identical new items."),
        ),
    )


def check_it_rule(topic: str) -> Rule:
    """``topic`` is what the caller is waiting for."""
    return Rule(
        id="check-it",
        when="The agent asks whether to check the price match, or reads the caller's wish back for a "
        "yes, before it "
        "has said what comes of it",
        not_when=(
            "when it asks for the store, the price, the order, who is calling or a proof",
            "when it names an amount for a yes",
        ),
        line="Yes, please check it.",
        cues=Cues(
            all_of=(
                any_of(
                    GO_AHEAD,
                    r"\bshall we see\b|\b(?:want|like) (?:me|us) to (?:run|see|put|try|check|look)\b",
                    r"\b(?:shall|should|may|would you like|do you want|want me|like me|so|you'd like"
                    r"|you want|you're looking)"
                    r"\b[^.!]*\b(?:check|match\w*|price|look|request|see if|qualif\w+|test)\b[^.!]*(?:\?"
                    r"|right|correct)",
                ),
            ),
            none_of=(
                *IDENTITY,
                ASKS_COMPETITOR,
                OFFERS_TEXT,
                r"\b(?:which|what(?! we can)|how much)\b",
                r"\border number\b",
                r"\bpull up\b",
                r"(?:\$ ?[0-9]|\bdollars?\b)[^?]*\b(?:back|refund\w*|difference)\b",
            ),
        ),
        unless=(f"heard:{topic}",),
        order=28,
        tests=(
            *fires(
                "Would you like me to check whether it qualifies for a match?",
                "So you'd like us to match a lower price, is that right?",
                "Shall I go ahead and check that?",
            ),
            *silent(*ROUTINE, "Which store was it?", "What's the price there?"),
        ),
    )
