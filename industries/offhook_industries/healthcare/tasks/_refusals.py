"""What callers turn down: people, callbacks, texts, lists, links, portals, and bookings nobody asked for."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule
from offhook_industries.common.cues import (
    OFFERS_CALLBACK,
    OFFERS_PERSON,
    OFFERS_WAITLIST,
    any_of,
)
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._cues import (
    ASKED_BIRTH,
    ASKED_MEMBER,
    ASKED_ZIP,
    ASKING_IDENTITY,
    HELD,
    OFFERS_MESSAGE,
)

__all__ = [
    "OFFERS_HUMAN",
    "OFFERS_LINK",
    "OFFERS_PORTAL",
    "WAITING",
    "no_booking",
    "no_details",
    "no_link",
    "no_person",
    "no_portal",
    "no_text",
    "no_waitlist",
    "usual_refusals",
]

WAITING: Final = any_of(
    OFFERS_WAITLIST,
    r"\b(?:if|when|should|in case)\b[^.?!]{0,40}\b(?:opens?|comes?|frees?|pops?|becomes?)(?: up| free| open"
    r"| available)?\b"
    r"[^.!]{0,40}\b(?:let you know|call you|text you|reach out|be in touch|notify|hear)\b",
    r"\blet you know (?:if|when|should)\b",
    r"\b(?:if|when|should|in case) (?:someone|somebody|anyone|anybody)(?: else)? (?:drops?|cancels?"
    r"|backs?|gives?)\b",
    r"\bstand-?by\b|\bin case of a cancell?ation\b|\b(?:anything|something)(?: that)? (?:opens|comes"
    r"|frees) up\b",
    r"\b(?:keep|have|run|got) a (?:\w+ )?list (?:for|of people|in case)\b",
    r"\b(?:add|put|place|get|stick|pop|jot|throw) (?:you|your name)(?: down)? (?:on|to|onto) (?:it"
    r"|the list)\b",
    r"\b(?:keep an eye out|watch out|watch) for\b",
    r"\b(?:add|put|place|get) (?:you|your name) (?:down )?(?:on|to|onto) (?:the|our|a|that|their) (?:\w+"
    r" ){0,2}list\b",
)
_STAFF: Final = (
    r"(?:nurse|doctor|billing|scheduler|receptionist|clinician|provider|biller|coordinator|(?:billing"
    r"|scheduling"
    r"|clinical"
    r"|cosmetic|insurance|front desk|\w+) (?:folks|people|guys|girls|ladies)|(?:billing|scheduling|clinical"
    r"|cosmetic|insurance) (?:team|department|desk|office|staff|person)|front desk|office)"
)
OFFERS_HUMAN: Final = any_of(
    r"\b(?:get|put|send|pass|hand) you (?:over|through|along) to\b",
    r"\b(?:have|get|ask) (?:them|him|her|one of \w+)\b[^.?!]{0,15}\b(?:call|phone|ring|contact|reach)\b",
    r"\b(?:want|like) me to (?:call|ring|phone|get|ask) (?:them|billing|the \w+)\b",
    OFFERS_PERSON,
    OFFERS_CALLBACK,
    rf"\b(?:transfer|connect|put|pass|hand|send|route)\w* (?:you|your call|this|the"
    rf" call)\b[^.?!]*\b{_STAFF}\b",
    rf"\b(?:have|get|ask) (?:\w+ ){{0,4}}{_STAFF}\b[^.?!]{{0,20}}\b(?:call|phone|ring|contact|reach)\b",
    rf"\b(?:{_STAFF}|someone|somebody|team)\b[^.?!]{{0,15}}\bto (?:call|phone|contact)\b",
    rf"\b(?:speak|talk) (?:\w+ )?(?:to|with) (?:\w+ ){{0,3}}{_STAFF}\b",
    rf"\b(?:{_STAFF}|one of our \w+|someone|somebody|team|desk)\b[^.?!]{{0,30}}\b(?:call|phone|ring"
    rf"|telephone|contact|reach)(?:s|ing)?"
    rf" (?:out to )?you\b",
    rf"\b(?:{_STAFF}|someone|somebody|they)\b[^.?!]{{0,20}}\b(?:called|rang|contacted|reached out to) you\b",
    r"\b(?:someone|somebody|a person|anybody|anyone)\b[^.?!]{0,30}\bon the (?:line|phone)\b",
    r"\b(?:ring|telephone) you(?: back)?\b|\bgive you a (?:ring|call|call ?back|shout|buzz)\b",
    rf"\bput (?:a|an|one of our|the|our) (?:\w+ )?{_STAFF} on\b",
    r"\b(?:want|like) me to (?:connect|transfer) you\b|\bput you (?:through|on (?:with|to))\b|\b(?:connect"
    r"|transfer) you\b[^.!]*\?",
)
SCHEDULES: Final = r"\b(?:you|yourself) (?:on|onto|in) (?:the|our) (?:schedule|calendar|books)\b"
"""Getting somebody on the schedule, which no person takes part in."""
_LINK_WORD: Final = r"\blinks?\b"
OFFERS_LINK: Final = any_of(
    r"\b(?:get|shoot|fire|pop)\b[^.?!]{0,20}\blinks?\b|\b(?:send|text|shoot|get) (?:you )?\w+\b[^.?!]{0,30}"
    r"\bto (?:pay|settle)\b",
    r"\b(?:were|are|did|do|would|will) you (?:be )?(?:want\w*|like|looking|planning|hoping|ready|paying"
    r"|settling)\b"
    r"[^.?!]{0,30}\b(?:pay\w*|settl\w+|take care of|that today|it today)\b",
    r"\b(?:payment|secure|pay|deposit|text(?:ed)?|send|sent|sms|e-?mail)\b[^.?!]{0,40}\blinks?\b",
    r"\blinks?\b[^.?!]{0,40}\b(?:pay|payment|deposit|balance|card|text|phone|mobile)\b",
    r"\b(?:would you like|do you want|want|ready|shall i|should i|can i|may i|can you|could you|like|care"
    r"|wish|able)"
    r"\b[^.?!]{0,40}\b(?:pay|make a payment|settle|take care of (?:it|the|that|this))\b",
    r"\b(?:financing|payment (?:plans?|options?)|installments?|care ?credit|pay over time|spread (?:it|the"
    r"|that)"
    r"|monthly (?:payments?|plan)|(?:split|divide|break) (?:it|that|this|the \w+)(?: up| down)? (?:into|in"
    r"|over|up))\b",
    r"\b(?:would you like|do you want|want|ready|shall (?:i|we)|should (?:i|we)|can (?:i|we)|may i|could"
    r" (?:i|we)|how would you like to"
    r"|feel like)\b[^.?!]{0,40}\b(?:pay|make a payment|settl\w+|take care of (?:it|the|that|this))\b",
    r"\blinks?\b[^.!]*\?",
    r"\b(?:i|we) (?:can|could) (?:also |just )?(?:help you )?(?:pay|take a payment)|\bhelp you (?:pay"
    r"|settle)\b",
)
OFFERS_PORTAL: Final = any_of(
    r"\b(?:sign(?:ed)?|set) (?:you )?up online\b|\bonline (?:account|access)\b",
    r"\b(?:send|activat\w*|set up|setting up|sign up|sign you up|invit\w*|regist\w*|enroll?\w*|access|log"
    r" ?in|turn on"
    r"|link|like|want|help)\b[^.?!]{0,50}\bportal\b",
    r"\bportal\b[^.?!]{0,60}\b(?:send|activat\w*|set up|sign up|invit\w*|regist\w*|enroll?\w*|access|turn"
    r" on)\b",
    r"\b(?:switch|turn|get|have|put)(?:ing)? (?:you )?(?:on|onto|up|started)[^.?!]{0,30}\bportal\b",
    r"\bportal\b[^.!]*\?",
    r"\b(?:get|sign(?:ed)?|join|using|use|try)\b[^.?!]{0,40}\b(?:on|up|to|for|the) (?:\w+ )?portal\b",
    r"\b(?:activate|switch (?:it|that) on|turn (?:it|that) on)\b[^.!]*\?",
)
_BOOKING: Final = any_of(
    r"\b(?:would you like|do you want|did you want|want|like|shall i|should i|can i|could i|may i|interested"
    r" in|happy"
    r" to|help you|ready to|i can|looking to|hoping to)\b[^.?!]{0,40}\b(?:book|schedul\w*|set (?:that "
    r"|it |one |this )?up|set you up"
    r"|make"
    r"|reserve|arrange"
    r"|get you in|find|come in)\b",
    r"\b(?:would you like|do you want|want|need|like)\b[^.?!]{0,20}\b(?:an?|another) (?:\w+"
    r" )?(?:appointment|visit"
    r"|consult\w*)\b",
    r"\bwhat (?:day|time)s?\b|\bwhat(?:'s| is| would be) a (?:good|better|convenient) (?:day|time)\b",
    r"\b(?:have|has|got) (?:\w+ )?openings?\b",
    r"\b(?:looking|hoping|wanting|trying|want|like|need) to (?:be seen|come in|book|schedule)\b",
    r"\b(?:get|put|fit|set|sign|pencil) you (?:in|up|down|on|scheduled|booked)\b",
    r"\bgood for (?:a|your|an) (?:\w+ )?(?:visit|appointment|consult)\b|\b(?:this|next) week (?:be good"
    r"|work)\b",
    r"\b(?:shall|should|can|could|may) (?:we|i) (?:\w+ )?(?:get|put|fit|book|schedule|set|find|arrange|look"
    r" for|search for|reserve)\b",
    r"\b(?:any|which|what|a) (?:particular |certain |specific )?(?:day|time|days|times)(?: \w+){0,2}"
    r" (?:prefer|like|best|suit|work|in mind)\w*",
    r"\b(?:set|arrange|schedule|book) (?:something|anything|one|a \w+)(?: up| in)?\b[^.!]*\?",
)


def no_person() -> Rule:
    return Rule(
        id="no-person",
        when="The agent offers to hand the caller over to a person, a nurse or a desk, or to have somebody "
        "call back",
        not_when=("when it asks for identity details",),
        line="No, thank you, I don't need anybody else. Please do it with me here.",
        cues=Cues(
            like=("Would you like me to transfer you to a person?", "I can have somebody call you back."),
            all_of=(OFFERS_HUMAN,),
            none_of=(
                rf"^(?!.*\b(?:transfer|connect|put|get|pass|hand)\w* you\b).*(?:{HELD})",
                ASKING_IDENTITY,
                r"\bspeaking (?:to|with)\b|\bby mail\b",
                WAITING,
                SCHEDULES,
            ),
            threshold=0.72,
        ),
        order=45,
        tests=(
            *fires(
                "Would you like me to transfer you to the front desk?",
                "I can't do that here, but I can connect you with our scheduling team.",
                "Should I have a nurse call you back about this?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "Let me pull up your chart.",
                "Who am I speaking with?",
            ),
        ),
    )


def no_text() -> Rule:
    return Rule(
        id="no-text",
        when="The agent offers to send a confirmation, a reminder or directions by text or e-mail",
        not_when=(
            "when it is about a payment link or the patient portal",
            "when it says that it is all done",
        ),
        line="No text message, thank you.",
        cues=Cues(
            like=(
                "Would you like a confirmation by text?",
                "I can text you the details if you like.",
            ),
            all_of=(OFFERS_MESSAGE,),
            none_of=(
                HELD,
                _LINK_WORD,
                r"\b(?:portal|activation)\b",
                r"\bpay\b",
                r"\b(?:don't|won't|can't|no need to) (?:text|send)\b",
            ),
            threshold=0.78,
        ),
        order=24,
        tests=(
            *fires(
                "Would you like me to text you a confirmation?",
                "I can send the directions by text message. Shall I?",
                "Do you want an appointment reminder by SMS?",
            ),
            *silent(
                "Shall I text you a secure payment link?",
                "What phone number is on the chart?",
                "One moment while I look that up.",
            ),
        ),
    )


def no_waitlist() -> Rule:
    return Rule(
        id="no-waitlist",
        when="The agent offers the waitlist, or to be in touch when something opens up",
        line="No waitlist, thank you.",
        cues=Cues(
            like=(
                "Should I put you on the waiting list?",
                "Do you want to hear from us if something opens up?",
            ),
            all_of=(WAITING,),
            threshold=0.78,
        ),
        order=23,
        tests=(
            *fires(
                "Would you like to go on the waitlist for something sooner?",
                "I could add you to our cancellation list.",
                "Shall I put you on the waiting list in case an earlier time opens?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "The first opening is Monday at 9 AM.",
                "I can tell you how cancelling works.",
                "Let me look at the schedule.",
            ),
        ),
    )


def no_link(
    line: str = "No payment link now, thank you.", unless: tuple[str, ...] = (), order: int = 25
) -> Rule:
    return Rule(
        id="no-link",
        when="The agent offers a payment link, a payment plan or financing, or asks whether the caller wants "
        "to pay now",
        not_when=("when it says that something is all done",),
        line=line,
        cues=Cues(
            all_of=(OFFERS_LINK,),
            none_of=(
                HELD,
                r"\b(?:portal|activation)\b",
                r"\bi (?:understand|see|know|hear) (?:that )?you\b",
            ),
        ),
        unless=unless,
        order=order,
        tests=(
            *fires(
                "Would you like me to text you a secure payment link?",
                "I can send a link to pay that, which number should it go to?",
                "Do you want to pay now?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "Would you like me to text you the directions?",
                "One moment, please.",
            ),
        ),
    )


def no_portal() -> Rule:
    return Rule(
        id="no-portal",
        when="The agent offers access to the patient portal, or to activate it",
        line="No, leave the portal, please.",
        cues=Cues(
            like=(
                "Would you like access to our patient portal?",
                "Shall I set up your portal account?",
            ),
            all_of=(OFFERS_PORTAL,),
            threshold=0.78,
        ),
        order=23,
        tests=(
            *fires(
                "Your portal isn't active. Would you like me to send you an activation link?",
                "Shall I set up portal access for you?",
                "I can sign you up for the patient portal.",
            ),
            *silent(
                "Would you like a confirmation by text?",
                "May I have your full name and date of birth?",
                "Let me check that.",
            ),
        ),
    )


def no_booking(unless: tuple[str, ...] = ()) -> Rule:
    """For callers who only have a question."""
    return Rule(
        id="no-booking",
        when="The agent offers to book a visit or a consult, or asks when the caller wants to come in",
        line="No, I don't want to book anything. I only have that question.",
        cues=Cues(
            like=(
                "Would you like to book an appointment?",
                "Do you want me to find you a time?",
                "Should we get you on the schedule?",
                "Would you like to come in?",
            ),
            all_of=(_BOOKING,),
            none_of=(
                HELD,
                OFFERS_MESSAGE,
                rf"^(?!.*{SCHEDULES}).*(?:{OFFERS_HUMAN})",
                ASKING_IDENTITY,
                r"\b(?:name|number) (?:of|on)\b|\bseen for\b",
            ),
            threshold=0.75,
        ),
        unless=unless,
        order=27,
        tests=(
            *fires(
                "Would you like to schedule an appointment?",
                "I can book a visit for you. Shall I?",
                "Do you want me to find a time for you to come in?",
            ),
            *silent(
                "May I have your full name?",
                "One moment while I check.",
                "Would you like me to transfer you to the front desk?",
            ),
        ),
    )


def no_details() -> Rule:
    """For callers who ask in general and say nothing of themselves."""
    return Rule(
        id="no-details",
        when="The agent asks for a name, a date of birth, a phone number, a ZIP code or a member number",
        line="I'd rather not give any details. It's only a general question.",
        cues=Cues(
            all_of=(
                any_of(
                    ASKING_IDENTITY,
                    r"\b(?:your|the|full|first|last)(?: \w+){0,2} (?:name|date of birth|birth ?date|phone"
                    r" number|zip"
                    r"(?: code)?|(?:member|subscriber|policy) (?:id|number))\b",
                    ASKED_MEMBER,
                    ASKED_BIRTH,
                    ASKED_ZIP,
                    r"\b(?:a|best|good) (?:\w+ )?number\b[^.!]{0,40}\b(?:reach|call|contact)\b",
                    r"\b(?:verify|confirm) (?:who you are|your identity|you)\b",
                    r"\bmember(?:ship)? (?:id|number)\b",
                ),
            ),
            none_of=(
                r"\bnames? of (?:your|the|that)\b",
                r"\bnames? (?:exactly |just )?as (?:it|they|that|you)\b",
            ),
        ),
        order=30,
        tests=(
            *fires(
                "May I have your full name and date of birth?",
                "What's the best phone number for you?",
                "I'd need the member number on your card for that.",
            ),
            *silent(
                "Let me look that up for you.",
                "Please say the name as it stands on the card.",
                "Would you like to book a visit?",
                "Thank you for calling Straus Dermatology.",
            ),
        ),
    )


def usual_refusals() -> tuple[Rule, ...]:
    """What nearly every caller turns down."""
    return (no_person(), no_text(), no_waitlist(), no_link(), no_portal())
