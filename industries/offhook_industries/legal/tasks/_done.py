"""How a request ends: what must have been heard, what is asked for next, and the last words."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule, Topic
from offhook_industries.common.cues import any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.legal.tasks._cues import ASKS
from offhook_industries.legal.tasks._matters import ASKS_CHANNEL, ASKS_NOTE, ASKS_PROVIDER
from offhook_industries.legal.tasks._told import (
    ANYTHING_MORE,
    NOT_YET,
    NOTED,
    OFFERS_EVALUATION,
    OFFERS_PACKET,
    OFFERS_RECORDS,
    PACKET_SENT,
    RECORDED,
    RELEASE_SENT,
)

__all__ = [
    "NOTED_TOPIC",
    "PACKET_TOPIC",
    "RECORDED_TOPIC",
    "RELEASE_TOPIC",
    "done",
    "wants_note",
    "wants_packet",
    "wants_records",
]

_WAIT: Final = "One moment while I check that."
_WHO: Final = "May I have your full name, and a number to call you back on?"
_SENDS: Final = both(
    ASKS, r"\b(?:send|mail|e-?mail|text) (?:anything |something )?(?:to )?you\b|\bget (?:\w+ )?to you\b"
)
_ACCOUNT: Final = "Thank you, your account is recorded and a lawyer's team reads it."

RECORDED_TOPIC: Final = Topic(
    "recorded",
    Cues(
        all_of=(RECORDED,),
        none_of=(
            NOT_YET,
            r"\b(?:conflict|check|checks|screening|deadline|packet|message)\b",
            r"\bbooked\b|\b(?:name|number|record) is\b",
        ),
    ),
)
PACKET_TOPIC: Final = Topic(
    "packet-sent",
    Cues(
        all_of=(PACKET_SENT,), none_of=(NOT_YET, r"\b(?:release|authori[sz]ation|message)\b(?!.*\bpacket\b)")
    ),
)
NOTED_TOPIC: Final = Topic(
    "noted",
    Cues(
        all_of=(NOTED,),
        none_of=(
            r"\?",
            r"\b(?:shall|should|may|can|could) (?:i|we)\b",
            r"\b(?:want|like|need|make sure)\b",
            r"\b(?:will|to) be noted\b|\b(?:message|number)\b",
        ),
    ),
)
RELEASE_TOPIC: Final = Topic(
    "release-sent",
    Cues(
        all_of=(RELEASE_SENT,),
        none_of=(
            r"\?",
            r"\b(?:shall|should|may|can|could) (?:i|we)\b",
            r"\b(?:want|like|need) (?:me|us|to)\b",
            r"^(?!.*\b(?:release|authori[sz]ation)\b).*\bpacket\b",
        ),
    ),
)


def done(after: tuple[str, ...], line: str, *, order: int = 6, rule_id: str = "done") -> Rule:
    """The caller has all they called for once the events of ``after`` have happened."""
    return Rule(
        id=rule_id,
        when="Everything the caller asked for is done, and the agent asks whether there is anything else",
        line=line,
        cues=Cues(all_of=(ANYTHING_MORE,)),
        after=after,
        order=order,
        ends_call=True,
        tests=(
            *fires(
                "Is there anything else I can help you with?",
                "Anything else today?",
                "What else can I do for you?",
                given=after,
            ),
            *silent(_WHO, _WAIT, "In which state did it happen?", given=after),
        ),
    )


def wants_packet(line: str, sample: str) -> Rule:
    """``line`` says that and how the packet shall come; ``sample`` is an agent's question for the way."""
    recorded = ("heard:recorded",)
    return Rule(
        id="packet",
        when="The account is recorded, and the agent asks what else it can do, offers the new client "
        "packet, or "
        "asks how to send it",
        line=line,
        cues=Cues(
            all_of=(any_of(ANYTHING_MORE, OFFERS_PACKET, ASKS_CHANNEL, RECORDED, _SENDS),),
            none_of=(
                PACKET_SENT,
                ASKS_NOTE,
                both(OFFERS_EVALUATION, r"^(?!.*\b(?:packet|paperwork|forms|else)\b)"),
            ),
        ),
        after=recorded,
        unless=("heard:packet-sent",),
        order=8,
        tests=(
            *fires(
                "Is there anything else I can help you with?",
                sample,
                "Would you like me to send you the new client packet?",
                _ACCOUNT,
                given=recorded,
            ),
            *silent(_WAIT, "Who would the claim be against?", _WHO, given=recorded),
        ),
    )


def wants_note(line: str) -> Rule:
    recorded = ("heard:recorded",)
    return Rule(
        id="note",
        when="The account is recorded, and the agent asks what else it can do, or what it shall note",
        line=line,
        cues=Cues(all_of=(any_of(ANYTHING_MORE, ASKS_NOTE, RECORDED),), none_of=(NOTED,)),
        after=recorded,
        unless=("heard:noted",),
        order=8,
        tests=(
            *fires(
                "Is there anything else I can help you with?",
                "What would you like me to note for the lawyer?",
                "Is there anything you'd like to add to your file?",
                _ACCOUNT,
                given=recorded,
            ),
            *silent(_WAIT, "Who would the claim be against?", _WHO, given=recorded),
        ),
    )


def wants_records(line: str) -> Rule:
    """After the packet."""
    sent = ("heard:recorded", "heard:packet-sent")
    return Rule(
        id="records",
        when="The packet is sent, and the agent asks what else it can do, or which hospital has the records",
        line=line,
        cues=Cues(
            all_of=(any_of(ANYTHING_MORE, ASKS_PROVIDER, OFFERS_RECORDS, PACKET_SENT),),
            none_of=(RELEASE_SENT,),
        ),
        after=sent,
        unless=("heard:release-sent",),
        order=7,
        tests=(
            *fires(
                "Is there anything else I can help you with?",
                "Which hospital or practice has your medical records?",
                "Shall I request your medical records for the lawyer?",
                given=sent,
            ),
            *silent(_WAIT, "Who would the claim be against?", _WHO, given=sent),
        ),
    )
