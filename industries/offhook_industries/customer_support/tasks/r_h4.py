"""R-H4: a scam is reported, then the caller asks how long a phone may be returned."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ANYTHING,
    HOLD,
    IDENTITY,
    any_of,
    said_day,
    said_days,
)
from offhook_industries.customer_support.tasks._declining import (
    no_extras_rule,
    no_person_rule,
    no_text_rule,
    not_called,
)
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._returning import no_return_rule, opened_rule
from offhook_industries.customer_support.tasks._scam import reported_topic, scam_calls, scam_rules
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_LAST_DAY = any_of(
    r"\b(?:2|two)(?: of (?:them|those|the days|these))? (?:are |is )?(?:left|remain\w*|to go)\b",
    said_day("August", 14),
    said_days(2) + r"[^.?!]*\b(?:left|remain\w*|more|to go)\b",
    r"\b(?:left|remaining|remain|still have|have)\b[^.?!]{0,20}" + said_days(2),
    r"\b(?:on|until|till|through|by|this|is) friday\b|\bfriday(?:'s| is| would be)\b",
    r"\b(?:day after tomorrow)\b",
)


def task(pack: str) -> Task:
    who = person("Marcus Reed", "Bellwether phone")
    return Task(
        pack=pack,
        id="R-H4",
        title="Scam report, then the Bellwether return window",
        category="reception",
        tier=Tier.HARD,
        structure=Structure(tool_calls=7, constrained_args=12, rows_written=1),
        intent=Intent(
            opening="Hi, somebody phoned me about a Kestrel Total renewal for $349.99. Was that really you?",
            conduct=(
                "First you want to know whether the call was Kestrel's, and have it reported if it was not.",
                "You paid nothing and gave away nothing. Give your phone number and other details when "
                "asked.",
                "When the report is filed, ask how long you may still return your Bellwether phone.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "Start no return. When you have heard the last day, thank them and hang up.",
            ),
            closing="Thanks for your help, that's all. Bye.",
            satisfied=("heard:reported", "said:one-more", "heard:last-day"),
        ),
        traits=traits_of(who),
        rules=(
            _told(),
            _one_more(),
            *scam_rules(
                who.phone,
                "$349.99",
                "a Kestrel Total renewal",
                "It was a phone call.",
                "The caller said my Kestrel Total renewal for $349.99 was due and that I should call "
                "back to stop it.",
            ),
            _which_window(),
            no_return_rule("last-day"),
            opened_rule("Yes, I've opened it."),
            *identity_rules(who, given=("heard:reported", "said:one-more")),
            no_text_rule(44),
            no_extras_rule(),
            no_person_rule(),
        ),
        expected=(
            *scam_calls(
                who.phone,
                "phone_call",
                34999,
                "total_renewal",
                "A caller said a Kestrel Total renewal was due and asked for a call back.",
            ),
            *gate_calls(who),
            ExpectedCall("check_return_eligibility", arguments={"order_number": who.order_number}),
        ),
        topics=(reported_topic(), Topic("last-day", Cues(all_of=(_LAST_DAY,)))),
        forbidden=(
            not_called("transfer_to_human", "the line settles both requests and nobody asked for a person"),
        ),
    )


def _told() -> Rule:
    asked = ("heard:reported", "said:one-more")
    return told_rule(
        "the last day on which the phone may be returned (August 14, or that two days are left)",
        "last-day",
        _LAST_DAY,
        "August 14, then I have to be quick. Thanks for your help, bye.",
        (
            *fires(
                "You can return it until August 14, 2026, so there are 2 days left.",
                "The last day is Friday, August 14th. Would you like to start a return?",
                "Phones have 14 days. You still have two days left.",
                given=asked,
            ),
            *fires("Is there anything else?", given=(*asked, "heard:last-day")),
            *silent("Phones have 14 days.", "Which phone is it?", given=asked),
            *silent(*ROUTINE),
        ),
        after=("said:one-more",),
    )


def _one_more() -> Rule:
    return Rule(
        id="one-more",
        when="The agent has said that the report is filed, in this turn or before, whatever it asks or "
        "offers after that",
        not_when=(
            "when the caller has asked about the phone already",
            "when it says that it will file the report",
        ),
        line="Thanks. One more thing: how long can I still return the Bellwether phone I bought?",
        cues=Cues(all_of=(ANYTHING,), none_of=(HOLD,)),
        after=("heard:reported",),
        unless=("said:one-more",),
        order=6,
        tests=(
            *fires(
                "The report is filed. Please don't call that number back.",
                "I've filed a report. Your report number is SR-1042. Anything else?",
                "Thank you for reporting this.",
            ),
            *fires("Is there anything else I can do for you?", given=("said:file-it", "heard:reported")),
            *silent(*ROUTINE, "Shall I file a report?"),
        ),
    )


def _which_window() -> Rule:
    asked = ("heard:reported", "said:one-more")
    return Rule(
        id="exact-day",
        when="After the caller asked about the phone, the agent gives only the general rule for phones "
        "or asks whether "
        "that is what they want to know, without the last day",
        not_when=("when it asks who is calling, for a proof or for the order",),
        line="Yes, and I'd like the last day for the phone I bought, please.",
        cues=Cues(
            all_of=(
                any_of(
                    said_days(14),
                    said_days(60),
                    r"\b(?:two|2) weeks\b",
                    r"\b(?:you'd like|you want|so you|you're asking|you would like)\b[^.!]*\b(?:return"
                    r"|phone|long|window)\b",
                ),
            ),
            none_of=(*IDENTITY, r"\border number\b", r"\b(?:which|what)\b", r"\bstart\b"),
        ),
        after=("said:one-more",),
        unless=("heard:last-day",),
        order=30,
        tests=(
            *fires(
                "Phones can be returned within 14 days.",
                "So you'd like to know how long you can return the phone, right?",
                "It's fourteen days for phones, whatever the membership.",
                given=asked,
            ),
            *silent("Which phone is it?", "The last day is August 14.", given=asked),
            *silent("Phones can be returned within 14 days."),
        ),
    )
