"""Cuts a text into pieces an acoustic model says in one breath."""

from __future__ import annotations

import re
from typing import Final

import attrs

__all__ = ["LONGEST_PIECE", "Piece", "pieces_of"]

LONGEST_PIECE: Final = 280
"""Characters; the models' cost and memory grow faster than linearly beyond it."""

_SENTENCE_PAUSE: Final = 0.28
_CLAUSE_PAUSE: Final = 0.14
_WORD_PAUSE: Final = 0.06

_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+")
_CLAUSE_END: Final = re.compile(r"(?<=[,;:–—])\s+")
_SPACE: Final = re.compile(r"\s+")
_ABBREVIATION: Final = re.compile(r"(?:^|[\s(\"'“‘])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|No|vs)\.$")


@attrs.frozen
class Piece:
    """What is said at once, and the pause after it in seconds at tempo 1 (0 for the last piece)."""

    text: str
    pause: float


def pieces_of(text: str) -> tuple[Piece, ...]:
    """Sentences of at most :data:`LONGEST_PIECE` characters; longer ones are cut at clauses, then words.

    Pieces without a letter or digit are dropped; a text without any gives no piece. A single longer word
    stays whole.
    """
    cut: list[tuple[str, float]] = []
    for paragraph in text.splitlines():
        for sentence in _sentences(_SPACE.sub(" ", paragraph).strip()):
            cut.extend(_shortened(sentence))
    speakable = [(piece, pause) for piece, pause in cut if any(character.isalnum() for character in piece)]
    last = len(speakable) - 1
    return tuple(
        Piece(piece, 0.0 if index == last else pause) for index, (piece, pause) in enumerate(speakable)
    )


def _sentences(paragraph: str) -> list[str]:
    sentences: list[str] = []
    start = 0
    for gap in _SENTENCE_END.finditer(paragraph):
        if _ABBREVIATION.search(paragraph[start : gap.start()]):
            continue
        sentences.append(paragraph[start : gap.end()].strip())
        start = gap.end()
    sentences.append(paragraph[start:].strip())
    return [sentence for sentence in sentences if sentence]


def _shortened(sentence: str) -> list[tuple[str, float]]:
    if len(sentence) <= LONGEST_PIECE:
        return [(sentence, _SENTENCE_PAUSE)]
    clauses = _packed(_CLAUSE_END.split(sentence))
    shortened: list[tuple[str, float]] = []
    for clause in clauses:
        if len(clause) <= LONGEST_PIECE:
            shortened.append((clause, _CLAUSE_PAUSE))
        else:
            runs = _packed(clause.split(" "))
            shortened.extend((run, _WORD_PAUSE) for run in runs[:-1])
            shortened.append((runs[-1], _CLAUSE_PAUSE))
    shortened[-1] = (shortened[-1][0], _SENTENCE_PAUSE)
    return shortened


def _packed(parts: list[str]) -> list[str]:
    """Joins neighbours while they fit, so that no more cuts are made than needed."""
    packed: list[str] = []
    for part in parts:
        if packed and len(packed[-1]) + 1 + len(part) <= LONGEST_PIECE:
            packed[-1] = f"{packed[-1]} {part}"
        else:
            packed.append(part)
    return packed
