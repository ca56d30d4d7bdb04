"""C2-M2, C2-M4 and C2-H3: patients who cancel a visit or have it moved."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Topic
from offhook_industries.common.cues import OFFERS_WAITLIST, any_of
from offhook_industries.healthcare.tasks._build import balance, build, identified, slots, summary, verified
from offhook_industries.healthcare.tasks._cues import (
    ASKING_IDENTITY,
    CHECKING,
    HOURS_SAID,
    LATER,
    OFFERS_TIMES,
    READS_BIRTH,
)
from offhook_industries.healthcare.tasks._known import known_rules
from offhook_industries.healthcare.tasks._outcomes import (
    CANCELLED,
    cancelled_topic,
    moved_topic,
    when_cancelled,
    when_moved,
)
from offhook_industries.healthcare.tasks._people import patient, traits_of
from offhook_industries.healthcare.tasks._sentences import fires, silent
from offhook_industries.healthcare.tasks._times import (
    MOVE_OFFER,
    any_time,
    looks_please,
    moves_it,
    no_cancelling,
    takes_first,
)

__all__ = ["tasks", "which_visit"]

_ASK_CANCEL: Final = any_of(
    r"\b(?:shall|should|may|can|could) i (?:\w+ ){0,3}(?:cancel|proceed|go ahead|do (?:that|it))\b",
    r"\b(?:want|like|need) me to (?:\w+ ){0,3}(?:cancel|proceed|go ahead|do (?:that|it))\b",
    r"\b(?:you|still|really) (?:\w+ ){0,2}(?:want|wish|like|prefer|sure)\b[^.]{0,30}\bcancel\b",
    r"\bcancel (?:it|your|the|that|this)\b[^.!]*\?",
    r"\b(?:confirm|sure)\b[^.?!]*\bcancel\w*\b",
    r"\bcancell?ing\b.*\b(?:is|does) (?:that|this|it) (?:\w+ )?(?:right|correct|okay|ok|good)\b",
    r"\bgo ahead (?:and|with)\b[^.!]*\bcancel\w*",
    r"\b(?:like|want|need) (?:it|that|this|the \w+|your \w+) cancell?ed\b",
)
_WHY: Final = r"\b(?:why|reason|how come)\b"


def tasks(pack: str) -> tuple[Task, ...]:
    return (_follow_up_off(pack), _follow_up_sooner(pack), _consult_off(pack))


def which_visit(line: str, after: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id="which-visit",
        when="The agent asks which appointment the caller means, or whether it is the one it names",
        not_when=("when it asks for identity details", "when it asks which new day or time is wanted"),
        line=line,
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what) (?:\w+ )?(?:one|appointment|visit|consult|of (?:those|these|them|the"
                    r" two))\b",
                    r"\bdo you mean\b|\bwhich (?:should|shall) i\b",
                    r"\b(?:is|was) (?:that|this|it) the (?:one|appointment|visit|consult|follow|right)\b",
                    r"\bis (?:that|this) (?:it|correct|right|the)\b[^.]*\b(?:appointment|visit|consult"
                    r"|one)\b",
                    r"\b(?:when|what day|what date|where) is (?:your|the|that) (?:\w+ ){0,2}(?:appointment"
                    r"|visit|consult)\b",
                ),
            ),
            none_of=(
                ASKING_IDENTITY,
                OFFERS_WAITLIST,
                READS_BIRTH,
                r"\$ ?[0-9]|\b(?:dollars|charges?|bill|balance)\b",
                r"\b(?:kind|type|sort|what day|what time)\b",
                r"\bworks? best\b",
            ),
        ),
        after=after,
        order=11,
        tests=(
            *fires(
                "Which appointment do you mean?",
                "I see two visits. Which one is it about?",
                "I found a visit at that office. Is that the one?",
                given=after,
            ),
            *silent(
                "May I have your full name and date of birth?",
                "What day works best for you?",
                "One moment while I pull up your chart.",
            ),
        ),
    )


def _no_move(line: str, unless: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id="no-moving",
        when="The agent offers to move the visit to another day instead, or offers other times for it",
        not_when=(
            "when it asks whether to cancel and offers nothing else",
            "when the visit has been cancelled",
        ),
        line=line,
        cues=Cues(
            like=("Would you like to move it to another day instead of cancelling?",),
            all_of=(any_of(MOVE_OFFER, OFFERS_TIMES, r"\binstead\b", r"\brather\b"),),
            none_of=(
                ASKING_IDENTITY,
                READS_BIRTH,
                HOURS_SAID,
                CANCELLED,
                OFFERS_WAITLIST,
                r"\b(?:free|fee|charge)\b(?!.*\?)",
            ),
            threshold=0.75,
        ),
        unless=unless,
        order=13,
        tests=(
            *fires(
                "Before I cancel it, would you rather move it to another day?",
                "I could reschedule that for you. The next opening is Monday at 9 AM.",
                "Would a different date work better for you?",
            ),
            *silent(
                "Shall I cancel it?",
                "May I have your full name and date of birth?",
                "One moment while I pull up your chart.",
            ),
        ),
    )


def _cancel_it(line: str, given: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id="cancel-it",
        when="The agent asks whether to cancel the visit, or reads it back and asks whether to go ahead",
        not_when=(
            "when it offers to move it instead",
            "when it says that the visit has been cancelled",
            "when it asks for identity details",
        ),
        line=line,
        cues=Cues(
            all_of=(_ASK_CANCEL,), none_of=(ASKING_IDENTITY, MOVE_OFFER, r"\binstead\b|\brather\b", _WHY)
        ),
        order=14,
        tests=(
            *fires(
                "That's your visit on Monday, September 14, and there is no fee. Shall I cancel it?",
                "Are you sure you want to cancel this appointment?",
                "Would you like me to go ahead and cancel that?",
                given=given,
            ),
            *silent(
                "Would you rather move it to another day than cancel it?",
                "Your appointment has been cancelled.",
                "May I have your full name and date of birth?",
                given=given,
            ),
        ),
    )


def _why_cancel() -> Rule:
    return Rule(
        id="no-reason",
        when="The agent asks why the caller wants to cancel or move the visit",
        line="I just can't make it then.",
        cues=Cues(all_of=(_WHY,), none_of=(ASKING_IDENTITY, CANCELLED)),
        order=17,
        tests=(
            *fires(
                "May I ask why you're cancelling?",
                "What's the reason for the change?",
                "Is there a reason you can't come?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "Shall I cancel it?",
                "Let me pull up your chart.",
            ),
        ),
    )


def _follow_up_off(pack: str) -> Task:
    who = patient("Steven Harper")
    closing = "Good, thank you. That's all. Goodbye."
    return build(
        pack,
        "C2-M2",
        "Cancel a September follow-up",
        "scheduling",
        (2, 4, 1),
        Intent(
            opening="Good morning. I have to cancel my follow-up visit at Montclair, the one in September.",
            conduct=(
                "You want your September follow-up visit at Montclair cancelled, not moved. Your other visit "
                "stays.",
                "Turn down every offer to move it. Say yes when they ask whether to cancel it.",
                "When it is cancelled, thank them and hang up.",
            ),
            closing=closing,
            satisfied=("heard:cancelled",),
        ),
        (
            when_cancelled(closing),
            which_visit("The follow-up visit at Montclair, in September."),
            _no_move("No, I don't want another day. Please just cancel it."),
            _cancel_it("Yes, please cancel it."),
            _why_cancel(),
            *known_rules(who, office="Montclair."),
        ),
        (
            verified(who),
            ExpectedCall("cancel_appointment", arguments={"appointment_id": "AP-710245", "confirmed": True}),
        ),
        traits=traits_of(who),
        topics=(cancelled_topic(),),
    )


def _follow_up_sooner(pack: str) -> Task:
    who = patient("Laura Jensen")
    closing = "Perfect, thank you. That's all I needed. Goodbye."
    return build(
        pack,
        "C2-M4",
        "Move the September Windermere follow-up",
        "scheduling",
        (3, 6, 1),
        Intent(
            opening="Hi, I'd like to move my September follow-up visit at Windermere to an earlier day.",
            conduct=(
                "You want your September follow-up visit at Windermere moved to the first opening. Don't let "
                "them cancel it.",
                "Take the first time they offer and say yes when they read it back.",
                "You want no waitlist, no text, no callback and no person.",
            ),
            closing=closing,
            satisfied=("heard:moved",),
        ),
        (
            when_moved(closing),
            which_visit("The follow-up visit at Windermere, in September."),
            moves_it(),
            no_cancelling(),
            takes_first(),
            _why_cancel(),
            any_time(),
            looks_please(),
            *known_rules(who, office="Windermere."),
        ),
        (
            verified(who),
            slots("windermere", "follow_up"),
            ExpectedCall(
                "reschedule_appointment",
                arguments={"appointment_id": "AP-710418", "slot_id": "SL-300401"},
                free_text={"confirmed": "yes"},
            ),
        ),
        traits=traits_of(who),
        topics=(moved_topic(),),
    )


def _consult_off(pack: str) -> Task:
    who = patient("Diane Keller")
    closing = "Thank you for your help, that's all. Goodbye."
    return build(
        pack,
        "C2-H3",
        "Cancel the August 21 cosmetic consult",
        "scheduling",
        (7, 11, 2),
        Intent(
            opening="Hi, I have to cancel my cosmetic consult at Garden City this Friday, August 21. "
            "What happens to my deposit then?",
            conduct=(
                "You want Friday's cosmetic consult at Garden City cancelled, and to know first what becomes "
                "of the deposit.",
                "Turn down every offer to move it and every other time. Say yes to cancelling once you know "
                "about the "
                "deposit.",
                "When it is cancelled, ask to go on the waitlist there for a cosmetic consult.",
                "When you are on the waitlist, thank them and hang up. You want no text, no callback and no "
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
            _no_move("No, none of that. Please just cancel it."),
            _deposit_first(),
            _cancel_it("Yes, please cancel it.", given=("heard:deposit",)),
            _why_cancel(),
            _yes_waitlist(),
            *known_rules(who, office="Garden City.", waitlist=True),
        ),
        (
            identified(who),
            verified(who),
            summary(who, listed=False),
            balance(who, listed=True),
            slots("garden_city", "cosmetic_consult"),
            ExpectedCall("cancel_appointment", arguments={"appointment_id": "AP-710530", "confirmed": True}),
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
    )


_DEPOSIT_TOLD: Final = any_of(
    r"\bdeposit\b[^?!]*\b(?:kept|keep|keeps|credit|credited|account|refund\w*|forfeit\w*|lost|lose|stays?"
    r"|returned|back"
    r"|applied|hold|held|transfer\w*|carr\w+|safe|good)\b",
    r"\b(?:credit|refund|keep|forfeit|lose|return|hold|apply)\b[^?!]*\bdeposit\b",
    r"\$?50(?:\.00)?\b[^?!]*\b(?:credit|kept|stays?|refund\w*|account|forfeit\w*)\b",
)
_ON_LIST: Final = any_of(
    r"\b(?:on|onto|to|joined) (?:the|our|a|that) (?:\w+ ){0,3}(?:wait(?:ing)?[- ]?list|list)\b",
    r"\b(?:added|put|placed|joined|waitlisted|wait-listed)\b[^?!]*\b(?:wait(?:ing)?[- ]?list|list)\b",
    r"\bwait-?listed\b",
    r"\b(?:when|if|as soon as) (?:something|a (?:spot|time|slot)|an opening|one)\b[^?!]*\b(?:call|text|reach"
    r"|let you know"
    r"|contact|hear)\b",
)
_NOT_LISTED: Final = any_of(
    LATER, r"\b(?:would you|do you|are you|shall|if you|want to|like to)\b[^.]*\blist\b"
)


def _deposit_first() -> Rule:
    return Rule(
        id="deposit-first",
        when="The agent asks whether to cancel the consult and has not yet said what happens to the deposit",
        not_when=("when it offers to move it instead", "when it asks for identity details"),
        line="First tell me, please, what happens to my deposit?",
        cues=Cues(
            all_of=(_ASK_CANCEL,), none_of=(ASKING_IDENTITY, MOVE_OFFER, r"\binstead\b|\brather\b", _WHY)
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
                    OFFERS_WAITLIST,
                    r"\blist\b[^.]*\?",
                    r"\b(?:what|which) (?:kind|type|service|office|visit)\b[^.?!]*\b(?:list|wait)",
                ),
            ),
            none_of=(
                ASKING_IDENTITY,
                r"\b(?:let me|i'll|i will) (?:\w+ )?(?:add|put|place)\b",
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
