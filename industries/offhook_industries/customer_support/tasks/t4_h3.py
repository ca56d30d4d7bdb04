"""T4-H3: cancel Total after the proration has been read back."""

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

_REFUND = "104.99"


def task(pack: str) -> Task:
    who = person("Robert Svensson", "laptop")
    return Task(
        pack=pack,
        id="T4-H3",
        title="Cancel Total after the proration readback",
        category="membership",
        tier=Tier.HARD,
        structure=Structure(tool_calls=5, constrained_args=5, rows_written=3),
        intent=Intent(
            opening="Hello, please cancel my Kestrel Total membership, but tell me what I get back "
            "before you do.",
            conduct=(
                "You want Kestrel Total cancelled today, and you want to hear the refund first.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "Turn down every offer to stay, and going down to Plus as well.",
                f"Agree only after they have told you that you get ${_REFUND} back for seven unused months.",
                "When it is cancelled, thank them and hang up. Start nothing new.",
            ),
            closing="Thanks, that settles it. Bye.",
            satisfied=("said:agree", "heard:cancelled"),
        ),
        traits=traits_of(who),
        rules=(
            *cancelling_rules("Total", _REFUND, "seven", "119.99"),
            *identity_rules(who),
            no_person_rule(),
        ),
        expected=(*gate_calls(who), *cancel_calls()),
        topics=cancelling_topics(_REFUND),
    )
