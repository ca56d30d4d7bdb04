"""Whether a substituted phrase keeps the meaning.

By the published rule a phrase whose cosine with what was said is 0.75 or more keeps it, one under 0.55 does
not, and a judge decides between. Ours differs in one thing: **numbers and negations always count**. "July"
for "June" or "can" for "can not" lie close in any embedding and are still wrong, so a phrase that has other
numbers or another negation than what was said is never forgiven, by no cosine and no judge.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Protocol

import attrs

from offhook_graders.hearing.alignment import Phrase

__all__ = ["JUDGED_FROM", "SAME_FROM", "Meaning", "MeaningJudge", "PhraseVerdict", "judge_phrase", "weighty"]

SAME_FROM: Final = 0.75
JUDGED_FROM: Final = 0.55

_NOT: Final = "not"
_NEGATION_WORDS: Final = (
    "no not never none nothing nobody nowhere neither nor nope nah without cant cannot dont doesnt didnt "
    "wont isnt arent wasnt werent havent hasnt hadnt shouldnt wouldnt couldnt"
)
_NEGATIONS: Final = frozenset(_NEGATION_WORDS.split())
# Without "may" and "am", mostly other words: a month or an hour they took the place of is here.
_NUMBER_WORDS: Final = (
    "zero hundred thousand million billion half quarter dozen double triple twice percent pm noon midnight "
    "january february march april june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday tonight"
)
_NUMBERS: Final = frozenset(_NUMBER_WORDS.split())


class Meaning(StrEnum):
    """What became of a substituted phrase."""

    SAME = "same"
    JUDGED_SAME = "judged same"
    NUMBER_OR_NEGATION = "number or negation"
    JUDGED_DIFFERENT = "judged different"
    NOT_JUDGED = "not judged"
    DIFFERENT = "different"

    @property
    def forgiven(self) -> bool:
        return self in (Meaning.SAME, Meaning.JUDGED_SAME)


class MeaningJudge(Protocol):
    """Decides phrases that the cosine leaves open."""

    def same_meaning(self, reference: str, heard: str) -> bool | None:
        """Whether what was heard means what was said; None where it can't tell."""
        ...


@attrs.frozen
class PhraseVerdict:
    """``meaning`` is our rule's, ``plain`` the published one's."""

    phrase: Phrase
    meaning: Meaning
    plain: Meaning


def judge_phrase(phrase: Phrase, judge: MeaningJudge | None = None) -> PhraseVerdict:
    """Both rules on one phrase that was compared.

    Raises:
        ValueError: a phrase without a cosine.
    """
    if phrase.cosine is None:
        raise ValueError(f"phrase {' '.join(phrase.reference)!r} was not compared")
    plain = _by_cosine(phrase, phrase.cosine, judge)
    kept = weighty(phrase.reference) == weighty(phrase.hypothesis)
    return PhraseVerdict(phrase, plain if kept else Meaning.NUMBER_OR_NEGATION, plain)


def _by_cosine(phrase: Phrase, cosine: float, judge: MeaningJudge | None) -> Meaning:
    if cosine >= SAME_FROM:
        return Meaning.SAME
    if cosine < JUDGED_FROM:
        return Meaning.DIFFERENT
    said = (
        None if judge is None else judge.same_meaning(" ".join(phrase.reference), " ".join(phrase.hypothesis))
    )
    if said is None:
        return Meaning.NOT_JUDGED
    return Meaning.JUDGED_SAME if said else Meaning.JUDGED_DIFFERENT


def weighty(words: Iterable[str]) -> tuple[str, ...]:
    """The numbers and negations among normalised words, in order: digits and words with digits, single
    letters (of codes and spellings), months, weekdays and other words of number and time, and every negation
    as ``not``."""
    marked = (_NOT if word in _NEGATIONS or word.endswith("n't") else word for word in words)
    return tuple(word for word in marked if word == _NOT or _is_number(word))


def _is_number(word: str) -> bool:
    return word in _NUMBERS or any(char.isdigit() for char in word) or (len(word) == 1 and word not in "ai")
