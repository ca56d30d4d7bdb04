"""Minimum edit alignment of normalised words, and where one text is cut by it as another is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

__all__ = ["Alignment", "AlignmentChunk", "align_words", "places_in"]


@attrs.frozen
class AlignmentChunk:
    """A stretch of the alignment. ``kind`` is ``equal``, ``substitute``, ``delete`` or ``insert``; ``at`` is
    the index of its first reference word (of the word it comes before, for an insertion)."""

    kind: str
    at: int
    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]


@attrs.frozen
class Alignment:
    """Word errors, with the alignment they were counted on."""

    substitutions: int
    deletions: int
    insertions: int
    reference_words: int
    chunks: tuple[AlignmentChunk, ...]

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions

    @property
    def wer(self) -> float | None:
        """Errors over reference words, capped at 1; None for an empty reference."""
        return min(1.0, self.errors / self.reference_words) if self.reference_words else None


def align_words(reference: Sequence[str], hypothesis: Sequence[str]) -> Alignment:
    """Minimum edit alignment of two sequences of words. Either may be empty; a word is any text."""
    import jiwer

    if not reference:  # jiwer refuses an empty reference
        extra = (AlignmentChunk("insert", 0, (), tuple(hypothesis)),) if hypothesis else ()
        return Alignment(0, 0, len(hypothesis), 0, extra)
    # As numbers, because jiwer cuts its text at blanks of its own choice.
    numbers: dict[str, str] = {}
    for word in (*reference, *hypothesis):
        numbers.setdefault(word, str(len(numbers)))
    words: Any = jiwer.process_words(
        " ".join(numbers[word] for word in reference), " ".join(numbers[word] for word in hypothesis)
    )
    chunks = tuple(
        AlignmentChunk(
            str(chunk.type),
            int(chunk.ref_start_idx),
            tuple(reference[chunk.ref_start_idx : chunk.ref_end_idx]),
            tuple(hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]),
        )
        for chunk in words.alignments[0]
    )
    return Alignment(
        int(words.substitutions), int(words.deletions), int(words.insertions), len(reference), chunks
    )


def places_in(reference: Sequence[str], hypothesis: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """For each border between reference words, 0 to n, where it lies in the hypothesis: before and after the
    words that were inserted there.

    Of all minimum edit alignments this takes the one whose substituted words look most alike, so that
    "a bike / thanks" is cut out of "a bicycle thank you" where it should be."""
    import numpy as np
    from rapidfuzz import fuzz, process

    rows, columns = len(reference), len(hypothesis)
    if not rows or not columns:
        return ((0, 0),) * rows + ((0, columns),)
    alike = process.cdist(reference, hypothesis, scorer=fuzz.ratio, dtype=np.float32).astype(np.float64) / 100
    same = np.asarray(reference, dtype=object)[:, None] == np.asarray(hypothesis, dtype=object)[None, :]
    # All likeness together weighs less than one edit.
    swap = np.where(same, 0.0, 1.0 - alike / (4.0 * (rows + columns)))
    steps = np.arange(columns + 1, dtype=np.float64)
    cost = np.empty((rows + 1, columns + 1))
    cost[0] = steps
    for row in range(1, rows + 1):
        best = cost[row - 1] + 1.0
        best[1:] = np.minimum(best[1:], cost[row - 1, :-1] + swap[row - 1])
        cost[row] = np.minimum.accumulate(best - steps) + steps  # any number of insertions after it
    places: list[tuple[int, int]] = []
    row, column, high = rows, columns, columns
    while row:
        here = cost[row, column]
        if column and np.isclose(
            here, cost[row - 1, column - 1] + swap[row - 1, column - 1], rtol=0, atol=1e-9
        ):
            places.append((column, high))
            row, column = row - 1, column - 1
            high = column
        elif np.isclose(here, cost[row - 1, column] + 1.0, rtol=0, atol=1e-9):
            places.append((column, high))
            row -= 1
            high = column
        else:
            column -= 1
    return ((0, high), *reversed(places))
