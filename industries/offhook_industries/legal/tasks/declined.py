"""Callers whose matter the firm doesn't take, for its kind or its state: C3-E1, C3-M3, C3-M4."""

from __future__ import annotations

from offhook.packs import ExpectedCall, Intent, Rule, Task
from offhook_industries.legal.tasks._client import Client, build, traits_of
from offhook_industries.legal.tasks._facts import matter_rules
from offhook_industries.legal.tasks._keys import admission, conflict, look_up, transfer
from offhook_industries.legal.tasks._refusals import HANDED, handed_over, no_evaluation, no_packet, what_now

__all__ = ["tasks"]

_CONDUCT = (
    "Give what you are asked for, one answer a question.",
    "When you hear that the firm doesn't take it, ask what happens now, and stay until a person takes over.",
    "Book nothing and have nothing sent.",
)


def tasks(pack: str) -> tuple[Task, ...]:
    return (_bankruptcy(pack), _arizona(pack), _immigration(pack))


def _rules(who: Client) -> tuple[Rule, ...]:
    return (handed_over(), what_now(), *matter_rules(who), no_evaluation(), no_packet())


def _bankruptcy(pack: str) -> Task:
    who = Client(
        "Doris Finch",
        "404-555-0174",
        against="Halcyon Bank",
        kind="It's a bankruptcy.",
        state="Georgia",
        day="2026-07-01",
        on_day="I stopped paying on July 1, 2026.",
        story="I can't pay my debts any more.",
    )
    return build(
        pack,
        "C3-E1",
        "Bankruptcy matter declined",
        (2, 1, 1),
        Intent(
            opening="Hi, I want to file for bankruptcy. Do you do that?",
            conduct=_CONDUCT,
            closing="All right, thank you.",
            satisfied=("heard:handed-over",),
        ),
        traits_of(who),
        _rules(who),
        (ExpectedCall("check_practice_area", arguments={"matter_type": "bankruptcy"}), transfer()),
        topics=(HANDED,),
        never=("record_intake", "hold_evaluation"),
    )


def _arizona(pack: str) -> Task:
    who = Client(
        "Curtis Vance",
        "602-555-0183",
        against="Sandra Whitlock",
        matter="auto_accident",
        kind="It's a car accident.",
        state="Arizona",
        day="2026-07-20",
        on_day="It was on July 20, 2026.",
        story="She ran a stop sign and hit the side of my car.",
    )
    return build(
        pack,
        "C3-M3",
        "Auto accident in Arizona",
        (5, 5, 1),
        Intent(
            opening="Good morning, I was in a car accident and I'm looking for a lawyer.",
            conduct=_CONDUCT,
            closing="All right, thank you.",
            satisfied=("heard:handed-over",),
        ),
        traits_of(who),
        _rules(who),
        (look_up(who), *admission(who), transfer()),
        topics=(HANDED,),
        never=("record_intake", "hold_evaluation"),
    )


def _immigration(pack: str) -> Task:
    who = Client(
        "Elena Marsh",
        "404-555-0129",
        against="Union Textiles",
        matter="immigration",
        kind="It's about my visa, an immigration matter.",
        state="Georgia",
        day="2026-06-30",
        on_day="They told me on June 30, 2026.",
        story="They promised to sponsor my visa and then withdrew.",
    )
    return build(
        pack,
        "C3-M4",
        "Immigration matter declined",
        (4, 3, 1),
        Intent(
            opening="Hello, my employer promised to sponsor my visa and then backed out. Can you help me "
            "with that?",
            conduct=_CONDUCT,
            closing="All right, thank you.",
            satisfied=("heard:handed-over",),
        ),
        traits_of(who),
        _rules(who),
        (
            look_up(who),
            conflict(who),
            ExpectedCall("check_practice_area", arguments={"matter_type": "immigration"}),
            transfer(),
        ),
        topics=(HANDED,),
        never=("record_intake", "hold_evaluation"),
    )
