"""Callers whose matter the conflict check decides: C2-E1, C2-M1, C2-M4, C2-H4."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Intent, Rule, Task, Topic
from offhook_industries.common.cues import any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.legal.tasks._client import Client, build, traits_of
from offhook_industries.legal.tasks._cues import (
    ASKS,
    ASKS_DATE,
    ASKS_MATTER,
    ASKS_STATE,
    ASKS_STORY,
    TELL,
)
from offhook_industries.legal.tasks._done import done
from offhook_industries.legal.tasks._facts import against, kind, not_represented, where, who_rule
from offhook_industries.legal.tasks._keys import conflict, look_up, transfer
from offhook_industries.legal.tasks._refusals import HANDED, handed_over, no_evaluation, no_person, what_now
from offhook_industries.legal.tasks._remarks import MEASURES, REMARKS
from offhook_industries.legal.tasks._told import CLEAR, NOT_YET, OFFERS_EVALUATION, OFFERS_SLOTS

__all__ = ["tasks"]

_WAIT: Final = "One moment while I check that."
_WHO: Final = "May I have your full name, and a number to call you back on?"
_HIT: Final = ("record_intake", "calculate_filing_deadline", "hold_evaluation", "take_message")


def tasks(pack: str) -> tuple[Task, ...]:
    return (_vertex(pack), _northgate(pack), _consulted(pack), _other_driver(pack))


def _rather_not(line: str) -> Rule:
    """Facts are kept back until the firm knows that it may hear them."""
    return Rule(
        id="rather-not",
        when="The agent asks in which state it happened, when, or what happened",
        not_when=("when it asks who it is against", "when it asks for name or number"),
        line=line,
        cues=Cues(
            all_of=(both(TELL, any_of(ASKS_STATE, ASKS_DATE, ASKS_STORY)),),
            none_of=(
                REMARKS,
                MEASURES,
                r"\bagainst\b",
                r"\bother (?:side|party)\b",
                r"\byour name\b",
                OFFERS_EVALUATION,
            ),
        ),
        order=27,
        tests=(
            *fires(
                "In which state did it happen?",
                "When did this happen?",
                "Can you describe what happened?",
            ),
            *silent(_WHO, _WAIT, "Who would the claim be against?"),
        ),
    )


def _vertex(pack: str) -> Task:
    who = Client("Ivan Tolbert", "404-555-0151", against="Vertex Logistics", kind="It's a car accident.")
    return build(
        pack,
        "C2-E1",
        "Conflict hit, Vertex Logistics",
        (2, 1, 1),
        Intent(
            opening="Hello, one of a company's trucks ran into me. Is that something you could take?",
            conduct=(
                "Say whom it is against when asked. Give name and number if those are wanted.",
                "When you hear that the firm can't take it, ask what happens now, and stay until a person "
                "takes over.",
                "Tell no story and book nothing.",
            ),
            closing="All right, thank you.",
            satisfied=("heard:handed-over",),
        ),
        traits_of(who),
        (
            handed_over(),
            what_now(),
            not_represented(),
            who_rule(who),
            against(who),
            kind(who),
            _rather_not("I'd like to know first whether you can take it at all."),
            no_evaluation("No, nothing yet. I only want to know whether you can take it."),
        ),
        (conflict(who), transfer()),
        topics=(HANDED,),
        never=_HIT,
    )


def _northgate(pack: str) -> Task:
    who = Client(
        "Selma Ridgeway",
        "919-555-0146",
        against="Northgate Insurance",
        kind="It's about an insurance claim of mine.",
    )
    return build(
        pack,
        "C2-M1",
        "Conflict hit, Northgate Insurance",
        (3, 2, 1),
        Intent(
            opening="Hi. An insurer turned down my claim.",
            conduct=(
                "Volunteer no state, no date and no story, and don't ask for a person yourself.",
                "Say that you want them to check first whether they can take it. Don't book anything.",
                "Stay on the line until a person takes over; hearing that they can't take it is not enough.",
            ),
            closing="Okay, thank you.",
            satisfied=("heard:handed-over",),
        ),
        traits_of(who),
        (
            handed_over(),
            what_now(),
            not_represented(),
            who_rule(who),
            against(who, "It's Northgate Insurance."),
            kind(who),
            _rather_not("I'll leave that until you've checked whether you can take it."),
            no_evaluation("No, no appointment. Please just check whether you can take this."),
        ),
        (look_up(who), conflict(who), transfer()),
        topics=(HANDED,),
        never=_HIT,
    )


def _consulted(pack: str) -> Task:
    who = Client(
        "Hazel Novak",
        "512-555-0126",
        against="Bluebonnet Apartments",
        kind="I got hurt where I live, in the stairwell.",
        state="Texas",
    )
    return build(
        pack,
        "C2-M4",
        "Consulted a lawyer but did not hire",
        (2, 2, 0),
        Intent(
            opening="Hi, I got hurt at my apartment building and I only want to know if your firm is free "
            "to take it.",
            conduct=(
                "You spoke with a lawyer once and hired nobody; say so when you are asked.",
                "Give name and number, and whom it is against. You only want to know whether the firm is "
                "free; for "
                "all the rest you will call again.",
            ),
            closing="Good, then I'll call again for the rest. Thank you, goodbye.",
            satisfied=("heard:clear",),
        ),
        traits_of(who),
        (
            done(("heard:clear",), "Good, then I'll call again for the rest. Thank you, goodbye."),
            not_represented("I talked to a lawyer once, but I never hired him."),
            who_rule(who),
            against(who),
            _later(),
            kind(who),
            where(who),
            no_evaluation("Not today, I'll call again for that."),
            no_person(),
        ),
        (look_up(who), conflict(who)),
        topics=(Topic("clear", Cues(all_of=(CLEAR,), none_of=(NOT_YET, r"\bcheck (?:that|whether|if)\b"))),),
        never=("record_intake", "hold_evaluation", "take_message", "transfer_to_human"),
    )


def _later() -> Rule:
    """Once the check is clear, further facts are for another call."""
    given = ("heard:clear",)
    return Rule(
        id="later",
        when="The check is clear and the agent goes on to ask for state, date, kind or story",
        line="I'll call again for all that. I only wanted to know whether you're free. Thanks, goodbye.",
        cues=Cues(
            all_of=(
                both(
                    ASKS,
                    any_of(ASKS_STATE, ASKS_DATE, ASKS_STORY, ASKS_MATTER),
                ),
            ),
            none_of=(
                REMARKS,
                MEASURES,
                r"\banything else\b",
                r"\bagainst\b",
                OFFERS_EVALUATION,
                OFFERS_SLOTS,
            ),
        ),
        after=given,
        order=12,
        ends_call=True,
        tests=(
            *fires(
                "In which state did it happen?",
                "Would you like to tell me what happened?",
                "What kind of matter is it?",
                given=given,
            ),
            *silent(_WAIT, _WHO, "Nothing stands in the way of taking your matter.", given=given),
        ),
    )


def _other_driver(pack: str) -> Task:
    who = Client(
        "Warren Tate",
        "770-555-0148",
        against="Priya Raman",
        kind="It's a car accident.",
    )
    return build(
        pack,
        "C2-H4",
        "Other driver reveals after looking like a new client",
        (2, 2, 1),
        Intent(
            opening="Hello, I was in a car crash and I think I need a lawyer.",
            conduct=(
                "You sound like a new client. When you are asked whom it is against, name Priya Raman and "
                "say that "
                "she has your firm already and is suing you.",
                "Ask nothing about her case. Stay until a person takes over.",
            ),
            closing="All right, thank you.",
            satisfied=("heard:handed-over",),
        ),
        traits_of(who),
        (
            handed_over(),
            what_now(),
            not_represented("No, I don't have one yet."),
            who_rule(who),
            against(
                who, "Priya Raman. She has your firm as her lawyers already, I'm the driver she is suing."
            ),
            kind(who),
            _rather_not(
                "You should know that I'm the other driver. Priya Raman is suing me, with your firm."
            ),
            no_evaluation(),
        ),
        (look_up(who, named=True), transfer()),
        topics=(HANDED,),
        never=("get_case_status", *_HIT),
    )
