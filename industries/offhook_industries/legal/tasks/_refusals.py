"""What callers turn down, and how they take a hand-over."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule, Topic
from offhook_industries.common.cues import ASKS_IF_RIGHT, DAY, ELSE, HOLD, TIME, any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.legal.tasks._cues import (
    ASKING,
    ASKS,
    ASKS_ADVERSE,
    SEVERAL,
)
from offhook_industries.legal.tasks._matters import ASKS_NOTE
from offhook_industries.legal.tasks._remarks import REMARKS
from offhook_industries.legal.tasks._told import (
    DECLINED,
    FREE_OF_CHARGE,
    HANDS_OVER,
    OFFERS_EVALUATION,
    OFFERS_NOTE,
    OFFERS_PACKET,
    OFFERS_RECORDS,
    OFFERS_RING,
    OFFERS_SLOTS,
    PACKET_SENT,
    UNDECIDED,
)

__all__ = [
    "HANDED",
    "handed_over",
    "no_evaluation",
    "no_note",
    "no_packet",
    "no_person",
    "no_records",
    "what_now",
]

_WAIT: Final = "One moment while I check that."
_WHO: Final = "May I have your full name, and a number to call you back on?"
_REFUSALS: Final = (
    "I'm sorry, the firm can't take this case.",
    "This is not the kind of matter that our lawyers handle.",
    "We aren't able to represent you in this.",
    "None of our lawyers is licensed in that state.",
    "We have to turn this matter down.",
    "Bankruptcy is nothing we can help with.",
    "We don't do immigration law.",
    "That state is not one we cover.",
    "I'm sorry, we must say no to this one.",
)
_PAST: Final = r"\b(?:did|have|had|were) you\b"
_PACKET_ASKED: Final = r"\b(?:packet|paperwork|forms)\b"

# Whoever gives a number away asks for none.
_ASKED: Final = both(ASKING, r"^(?!.*\byou (?:a|the|some) (?:\w+ )?numbers?\b)")
# A name that turns up in a check is no question for one.
_ASKS_ON: Final = both(
    ASKING,
    r"^(?!.*\b(?:because of (?:who|the \w+)|name) (?:it's|it is|comes|came|is|turned|turns|shows)\b"
    r"|.*\bbecause of (?:who's|whom?|the other)\b)",
)
HANDED: Final = Topic("handed-over", Cues(all_of=(HANDS_OVER,), none_of=(_ASKED, _PAST)))


def handed_over(line: str = "Okay, thank you.") -> Rule:
    """The caller stays on the line: whoever hangs up now is never put through."""
    return Rule(
        id="handed-over",
        when="The agent says that a person takes over, or offers to connect the caller with one",
        not_when=("when it also asks for a fact first",),
        line=line,
        cues=Cues(
            like=(
                "I'm connecting you with a person now.",
                "Would you like me to transfer you to somebody?",
                "A colleague takes over from here.",
                "I'll have one of our people join the call.",
                "You'll be speaking with a member of our staff next.",
            ),
            all_of=(HANDS_OVER,),
            none_of=(
                _ASKED,
                r"\bcan't (?:connect|transfer)\b",
                r"\bhow are you\b|\btake (?:down )?(?:a|the|your) message\b",
                r"\b(?:am i|are you|who) (?:\w+ )?speaking (?:to|with)\b",
                _PAST,
            ),
            threshold=0.6,
            unlike=(
                _WHO,
                "Would you like to speak with a lawyer in an evaluation?",
                "Let me check that for you.",
                "Do you want to leave him a message?",
                "He calls you back tomorrow.",
                "Who am I speaking with?",
                "Can he come to the phone?",
                "I can't connect you with anybody.",
            ),
        ),
        order=14,
        first_n=3,
        tests=(
            *fires(
                "I'll see to it that you speak to one of our people.",
                "A person takes it from here. I'm connecting you now.",
                "I'll transfer you to a member of our team.",
                "Would you like me to connect you with someone?",
                "Let me put you through to a colleague who can help.",
            ),
            *silent(_WHO, _WAIT, "Who would the claim be against?"),
        ),
    )


def no_person() -> Rule:
    return Rule(
        id="no-person",
        when="The agent offers to hand the caller over to a person, or to have somebody call back",
        not_when=("when it asks for a fact", "when it takes a message"),
        line="No, thank you. Let's just finish it here.",
        cues=Cues(
            like=("Would you like me to transfer you to a person?",),
            all_of=(
                any_of(HANDS_OVER, OFFERS_RING),
                any_of(
                    ASKS,
                    r"\b(?:i|we) (?:can|could)\b",
                    r"\b(?:i|we)(?:'ll| will|'m|'re)\b",
                    r"\bcould\b|\bif (?:you(?:'d| would)? (?:like|want|prefer|rather)|that(?:'s| is|'d))\b",
                ),
            ),
            none_of=(
                ASKING,
                OFFERS_EVALUATION,
                r"\bspeaking (?:to|with)\b",
                r"\b(?:read|reads|review|reviews)\b",
                r"\bmessage\b",
                r"\bnote\b",
            ),
            threshold=0.76,
            unlike=("Would you like an evaluation with a lawyer?", _WHO),
        ),
        order=45,
        tests=(
            *fires(
                "Would you like me to transfer you to a person?",
                "I can connect you with someone from our team if you prefer.",
                "Shall I have somebody call you back instead?",
            ),
            *silent(_WHO, _WAIT, "A lawyer's team reads your account."),
        ),
    )


def what_now() -> Rule:
    """A refusal without a hand-over leaves the caller waiting."""
    return Rule(
        id="what-now",
        when="The agent says that the firm can't take the matter, and says nothing of a person",
        line="I see. And what happens now?",
        cues=Cues(
            like=_REFUSALS,
            all_of=(DECLINED,),
            threshold=0.6,
            unlike=(
                "Let me check whether the firm can take this.",
                "The firm is free to take this matter.",
                "I can't give you legal advice or an opinion.",
                "Thank you, I have that.",
                "How many creditors do you have?",
                "Bankruptcy can be hard on people.",
                "Okay, it's a bankruptcy.",
                "So it's about immigration.",
                "That is an area of law we handle.",
                "What type of legal matter is it?",
                "I can't go into the reason.",
                "Are you working with another lawyer?",
                "Have you taken a class about it?",
                "Our lawyers are licensed in several states.",
                "Your lawyer can't help you either?",
            ),
            none_of=(
                SEVERAL,
                HANDS_OVER,
                _ASKS_ON,
                HOLD,
                UNDECIDED,
                r"\b(?:no|any|for) conflicts?\b",
                r"\bonly (?:\w+ )?take (?:the|your|down|it|that)\b",
            ),
        ),
        unless=("heard:handed-over",),
        first_n=2,
        order=18,
        tests=(
            *fires(
                "I'm sorry, the firm can't take this matter further.",
                "Unfortunately this is not a kind of case that we handle.",
                "We're unable to help with that one.",
                "Immigration cases aren't something our firm takes on.",
                "None of our lawyers is licensed in Arizona, so we have to decline.",
            ),
            *silent(
                "The firm can't take this, so a person takes it from here. I'm connecting you now.",
                "Who would the claim be against?",
                "I can't say yet whether we can take it.",
                "Nothing is in the way, so we can go on.",
                _WAIT,
            ),
        ),
    )


def no_evaluation(line: str = "No, I don't want to book anything right now.") -> Rule:
    return Rule(
        id="no-evaluation",
        when="The agent offers an evaluation, a consultation or a time with a lawyer",
        not_when=("when it says that nothing is booked",),
        line=line,
        cues=Cues(
            like=("Would you like to book an evaluation with a lawyer?",),
            all_of=(any_of(OFFERS_EVALUATION, both(OFFERS_SLOTS, DAY, TIME)),),
            none_of=(
                r"\b(?:nothing is|nothing was|not) booked\b",
                FREE_OF_CHARGE,
                _PACKET_ASKED,
                r"\bfree to\b",
                r"\b(?:deadline|filed|filing)\b",
                r"\b(?:message|call you)\b",
                both(ASKS_IF_RIGHT, r"^(?!.*\byes\?)"),
                ASKING,
            ),
            threshold=0.75,
            unlike=("In which state did it happen?", "How should the packet come?", _WHO),
        ),
        order=32,
        tests=(
            *fires(
                "Would you like to book an evaluation with a lawyer?",
                "The next step would be a consultation. Shall I look for a time?",
                "I can set up an appointment with an attorney, are you interested?",
            ),
            *silent(_WHO, _WAIT, "In which state did it happen?"),
        ),
    )


def no_packet() -> Rule:
    return Rule(
        id="no-packet",
        when="The agent offers to send the new client packet or other papers",
        line="No, please don't send anything yet.",
        cues=Cues(
            all_of=(OFFERS_PACKET,),
            none_of=(PACKET_SENT, r"\b(?:has been|was|is) sent\b", r"\bwhat happened\b", ASKS_NOTE),
        ),
        order=31,
        tests=(
            *fires(
                "Shall I send you the new client packet?",
                "Would you like the paperwork by e-mail or by text?",
                "I can send our forms to you, would that be okay?",
            ),
            *silent(_WHO, _WAIT, "Your account is recorded."),
        ),
    )


def no_note() -> Rule:
    return Rule(
        id="no-note",
        when="The agent asks whether there is something to add or to note, or whether there were witnesses",
        not_when=("when it asks whether there is anything else it can do",),
        line="No, there's nothing to add.",
        cues=Cues(
            all_of=(both(ASKS, OFFERS_NOTE),),
            none_of=(
                REMARKS,
                ELSE,
                r"\bmessage\b",
                r"\bwhat happened\b",
                r"\byour (?:full )?name\b",
                ASKS_ADVERSE,
            ),
        ),
        order=33,
        tests=(
            *fires(
                "Is there something you would like me to note for the lawyer?",
                "Were there any witnesses?",
                "Do you want to add any details to your file?",
            ),
            *silent(
                _WHO, "Is there anything else I can help you with?", "What would you like me to pass on?"
            ),
        ),
    )


def no_records() -> Rule:
    return Rule(
        id="no-records",
        when="The agent offers to ask for medical records",
        line="No, leave the records for now.",
        cues=Cues(
            all_of=(OFFERS_RECORDS,),
            none_of=(REMARKS, r"\b(?:has|have) been\b", r"\bmatter number\b", r"\brecord(?:ed|ing)\b"),
        ),
        order=34,
        tests=(
            *fires(
                "Would you like us to request your medical records?",
                "Which hospital has your records?",
                "Should I send a release for the records?",
            ),
            *silent(_WHO, "Your account is recorded.", _WAIT),
        ),
    )
