"""What callers say whose device is broken, apart from their values."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Rule, Topic
from offhook_industries.customer_support.tasks._cues import (
    ASKS_CARD,
    ASKS_NAME,
    ASKS_ORDER,
    ASKS_PHONE,
    ASKS_ZIP,
    BOOKED,
    CONFIRMING,
    GO_AHEAD,
    HOLD,
    IDENTITY,
    NOT_YET,
    any_of,
    both,
)
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent

__all__ = [
    "BOOKED_NOW",
    "at_a_store_rule",
    "book_it_rule",
    "booked_topic",
    "coverage_call",
    "day_and_place_rule",
    "near_rule",
    "no_booking_rule",
    "what_day_rule",
    "what_happened_rule",
]

_WHAT_HAPPENED: Final = any_of(
    r"\bis it (?:just |only )?the (?:screen|glass|battery|display|port|charger|cable|keyboard|back"
    r"|camera|paper"
    r"|ink|power)\b[^.!]*\?",
    r"\bwhere (?:is|exactly is) it (?:broken|cracked|damaged|hurt)\b|\bhow (?:bad|badly)\b",
    r"\bwhat(?:'s| is| was| seems| exactly|'s been)?\b[^.!]{0,30}\b(?:happen\w*|wrong|the "
    r"matter|problem|issue|trouble|"
    r"going on|damaged?|symptoms?|doing|broke\w*|cause[sd]?)\b",
    r"\bhow did\b[^.!]*\b(?:happen|break|crack|get)\b|\bhow (?:it|that|this) (?:all )?(?:happened|broke"
    r"|cracked|fell)\b",
    r"\b(?:glass|screen|display|keyboard|case|body|port|battery|light)\b[^.!]*\b(?:broken|cracked"
    r"|shattered|react"
    r"\w*|respond\w*|work\w*|come on|intact|bent|blink\w*)\b[^.!]*\?",
    r"\b(?:did|does|is|has) it\b[^.!]*\b(?:land\w*|hit|noise|sound|smell\w*|blink\w*|react\w*|boot|start up"
    r"|prints?|respond\w*)\b",
    r"\b(?:is|was|are) (?:anything|something|any part|it) (?:\w+ )?(?:broken|damaged|loose|bent|cracked"
    r"|burned|burnt)\b",
    r"\bsince when\b|\bwhen did (?:it|that|this|the \w+) (?:start|stop|begin|break|happen|quit|die|fail"
    r"|go|crack)\b",
    r"(?:^|[.,!?;] |\b(?:and|but|or|so|right) )(?:was|has|have|did|is|were|are|does|do|any"
    r"|had)\b[^.!]*\b(?:drop\w*|spill\w*|liquid|water|wet|fall|fell"
    r"|damaged?|crack\w*|"
    r"accident|power|turn(?:s|ing)? "
    r"on|swollen|hot|swelling|lights?|error|message|charger|outlet|plugged|tried|restart\w*"
    r"|reset)\b[^.!]*(?:\?|$)",
    r"\b(?:describe|tell me (?:more|about|what|a bit|a "
    r"little))\b[^.!]*\b(?:problem|issue|wrong|happen\w*|doing|it|damage)\b",
    r"\bhave you (?:already )?(?:tried|checked)\b",
    r"\b(?:did|has|had) (?:anything|something|it)\b[^.!]*\bhappen\w*\b",
    r"\bwhat (?:did|have|had) you (?:do|done)\b|\bhow(?:'d| did) (?:it|that|the \w+) (?:come to|get)\b",
    r"\b(?:does|do|is|can) the (?:touch|screen|keyboard|buttons?|speakers?|camera|lights?)\b",
    r"\b(?:notice\w*|seen|see) (?:anything|something)\b",
    r"\b(?:does|did|is|will|can) it\b[^.!]*\b(?:charge|work|turn on|come on|power up|dead|print)\b(?! "
    r"(?:best|for you))",
    r"\b(?:like|need|want) to (?:hear|know) what (?:it's|it is|happened|the)\b",
)
# An agent that reads the caller's own ZIP code back does not ask for it.
_DIGIT: Final = r"(?:[0-9]|zero|oh|one|two|three|four|five|six|seven|eight|nine)"
_ZIP_WANTED: Final = rf"{ASKS_ZIP}(?!(?: code)?(?: is| of|,|:)* (?:{_DIGIT}[ -]?){{5}})"
_TOO_SOON: Final = r"\b(?:could|can|would|might|(?<!we )will) (?:then |also )?(?:see|expect)\b"
BOOKED_NOW: Final = any_of(
    BOOKED,
    r"\bbooked (?:for|in|on|it|that|you)\b|\b\w+'s booked\b|\b(?:all|that's) booked\b",
    r"\b(?:on|in) (?:the|our|their) (?:schedule|calendar|list|books|system)\b",
    r"\b(?:(?<!have you )down|penciled in|pencilled in|signed up) for (?:\w+ ){0,3}(?:monday|tuesday"
    r"|august)\b",
    r"\b(?:be|are) waiting for you\b|\blooking forward to seeing you\b",
    r"\b(?:slot|spot|visit|appointment|time|booking)(?: is|'s| has)(?: been| now| all)* (?:yours|taken"
    r"|made|in"
    r"|secured|fixed|saved|confirmed|booked|held|set|gone through|through)\b",
    r"\b(?:your|that's your|got your) (?:slot|spot|visit|appointment|time)(?:'s| is)?(?: all| now)? "
    r"(?:saved|secured|confirmed|booked|held|set)\b",
    r"\b(?:appointment|visit|confirmation) (?:number|id)\b",
    r"\b(?:you're|you are|that's|all) (?:all )?(?:set|done|taken care of|booked in)\b",
    r"\b(?:expecting|expect|see) (?:you|your)\b",
)
_PLACE: Final = any_of(
    r"\b(?:near|nearest|close|closest|nearby|around|convenient|area|town|city|location|located|visit|go "
    r"to|bring|"
    r"drop (?:it )?off|which store|what store|store (?:do|would|are|is|should|near|you)|stores?)\b"
)

_ASKS_PLACE: Final = any_of(
    rf"(?:{ASKS_ZIP})[^?]*(?:{_PLACE})|(?:{_PLACE})[^?]*(?:{ASKS_ZIP})",
    r"\b(?:which|what) (?:\w+ ){0,2}(?:stores?|locations?|city|town|area)\b",
    r"\bwhat(?:'s| is| would be) (?:a|the) (?:\w+ )?(?:location|store|spot|place) (?:for|near|to)\b",
    r"\bwhere(?:abouts)? (?:are|do) you (?:located|live|based)\b|\bwhere (?:should|shall|would|does) the "
    r"store\b",
    r"\b(?:any|a) (?:particular|preferred|specific|favou?rite|certain) (?:store|location|branch)\b",
    r"\bstore (?:that )?you(?:'d| would| usually| normally)? (?:like|prefer|rather|want"
    r"|go|use|shop)\b",
    r"\bwhere (?:would|do|are|should) "
    r"you\b[^.!]*\b(?:like|live|bring|located|prefer|want|go|based)\b",
    r"\b(?:nearest|closest|convenient|preferred)\b[^.!]*\b(?:store|location)\b[^.!]*\?",
    r"\b(?:store|location)\b[^.!]*\b(?:convenient|close|closest|nearest|near|work|okay"
    r"|ok)\b[^.!]*\?",
)
_ASKS_DAY: Final = any_of(
    r"\b(?:which|what) (?:\w+ ){0,2}(?:day|date|time|days|dates|times)\b",
    r"\bwhen (?:would|do|should|can|could|are|will)\b[^.!]*\b(?:you|it|we|like|come"
    r"|bring|works?|good)\b",
    r"\b(?:day|date|time) (?:do you|would you|works?|would work|suits?|were you|are "
    r"you|did you|you'd)\b",
    r"\b(?:preferred|particular|specific) (?:day|date|time)\b",
    r"\b(?:morning|afternoon)s? or (?:in the |an |the )?(?:morning|afternoon|evening)s?\b",
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow"
    r"|august)\b[^.!]*\bor\b[^.!]*"
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|\w+teenth"
    r"|[0-9]+(?:st|nd|rd|th)?)\b",
    r"\b(?:have|openings?|available|slots?|earliest|soonest|first|how "
    r"about|does|would)\b[^.!]*"
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|august)\b",
    r"\b(?:works|suits|good|best) (?:for )?you[ ,]+(?:day|date|time)[- ]?wise\b",
    r"\b(?:pick|choose|name|give|tell)(?: me| us)? (?:a|the|your|which|what) (?:\w+ )?(?:day|date|time)\b",
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'?s? (?:is )?(?:the|my|our) "
    r"(?:soonest|earliest|first|next|only)\b",
    r"\b(?:come|bring it|drop it)\b[^.!]*\bwhen\W*$|\b(?:day|date|time)s? in mind\b",
    r"\b(?:could|can|would) (?:see|take|fit|do|offer)\b[^.!]*\bthe (?:\w+teenth|\w+ieth|\w+-?first"
    r"|[0-9]+(?:st|nd|rd|th))\b[^.!]*\bor\b",
    r"\b(?:only|could do|can do|could offer|full|booked up|taken|not available|no openings?)\b"
    r"[^.!]*\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|august)\b",
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|august)\b[^.!]*\b(?:only|full"
    r"|booked up|taken|instead|gone|closed|works|work|free|open)\b",
    r"\bhow soon\b|^(?:and |okay,? |now )?(?:the |which |what )?(?:day|date)\W*$",
)


def coverage_call(order_number: str, failure: str) -> ExpectedCall:
    return ExpectedCall("check_coverage", arguments={"order_number": order_number, "failure": failure})


def booked_topic() -> Topic:
    return Topic("booked", Cues(all_of=(BOOKED_NOW,), none_of=(NOT_YET, HOLD, _TOO_SOON, r"\?")))


def what_happened_rule(line: str, device: str) -> Rule:
    return Rule(
        id="what-happened",
        when=f"The agent asks what is wrong with the {device}, what happened to it, or a question about "
        f"the fault "
        "(dropped, wet, does it turn on, what was tried)",
        not_when=("when it asks who is calling, for a proof or for the order",),
        line=line,
        cues=Cues(
            all_of=(_WHAT_HAPPENED,),
            none_of=(
                *IDENTITY,
                r"\b(?:anything|something) else\b(?! (?:wrong|broken|the matter|happen))",
                r"\border number\b",
                r"\$",
            ),
        ),
        order=26,
        tests=(
            *fires(
                f"What seems to be wrong with the {device}?",
                "Can you tell me what happened?",
                f"Was the {device} dropped, or did it get wet?",
                "Could you describe the problem for me?",
            ),
            *silent(
                *ROUTINE,
                f"Which {device} is it, and do you have the order number?",
                "Is there anything else?",
            ),
        ),
    )


def no_booking_rule(topic: str, line: str) -> Rule:
    """For callers who only want to know who pays. ``topic`` is what they are waiting for."""
    return Rule(
        id="no-booking",
        when="The agent offers to book a repair, or asks when or where the caller would bring the "
        "device, before "
        "it has said who pays",
        not_when=("when it says what the repair costs or who pays", "when it asks for anything else"),
        line=line,
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:would you like|do you want|did you want|you wanting|want to|shall i|shall we"
                    r"|should i|should we"
                    r"|can i|want me to|like me to|we "
                    r"can|we could|i can|i could|let's|let me|how about|why not|why don't|i'd|i've got|i "
                    r"have)"
                    r"\b[^.!]*\b(?:book\w*|schedul\w+|appointment|set (?:you )?up|repair\w*|bring|come in"
                    r"|come into|come by|visit|opening|slot)\b",
                    r"\bwhen (?:could|can|would|will|do|are) you\b[^.!]*\b(?:bring|come|drop|free|make it)\b",
                    r"\bwant (?:it|that one|that slot|me to (?:book|take))\b[^.!]*\?",
                    r"\b(?:i|we) (?:can|could)\b[^.!]*\b(?:slot|fit|squeeze|get|have|put) you (?:in|on"
                    r"|down)\b",
                    r"\b(?:let's|let me|i'll) (?:get|put) you (?:in|on|down)\b",
                    r"\b(?:which|what|when)\b[^.!]*\b(?:day|date|store|time)\b[^.!]*"
                    r"\b(?:bring|come|appointment|suit|work|like|repair|prefer)\b",
                ),
            ),
            none_of=(*IDENTITY, ASKS_ORDER, r"\$", r"\b(?:cover\w*|nothing|free)\b"),
        ),
        unless=(f"heard:{topic}",),
        order=24,
        tests=(
            *fires(
                "Would you like me to book a repair for you?",
                "I can schedule an appointment at a store near you.",
                "Which day would you like to come in for the repair?",
            ),
            *silent(*ROUTINE, "Let me check whether it's covered."),
        ),
    )


def at_a_store_rule() -> Rule:
    return Rule(
        id="at-a-store",
        when="The agent asks how the device shall be repaired: at a store's bench, at home, or remotely; "
        "or offers "
        "a way other than a store",
        not_when=(
            "when it asks which store or where the store should be",
            "when it reads a booking back for a yes",
        ),
        line="At a store, please. I'll bring it in.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:bench|store|in[- ]store|bring it in|drop it off)\b[^.!]*\bor\b[^.!]*"
                    r"\b(?:home|house|remote\w*|come|visit|technician|mail|bench|store)\b",
                    r"\b(?:home|house|remote\w*|technician|over the phone|mail)\b[^.!]*\bor\b[^.!]*"
                    r"\b(?:bench|store|bring|drop|carry|come in)\b",
                    r"\b(?:what|which) (?:kind|type|sort|form)(?: of)? (?:\w+ "
                    r")?(?:service|repair|appointment|visit)\b",
                    r"\b(?:what|which) (?:service|option|way)\b",
                    r"\bhow would you (?:like|prefer|want)\b[^.!]*\b(?:repair\w*|it|fixed|service|look)\b",
                    r"\b(?:someone|somebody|technician|we|they)\b[^.!]*\b(?:come to|visit|to your) "
                    r"(?:you|your|home|house)\b",
                    r"\b(?:remote(?:ly)?|in[- ]home|at[- ]home|at home)\b[^.!]*(?:\?|\b(?:work|session|help"
                    r"|visit|instead)\b)",
                    r"\bremote(?:ly)?\b[^.!]*\bor\b|\bmail[- ]?in\b[^.!]*\bor\b",
                    r"\bremotely\b|\bat (?:your|my) (?:place|house|home)\b|\bup for bringing\b",
                    r"\b(?:technician|someone|somebody|one of our \w+|expert)\b[^.!]*\b(?:come|comes|out"
                    r"|visit"
                    r"|over|at|to) (?:out )?(?:to |by )?(?:your|you|home)\b",
                    r"\b(?:technician|someone|somebody|tech|one of our \w+)\b[^.!]*\b(?:come|stop"
                    r"|drop) (?:by|round"
                    r"|over|out)\b|\b(?:you|be) (?:\w+ )?bringing (?:it|that|the \w+) (?:to|in|into|by)\b",
                    r"\b(?:come|drive|head) (?:out )?to (?:your|you)\b|\b(?:come|coming) to us\b[^.!]*\bor\b",
                    r"\b(?:do you want|would you like|can you|are you able|will you|happy|prefer) to "
                    r"(?:bring|drop|take) it\b",
                ),
            ),
            none_of=(
                ASKS_NAME,
                ASKS_CARD,
                ASKS_ZIP,
                ASKS_ORDER,
                r"\b(?:which|what) (?:day|date|store|time)\b",
            ),
        ),
        unless=("heard:booked",),
        order=22,
        tests=(
            *fires(
                "Would you like to bring it to a store, or should a technician come to your home?",
                "What kind of appointment would you like, bench, in-home or remote?",
                "Can you bring it in, or would remote help work?",
                "We could have someone come to your house.",
            ),
            *silent(*ROUTINE, "Which store is best for you?", "Which day would you like?"),
        ),
    )


def near_rule(postal_code: str, said: str) -> Rule:
    """``said`` is a pattern for the wanted day."""
    own = rf"\b{' ?'.join(postal_code)}\b"
    booking = any_of(said, r"\b(?:bench|visit|diagnostic|repair|appointment|booking|cost|charge)\b", r"\$")
    return Rule(
        id="near",
        when="The agent asks which store, near which place or ZIP code the repair should be, or reads a "
        "store's "
        "place for a yes before it has proposed a booking",
        not_when=("when it asks for the ZIP code as a proof, or together with the card digits",),
        line=f"One near ZIP code {postal_code}, please.",
        cues=Cues(
            all_of=(
                _ASKS_PLACE,
                CONFIRMING,
            ),
            none_of=(
                ASKS_NAME,
                ASKS_CARD,
                ASKS_PHONE,
                both(own, booking),
                rf"^(?!.*\b(?:what|which|where|tell)\b).*(?:{HOLD})",
                r"\b(?:verify|verification|security|recent order|on (?:the|that) order)\b"
                r"|\b(?:shall|should|may|can|want me to|like me to|go ahead and) (?:i )?(?:book|schedule"
                r"|reserve|set|put)\b",
            ),
        ),
        unless=("heard:booked",),
        order=18,
        tests=(
            *fires(
                "Which store would you like to bring it to?",
                "What ZIP code should the store be near?",
                "Where would you like to go for the repair?",
                "I can look for the closest store. What's your ZIP code?",
            ),
            *silent(*ROUTINE, "What's the ZIP code on a recent order?", "Which day would you like?"),
        ),
    )


def day_and_place_rule(day: str, postal_code: str) -> Rule:
    """``day`` in full."""
    return Rule(
        id="day-and-place",
        when="The agent asks in one turn both for the day and for the store, or the place it should be near",
        not_when=("when it reads day and place back for a yes", "when it asks for the ZIP code as a proof"),
        line=f"On {day}, please, at a store near ZIP code {postal_code}.",
        cues=Cues(
            all_of=(
                r"\b(?:which|what) (?:\w+ ){0,2}(?:day|date|time)s?\b|\bwhen\b|\b(?:the|a) day\b",
                r"\b(?:zip|where|whereabouts|(?:a|the) store|which (?:store|location|area)|what (?:store"
                r"|location|area|city))\b",
                r"\b(?:store|near|location|area|city|close|where|whereabouts)\b",
                any_of(CONFIRMING, r"\bneed\b"),
            ),
            none_of=(
                ASKS_NAME,
                ASKS_CARD,
                ASKS_PHONE,
                HOLD,
                r"\brecent order\b|\bon (?:the|that) order\b",
                r"[0-9]{5}",
            ),
        ),
        unless=("heard:booked",),
        order=17,
        tests=(
            *fires(
                "On which day would you like to come in, and near which ZIP code should the store be?",
                "Where should the store be, and what day suits you?",
                "When would you like to bring it in, and which store is best?",
            ),
            *silent(*ROUTINE, "Which day would you like?", "Which store would you like to bring it to?"),
        ),
    )


def what_day_rule(day: str, said: str) -> Rule:
    """``day`` in full, ``said`` a pattern for it."""
    return Rule(
        id="what-day",
        when="The agent asks on which day, or when, the caller wants to come, or offers other days or times",
        not_when=("when it reads the wanted day back for a yes", "when it asks when the device was bought"),
        line=f"On {day}, please. Any time is fine.",
        cues=Cues(
            all_of=(_ASKS_DAY,),
            none_of=(
                *IDENTITY,
                said,
                HOLD,
                r"\b(?:buy|bought|order(?:ed)?|purchased?|placed|deliver\w*|happen\w*)\b",
            ),
        ),
        unless=("heard:booked",),
        order=20,
        tests=(
            *fires(
                "Which day would you like to come in?",
                "When would be good for you?",
                "The earliest I have is tomorrow, August 13.",
                "I have Friday or Saturday. Would you prefer the morning or the afternoon?",
            ),
            *silent(*ROUTINE, "When did you buy it?", f"So that's {day}. Shall I book it?"),
        ),
    )


def book_it_rule(said: str, day: str, line: str) -> Rule:
    return Rule(
        id="book-it",
        when="The agent reads the wanted day or the whole booking back and asks whether to book it, or "
        "asks whether "
        "the caller wants a repair booked",
        not_when=(
            "when it offers another day than the wanted one",
            "when it asks which day, which store or which kind of repair",
            "when it only repeats what the caller called for",
            "when it says that it is booked",
        ),
        line=line,
        cues=Cues(
            all_of=(
                any_of(
                    GO_AHEAD,
                    r"\bdo you want (?:it|that one|that)\W*$|\b(?:all )?(?:good|okay|ok) to book\b",
                    r"\b(?:shall|should|may|can|would you like|do you want|want me|like me|ready)\b[^.!]*"
                    r"\b(?:book\w*|schedul\w*|reserve|appointment|repair\w*|set (?:that|it|this) "
                    r"up|bring it in)\b[^.!]*",
                    rf"(?:{said}).{{0,60}}(?:\?|\bright\b|\bcorrect\b)",
                ),
            ),
            none_of=(
                ASKS_NAME,
                ASKS_PHONE,
                ASKS_CARD,
                _ZIP_WANTED,
                ASKS_ORDER,
                HOLD,
                r"\b(?:which|what|when|where|pull up|look up)\b",
                r"\bor (?:should|would|at|a|in)\b|\bwith (?:the|that) (?:price|cost|fee)\b",
                r"\b(?:been|is now|i've|i have|you're) (?:booked|scheduled|set)\b",
            ),
        ),
        unless=("heard:booked",),
        order=23,
        tests=(
            *fires(
                f"That's a bench repair on {day} between 10 and noon. Shall I book it?",
                f"{day}, does that work for you?",
                "Would you like me to book a repair?",
                "I'll put you down for that. Is that okay?",
            ),
            *silent(
                *ROUTINE,
                "Which day would you like?",
                "Would you like to bring it in, or should someone come to your home?",
                f"You're booked for {day}.",
            ),
        ),
    )
