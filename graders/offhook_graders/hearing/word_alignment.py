"""Minimum edit alignment of normalised words, and where one text is cut by it as another is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Alignment", "AlignmentChunk", "align_words", "places_in"]

_INSERTED: Final = 0
_DELETED: Final = 1
_SWAPPED: Final = 2
_NOTHING: Final = 1e-9  # costs that differ by less are equal


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

    rows, columns = len(reference), len(hypothesis)
    if not rows or not columns:
        return ((0, 0),) * rows + ((0, columns),)
    # A byte a pair of words, not the costs: a transcript may have ten thousand words.
    back = np.empty((rows, columns + 1), dtype=np.uint8)
    steps = np.arange(columns + 1, dtype=np.float64)
    above = steps
    for row, swap in enumerate(_swaps(reference, hypothesis)):
        through = above[:-1] + swap
        best = above + 1.0
        best[1:] = np.minimum(best[1:], through)
        here = np.minimum.accumulate(best - steps) + steps  # any number of insertions after it
        back[row] = np.where(np.abs(here - above - 1.0) <= _NOTHING, _DELETED, _INSERTED)
        back[row, 1:][np.abs(here[1:] - through) <= _NOTHING] = _SWAPPED
        above = here
    places: list[tuple[int, int]] = []
    row, column, high = rows, columns, columns
    while row:
        step = back[row - 1, column]
        if step == _INSERTED:
            column -= 1
            continue
        places.append((column, high))
        row -= 1
        column -= int(step == _SWAPPED)
        high = column
    return ((0, high), *reversed(places))


def _swaps(reference: Sequence[str], hypothesis: Sequence[str]) -> Iterator[NDArray[np.float64]]:
    """For each reference word, what it costs to make it each word of the hypothesis: 0 for the same, else a
    little less than 1. All likeness together weighs less than one edit.
    """
    import numpy as np
    from rapidfuzz import fuzz, process

    numbers: dict[str, int] = {}
    heard = np.array([numbers.setdefault(word, len(numbers)) for word in hypothesis])
    likeness = 4.0 * (len(reference) + len(hypothesis))
    again = {word for word, count in Counter(reference).items() if count > 1}
    kept: dict[str, NDArray[np.float64]] = {}
    for word in reference:
        cost = kept.get(word)
        if cost is None:
            alike = process.cdist([word], list(numbers), scorer=fuzz.ratio, dtype=np.float32)[0]
            cost = 1.0 - alike.astype(np.float64) / 100 / likeness
            if word in numbers:
                cost[numbers[word]] = 0.0
            if word in again:
                kept[word] = cost
        yield cost[heard]
