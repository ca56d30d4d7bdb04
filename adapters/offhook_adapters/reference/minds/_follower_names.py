"""A name said and then spelled, each heard a little wrong, put together.

Recognisers swallow syllables of a spoken name ("Contrars" for "Contreras") and confuse spelled letters ("L"
for "O"). So letters that only the spelling has are added to the spoken name, and where the two differ the
spoken one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rapidfuzz.distance import Levenshtein

__all__ = ["blended", "crossed", "ending_rejoined", "spelling_likeness"]

_MOST_ADDED: Final = 3
_LEAST_ALIKE: Final = 0.5
_LONE_VOWEL: Final = re.compile(r"\b([A-Z][a-z]{2,}) ([AEIOUY])\.? (?=[A-Z][a-z])")
_SCHWA_WORD: Final = re.compile(r"\b([A-Z][a-z]{2,}) (?:a|the|of|uh|er) (?=[A-Z][a-z])")


def blended(spoken: str, spelled: str) -> str | None:
    """``spoken`` ("Philippa Contrars") with what ``spelled`` ("PHHLPPACLNTRERAS") adds, in the spoken words'
    case.

    None where the two are too unlike to be the same name, or the spelling adds nothing, or more than three
    letters: then it holds something else besides.
    """
    letters = [(at, char.lower()) for at, char in enumerate(spoken) if char.isalpha()]
    said, added = "".join(char for _, char in letters), spelled.lower()
    if not said or Levenshtein.normalized_similarity(said, added) < _LEAST_ALIKE:
        return None
    inserts = [edit for edit in Levenshtein.editops(said, added) if edit.tag == "insert"]
    if not 0 < len(inserts) <= _MOST_ADDED:
        return None
    result = spoken
    for edit in reversed(inserts):
        # Before the letter it precedes; at the very end, after the last one.
        at = letters[edit.src_pos][0] if edit.src_pos < len(letters) else letters[-1][0] + 1
        letter = added[edit.dest_pos]
        opens_word = at == 0 or not result[at - 1].isalpha()
        if opens_word and at < len(result):
            result = result[:at] + letter.upper() + result[at].lower() + result[at + 1 :]
        else:
            result = result[:at] + letter + result[at:]
    return result


def ending_rejoined(text: str) -> str | None:
    """``text`` with a lone vowel or an unstressed little word after a capitalised word made its end.

    Recognisers cut the end off an unusual first name ("Philip A Contreras", "Philip the Contreras" for
    "Philippa Contreras"). None where there is nothing of the kind.
    """
    joined = _LONE_VOWEL.sub(lambda match: f"{match[1]}{match[2].lower()} ", text)
    joined = _SCHWA_WORD.sub(lambda match: f"{match[1]}a ", joined)
    return joined if joined != text else None


def crossed(names: Iterable[str]) -> tuple[str, ...]:
    """First words with last words of all names of two words, each pair once: one hearing may have got the one
    right, another the other.
    """
    pairs = [words for name in names if len(words := name.split()) == 2]
    return tuple(dict.fromkeys(f"{first} {last}" for first, _ in pairs for _, last in pairs))


def spelling_likeness(name: str, letters: str) -> float:
    """How well a name fits letters that were heard, 0..1: the whole of it, or its last word where only that
    can have been spelled.
    """
    wanted = letters.lower()
    parts = ("".join(name.split()), name.split()[-1])
    fitting = [part.lower() for part in parts if len(part) <= 2 * len(wanted)]
    return max((Levenshtein.normalized_similarity(part, wanted) for part in fitting), default=0.0)
