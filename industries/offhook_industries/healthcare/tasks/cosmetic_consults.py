"""C4-M1, C4-M2 and C4-H4: prices of cosmetic treatments, then a consult."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Topic
from offhook_industries.common.cues import DAY_OR_TIME, any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._answers import (
    price_told,
    when_floor_told,
    when_parking_told,
)
from offhook_industries.healthcare.tasks._booking import consult_new, consult_rules
from offhook_industries.healthcare.tasks._build import build, identified, office, slots, summary, verified
from offhook_industries.healthcare.tasks._cues import (
    ASKING_IDENTITY,
    CHECKING,
    HELD,
    HOURS_SAID,
    LATER,
    REACHED,
)
from offhook_industries.healthcare.tasks._facts import asks_office
from offhook_industries.healthcare.tasks._outcomes import booked_topic, when_booked
from offhook_industries.healthcare.tasks._people import new_patient, patient, traits_of
from offhook_industries.healthcare.tasks._refusals import OFFERS_HUMAN, OFFERS_LINK

__all__ = ["LINK_SENT", "link_sent_cues", "tasks"]

_BYE: Final = "Lovely, thank you. That's everything. Goodbye."
_TERMS: Final = "Accept the $50 deposit and the 48 hours for cancelling. You don't want a payment link now."
_CHOSEN: Final = ("said:first-time", "said:book-it")


def tasks(pack: str) -> tuple[Task, ...]:
    return (_microneedling(pack), _cheek_filler(pack), _other_office(pack))


def _price(service: str) -> ExpectedCall:
    return ExpectedCall("quote_cosmetic_service", arguments={"service": service})


def _microneedling(pack: str) -> Task:
    who = new_patient("Tina Marshall")
    return build(
        pack,
        "C4-M1",
        "Microneedling consult",
        "cosmetic",
        (5, 9, 1),
        Intent(
            opening="Hi, what does a chemical peel cost at your clinic?",
            conduct=(
                "First you ask the price of a chemical peel, then that of microneedling. You are a new "
                "patient.",
                "Then you want a consult for microneedling at Short Hills, and ask where one can park there.",
                "Take the first opening they offer, and say yes when they read it back.",
                _TERMS,
                "You want no text, no callback, no waitlist and no person.",
            ),
            closing=_BYE,
            satisfied=("heard:booked",),
        ),
        (
            when_booked(_BYE),
            price_told(
                "microneedling",
                "$350.00 a session",
                "Okay. I'd like a consult for microneedling at Short Hills, then. Where can I park there?",
                name="consult",
                other=r"\bpeels?\b(?!.*micro)",
                after=("said:and-microneedling",),
                unless=("said:consult",),
                order=10,
            ),
            price_told(
                "a chemical peel",
                "$150.00 a session",
                "I see. And what about microneedling, what does that cost?",
                name="and-microneedling",
                unless=("said:and-microneedling",),
            ),
            when_parking_told(
                "Thanks. And the first opening for the consult, please.",
                "Short Hills",
                name="parking-told",
                after=("said:consult",),
                unless=("said:parking-told", *_CHOSEN),
                order=17,
            ),
            *consult_rules(who, treatment="microneedling", office="Short Hills."),
        ),
        (
            _price("chemical_peel"),
            _price("microneedling"),
            office("short_hills"),
            slots("short_hills", "cosmetic_consult"),
            consult_new(who, "SL-300801"),
        ),
        traits=traits_of(who),
        topics=(booked_topic(),),
    )


def _cheek_filler(pack: str) -> Task:
    who = new_patient("Brenda Collins")
    return build(
        pack,
        "C4-M2",
        "Cheek filler consult",
        "cosmetic",
        (4, 8, 1),
        Intent(
            opening="Hello, how much is cheek filler?",
            conduct=(
                "First you ask the price of cheek filler. You are a new patient.",
                "Then you want a consult for it at Park Avenue, and ask which floor that office is on.",
                "Take the first opening they offer, and say yes when they read it back.",
                _TERMS,
                "You want no text, no callback, no waitlist and no person.",
            ),
            closing=_BYE,
            satisfied=("heard:booked",),
        ),
        (
            when_booked(_BYE),
            price_told(
                "cheek filler",
                "$900.00 a syringe",
                "All right. I'd like a consult for cheek filler at Park Avenue. Which floor is that office "
                "on?",
                name="consult",
                unless=("said:consult",),
            ),
            when_floor_told(
                "Thanks. And the first opening for the consult, please.",
                "Park Avenue",
                name="floor-told",
                after=("said:consult",),
                unless=("said:floor-told", *_CHOSEN),
                order=17,
            ),
            *consult_rules(who, treatment="cheek filler", office="Park Avenue."),
        ),
        (
            _price("cheek_filler"),
            office("park_avenue"),
            slots("park_avenue", "cosmetic_consult"),
            consult_new(who, "SL-300101"),
        ),
        traits=traits_of(who),
        topics=(booked_topic(),),
    )


_NO_COSMETIC: Final = any_of(
    r"\b(?:doesn't|does not|don't|do not|isn't|is not|not|no|can't|cannot|unable)\b[^.?!]*\b(?:cosmetic"
    r"|botox|offer\w*|there"
    r"|provide\w*|available|do (?:it|that|those))\b",
    r"\bwinter garden\b",
    r"\bonly (?:medical|does medical|offers medical)\b|\bmedical[ -]only\b|\bmedical(?: \w+){1,3} only\b",
    r"\b(?:just|purely|strictly|all)(?: an?)? medical\b",
)
LINK_SENT: Final = any_of(
    r"^\W*(?:all |okay,? |done,? )?sent\W*$",
    both(REACHED, r"\b(?:link|it|that|text|messages?)\b"),
    r"\blinks?\b[^?]*\b(?:sent|texted|on (?:its|the) way|went out|delivered)\b",
    r"\b(?:sent|texted|just sent|fired|shot|passed)\b[^?]*\b(?:link|it|that|you)\b",
    r"\b(?:it's|that's) (?:been )?(?:sent|on its way|on the way)\b",
)


def link_sent_cues() -> Cues:
    """For topics and rules about a payment link that is under way."""
    return Cues(
        all_of=(LINK_SENT,), none_of=(rf"^(?!.*\byou (?:should|will|'ll) (?:have|see|get)\b).*(?:{LATER})",)
    )


def _other_office(pack: str) -> Task:
    who = patient("Sandra Whitman")
    return build(
        pack,
        "C4-H4",
        "Existing patient Botox after Windermere cannot do cosmetic",
        "cosmetic",
        (9, 15, 1),
        Intent(
            opening="Hi, I'm a patient at your Windermere office and I'd like to get Botox there.",
            conduct=(
                "You'd like Botox at Windermere. When you hear that it isn't done there, take Winter Garden.",
                "Ask what Botox costs, then take the first opening for a consult at Winter Garden.",
                "Accept the $50 deposit and the 48 hours for cancelling, and say yes when they read the time "
                "back.",
                "Once it is booked, ask for the payment link for the deposit, by text to your phone.",
                "When the link is sent, thank them and hang up. You want no confirmation text, no callback "
                "and no person.",
            ),
            closing=_BYE,
            satisfied=("heard:booked", "heard:link-sent"),
        ),
        (
            _link_sent(),
            when_booked(
                f"Wonderful. Please text me the payment link for the deposit, to {who.phone}.",
                name="link-please",
                ends=False,
                unless=("said:link-please", "said:yes-link"),
            ),
            _yes_link(f"Yes, please text me the payment link for the deposit, to {who.phone}."),
            _winter_garden(),
            price_told(
                "Botox",
                "$14.00 a unit",
                "All right. The first opening for a Botox consult at Winter Garden, please.",
                name="consult",
                after=("heard:elsewhere",),
                unless=("said:consult", *_CHOSEN),
                order=10,
            ),
            asks_office(
                "Winter Garden, please.",
                after=("heard:elsewhere",),
                name="office-there",
            ),
            *consult_rules(
                who,
                treatment="Botox",
                office="Windermere.",
                known=True,
                link=True,
                elsewhere=("heard:elsewhere",),
            ),
        ),
        (
            identified(who),
            verified(who),
            summary(who, listed=True),
            office("windermere"),
            office("winter_garden"),
            _price("botox"),
            slots("winter_garden", "cosmetic_consult"),
            ExpectedCall(
                "book_cosmetic_consult",
                arguments={"slot_id": "SL-300601", "patient_id": who.patient_id, "terms_accepted": True},
                carry={"service": "quote_cosmetic_service.service"},
            ),
            ExpectedCall(
                "send_payment_link",
                arguments={"patient_id": who.patient_id, "phone": who.phone, "purpose": "cosmetic_deposit"},
            ),
        ),
        traits=traits_of(who),
        topics=(
            booked_topic(),
            Topic("elsewhere", Cues(all_of=(_NO_COSMETIC,), none_of=(CHECKING,))),
            Topic("link-sent", link_sent_cues()),
        ),
        asked_for={"send_payment_link": ("said:link-please", "said:yes-link")},
    )


def _winter_garden() -> Rule:
    return Rule(
        id="winter-garden",
        when="The agent says that Windermere does no cosmetic work, or names Winter Garden as the office "
        "that does",
        not_when=(
            "when it only says that it will look it up",
            "when it asks for identity details",
            "when it offers a day or time there",
        ),
        line="Oh. Winter Garden is fine, then. What does Botox cost there?",
        cues=Cues(
            all_of=(_NO_COSMETIC,),
            none_of=(
                CHECKING,
                rf"^(?!.*(?:{HOURS_SAID})).*(?:{DAY_OR_TIME})",
                ASKING_IDENTITY,
                r"\b(?:shall i|should i|want me to|like me to) (?:\w+ )?(?:book|schedule|reserve)\b",
                r"\b(?:first|earliest|next|have an) (?:\w+ )?opening\b",
                OFFERS_HUMAN,
            ),
        ),
        unless=("said:winter-garden",),
        order=11,
        tests=(
            *fires(
                "I'm sorry, Windermere doesn't do cosmetic treatments. The nearest office that does is "
                "Winter Garden.",
                "Botox isn't offered at Windermere.",
                "For Botox you could go to Winter Garden. Would that work?",
            ),
            *silent(
                "Let me see what Windermere offers.",
                "May I have your full name and date of birth?",
                "What phone number is on the chart?",
            ),
        ),
    )


def _yes_link(line: str) -> Rule:
    return Rule(
        id="yes-link",
        when="The agent offers a payment link for the deposit, or asks which number it should go to",
        not_when=(
            "when it says that the link has been sent",
            "when it says that the consult has been booked",
        ),
        line=line,
        cues=Cues(
            all_of=(
                any_of(
                    OFFERS_LINK,
                    r"\blink\b[^.!]*\?",
                    r"\b(?:to|at|on) (?:the|that|this|your) same (?:\w+ )?(?:number|phone|mobile|cell)\b",
                    r"\b(?:which|what) number\b[^.?!]*\b(?:send|text|link|it)\b",
                ),
            ),
            none_of=(
                rf"^(?!.*\b(?:would you|shall i|should i|want|like)\b).*(?:{LINK_SENT})",
                HELD,
                r"\bsending\b",
                r"\bi(?:'ll| will) (?:send|text|get)\b[^.!?]*\b(?:right|over|now|off)\b(?!.*\?)",
                r"\b(?:financing|payment plan|portal|activation)\b",
            ),
        ),
        order=8,
        tests=(
            *fires(
                "Would you like me to text you a payment link for the deposit?",
                "Which number should I send the link to?",
                "I can send you a link to pay the deposit. Shall I?",
            ),
            *silent(
                "The payment link has been sent.",
                "Would you like me to text you the directions?",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def _link_sent() -> Rule:
    booked = ("heard:booked",)
    return Rule(
        id="done",
        when="After the consult has been booked, the agent says that the payment link has been sent",
        not_when=("when it only offers to send it, or says that it will",),
        line=_BYE,
        cues=link_sent_cues(),
        after=booked,
        order=5,
        ends_call=True,
        tests=(
            *fires(
                "The payment link has been sent to your phone.",
                "I've texted you the link. Anything else?",
                "The link for the deposit is on its way.",
                given=booked,
            ),
            *silent(
                "Shall I text the link to that number?", "One moment while I send the link.", given=booked
            ),
            *silent("The payment link has been sent to your phone."),
        ),
    )
