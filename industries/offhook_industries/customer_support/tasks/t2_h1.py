"""T2-H1: a phone is returned against a restocking fee."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ELSE,
    GOODBYE,
    NOT_YET,
    OUTCOME,
    any_of,
    money,
)
from offhook_industries.customer_support.tasks._declining import confirm_wish_rule, declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._returning import (
    HOW_BACK,
    LABEL,
    STARTED,
    agree_rule,
    fee_first_rule,
    opened_rule,
    return_calls,
    started_topic,
    why_return_rule,
)

__all__ = ["task"]

_FEE, _REFUND = "45.00", "404.99"
_REFUSED = r"\b(?:no label|without a label)\b"


def task(pack: str) -> Task:
    who = person("Rachel Stein", "phone")
    return Task(
        pack=pack,
        id="T2-H1",
        title="Return a phone with the restocking fee",
        category="returns",
        tier=Tier.HARD,
        structure=Structure(tool_calls=7, constrained_args=9, rows_written=3),
        intent=Intent(
            opening="Hi, I'd like to return a phone I bought from you. I've changed my mind about it.",
            conduct=(
                "You want to return a phone. You have opened it, and nothing is wrong with it.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                f"Agree only after they have told you that you get ${_REFUND} back.",
                "You will take it to a store: you want no label.",
                "When the return is started, thank them and hang up.",
            ),
            closing="I'll drop it off at a store. That's all, thanks. Bye.",
            satisfied=("said:agree", "heard:started"),
        ),
        traits=traits_of(who),
        rules=(
            _done(),
            _no_label(),
            agree_rule(_REFUND, _FEE, f"Yes, I understand I get ${_REFUND} back. Please start the return."),
            why_return_rule("Nothing's wrong with it, I just changed my mind."),
            opened_rule("Yes, I opened it."),
            fee_first_rule(_REFUND),
            confirm_wish_rule(
                r"\b(?:return\w*|phone|send)\b",
                "Yes, that's right.",
                "So you'd like to return a phone, is that right?",
                "You're looking to send back a phone you bought, correct?",
                "Just to confirm, you want to return the phone because you changed your mind?",
                unless=("heard:refund",),
            ),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall("get_order", arguments={"order_number": who.order_number}),
            *return_calls(who.order_number, "changed_mind"),
        ),
        topics=(Topic("refund", Cues(all_of=(money(_REFUND),))), started_topic()),
    )


def _no_label() -> Rule:
    return Rule(
        id="no-label",
        when="The agent offers a return label or a way to mail the phone, or asks how the caller wants "
        "to send it "
        "back, before it has said that the return is started",
        not_when=("when it names the refund in the same turn",),
        line="No label, please. I'll take it to a store.",
        cues=Cues(
            all_of=(
                any_of(
                    LABEL,
                    r"\b(?:mail|ship|send) (?:it|the phone) (?:back|in|or)\b",
                    HOW_BACK,
                ),
            ),
            none_of=(money(_REFUND), _REFUSED, STARTED),
        ),
        order=20,
        tests=(
            *fires(
                "Would you like me to e-mail you a return label?",
                "How would you like to return it, by mail or at a store?",
                "Do you want to ship it back with a prepaid label?",
            ),
            *silent(*ROUTINE, f"You get ${_REFUND} back."),
        ),
    )


_REFUSED = r"\b(?:no label|without a label)\b"


def _done() -> Rule:
    agreed = ("heard:refund", "said:agree")
    return Rule(
        id="done",
        when="The caller has agreed to the refund, and the agent says that the return is started, gives "
        "its "
        "number, or asks whether there is anything else, whatever it offers after that",
        not_when=(
            "when it says that it will start it, or asks whether it shall",
            "while it is still working on it",
        ),
        line="Great, I'll drop it off at a store, so no label. That's all, thanks. Bye.",
        cues=Cues(all_of=(any_of(rf"^(?!.*(?:{NOT_YET})).*(?:{STARTED})", OUTCOME, ELSE, GOODBYE),)),
        after=("said:agree",),
        order=4,
        ends_call=True,
        tests=(
            *fires(
                f"Your return is started. The number is RMA-44820471, and ${_REFUND} goes back to your card.",
                "I've set up the return. Would you like a label by e-mail?",
                "All set. Bring the phone to any store. Anything else?",
                "The return has been processed.",
                given=agreed,
            ),
            *silent("One moment while I start that.", "Shall I start it now?", given=agreed),
            *silent("Your return is started.", "Is there anything else?"),
        ),
    )
