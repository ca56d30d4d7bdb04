"""C1-M2, C3-M3, C1-H2 and C1-H3: new patients who ask about their plan and then book a first visit."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Topic
from offhook_industries.common.cues import any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._answers import ASKS_BACK, HOURS, OF_CALLER, PLAN_ANSWER, plan_told
from offhook_industries.healthcare.tasks._booking import book_new, visit_rules
from offhook_industries.healthcare.tasks._build import build, office, plan_taken, slots
from offhook_industries.healthcare.tasks._cues import (
    ASKING_IDENTITY,
    CHECK_IF,
    HELD,
    LATER,
    OFFERS_MESSAGE,
    OFFERS_TIMES,
)
from offhook_industries.healthcare.tasks._outcomes import SENT, booked_topic, when_booked
from offhook_industries.healthcare.tasks._people import new_patient, traits_of

__all__ = ["tasks"]

_BYE: Final = "Wonderful, thank you. That's everything. Goodbye."
_FIRST_OPENING: Final = "Take the first opening they offer, and say yes when they read it back."
_DETAILS: Final = "Give your name, date of birth and phone number when you are asked for them."
_NOTHING_ELSE: Final = "You want no text message, no callback, no waitlist and no person."


def tasks(pack: str) -> tuple[Task, ...]:
    return (_cigna(pack), _medicare_mole(pack), _urgent_rash(pack), _oscar(pack))


def classified(concern: str, *others: str) -> ExpectedCall:
    alternatives = {"concern": others} if others else {}
    return ExpectedCall("classify_visit_request", arguments={"concern": concern}, alternatives=alternatives)


def _cigna(pack: str) -> Task:
    who = new_patient("Rachel Bennett")
    return build(
        pack,
        "C1-M2",
        "Cigna coverage then a new-patient booking",
        "new-patient",
        (4, 11, 1),
        Intent(
            opening="Hello, I'm new with you. Do you take Cigna at the Union Square office?",
            conduct=(
                "First you want to know whether Union Square takes Cigna.",
                "Then you book a first visit there, for acne.",
                _FIRST_OPENING,
                _DETAILS,
                _NOTHING_ELSE,
            ),
            closing=_BYE,
            satisfied=("heard:booked",),
        ),
        (
            when_booked(_BYE),
            plan_told(
                "Cigna",
                "Union Square",
                "Okay. Then I'd like to book a first visit there, for acne.",
                unless=("said:answer",),
            ),
            *visit_rules(who, reason="It's for acne.", office="Union Square.", plan="I have Cigna."),
        ),
        (
            plan_taken("cigna", "union_square"),
            classified("acne"),
            slots("union_square", "medical_visit"),
            book_new(who, "SL-300201", "medical_visit"),
        ),
        traits=traits_of(who),
        topics=(booked_topic(),),
    )


def _medicare_mole(pack: str) -> Task:
    who = new_patient("Frank Dawson")
    return build(
        pack,
        "C3-M3",
        "Medicare at Windermere then a booking",
        "coverage",
        (4, 11, 1),
        Intent(
            opening="Good morning. I'm new, and I want to have a mole checked. Do you accept Medicare at "
            "Windermere?",
            conduct=(
                "First you want to know whether Windermere takes Medicare. Yours is original Medicare.",
                "Then you book a visit there, to have a mole looked at.",
                _FIRST_OPENING,
                _DETAILS,
                _NOTHING_ELSE,
            ),
            closing=_BYE,
            satisfied=("heard:booked",),
        ),
        (
            when_booked(_BYE),
            plan_told(
                "Medicare",
                "Windermere",
                "Good. I'd like to come in there and have a mole checked, then.",
                unless=("said:answer",),
            ),
            *visit_rules(
                who,
                reason="I want to have a mole checked.",
                office="Windermere.",
                plan="I have original Medicare.",
            ),
        ),
        (
            plan_taken("medicare", "windermere"),
            classified("mole_check", "full_skin_exam"),
            slots("windermere", "skin_check"),
            book_new(who, "SL-300401", "skin_check"),
        ),
        traits=traits_of(who),
        topics=(booked_topic(),),
    )


def _urgent_rash(pack: str) -> Task:
    who = new_patient("George Palmer")
    return build(
        pack,
        "C1-H2",
        "Hours, Medicare, then an urgent rash booking",
        "new-patient",
        (5, 13, 1),
        Intent(
            opening="Hello. What are the hours of your White Plains office on Mondays?",
            conduct=(
                "First you ask for the Monday hours of White Plains, then whether it takes Medicare. You are "
                "a new "
                "patient with original Medicare.",
                "Then you want to be seen there as soon as possible: a painful rash that keeps spreading. It "
                "is urgent, "
                "but you have no fever and no trouble breathing.",
                "If they offer nothing this week, ask once whether there is anything sooner.",
                _FIRST_OPENING,
                _DETAILS,
                _NOTHING_ELSE,
            ),
            closing=_BYE,
            satisfied=("heard:booked",),
        ),
        (
            when_booked(_BYE),
            _hours_told(),
            plan_told(
                "Medicare",
                "White Plains",
                "Good. Then I need to be seen there, and it's urgent. I have a painful rash that keeps "
                "spreading.",
                after=("said:hours",),
                unless=("said:answer",),
            ),
            _sooner(),
            *visit_rules(
                who,
                reason="I have a painful rash that keeps spreading. It's urgent.",
                office="White Plains.",
                plan="I have original Medicare.",
                urgent="It's urgent. The rash hurts and keeps spreading, but I have no fever and I can "
                "breathe fine.",
            ),
        ),
        (
            office("white_plains"),
            plan_taken("medicare", "white_plains"),
            classified("rash"),
            slots("white_plains", "medical_visit", urgency="urgent"),
            book_new(who, "SL-300301", "medical_visit"),
        ),
        traits=traits_of(who),
        topics=(booked_topic(),),
    )


def _hours_told() -> Rule:
    return Rule(
        id="hours",
        when="The agent says when the White Plains office is open",
        not_when=("when it only says that it will look it up", "when it offers times for a visit"),
        line="Thanks. And does White Plains take Medicare?",
        cues=Cues(
            all_of=(HOURS,),
            none_of=(
                CHECK_IF,
                ASKING_IDENTITY,
                r"\b(?:openings?|available|slot"
                r"|appointment|earliest)\b",
            ),
        ),
        unless=("said:hours",),
        order=9,
        tests=(
            *fires(
                "White Plains is open Mondays from 8 AM to 6 PM.",
                "On Mondays we're open from eight in the morning until six. Anything else?",
                "Hours there are Monday 8:00 AM to 5:30 PM.",
            ),
            *silent(
                "Let me look up the hours.",
                "Which office would you like?",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def _sooner() -> Rule:
    return Rule(
        id="sooner",
        when="The agent offers times of next week or later, or of no earlier than August 22, and none that "
        "is sooner",
        not_when=("when it offers a time today or this week", "when it says that the visit has been booked"),
        line="Is there nothing sooner? It's urgent, the rash is spreading.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:august|aug) (?:the )?(?:2 ?[2-9]|3 ?[01]|twenty[- ](?:second|third|fourth|fifth"
                    r"|sixth|seventh"
                    r"|eighth|ninth)|thirt\w+)",
                    r"\bthe (?:2 ?[2-9](?:nd|rd|th)|3 ?[01](?:st|th)|twenty[- ](?:second|third|fourth|fifth"
                    r"|sixth|seventh|eighth|ninth)"
                    r"|thirtieth|thirty[- ]first)\b",
                    r"\b(?:september|october|sept|oct)\b",
                    r"\bnext (?:week|month|monday|tuesday|wednesday|thursday|friday)\b",
                ),
                any_of(
                    OFFERS_TIMES,
                    r"\?",
                    r"\b(?:opening|available|earliest|first|soonest|nothing (?:before|until|sooner))\b",
                ),
            ),
            none_of=(
                r"^(?!.*\b(?:nothing|no|none|not|full|booked up)\b[^.?!]{0,30}\bthis week\b).*"
                r"\b(?:today|tomorrow|this (?:morning|afternoon|week|monday|tuesday|wednesday|thursday"
                r"|friday)"
                r"|august (?:17|18|19|20|21|1 [789]|2"
                r" [01])(?![0-9])|(?:the |august )(?:seventeenth|eighteenth|nineteenth|twentieth"
                r"|twenty[- ]first))\b",
                r"\b(?:may i have|full name)\b",
                r"\b(?:booked|all set)\b",
                ASKING_IDENTITY,
            ),
        ),
        first_n=1,
        order=12,
        tests=(
            *fires(
                "The first opening is Tuesday, August 25, at 9 AM. Shall I book it?",
                "I have August 25 at 9 AM or August 26 at 2 PM. Which would you like?",
                "The earliest I see is next Tuesday at nine.",
            ),
            *silent(
                "I can get you in today, Monday, August 17, at 2:40 PM. Shall I book it?",
                "May I have your full name and date of birth?",
                "You're booked for August 25 at 9 AM.",
            ),
        ),
    )


def _oscar(pack: str) -> Task:
    who = new_patient("Nina Brooks")
    return build(
        pack,
        "C1-H3",
        "Oscar Health coverage then a new-patient booking",
        "new-patient",
        (6, 16, 2),
        Intent(
            opening="Hi, I'm a new patient with eczema. Does the Brooklyn Heights office take Oscar Health?",
            conduct=(
                "First you ask about Brooklyn Heights. Whatever the answer there, you then ask about Union "
                "Square.",
                "Then you book a first visit at Union Square, for eczema.",
                _FIRST_OPENING,
                _DETAILS,
                "Once it is booked, ask them to text you a confirmation. When that is sent, thank them and "
                "hang up.",
                "You want no callback, no waitlist and no person.",
            ),
            closing=_BYE,
            satisfied=("heard:booked", "heard:sent"),
        ),
        (
            _text_sent(),
            when_booked(
                f"Great. Could you text me a confirmation, to {who.phone}?",
                name="text-me",
                ends=False,
                unless=("said:text-me", "said:yes-text"),
            ),
            _yes_text(f"Yes, please text the confirmation to {who.phone}."),
            _union_square(),
            _taken_there(),
            *visit_rules(
                who,
                reason="It's for eczema.",
                office="Union Square.",
                plan="I have Oscar Health.",
                text=True,
            ),
        ),
        (
            plan_taken("oscar", "brooklyn_heights"),
            plan_taken("oscar", "union_square"),
            classified("eczema", "rash"),
            slots("union_square", "medical_visit"),
            book_new(who, "SL-300201", "medical_visit"),
            ExpectedCall(
                "send_sms",
                arguments={"message": "appointment_confirmation", "phone": who.phone, "caller_asked": True},
                carry={"appointment_id": "book_appointment.appointment_id"},
            ),
        ),
        traits=traits_of(who),
        topics=(booked_topic(), _sent_topic()),
        asked_for={"send_sms": ("said:text-me", "said:yes-text")},
    )


def _union_square() -> Rule:
    return Rule(
        id="union-square",
        when="The agent says whether Brooklyn Heights takes Oscar Health, whatever it says of other offices",
        not_when=("when it only says that it will check, or asks something",),
        line="All right. What about Union Square, does that office take Oscar Health?",
        cues=Cues(all_of=(PLAN_ANSWER,), none_of=(CHECK_IF, ASKING_IDENTITY, ASKS_BACK, OF_CALLER)),
        unless=("said:union-square",),
        order=9,
        tests=(
            *fires(
                "I'm sorry, Brooklyn Heights doesn't take Oscar Health. Union Square does.",
                "Unfortunately Oscar Health isn't accepted there.",
                "No, that office is out of network for Oscar Health.",
            ),
            *silent(
                "Let me check whether Brooklyn Heights takes Oscar Health.",
                "Which plan do you have?",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def _taken_there() -> Rule:
    asked = ("said:union-square",)
    return Rule(
        id="answer",
        when="After the caller has asked about Union Square, the agent says whether that office takes Oscar "
        "Health",
        not_when=("when it only says that it will check, or asks something",),
        line="Good. I'd like to book a first visit at Union Square, for eczema.",
        cues=Cues(all_of=(PLAN_ANSWER,), none_of=(CHECK_IF, ASKING_IDENTITY, ASKS_BACK, OF_CALLER)),
        after=asked,
        unless=("said:answer",),
        order=10,
        tests=(
            *fires(
                "Yes, Union Square takes Oscar Health.",
                "Oscar Health is accepted there. Would you like to book a visit?",
                "They do accept Oscar at Union Square.",
                given=asked,
            ),
            *silent(
                "Let me check Union Square.", "May I have your full name and date of birth?", given=asked
            ),
            *silent("I'm sorry, Brooklyn Heights doesn't take Oscar Health."),
        ),
    )


def _yes_text(line: str) -> Rule:
    return Rule(
        id="yes-text",
        when="The agent offers to text a confirmation, or asks which number a text should go to",
        not_when=("when it says that the visit has been booked and the caller has not asked for a text yet",),
        line=line,
        cues=Cues(
            all_of=(
                any_of(
                    OFFERS_MESSAGE,
                    r"\b(?:number|phone|mobile)\b[^.?!]*\b(?:text|send|sms|go|sent)\b",
                    r"\bconfirmation\b[^.!]*\?",
                    r"\b(?:to|at|on) (?:the|that|this|your) same (?:\w+ )?(?:number|phone|mobile|cell)\b",
                ),
            ),
            none_of=(
                r"\blink\b",
                rf"^(?!.*\b(?:which|what) (?:\w+ )?(?:number|phone|mobile)\b).*(?:{SENT})",
                HELD,
                r"\bportal\b",
                r"\b(?:i'll|i will|i'm going to) (?:\w+ )?(?:text|send)\b[^.?!]*(?:now|right away|over|off"
                r"|shortly)\b",
            ),
        ),
        order=8,
        tests=(
            *fires(
                "Would you like me to text you a confirmation?",
                "Which number should I text the confirmation to?",
                "I can send you a confirmation text. Shall I?",
            ),
            *silent(
                "I've sent the confirmation text.",
                "May I have your full name and date of birth?",
                "Which day works best for you?",
            ),
        ),
    )


_TEXT_SENT: Final = both(SENT, r"\b(?:text|texted|confirmation|sms|message|sent|way|done|phone|mobile)\b")


def _text_sent() -> Rule:
    asked = ("heard:booked", "said:text-me")
    return Rule(
        id="done",
        when="After the visit has been booked, the agent says that the confirmation text has been sent",
        not_when=("when it only offers to send it, or says that it will",),
        line=_BYE,
        cues=Cues(all_of=(_TEXT_SENT,), none_of=(LATER,)),
        after=("heard:booked",),
        order=5,
        ends_call=True,
        tests=(
            *fires(
                "I've sent the confirmation to your phone.",
                "The text is on its way. Anything else?",
                "Your confirmation text has been sent. Have a great day!",
                given=asked,
            ),
            *silent(
                "Shall I text it to that number?",
                "One moment while I send it.",
                given=asked,
            ),
            *silent("You're booked for Wednesday, August 19, at 10:20 AM."),
        ),
    )


def _sent_topic() -> Topic:
    return Topic("sent", Cues(all_of=(_TEXT_SENT,), none_of=(LATER,)))
