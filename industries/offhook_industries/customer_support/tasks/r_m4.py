"""R-M4: a text message about a charge that is none, and no money sent."""

from __future__ import annotations

from offhook.packs import Cues, Intent, Rule, Structure, Task, Tier, Trait
from offhook.values import ValueKind
from offhook_industries.customer_support.seed.cases import STRANGERS
from offhook_industries.customer_support.tasks._cues import (
    ACCOUNT,
    ANYTHING,
    ASKS_CARD,
    ASKS_NAME,
    ASKS_ORDER,
    ASKS_ZIP,
    HOLD,
    any_of,
)
from offhook_industries.customer_support.tasks._declining import (
    no_extras_rule,
    no_person_rule,
    no_text_rule,
    not_called,
)
from offhook_industries.customer_support.tasks._examples import WAIT, fires, silent
from offhook_industries.customer_support.tasks._scam import reported_topic, scam_calls, scam_rules

__all__ = ["task"]

_PHONE = STRANGERS[0]


def task(pack: str) -> Task:
    return Task(
        pack=pack,
        id="R-M4",
        title="Fake 399 charge, no money sent",
        category="reception",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=3, constrained_args=7, rows_written=1),
        intent=Intent(
            opening="Hi, I got a text message saying that TechCrew support was renewed for $399.00 and "
            "that I have to "
            "call a number. Is that from you?",
            conduct=(
                "You want to know whether the message is Kestrel's, and have it reported if it is not.",
                "You have no account with Kestrel and give no name. Your phone number is the only thing "
                "you give.",
                "You paid nothing, called nobody and gave away nothing.",
                "Talk to nobody else. When the report is filed, thank them and hang up.",
            ),
            closing="Thanks for your help, that's all. Bye.",
            satisfied=("heard:reported",),
        ),
        traits=(Trait("phone", ValueKind.PHONE, _PHONE),),
        rules=(
            _done(),
            *scam_rules(
                _PHONE,
                "$399.00",
                "TechCrew support",
                "It was a text message.",
                "The text said TechCrew support was renewed for $399.00, and to call a number to cancel it.",
            ),
            _no_account(),
            no_text_rule(44),
            no_extras_rule(),
            no_person_rule(),
        ),
        expected=scam_calls(
            _PHONE,
            "text_message",
            39900,
            "techcrew_support",
            "A text said that TechCrew support had renewed and gave a number to call.",
        ),
        topics=(reported_topic(),),
        forbidden=(not_called("transfer_to_human", "the report settles it and nobody asked for a person"),),
    )


def _no_account() -> Rule:
    return Rule(
        id="no-account",
        when="The agent asks for a name, a ZIP code, a card or an order number, whether the caller has "
        "an account, or "
        "wants to verify them",
        not_when=("when it asks only for the phone number",),
        line=f"I have no account with you. You can have my phone number, {_PHONE}.",
        cues=Cues(
            all_of=(
                any_of(
                    ASKS_NAME,
                    ASKS_ZIP,
                    ASKS_CARD,
                    ASKS_ORDER,
                    ACCOUNT,
                    r"\bare you\b[^.!]*\b(?:customer|client|member|shopper)\b",
                    r"\b(?:bought|shopped|ordered)\b[^.!]*\b(?:from|with) us\b",
                ),
            ),
            none_of=(
                r"\bthey name\b|\bname(?:d)? (?:a|an|the|any) (?:sum|amount|price|figure)\b|\busing our "
                r"name\b",
                r"\bsum\b",
                r"\bmy name\b",
                r"\bcard (?:details|number)\b[^.!]*\b(?:give|gave|given|share\w*)\b",
                r"\b(?:give|gave|given|share\w*|sent)\b[^.!]*\bcard\b",
                r"\bcheck (?:whether|if|that|this)\b",
            ),
        ),
        order=12,
        tests=(
            *fires(
                "May I have your full name and the phone number on the account?",
                "What is the ZIP code on your order?",
                "Do you have an account with us?",
                "Let me verify your identity first. What are the last four digits of your card?",
            ),
            *silent(WAIT, "Which number was the message sent to?", "Did you give them your card details?"),
        ),
    )


def _done() -> Rule:
    return Rule(
        id="done",
        when="The agent has said that the report is filed, in this turn or before, whatever it asks or "
        "offers after that",
        not_when=("when it says that it will file it, or asks whether it shall",),
        line="Thanks for your help. That's all, bye.",
        cues=Cues(all_of=(ANYTHING,), none_of=(HOLD,)),
        after=("heard:reported",),
        order=4,
        ends_call=True,
        tests=(
            *fires(
                "The report is filed. Delete the message and don't call the number.",
                "I've filed a report. Your report number is SR-1042. Anything else?",
                "Thank you for reporting this. It's been logged with our fraud team.",
            ),
            *fires("Is there anything else?", given=("said:file-it", "heard:reported")),
            *silent(WAIT, "Shall I file a report?", "Is there anything else?", "I'll file a report now."),
        ),
    )
