"""T1-H2: a late delivery change that is paid for."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ELSE,
    GO_AHEAD,
    GOODBYE,
    HOLD,
    IDENTITY,
    NOT_YET,
    OFFERS_PERSON,
    OFFERS_TEXT,
    OUTCOME,
    any_of,
)
from offhook_industries.customer_support.tasks._declining import declining_rules
from offhook_industries.customer_support.tasks._delivery import FEE, MOVED, cost_first_rule, which_day_rule
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of

__all__ = ["task"]

_DAY = "Thursday, August 20, 2026"


def task(pack: str) -> Task:
    who = person("Denise Walker", "gas range")
    return Task(
        pack=pack,
        id="T1-H2",
        title="Late range delivery change",
        category="orders",
        tier=Tier.HARD,
        structure=Structure(tool_calls=5, constrained_args=6, rows_written=3),
        intent=Intent(
            opening="Hi, you're bringing my gas range tomorrow, but I need it moved to Thursday, August "
            "20, 2026.",
            conduct=(
                "You want the delivery of the gas range moved to August 20. You don't have the order number.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "Agree to the fee of $29.99 once they have named it, not before.",
                "When the delivery is moved, thank them and hang up.",
            ),
            closing="Great, that's all I needed. Bye.",
            satisfied=("said:agree", "heard:moved"),
        ),
        traits=traits_of(who),
        rules=(
            _done(),
            _agree(),
            which_day_rule(_DAY, "Moving it costs $29.99, because it's due tomorrow."),
            cost_first_rule("Thursday, August 20"),
            *identity_rules(who, number_known=False),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall(
                "quote_delivery_change",
                arguments={"new_date": "2026-08-20"},
                carry={"order_number": "get_customer_summary.latest_order.order_number"},
            ),
            ExpectedCall(
                "confirm_delivery_change",
                arguments={"fee_acknowledged": True},
                carry={"quote_token": "quote_delivery_change.quote_token"},
            ),
        ),
        topics=(
            Topic("fee", Cues(all_of=(FEE,))),
            Topic("moved", Cues(all_of=(MOVED,), none_of=(NOT_YET, r"\?"))),
        ),
    )


def _agree() -> Rule:
    return Rule(
        id="agree",
        when="The agent has named the fee of $29.99, in this turn or before, and tells it or asks "
        "whether to move "
        "the delivery",
        not_when=(
            "when it says that the delivery has been moved",
            "when it asks who is calling, or for a proof",
        ),
        line="Yes, that's fine. I'll pay the $29.99, please move it.",
        cues=Cues(
            all_of=(any_of(FEE, GO_AHEAD, r"\b(?:mov|chang|reschedul|shift|push|switch)\w*\b[^.!]*\?"),),
            none_of=(
                *IDENTITY,
                HOLD,
                OFFERS_PERSON,
                OFFERS_TEXT,
                r"\b(?:has been|was|have been|is) (?:now |just )?(?:charged|moved|rescheduled)\b",
            ),
        ),
        after=("heard:fee",),
        order=8,
        tests=(
            *fires(
                "Because it's less than 48 hours away, moving it costs $29.99. Shall I go ahead?",
                "There'd be a late change fee of twenty-nine ninety-nine.",
                "I can move it to August 20, same window, for 29 dollars and 99 cents. Is that okay?",
            ),
            *fires("Would you like me to move it, then?", given=("heard:fee",)),
            *silent(*ROUTINE, "Shall I move it to August 20?"),
            *silent("The delivery has been moved to August 20.", given=("heard:fee", "said:agree")),
        ),
    )


def _done() -> Rule:
    agreed = ("heard:fee", "said:agree")
    return Rule(
        id="done",
        when="The caller has agreed to the fee, and the agent says that the delivery has been moved, or "
        "asks "
        "whether there is anything else",
        not_when=(
            "when it says that it will move it, or asks whether it shall",
            "while it is still working on it",
        ),
        line="Great, thank you. That's all. Bye.",
        cues=Cues(
            all_of=(
                any_of(
                    rf"^(?!.*(?:{NOT_YET})).*(?:{MOVED})",
                    r"\bwill now (?:be|come|arrive)\b",
                    OUTCOME,
                    ELSE,
                    GOODBYE,
                ),
            )
        ),
        after=("said:agree",),
        order=4,
        ends_call=True,
        tests=(
            *fires(
                "Done. Your range is now coming on Thursday, August 20, between 8 and noon. It has been "
                "moved.",
                "I've moved the delivery to August 20, and $29.99 was charged to your card.",
                "You're all set for August 20. Anything else?",
                "Your delivery has been rescheduled.",
                given=agreed,
            ),
            *silent("One moment while I move that for you.", "Shall I move it now?", given=agreed),
            *silent("I've moved the delivery to August 20.", "Is there anything else?"),
        ),
    )
