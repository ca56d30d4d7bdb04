"""C5-H1: a large balance, financing, a payment link, and only then Friday's consult."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Topic
from offhook_industries.common.cues import ELSE, GOODBYE, any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._build import balance, build, identified, slots, summary, verified
from offhook_industries.healthcare.tasks._changes import which_visit
from offhook_industries.healthcare.tasks._cues import (
    ASKED_BIRTH,
    ASKED_NAME,
    ASKING_IDENTITY,
    CHECKING,
    FIGURE,
    HELD,
)
from offhook_industries.healthcare.tasks._known import known_rules
from offhook_industries.healthcare.tasks._outcomes import moved_topic, when_moved
from offhook_industries.healthcare.tasks._people import patient, traits_of
from offhook_industries.healthcare.tasks._refusals import OFFERS_LINK
from offhook_industries.healthcare.tasks._times import (
    any_time,
    looks_please,
    moves_it,
    no_cancelling,
    takes_first,
)
from offhook_industries.healthcare.tasks.billing import balance_told
from offhook_industries.healthcare.tasks.cosmetic_consults import LINK_SENT, link_sent_cues

__all__ = ["tasks"]

_PLAN: Final = any_of(
    r"\b(?:split|spread|divide|break)\b[^.?!]{0,30}\b(?:payments?|months?|over time|up)\b",
    r"\b(?:financing|financed?|care ?credit|payment plans?|installments?|monthly payments?|pay (?:it"
    r" )?(?:over time|monthly)"
    r"|(?:6|six|12|twelve|1 2)[- ](?:and (?:12|twelve|1 2)[- ])?months?)\b",
)
_MONTHS: Final = any_of(
    r"(?<![-\w])(?:6|six)\b[^.!]{0,40}\b(?:12|1 2|twelve)\b[^.!]*(?:\?|\bwhich\b)",
    r"\b(?:which|what)\b[^.!]*(?<![-\w])(?:6|six)\b[^.!]{0,40}\b(?:12|1 2|twelve)\b",
    r"(?<![-\w])(?:12|1 2|twelve)\b[^.!]{0,40}(?<![-\w])(?:6|six)\b[^.!]*(?:\?|\bwhich\b)",
    r"(?<![-\w])(?:6|six),? or (?:12|1 2|twelve)\b|\bhalf (?:a )?year\b[^.!]*\bor\b|\bor a (?:full"
    r"|whole) year\b",
    r"\b(?:shorter|longer)\b[^.!]*\bor\b[^.!]*\b(?:longer|shorter)\b",
    r"\b(?:which|what|how many)\b[^.?!]*\b(?:months?|plan|term|option)\b|\bhow long\b[^.?!]*\b(?:spread"
    r"|pay|term)\b",
)
_NOT_TOLD: Final = r"\b(?:let me|i'll|i will|one moment|checking|look(?:ing)? (?:into|up)|whether)\b"
_LINK: Final = any_of(
    r"\blinks?\b",
    r"\b(?:which|what) (?:mobile |cell |phone )?number\b[^.?!]*\b(?:send|text|it)\b",
)


def tasks(pack: str) -> tuple[Task, ...]:
    who = patient("Maria Alvarez")
    closing = "Thank you very much, that's all. Goodbye."
    heard_plan = ("heard:financing",)
    return (
        build(
            pack,
            "C5-H1",
            "Large balance, cannot pay in full",
            "billing",
            (9, 11, 1),
            Intent(
                opening="Hi, I got a bill from you for several hundred dollars. Can you tell me what I owe "
                "and what it's for?",
                conduct=(
                    "Stay with the bill first: what you owe, why the office visit is on it, and whether you "
                    "can spread it.",
                    "You can't pay it all at once. Take the financing once they have looked it up, the "
                    "twelve months if they "
                    "ask, and have the payment link for the full balance texted to your phone.",
                    "Say nothing of Friday's consult before the link has been sent. Then have it moved to a "
                    "later day, not "
                    "cancelled: the first opening they offer, and yes when they read it back.",
                    "You want no callback, no person, no waitlist and no text but the payment link.",
                    "When the consult has been moved, thank them and hang up.",
                ),
                closing=closing,
                satisfied=("heard:financing", "heard:link-sent", "heard:moved"),
            ),
            (
                when_moved(closing, after=("said:consult",)),
                _consult_too(),
                _take_months(heard_plan),
                _yes_link(who.phone, heard_plan),
                _link_and_plan(who.phone),
                _how_much(),
                _take_financing(who.phone),
                _spread_it(),
                balance_told(
                    "That's more than I can pay at once. Why is the office visit on there?",
                    name="why-visit",
                    unless=("said:why-visit", "heard:financing"),
                ),
                _still_plan(),
                _still_link(who.phone),
                _which_charge(),
                which_visit("The cosmetic consult at Park Avenue, this Friday.", after=("said:consult",)),
                moves_it(after=("said:consult",)),
                no_cancelling("No, not cancelled, just moved to a later day, please."),
                takes_first(after=("said:consult",)),
                any_time(after=("said:consult",)),
                looks_please(after=("said:consult",)),
                *known_rules(who, office="Park Avenue.", link=True),
            ),
            (
                identified(who),
                verified(who),
                summary(who, listed=False),
                balance(who, listed=False),
                ExpectedCall("explain_charge", arguments={"charge_id": "CH-550101"}),
                ExpectedCall(
                    "offer_financing",
                    arguments={"purpose": "medical_balance"},
                    carry={"patient_id": "verify_identity.patient_id"},
                ),
                ExpectedCall(
                    "send_payment_link",
                    arguments={"phone": who.phone, "purpose": "medical_balance"},
                    carry={"patient_id": "verify_identity.patient_id"},
                ),
                slots("park_avenue", "cosmetic_consult"),
                ExpectedCall(
                    "reschedule_appointment",
                    arguments={"appointment_id": "AP-710101", "slot_id": "SL-300101"},
                    free_text={"confirmed": "yes"},
                ),
            ),
            traits=traits_of(who),
            topics=(
                Topic("financing", Cues(all_of=(_PLAN,), none_of=(_NOT_TOLD,))),
                Topic("link-sent", link_sent_cues()),
                moved_topic(),
            ),
            asked_for={"send_payment_link": ("said:take-financing", "said:yes-link", "said:still-link")},
        ),
    )


def _consult_too() -> Rule:
    return Rule(
        id="consult",
        when="The agent says that the payment link has been sent, whatever it asks besides",
        not_when=("when it only offers to send it, or says that it will",),
        line="Thank you. I also need Friday's consult at Park Avenue moved to a later day. I'll take the "
        "first opening.",
        cues=link_sent_cues(),
        unless=("said:consult",),
        order=6,
        tests=(
            *fires(
                "I've texted you the payment link.",
                "The link is on its way to your phone. Is there anything else?",
                "Okay, the secure link has been sent.",
            ),
            *silent(
                "Shall I text the link to the number on file?",
                "One moment while I send the link.",
                "Financing is available over six or twelve months.",
            ),
        ),
    )


def _take_months(after: tuple[str, ...]) -> Rule:
    return Rule(
        id="twelve-months",
        when="The agent asks which of the payment terms the caller wants, six or twelve months",
        not_when=("when the link has been sent",),
        line="The twelve months, please.",
        cues=Cues(all_of=(_MONTHS,), none_of=(ASKING_IDENTITY, r"\b(?:appointment|visit|consult|day)\b")),
        after=(*after, "said:take-financing"),
        unless=("heard:link-sent",),
        order=9,
        tests=(
            *fires(
                "Would you like six months or twelve months?",
                "Which plan would you prefer, the six or the twelve month one?",
                "Over how many months would you like to pay?",
                given=(*after, "said:take-financing"),
            ),
            *silent(
                "Which number should I send the link to?",
                "I've texted you the payment link.",
                given=(*after, "said:take-financing"),
            ),
            *silent("What's your date of birth?"),
        ),
    )


def _yes_link(phone: str, after: tuple[str, ...]) -> Rule:
    return Rule(
        id="yes-link",
        when="After financing was mentioned, the agent offers to text the payment link, or asks which number "
        "it should go to",
        not_when=(
            "when the link has been sent",
            "when it is the first to say in this turn that financing is available",
            "when it asks for the amount",
        ),
        line=f"Yes, please text the payment link to {phone}.",
        cues=Cues(
            all_of=(_LINK,),
            none_of=(
                HELD,
                rf"^(?!.*\b(?:would you|shall i|should i|want|like|can i|which|what)\b).*(?:{LINK_SENT})",
                r"\b(?:what|which|how big a) (?:sum|amount)\b|\b(?:all of it|the whole|part of it)\b[^.!]*\?",
                r"\bportal\b|\bsending\b|\blink (?:is|works|expires|stays|takes|lasts)\b(?!.*\?)",
                r"\bi(?:'ll| will) (?:send|text|get)\b[^.!?]*\b(?:right|over|now|off)\b(?!.*\?)",
                r"\bhow much\b|\bfull (?:balance|amount)\b[^.!]*\?|\bwhat amount\b",
            ),
        ),
        after=(*after, "said:take-financing"),
        unless=("heard:link-sent",),
        order=10,
        tests=(
            *fires(
                "Shall I text you the payment link now?",
                "Which mobile number should the link go to?",
                "I can send you a secure link. Is that okay?",
                given=(*after, "said:take-financing"),
            ),
            *silent(
                "I've texted you the payment link.",
                "Would you like six months or twelve months?",
                given=(*after, "said:take-financing"),
            ),
            *silent("Would you like a payment link?"),
        ),
    )


def _link_and_plan(phone: str) -> Rule:
    return Rule(
        id="link-but-plan",
        when="The agent offers the payment link, or wants to know the number for it, before anything was "
        "said of financing "
        "or a payment plan",
        not_when=("when the link has been sent",),
        line="I can't pay it all at once. Is there a payment plan or some kind of financing first?",
        cues=Cues(
            all_of=(any_of(_LINK, OFFERS_LINK),),
            none_of=(CHECKING, _PLAN, ASKED_NAME, ASKED_BIRTH, r"\b(?:portal|activation)\b"),
        ),
        unless=("heard:financing", "heard:link-sent"),
        order=12,
        tests=(
            *fires(
                "Would you like me to text you a payment link?",
                "Do you want to pay that now?",
                "Which number should I send a link to?",
            ),
            *silent(
                "I can offer you a payment plan and then send you a link.",
                "May I have your full name and date of birth?",
                "Would you like a confirmation by text?",
            ),
        ),
    )


def _how_much() -> Rule:
    return Rule(
        id="full-balance",
        when="The agent asks how much the payment link should be for, or how much the caller wants to pay or "
        "finance",
        not_when=("when the link has been sent",),
        line="For the full balance, please. And I still want the financing.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\bhow much (?:would|do|should|can|of|are|shall|will)\b",
                    r"\b(?:what|which) (?:amount|sum)\b",
                    r"\b(?:all of it|the whole (?:thing|amount|balance|bill|sum)|everything)\b[^.!]*\?",
                    r"\bfull (?:balance|amount)\b[^.!]*\?",
                    r"\b(?:whole|full|entire|all)\b[^.!]*\bor\b[^.!]*\b(?:part|some|half|portion|a bit)\b",
                    r"\b(?:part|portion|some) of (?:it|the balance)\b[^.!]*\?",
                ),
            ),
            none_of=(ASKING_IDENTITY,),
        ),
        unless=("heard:link-sent",),
        order=8,
        tests=(
            *fires(
                "How much should the link be for?",
                "What amount would you like to pay today?",
                "Is that for the full balance?",
            ),
            *silent(
                "Which number should I send the link to?",
                "Your balance is $486.00.",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def _take_financing(phone: str) -> Rule:
    return Rule(
        id="take-financing",
        when="The agent says that financing or a payment plan is available, or asks whether the caller wants "
        "it",
        not_when=("when it only says that it will look it up", "when the link has been sent"),
        line=f"Yes, I'd like the financing, over twelve months. And please text me the payment link, to "
        f"{phone}.",
        cues=Cues(all_of=(_PLAN,), none_of=(_NOT_TOLD, ASKING_IDENTITY)),
        unless=("said:take-financing", "heard:link-sent"),
        order=11,
        tests=(
            *fires(
                "You can spread it with CareCredit, six payments of $81.00 or twelve of $40.50.",
                "Financing is available for that balance. Would you like it?",
                "We do have a payment plan over six or twelve months.",
            ),
            *silent(
                "Let me look into financing for you.",
                "Your balance is $486.00.",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def _spread_it() -> Rule:
    return Rule(
        id="spread-it",
        when="The agent explains why the office visit is charged, such as by the deductible, before anything "
        "was said of "
        "financing",
        not_when=("when it only names the balance", "when it only says that it will look it up"),
        line="I see. I can't pay all of that this month. Is there a payment plan, or some kind of financing?",
        cues=Cues(
            all_of=(
                any_of(
                    r"\bdeductible\b",
                    r"\bbecause\b",
                    r"\b(?:plan|insurance|insurer)\b[^.?!]*\b(?:paid|pay|cover\w*|applied|left)\b",
                    r"\b(?:charge|that|it|visit)\b[^.?!]{0,30}\b(?:is for|was for|comes from|stems from)\b",
                ),
            ),
            none_of=(ASKING_IDENTITY, CHECKING),
        ),
        unless=("heard:financing",),
        order=20,
        tests=(
            *fires(
                "It's all yours to pay because your deductible was not met.",
                "Your insurance hasn't paid for it, as the deductible wasn't used up.",
                "That charge is for your office visit, your plan left the whole amount to you.",
            ),
            *silent(
                "You owe $486.00 in all.",
                "Let me see why that is on there.",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def _still_plan() -> Rule:
    return Rule(
        id="still-plan",
        when="The agent says goodbye or asks whether there is anything else, and nothing has been said of "
        "financing or a "
        "payment plan",
        not_when=("when the turn tells the balance or explains a charge",),
        line="I still need a way to spread the payments. Could you look up a payment plan for me?",
        cues=Cues(all_of=(any_of(ELSE, GOODBYE),), none_of=(_PLAN, FIGURE, ASKING_IDENTITY)),
        after=("said:why-visit",),
        unless=("heard:financing",),
        order=40,
        tests=(
            *fires(
                "Is there anything else I can help you with?",
                "Thank you for calling. Goodbye.",
                "What else can I do for you?",
                given=("said:why-visit",),
            ),
            *silent(
                "Financing is available. Anything else?", "Let me look that up.", given=("said:why-visit",)
            ),
            *silent("Is there anything else I can help you with?"),
        ),
    )


def _still_link(phone: str) -> Rule:
    told = ("heard:financing", "said:take-financing")
    return Rule(
        id="still-link",
        when="After the caller has taken the financing, the agent says goodbye or asks whether there is "
        "anything else, and "
        "the payment link has not been sent",
        line=f"Please text me the payment link first, to {phone}.",
        cues=Cues(all_of=(any_of(ELSE, GOODBYE),), none_of=(ASKING_IDENTITY, r"\blinks?\b")),
        after=told,
        unless=("heard:link-sent",),
        order=40,
        tests=(
            *fires(
                "Is there anything else I can help you with?",
                "Thank you for calling. Goodbye.",
                "What else can I do for you today?",
                given=told,
            ),
            *silent("Let me set that up.", "Shall I text you the link?", given=told),
            *silent("Is there anything else I can help you with?"),
        ),
    )


def _which_charge() -> Rule:
    return Rule(
        id="which-charge",
        when="The agent asks which of the charges, or which bill, the caller means",
        not_when=("when it asks for identity details", "when it asks for an appointment"),
        line="The office visit, please.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what) (?:\w+ ){0,2}(?:charges?|bill|statement|item)\b",
                    r"\b(?:which|what) (?:one )?of the (?:two|three|charges?|items)\b",
                    both(FIGURE, r"\b(?:which|what) (?:one|of (?:those|these|them))\b"),
                    r"\b(?:office visit|biopsy)\b.*\b(?:which|what) (?:one|of (?:those|these|them))\b",
                    r"\b(?:office visit|biopsy)\b[^.!]*\bor\b[^.!]*\b(?:office visit|biopsy|copay)\b[^.!]*\?",
                ),
            ),
            none_of=(ASKING_IDENTITY, r"\b(?:appointment|consult|months?|six|twelve)\b"),
        ),
        order=7,
        tests=(
            *fires(
                "Which charge would you like me to explain?",
                "There is $286.00 for the office visit and $200.00 for a biopsy. Which one do you mean?",
                "Do you mean the office visit or the biopsy?",
            ),
            *silent(
                "Your balance is $486.00.",
                "Which appointment do you mean?",
                "May I have your full name and date of birth?",
            ),
        ),
    )
