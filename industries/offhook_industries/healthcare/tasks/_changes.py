"""Rules of callers who cancel a visit or have it moved."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule
from offhook_industries.common.cues import any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._cues import (
    ASKING_IDENTITY,
    HELD,
    HOURS_SAID,
    OFFERS_TIMES,
    READS_BIRTH,
    STANDING,
)
from offhook_industries.healthcare.tasks._outcomes import CANCELLED
from offhook_industries.healthcare.tasks._refusals import WAITING
from offhook_industries.healthcare.tasks._remarks import STATEMENT
from offhook_industries.healthcare.tasks._times import MOVE_OFFER

__all__ = ["ASK_CANCEL", "WHY", "cancel_it", "no_move", "which_visit", "why_cancel"]

ASK_CANCEL: Final = any_of(
    r"\b(?:shall|should|may|can|could) i (?:\w+ ){0,3}(?:cancel|proceed|go ahead|do (?:that|it))\b",
    r"\b(?:want|like|need) me to (?:\w+ ){0,3}(?:cancel|proceed|go ahead|do (?:that|it))\b",
    r"\b(?:you|still|really) (?:\w+ ){0,2}(?:want|wish|like|prefer|sure)\b[^.]{0,30}\bcancel\b",
    r"\bcancel\b[^.!]*\?",
    r"\bcancell?(?:ing|ation)\b[^.!]*\?",
    r"\bwe(?:'re| are)? cancell?ing\b",
    r"\b(?:take|strike|drop|scratch|remove)\b[^.!?]{0,60}\b(?:off|from) (?:the|your|our)\b[^.!]*\?",
    r"\b(?:okay|ok|all right|alright|fine|ready|good|happy) (?:if i|for me to|to|with me) (?:\w+"
    r" ){0,2}(?:cancel|go ahead|proceed)\b",
    r"\b(?:shall|should|may|can|could) i (?:then |now |just )?(?:take (?:it|that) off|call it off)\b",
    r"\b(?:confirm|sure)\b[^.?!]*\bcancel\w*\b",
    r"\bcancell?ing\b.*\b(?:is|does) (?:that|this|it) (?:\w+ )?(?:right|correct|okay|ok|good)\b",
    r"\bgo ahead (?:and|with)\b[^.!]*\bcancel\w*",
    r"\b(?:like|want|need) (?:it|that|this|the|your)(?: [\w']+){0,4} (?:cancell?ed|called off|taken off"
    r"|gone|dropped)\b",
    r"\b(?:are you|you're|you are) (?:\w+ )?(?:sure|certain|positive)\b",
    r"\b(?:drop|scratch|scrap|pull|nix|remove|kill) (?:it|that|this|the|your)\b[^.!]*(?:\?|\b(?:okay|ok"
    r"|right|yes)\W*$)",
    r"\btake\b[^.!?]{0,60}\b(?:off|out)\b[^.!]*(?:\?|\b(?:okay|ok|right|yes)\W*$)",
)
WHY: Final = (
    r"\b(?:why|reason|how come|what(?:'s| is)? (?:making|made|caused|prompted)"
    r"|what happened|what(?:'s| has)? (?:came|come) up|(?:did|has) something (?:come|happen)\w*"
    r"|(?:anything|something) (?:wrong|the matter"
    r"|come up))\b"
)
_NO_REASON: Final = rf"{WHY}[^.!]*\?"


def which_visit(line: str, after: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id="which-visit",
        when="The agent asks which appointment the caller means, or whether it is the one it names",
        not_when=("when it asks for identity details", "when it asks which new day or time is wanted"),
        line=line,
        cues=Cues(
            like=(
                "Which appointment do you mean?",
                "Is it the visit in September that you mean?",
            ),
            all_of=(
                any_of(
                    r"\b(?:which|what) (?:\w+ )?(?:one|appointment|visit|consult|of (?:those|these|them|the"
                    r" two))\b",
                    r"\b(?:tell me|let me know|say) which\b",
                    r"^\W*(?:so |and |okay |ok )*the [\w' ]{3,40} (?:one|visit|appointment|follow-?up"
                    r"|consult),? "
                    r"(?:right|correct|yes|yeah)\W*$",
                    r"\b(?:you're|you are|were you|are you) (?:talking|asking|calling) about\b",
                    r"\b(?:do )?you mean(?: the| your)?\b|\bwhich (?:(?:should|shall) i|is it|would (?:it"
                    r"|that) be)\b",
                    r"\b(?:is|was) (?:that|this|it) the (?:one|appointment|visit|consult|follow|right)\b",
                    r"\bis (?:that|this) (?:it|correct|right|the)\b[^.]*\b(?:appointment|visit|consult"
                    r"|one)\b",
                    r"\b(?:when|what day|what date|where) is (?:your|the|that) (?:\w+ ){0,2}(?:appointment"
                    r"|visit|consult)\b",
                ),
            ),
            none_of=(
                HELD,
                ASKING_IDENTITY,
                WAITING,
                READS_BIRTH,
                r"\$ ?[0-9]|\b(?:dollars|charges?|bill|balance)\b",
                r"\b(?:kind|type|sort|what day|what time)\b",
                r"\bworks? best\b",
            ),
            threshold=0.8,
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


def no_move(line: str, unless: tuple[str, ...] = ()) -> Rule:
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
            all_of=(
                any_of(
                    MOVE_OFFER,
                    OFFERS_TIMES,
                    r"\binstead\b",
                    r"\brather\b",
                    r"\b(?:opening|spot|slot|something)\b[^.?!]{0,20}\b(?:week|day|month) (?:after|later"
                    r"|before)\b",
                    r"\b(?:can|could) find you (?:something|another|a (?:\w+ )?(?:time|day|spot|slot))\b",
                    r"\bsooner keep\b|\bin (?:its|that) place\b|\bkeep (?:it|the visit|your visit)\b",
                ),
            ),
            none_of=(
                HELD,
                rf"^(?!.*(?:{MOVE_OFFER}|\binstead\b|\brather\b)).*(?:{STANDING})",
                _NO_REASON,
                ASKING_IDENTITY,
                READS_BIRTH,
                HOURS_SAID,
                rf"^(?!.*\b(?:before|instead|rather)\b).*(?:{CANCELLED})",
                WAITING,
                # The visit itself, read back before it is cancelled.
                r"^\W*(?:(?:all right|alright|okay|ok|so|and|then)\W+)*+(?:that's|that is|this is) your\b",
                r"\b(?:free|fee|charge)\b(?!.*\?)",
                rf"^(?=.*(?:{STATEMENT})).*(?:\b(?:didn't|doesn't|won't) work\b|\blists?\b)",
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


def cancel_it(line: str, given: tuple[str, ...] = ()) -> Rule:
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
            all_of=(ASK_CANCEL,),
            none_of=(
                ASKING_IDENTITY,
                MOVE_OFFER,
                r"\binstead\b|\brather\b",
                WHY,
                r"\b(?:i'll|i will|i'm going to|let me) (?:\w+ )?cancel\b(?!.*(?:\?|\b(?:okay|ok"
                r"|right|yes|yeah|alright|good)\W*$))",
                r"\b(?:can|could) help\b",
                r"^(?:(?!are\b|is\b|we\b)\w+,? ){0,3}cancell?ing\b(?!.*(?:\?|\b(?:okay|ok|right|yes)\W*$))",
                r"\bi can take care of\b(?!.*\?)",
            ),
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


def why_cancel() -> Rule:
    return Rule(
        id="no-reason",
        when="The agent asks why the caller wants to cancel or move the visit",
        line="I just can't make it then.",
        cues=Cues(
            like=(
                "Why are you cancelling?",
                "Is there a reason you can't come?",
            ),
            all_of=(WHY,),
            none_of=(ASKING_IDENTITY, CANCELLED),
            threshold=0.78,
        ),
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
