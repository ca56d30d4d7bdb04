"""Choosing a time and agreeing to it: what callers who book, move or cancel say to offers and read-backs."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule
from offhook_industries.common.cues import (
    ASKS_WHEN,
    DAY_OR_TIME,
    any_of,
    both,
)
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._cues import (
    ASKING_IDENTITY,
    BOOK_ASK,
    CHECKING,
    HELD,
    HOURS_SAID,
    OFFERS_MESSAGE,
    OFFERS_TIMES,
    READS_BIRTH,
    SEVERAL,
    STANDING,
)
from offhook_industries.healthcare.tasks._outcomes import BOOKED
from offhook_industries.healthcare.tasks._refusals import OFFERS_HUMAN, WAITING

__all__ = [
    "MOVE_OFFER",
    "accepts_terms",
    "any_time",
    "books_it",
    "looks_please",
    "moves_it",
    "no_cancelling",
    "takes_first",
]

_VISIT: Final = r"(?:appointment|visit|consult(?:ation)?|follow-?up|time|booking|slot)"
_BOOK: Final = (
    r"(?:book|schedule|reserve|lock|put|finali[sz]e|confirm|go ahead|proceed|set|place|sign|get you)"
)
_MOVE: Final = (
    r"(?:move|reschedule|swap|trade|switch|change|bump|shift|push|transfer|go ahead|proceed|make (?:the"
    r"|that) change|do"
    r" that|confirm)"
)
_NOT_THIS: Final = (
    ASKING_IDENTITY,
    READS_BIRTH,
    HOURS_SAID,
    OFFERS_MESSAGE,
    WAITING,
    r"\blinks?\b",
    r"\bportal\b",
    OFFERS_HUMAN,
)
_IN_GENERAL: Final = (
    rf"\b(?:an?|another|your first|that first|the first|a new|some) (?:\w+ ){{0,3}}{_VISIT}\b"
)
_ASK_BOOK: Final = any_of(
    rf"\b(?:shall|should|may|can|could) (?:i|we) (?:\w+ ){{0,3}}{_BOOK}\b",
    rf"\b(?:want|like|need) (?:me|us) to (?:\w+ ){{0,3}}{_BOOK}\b",
    rf"\b(?:okay|ok|all right|alright|fine|ready) (?:if i|for me|to) (?:\w+ ){{0,2}}{_BOOK}\b",
    r"\b(?:may|can|do) i (?:have|get)? ?your (?:ok|okay|yes|go-ahead|go ahead|confirmation)\b",
    rf"\b(?:would|do|did) you (?:like|want) to (?:\w+ ){{0,3}}(?:{_BOOK}|make) (?:it|that|this)\b",
    r"\bwant (?:that|this|it)(?: one)? (?:locked|booked|saved|held|put|set)\b",
)
_ASK_MOVE: Final = any_of(
    rf"\b(?:shall|should|may|can|could|do) (?:i|we) (?:\w+ ){{0,3}}{_MOVE}\b",
    rf"\b(?:want|like|need) (?:me|us) to (?:\w+ ){{0,3}}{_MOVE}\b",
    rf"\b(?:okay|ok|all right|alright|fine|ready) (?:if i|for me|to) (?:\w+ ){{0,2}}{_MOVE}\b",
    r"\b(?:may|can|do) i (?:have|get)? ?your (?:ok|okay|yes|go-ahead|go ahead|confirmation)\b",
)
MOVE_OFFER: Final = any_of(
    r"\b(?:different|another|other|later|new) (?:week|month|slot|appointment)s?\b",
    r"\b(?:mov(?:e|ing)|reschedul\w*|rebook\w*|switch\w*|shift\w*|push\w*|bump\w*|another (?:day|time"
    r"|date)|different (?:day|time|date)"
    r"|other (?:day|time|date)s?|later (?:day|time|date)|new (?:day|time|date))\b",
)
_TERMS: Final = (
    r"(?:\bcancel\w*[^.?!]{0,40}(?:\$|\bdollars\b|\bbucks\b)|\b(?:fees?|charges?|deposit|policy|terms"
    r"|refundable|notice|24|48|twenty[- ]four|forty[- ]eight|(?:2 4|4"
    r" 8) hours?)\b)"
)
_ASK_TERMS: Final = any_of(
    r"\bsomething you can\b|\bunderstood\W*$",
    r"\b(?:you|you're|you are|that|that's)(?: \w+)? (?:alright|all right|okay|ok|fine|good|comfortable"
    r"|happy) with"
    r" (?:that|it|this|those|the)\b",
    r"\bstill want\b|\bwant to (?:go on|go ahead|continue|proceed)\b",
    r"\b(?:need|have|get|got) your (?:okay|ok|yes|agreement|consent|go[- ]ahead)\b",
    r"\b(?:is|would|will) (?:that|this|it) (?:be )?(?:a|an|any) (?:problem|issue|concern)\b",
    r"\b(?:okay|ok|agree|accept|understand|all right|alright|fine|comfortable|acceptable|happy"
    r"|good)\b[^.!]{0,40}\?",
    r"\b(?:do|can|could|would|will|are) you (?:\w+ )?(?:agree|accept|okay|ok|comfortable|fine|understand"
    r"|acknowledge"
    r"|confirm|happy|all right|alright|good)\b",
    r"\b(?:does|is|would) (?:that|this|it)\b[^.?!]{0,30}\b(?:work|okay|ok|fine|good|acceptable|all right"
    r"|alright)\b",
)


def takes_first(
    after: tuple[str, ...] = (), unless: tuple[str, ...] = (), given: tuple[str, ...] = ()
) -> Rule:
    """``given`` events are for the examples alone."""
    return Rule(
        id="first-time",
        when="The agent offers several days or times to choose from, asks which one the caller wants, or "
        "tells of one "
        "free day or time without asking anything about it",
        not_when=(
            "when it reads one single time back for a yes or a no",
            "when it says that the visit has been booked or moved",
        ),
        line="I'll take the first one, please.",
        cues=Cues(
            all_of=(
                any_of(OFFERS_TIMES, both(DAY_OR_TIME, r"\b(?:how about|or|opening|available)\b")),
                any_of(DAY_OR_TIME, r"\b(?:which|any|either|one) of (?:those|these|them)\b"),
            ),
            none_of=(
                *_NOT_THIS,
                HELD,
                STANDING,
                BOOKED,
                r"\bat (?:one|1) of\b",
                r"\b(?:call|ring|reach|phone|telephone) you\b",
                r"\b(?:booked|rescheduled|moved|added to)\b",
                r"\bwhat (?:day|time|days|times)\b",
            ),
        ),
        after=after,
        unless=unless,
        order=16,
        tests=(
            *fires(
                "I have Wednesday at 10:20 AM, Thursday at 9 AM, or Friday at 2 PM. Which would you like?",
                "There are two openings, August 19 at 10:20 AM and August 20 at 3 PM.",
                "The earliest opening is Wednesday, August 19, at 8:40 AM.",
                given=(*after, *given),
            ),
            *silent(
                "What day works best for you?",
                "May I have your full name and date of birth?",
                "That's Wednesday, August 19, at 10:20 AM with Hannah Whitlock. Shall I book it?",
                given=(*after, *given),
            ),
        ),
    )


def any_time(after: tuple[str, ...] = (), unless: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id="any-time",
        when="The agent asks when the caller would like to come, or which day, time of day or provider they "
        "prefer",
        not_when=("when it offers particular days or times", "when it asks for identity details"),
        line="No preference. The first opening you have, please.",
        cues=Cues(
            like=(
                "What day works for you?",
                "When were you hoping to come in?",
                "Are some days better for you than others?",
                "Is there a particular doctor you'd like to see?",
                "Do you prefer mornings or afternoons?",
            ),
            all_of=(
                any_of(
                    ASKS_WHEN,
                    r"\bmornings?,? or (?:an? |the )?afternoons?\b",
                    r"\b(?:particular|specific|certain|preferred|prefer|preference|any) (?:\w+ ){0,3}"
                    r"(?:provider|doctor|dermatologist|clinician)\b",
                    r"\b(?:provider|doctor|dermatologist|day|time)s? (?:preference|in mind|you (?:prefer"
                    r"|like))\b",
                    r"\bhow soon\b",
                    r"\b(?:days?|times?)\b[^.?!]{0,20}\b(?:don't|doesn't|do not|won't|can't) (?:work|make)\b",
                    r"\b(?:any|which|what|a) (?:\w+ )?(?:days?|times?|part of the (?:day|week))(?:"
                    r" \w+){0,4} (?:better|best|easier"
                    r"|good|easiest|suits?|works?|prefer)\b",
                    r"\btime of (?:the )?day\b",
                    r"\b(?:any|which|what|are there) (?:\w+ )?(?:days?"
                    r"|times?)\b[^.?!]{0,30}\b(?:off the table"
                    r"|off limits|out|to avoid|to skip|bad)\b",
                    r"\bwhat works (?:best )?for you\b|\bwhat (?:are|is|do) your (?:mornings|afternoons"
                    r"|days|week|schedule)\b",
                    r"\bwhat (?:were|are) you (?:thinking|hoping|looking)\b(?! (?:at|to (?:have|do|get)))",
                    r"\bhow(?:'s| is| does)\b[^.?!]{0,15}\b(?:week|schedule|calendar)\b[^.?!]{0,12}\blook",
                    r"\b(?:early|earlier|sooner|first thing)\b[^.?!]{0,30}\bor\b[^.?!]{0,20}\b(?:late"
                    r"|later)\b",
                    r"\b(?:tell me|let me know|give me|name) (?:\w+ ){0,3}(?:days?|times?)\b(?! of)",
                    r"\b(?:man|male|woman|female|lady)\b[^.?!]{0,12}\bor\b[^.?!]{0,12}\b(?:man|male|woman"
                    r"|female|lady)\b",
                    r"\bwhat\b[^.?!]{0,30}\b(?:move|change|switch|push) (?:it|that|this)? ?to\b",
                    r"\bhow (?:much|far) (?:sooner|earlier|later|out|ahead)\b|\b(?:to|for|on|until) when\b",
                    r"\b(?:after school|mornings?|afternoons?|evenings?|lunch\w*)\b[^.?!]{0,20}\bor\b"
                    r"[^.?!]{0,20}\b(?:after school|mornings?|afternoons?|evenings?|lunch\w*)\b",
                    r"\bflexible\b|\byour (?:availability|schedule)\b|\b(?:anyone|anybody|someone) (?:in"
                    r" particular|specific|special)\b",
                    r"\b(?:a|any|your) (?:\w+ )?preference\b|\bprefer (?:one|dr|doctor|a particular)\b",
                    r"\b(?:day|date|time|dates|days|times) in mind\b|\b(?:what|which)(?:'s| is| would"
                    r" be)?(?: be)? a (?:better|good) (?:day|time)\b",
                    r"\bwhen (?:were|are|would|do|did|could|can|should|might) (?:you|we)\b",
                    r"\bhow (?:early|soon|late|far out)\b",
                    r"\bmornings?\b[^.?!]{0,20}\bor\b[^.?!]{0,12}\b(?:afternoons?|evenings?)\b",
                    r"\b(?:provider|doctor|dermatologist|clinician|day|time|date)s?(?: \w+)? you(?:'d|"
                    r" would| usually| want| like| prefer)\b",
                ),
            ),
            none_of=(
                *_NOT_THIS,
                HELD,
                r"\b(?:call|ring|reach|phone|telephone) (?:you|back)\b|\bcall-?back\b",
                r"\bwhen (?:did|were|was) (?:you|it|this|your) (?:born|first|last|start|notice)\b",
                r"\b[0-9]{1,2}:[0-9]{2}\b",
                r"\b(?:a ?m|p ?m)\b",
                r"\bwhen did\b(?! you have in mind)|\bnotice\w*\b|\blast (?:shot|one|dose|visit|time)\b"
                r"|\b(?:born|birth|pharmacy|best time to call|call you)\b",
                r"\b(?:which|what) (?:one|of (?:those|these))\b",
            ),
            threshold=0.78,
        ),
        after=after,
        unless=unless,
        order=20,
        tests=(
            *fires(
                "What day and time would work best for you?",
                "Do you prefer mornings or afternoons for the visit?",
                "Is there a particular provider you'd like to see?",
                given=after,
            ),
            *silent(
                "What's your date of birth?",
                "I have Wednesday at 10:20 AM or Thursday at 9 AM. Which one would you like?",
                "Let me check the schedule.",
                given=after,
            ),
        ),
    )


def looks_please(after: tuple[str, ...] = (), unless: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id="look-please",
        when="The agent asks whether to look for times, or whether the caller wants to book a visit or "
        "consult at all, "
        "without naming a day or time",
        not_when=("when it asks which day or time is preferred",),
        line="Yes, please. The first opening you have.",
        cues=Cues(
            like=(
                "Would you like me to see what times are open?",
                "Do you want me to find you something there?",
                "Shall I look for an appointment?",
            ),
            all_of=(
                any_of(
                    r"\b(?:would you like|do you want|did you want|shall i|should i|want me to|like me to"
                    r"|can i|may i|could"
                    r" i|like us to)\b[^.?!]{0,40}\b(?:look|check|find|search|see|pull up|show|hear|go"
                    r" over)\b[^.?!]{0,40}"
                    r"\b(?:times?|openings?|availab\w*|slots?|schedule|appointments?|dates?|calendar|what's"
                    r" (?:open|free))\b",
                    rf"\b(?:would you like|do you want|did you want|shall i|should i|want me to|like me to"
                    rf"|interested in|i'd be (?:glad|happy) to|happy to|glad to|i can|i could|let's"
                    rf"|ready to|can i|like)\b[^.?!]{{0,30}}\b(?:book|schedul\w*|set up|make|come in|get"
                    rf"|arrange|have)\b"
                    rf"[^.?!]{{0,20}}{_IN_GENERAL}",
                    r"\b(?:would you like|do you want) to come in\b",
                    r"\b(?:i can|i could|we can|happy to|glad to|(?:want"
                    r"|like) me to)\b[^.?!]{0,15}\b(?:look|check|find"
                    r"|search|see)\b[^.?!]{0,30}\b(?:times?|openings?|availab\w*|slots?|spots?|appointments?"
                    r"|something|schedule|calendar)\b",
                    r"\b(?:shall|should|want|like)\b[^.?!]{0,20}\b(?:see|pull up|find out|look at) what\b",
                    r"\b(?:would it help|if i|want|shall|should)\b[^.?!]{0,20}\b(?:check|look"
                    r"|see)\w*\b[^.?!]{0,15}\bwhat's"
                    r" (?:open|free|available)\b",
                    r"\b(?:were|are|did|do) you (?:want\w*|looking|hoping"
                    r"|like)\b[^.?!]{0,25}\b(?:scheduled|booked"
                    r"|set up|on the (?:calendar|schedule|books))\b",
                    r"\b(?:shall|should|want|like|can|could|may|happy to"
                    r"|let me know)\b[^.?!]{0,30}\bsee what\b[^.?!]{0,30}(?:\b(?:got|has|have|available"
                    r"|open|free)\b|'s got)",
                    r"\b(?:shall i|should i|want me to|like me to|can i|may i|could i|shall"
                    r" we)\b[^.?!]{0,20}\b(?:look|check|find|search|see)\b"
                    r"[^.?!]{0,20}\b(?:something|anything|a (?:spot|place|time|day|slot)|what(?:'s| is| we|"
                    r" they| there| they've| we've|'ve))\b",
                ),
            ),
            none_of=(
                HELD,
                *_NOT_THIS,
                DAY_OR_TIME,
                r"\b(?:cancel|waive|when|how (?:soon|early)|(?:what|which) (?:day|time))\b",
            ),
            threshold=0.78,
        ),
        after=after,
        unless=unless,
        order=19,
        tests=(
            *fires(
                "Would you like me to look for openings there?",
                "Shall I check what times are available?",
                "Would you like to book a visit?",
                given=after,
            ),
            *silent(
                "What day works best for you?",
                "May I have your full name and date of birth?",
                "Let me look at the schedule.",
                given=after,
            ),
        ),
    )


def books_it(
    line: str = "Yes, please book that.", unless: tuple[str, ...] = (), given: tuple[str, ...] = ()
) -> Rule:
    return Rule(
        id="book-it",
        when="The agent reads one time, or the visit it is about to book, back and asks whether to book it "
        "or whether "
        "it is all right",
        not_when=(
            "when there are several times to choose from",
            "when it says that the visit has been booked",
            "when it asks for identity details",
        ),
        line=line,
        cues=Cues(
            all_of=(any_of(both(DAY_OR_TIME, BOOK_ASK), _ASK_BOOK),),
            none_of=(
                *_NOT_THIS,
                SEVERAL,
                rf"^(?!.*(?:{DAY_OR_TIME})).*(?:{_IN_GENERAL})",
                rf"^(?!.*(?:{DAY_OR_TIME}|\b(?:book|schedul|reserv|hold|lock|save)\w*)).*(?:{_TERMS})",
                r"\b(?:what|who|which|where|how) (?:should|shall|can|do|may) (?:i|we)\b",
                r"\b(?:look (?:for|at|up|into)|looking|check|search|see what)\b",
                r"\b(?:is|been|'re|are) (?:now |all )?booked\b",
                r"\bcancel (?:it|your|the|that|this)\b",
                r"\b(?:sooner|earlier) (?:day|time|opening)s?\b[^.]*\?",
            ),
        ),
        unless=unless,
        order=14,
        tests=(
            *fires(
                "That's Wednesday, August 19, at 10:20 AM with Hannah Whitlock, MD, on the fourth floor. "
                "Shall I book it?",
                "I can get you in Tuesday the 18th at 8:40 in the morning. Does that work for you?",
                "Would you like me to go ahead and book that?",
                given=given,
            ),
            *silent(
                "I have Wednesday at 10:20 AM or Thursday at 9 AM. Which would you like?",
                "Before I book it, may I have your full name and date of birth?",
                "What day works best for you?",
                given=given,
            ),
        ),
    )


def moves_it(line: str = "Yes, please move it there.", after: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id="move-it",
        when="The agent reads one new time back and asks whether to move the appointment to it, or whether "
        "it suits",
        not_when=(
            "when there are several times to choose from",
            "when it says that the appointment has been moved",
            "when it asks for identity details",
        ),
        line=line,
        cues=Cues(
            all_of=(any_of(both(DAY_OR_TIME, any_of(BOOK_ASK, _ASK_MOVE)), _ASK_MOVE, _ASK_BOOK),),
            none_of=(
                *_NOT_THIS,
                SEVERAL,
                r"\b(?:look (?:for|at|up|into)|looking|check|search|see what|which)\b",
                r"\b(?:has|have|is|been) (?:now |all )?(?:been )?(?:moved|rescheduled)\b",
                r"\bcancel (?:it|your|the|that|this)\b",
                r"\b(?:is (?:that|this|it) the (?:one|appointment|visit|consult)|which (?:appointment|visit"
                r"|one))\b",
            ),
        ),
        after=after,
        order=14,
        tests=(
            *fires(
                "I can move your visit to Monday, August 24, at 8:40 AM, free of charge. Shall I do that?",
                "The first opening is August 24 at 8:40 AM with Hannah Whitlock. Does that work for you?",
                "Would you like me to move it there?",
                given=after,
            ),
            *silent(
                "I have Monday at 8:40 AM or Tuesday at 9 AM. Which would you like?",
                "May I have your full name and date of birth?",
                "What day works best for you?",
                given=after,
            ),
        ),
    )


def accepts_terms(line: str, unless: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id="terms-ok",
        when="The agent states the terms of cancelling, a fee or a deposit and asks whether they are all "
        "right, and does "
        "not ask whether to book a time in the same turn",
        line=line,
        cues=Cues(
            all_of=(_TERMS, _ASK_TERMS),
            none_of=(HELD, ASKING_IDENTITY, CHECKING, r"\blinks?\b", r"\b(?:pay|text)\b[^.]*\?"),
        ),
        unless=unless,
        order=18,
        tests=(
            *fires(
                "You can cancel free of charge up to 48 hours before, otherwise there is a fee. Is that "
                "okay?",
                "There's a $50.00 deposit for the visit. Do you accept that?",
                "Cancelling late costs a fee. Are you all right with those terms?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "What day works best for you?",
                "You can cancel free of charge up to 24 hours before.",
            ),
        ),
    )


def no_cancelling(line: str = "No, please don't cancel it. I only want it moved.") -> Rule:
    return Rule(
        id="no-cancelling",
        when="The agent asks whether to cancel the appointment, or offers to",
        not_when=("when it only explains until when cancelling is free",),
        line=line,
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:shall|should|want me to|like me to|like to|can|may|could|or|want to|rather"
                    r"|prefer) (?:i |we "
                    r"|just |that )*cancel\b",
                    r"\bcancel (?:it|your|the|that|this)\b[^.!]*\?",
                    r"\b(?:are|so) we(?:'re)? cancell?ing\b|\bcancell?ing (?:it|this|that|your)\b[^.!]*\?",
                    r"\b(?:shall|should|want me to|like me to|can|may|could) (?:i |we |just )*(?:take"
                    r"|drop|scratch"
                    r"|scrap|pull|remove) (?:it|that|this|the|your)\b[^.?!]*(?:\boff\b|\baltogether\b"
                    r"|\bentirely\b"
                    r"|\binstead\b|\bcompletely\b)",
                ),
            ),
            none_of=(ASKING_IDENTITY, r"\b(?:hours|fee|free)\b"),
        ),
        order=15,
        tests=(
            *fires(
                "Would you like me to cancel it instead?",
                "Do you want to move the visit or cancel it?",
                "Shall I cancel the appointment?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "What day works best for you?",
                "You can cancel free of charge up to 24 hours before.",
            ),
        ),
    )
