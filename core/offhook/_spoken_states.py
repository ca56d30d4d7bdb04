"""Whether a transcript states a known value. The value is given, so the question is narrower than parsing: is
it there, in any usual form, and whole?

A value inside a longer one isn't stated ("1156" in "811562", a card's last four in a phone), and what a
number was said to be doesn't matter: a ZIP that was heard right is there, whatever the words around it
became."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from offhook._lexicon import MONTHS
from offhook._spoken_amounts import EXPLICIT, amount_readings
from offhook._spoken_dates import date_readings
from offhook._spoken_digits import PLAUSIBLE_REST, order_readings, without_weak
from offhook._spoken_numerals import Numeral, Run, read_numerals, read_runs
from offhook._spoken_result import Reading, span_of
from offhook._spoken_states_words import Found, email_stated, name_stated, spelled_stated, text_stated
from offhook._spoken_times import CLOCK, time_readings
from offhook._spoken_tokens import Token, tokenise
from offhook._spoken_yes_no import parse_yes_no
from offhook.values import CanonicalValue, ValueKind, canonical

_JOINING: Final = frozenset(
    {"and", "then", "so", "ok", "okay", "yeah", "yes", "uh", "um", "it's", "that's", "right"}
)
# What may be said in one breath: a ZIP and a card's last four, a phone and either.
_BREATHS: Final = ((5, 4), (4, 5), (10, 4), (10, 5), (4, 10), (5, 10), (10, 5, 4), (10, 4, 5))
_LONGEST_PHONE: Final = 11
_LEAST_BRIDGED: Final = 7
_NOT_MONEY_BEFORE: Final = frozenset(
    {"number", "room", "suite", "unit", "apartment", "apt", "#", "page", "line", "extension", "ext", "zip"}
    | MONTHS.keys()
)


@attrs.frozen
class Stated:
    """Whether a text states a value.

    ``evidence`` is the stretch of the text that states it and ``span`` that stretch's characters (of the
    lines joined by newlines, where several were given); ``form`` says in a few words how it was stated, or
    that it wasn't."""

    found: bool
    evidence: str = ""
    span: tuple[int, int] | None = None
    form: str = ""


def states(kind: ValueKind, value: object, text: str | Sequence[str], today: dt.date | None) -> Stated:
    """See `offhook.spoken.states_value`."""
    kind = ValueKind(kind)
    form = canonical(kind, value)
    line = text if isinstance(text, str) else "\n".join(text)
    found = _look(kind, form, line, today)
    if found is None:
        return Stated(False, form=f"no such {kind} in the text")
    return Stated(True, line[slice(*found.span)], found.span, found.form)


def _look(kind: ValueKind, form: CanonicalValue, line: str, today: dt.date | None) -> Found | None:
    tokens = tokenise(line)
    if isinstance(form, int):
        return _amount(tokens, form)
    match kind:
        case ValueKind.PHONE | ValueKind.ZIP | ValueKind.DIGITS:
            return _digits(tokens, "".join(char for char in form if char.isdigit()))
        case ValueKind.ORDER_NUMBER:
            readings, _ = order_readings(tokens, len(form.partition("-")[2]))
            return _said(tokens, readings, form)
        case ValueKind.DATE:
            return _date(tokens, form, today)
        case ValueKind.TIME:
            return _time(tokens, form)
        case ValueKind.EMAIL:
            return email_stated(tokens, form)
        case ValueKind.NAME:
            return name_stated(line, tokens, form)
        case ValueKind.SPELLED:
            return spelled_stated(tokens, form)
        case ValueKind.YES_NO:
            return _answer(line, form)
        case _:
            return text_stated(line, tokens, form)


def _said(tokens: tuple[Token, ...], readings: Iterable[Reading], value: CanonicalValue) -> Found | None:
    """The first reading that is the value, or may be it."""
    for reading in readings:
        if reading.value == value or value in reading.also:
            why = reading.why if reading.value == value else f"{reading.why}, read the other way"
            return Found(span_of(tokens, reading.first, reading.last), why)
    return None


def _answer(line: str, answer: str) -> Found | None:
    start = 0
    for part in line.split("\n"):
        parsed = parse_yes_no(part)
        if parsed.value == answer and parsed.span is not None:
            return Found((parsed.span[0] + start, parsed.span[1] + start), parsed.evidence)
        start += len(part) + 1
    return None


def _digits(tokens: tuple[Token, ...], digits: str) -> Found | None:
    """Whole groups of one run of digits; what the run holds besides must be something of its own."""
    wanted = {digits, f"1{digits}"} if len(digits) == 10 else {digits}
    runs = list(read_runs(tokens, read_numerals(tokens)))
    if len(digits) >= _LEAST_BRIDGED:
        runs.extend(_bridged(tokens, runs))
    for run in runs:
        for groups in dict.fromkeys((without_weak(run), run.groups)):
            window = _window(tokens, groups, wanted) or _in_one_breath(groups, wanted)
            if window is not None:
                return Found(span_of(tokens, window[0].first, window[-1].last), "digits")
    return None


def _text(numerals: Iterable[Numeral]) -> str:
    return "".join(numeral.digits for numeral in numerals)


def _window(
    tokens: tuple[Token, ...], groups: tuple[tuple[Numeral, ...], ...], wanted: set[str]
) -> tuple[Numeral, ...] | None:
    sizes = [len(_text(group)) for group in groups]
    longest = max(map(len, wanted))
    for first in range(len(groups)):
        size = 0
        for last in range(first + 1, len(groups) + 1):
            size += sizes[last - 1]
            if size > longest:
                break
            inside = tuple(numeral for group in groups[first:last] for numeral in group)
            if _text(inside) not in wanted:
                continue
            before, after = sum(sizes[:first]), sum(sizes[last:])
            if size < 10 <= size + before + after <= _LONGEST_PHONE:
                continue
            if (before in PLAUSIBLE_REST or _apart(tokens, groups, first - 1, first, sizes)) and (
                after in PLAUSIBLE_REST or _apart(tokens, groups, last, last, sizes)
            ):
                return inside
    return None


def _apart(
    tokens: tuple[Token, ...], groups: tuple[tuple[Numeral, ...], ...], other: int, cut: int, sizes: list[int]
) -> bool:
    """A small number after a comma or a full stop is another matter: "card 1156, 2 of them"."""
    gap = tokens[groups[cut][0].first].gap
    beside = sizes[cut if other < cut else cut - 1]
    return sizes[other] <= 2 < beside and gap[:1] in (",", ".") and len(gap) > 1


def _in_one_breath(groups: tuple[tuple[Numeral, ...], ...], wanted: set[str]) -> tuple[Numeral, ...] | None:
    """Two or three values said without a pause."""
    numerals = tuple(numeral for group in groups for numeral in group)
    starts = {0: 0}
    size = 0
    for position, numeral in enumerate(numerals, 1):
        size += len(numeral.digits)
        starts[size] = position
    for breath in _BREATHS:
        if sum(breath) != size:
            continue
        at = 0
        for length in breath:
            if at in starts and at + length in starts:
                part = numerals[starts[at] : starts[at + length]]
                if _text(part) in wanted:
                    return part
            at += length
    return None


def _bridged(tokens: tuple[Token, ...], runs: Sequence[Run]) -> list[Run]:
    """Runs joined over a line's end, or over "and", "and then", "okay"."""
    joined: list[Run] = []
    current: Run | None = None
    parts = 0
    for run in runs:
        between = tokens[current.last : run.first] if current is not None else ()
        if current is not None and len(between) <= 3 and all(token.text in _JOINING for token in between):
            current, parts = Run(current.numerals + run.numerals, current.groups + run.groups), parts + 1
            continue
        if current is not None and parts > 1:
            joined.append(current)
        current, parts = run, 1
    return [*joined, current] if current is not None and parts > 1 else joined


def _date(tokens: tuple[Token, ...], iso: str, today: dt.date | None) -> Found | None:
    found = _said(tokens, date_readings(tokens, today), iso)
    day = dt.date.fromisoformat(iso)
    if found is None and today is not None and 0 < (today - day).days < 366:
        # "March second", said in April of the same day a month ago.
        named = [reading for reading in date_readings(tokens, today, named_from=day) if reading.value == iso]
        return _said(tokens, named, iso)
    return found


def _time(tokens: tuple[Token, ...], clock: str) -> Found | None:
    """A bare hour counts only after "at" and the like; two bare numbers count unless they are money."""
    sure = [
        reading
        for reading in time_readings(tokens)
        if reading.score >= CLOCK
        or ((reading.score > 1 or reading.last - reading.first > 1) and not _is_money(tokens, reading))
    ]
    return _said(tokens, sure, clock)


def _is_money(tokens: tuple[Token, ...], reading: Reading) -> bool:
    after = tokens[reading.last].text if reading.last < len(tokens) else ""
    before = tokens[reading.first - 1].text if reading.first else ""
    return before == "$" or after in ("dollars", "dollar", "bucks", "cents", "percent", "%")


def _amount(tokens: tuple[Token, ...], cents: int) -> Found | None:
    """Amounts named as such; a bare number only where nothing says that it is a date, a time or a phone."""
    readings = amount_readings(tokens)
    found = _said(tokens, [reading for reading in readings if reading.score >= EXPLICIT], cents)
    if found is not None:
        return found
    taken = {
        index
        for reading in (
            *date_readings(tokens, None),
            *(reading for reading in time_readings(tokens) if reading.score > CLOCK),
        )
        for index in range(reading.first, reading.last)
    }
    long_runs = {
        index
        for run in read_runs(tokens, read_numerals(tokens))
        if len(run.groups) > 2
        for index in range(run.first, run.last)
    }
    bare = [
        reading
        for reading in readings
        if not (taken | long_runs) & set(range(reading.first, reading.last))
        and not (reading.first and tokens[reading.first - 1].text in _NOT_MONEY_BEFORE)
    ]
    return _said(tokens, bare, cents)
