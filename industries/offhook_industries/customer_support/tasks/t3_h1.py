"""T3-H1: a bench repair that Kestrel Total pays for."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier
from offhook_industries.customer_support.tasks._cues import (
    ANYTHING,
    HOLD,
    any_of,
    said_day,
)
from offhook_industries.customer_support.tasks._declining import confirm_wish_rule, declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._service import (
    at_a_store_rule,
    book_it_rule,
    booked_topic,
    coverage_call,
    day_and_place_rule,
    near_rule,
    what_day_rule,
    what_happened_rule,
)

__all__ = ["task"]

_DAY = "Monday, August 17, 2026"
_SAID = any_of(said_day("August", 17), r"^(?!.*\b(?:or|but|nothing|not|no|full|taken|only)\b).*\bmonday\b")


def task(pack: str) -> Task:
    who = person("Linda Brooks", "tablet")
    return Task(
        pack=pack,
        id="T3-H1",
        title="Book a Total-covered bench repair",
        category="service",
        tier=Tier.HARD,
        structure=Structure(tool_calls=5, constrained_args=9, rows_written=1),
        intent=Intent(
            opening="Hi, I dropped my tablet and the screen is cracked. I have Total and need it "
            "repaired at a store.",
            conduct=(
                f"You want a bench repair of your tablet on {_DAY}, at a store near home.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "The tablet fell and its screen cracked. It did not get wet.",
                "Take no other day, no visit at home and no remote help.",
                "When the repair is booked, thank them and hang up.",
            ),
            closing="Great, that's all I needed. Bye.",
            satisfied=("heard:booked",),
        ),
        traits=traits_of(who),
        rules=(
            _done(),
            day_and_place_rule(_DAY, who.postal_code),
            near_rule(who.postal_code, _SAID),
            what_day_rule(_DAY, _SAID),
            at_a_store_rule(),
            book_it_rule(_SAID, "Monday, August 17", f"Yes, please book it for {_DAY}."),
            what_happened_rule("I dropped it and the screen is cracked. It didn't get wet.", "tablet"),
            confirm_wish_rule(
                r"\b(?:drop\w*|tablet|repair\w*|screen|crack\w*)\b",
                "Yes, that's right.",
                "So you dropped your tablet and want it repaired, is that right?",
                "You're calling about a cracked screen, correct?",
                "Just to be sure, you want a repair for your tablet?",
                unless=("heard:booked",),
            ),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            coverage_call(who.order_number, "drop_damage"),
            ExpectedCall(
                "book_service_appointment",
                arguments={"service": "bench", "day": "2026-08-17", "postal_code": who.postal_code},
                carry={"order_number": "check_coverage.order_number"},
            ),
        ),
        topics=(booked_topic(),),
    )


def _done() -> Rule:
    return Rule(
        id="done",
        when="The agent has said that the repair is booked, in this turn or before, whatever it asks or "
        "offers after "
        "that",
        not_when=("when it says that it will book it, or asks whether it shall",),
        line="Perfect, thank you. That's all. Bye.",
        cues=Cues(all_of=(ANYTHING,), none_of=(HOLD,)),
        after=("heard:booked",),
        order=4,
        ends_call=True,
        tests=(
            *fires(
                f"You're booked for {_DAY}, between 10 and noon, at our Nashville store.",
                "I've scheduled the repair for August 17. Would you like a text with the details?",
                "Your appointment is confirmed. Total pays for everything.",
                "All set, see you on Monday.",
            ),
            *fires("Anything else?", given=("said:book-it", "heard:booked")),
            *silent(*ROUTINE, "Shall I book it for Monday, August 17?", "Anything else?"),
        ),
    )
