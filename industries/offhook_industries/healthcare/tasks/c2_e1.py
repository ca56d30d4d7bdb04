"""C2-E1: until when a medical visit can be cancelled free of charge."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Intent, Rule, Task
from offhook_industries.common.cues import any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._build import build
from offhook_industries.healthcare.tasks._cues import ASKING_IDENTITY, CHECKING, HELD
from offhook_industries.healthcare.tasks._refusals import no_booking, no_details, usual_refusals

__all__ = ["tasks"]

_NOTICE: Final = any_of(
    r"\b(?:a|one) (?:full )?day's (?:notice|heads[- ]up|warning)\b",
    r"\b(?:24|2 4|twenty[- ]four)[- ]?(?:hours?|hrs?)\b",
    r"\b(?:a|one|1|the) (?:full )?(?:day|business day) (?:before|ahead|in advance|prior|earlier|notice"
    r"|beforehand)\b",
)
_FEE: Final = any_of(r"\b(?:fee|charge|charged|penalty)\b", r"\$ ?[0-9]", r"\bdollars\b")
_NOT_MEANT: Final = r"\b(?:cosmetic|mohs|excision|surgical|48|forty[- ]eight)\b"


def tasks(pack: str) -> tuple[Task, ...]:
    closing = "Twenty-four hours, all right. Thank you, goodbye."
    return (
        build(
            pack,
            "C2-E1",
            "Medical cancellation policy",
            "scheduling",
            (0, 0, 0),
            Intent(
                opening="Hi, how late can I cancel a medical visit without paying a fee?",
                conduct=(
                    "You only want to know the rule for an ordinary medical visit.",
                    "You don't want to cancel or move anything now, and give no details about yourself.",
                    "When you have heard up to when it is free, thank them and hang up.",
                ),
                closing=closing,
                satisfied=("said:notice",),
            ),
            (
                _notice(closing),
                _until_when(),
                _which_kind(),
                _nothing_now(),
                no_booking(),
                no_details(),
                *usual_refusals(),
            ),
            (),
            ours=True,
        ),
    )


def _notice(line: str) -> Rule:
    return Rule(
        id="notice",
        when="The agent says up to when a medical visit can be cancelled free of charge: 24 hours, or a day, "
        "before",
        not_when=("when it only speaks of cosmetic or surgical visits", "when it only names the fee"),
        line=line,
        cues=Cues(
            all_of=(_NOTICE,), none_of=(rf"^(?!.*\b(?:medical|regular|24|2 4|twenty)\b).*{_NOT_MEANT}",)
        ),
        order=10,
        ends_call=True,
        tests=(
            *fires(
                "You can cancel a medical visit free of charge up to 24 hours before. After that it's "
                "$50.00.",
                "We ask for twenty-four hours' notice, otherwise there's a fifty dollar fee.",
                "As long as you cancel at least a day before the visit, there is no charge.",
            ),
            *silent(
                "A late cancellation costs $50.00.",
                "Which visit would you like to cancel?",
                "Cosmetic visits need 48 hours.",
            ),
        ),
    )


def _until_when() -> Rule:
    return Rule(
        id="until-when",
        when="The agent speaks of the fee for cancelling late and doesn't say up to when cancelling is free",
        not_when=("when it asks something",),
        line="And up to how long before is it free?",
        cues=Cues(all_of=(_FEE,), none_of=(_NOTICE, r"\?", ASKING_IDENTITY, CHECKING)),
        order=20,
        tests=(
            *fires(
                "If you cancel too late, there's a $50.00 fee.",
                "Late cancellations are charged fifty dollars.",
                "There can be a fee for cancelling at short notice.",
            ),
            *silent(
                "It's free up to 24 hours before, then there's a $50.00 fee.",
                "I can tell you how our cancellation policy works.",
                "May I have your full name and date of birth?",
                "Let me check the fee for you.",
            ),
        ),
    )


def _which_kind() -> Rule:
    return Rule(
        id="which-kind",
        when="The agent asks what kind of visit it is, medical or cosmetic",
        line="An ordinary medical visit.",
        cues=Cues(
            like=(
                "Is it a medical visit or a cosmetic one?",
                "What kind of appointment is it?",
            ),
            unlike=("Which appointment is it?", "When is the appointment?"),
            all_of=(
                any_of(
                    r"\b(?:what|which) (?:kind|type|sort)\b",
                    r"\b(?:regular|ordinary|normal|standard|skin|office|dermatology|medical"
                    r"|doctor's)\b[^.!]*\bor\b[^.!]*\b(?:cosmetic|surg\w+)\b[^.!]*\?",
                    r"\bcosmetic\b[^.!]*\bor\b[^.!]*\b(?:regular|ordinary|normal|standard|skin)\b[^.!]*\?",
                    r"\b(?:botox|filler|cosmetic)\b[^.!]*\bor\b[^.!]*\b(?:dermatolog\w*|medical|regular"
                    r"|skin|doctor)\b",
                    r"\bmedical,? or (?:a )?cosmetic\b",
                    r"\bmedical\b[^.!]*\bcosmetic\b[^.!]*\?",
                    r"\bcosmetic\b[^.!]*\bmedical\b[^.!]*\?",
                    r"\bis (?:it|this|that) (?:for )?(?:an? )?(?:medical|cosmetic|surgical|mohs)\b",
                ),
            ),
            none_of=(HELD, _NOTICE, ASKING_IDENTITY),
            threshold=0.75,
        ),
        order=21,
        tests=(
            *fires(
                "What kind of visit is it?",
                "Is that a medical or a cosmetic appointment?",
                "Which type of appointment do you mean?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "Which visit would you like to cancel?",
                "Medical visits are free to cancel up to 24 hours before, cosmetic ones 48.",
            ),
        ),
    )


def _nothing_now() -> Rule:
    return Rule(
        id="nothing-now",
        when="The agent asks whether to cancel or move a visit, which visit it is, or when it is",
        not_when=("when it asks for identity details",),
        line="I don't want to cancel anything now. I'd just like to know the rule.",
        cues=Cues(
            like=(
                "Would you like to cancel an appointment?",
                "Which appointment do you want to cancel?",
                "When is your appointment?",
            ),
            all_of=(
                any_of(
                    r"\b(?:appointment|visit|one) (?:that )?you(?:'d| would)? (?:\w+ )?(?:want|need|like"
                    r"|wish)\b",
                    r"\bwhen(?:'s| is| was)\b[^.?!]{0,20}\b(?:visit|appointment|one)\b",
                    r"\b(?:do you|you) (?:have|got)\b[^.?!]{0,25}\b(?:coming up|scheduled|booked)\b",
                    r"\b(?:i can|i could|happy to) (?:cancel|move|reschedule)\b",
                    r"\b(?:need|needs|want|wants|like|have) to (?:be )?(?:cancel|move|reschedul)\w*",
                    r"\b(?:cancel|move|reschedule) (?:something|anything|one|it)\b[^.!]*\?",
                    r"\b(?:did|do|are) you (?:want\w*|wish\w*|need\w*|like|trying|looking|planning|hoping"
                    r"|calling) (?:me )?to (?:cancel|move|reschedule)\b",
                    r"\b(?:would you like|do you want|want me to|like me to|shall i|should i|do you need|are"
                    r" you"
                    r"|looking|trying|help you)\b[^.?!]{0,40}\b(?:cancel\w*|mov\w+|reschedul\w*)\b",
                    r"\b(?:which|what|when)\b[^.?!]{0,30}\b(?:appointment|visit)\b[^.!]*\b(?:cancel|is|have"
                    r"|for)?\b[^.!]*\?",
                ),
            ),
            none_of=(HELD, _NOTICE, ASKING_IDENTITY, r"\b(?:kind|type|sort)\b", r"\b(?:book|schedule an?)\b"),
            threshold=0.75,
        ),
        order=22,
        tests=(
            *fires(
                "Which visit would you like to cancel?",
                "Would you like me to cancel your appointment?",
                "When is your appointment?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "You can cancel free of charge up to 24 hours before.",
                "What kind of visit is it?",
            ),
        ),
    )
