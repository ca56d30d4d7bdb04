"""C3-H1: one particular Aetna product, a first visit, and the insurance put on file."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Topic, Trait
from offhook.values import ValueKind
from offhook_industries.common.cues import any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.seed.cases import newcomer
from offhook_industries.healthcare.tasks._answers import floor_topic, plan_told, when_floor_told
from offhook_industries.healthcare.tasks._booking import book_new, visit_rules
from offhook_industries.healthcare.tasks._build import build, office, plan_taken, slots
from offhook_industries.healthcare.tasks._cues import ASKING_IDENTITY, HELD, LATER
from offhook_industries.healthcare.tasks._outcomes import booked_topic, when_booked
from offhook_industries.healthcare.tasks._people import new_patient, traits_of
from offhook_industries.healthcare.tasks.c3_m1 import plan_and_member
from offhook_industries.healthcare.tasks.new_patients import classified

__all__ = ["tasks"]

_PLAN: Final = "Aetna Open Access Elect Choice"
_INSURANCE: Final = r"\b(?:insurance|plan|coverage|aetna|member|policy)\b"
_SAVED: Final = any_of(
    rf"{_INSURANCE}[^?]*\b(?:saved|on file|added|recorded|updated|noted|entered|captured|attached|in (?:the"
    rf"|our) system)\b",
    rf"\b(?:saved|added|recorded|updated|noted|entered|put|captured|attached)\b[^?]*{_INSURANCE}",
    r"^(?:great|perfect|okay|ok|all right)?,? ?(?:that's |it's |that is |all )*(?:saved|done|on file"
    r"|recorded|added|entered)\b|\b(?:aetna|insurance|plan)\b[^.?!]*\b(?:on|in) (?:the|your) (?:chart"
    r"|file|record|visit)\b",
    r"\b(?:got|have) (?:that|it|everything|this) (?:all )?(?:saved|recorded|noted|added|on file|in|down)\b",
    r"\b(?:in|on) your (?:file|chart|records?)\b",
    r"\b(?:saved|added|recorded|noted|attached) (?:it|that|this|everything)\b|\b(?:it's|that's|all)"
    r" (?:saved|on file|in the system|taken care of)\b",
)
_NOT_SAVED: Final = any_of(
    LATER,
    r"\b(?:okay|ok|ready|fine|alright|all right|good|like|want) (?:to|if i|for me to|me to)\b",
    r"^(?:\w+,? ){0,2}(?:saving|adding|putting|recording)\b",
    r"\b(?:not|don't|no) (?:\w+ ){0,3}on file\b",
    r"\b(?:is|are|does|look|sound) (?:that|this|it) (?:\w+ )?(?:right|correct)\b",
    r"\b(?:right|correct|okay)\?",
    r"\b(?:do you have|is it|is there|are you|whose)\b",
)
_SAVE_ASK: Final = any_of(
    r"\b(?:okay|ok|ready|fine|alright|all right|good) (?:to|if i|for me to) (?:save|put|add|file|enter"
    r"|record)\b",
    r"\b(?:shall|should|may|can|could) i (?:\w+ ){0,3}(?:save|add|put|record|update|attach|file|enter"
    r"|note)\b",
    r"\b(?:want|like) me to (?:\w+ ){0,3}(?:save|add|put|record|update|attach|file|enter|note)\b",
    rf"{_INSURANCE}.*\b(?:is|are|does|look|sound) (?:that|this|it|everything|all) (?:\w+ )?(?:right|correct"
    rf"|okay|ok|good)\b",
    rf"{_INSURANCE}.*\b(?:right|correct|okay|ok)\?",
    rf"{_INSURANCE}.*\blooks? (?:good|right|okay)\b|\bi(?:'ll| will) (?:go ahead and )?(?:add|save|put"
    rf"|enter)\b[^.!]*"
    r"\b(?:alright|okay|ok|right|good|yes)\W*$",
    r"\b(?:613908254|613[ -]?908[ -]?254|6 1 3 9 0 8 2 5 4)\b.*\?",
)


def tasks(pack: str) -> tuple[Task, ...]:
    who = new_patient("Allison Pierce")
    member = str(newcomer("Allison Pierce").member_id)
    closing = "Thank you so much, that's everything. Goodbye."
    return (
        build(
            pack,
            "C3-H1",
            "Aetna Open Access Elect Choice at Park Avenue",
            "coverage",
            (6, 16, 2),
            Intent(
                opening=f"Hi, I'm a new patient with psoriasis. My card says {_PLAN}. Does Park Avenue take "
                f"that plan?",
                conduct=(
                    f"First you want to know whether Park Avenue takes {_PLAN}. It is not plain Aetna.",
                    "Then you ask which floor that office is on, and then you book a first visit there, for "
                    "psoriasis.",
                    "Take the first opening they offer, and say yes when they read it back.",
                    "Once it is booked, ask them to put your insurance on file: your own plan, with your "
                    "member number.",
                    "When that is saved, thank them and hang up. You want no text, no callback and no "
                    "person.",
                ),
                closing=closing,
                satisfied=("heard:booked", "heard:saved"),
            ),
            (
                _saved(closing),
                _save_it(),
                when_booked(
                    f"Thank you. Now please put my insurance on file. It's {_PLAN}, member number {member}, "
                    f"and the plan "
                    "is my own.",
                    name="put-on-file",
                    ends=False,
                    unless=("said:put-on-file",),
                    order=7,
                ),
                plan_told(
                    _PLAN,
                    "Park Avenue",
                    "Good. And which floor is the Park Avenue office on?",
                    unless=("said:answer", "heard:floor"),
                ),
                when_floor_told(
                    "Thanks. I'd like to book a first visit there, for psoriasis.",
                    "Park Avenue",
                    name="book-visit",
                    order=15,
                    after=("opened",),
                    unless=("said:book-visit",),
                ),
                _own_plan(),
                plan_and_member(f"It's {_PLAN}", member),
                *visit_rules(
                    who,
                    reason="It's for psoriasis.",
                    office="Park Avenue.",
                    plan=f"It's {_PLAN}.",
                    member=f"The member number is {member}.",
                ),
            ),
            (
                plan_taken("aetna_open_access_elect_choice", "park_avenue"),
                office("park_avenue"),
                classified("psoriasis"),
                slots("park_avenue", "medical_visit"),
                book_new(who, "SL-300111", "medical_visit"),
                ExpectedCall(
                    "capture_insurance_update",
                    arguments={
                        "plan": "aetna_open_access_elect_choice",
                        "member_id": member,
                        "relationship": "self",
                        "confirmed": True,
                    },
                    carry={"appointment_id": "book_appointment.appointment_id"},
                ),
            ),
            traits=(*traits_of(who), Trait("member_number", ValueKind.DIGITS, member)),
            topics=(
                booked_topic(),
                floor_topic(),
                Topic("saved", Cues(all_of=(_SAVED,), none_of=(_NOT_SAVED,))),
            ),
        ),
    )


def _saved(line: str) -> Rule:
    asked = ("said:put-on-file",)
    return Rule(
        id="done",
        when="After the caller has asked for it, the agent says that the insurance has been put on file",
        not_when=("when it only reads it back, or says that it will",),
        line=line,
        cues=Cues(all_of=(_SAVED,), none_of=(_NOT_SAVED,)),
        after=asked,
        order=5,
        ends_call=True,
        tests=(
            *fires(
                "Your insurance is on file now.",
                "I've added your Aetna plan to the visit. Anything else I can do?",
                "Done, the insurance has been saved.",
                given=asked,
            ),
            *silent(
                "Let me put your insurance on file.",
                "Is it your own plan, or a family member's?",
                given=asked,
            ),
            *silent("Your insurance is on file now."),
        ),
    )


def _save_it() -> Rule:
    asked = ("said:put-on-file",)
    return Rule(
        id="save-it",
        when="After the caller has asked for it, the agent reads the insurance back or asks whether to save "
        "it",
        not_when=("when it asks whose plan it is", "when it says that it has been saved"),
        line="Yes, that's right, please save it.",
        cues=Cues(
            all_of=(_SAVE_ASK,),
            none_of=(
                r"\b(?:your own|someone else|spouse|parent|whose|relationship|policy ?holder"
                r"|subscriber)\b[^.]*\?",
                r"\b(?:what|which)\b",
            ),
        ),
        after=asked,
        order=8,
        tests=(
            *fires(
                f"That's {_PLAN} with member number 613908254. Is that correct?",
                "Your insurance is Aetna Open Access Elect Choice, in your own name. Is that right?",
                "Would you like me to put that on file?",
                given=asked,
            ),
            *silent("What's the member number on your card?", "Your insurance is on file now.", given=asked),
            *silent("May I have your full name and date of birth?"),
        ),
    )


def _own_plan() -> Rule:
    return Rule(
        id="own-plan",
        when="The agent asks whose plan it is, or how the caller is related to the policy holder",
        line="It's my own plan, I'm the member myself.",
        cues=Cues(
            like=(
                "Is it your own plan?",
                "Whose policy is it?",
                "Who is the policy holder?",
            ),
            all_of=(
                any_of(
                    r"\bwhose\b",
                    r"\b(?:policy ?holder|subscriber|primary|main (?:member|person|one)|member yourself"
                    r"|plan holder)\b",
                    r"\b(?:relationship|related)\b",
                    r"\b(?:policy|plan|insurance|it)(?:'s| is)? (?:under|in (?:your|somebody|someone"
                    r"|another))\b[^.!]*\?",
                    r"\bare you (?:the one|on)\b[^.!]*\b(?:policy|plan|insurance)\b",
                    r"\b(?:through|from|under) (?:you|yourself)\b|\b(?:through|from) (?:a|your"
                    r"|an) (?:spouse|parent|husband|wife|employer|job)\b",
                    r"\b(?:your own|spouse|someone else|parent|family member|under your|in your)\b[^.!]*\?",
                ),
            ),
            none_of=(HELD, ASKING_IDENTITY, r"\b(?:id|number)\b"),
            threshold=0.75,
        ),
        order=9,
        tests=(
            *fires(
                "Is it your own plan, or a family member's?",
                "Are you the policy holder?",
                "What's your relationship to the subscriber?",
            ),
            *silent(
                "What's the member number on your card?",
                "May I have your full name?",
                "Which office would you like?",
            ),
        ),
    )
