"""T5-H2: a Marketplace item is not matched, and the caller wants a person."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ELSE,
    IDENTITY,
    OFFERS_PERSON,
    any_of,
)
from offhook_industries.customer_support.tasks._declining import no_extras_rule, no_text_rule
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._person import CONNECTING, thanks_rule, waiting_rule
from offhook_industries.customer_support.tasks._pricing import check_it_rule, offer_rules

__all__ = ["task"]

_MARKETPLACE = any_of(
    r"\b(?:marketplace|copperline|third[- ]party|another seller|independent seller|outside seller)\b",
    r"\b(?:can't|cannot|unable to|not able to|don't|won't)\b[^.?!]{0,30}\bmatch\b",
    r"\b(?:leaves?|left|rules?|shuts?) (?:those|them|that|these|it) out\b|\b(?:excluded|excludes)\b|\bno "
    r"match\b",
    r"\b(?:isn't|aren't|not|doesn't|don't|can't be|cannot be)\b[^.?!]{0,40}\b(?:matched|eligible"
    r"|qualif\w+|matchable)\b",
)


def task(pack: str) -> Task:
    who = person("Diego Morales", "wireless headphones")
    return Task(
        pack=pack,
        id="T5-H2",
        title="Marketplace headphone price match",
        category="price match",
        tier=Tier.HARD,
        structure=Structure(tool_calls=5, constrained_args=5, rows_written=1),
        intent=Intent(
            opening="Hi, I saw my new headphones cheaper elsewhere, and I'd like you to match that price.",
            conduct=(
                "You want the price of your wireless headphones matched. You don't have the order number.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "You saw them at Cascade Direct for $149.99.",
                "When you learn that they can't be matched, ask for a person, and stay with that.",
                "When they say that they are connecting you, say that you'll wait, and wait.",
            ),
            closing="Fine, then that's all. Bye.",
            satisfied=("said:person-please", "said:waiting"),
        ),
        traits=traits_of(who),
        rules=(
            _transfer_me(),
            thanks_rule(("heard:not-matched", "said:person-please")),
            waiting_rule(("said:person-please",)),
            _person_please(),
            _still_a_person(),
            *offer_rules("headphones", "Cascade Direct", "$149.99"),
            check_it_rule("not-matched"),
            *identity_rules(who, number_known=False),
            no_text_rule(),
            no_extras_rule(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall(
                "get_order", carry={"order_number": "get_customer_summary.latest_order.order_number"}
            ),
            ExpectedCall("transfer_to_human", arguments={"reason": "caller_request"}),
        ),
        topics=(
            Topic("not-matched", Cues(all_of=(_MARKETPLACE,), none_of=(r"\?", r"\b(?:if|whether|unless)\b"))),
        ),
    )


def _person_please() -> Rule:
    return Rule(
        id="person-please",
        when="The agent has said that the headphones are a Marketplace item or can't be matched, in this "
        "turn or "
        "before, and the caller has not asked for a person yet",
        not_when=("when it asks who is calling, for a proof, or for store, price or order",),
        line="I don't accept that. I'd like to speak to a person, please.",
        cues=Cues(
            all_of=(any_of(_MARKETPLACE, ELSE, r"\b(?:sorry|afraid|unfortunately)\b", OFFERS_PERSON),),
            none_of=IDENTITY,
        ),
        after=("heard:not-matched",),
        unless=("said:person-please",),
        order=8,
        tests=(
            *fires(
                "I'm sorry, those were sold by a Marketplace seller, and we don't match Marketplace items.",
                "That order came from Copperline Direct, so it isn't eligible for a price match.",
                "Unfortunately we can't match that. Is there anything else?",
            ),
            *fires("Is there anything else I can do for you?", given=("heard:not-matched",)),
            *silent(*ROUTINE, "Which store has them for less?"),
        ),
    )


def _transfer_me() -> Rule:
    asked = ("heard:not-matched", "said:person-please")
    return Rule(
        id="transfer-me",
        when="After the caller asked for a person, the agent asks whether to transfer them, or why they "
        "want one",
        not_when=("when it is already connecting them", "when it offers to help by itself instead"),
        line="Yes, please. I'd simply like a person to look at it.",
        cues=Cues(
            all_of=(
                any_of(
                    OFFERS_PERSON,
                    r"\bconnect you\b",
                    r"\b(?:why|reason|what (?:about|is (?:it|this) about|would you like to (?:discuss"
                    r"|talk)))\b",
                    r"\bwhat (?:should|shall|do|can) i (?:tell|say)\b|\b(?:get|fetch|find) (?:you "
                    r")?(?:someone|somebody|one|a person)\b",
                    r"\bwhat\b[^.!]*\b(?:person|human|somebody|someone)\b[^.!]*\bfor\b|\bhow come\b",
                    r"\bin a few words\b|\bwhat (?:it's|it is|this is) (?:about|regarding)\b",
                ),
                r"\?|^(?:and |so |but )?(?:what|why|how come|shall|should|want|would)\b",
            ),
            none_of=(r"\b(?:instead|myself|try|resolve|anything else)\b",),
        ),
        after=("said:person-please",),
        order=10,
        tests=(
            *fires(
                "Would you like me to transfer you to a representative?",
                "May I ask in a few words why you need a person?",
                "Shall I connect you with someone now?",
                given=asked,
            ),
            *silent(
                "I'm connecting you with a person now.",
                "Could I try to help you myself instead?",
                given=asked,
            ),
            *silent("Would you like me to transfer you to a representative?"),
        ),
    )


def _still_a_person() -> Rule:
    asked = ("heard:not-matched", "said:person-please")
    return Rule(
        id="still-a-person",
        when="After the caller asked for a person, the agent tries to help by itself, repeats that it "
        "can't match the "
        "price, or asks whether there is anything else, instead of connecting them",
        not_when=("when it is connecting the caller", "when it asks whether to transfer, or why"),
        line="No, I want a person. Please put me through.",
        cues=Cues(
            all_of=(
                any_of(
                    _MARKETPLACE,
                    ELSE,
                    r"\b(?:price|answer|rule|decision) (?:\w+ ){0,3}(?:stands|stays|is final|won't change)\b",
                    r"\b(?:isn't|not|nothing) (?:something |anything |that )?(?:that )?i (?:can|could) "
                    r"(?:change|do|alter|move|help|adjust)\b|\bi can't (?:change|do|move|alter|adjust)\b",
                    r"\b(?:instead|myself|try to help|i can help|i could help|return\w*|offer you"
                    r"|resolve)\b",
                ),
            ),
            none_of=(CONNECTING,),
        ),
        after=("said:person-please",),
        unless=("said:waiting",),
        order=25,
        tests=(
            *fires(
                "Could I try to help you myself instead?",
                "As I said, we don't match Marketplace items.",
                "You could return them within the seller's window. Is there anything else?",
                given=asked,
            ),
            *silent(
                "I'm connecting you with a person now.",
                "Would you like me to transfer you to a representative?",
                given=asked,
            ),
            *silent("As I said, we don't match Marketplace items."),
        ),
    )
