"""What the agent says when something has been done, and what the caller says then."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule, Topic
from offhook_industries.common.cues import DAY, DAY_OR_TIME, any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._cues import NOT_YET, REACHED

__all__ = [
    "CANCELLED",
    "SENT",
    "booked_topic",
    "cancelled_topic",
    "moved_topic",
    "when_booked",
    "when_cancelled",
    "when_moved",
]

_HAVE: Final = (
    r"\b(?:is|are|was|been|it's|that's|you're|i've|we've|'ve|have|has|just|now|got|all|i)"
    r"(?: now| just| successfully| officially| been| all| fully| got| you| it| your| that| the| to| be)*"
)
_THROUGH: Final = (
    r"(?: just| now|'s| has| is| have)* (?:went|gone|go|goes|come|came)? ?(?:through|in (?:the"
    r"|our) (?:system|books?))\b"
)
BOOKED: Final = any_of(
    rf"\b(?:booking|reservation|appointment|visit|consult|it|that)(?:'s)?{_THROUGH}",
    r"\b(?:got|have|put|got it|placed|slotted|penciled|pencilled) you (?:now |all |down |in |set )*(?:in"
    r"|down|set|on)"
    r" (?:for|on|at|with|that|this|mon|tues|wednes|thurs|fri|satur|sun|tomorrow|the (?:\w+ )?(?:slot"
    r"|schedule|calendar|[0-9]))",
    r"\b(?:that's|it's|that is|it is) (?:all |now )?in(?:[,.!]|$)",
    r"\b(?:got|have|had) (?:that|it|you|this) (?:all )?(?:put in|put down|entered|saved|locked in)\b",
    r"\bwe(?:'ll| will) (?:look for|expect|be expecting|watch for) you\b",
    r"\b(?:i|we)(?:'ve| have)? (?:went ahead and |gone ahead and |just |now )*(?:grabbed|snagged|nabbed"
    r"|claimed)\b",
    r"\b(?:appointment|visit|slot|spot|that one|it)(?:'s| is) (?:now |all )?yours\b",
    r"\byou(?:'re| are) (?:now |all )?(?:in|down|on) (?:for|on the (?:schedule|calendar|books)|at|with)\b",
    r"\byou (?:now )?have (?:your|an) (?:appointment|visit|consult\w*|slot|spot|time)\b",
    r"\b(?:that's|it's|it is|that is|all|everything's|everything is) (?:now |all )?(?:in (?:the|our)"
    r" (?:system|book|books|calendar"
    r"|schedule)|taken care of|locked in|reserved|secured|on the (?:calendar|schedule|books)|yours)\b",
    r"\b(?:slot|spot|time|place)(?:'s| is) (?:now |all )?(?:yours|taken for you|held for you|secured"
    r"|reserved|saved|booked|set|locked in)\b",
    r"\b(?:i've|we've|i have|we have|i) (?:gone ahead and |just |now )*(?:made|set) (?:the|your|that|an)"
    r" (?:appointment|booking"
    r"|visit|reservation|consult)\b",
    rf"(?:{DAY_OR_TIME})[^.?!]{{0,25}}\b(?:is|are|it's|that's) (?:now |all )?(?:yours|set|made|in|confirmed"
    rf"|booked|reserved|done|locked in|taken care of)\b",
    r"\bthat books (?:it|you)\b|\bconsider it (?:booked|done)\b",
    rf"{_HAVE} (?:booked|scheduled|confirmed|reserved|signed up|set up|down for)\b",
    r"^(?:great|perfect|okay|ok|done|all right|wonderful|okay so|alright)?,? ?(?:so )?(?:that's "
    r"|it's )?(?:booked|scheduled|confirmed|done|all done)\b",
    r"\b(?:booked|scheduled|reserved) (?:it|your|the|you|that)\b",
    r"\bable to (?:book|schedule|reserve) (?:it|that|this|you|your)\b",
    r"\b(?:added to|put on|on) (?:the|our|your) (?:schedule|calendar|books)\b",
    r"\b(?:you're|you are|that's|it's|everything's|everything is) (?:all )?(?:set|good to go)\b",
    r"\b(?:appointment|visit|booking|consult|shot)(?:'s| has| is) (?:now |all )?(?:been )?(?:made|booked|set"
    r"|scheduled)\b",
    r"\b(?:all set|we'll see you|(?<!can )(?<!could )see you (?:on|at|then|in|next|\w+day)|look forward to"
    r" seeing you)\b",
    r"\b(?:appointment|visit|booking|consult|evaluation|consultation|shot|testing|test) (?:is|has been|is"
    r" now)"
    r" (?:all |now )?(?:booked|set|confirmed|made|complete|scheduled|on the (?:books|calendar|schedule)"
    r"|in)\b",
)
MOVED: Final = any_of(
    rf"\b(?:change|move|switch|it|that)(?:'s)?{_THROUGH}",
    r"\b(?:got|have|put) you (?:now |all )*(?:in|down|set|on) (?:for|on|at) [^.?!]*\b(?:now|instead|new)\b",
    r"\b(?:it's|that's|it is|that is|all|everything's|you're|you are) (?:now |all )?(?:changed|taken care"
    r" of|swapped|switched over"
    r"|moved over|in (?:the|our) (?:system|book|books|calendar)|down for)\b",
    r"\b(?:you're|you are|that's) (?:booked|scheduled|confirmed|rescheduled)\b",
    rf"{_HAVE} (?:moved|rescheduled|switched|rebooked|changed)\b",
    r"^(?:great|perfect|okay|ok|done|all right|wonderful|okay so|alright)?,? ?(?:so )?(?:that's "
    r"|it's )?(?:moved|rescheduled|done|all done)\b",
    r"\b(?:moved|rescheduled|switched) (?:it|your|the|you|that)\b",
    r"\b(?:you're|you are|that's|it's) (?:now |all )*(?:set|booked|scheduled|confirmed) (?:for|on|to)\b",
    r"\b(?:you're|you are|that's|it's) (?:now )?(?:all set|good to go)\b",
    r"\b(?:change|move|switch) (?:is|has been|was|'s) (?:now |all )?(?:made|done|complete|completed"
    r"|confirmed)\b",
    r"\byou(?:'re| are) now (?:the|on|at|in for|down for|coming|set)\b|\b(?:got|have) (?:it|that"
    r"|you) (?:over |now |down )*"
    r"(?:on|at|to|for)\b[^.?!]*\bnow\b",
    rf"(?:{DAY_OR_TIME})[^.?!]{{0,25}}\bis (?:now )?(?:in|yours)\b",
    r"\b(?:went|gone) from\b[^.?!]*\bto\b|\b(?:swapped|bumped|slid|shifted|pushed|changed|traded) (?:it"
    r"|you|your|that|the)\b",
    r"\bnew (?:appointment|time|visit|date|consult\w*|slot)(?: time| date)?(?: is|'s)\b",
    rf"\bis now (?:on|at|for|set|scheduled|booked|{DAY})",
    r"\b(?:all set|we'll see you|see you (?:on|at|then|in))\b",
)
CANCELLED: Final = any_of(
    r"\b(?:appointment|visit|consult|follow-?up|it|that|one)(?:'s| is| has)(?: now| all| been)? (?:gone"
    r"|history|off"
    r"|scrapped|dropped"
    r"|deleted|wiped)\b",
    r"\b(?:off|removed from|gone from|no longer on) (?:the|your|our) (?:books|schedule|calendar)\b",
    r"\bno longer (?:have|booked|scheduled|down|on)\b|\bconsider it (?:cancell?ed|done)\b",
    r"\bcancell?ation(?:'s| has| is| just)?(?: now| just)? (?:went|gone|been|come|in|done|through)\b",
    r"\bi(?:'ve| have)? (?:just |now )?(?:took|taken) (?:it|that|the|your)\b[^.?!]{0,40}\boff\b",
    rf"{_HAVE} (?:cancell?ed|taken off|taken out|removed|called off|dropped|scrapped|wiped|cleared|struck"
    r"|deleted|pulled(?! (?:up|your|the) ?(?:chart|account|record|file|info\w*|bill)?)|come off)\b",
    r"\b(?:won't|will not|not) be (?:expected|expecting)\b|\b(?:i|we)(?:'ve| have)? (?:just "
    r"|now )?(?:pulled|dropped|scrapped"
    r"|wiped|cleared|removed) (?!up\b)(?:it|that|the|your|this|\w+day's)\b(?! (?:\w+ )?(?:charts?"
    r"|accounts?|records?|file|info\w*|bill)\b)",
    r"^(?:great|perfect|okay|ok|done|all right|wonderful|okay so|alright)?,? ?(?:so )?(?:that's "
    r"|it's )?(?:cancell?ed|done|all done)\b",
    r"\bcancell?ed (?:it|your|the|that)\b",
    r"\bcancell?ation (?:is|has|was|went|just)\b[^?]*\b(?:complete|completed|confirmed|processed|done"
    r"|through|final)\b",
    r"\b(?:off|removed from) (?:the|your|our) (?:books|schedule|calendar)\b",
)
SENT: Final = any_of(
    REACHED,
    rf"{_HAVE} (?:sent|texted|e-?mailed|messaged)\b",
    r"^(?:great|perfect|okay|ok|done|all right)?[,.]? ?(?:sent|done|texted)\b",
    r"\b(?:sent|texted|e-?mailed) (?:it|you|your|the|that|a)\b",
    r"\b(?:is|it's) on (?:its|the) way\b",
    r"\b(?:went|gone) (?:out|through)\b",
)
_STANDING: Final = (
    r"\b(?:already (?:have|had|booked|scheduled)|currently|you(?:'re| are)? (?:originally|still)|i (?:see"
    r"|show|found)"
    r"|i'm (?:seeing|showing)|looks like|at the moment|right now you|is set for|on file)\b"
)
_ASKS_FIRST: Final = any_of(
    r"\b(?:right|correct|okay|ok|good|yes)\?",
    r"\b(?:is|are) (?:that|this|it|everything) (?:all )?(?:right|correct|okay|ok)\b",
    r"\bto get you\b",
    r"\b(?:shall|should) i\b",
    r"\b(?:want|like) me to (?:book|schedule|move|cancel|reschedule)\b",
    r"\b(?:so )?you(?:'d| would)? (?:want|like|need) (?:to |it |this |that |your )",
    r"\byou want (?:it|to|this|that|your)\b",
    r"\bi (?:can|could) help you\b|\babout to\b",
)


_OLD_TIME: Final = (
    r"^(?!.*\b(?:now|new|done|moved|all set|instead)\b).*\byour (?:\w+ )?(?:appointment|visit|consult\w*"
    r"|follow-?up) is "
    rf"(?:on |for )?(?:{DAY})"
)
"""Where an appointment stands, in a turn that tells of no change."""


def when_booked(
    line: str,
    *,
    name: str = "done",
    ends: bool = True,
    after: tuple[str, ...] = (),
    unless: tuple[str, ...] = (),
    order: int = 4,
    first_n: int | None = None,
) -> Rule:
    return Rule(
        id=name,
        when="The agent says that the visit or consult has now been booked, whatever it asks or offers "
        "besides",
        not_when=(
            "when it only asks whether to book, or says that it will",
            "when it speaks of an appointment that was there before the call",
        ),
        line=line,
        cues=Cues(all_of=(BOOKED,), none_of=(NOT_YET, _STANDING, _ASKS_FIRST)),
        after=after,
        unless=unless,
        order=order,
        first_n=first_n,
        ends_call=ends,
        tests=(
            *fires(
                "You're booked for Wednesday, August 19, at 10:20 AM with Hannah Whitlock, MD.",
                "Your appointment has been scheduled. Is there anything else I can help you with?",
                "All set! We'll see you on the 24th. Would you like a confirmation by text?",
                given=after,
            ),
            *silent(
                "Shall I book Wednesday, August 19, at 10:20 AM for you?",
                "One moment while I book that.",
                "May I have your full name and date of birth?",
                given=after,
            ),
        ),
    )


def when_moved(
    line: str, *, name: str = "done", ends: bool = True, after: tuple[str, ...] = (), order: int = 4
) -> Rule:
    return Rule(
        id=name,
        when="The agent says that the appointment has now been moved, or names its new time as settled, "
        "whatever it asks "
        "or offers besides",
        not_when=(
            "when it only asks whether to move it, or says that it will or can",
            "when it speaks of the time the appointment has so far",
        ),
        line=line,
        cues=Cues(all_of=(MOVED,), none_of=(NOT_YET, _STANDING, _ASKS_FIRST, _OLD_TIME)),
        after=after,
        order=order,
        ends_call=ends,
        tests=(
            *fires(
                "Your visit has been moved to Monday, August 24, at 8:40 AM.",
                "I've rescheduled it. Is there anything else I can do for you?",
                "Done. Your new appointment is Monday, August 24, at 8:40 AM.",
                given=after,
            ),
            *silent(
                "Shall I move it to Monday, August 24, at 8:40 AM?",
                "I see your follow-up is scheduled for September 15.",
                "Your visit is Tuesday, September 15, at 9 AM with Dr. Vale.",
                "Moving it is free of charge. Which day would suit you?",
                given=after,
            ),
        ),
    )


def when_cancelled(line: str, *, name: str = "done", ends: bool = True, after: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id=name,
        when="The agent says that the appointment has now been cancelled, whatever it asks or offers besides",
        not_when=("when it only asks whether to cancel, or says that it will or can",),
        line=line,
        cues=Cues(all_of=(CANCELLED,), none_of=(NOT_YET, _STANDING, _ASKS_FIRST)),
        after=after,
        order=4,
        ends_call=ends,
        tests=(
            *fires(
                "Your appointment has been cancelled, and there is no fee.",
                "It's cancelled. Is there anything else I can do for you?",
                "Okay, I've cancelled that visit for you.",
                given=after,
            ),
            *silent(
                "Shall I cancel the visit on September 14?",
                "Would you rather move it to another day than cancel it?",
                "May I have your full name and date of birth?",
                given=after,
            ),
        ),
    )


def booked_topic() -> Topic:
    return Topic("booked", Cues(all_of=(BOOKED,), none_of=(NOT_YET, _STANDING, _ASKS_FIRST)))


def moved_topic() -> Topic:
    return Topic("moved", Cues(all_of=(MOVED,), none_of=(NOT_YET, _STANDING, _ASKS_FIRST)))


def cancelled_topic() -> Topic:
    return Topic("cancelled", Cues(all_of=(CANCELLED,), none_of=(NOT_YET, _STANDING, _ASKS_FIRST)))
