"""What the agent said, for checks: clauses, topics, and whether a figure is stated in one."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from offhook.callers import AgentHeard, CallerTurn
from offhook.checks import Figure
from offhook.judged import contains_words
from offhook.records import CallRecord
from offhook.spoken import normalise_words, parse_spoken
from offhook.values import ValueKind, canonical

__all__ = [
    "Clause",
    "Statement",
    "clauses_of",
    "find_statement",
    "phrase_in",
    "runs_of",
    "said_before",
    "states",
]

_BREAK: Final = re.compile(
    r"(?<=[.?!;])\s+|,\s+(?=(?:and|but|so|then|while|which)\b)|\s+(?=(?:but|while|whereas)\b)", re.IGNORECASE
)


@attrs.frozen
class Clause:
    """A clause of an agent's line. ``start`` and ``end`` are the line's, in line seconds."""

    text: str
    start: float
    end: float


@attrs.frozen
class Statement:
    """Where a figure is stated as it has to be, or the nearest miss and why it does not count."""

    clause: Clause | None
    nearest: str
    why: str


def clauses_of(heard: Sequence[AgentHeard]) -> Iterator[Clause]:
    """The agent's clauses: sentences, cut at conjunctions too, so that "Plus is $5, and Total is $9" speaks
    of two things."""
    for line in sorted(heard, key=lambda line: line.start):
        for text in _BREAK.split(line.text):
            if text.strip():
                yield Clause(text.strip(), line.start, line.end)


def runs_of(record: CallRecord, until: float) -> Iterator[tuple[str, float]]:
    """The agent's lines that were over before a moment, those between which the caller begins no turn
    together, each with its start. Sentence marks inside a run are gone: digits go on across them."""
    run: list[AgentHeard] = []
    for line in sorted(record.caller_heard, key=lambda line: line.start):
        if line.end >= until:
            break
        if run and any(run[-1].start <= turn.start < line.start for turn in record.caller_turns):
            yield _joined(run)
            run = []
        run.append(line)
    if run:
        yield _joined(run)


def _joined(run: Sequence[AgentHeard]) -> tuple[str, float]:
    return re.sub(r"[.?!;,]+(?=\s|$)", "", " ".join(line.text for line in run)), run[0].start


def phrase_in(phrases: Sequence[str], text: str) -> str:
    """The first of the phrases that the text holds, word by word; empty where it holds none."""
    words = normalise_words(text)
    return next(
        (phrase for phrase in phrases if contains_words(words, normalise_words(phrase)) is not None), ""
    )


def states(figure: Figure, text: str, today: dt.date) -> bool:
    """Whether a text states a figure, in any spoken or written form: an amount to the cent, other values in
    full."""
    value = canonical(figure.kind, figure.value)
    if figure.kind is ValueKind.AMOUNT:
        heard = parse_spoken(figure.kind, text)
        # Beside "$14.99" the 6 of "6 months" is no amount, though it could be one if it stood alone.
        bare = heard.value is not None and isinstance(value, int) and value % 100 == 0
        return value == heard.value or (value in heard.candidates and not bare)
    if contains_words(normalise_words(text), normalise_words(figure.value)) is not None:
        return True
    if figure.kind in (ValueKind.TEXT, ValueKind.NAME, ValueKind.DIGITS):
        return False
    return value in parse_spoken(figure.kind, text, today=today).candidates


def find_statement(
    record: CallRecord,
    topic: Sequence[str],
    figures: Sequence[Figure],
    today: dt.date,
    *,
    since: float = 0.0,
    not_after_caller: bool = True,
) -> Statement:
    """Looks for one of the figures in a clause on the topic.

    Args:
        topic: phrases of which the clause must hold one; empty takes any clause.
        since: lines that were over before this moment don't count.
        not_after_caller: a figure that the caller had said before is no statement of the agent's.
    """
    miss = Statement(None, "", "the agent never states it")
    for clause in clauses_of(record.caller_heard):
        figure = next((each for each in figures if states(each, clause.text, today)), None)
        if figure is None or clause.end < since:
            continue
        if topic and not phrase_in(topic, clause.text):
            if not miss.nearest:
                miss = Statement(None, clause.text, "it is stated, but not in a clause on the topic")
        elif not_after_caller and (said := said_before(record.caller_turns, figure, clause.start, today)):
            miss = Statement(None, said, "the caller said it first")
        else:
            return Statement(clause, clause.text, "")
    return miss


def said_before(turns: Sequence[CallerTurn], figure: Figure, at: float, today: dt.date) -> str:
    """The caller's line that states a figure and began before a moment; empty where there is none."""
    return next(
        (turn.written for turn in turns if turn.start < at and states(figure, turn.written, today)), ""
    )
