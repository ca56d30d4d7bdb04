"""C4-E1: what Botox costs."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task
from offhook_industries.common.cues import ASKS_OFFICE, any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._answers import price_told
from offhook_industries.healthcare.tasks._build import build
from offhook_industries.healthcare.tasks._cues import ASKING_IDENTITY, FIGURE, HELD
from offhook_industries.healthcare.tasks._facts import asks_if_new
from offhook_industries.healthcare.tasks._refusals import no_booking, no_details, usual_refusals

__all__ = ["tasks"]


def tasks(pack: str) -> tuple[Task, ...]:
    closing = "Thank you, that's what I wanted to know. Goodbye."
    return (
        build(
            pack,
            "C4-E1",
            "Botox cost inquiry",
            "cosmetic",
            (1, 1, 0),
            Intent(
                opening="Hello, what do you charge for Botox?",
                conduct=(
                    "You only want to hear the price. You book nothing and give no details about yourself.",
                    "You haven't decided what you would have done, or where.",
                    "When you have heard a price, thank them and hang up.",
                ),
                closing=closing,
                satisfied=("said:price",),
            ),
            (
                price_told("Botox", "$14.00 a unit", closing, name="price", ends=True),
                _treatment(),
                _undecided(),
                asks_if_new(),
                no_booking(),
                no_details(),
                *usual_refusals(),
            ),
            (ExpectedCall("quote_cosmetic_service", arguments={"service": "botox"}),),
        ),
    )


def _treatment() -> Rule:
    return Rule(
        id="treatment",
        when="The agent asks which treatment the caller wants to know about",
        not_when=("when it asks which area, or how many units", "when it names the price"),
        line="Botox.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:which|what)\b(?: \w+){0,2} (?:treatments?|services?|procedures?|products?)\b",
                    r"\bname of the (?:treatment|service|procedure|product)\b",
                    r"\b(?:treatment|service|procedure|product) (?:is|was) (?:it|that|this) (?:about|for)\b",
                    r"\b(?:missed|didn't (?:catch|get|hear)|lost) (?:the|which|what) (?:treatment|service"
                    r"|procedure)\b",
                    r"\b(?:is|was|do|did|are) (?:it|that|this|you)\b[^.!]{0,30}\bbotox,? or\b[^.!]{0,20}"
                    r"\b(?:fillers?|peels?|something else|another)\b",
                    r"\bbotox,? (?:was it|right|you said|is that right|did you say)\?",
                ),
            ),
            none_of=(HELD, FIGURE, ASKING_IDENTITY, r"\b(?:areas?|units?|treated)\b"),
        ),
        order=20,
        tests=(
            *fires(
                "Which treatment would you like to know about?",
                "Sorry, which treatment is it?",
                "What service was that for?",
                "Could you say only the name of the treatment again?",
            ),
            *silent(
                "Which area would you like treated?",
                "How many units were you thinking of?",
                "Let me look that treatment up.",
                "Botox is $14.00 a unit.",
            ),
        ),
    )


def _undecided() -> Rule:
    return Rule(
        id="undecided",
        when="The agent asks which area, how many units, or which office the caller has in mind",
        not_when=("when it names the price", "when it asks for identity details"),
        line="I haven't decided. I'd only like to know the price.",
        cues=Cues(
            like=(
                "Which area would you like treated?",
                "How many units were you thinking of?",
            ),
            all_of=(
                any_of(
                    ASKS_OFFICE,
                    r"\b(?:which|what|how many)\b[^.?!]{0,40}\b(?:areas?|units?|part|parts|treated|lines"
                    r"|zones?)\b",
                    r"\bwhere (?:would|do|did|are|on)\b",
                    r"\b(?:forehead|frown|crow's feet|lines)\b[^.!]*(?:\?|\b(?:what|which|or)\b)",
                ),
            ),
            none_of=(HELD, FIGURE, ASKING_IDENTITY, r"\bdepends?\b"),
            threshold=0.75,
        ),
        order=21,
        tests=(
            *fires(
                "Which area would you like treated?",
                "How many units were you thinking of?",
                "Which of our offices did you have in mind?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "Botox is $14.00 a unit. Which area did you have in mind?",
                "Would you like to book a consult?",
            ),
        ),
    )
