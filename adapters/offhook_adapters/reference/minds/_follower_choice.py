"""Which member of a closed vocabulary the caller means: words that name it first, then its meaning."""

from __future__ import annotations

import re
from typing import Final

import attrs
import numpy as np
from rapidfuzz import fuzz

from offhook.names import match_names
from offhook.packs import Choice, Parameter
from offhook.speech import SentenceEmbedder
from offhook_adapters.reference.minds._follower_words import sentences

__all__ = ["Mention", "mentions", "named_last", "pick"]

_LEAST_SIMILAR: Final = 0.3
_LEAST_MARGIN: Final = 0.04
_SHORTEST_SOUND: Final = 5
_ALIKE: Final = 60.0


@attrs.frozen
class Mention:
    """A choice the caller may mean. ``score`` is 1 for a word that names it, else a cosine; ``at`` orders
    equals by where they were said.
    """

    value: str
    score: float
    at: int
    named: bool


def mentions(
    parameter: Parameter, texts: tuple[str, ...], embedder: SentenceEmbedder | None
) -> tuple[Mention, ...]:
    """Every choice that may be meant by what was said, best first: named ones in the order they were said,
    then the others by similarity. Without an embedder only named ones are found.
    """
    named = _named(parameter.choices, " \n ".join(texts))
    rest = tuple(
        choice for choice in parameter.choices if choice.value not in {mention.value for mention in named}
    )
    return named + _meant(rest, texts, embedder)


def named_last(
    choices: tuple[Choice, ...], texts: tuple[str, ...], taken: frozenset[str], fresh: int
) -> str | None:
    """The choice named in the latest of ``texts`` that names one: what was said last is what is wanted now. A
    ``taken`` one is meant again only if the last ``fresh`` texts name it and none that is free.
    """
    for age, text in enumerate(reversed(texts)):
        named = [mention.value for mention in _named(choices, text)]
        free = [value for value in named if value not in taken]
        if free or (named and age < fresh):
            return (free or named)[0]
    return None


def pick(found: tuple[Mention, ...], taken: frozenset[str], *, certain: bool) -> str | None:
    """The best mention that is not taken. A guess by meaning must be similar enough to what was said, or it
    would be made up; with ``certain`` it must also be more so than the next.
    """
    free = [mention for mention in found if mention.value not in taken]
    if not free:
        return None
    best = free[0]
    if best.named:
        return best.value
    margin = best.score - free[1].score if certain and len(free) > 1 else 1.0
    return best.value if best.score >= _LEAST_SIMILAR and margin >= _LEAST_MARGIN else None


def _named(choices: tuple[Choice, ...], text: str) -> tuple[Mention, ...]:
    """Longer names win where two overlap: "open box return" is not also "return"."""
    lowered = text.casefold()
    hits = [
        (match.start(), match.end(), choice.value)
        for choice in choices
        for alias in dict.fromkeys((*choice.aliases, choice.value.replace("_", " ")))
        for match in re.finditer(rf"(?<!\w){re.escape(alias.casefold())}(?!\w)", lowered)
    ]
    hits.sort(key=lambda hit: (hit[0] - hit[1], hit[0]))
    kept: list[tuple[int, int, str]] = []
    for start, end, value in hits:
        if all(end <= other[0] or start >= other[1] for other in kept):
            kept.append((start, end, value))
    first: dict[str, int] = {}
    for start, _, value in sorted(kept or _sounding(choices, lowered)):
        first.setdefault(value, start)
    return tuple(Mention(value, 1.0, start, True) for value, start in first.items())


def _sounding(choices: tuple[Choice, ...], text: str) -> list[tuple[int, int, str]]:
    """Where nothing is named as it is written: names that were spelled by ear ("Signa" for "Cigna")."""
    words = [(match.start(), match.end()) for match in re.finditer(r"[\w']+", text)]
    hits = []
    for choice in choices:
        for alias in choice.aliases:
            size = len(alias.split())
            if len(alias) < _SHORTEST_SOUND or not alias.replace(" ", "").isalpha():
                continue
            for first in range(len(words) - size + 1):
                start, end = words[first][0], words[first + size - 1][1]
                if fuzz.ratio(text[start:end], alias.casefold()) < _ALIKE:
                    continue
                if match_names(text[start:end], alias).same:
                    hits.append((start, end, choice.value))
    return hits


def _meant(
    choices: tuple[Choice, ...], texts: tuple[str, ...], embedder: SentenceEmbedder | None
) -> tuple[Mention, ...]:
    said = tuple(dict.fromkeys(part for text in texts for part in (*sentences(text), text) if part.strip()))
    if embedder is None or not choices or not said:
        return ()
    similar = embedder.embed(said) @ embedder.embed(tuple(choice.meaning for choice in choices)).T
    best = np.asarray(similar).max(axis=0)
    found = [
        Mention(choice.value, float(score), 0, False) for choice, score in zip(choices, best, strict=True)
    ]
    return tuple(sorted(found, key=lambda mention: (-mention.score, mention.value)))
