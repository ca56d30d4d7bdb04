"""T2-M1: a Total member's phone has the window of an activatable device."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    IDENTITY,
    any_of,
    said_day,
    said_days,
)
from offhook_industries.customer_support.tasks._declining import confirm_wish_rule, declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._returning import no_return_rule, opened_rule
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_LAST_DAY = any_of(
    r"\b(?:5|five)(?: of (?:them|those|the days|these))? (?:are |is )?(?:left|remain\w*|to go)\b",
    said_day("August", 17),
    said_days(5) + r"[^.?!]*\b(?:left|remain\w*|more|to go)\b",
    r"\b(?:left|remaining|remain|still have|have)\b[^.?!]{0,20}" + said_days(5),
    r"\b(?:next|this coming|on|until|till|through|by|is) monday\b|\bmonday(?:'s| is| would be)\b",
    said_days(5) + r"[^.?!]*\b(?:from (?:now|today)|cut ?off|last day)\b",
)
_RULE = any_of(
    said_days(14),
    r"\b(?:two|2) weeks\b",
    r"\bphones?\b[^.?!]*\b(?:fourteen|14|1 4)\b",
    r"\b(?:stays?|it's|only|just|is) (?:at |on )?(?:fourteen|14|1 4)\b",
)


def task(pack: str) -> Task:
    who = person("Grace Bennett", "phone")
    return Task(
        pack=pack,
        id="T2-M1",
        title="Activatable window as a Total member",
        category="returns",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=4, constrained_args=5, rows_written=0),
        intent=Intent(
            opening="Hi, I have Kestrel Total, so I get sixty days to return my new phone, don't I?",
            conduct=(
                "You believe that Total gives you 60 days on a phone you have just bought.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "If they only tell you the general rule, ask for the last day of your own phone.",
                "Start no return. When you have heard the last day, thank them and hang up.",
            ),
            closing="Then I know. Thanks, bye.",
            satisfied=("heard:last-day",),
        ),
        traits=traits_of(who),
        rules=(
            _told(),
            _exact_day(),
            no_return_rule("last-day"),
            opened_rule("Yes, I've opened it and I'm using it."),
            confirm_wish_rule(
                r"\b(?:return|window|phone|sixty|60|6 0|long)\b",
                "Yes, I want to know how long I have.",
                "So you want to know how long you have to return your new phone, right?",
                "You're asking about the return window for a phone, is that correct?",
                "Just to be sure, you'd like to know whether you have 60 days for your phone?",
                unless=("heard:rule",),
            ),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall("check_return_eligibility", arguments={"order_number": who.order_number}),
        ),
        topics=(
            Topic("last-day", Cues(all_of=(_LAST_DAY,))),
            Topic("rule", Cues(all_of=(_RULE,))),
        ),
    )


def _told() -> Rule:
    return told_rule(
        "the last day on which the phone may be returned (August 17, or that five days are left)",
        "last-day",
        any_of(_LAST_DAY, _RULE),
        "Oh, only fourteen days for a phone. Then I know, thanks. Bye.",
        (
            *fires(
                "Phones have 14 days whatever the membership, so your last day is August 17, 2026.",
                "You can return it until August 17th. Would you like to start a return?",
                "It's fourteen days for phones, and you have 5 days left.",
                "The window closes on the 17th of August.",
            ),
            *fires("Does that help, or is there anything else?", given=("heard:last-day",)),
            *silent(*ROUTINE, "Phones have 14 days.", "Is there anything else?"),
        ),
    )


def _exact_day() -> Rule:
    return Rule(
        id="exact-day",
        when="The agent says that phones have 14 days, or not 60, as a rule, and has not told the last "
        "day of "
        "this phone",
        not_when=("when it asks who is calling, for a proof or for the order in the same turn",),
        line="Could you look mine up, please, and tell me the last day?",
        cues=Cues(
            all_of=(
                any_of(
                    _RULE,
                    r"\b(?:not|n't|regardless|whatever|except|unfortunately|actually)\b[^.?!]*"
                    r"\b(?:60|sixty|phones?|devices?|activat\w+|tier|membership)\b",
                ),
            ),
            none_of=(
                *IDENTITY,
                r"\border number\b",
                r"\bwhich (?:order|phone)\b",
                r"\b(?:don't|do not) (?:see|have)\b",
            ),
        ),
        unless=("heard:last-day",),
        order=45,
        tests=(
            *fires(
                "Actually, phones can only be returned within 14 days, whatever the membership.",
                "It's two weeks for phones and other activatable devices.",
                "I'm afraid the 60 days don't apply to phones, it's fourteen days.",
            ),
            *silent(
                *ROUTINE,
                "Phones have 14 days. Which order is it?",
                "Your last day is August 17, that's 14 days after delivery.",
            ),
        ),
    )
