"""C2-H3: a cosmetic consult is cancelled, with its deposit and the waitlist."""

from __future__ import annotations

from typing import Final

import attrs

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Topic
from offhook_industries.common.cues import DAY_OR_TIME, any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._build import balance, build, identified, slots, summary, verified
from offhook_industries.healthcare.tasks._changes import (
    ASK_CANCEL,
    WHY,
    cancel_it,
    no_move,
    which_visit,
    why_cancel,
)
from offhook_industries.healthcare.tasks._cues import ASKING_IDENTITY, CHECKING, LATER
from offhook_industries.healthcare.tasks._known import known_rules
from offhook_industries.healthcare.tasks._outcomes import CANCELLED, cancelled_topic, when_cancelled
from offhook_industries.healthcare.tasks._people import patient, traits_of
from offhook_industries.healthcare.tasks._refusals import WAITING
from offhook_industries.healthcare.tasks._times import MOVE_OFFER

__all__ = ["tasks"]


def tasks(pack: str) -> tuple[Task, ...]:
    who = patient("Diane Keller")
    closing = "Thank you for your help, that's all. Goodbye."
    return (
        build(
            pack,
            "C2-H3",
            "Cancel the August 21 cosmetic consult",
            "scheduling",
            (7, 11, 2),
            Intent(
                opening="Hi, I have to cancel my cosmetic consult at Garden City this Friday, August 21. "
                "What happens to my deposit then?",
                conduct=(
                    "You want Friday's cosmetic consult at Garden City cancelled, and to know first what"
                    " becomes "
                    "of the deposit.",
                    "Should they offer to move it, ask once what else they would have, and turn down every"
                    " time "
                    "they then name. Say yes to cancelling once you know "
                    "about the "
                    "deposit.",
                    "When it is cancelled, ask to go on the waitlist there for a cosmetic consult.",
                    "When you are on the waitlist, thank them and hang up. You want no text, no callback"
                    " and no "
                    "person.",
                ),
                closing=closing,
                satisfied=("heard:cancelled", "heard:waitlisted"),
            ),
            (
                _waitlisted(closing),
                when_cancelled(
                    "Thank you. And could you put me on the waitlist there, for a cosmetic consult?",
                    name="waitlist-please",
                    ends=False,
                ),
                which_visit("The cosmetic consult at Garden City, this Friday."),
                _other_times(),
                _after_other_times(no_move("No, none of that. Please just cancel it.")),
                _deposit_first(),
                cancel_it("Yes, please cancel it.", given=("heard:deposit",)),
                why_cancel(),
                _yes_waitlist(),
                *known_rules(who, office="Garden City.", waitlist=True),
            ),
            (
                identified(who),
                verified(who),
                summary(who, listed=False),
                balance(who, listed=True),
                slots("garden_city", "cosmetic_consult"),
                ExpectedCall(
                    "cancel_appointment", arguments={"appointment_id": "AP-710530", "confirmed": True}
                ),
                ExpectedCall(
                    "join_waitlist",
                    arguments={
                        "patient_id": who.patient_id,
                        "location_id": "garden_city",
                        "visit_type": "cosmetic_consult",
                    },
                ),
            ),
            traits=traits_of(who),
            topics=(
                cancelled_topic(),
                Topic("deposit", Cues(all_of=(_DEPOSIT_TOLD,), none_of=(CHECKING,))),
                Topic("waitlisted", Cues(all_of=(_ON_LIST,), none_of=(_NOT_LISTED,))),
            ),
        ),
    )


_DEPOSIT_TOLD: Final = any_of(
    r"\bdeposit\b[^?!]*\b(?:kept|keep|keeps|credit|credited|account|refund\w*|forfeit\w*|lost|lose|stays?"
    r"|returned|back"
    r"|applied|hold|held|transfer\w*|carr\w+|safe|good)\b",
    r"\b(?:credit|refund|keep|forfeit|lose|return|hold|apply)\b[^?!]*\bdeposit\b",
    r"(?:\$?50(?:\.00)?|\b5 0|\bfifty)\b[^?!]*\b(?:credit|kept|stays?|refund\w*|account|forfeit\w*)\b",
)
_ON_LIST: Final = any_of(
    r"\b(?:on|onto|to|joined) (?:the|our|a|that) (?:\w+ ){0,3}(?:wait(?:ing)?[- ]?list|list)\b",
    r"\b(?:added|put|placed|joined|waitlisted|wait-listed)\b[^?!]*\b(?:wait(?:ing)?[- ]?list|list)\b",
    r"\bwait-?listed\b",
    r"\b(?:i|i've|we've|just) (?:now )?(?:put|added|placed|got) you (?:down )?(?:on|onto|to)\b",
    r"\b(?:when|if|as soon as) (?:something|a (?:spot|time|slot)|an opening|one)\b[^?!]*\b(?:call|text|reach"
    r"|let you know"
    r"|contact|hear)\b",
)
_NOT_LISTED: Final = any_of(
    LATER,
    r"^\W*(?:want|wanna|care|interested)\b|\b(?:people|folks|patients|everyone) on\b",
    r"\byou(?:'d| would)? (?:like|want)\b|\blist\b[^.!]*\?",
    r"\b(?:would you|do you|are you|shall|if you|want to|like to)\b[^.]*\blist\b",
)


def _after_other_times(rule: Rule) -> Rule:
    """The first offer without a time is answered with a question."""
    tests = (attrs.evolve(test, given=("said:other-times", *test.given)) for test in rule.tests)
    return attrs.evolve(rule, tests=tuple(tests))


def _other_times() -> Rule:
    return Rule(
        id="other-times",
        when="The agent offers for the first time to move the consult to another day, and names no day or "
        "time",
        not_when=(
            "when it names a day or a time",
            "when the consult has been cancelled",
            "when it asks for identity details",
        ),
        line="What else would you have there?",
        cues=Cues(
            all_of=(
                any_of(
                    MOVE_OFFER,
                    r"\b(?:instead|rather|in place of)\b[^.]*\bcancel\w*|\bcancel\w*\b[^.]*\b(?:instead"
                    r"|rather)\b",
                    r"\b(?:other|another|different) (?:times?|days?|openings?|slots?)\b",
                ),
            ),
            none_of=(
                ASKING_IDENTITY,
                CANCELLED,
                WAITING,
                WHY,
                DAY_OR_TIME,
                r"\b(?:free|fee|charge|deposit)\b(?!.*\?)",
            ),
        ),
        unless=("heard:cancelled", "said:no-moving"),
        first_n=1,
        order=12,
        tests=(
            *fires(
                "I could move the consult to another time instead. Would you like that?",
                "Would you rather reschedule than cancel?",
                "Before I cancel it, do you want to hear what other times there are?",
            ),
            *silent(
                "Would you rather move it to Tuesday, August 25, at 10 AM?",
                "Shall I cancel the consult on Friday?",
                "May I have your full name and date of birth?",
            ),
            *silent("Would you like to move it to another day?", given=("said:no-moving",)),
        ),
    )


def _deposit_first() -> Rule:
    return Rule(
        id="deposit-first",
        when="The agent asks whether to cancel the consult and has not yet said what happens to the deposit",
        not_when=("when it offers to move it instead", "when it asks for identity details"),
        line="First tell me, please, what happens to my deposit?",
        cues=Cues(
            all_of=(ASK_CANCEL,), none_of=(ASKING_IDENTITY, MOVE_OFFER, r"\binstead\b|\brather\b", WHY)
        ),
        unless=("heard:deposit",),
        first_n=2,
        order=13,
        tests=(
            *fires(
                "Shall I cancel the consult on Friday?",
                "Are you sure you want to cancel this appointment?",
                "So you want me to go ahead and cancel it?",
            ),
            *silent("Your deposit stays on your account as credit. Shall I cancel it?"),
            *silent("Shall I cancel it?", given=("heard:deposit",)),
            *silent(
                "Would you rather move it to another day?", "May I have your full name and date of birth?"
            ),
        ),
    )


def _yes_waitlist() -> Rule:
    return Rule(
        id="yes-waitlist",
        when="The agent offers the waitlist, or asks whether to put the caller on it or what for",
        not_when=(
            "when it says that the caller is on it",
            "when it says that the consult has been cancelled",
        ),
        line="Yes, please, the waitlist for a cosmetic consult at Garden City.",
        cues=Cues(
            all_of=(
                any_of(
                    WAITING,
                    r"\blist\b[^.]*\?",
                    r"\bsame (?:kind|type|sort|visit|office)\b",
                    r"\b(?:what|which) (?:kind|type|service|office|visit)\b[^.?!]*\b(?:list|wait)",
                ),
            ),
            none_of=(
                ASKING_IDENTITY,
                r"\b(?:let me|i'll|i will|i'm) (?:\w+ )?(?:add|put|place|get|adding|putting)\b",
                r"\b(?:added|you're on|you are on|placed you|put you on (?:the|our) \w+[.!]?$)\b",
            ),
        ),
        order=12,
        tests=(
            *fires(
                "Would you like to go on the waitlist for another consult?",
                "I can add you to the cancellation list. Shall I?",
                "Should I put you on the waitlist at Garden City?",
            ),
            *silent(
                "You're on the waitlist for a cosmetic consult at Garden City.",
                "Would you rather move it to another day?",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def _waitlisted(line: str) -> Rule:
    off = ("heard:cancelled",)
    return Rule(
        id="done",
        when="After the consult has been cancelled, the agent says that the caller is on the waitlist",
        not_when=("when it only offers to put them on it, or says that it will",),
        line=line,
        cues=Cues(all_of=(_ON_LIST,), none_of=(_NOT_LISTED,)),
        after=off,
        order=3,
        ends_call=True,
        tests=(
            *fires(
                "You're on the waitlist for a cosmetic consult at Garden City.",
                "I've added you to the waiting list. We'll call you when something opens up.",
                "Done, you have been put on the list for Garden City. Anything else?",
                given=off,
            ),
            *silent(
                "Would you like to go on the waitlist?",
                "One moment while I add you to the waitlist.",
                given=off,
            ),
            *silent("You're on the waitlist for a cosmetic consult at Garden City."),
        ),
    )
