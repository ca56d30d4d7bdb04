"""Names given label by label: "First name Selina, S, E, L, I, N, A. Last name Cortez, C, O, R, T, E, Z."

Between two labels stands one part of the name, said, spelled or both. So it hardly matters what a recogniser
made of the spoken word, and the letters of one part can't run on into the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import attrs
from rapidfuzz import fuzz

from offhook._spoken_letters import LetterRun
from offhook._spoken_tokens import Token

_FIRST: Final = frozenset({"first", "given"})
_LAST: Final = frozenset({"last", "family"})
# After a first name, "last name" is also heard as "best name" or "lost name"; never as one of these.
_NOT_LAST: Final = _FIRST | {"my", "the", "your", "a", "an", "and", "full", "whole", "middle", "name", "user"}
_MOST_LOST: Final = 1
_ALIKE: Final = 30.0
_RHYMES: Final = ("bcdegptvz", "mn", "fsx", "ahjk", "iy", "quw")


@attrs.frozen
class Part:
    """What follows a label: tokens ``first`` to ``last`` (exclusive), and the letters spelled among them."""

    first: int
    last: int
    letters: str


def labelled_parts(tokens: tuple[Token, ...], runs: Iterable[LetterRun]) -> tuple[Part, Part] | None:
    """The first and the last name, where both are labelled and at least one is spelled after its label. Of a
    label that comes up again (recognisers repeat themselves) the first counts."""
    before = [first.text for first, second in pairwise(tokens) if second.text == "name"]
    ends: dict[str, int] = {}
    every: list[int] = []
    for at in range(1, len(tokens)):
        label = _label(tokens[at - 1].text, bool(ends), before) if tokens[at].text == "name" else ""
        if label:
            ends.setdefault(label, at + 1)
            every.append(at + 1)
    if len(ends) < 2:
        return None
    spelled = tuple(run for run in runs if not run.block)
    given, family = (_part(ends[label], every, len(tokens), spelled) for label in ("first", "last"))
    return (given, family) if given.letters or family.letters else None


def _label(word: str, begun: bool, labels: list[str]) -> str:
    """Which name a word before "name" announces. Where "last" was not heard at all, another word stands for
    it."""
    if word in _FIRST:
        return "first"
    misheard = begun and word not in _NOT_LAST and not _LAST.intersection(labels)
    return "last" if word in _LAST or misheard else ""


def _part(start: int, ends: list[int], length: int, spelled: tuple[LetterRun, ...]) -> Part:
    """The stretch from the end of one label to the two words of the next."""
    stop = min((end - 2 for end in ends if end > start), default=length)
    inside = [run.letters for run in spelled if start <= run.first and run.last <= stop]
    return Part(start, stop, max(inside, key=len, default=""))


def agreed(spoken: str, letters: str, *, labelled: bool = False) -> str:
    """One part of a name, said and spelled. The letters count, but one may have been lost in the row (a word
    hardly ever gains one). In a ``labelled`` part the first may also have been taken for another that rhymes
    with it (how a word begins is heard well)."""
    said, spelled = (
        "".join(char for char in text.casefold() if char.isalnum()) for text in (spoken, letters)
    )
    if not letters or said == spelled:
        return spoken
    if 0 < len(said) - len(spelled) <= _MOST_LOST and _lost_letters(said, spelled):
        return spoken
    alike = labelled and spelled[1:2] != "h" and fuzz.ratio(said[1:], spelled[1:]) >= _ALIKE
    return capitalised(said[0] + letters[1:] if alike and _rhyme(said[:1], spelled[:1]) else letters)


def _rhyme(one: str, other: str) -> bool:
    """Whether the names of two letters sound alike: "B" and "D", "M" and "N"."""
    return one != other and any(one in letters and other in letters for letters in _RHYMES if one and other)


def capitalised(word: str) -> str:
    """A name in small letters as it is written: "o'brien" -> "O'Brien"."""
    parts = re.split(r"([-'])", word)
    return "".join(part[:1].upper() + part[1:] for part in parts)


def _lost_letters(said: str, letters: str) -> bool:
    """Whether ``letters`` are those of ``said`` in order, and more than a doubling is missing (who spells
    "Philip" doesn't mean "Phillip")."""
    rest = iter(said)
    return all(letter in rest for letter in letters) and _undoubled(said) != _undoubled(letters)


def _undoubled(word: str) -> str:
    return "".join(char for at, char in enumerate(word) if at == 0 or word[at - 1] != char)
