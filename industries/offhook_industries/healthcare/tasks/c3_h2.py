"""C3-H2: what it would cost, without a member number: a booking, and an estimate by callback."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Topic
from offhook_industries.common.cues import OFFERS_CALLBACK, any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._answers import parking_topic, plan_told, when_parking_told
from offhook_industries.healthcare.tasks._booking import NO_CARD, book_new, visit_rules
from offhook_industries.healthcare.tasks._build import build, office, plan_taken, slots
from offhook_industries.healthcare.tasks._cues import ASKED_NAME, ASKED_PHONE, ASKING_IDENTITY, HELD, LATER
from offhook_industries.healthcare.tasks._outcomes import booked_topic, when_booked
from offhook_industries.healthcare.tasks._people import new_patient, traits_of
from offhook_industries.healthcare.tasks._refusals import OFFERS_HUMAN
from offhook_industries.healthcare.tasks.new_patients import classified

__all__ = ["tasks"]

_BY: Final = (
    r"\b(?:by|before|no later than|within|on|in)\b[^?!]{0,40}\b(?:monday|tuesday|wednesday|thursday|friday"
    r"|tomorrow|days?|hours?|morning|august|[0-9])\b"
)
_PROMISED: Final = any_of(
    r"\byou(?:'re| are) (?:all )?(?:set|down|booked) for (?:a|the|your) call\b",
    r"\b(?:will|'ll|going to) (?:\w+ )?(?:call|phone|ring|give you a (?:ring|call|buzz)|contact|reach"
    r"|be (?:calling|in touch)|get back"
    r"|hear)\b",
    r"\b(?:call-?back|call back|estimate|request|task)\b[^?!]*\b(?:is|has been|been|was|'s) (?:now |all"
    r" )?(?:set|set up|scheduled"
    r"|booked|requested|arranged|created|noted|filed|in|placed|logged|promised)\b",
    r"\b(?:i've|i have|we've|have) (?:now |just )?(?:set up|scheduled|requested|arranged|created|noted|filed"
    r"|placed|put in"
    r"|logged|asked|booked)\b[^?!]*\b(?:call-?back|call|estimate|team|request)\b",
    r"\byou(?:'ll| will) (?:get|receive|have) (?:a|your|the) (?:call|estimate|callback)\b",
    r"\b(?:call-?back|call|request)(?:'s| is) (?:now |all )?(?:arranged|set|in|booked|scheduled|on the"
    r" list)\b",
    r"\b(?:expect|look out for|watch for)\b[^.?!]{0,20}\b(?:call|hear from|ring)\b",
)
_NOT_PROMISED: Final = any_of(
    LATER,
    r"\b(?:if you|when would|what time|which|best time|do you|is (?:that|this)|is there a)\b",
)


_RING: Final = r"\b(?:call|phone|ring|telephone|contact|reach out to|reach|try|get in touch with)"
_OF_DAY: Final = any_of(
    r"\bmornings?\b[^.!?]{0,25}\bafternoons?\b",
    r"\b(?:before|after) (?:noon|lunch|work)\b",
    r"\b(?:best|good|better|convenient|what|which|preferred) (?:\w+ ){0,2}times?\b",
    r"\b(?:time|part) of (?:the )?day\b",
    r"\bwhen\b(?! (?:were|was|did)\b)",
    r"\bmornings?\b|\bafternoons?\b",
)
_TIME_ASKED: Final = any_of(
    both(
        rf"{_RING}|\bcall-?back\b|\bnumber\b",
        _OF_DAY,
        r"\?|\b(?:what|which|when|whether|tell me|need|may i|can i|should|better)\b",
    ),
    # "Mornings or afternoons?": a visit is not spoken of in those words before the caller wants one.
    r"^(?:\W*\w+\W+){0,6}?\W*mornings?,? (?:or )?(?:the )?afternoons?\b",
    r"\bwhen would (?:\w+ )?suit\b",
)
_NOT_THE_CALL: Final = (
    r"\b(?:will|'ll) (?:\w+ )?(?:call|be calling|ring|phone)\b(?!.*\?)",
    r"\b(?:come in|come by|visit|appointment|openings?|be seen|schedule|the provider)\b",
    r"\b(?:i've|has been)\b",
    r"\bany time of day,? with\b",
)


def tasks(pack: str) -> tuple[Task, ...]:
    who = new_patient("Victor Hayes")
    closing = "Great, thank you. That's all I needed. Goodbye."
    promised = Topic("promised", Cues(all_of=(_PROMISED,), none_of=(_NOT_PROMISED,)))
    return (
        build(
            pack,
            "C3-H2",
            "Out-of-pocket cost without a member ID",
            "coverage",
            (6, 16, 2),
            Intent(
                opening="Hello, I'm new. I have Blue Cross Blue Shield and I'd like to know what a visit at "
                "Forest Hills "
                "would cost me out of pocket.",
                conduct=(
                    "You want to know your cost, but you don't have your member number with you.",
                    "When you have heard whether Forest Hills takes your plan, ask about parking there. Then "
                    "book a first "
                    "visit there, about hair loss.",
                    "Take the first opening they offer, and say yes when they read it back.",
                    "You'd like somebody to call you back with a cost estimate, in the morning. Ask for it "
                    "once the visit is "
                    "booked, or take it when they offer it.",
                    "You want no text, no waitlist, and nobody to be put through to you now.",
                ),
                closing=closing,
                satisfied=("heard:booked", "heard:promised"),
            ),
            (
                _call_promised(closing),
                when_booked(closing, name="booked-last", after=("heard:promised",), order=5),
                when_booked(
                    "Thank you. And could somebody call me back with a cost estimate, in the morning?",
                    name="estimate-please",
                    ends=False,
                    unless=("said:estimate-please", "heard:promised"),
                    order=6,
                ),
                _name_number_time(who.full_name, who.phone),
                _number_and_time(who.phone),
                _yes_callback(who.phone),
                _best_time(),
                plan_told(
                    "Blue Cross Blue Shield",
                    "Forest Hills",
                    "All right. Is there parking at Forest Hills?",
                    unless=("said:answer", "heard:parking"),
                ),
                when_parking_told(
                    "Good. I'd like to book a first visit there, for hair loss.",
                    "Forest Hills",
                    name="book-visit",
                    order=15,
                    after=("opened",),
                    unless=("said:book-visit",),
                ),
                _go_on(),
                *visit_rules(
                    who,
                    reason="It's for hair loss.",
                    office="Forest Hills.",
                    plan="I have Blue Cross Blue Shield.",
                    member=NO_CARD,
                    callback=True,
                    choosing=("said:book-visit",),
                ),
            ),
            (
                plan_taken("blue_cross", "forest_hills"),
                office("forest_hills"),
                classified("hair_loss"),
                slots("forest_hills", "medical_visit"),
                book_new(who, "SL-300901", "medical_visit"),
                ExpectedCall(
                    "create_callback_task",
                    arguments={
                        "topic": "cost_estimate",
                        "caller_name": who.full_name,
                        "phone": who.phone,
                        "best_time": "morning",
                    },
                    free_text={"details": "wants an out-of-pocket estimate; has no member number at hand"},
                ),
            ),
            traits=traits_of(who),
            topics=(booked_topic(), parking_topic(), promised),
        ),
    )


def _call_promised(line: str) -> Rule:
    booked = ("heard:booked",)
    return Rule(
        id="done",
        when="After the visit has been booked, the agent says that the callback with the estimate has been "
        "arranged, or "
        "by when somebody will call",
        not_when=("when it only offers it, asks something, or says that it will arrange it",),
        line=line,
        cues=Cues(all_of=(_PROMISED,), none_of=(_NOT_PROMISED,)),
        after=("heard:booked", "heard:promised"),
        order=4,
        ends_call=True,
        tests=(
            *fires(
                "Our team will call you by Wednesday, August 19, at 9 AM with an estimate.",
                "I've set up the callback for you. Have a good day!",
                "The callback has been requested for the morning.",
                given=booked,
            ),
            *silent("Shall I have somebody call you back?", "What number should they call?", given=booked),
            *silent("Our team will call you by Wednesday with an estimate."),
        ),
    )


def _yes_callback(phone: str) -> Rule:
    return Rule(
        id="yes-callback",
        when="The agent offers a callback, or that somebody gets in touch about the cost, or asks whether to "
        "arrange it",
        not_when=(
            "when it offers to put the caller through now",
            "when it says that the callback has been arranged",
            "when it asks for a time of day or for identity details alone",
        ),
        line=f"Yes, please call me back with an estimate, at {phone}, in the morning.",
        cues=Cues(
            all_of=(
                any_of(
                    OFFERS_CALLBACK,
                    OFFERS_HUMAN,
                    rf"{_RING} you\b[^.!]*\?",
                    rf"\b(?:someone|somebody|team|them|us|billing|estimates) (?:\w+ ){{0,3}}(?:to )?{_RING}",
                    rf"\b(?:arrange|have|get|ask)\b[^.!]*{_RING} you\b",
                    r"\b(?:a )?call to you\b",
                ),
            ),
            none_of=(
                r"\b(?:what|which|when)(?:'s)? (?:time|part|would|is|do|should|can|good|best)\b"
                r"|\bmornings?\b|\bafternoons?\b|\bnoon\b",
                r"\b(?:transfer|connect|put you through)\b",
                r"\bcall-?backs? (?:come|comes|are|go|is)\b(?!.*\?)",
                r"\bnumber\b[^.!]{0,20}\breach\b",
                r"\bi(?:'ll| will|'m going to) (?:\w+ )?(?:set|arrange|request|put|place|file|get)\b",
                r"\blet me (?:\w+ )?(?:set|arrange|request|put|place|file|get)\b",
                HELD,
                r"\b(?:will|'ll) (?:\w+ )?(?:call|be calling|reach|ring|phone)\b(?!.*\?)",
                r"\b(?:i've|i have|we've|have|is|it's|that's) (?:now |just |been |all )*(?:set|arranged"
                r"|requested|created"
                r"|scheduled|put|placed|booked)\b|\bhas been\b",
                r"\bwhat(?:'s| is) (?:your|the)\b|\b(?:which|what) (?:\w+ )?number\b",
                ASKED_NAME,
                r"\bwho (?:should|shall|do|can)\b",
            ),
        ),
        order=11,
        tests=(
            *fires(
                "Without a member number I can't say, but I can have someone call you back with an estimate.",
                "Would you like a callback from our billing team about the cost?",
                "Should somebody call you back with an estimate?",
            ),
            *silent(
                "What time of day is best for the callback?",
                "I've set up the callback for you.",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def _best_time() -> Rule:
    return Rule(
        id="best-time",
        when="The agent asks at what time of day the caller would like to be called back",
        not_when=("when it asks when the caller wants to come in",),
        line="Mornings are best for the call.",
        cues=Cues(
            all_of=(_TIME_ASKED,),
            none_of=(*_NOT_THE_CALL, ASKED_NAME),
        ),
        order=12,
        tests=(
            *fires(
                "What time of day is best for the callback?",
                "Should they call you in the morning or in the afternoon?",
                "When is the best time to reach you?",
            ),
            *silent(
                "Do you prefer mornings or afternoons for your visit?",
                "May I have your full name and date of birth?",
                "Our team will call you by Wednesday morning.",
            ),
        ),
    )


def _name_number_time(name: str, phone: str) -> Rule:
    return Rule(
        id="name-and-phone-and-time",
        when="The agent asks in one turn for the name, the number and the time of day for the callback",
        not_when=("when it asks when the caller wants to come in",),
        line=f"{name}, {phone}, and mornings are best for the call.",
        cues=Cues(all_of=(ASKED_NAME, ASKED_PHONE, _TIME_ASKED), none_of=_NOT_THE_CALL),
        order=9,
        tests=(
            *fires(
                "For the callback I need your name, the best number, and whether mornings, afternoons or any "
                "time suits.",
                "Who should they ask for, what's a good number, and do you prefer mornings or afternoons?",
                "May I have your name, phone number and the best time of day to call?",
            ),
            *silent(
                "What's a good number for the callback, and what time of day?",
                "May I have your name and phone number?",
                "What time of day is best for the callback?",
            ),
        ),
    )


def _number_and_time(phone: str) -> Rule:
    return Rule(
        id="phone-and-time",
        when="The agent asks in one turn for the number and the time of day for the callback, and not for "
        "the name",
        not_when=("when it asks when the caller wants to come in",),
        line=f"{phone}, and mornings are best for the call.",
        cues=Cues(all_of=(ASKED_PHONE, _TIME_ASKED), none_of=(*_NOT_THE_CALL, ASKED_NAME)),
        order=10,
        tests=(
            *fires(
                "What's a good number for the callback, and what time of day suits you?",
                "Which phone number should they use, and do you prefer mornings or afternoons?",
                "Can I get a callback number and the best time to call?",
            ),
            *silent(
                "What's the best number to reach you at?",
                "May I have your name and phone number?",
                "What time of day is best for the callback?",
            ),
        ),
    )


def _go_on() -> Rule:
    return Rule(
        id="go-on",
        when="The agent says that a callback has been arranged, or that it can't name a cost without the "
        "member number, "
        "before anything was said of the plan or of parking",
        not_when=("when it asks for the member number", "when it offers a callback"),
        line="All right. Does Forest Hills take my plan, and is there parking?",
        cues=Cues(
            all_of=(
                any_of(
                    _PROMISED,
                    r"\b(?:couldn't|can't|cannot|unable|not able|impossible|no way"
                    r"|won't be able)\b[^.?!]*\b(?:cost|estimate"
                    r"|figure|amount"
                    r"|price|quote|say|copay|pay)\b",
                    r"\bwithout (?:a|the|your|that) (?:member|number|id)\b",
                ),
            ),
            none_of=(rf"^(?!.*(?:{_PROMISED})).*(?:{OFFERS_HUMAN})", r"\?", ASKING_IDENTITY, LATER),
        ),
        unless=("said:answer", "heard:parking", "said:go-on"),
        order=46,
        tests=(
            *fires(
                "I can't give you a cost without your member number.",
                "Without the member number there's no telling what you'd pay.",
                "Okay, the estimate has been requested.",
            ),
            *silent(
                "What's the member number on your card?",
                "I can have someone call you back with an estimate.",
                "May I have your full name and date of birth?",
            ),
        ),
    )
