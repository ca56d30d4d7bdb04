"""Callers who book an evaluation with a lawyer: C5-*."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Topic
from offhook_industries.common.cues import ASKS_WHEN, DAY, GO_AHEAD, HOLD, TIME, any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.legal.tasks._client import Client, build, traits_of
from offhook_industries.legal.tasks._cues import ASKING
from offhook_industries.legal.tasks._done import RECORDED_TOPIC, done
from offhook_industries.legal.tasks._facts import (
    checked,
    kind,
    matter_rules,
    not_represented,
    where,
    who_rule,
)
from offhook_industries.legal.tasks._keys import admission, booking, intake, look_up, screening
from offhook_industries.legal.tasks._refusals import no_note, no_packet, no_person, no_records
from offhook_industries.legal.tasks._told import (
    ANYTHING_MORE,
    BOOKED_IT,
    FREE_OF_CHARGE,
    NOT_YET,
    OFFERS_EVALUATION,
    OFFERS_SLOTS,
    RECORDED,
)

__all__ = ["tasks"]

_WAIT: Final = "One moment while I check that."
_WHO: Final = "May I have your full name, and a number to call you back on?"
_OFFER: Final = (
    "I can offer you Tuesday, August 18, at 2:00 PM, or Wednesday, August 19, at 10:00 AM. Which one?"
)
_READ: Final = (
    "That's Tuesday, August 18, at 2:00 PM. The evaluation is free. Shall I book it on these terms?"
)
_BOOKED: Final = Topic("booked", Cues(all_of=(BOOKED_IT,), none_of=(NOT_YET,)))
_LICENSED: Final = Topic("licensed", Cues(all_of=(r"\b(?:licen[cs]\w*|admitted|bar)\b", r"\btexas\b")))
_TERMS: Final = r"\b(?:free|no (?:charge|cost|fee)|costs? nothing|1 7 5|175|terms|fee|contingency)\b"
_READ_BACK: Final = any_of(
    both(DAY, TIME, _TERMS),
    both(DAY, r"\b(?:book|booked|confirm|reserve|schedule|go ahead|proceed|terms|hold|held)\b"),
    both(_TERMS, any_of(GO_AHEAD, r"\b(?:right|correct|okay|ok)\b")),
)
_WANTS_YES: Final = any_of(
    GO_AHEAD,
    r"\?",
    r"\b(?:is (?:it|that) a yes|your yes|say the word|good to (?:go|book)|all good)\b",
)
# A time that is kept for the caller is none to choose.
_HELD: Final = (
    r"\b(?:on hold|(?:put|placed|got) a hold|i'm (?:now )?(?:holding|reserving|keeping)|(?:is|'s|being"
    r"|been) (?:held|reserved|kept))\b"
)
# An appointment that has no time yet.
_SETS_UP: Final = r"\b(?:set (?:one|something|a time) up|look for|(?:find|get) (?:you )?(?:a|an|one|some)\b)"
_CHOOSING: Final = any_of(
    r"\bwhich (?:one|time|would|of|day)\b",
    r"\bor (?:on )?(?:monday|tuesday|wednesday|thursday|friday)\b",
    r"\b(?:earliest|soonest|first|next) (?:available |open )?(?:opening|slot|time|one|appointment|is)\b",
    r"\b(?:i can offer|i have|we have|there(?:'s| is)) (?:you )?(?:an? |the )?(?:opening|slot|spot|time)s?\b",
)
_GIVES: Final = any_of(
    r"\b(?:how|what)(?: about|'s) |\bhow would\b[^.?!]{0,40}\b(?:be|suit|work|sound)\b",
    r"\b(?:could|can) (?:see|meet|offer|do|fit|give)\b",
    r"\bi see\b|\bwill that do\b|\bwe(?:'ve| have) got\b",
)
_CONDUCT: Final = (
    "Give name and number, the other side, the kind of matter and the state as soon as you are asked.",
    "Take the first time that is offered. Say yes once day, time and fee have been read back.",
    "Book nothing else, have nothing sent, and hang up when it is booked.",
)


def tasks(pack: str) -> tuple[Task, ...]:
    return (_first_offered(pack), _contingency(pack), _hourly(pack), _malpractice(pack), _premises(pack))


def _rules(who: Client, *, wants: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
    """``wants`` is how the caller asks for the evaluation once there is nothing else to do, ``known`` what
    they must have heard before they agree.
    """
    return (
        done(("heard:booked",), "No, that was all. Thank you, goodbye."),
        _agree(known),
        _first(),
        *(matter_rules(who) if who.against else _on_file(who)),
        _any_time(),
        _wants(wants),
        no_person(),
        no_packet(),
        no_note(),
        no_records(),
    )


def _on_file(who: Client) -> tuple[Rule, ...]:
    """Of a caller who was screened before: whom it is against was told then."""
    return (
        who_rule(who),
        not_represented(),
        checked(
            "Your colleague did all those checks with me last week. I'd only like to book the evaluation."
        ),
        kind(who),
        where(who),
    )


def _agree(known: tuple[str, ...]) -> Rule:
    return Rule(
        id="agree",
        when="The agent reads one time back, with the fee or its terms, and asks whether to book it",
        not_when=("when it only offers times to choose from",),
        line="Yes, please book it. Those terms are fine with me.",
        cues=Cues(
            all_of=(_READ_BACK, _WANTS_YES),
            none_of=(_CHOOSING, _SETS_UP),
        ),
        unless=("heard:booked",),
        order=10,
        tests=(
            *fires(
                _READ,
                "So that's Tuesday the 18th of August at 2 PM with Daniel Okonkwo, free of charge. Do you "
                "want me to "
                "go ahead?",
                "The consultation is $175 for 45 minutes on Tuesday at 4. Is that okay with you?",
                given=known,
            ),
            *silent(_OFFER, _WHO, _WAIT, given=known),
        ),
    )


def _first() -> Rule:
    return Rule(
        id="first",
        when="The agent offers one or more times to choose from",
        line="I'll take the first one, please.",
        cues=Cues(
            all_of=(
                any_of(
                    OFFERS_SLOTS,
                    _GIVES,
                ),
                DAY,
                any_of(TIME, r"\bor\b", r"\?"),
            ),
            none_of=(
                r"\b(?:deadline|filed|filing|happen\w*|accident|crash|surgery|fall|fell|correct|until)\b",
                ASKING,
                BOOKED_IT,
                r"\bshall i (?:book|go ahead|confirm)\b",
                r"\bterms\b",
                _HELD,
            ),
        ),
        unless=("heard:booked",),
        order=12,
        tests=(
            *fires(
                _OFFER,
                "I have Tuesday at 2 PM or Wednesday at 10 AM open. Which works better for you?",
                "The earliest opening is Tuesday, August 18th at 2 PM. Would that work?",
            ),
            *silent(_WHO, _WAIT, _READ),
        ),
    )


def _any_time() -> Rule:
    return Rule(
        id="any-time",
        when="The agent asks which day or time would suit, without naming one",
        line="Any day is fine. I'll take the first time you have.",
        cues=Cues(
            all_of=(
                any_of(
                    ASKS_WHEN,
                    r"\bmornings?\b[^.?!]{0,30}\bor\b[^.?!]{0,25}\bafternoons?\b",
                    r"\b(?:which|what) (?:day|time|part of the week)(?:'s| is)? (?:good|best|better|free"
                    r"|suits)\b",
                    r"\bwhen (?:were|are|would|will) you (?:be )?(?:hoping|looking|thinking|wanting|planning"
                    r"|free|able|like)\b",
                    r"\b(?:day|date|time)s?\b[^.?!]{0,15}\b(?:thinking|hoping|looking|better|good for you)\b",
                    r"\b(?:day|date|time)s?\b[^.?!]{0,12}\bin mind\b",
                    r"\b(?:week)?day (?:that )?(?:suits|works|fits|would|do you|you'd)\b",
                ),
            ),
            none_of=(DAY, HOLD, r"\b(?:happen|date of|call you|surgery|fall|fell|crash|accident|hurt|filed)"),
        ),
        unless=("heard:booked",),
        order=35,
        tests=(
            *fires(
                "What day would work best for you?",
                "Do you have a preferred time?",
                "When would you like to come in?",
            ),
            *silent(_WHO, "On what date did it happen?", _WAIT),
        ),
    )


def _wants(line: str) -> Rule:
    return Rule(
        id="wants",
        when="The agent offers an evaluation, or asks what else it can do, before anything is booked",
        line=line,
        cues=Cues(
            all_of=(any_of(OFFERS_EVALUATION, ANYTHING_MORE, RECORDED),),
            none_of=(
                ASKING,
                r"\b(?:against|state|date|terms)\b",
                r"\b(?:checks?|screening|deadline)\b",
                r"\b(?:on hold|hold on|held|holding)\b",
                FREE_OF_CHARGE,
            ),
        ),
        unless=("heard:booked",),
        order=36,
        tests=(
            *fires(
                "Would you like to book an evaluation with a lawyer?",
                "Is there anything else I can help you with?",
                "Shall I set up a consultation for you?",
            ),
            *silent(_WHO, _WAIT, "In which state did it happen?"),
        ),
    )


def _booked(
    pack: str,
    task_id: str,
    title: str,
    structure: tuple[int, int, int],
    who: Client,
    opening: str,
    expected: tuple[ExpectedCall, ...],
    *,
    wants: str = "Yes, I'd like to book the evaluation.",
    more: tuple[Rule, ...] = (),
    known: tuple[str, ...] = (),
    topics: tuple[Topic, ...] = (),
) -> Task:
    return build(
        pack,
        task_id,
        title,
        structure,
        Intent(
            opening=opening,
            conduct=_CONDUCT,
            closing="No, that was all. Thank you, goodbye.",
            satisfied=("said:agree", "heard:booked"),
        ),
        traits_of(who),
        (*more, *_rules(who, wants=wants, known=known)),
        expected,
        topics=(_BOOKED, *topics),
    )


def _first_offered(pack: str) -> Task:
    who = Client(
        "Monica Reyes",
        "404-555-0188",
        matter="auto_accident",
        kind="It's the car accident you have on file.",
        state="Georgia",
    )
    return _booked(
        pack,
        "C5-E1",
        "Books first offered evaluation slot",
        (4, 4, 3),
        who,
        "Hello, you checked my car accident last week. I'd like to book the evaluation with a lawyer now.",
        (look_up(who), *booking(who, "EV-2101")),
    )


def _contingency(pack: str) -> Task:
    who = Client(
        "Dennis Barlow",
        "980-555-0155",
        against="Brian Benton",
        matter="auto_accident",
        kind="It's a car accident.",
        state="North Carolina",
    )
    return _booked(
        pack,
        "C5-M1",
        "Contingency fee hold and confirm",
        (7, 9, 4),
        who,
        "Hi, I was in a car accident. What does it cost to talk to one of your lawyers, and can I book that?",
        (look_up(who, named=True), *admission(who), *booking(who, "EV-2102")),
    )


def _hourly(pack: str) -> Task:
    who = Client(
        "Laura Winslow",
        "360-555-0142",
        against="Evergreen Home Warranty",
        matter="consumer",
        kind="It's a consumer matter, a home warranty that won't pay.",
        state="Washington",
    )
    return _booked(
        pack,
        "C5-M3",
        "Hourly consumer consultation",
        (7, 9, 3),
        who,
        "Hello, I have trouble with a home warranty company and I'd like a consultation with a lawyer.",
        (look_up(who, named=True), *admission(who), *booking(who, "EV-2103")),
    )


def _malpractice(pack: str) -> Task:
    who = Client(
        "Harold Quinn",
        "727-555-0171",
        against="Bayside Clinic",
        matter="medical_malpractice",
        kind="It's medical malpractice.",
        state="Florida",
        day="2025-04-22",
        on_day="The surgery was on April 22, 2025.",
        story="They operated on the wrong knee.",
    )
    return _booked(
        pack,
        "C5-H1",
        "Medical malpractice booked in Florida",
        (9, 15, 4),
        who,
        "Good morning, a surgeon made a bad mistake on me. I'd like to give you my account and then see a "
        "lawyer.",
        (look_up(who), *screening(who), intake(who), *booking(who, "EV-2104")),
        wants="Yes, I'd like to book an evaluation with a lawyer now.",
        topics=(RECORDED_TOPIC,),
    )


def _premises(pack: str) -> Task:
    who = Client(
        "Natalie Brooks",
        "713-555-0128",
        against="Lone Star Cinemas",
        matter="premises_liability",
        kind="I fell on a broken stair rail in a theater.",
        state="Texas",
        day="2026-01-17",
        on_day="It was on January 17, 2026.",
        story="A stair rail came loose and I fell down the steps.",
    )
    licensed = Rule(
        id="licensed",
        when="The agent reads one time back and asks whether to book it, and hasn't said whether the "
        "lawyer is "
        "licensed in Texas",
        line="Before I say yes, is that lawyer licensed in Texas?",
        cues=Cues(
            all_of=(_READ_BACK, _WANTS_YES),
            none_of=(_CHOOSING, _SETS_UP),
        ),
        unless=("heard:licensed", "heard:booked"),
        first_n=2,
        order=9,
        tests=(
            *fires(
                _READ,
                "So Tuesday the 18th at 11:30 AM with Teresa Valdez, no charge. Should I go ahead and "
                "book it?",
                "I have you down for Tuesday, August 18 at 11:30, and the evaluation is free. Is that right?",
            ),
            *silent(_OFFER, _WHO, _WAIT),
        ),
    )
    return _booked(
        pack,
        "C5-H4",
        "Premises evaluation booked in Texas",
        (10, 15, 4),
        who,
        "Hi, I got hurt in a movie theater. I'd like to tell you about it and get an evaluation.",
        (look_up(who), *screening(who), intake(who), *booking(who, "EV-2105", about_lawyer=True)),
        wants="Yes, I'd like to book an evaluation with a lawyer now.",
        more=(licensed,),
        known=("heard:licensed",),
        topics=(RECORDED_TOPIC, _LICENSED),
    )
