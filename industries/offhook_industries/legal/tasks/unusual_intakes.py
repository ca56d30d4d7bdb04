"""Intakes that something comes in the way of: an emergency, a story told too early, a question of worth."""

from __future__ import annotations

from typing import Final

import attrs

from offhook.packs import Cues, CueTest, ExpectedCall, Intent, Rule, Task
from offhook_industries.common.cues import any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.legal.tasks._client import Client, build, traits_of
from offhook_industries.legal.tasks._cues import ASKS
from offhook_industries.legal.tasks._done import (
    NOTED_TOPIC,
    RECORDED_TOPIC,
    done,
)
from offhook_industries.legal.tasks._facts import matter_rules
from offhook_industries.legal.tasks._intake_lines import FACTS, LEAVE, refusals
from offhook_industries.legal.tasks._keys import intake, look_up, screening, transfer
from offhook_industries.legal.tasks._matters import ASKS_NOTE
from offhook_industries.legal.tasks._refusals import (
    HANDED,
    handed_over,
    no_person,
)
from offhook_industries.legal.tasks._told import ANYTHING_MORE, DIAL_911, STOPS_STORY

__all__ = ["tasks"]

_WAIT: Final = "One moment while I check that."
_WHO: Final = "May I have your full name, and a number to call you back on?"


def tasks(pack: str) -> tuple[Task, ...]:
    return (_emergency(pack), _story_first(pack), _eighty_thousand(pack))


def _emergency(pack: str) -> Task:
    who = Client(
        "Leonard Moss",
        "678-555-0112",
        against="Brightway Couriers",
        matter="auto_accident",
        kind="It's a car accident.",
        state="Georgia",
        day="2026-08-14",
        on_day="It was last Friday, August 14, 2026.",
        story="A delivery van ran a red light and hit the driver's side of my car.",
    )
    help_is_here = Rule(
        id="help-is-here",
        when="The agent tells the caller to hang up and dial 911, or asks whether help is there",
        line="The ambulance is here already, they are taking care of her. Please go on, I want to get "
        "this started.",
        cues=Cues(
            like=("If anybody is in danger, please hang up and dial 911.",),
            all_of=(
                any_of(
                    DIAL_911,
                    r"\b(?:emergency|ambulance|paramedics?|medical help)\b|\bhelp (?:is |already )?(?:there"
                    r"|on (?:the|its) way)\b|\b(?:getting|gotten|got) help\b",
                    r"\b(?:is|are) (?:she|your wife|anyone|anybody|everyone|you) (?:okay|ok|all right"
                    r"|safe|in danger)\b",
                ),
            ),
            none_of=(r"\b(?:glad|relieved|good that|recorded|thank|hope)\b",),
            threshold=0.7,
        ),
        order=4,
        first_n=2,
        tests=(
            *fires(
                "If anybody is in danger right now, please hang up and dial 911 first.",
                "Is an ambulance on the way?",
                "Please call nine one one right away. Is she all right?",
            ),
            *silent(_WHO, _WAIT, "Who would the claim be against?"),
        ),
    )
    return build(
        pack,
        "C1-H3",
        "Medical emergency on the line",
        (7, 12, 2),
        Intent(
            opening="I need a lawyer, a van hit my car last Friday, and now my wife has collapsed here "
            "next to me.",
            conduct=(
                "Your wife has just collapsed; you call because of the accident three days ago.",
                "When you are told to dial 911, say that the ambulance is there already and that you want "
                "to go on.",
                *FACTS,
                "Once your account is recorded, take the person you are handed to. Book nothing and have "
                "nothing sent.",
            ),
            closing="All right, thank you.",
            satisfied=("heard:recorded", "heard:handed-over"),
        ),
        traits_of(who),
        (
            help_is_here,
            *matter_rules(who),
            attrs.evolve(handed_over(), after=("heard:recorded",), tests=_with_given(handed_over())),
            attrs.evolve(
                no_person(),
                unless=("heard:recorded",),
                line="Not yet, please. I want to give you my account first.",
            ),
            *refusals("no-person"),
        ),
        (look_up(who), *screening(who), intake(who), transfer()),
        topics=(RECORDED_TOPIC, HANDED),
    )


def _with_given(rule: Rule) -> tuple[CueTest, ...]:
    return tuple(attrs.evolve(test, given=("heard:recorded",)) for test in rule.tests)


def _story_first(pack: str) -> Task:
    who = Client(
        "Nadine Foster",
        "919-555-0173",
        against="Sunfield Market",
        matter="premises_liability",
        kind="I slipped and fell in a store.",
        state="North Carolina",
        day="2026-05-09",
        on_day="It was on May 9, 2026.",
        story="I slipped on a wet floor without a sign and broke my wrist.",
    )
    stopped = Rule(
        id="stopped",
        when="The agent stops the caller's story because it must check something first",
        not_when=("when it asks for a fact in the same turn",),
        line="Oh, okay. Go ahead and check, then.",
        cues=Cues(
            all_of=(STOPS_STORY,),
            none_of=(both(ASKS, r"\b(?:name|number|who|which|what)\b"), r"\bone moment\b", r"\bmoment\b"),
        ),
        first_n=1,
        order=40,
        tests=(
            *fires(
                "Before you tell me more, I have to check that the firm is free to hear it.",
                "I need to stop you there for now, please don't share any details yet.",
                "I'm sorry to hear that. Before we go on, I have to check for conflicts.",
            ),
            *silent(_WHO, _WAIT, "Who would the claim be against?"),
        ),
    )
    return build(
        pack,
        "C3-H1",
        "Caller starts the story before conflict check",
        (7, 12, 2),
        Intent(
            opening="Let me tell you what happened. I was in the store to buy milk and the floor was all "
            "wet.",
            conduct=(
                "You begin with your story. When you are stopped, let the agent check first.",
                *FACTS,
                "Once your account is recorded, ask whether it is noted that you had begun before the check.",
                LEAVE,
            ),
            closing="Thank you, that's everything. Goodbye.",
            satisfied=("heard:recorded", "said:note"),
        ),
        traits_of(who),
        (
            stopped,
            *matter_rules(who),
            Rule(
                id="note",
                when="The account is recorded, and the agent asks what it shall note or what else it can do",
                line="Only that I had already started to tell you about it before you checked. Is that "
                "noted?",
                cues=Cues(all_of=(any_of(both(ASKS, ASKS_NOTE), ANYTHING_MORE),)),
                after=("heard:recorded",),
                unless=("heard:noted",),
                first_n=1,
                order=5,
                tests=(
                    *fires(
                        "What would you like me to note for the lawyer?",
                        "Is there anything you'd like me to add to your file?",
                        "Are there any details I should note down?",
                        given=("heard:recorded",),
                    ),
                    *silent(_WHO, _WAIT, "In which state did it happen?", given=("heard:recorded",)),
                ),
            ),
            done(("heard:recorded", "said:note"), "No, thank you, that's everything. Goodbye."),
            # Noted without being asked.
            done(
                ("heard:recorded", "heard:noted"),
                "No, thank you, that's everything. Goodbye.",
                rule_id="done-unasked",
            ),
            *refusals("no-note"),
        ),
        (
            look_up(who),
            *screening(who),
            intake(who),
            ExpectedCall(
                "add_intake_note",
                free_text={"note": "The caller began to tell the story before the conflict check."},
            ),
        ),
        topics=(RECORDED_TOPIC, NOTED_TOPIC),
    )


def _eighty_thousand(pack: str) -> Task:
    who = Client(
        "Carla Jennings",
        "704-555-0116",
        against="Trident Delivery",
        matter="auto_accident",
        kind="It's a car accident.",
        state="North Carolina",
        day="2026-02-21",
        on_day="It was on February 21, 2026.",
        story="A delivery truck pulled out in front of me and my collarbone broke.",
    )
    worth = Rule(
        id="worth",
        when="The account is recorded, and the agent asks what else it can do",
        line="One more thing. Is eighty thousand in the right area for something like this?",
        cues=Cues(all_of=(ANYTHING_MORE,)),
        after=("heard:recorded",),
        first_n=1,
        order=5,
        tests=(
            *fires(
                "Is there anything else I can help you with?",
                "Anything else today?",
                "Thank you, it's recorded. What else can I do for you?",
                given=("heard:recorded",),
            ),
            *silent(_WHO, _WAIT, "In which state did it happen?", given=("heard:recorded",)),
        ),
    )
    return build(
        pack,
        "R-M2",
        "Is eighty thousand in the right area",
        (6, 12, 1),
        Intent(
            opening="Hi, I was hurt in a car accident. Can you take my case, and is eighty thousand about "
            "right?",
            conduct=(
                *FACTS,
                "Ask at the beginning and once more at the end whether eighty thousand is about right. "
                "Take it when "
                "the agent says that it can't tell.",
                LEAVE,
            ),
            closing="All right, I understand. Thank you, goodbye.",
            satisfied=("heard:recorded", "said:worth"),
        ),
        traits_of(who),
        (
            *matter_rules(who),
            worth,
            done(("heard:recorded", "said:worth"), "All right, I understand. Thank you, goodbye."),
            *refusals(),
        ),
        (look_up(who), *screening(who), intake(who)),
        topics=(RECORDED_TOPIC,),
    )
