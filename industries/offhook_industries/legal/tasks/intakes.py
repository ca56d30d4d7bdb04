"""Callers with a new matter whose account is taken: C3-H4 and C4-*."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Trait
from offhook.values import ValueKind
from offhook_industries.common.cues import both
from offhook_industries.common.examples import fires, silent
from offhook_industries.legal.tasks._client import Client, build, traits_of
from offhook_industries.legal.tasks._cues import ASKS, SEVERAL
from offhook_industries.legal.tasks._done import (
    NOTED_TOPIC,
    PACKET_TOPIC,
    RECORDED_TOPIC,
    RELEASE_TOPIC,
    done,
    wants_note,
    wants_packet,
    wants_records,
)
from offhook_industries.legal.tasks._facts import checked, kind, matter_rules, on_day, story, where, who_rule
from offhook_industries.legal.tasks._intake_lines import FACTS, LEAVE, refusals
from offhook_industries.legal.tasks._keys import intake, look_up, packet, screening
from offhook_industries.legal.tasks._matters import ASKS_PROVIDER
from offhook_industries.legal.tasks._remarks import REMARKS
from offhook_industries.legal.tasks._told import OFFERS_PACKET, OFFERS_RECORDS

__all__ = ["tasks"]

_WAIT: Final = "One moment while I check that."
_WHO: Final = "May I have your full name, and a number to call you back on?"


def tasks(pack: str) -> tuple[Task, ...]:
    return (
        _employment(pack),
        _on_file(pack),
        _witness(pack),
        _by_text(pack),
        _consumer(pack),
        _records(pack),
    )


def _employment(pack: str) -> Task:
    who = Client(
        "Gregory Lund",
        "253-555-0165",
        against="Cascade Robotics",
        matter="employment",
        kind="It's about losing my job, an employment matter.",
        state="Washington",
        day="2026-03-06",
        on_day="They let me go on March 6, 2026.",
        story="I was let go a week after I reported unpaid overtime.",
    )
    return _with_packet(
        pack,
        "C3-H4",
        "Employment in Washington clears screening",
        (7, 13, 2),
        who,
        "Hi, I was fired from my job and I'd like a lawyer to look at it.",
        "Yes, please send me the new client packet by e-mail.",
        "email",
        looked_up=True,
    )


def _by_text(pack: str) -> Task:
    who = Client(
        "Bonnie Archer",
        "727-555-0152",
        against="Sunshine Roofing",
        matter="workers_compensation",
        kind="It's workers' compensation, I got hurt on the job.",
        state="Florida",
        day="2026-05-27",
        on_day="That was on May 27, 2026.",
        story="I fell off a ladder at work and hurt my shoulder.",
    )
    return _with_packet(
        pack,
        "C4-M3",
        "Packet by text message",
        (6, 12, 2),
        who,
        "Hello, I got hurt on the job and I want to start a workers' compensation claim with you.",
        "Yes, could you send me the new client packet by text message?",
        "text",
    )


def _consumer(pack: str) -> Task:
    who = Client(
        "Walter Simms",
        "214-555-0177",
        against="Redstone Motors",
        matter="consumer",
        kind="A dealer cheated me, so it's a consumer matter.",
        state="Texas",
        day="2025-11-14",
        on_day="I bought it on November 14, 2025.",
        story="The dealer sold me a car as accident free and it had been in a wreck.",
    )
    return _with_packet(
        pack,
        "C4-H2",
        "Consumer intake, declines booking",
        (7, 13, 2),
        who,
        "Good morning, I was cheated by a car dealer and I'd like to have that written up with you.",
        "Yes, I'd like the new client packet by regular mail, please.",
        "mail",
        looked_up=True,
        never=("hold_evaluation", "confirm_evaluation"),
    )


def _with_packet(
    pack: str,
    task_id: str,
    title: str,
    structure: tuple[int, int, int],
    who: Client,
    opening: str,
    asks: str,
    channel: str,
    *,
    looked_up: bool = False,
    never: tuple[str, ...] = (),
) -> Task:
    return build(
        pack,
        task_id,
        title,
        structure,
        Intent(
            opening=opening,
            conduct=(
                *FACTS,
                f"Once your account is recorded, ask for the new client packet ({channel}).",
                "Don't book an evaluation. When the packet is sent, hang up.",
            ),
            closing="No, that's all. Thank you, goodbye.",
            satisfied=("heard:recorded", "heard:packet-sent"),
        ),
        traits_of(who),
        (
            *matter_rules(who),
            wants_packet(
                asks, "How shall the new client packet come, by e-mail, by text message or by post?"
            ),
            done(("heard:recorded", "heard:packet-sent"), "No, that's all. Thank you, goodbye."),
            *refusals("no-packet"),
        ),
        (*((look_up(who),) if looked_up else ()), *screening(who), intake(who), packet(channel)),
        topics=(RECORDED_TOPIC, PACKET_TOPIC),
        never=never,
    )


def _on_file(pack: str) -> Task:
    who = Client(
        "Tessa Caldwell",
        "770-555-0119",
        matter="auto_accident",
        kind="It's the car accident you checked last week.",
        state="Georgia",
        day="2026-06-12",
        on_day="It was on June 12, 2026.",
        story="Another car changed lanes into mine on the interstate and I hurt my neck.",
    )
    return build(
        pack,
        "C4-E1",
        "Intake recorded for auto accident",
        (1, 4, 1),
        Intent(
            opening="Hi, I talked to you last Friday about my car accident and all the checks were done. "
            "I'm calling to give my account of it.",
            conduct=(
                "Everything was checked last week. You only want your account taken.",
                "Give name and number, state and date when you are asked, and tell what happened in one "
                "sentence.",
                LEAVE,
            ),
            closing="Good, that was all. Thank you, goodbye.",
            satisfied=("heard:recorded",),
        ),
        traits_of(who),
        (
            who_rule(who),
            checked(
                "Your colleague did all those checks with me last Friday. I only still have to tell what "
                "happened."
            ),
            kind(who),
            where(who),
            on_day(who),
            story(who),
            done(("heard:recorded",), "Good, that was all. Thank you, goodbye."),
            *refusals(),
        ),
        (intake(who),),
        topics=(RECORDED_TOPIC,),
    )


def _witness(pack: str) -> Task:
    who = Client(
        "Raymond Ortiz",
        "832-555-0134",
        against="Metro Freight",
        matter="auto_accident",
        kind="It's a car accident.",
        state="Texas",
        day="2026-04-18",
        on_day="On April 18, 2026.",
        story="A truck hit my car from behind at a stop light and my back has hurt since.",
    )
    seen = "There was a witness, Joan Keller, she owns the shop across the street. Please note that down."
    return build(
        pack,
        "C4-M2",
        "Witness detail captured as note",
        (6, 12, 2),
        Intent(
            opening="Hi, a truck ran into my car and I'd like to open a case with your firm.",
            conduct=(
                *FACTS,
                "Once your account is recorded, have the witness written down.",
                LEAVE,
            ),
            closing="No, that's it. Thanks, goodbye.",
            satisfied=("heard:recorded", "heard:noted"),
        ),
        traits_of(who, Trait("witness", ValueKind.NAME, "Joan Keller")),
        (
            *matter_rules(who),
            wants_note(seen),
            done(("heard:recorded", "heard:noted"), "No, that's it. Thanks, goodbye."),
            *refusals("no-note"),
        ),
        (
            *screening(who),
            intake(who),
            ExpectedCall(
                "add_intake_note",
                arguments={"category": "witness"},
                free_text={"note": "A shop owner, Joan Keller, saw the crash from across the street."},
            ),
        ),
        topics=(RECORDED_TOPIC, NOTED_TOPIC),
    )


def _records(pack: str) -> Task:
    who = Client(
        "Angela Pryor",
        "813-555-0164",
        against="Palmview Surgical Center",
        matter="medical_malpractice",
        kind="It's medical malpractice, an operation that went wrong.",
        state="Florida",
        day="2025-02-11",
        on_day="The operation was on February 11, 2025.",
        story="A sponge was left inside me in an operation and I needed a second one.",
    )
    return build(
        pack,
        "C4-H4",
        "Medical malpractice Florida intake with records",
        (7, 13, 3),
        Intent(
            opening="Hello, something went badly wrong in an operation and I'd like you to take my case.",
            conduct=(
                *FACTS,
                "Once your account is recorded, ask for the packet by e-mail, and when that is sent, have "
                "your "
                "records requested from Saint Anne Hospital.",
                LEAVE,
            ),
            closing="That's everything, thank you. Goodbye.",
            satisfied=("heard:recorded", "heard:packet-sent", "heard:release-sent"),
        ),
        traits_of(who),
        (
            *matter_rules(who),
            wants_records("My records are at Saint Anne Hospital. Please request them."),
            wants_packet(
                "Yes, please send me the new client packet by e-mail.",
                "How shall the new client packet come, by e-mail, by text message or by post?",
            ),
            _records_early(),
            _which_hospital(),
            done(
                ("heard:recorded", "heard:packet-sent", "heard:release-sent"),
                "That's everything, thank you. Goodbye.",
            ),
            *refusals("no-packet", "no-records"),
        ),
        (
            *screening(who),
            intake(who),
            packet("email"),
            ExpectedCall("request_records_authorization", arguments={"provider": "Saint Anne Hospital"}),
        ),
        topics=(RECORDED_TOPIC, PACKET_TOPIC, RELEASE_TOPIC),
    )


def _records_early() -> Rule:
    """Whoever offers the records before the packet is told where they are all the same."""
    recorded = ("heard:recorded",)
    return Rule(
        id="records-early",
        when="The account is recorded, the packet isn't sent, and the agent offers to ask for the records",
        not_when=("when it asks which hospital or practice has them", "when it offers the packet as well"),
        line="Yes, please request them. They are at Saint Anne Hospital.",
        cues=Cues(
            all_of=(OFFERS_RECORDS,),
            none_of=(SEVERAL, ASKS_PROVIDER, OFFERS_PACKET, r"\brecord(?:ed|ing)\b"),
        ),
        after=recorded,
        unless=("heard:packet-sent", "heard:release-sent"),
        order=7,
        tests=(
            *fires(
                "Shall I request your medical records for the lawyer?",
                "Would you like us to ask for your records?",
                "We can send you a release for your medical records, would you like that?",
                given=recorded,
            ),
            *silent(
                _WHO,
                _WAIT,
                "Which hospital has your medical records?",
                "Would you like me to send you the new client packet?",
                given=recorded,
            ),
        ),
    )


def _which_hospital() -> Rule:
    """Asked before the packet came up, too."""
    return Rule(
        id="hospital",
        when="The agent asks which hospital or practice has the records",
        line="Saint Anne Hospital.",
        cues=Cues(
            all_of=(both(ASKS, ASKS_PROVIDER),),
            none_of=(REMARKS, r"\bagainst\b|\bdoctor (?:set|found|saw|told|looked)\b"),
        ),
        unless=("heard:packet-sent",),
        order=21,
        tests=(
            *fires(
                "Which hospital or practice has your medical records?",
                "Where were you treated?",
                "Which doctor or hospital should we get the records from?",
            ),
            *silent(_WHO, _WAIT, "Who would the claim be against?"),
        ),
    )
