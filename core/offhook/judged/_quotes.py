"""Does a quote stand in the transcript? Decided by code, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import attrs

from offhook.judging import Line
from offhook.spoken import normalise_words

__all__ = [
    "FEWEST_WORDS",
    "FoldedLine",
    "FoundQuote",
    "contains_words",
    "find_in_folded",
    "find_quote",
    "folded",
]

FEWEST_WORDS: Final = 2
"""A shorter quote stands nearly everywhere and shows nothing."""


@attrs.frozen
class FoundQuote:
    """Where a quote stands: the indices of the first and the last line it touches."""

    first: int
    last: int


@attrs.frozen
class FoldedLine:
    """A line as quotes are looked for in it."""

    speaker: str
    words: tuple[str, ...]


def folded(transcript: Sequence[Line]) -> tuple[FoldedLine, ...]:
    """The transcript made ready once for many quotes."""
    return tuple(FoldedLine(line.speaker, tuple(normalise_words(line.text))) for line in transcript)


def find_quote(transcript: Sequence[Line], quote: str, speaker: str) -> FoundQuote | None:
    """The first place where the speaker says the quote, or None.

    Case, typography and the way numbers are written don't count (`offhook.spoken.normalise_words`); every
    word does. The words must follow each other without a gap, in one line or in lines of this speaker that
    the other one does not come between. Fewer than two words are never found.
    """
    return find_in_folded(folded(transcript), quote, speaker)


def find_in_folded(lines: Sequence[FoldedLine], quote: str, speaker: str) -> FoundQuote | None:
    """`find_quote` in a transcript that is folded already."""
    wanted = normalise_words(quote)
    if len(wanted) < FEWEST_WORDS:
        return None
    for run in _runs(lines, speaker):
        found = _within(lines, run, wanted)
        if found is not None:
            return found
    return None


def contains_words(words: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Where ``wanted`` begins in ``words`` (both normalised), without a gap; None where it does not. A number
    is found only as a whole: its digits are never part of a longer one."""
    size = len(wanted)
    if not size:
        return None
    for start in range(len(words) - size + 1):
        end = start + size
        if tuple(words[start:end]) != tuple(wanted):
            continue
        cut_before = start > 0 and wanted[0].isdigit() and words[start - 1].isdigit()
        cut_after = end < len(words) and wanted[-1].isdigit() and words[end].isdigit()
        if not cut_before and not cut_after:
            return start
    return None


def _runs(lines: Sequence[FoldedLine], speaker: str) -> list[list[int]]:
    """Indices of the speaker's lines, those without the other side between them together."""
    mine = [index for index, line in enumerate(lines) if line.speaker == speaker]
    runs: list[list[int]] = [[index] for index in mine[:1]]
    for before, index in pairwise(mine):
        if index == before + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _within(lines: Sequence[FoldedLine], run: Sequence[int], wanted: Sequence[str]) -> FoundQuote | None:
    for index in run:
        if contains_words(lines[index].words, wanted) is not None:
            return FoundQuote(index, index)
    owners = [index for index in run for _ in lines[index].words]
    start = contains_words([word for index in run for word in lines[index].words], wanted)
    return None if start is None else FoundQuote(owners[start], owners[start + len(wanted) - 1])
