"""C2-H2: a mother books her son's next allergy shot."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Trait
from offhook.values import ValueKind
from offhook_industries.common.cues import any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._answers import floor_topic, when_floor_told
from offhook_industries.healthcare.tasks._build import build, identified, office, slots, summary, verified
from offhook_industries.healthcare.tasks._cues import (
    ASKED_BIRTH,
    ASKING_IDENTITY,
    HELD,
    HOURS_SAID,
    OFFERS_TIMES,
    READS_BIRTH,
    STANDING,
)
from offhook_industries.healthcare.tasks._known import known_rules
from offhook_industries.healthcare.tasks._outcomes import booked_topic, when_booked
from offhook_industries.healthcare.tasks._people import patient, traits_of
from offhook_industries.healthcare.tasks._times import any_time, books_it, looks_please, takes_first

__all__ = ["tasks"]

_CALLER: Final = any_of(
    r"\b(?:who|whom) (?:am i|i'm|i am|do i have|is this|is calling|'s calling)\b",
    r"\bwho's (?:calling|this|on the line)\b",
    r"\byour (?:own )?(?:full |first |last )?name\b[^.?!]*\b(?:relation\w*|parent|guardian|mother|father|as"
    r" well|too)\b",
    r"\byour own (?:full |first |last )?name\b",
    r"\byou(?:'re| are) (?:the|his|her|their|a|oliver's) (?:\w+ )?(?:parent|guardian|mother|mom)\b",
    r"\brelation(?:ship)? (?:to|with)\b|\bhow do you know (?:oliver|him|the patient|the child)\b",
    r"\b(?:allowed|authori[sz]ed|permitted) to\b[^.?!]{0,40}\b(?:him|oliver|his)\b",
    r"\b(?:is this|are you|this is) (?:his |oliver's |the )?(?:mom|mother|dad|father|parent|mrs)\b",
    r"\bhow (?:are|is) (?:you|this)(?: two)? related\b|\bwho (?:are|is) (?:you|this|that) to (?:the|oliver"
    r"|him|them)\b",
    r"\b(?:mom|mother|dad|father|parent)\b[^.!]*\bor\b[^.!]*\b(?:dad|father|mom|mother|guardian)\b",
    r"\b(?:speaking|talking) (?:with|to) (?:his|the|oliver's|a)? ?(?:mom|mother|dad|father|parent"
    r"|guardian)\b",
    r"\b(?:are|is) (?:you|this) (?:[\w']+ ){1,3}(?:parent|guardian|mother|mom"
    r"|father)\b",
)


def tasks(pack: str) -> tuple[Task, ...]:
    who, mother = patient("Oliver Grant"), patient("Helen Grant")
    closing = "Thank you, that's all. Goodbye."
    return (
        build(
            pack,
            "C2-H2",
            "Allergy shot for a child",
            "scheduling",
            (6, 9, 1),
            Intent(
                opening="Hello, I'd like to book my son's next allergy shot at Hoboken. Which floor is that "
                "office on?",
                conduct=(
                    "You are Helen Grant. The patient is your son Oliver: give his name and date of birth, "
                    "and your phone "
                    "number, which is on his chart.",
                    "You also want to know which floor the Hoboken office is on. If they offer times without "
                    "having said "
                    "it, ask once more.",
                    "Take the first time they offer and say yes when they read it back.",
                    "It is about Oliver alone, not about his sister. You want no text, no callback and no "
                    "person.",
                ),
                closing=closing,
                satisfied=("heard:booked",),
            ),
            (
                when_booked(closing),
                _mother(mother.full_name, who.full_name),
                _right(who.full_name),
                _floor_first(),
                books_it("Yes, please book that shot.", given=("heard:floor",)),
                takes_first(given=("heard:floor",)),
                any_time(),
                looks_please(),
                when_floor_told(
                    "Thank you. And the first opening for his shot, please.",
                    "Hoboken",
                    name="floor-told",
                    after=("opened",),
                    unless=("said:floor-told", "said:first-time", "said:book-it"),
                    order=17,
                ),
                _what_for(),
                _feels_fine(),
                *known_rules(who, office="Hoboken."),
            ),
            (
                identified(who),
                verified(who),
                summary(who, listed=False),
                office("hoboken"),
                slots("hoboken", "allergy_shot"),
                ExpectedCall(
                    "schedule_allergy_service",
                    arguments={
                        "service": "allergy_shot",
                        "slot_id": "SL-300501",
                        "patient_id": who.patient_id,
                    },
                    free_text={"confirmed": "yes"},
                ),
            ),
            traits=(*traits_of(who), Trait("caller_name", ValueKind.TEXT, mother.full_name)),
            topics=(booked_topic(), floor_topic()),
        ),
    )


def _mother(mother: str, child: str) -> Rule:
    return Rule(
        id="mother",
        when="The agent asks who is calling, for the caller's own name as parent, or how the caller is "
        "related to the "
        "patient",
        not_when=(
            "when it asks for the patient's name, or for a name and a date of birth",
            "when it asks for a phone number",
        ),
        line=f"I'm {mother}, his mother. The patient is {child}.",
        cues=Cues(
            like=(
                "Are you his mother?",
                "How are you related to him?",
            ),
            all_of=(_CALLER,),
            none_of=(ASKED_BIRTH, r"\b(?:phone|number|mobile|cell)\b"),
            threshold=0.75,
        ),
        order=33,
        tests=(
            *fires(
                "Who am I speaking with?",
                "And what's your relationship to the patient?",
                "Are you his parent or guardian?",
            ),
            *silent(
                "What's the patient's full name and date of birth?",
                "May I have your full name?",
                "What phone number is on his chart?",
            ),
        ),
    )


def _floor_first() -> Rule:
    return Rule(
        id="floor-first",
        when="The agent offers a time for the shot, or asks whether to book, and has not yet said which "
        "floor the Hoboken "
        "office is on",
        not_when=("when it asks for identity details", "when it says the floor in the same turn"),
        line="Before we pick a time, which floor is the Hoboken office on?",
        cues=Cues(
            all_of=(
                any_of(
                    OFFERS_TIMES,
                    both(r"(?<! i)(?<!^)\b(?:[0-9] ?(?:am|pm|a\.m|p\.m)|[0-9]:[0-9]{2})\b", r"\?"),
                    r"\b(?:shall|should|can|may) i (?:\w+ )?book\b",
                ),
            ),
            none_of=(ASKING_IDENTITY, READS_BIRTH, HOURS_SAID, HELD, STANDING, r"\bwhat (?:day|time)\b"),
        ),
        unless=("heard:floor",),
        first_n=1,
        order=10,
        tests=(
            *fires(
                "The first opening at Hoboken is Tuesday, August 18, at 3:30 PM. Shall I book it?",
                "I have Tuesday at 3:30 PM or Wednesday at 4 PM. Which would you like?",
                "There's an opening tomorrow at 3:30 PM.",
                "I've got Wednesday at three thirty for him. Does that sound good?",
            ),
            *silent(
                "The first opening is Tuesday at 3:30 PM on the second floor. Shall I book it?",
                "May I have the patient's full name and date of birth?",
                "Let me look at the schedule.",
            ),
        ),
    )


def _what_for() -> Rule:
    return Rule(
        id="what-for",
        when="The agent asks what the visit is for, which service it is, or which child",
        not_when=("when it asks for identity details",),
        line="It's the next allergy shot for my son Oliver.",
        cues=Cues(
            like=(
                "What is the visit for?",
                "Which child is it for?",
            ),
            all_of=(
                any_of(
                    r"\breasons? for\b",
                    r"\bwhat (?:is|kind|type|sort|would|service|brings|are)\b[^.?!]{0,40}\b(?:visit"
                    r"|appointment|for|service"
                    r"|shot|in)\b",
                    r"\bwhat can (?:i|we) do for\b|\b(?:shot|evaluation|testing)\b[^.!]*\bor (?:a |an |the "
                    r"|for )?(?:shot|evaluation|\w* ?testing|something)\b",
                    r"\bwhich (?:child|one of|service|shot|son|kid)\b",
                    r"\b(?:oliver|him|the boy|your son)\b[^.!]*\bor\b[^.!]*\b(?:sister|olivia|daughter"
                    r"|other)\b",
                    r"\b(?:skin testing|allergy shot|evaluation)\b[^.!]*\bor\b[^.!]*\?",
                ),
            ),
            none_of=(HELD, ASKING_IDENTITY, r"\b(?:day|time|floor|else|when)\b"),
            threshold=0.78,
        ),
        order=43,
        tests=(
            *fires(
                "What's the reason for the visit?",
                "Which child is this for?",
                "Is it an allergy shot or skin testing?",
            ),
            *silent(
                "What's the patient's full name and date of birth?",
                "What day works best for you?",
                "Let me look at the schedule.",
            ),
        ),
    )


def _feels_fine() -> Rule:
    return Rule(
        id="feels-fine",
        when="The agent asks how the child took the last shot, whether he had a reaction, is ill or takes "
        "anything, or "
        "when the last shot was",
        line="He's fine, he had no reaction. His last shot was last Monday.",
        cues=Cues(
            like=(
                "How did he do after the last shot?",
                "Is he feeling well today?",
                "When was his last shot?",
            ),
            all_of=(
                any_of(
                    r"\b(?:reactions?|react|side effects?|sick|ill|fever|asthma|feeling|unwell)\b",
                    r"\bwhen(?:'d|'s| was| did| is)\b[^.?!]*\b(?:last|previous)\b",
                    r"\bhow(?:'d|'s| did| is| has)\b[^.?!]{0,15}\b(?:do|doing|go|feel\w*|react"
                    r"|been)\b[^.?!]{0,25}\b(?:last|shot|one|today)\b",
                    r"\b(?:swelling|itching|itchy|hives|wheez\w+)\b",
                    r"\b(?:last|previous) (?:allergy )?(?:shot|injection|one|dose)\b[^.!]*\?",
                ),
            ),
            none_of=(HELD, ASKING_IDENTITY, OFFERS_TIMES),
            threshold=0.75,
        ),
        order=44,
        tests=(
            *fires(
                "Did he have any reaction to the last shot?",
                "When was his last shot?",
                "Is he sick or running a fever at the moment?",
            ),
            *silent(
                "What's the patient's full name?",
                "What day works best for you?",
                "Let me look at the schedule.",
            ),
        ),
    )


def _right(child: str) -> Rule:
    first = child.split()[0]
    return Rule(
        id="that-is-him",
        when=f"The agent reads back {child}'s name, with the date of birth or without, and asks whether that "
        f"is right",
        not_when=("when it reads back another name",),
        line="Yes, that's right.",
        cues=Cues(
            all_of=(
                rf"\b{first}\b",
                r"\b(?:is|was|are|do|does|did) (?:that|this|it|those|i|everything|all)\b[^.]*"
                r"\b(?:right|correct|accurate|okay)\b|\b(?:right|correct|yes)\?|\bi have\b[^.]*\?",
            ),
            none_of=(ASKING_IDENTITY, r"\b(?:olivia|helen)\b", r"\b(?:book|opening|shall)\b"),
        ),
        order=27,
        tests=(
            *fires(
                f"I have {child}, born May 19, 2016. Is that right?",
                f"So the patient is {child}, correct?",
                f"That's {child}, date of birth May 19, 2016. Did I get that right?",
            ),
            *silent(
                "I have Olivia Grant, born May 19, 2016. Is that right?",
                "What's the patient's full name and date of birth?",
                f"I've found {first}'s chart.",
            ),
        ),
    )
