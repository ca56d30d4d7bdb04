"""T1-E1: what haul-away costs with a delivery."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ACCOUNT,
    ASKS_ORDER,
    IDENTITY,
    any_of,
    money,
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

_FEE = money("49.99")
_OTHER_PRICE = any_of(
    r"\b(?:\w+ty|\w+teen|ten|twelve)(?:[ -]\w+)? (?:dollars|bucks)\b",
    r"\$ ?[0-9]",
    r"\b[0-9]+(?:[. ][0-9]{2})? dollars\b",
    r"\b[0-9](?: [0-9])? 9 9\b",
)
_FREE = (
    r"\b(?:wouldn't|won't|don't|do not|not) (?:have to )?(?:pay|cost|owe)\b|"
    r"\b(?:on the house|won't cost you|costs you nothing|doesn't cost (?:you )?a|on us|free|no "
    r"(?:extra |additional )?(?:charge|cost|fee))\b"
)


def task(pack: str) -> Task:
    return Task(
        pack=pack,
        id="T1-E1",
        title="Haul-away with a delivery",
        category="orders",
        tier=Tier.EASY,
        structure=Structure(tool_calls=1, constrained_args=1, rows_written=0),
        intent=Intent(
            opening="Hi, if you bring me a new fridge, what do you charge to haul away the old one?",
            conduct=(
                "You want the price of haul-away with a delivery. You have not ordered anything yet.",
                "You don't give your name, as no account is needed for a price.",
                "If they name another price, ask again for the haul-away.",
                "When you have heard the price, thank them and hang up.",
            ),
            closing="Good to know. That's all, thanks. Bye.",
            satisfied=("heard:fee",),
        ),
        traits=(),
        rules=(
            _told(),
            _that_price_was_another(),
            _which_fee(),
            _which_appliance(),
            _not_ordering(),
            no_account_rule("I haven't ordered anything yet. I'm only asking for the price.", "the price"),
            confirm_wish_rule(
                r"\b(?:haul|take|taken|taking|old|remov\w+|price|cost|fridge|refrigerator)\b",
                "Yes, that's what I'd like to know.",
                "So you'd like to know what it costs to have the old fridge taken away, right?",
                "You're asking about our haul-away price, is that correct?",
                "Just to be sure, you want to know the cost of removing your old refrigerator?",
            ),
            no_extras_rule(),
            no_person_rule(),
        ),
        expected=(ExpectedCall("get_fee", arguments={"fee": "haul_away"}),),
        topics=(Topic("fee", Cues(all_of=(_FEE,))),),
        forbidden=(not_called("transfer_to_human", "a price needs no person"),),
    )


def _told() -> Rule:
    return told_rule(
        "the price of $49.99 for taking the old appliance away",
        "fee",
        _FEE,
        "Good to know, thank you. That's all. Bye.",
        (
            *fires(
                "Haul-away with a delivery is $49.99.",
                "We take the old appliance away for forty-nine ninety-nine per unit. Anything else?",
                "That would be 49.99, and it's free for Total members.",
                "It's forty nine dollars and ninety nine cents. Would you like to place an order?",
            ),
            *fires("Is there anything else I can help you with?", given=("heard:fee",)),
            *silent(
                *ROUTINE,
                "Installation of an appliance is $79.99.",
                "Is there anything else I can help you with?",
            ),
        ),
    )


def _that_price_was_another() -> Rule:
    return Rule(
        id="that-price",
        when="The agent names a price that is not $49.99, or says that something is free, and has not "
        "told the "
        "haul-away price",
        not_when=("when it asks a question instead of naming a price",),
        line="And what do you charge for taking the old one away on the same trip?",
        cues=Cues(all_of=(any_of(_OTHER_PRICE, _FREE),), none_of=(*IDENTITY, r"\bfeel free\b")),
        unless=("heard:fee",),
        order=20,
        tests=(
            *fires(
                "Installation of an appliance is $79.99.",
                "Delivery is free on appliances.",
                "A recycling pick-up without a purchase costs 129.99 dollars.",
            ),
            *silent(*ROUTINE, "Haul-away is $49.99.", "Feel free to ask me anything."),
        ),
    )


def _which_fee() -> Rule:
    return Rule(
        id="which-fee",
        when="The agent asks which price, fee or service the caller means, for instance haul-away or a "
        "separate "
        "pick-up",
        not_when=("when it asks about the appliance",),
        line="The haul-away, together with a delivery.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what) (?:\w+ ){0,3}(?:price|fee|services?|charge|cost|one)\b",
                    r"\b(?:haul[- ]?away|pick[- ]?up|recycling|removal|installation"
                    r"|delivery)\b[^.!]*\bor\b",
                    r"\b(?:with|along with|without|part of|together with)\b[^.!]*\b(?:delivery"
                    r"|purchase)\b[^.!]*\?",
                    r"\bare you (?:buying|getting|ordering|having)\b|\bwhich (?:one )?(?:did|do|would) you\b",
                    r"\b(?:haul(?:ing|ed)?|tak(?:e|ing)|carry(?:ing)?)\b[^.!]*\bor\b[^.!]*\b(?:fetch"
                    r"|pick\w*|com(?:e|ing)"
                    r"|collect\w*|send\w*|separate\w*|by itself|on its own)\b",
                    r"\b(?:price|fee|charge|haul\w*)\b[^.!]*\b(?:is that|that's) (?:the one|what) you\b",
                    r"\bor\b[^.!]*\b(?:on its own|by itself|separate\w*|own trip)\b[^.!]*(?:\?|$)",
                ),
            ),
            none_of=(*IDENTITY, _FEE, r"\b(?:what|which) (?:kind|type|sort|size|brand)\b"),
        ),
        unless=("heard:fee",),
        order=26,
        tests=(
            *fires(
                "Which price would you like to know?",
                "Do you mean haul-away with a delivery, or a separate recycling pick-up?",
                "Will that be with a delivery of a new appliance?",
                "Sorry, which fee was that?",
            ),
            *silent(*ROUTINE, "What kind of appliance is it?", "Haul-away is $49.99 with a delivery."),
        ),
    )


def _which_appliance() -> Rule:
    return Rule(
        id="which-appliance",
        when="The agent asks what the old or the new appliance is, how many there are, or where and when "
        "it is "
        "to be delivered",
        not_when=("when it asks for an order number, or who is calling",),
        line="It's one ordinary refrigerator, for one. I haven't picked a day.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what)(?:'s| is)?(?: \w+){0,4} (?:appliance|unit|fridge|refrigerator"
                    r"|model|brand|size)\b",
                    r"\b(?:what|which) (?:kind|type|sort)\b",
                    r"\b(?:is|was) (?:that|it|this|the old one|yours)\b[^.!]*\b(?:side by side|freezer"
                    r"|small\w*"
                    r"|big\w*|large\w*|french door|full[- ]size\w*|regular|upright|compact|mini)\b",
                    r"\bpart of town\b|\bwh(?:at|ich) (?:\w+ )?(?:area|city|neighbou?rhood)\b",
                    r"\bhow (?:many|big|large|old)\b|\b(?:one|1) (?:unit|piece|fridge)\b[^.!]*\bor\b",
                    r"\b(?:just|only) the (?:one|single)\b[^.!]*\?|\b(?:fridge|refrigerator)\b[^.!]*, "
                    r"(?:right|correct|yes)\W*$",
                    r"\b(?:is|are|was|will|do|does|did|have|has|when|where|who|how|what|which)\b[^.!]*"
                    r"\b(?:old|new|it|one|unit|fridge|refrigerator|appliance|freezer|home|floor|stairs"
                    r"|deliver\w*)\b[^.!]*\?",
                    r"\b(?:is|are) (?:it|this|that|the old (?:one|unit|fridge)) (?:a |an |the |still "
                    r"|for )?\b[^.!]*\?",
                    r"\b(?:when|where(?:abouts)?|what day|which day|what date)\b[^.!]*\b(?:deliver\w*|live|it"
                    r"|address)\b",
                ),
            ),
            none_of=(*IDENTITY, ASKS_ORDER, ACCOUNT, r"\b(?:price|fee|service|rates?)\b"),
        ),
        unless=("heard:fee",),
        order=48,
        tests=(
            *fires(
                "What kind of appliance is it?",
                "How many units would we be taking away?",
                "When is the new one going to be delivered?",
                "Is the old one a refrigerator or a freezer?",
            ),
            *silent(*ROUTINE, "Which price would you like to know?", "Do you have an order number?"),
        ),
    )


def _not_ordering() -> Rule:
    return Rule(
        id="not-ordering",
        when="The agent offers to take an order, to add haul-away to one, or to set up a delivery",
        not_when=("when it names the price in the same turn",),
        line="No, not today. I only want to know the price.",
        cues=Cues(
            all_of=(
                r"\b(?:would you like|do you want|did you want|you wanting|want to|shall i|shall we"
                r"|should i|should we|happy to|glad to|let's"
                r"|can i|i can|i could|want me to"
                r"|like me to)\b[^.!]*"
                r"\b(?:order(?:ed)?|add|put (?:it|that|this|haul)|schedul\w+|book|set up|arrange|pencil"
                r"|put in|get you|place|buy"
                r"|pick out"
                r"|choose|look at)\b",
            ),
            none_of=(*IDENTITY, _FEE, r"\border number\b|\b(?:plan|protection|membership|plus|total)\b"),
        ),
        order=24,
        tests=(
            *fires(
                "Would you like me to schedule a delivery for you?",
                "Shall I add haul-away to an order?",
                "Do you want to place an order now?",
            ),
            *silent(*ROUTINE, "Haul-away is $49.99. Would you like to add it to an order?"),
        ),
    )
