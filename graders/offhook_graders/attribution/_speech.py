"""Did the agent's audio carry what its text says: text against two hearings of the agent's channel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from offhook.records import TimedTranscript
from offhook_graders.attribution._case import Case

__all__ = ["Lost", "LostLine", "carried", "lost_words"]

_LEAST_WORDS: Final = 4  # of fewer words a recogniser may miss half and mean nothing by it
_CARRIED: Final = 0.4  # garbled speech still yields a chance word; clear speech well over nine in ten
_WORD_S: Final = 0.6  # an unhurried voice takes no longer for a word
_SETTLE_S: Final = 2.0


@attrs.frozen
class LostLine:
    """A line of the agent that did not come through. ``share`` is the part of its words that was heard."""

    at: float
    text: str
    share: float


@attrs.frozen
class Lost:
    """``problem`` says why it can't be told, else empty; ``engine`` who listened."""

    lines: tuple[LostLine, ...] = ()
    engine: str = ""
    problem: str = ""


def lost_words(case: Case) -> Lost:
    """The agent's lines of four words and more of which under two fifths were heard, by the reference
    recogniser and by the caller's own ears alike. Lines that were cut short by an interruption or the end of
    the call are left out: not all of them was played.
    """
    record = case.call.record
    if case.on_text:
        return Lost(problem="on a text line nothing is spoken")
    if not any(line.text.strip() for line in record.agent_transcripts):
        return Lost(problem="the platform gives no text of what its agent said")
    measured = case.call.measured("agent-recognition")
    if measured.error:
        return Lost(problem=measured.error)
    heard = " ".join(turn["text"] for turn in measured.values["turns"])
    lines = record.agent_transcripts
    texts = [line.text for line in lines]
    by_caller = " ".join(entry.text for entry in record.caller_heard)
    shares = [max(pair) for pair in zip(carried(texts, heard), carried(texts, by_caller), strict=True)]
    lost = [
        LostLine(round(line.at, 3), line.text, round(share, 3))
        for line, share in zip(lines, shares, strict=True)
        if share < _CARRIED and _was_played(line, case)
    ]
    return Lost(tuple(lost), str(measured.values["engine"]))


def carried(lines: Sequence[str], heard: str) -> tuple[float, ...]:
    """Per line, the share of its words that stand in what was heard, in order: all lines are aligned with all
    that was heard at once, so that a line said twice is not found where the other one was. 1.0 for a line
    without words.
    """
    from rapidfuzz.distance import Levenshtein

    from offhook.spoken import normalise_words

    words = [normalise_words(line) for line in lines]
    flat = [word for line in words for word in line]
    found = [False] * len(flat)
    for block in Levenshtein.opcodes(flat, list(normalise_words(heard))):
        if block.tag == "equal":
            found[block.src_start : block.src_end] = [True] * (block.src_end - block.src_start)
    shares, start = [], 0
    for line in words:
        hits = sum(found[start : start + len(line)])
        shares.append(hits / len(line) if line else 1.0)
        start += len(line)
    return tuple(shares)


def _was_played(line: TimedTranscript, case: Case) -> bool:
    """Whether a line is long enough to tell and was neither interrupted nor under way when the call ended."""
    from offhook.spoken import normalise_words

    record = case.call.record
    words = len(normalise_words(line.text))
    until = line.at + words * _WORD_S + _SETTLE_S
    return (
        words >= _LEAST_WORDS
        and until <= record.seconds
        and not any(line.at <= clear <= until for clear in record.clears)
    )
