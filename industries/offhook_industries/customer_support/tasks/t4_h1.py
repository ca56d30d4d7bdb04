"""T4-H1: cancel Plus after one save offer."""

from __future__ import annotations

from offhook.packs import Intent, Structure, Task, Tier
from offhook_industries.customer_support.tasks._cancelling import (
    cancel_calls,
    cancelling_rules,
    cancelling_topics,
)
from offhook_industries.customer_support.tasks._declining import no_person_rule
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of

__all__ = ["task"]

_REFUND = "14.99"


def task(pack: str) -> Task:
    who = person("Selina Cortez", "speaker")
    return Task(
        pack=pack,
        id="T4-H1",
        title="Cancel Plus after one save offer",
        category="membership",
        tier=Tier.HARD,
        structure=Structure(tool_calls=5, constrained_args=5, rows_written=3),
        intent=Intent(
            opening="Hi, please cancel Kestrel Plus for me, as of today.",
            conduct=(
                "You only want your Kestrel Plus membership cancelled today, on this call.",
                "Give name and phone number, ZIP code and card digits as soon as you are "
                "asked. An identity question gets these facts and nothing else.",
                "Turn down an offer to stay, and whatever else they propose in place of cancelling.",
                f"Agree only after they have told you that you get ${_REFUND} back for six "
                f"unused months and that it ends today.",
                "When it is cancelled, thank them and hang up. Start nothing new.",
            ),
            closing="Thanks, that settles it. Bye.",
            satisfied=("said:agree", "heard:cancelled"),
        ),
        traits=traits_of(who),
        rules=(*cancelling_rules("Plus", _REFUND, "six", "12.49"), *identity_rules(who), no_person_rule()),
        expected=(*gate_calls(who), *cancel_calls()),
        topics=cancelling_topics(_REFUND),
    )
