"""What both callers who move a delivery say, apart from their values."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule
from offhook_industries.customer_support.tasks._cues import (
    GO_AHEAD,
    HOLD,
    IDENTITY,
    OFFERS_PERSON,
    OFFERS_TEXT,
    any_of,
    both,
    money,
)
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent

__all__ = ["FEE", "MOVED", "cost_first_rule", "which_day_rule"]

FEE: Final = money("29.99")
_OTHER_FEE: Final = r"\$ ?[0-9]|\b(?:fee|charge) of\b|\bfree of charge\b|\bno (?:fee|charge)\b"
_BOUGHT: Final = (
    r"\b(?:ordered|bought|placed|purchased?|order (?:of|from)|(?:range|stove|oven) (?:of|from))\b"
)
_DAYS: Final = r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|august|\w+teenth|twentieth)\b"
MOVED: Final = any_of(
    r"\b(?:is|are|was|been|it's|that's|'ve|have|has|just|successfully|now) (?:now |just |successfully "
    r"|been |all )*"
    r"(?:moved|rescheduled|re-scheduled|changed|scheduled|updated|set|confirmed|booked)\b",
    r"\b(?:moved|rescheduled|changed|updated) (?:it|your|the|that|to)\b",
    r"\b(?:you're|you are|that's|it's|all) (?:all )?(?:set|done|taken care of)\b",
    r"\b(?:it's|that's|is|range is|now) (?:now )?(?:down|in|on the (?:schedule|calendar|truck|books)) for\b"
    r"|\bin the system\b|\bdate (?:is|'s) in\b",
    r"\b(?:range|delivery|it) (?:will (?:now )?(?:come|arrive|be (?:there|delivered|with you))"
    r"|now (?:comes|arrives))\b",
    r"\b(?:change|move) (?:is|has been|went) (?:now )?(?:complete|confirmed|done|made|through|in)\b",
)


def which_day_rule(day: str, tests_before: str) -> Rule:
    """``day`` is the new day, in full; ``tests_before`` is an agent's sentence that names a fee."""
    return Rule(
        id="which-day",
        when="The agent asks to which day the delivery shall be moved, or offers other days to choose from",
        not_when=("when it names the fee", "when it asks who is calling, or for a proof"),
        line=f"To {day}, please.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what) (?:\w+ ){0,2}(?:day|date|days|dates)\b",
                    r"\bwhen (?:did|do|would) you (?:have in mind|want|like|prefer|need)\b"
                    r"|\b(?:know|tell me) when you(?:'d| would) (?:like|want|prefer|rather)\b",
                    r"\b(?:should|shall|would) (?:it|we|that|the \w+)\b[^.!]*\b(?:when|what day|which "
                    r"day)\b|\bwhen instead\b",
                    r"\bwhat(?:'s| is| would be| else)? (?:\w+ )?(?:a |the )?(?:better|good|best|new"
                    r"|other) (?:day|date)\b",
                    r"\bthe (?:\w+teenth|\w+ieth|[0-9]+(?:st|nd|rd|th))\b[^.!]*\bor\b[^.!]*\bthe "
                    r"(?:\w+teenth|\w+ieth"
                    r"|[0-9]+(?:st|nd|rd|th))\b",
                    r"\b(?:to|till|until|for|it|that) (?:when|what day|which day)\b|\bday\b[^.!]*\b(?:is|be) "
                    r"(?:what|which)\b|\bday (?:are|you(?:'re| are)) (?:we |you )?(?:hoping|after"
                    r"|shooting|thinking)\b",
                    r"\b(?:another|other|different|new|particular) (?:day|date)s?\b[^.!]*\b(?:mind|prefer"
                    r"|like|want|better)\b",
                    r"\b(?:name|give|tell|pick|choose)(?: me| us)? (?:me |us )?(?:a|the|your) (?:\w+ "
                    r")?(?:day|date)\b",
                    r"\bwhen (?:would|do|should|shall|can|could|will)\b[^.!]*\b(?:you|it|we|deliver\w*"
                    r"|like|prefer|work)\b",
                    r"\b(?:day|date) (?:do you|would you|works?|would work|suits?|were you|are you"
                    r"|did you|you'd)\b",
                    r"\b(?:preferred|particular|new|specific) (?:delivery )?(?:day|date)\b",
                    r"\bhow (?:about|does|would)\b[^.!]*\b(?:august|monday|tuesday|wednesday|thursday"
                    r"|friday|saturday)\b",
                    r"\b(?:august|monday|tuesday|wednesday|thursday|friday|saturday)\b[^.!]*\bor\b[^.!]*"
                    r"\b(?:august|monday|tuesday|wednesday|thursday|friday|saturday|\w+teenth"
                    r"|[0-9]+(?:st|nd|rd|th)?)\b",
                ),
            ),
            none_of=(
                *IDENTITY,
                FEE,
                rf"^(?!.*\b(?:name|tell|give|pick|choose)\b).*(?:{HOLD})",
                r"\b(?:order|buy|bought|placed)\b[^.?!]*\?",
            ),
        ),
        unless=("heard:fee",),
        order=26,
        tests=(
            *fires(
                "To which day would you like it moved?",
                "What date works best for you?",
                "And when would you like us to deliver it instead?",
                "I have Friday, August 14 or Saturday, August 15. Which one would you like?",
            ),
            *silent(*ROUTINE, tests_before),
        ),
    )


def cost_first_rule(day_words: str) -> Rule:
    """``day_words`` names the new day as an agent would read it back."""
    return Rule(
        id="cost-first",
        when="The agent asks whether to move the delivery, or reads the new day back for a yes, and has "
        "not named "
        "a fee or said that it is free",
        not_when=("when it only asks which day", "when it asks who is calling, or for a proof"),
        line=f"Before you do that, is there a charge for moving it to {day_words}?",
        cues=Cues(
            all_of=(
                any_of(
                    GO_AHEAD,
                    r"\b(?:you'd like|you want|want me|like me|so|shall|should|confirm)\b[^.!]*"
                    r"\b(?:mov(?:e|ed|ing)|chang(?:e|ed|ing)|reschedul\w+|shift\w*|push\w*|switch\w*"
                    r"|swap\w*|deliver\w*|brought)\b[^.!]*\?",
                    r"\b(?:rather than|instead of|not) tomorrow\b[^!]*\?",
                    rf"\bi(?:'ve| have| can)\b[^.!]*(?:{_DAYS})[^!]*\b(?:want|take|like) (?:it|that)\W*$",
                    rf"(?:{_DAYS}).{{0,40}}\b(?:right|correct|yes|okay|ok|works?|that day)\b[^!]*\?",
                    both(
                        r"\b(?:move|change|reschedule|deliver)",
                        r"\b(?:is that|that|right"
                        r"|correct)\b[^.!]*\?",
                    ),
                ),
                r"\b(?:mov\w*|chang\w*|reschedul\w*|shift\w*|push\w*|switch\w*|swap\w*|deliver\w*"
                r"|go ahead|proceed|lock|book|set|put"
                r"|confirm|do (?:that|it|this)|tomorrow|\w+teenth|twentieth|monday|tuesday|wednesday"
                r"|thursday|friday|saturday|august)\b",
            ),
            none_of=(
                *IDENTITY,
                FEE,
                NOT_YET_ASKED,
                r"\border number\b|\b(?:that|this) the (?:one|delivery|order|range)\b|\b(?:talking|calling"
                r"|asking) about\W*$",
                r"\b(?:which|what|when) ",
                HOLD,
                _OTHER_FEE,
                OFFERS_PERSON,
                OFFERS_TEXT,
                _BOUGHT,
            ),
        ),
        unless=("heard:fee",),
        order=30,
        tests=(
            *fires(
                f"So you'd like the delivery moved to {day_words}, is that right?",
                f"Shall I go ahead and move it to {day_words}?",
                "Do you want me to change the delivery date?",
            ),
            *silent(
                *ROUTINE,
                f"Moving it to {day_words} costs $29.99. Shall I go ahead?",
                "To which day would you like it moved?",
            ),
        ),
    )


NOT_YET_ASKED: Final = r"\b(?:look|pull|find|bring) (?:up|that|it|into)\b"
