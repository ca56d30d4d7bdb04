"""Days: "June thirtieth, nineteen seventy-two", "6/30/72", "the thirtieth of June", "six thirty seventy
two"."""

from __future__ import annotations

import datetime as dt
from typing import Final

from offhook._lexicon import MONTHS, WEEKDAYS, full_year
from offhook._spoken_numerals import Numeral, Style, read_numerals
from offhook._spoken_result import Parsed, Reading, nothing, settle
from offhook._spoken_tokens import Token, tokenise
from offhook.values import ValueKind

_NAMED, _NUMERIC, _RELATIVE = 3.0, 2.0, 1.0
_NOT_A_YEAR_AFTER: Final = frozenset(
    {"am", "pm", "a", "p", "o'clock", "dollars", "bucks", "cents", "percent", "minutes", "hours", "days"}
)


def parse_date(text: str, today: dt.date | None) -> Parsed:
    """Reads a day. Without a year, ``today`` makes it the next such day from today on; without ``today`` it
    stays open.

    Slashed and bare numeric dates are month first, unless only the other order exists. "Tuesday" is the next
    one after today; "next Tuesday" too, with the week after as second candidate."""
    tokens = tokenise(text)
    numerals = read_numerals(tokens)
    readings, notes = _named_days(tokens, numerals, today)
    if not readings and not notes:
        readings.extend(_numeric(tokens, numerals))
    if not readings and not notes and today is not None:
        readings.extend(_relative(tokens, today))
    if not readings and notes:
        partial, why = notes[-1]
        return nothing(ValueKind.DATE, why, partial)
    return settle(ValueKind.DATE, tokens, readings)


def date_readings(
    tokens: tuple[Token, ...], today: dt.date | None, *, named_from: dt.date | None = None
) -> list[Reading]:
    """Every day a text names, in words, in figures and counted from ``today``. ``named_from`` takes the place
    of ``today`` for a month and day without a year."""
    numerals = read_numerals(tokens)
    named, _ = _named_days(tokens, numerals, named_from or today)
    relative = _relative(tokens, today) if today is not None else []
    return [*named, *_numeric(tokens, numerals), *relative]


def _named_days(
    tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], today: dt.date | None
) -> tuple[list[Reading], list[tuple[str, str]]]:
    """Days with their month's name, and (partial, why not) of those that can't be settled."""
    readings: list[Reading] = []
    notes: list[tuple[str, str]] = []
    for index, token in enumerate(tokens):
        if token.text in MONTHS:
            outcome = _named(tokens, numerals, index, today)
            if isinstance(outcome, Reading):
                readings.append(outcome)
            elif outcome is not None:
                notes.append(outcome)
    return readings, notes


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError:
        return None


def _upcoming(month: int, day: int, today: dt.date) -> str | None:
    for year in range(today.year, today.year + 9):
        iso = _iso(year, month, day)
        if iso is not None and iso >= today.isoformat():
            return iso
    return None


def _is_day(numeral: Numeral) -> bool:
    return 1 <= numeral.value <= 31 and len(numeral.digits) <= 2


def _named(
    tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], month_at: int, today: dt.date | None
) -> Reading | tuple[str, str] | None:
    """A date around a month's name: a reading, or (partial, why not), or ``None`` where it isn't a date."""
    month = MONTHS[tokens[month_at].text]
    day, first, after = None, month_at, month_at + 1
    start = month_at + 1
    while start < len(tokens) and tokens[start].text in ("the", "of") and start <= month_at + 1:
        start += 1
    following = next((position for position, numeral in enumerate(numerals) if numeral.first == start), None)
    before = _day_before(tokens, numerals, month_at)
    if before is not None:
        day, first = before, before.first
        year_from = following
    elif following is not None and _is_day(numerals[following]):
        day, after = numerals[following], numerals[following].last
        year_from = following + 1
    else:
        return None
    year, last, doubt = _year(tokens, numerals, year_from, after)
    if doubt:
        return f"{month:02d}-{day.value:02d}", f"the year isn't clear: {doubt}"
    if year is None:
        if today is None:
            return f"{month:02d}-{day.value:02d}", "a day without its year"
        iso = _upcoming(month, day.value, today)
        why = "month and day, the year taken from today's date"
    else:
        iso = _iso(year, month, day.value)
        why = "month, day and year"
    if iso is None:
        return f"{month:02d}-{day.value:02d}", "there is no such day"
    return Reading(iso, first, last, _NAMED if year is not None else _NAMED - 0.5, why)


def _day_before(tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], month_at: int) -> Numeral | None:
    """The day of "the thirtieth of June" or "30 June"; "at 2 June 30" isn't one, for the day follows."""
    end = month_at - 1 if month_at and tokens[month_at - 1].text == "of" else month_at
    numeral = next((numeral for numeral in numerals if numeral.last == end), None)
    if numeral is None or not _is_day(numeral):
        return None
    linked = end != month_at
    if not linked and (tokens[month_at].gap.strip(" -/") or _day_follows(tokens, numerals, month_at)):
        return None
    return numeral


def _day_follows(tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], month_at: int) -> bool:
    at = next((at for at, numeral in enumerate(numerals) if numeral.first == month_at + 1), None)
    if at is None or not _is_day(numerals[at]) or tokens[month_at + 1].gap.strip():
        return False
    # "30 June nineteen seventy-two": the nineteen begins a year.
    rest = numerals[at + 1] if at + 1 < len(numerals) else None
    if rest is None or rest.first != numerals[at].last or not tokens[rest.first].close:
        return True
    return not (numerals[at].value in (18, 19, 20) and len(numerals[at].digits + rest.digits) == 4)


def _year(
    tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], position: int | None, last: int
) -> tuple[int | None, int, str]:
    """The year that follows a day -> (year or None, next token, doubt). Two or four digits, said in any
    grouping."""
    if position is None or position >= len(numerals):
        return None, last, ""
    numeral = numerals[position]
    skip = [token.text for token in tokens[last : numeral.first]]
    if skip not in ([], ["of"], ["in"], ["the", "year"]) or numeral.style is Style.ORDINAL:
        return None, last, ""
    digits, end = "", last
    while position < len(numerals) and len(digits) < 4:
        numeral = numerals[position]
        gap = tokens[numeral.first].gap.strip(" \n-")
        if digits and (numeral.first != end or gap not in ("", ",")):
            break
        if len(digits) in (2,) and gap and len(numeral.digits) > 2:
            break
        digits, end, position = digits + numeral.digits, numeral.last, position + 1
    if end < len(tokens) and tokens[end].text in _NOT_A_YEAR_AFTER and len(digits) <= 2:
        return None, last, ""
    if len(digits) == 2 or (len(digits) == 4 and 1000 <= int(digits) <= 2199):
        trailing = numerals[position] if position < len(numerals) else None
        if trailing is not None and trailing.first == end and tokens[end].close and len(trailing.digits) <= 2:
            return None, last, f"{digits} {trailing.digits}"
        return full_year(digits), end, ""
    return None, last, digits


def _numeric(tokens: tuple[Token, ...], numerals: tuple[Numeral, ...]) -> list[Reading]:
    """Dates in figures or bare number words: 6/30/1972, 1972-06-30, "six thirty seventy two", 06301972."""
    readings: list[Reading] = []
    rows: list[list[Numeral]] = []
    for numeral in numerals:
        joined = rows and rows[-1][-1].last == numeral.first and _date_gap(tokens[numeral.first].gap)
        if joined:
            rows[-1].append(numeral)
        else:
            rows.append([numeral])
    for row in rows:
        found = _splits([numeral.digits for numeral in row])
        if found:
            why = "month, day and year in figures"
            readings.append(Reading(found[0], row[0].first, row[-1].last, _NUMERIC, why, tuple(found[1:])))
    return readings


def _date_gap(gap: str) -> bool:
    return not gap.strip(" /-.,–")


def _splits(pieces: list[str]) -> list[str]:
    """Every date that pieces of digits make, in the order month-day-year, year-month-day, day-month-year."""
    if len(pieces) == 1 and len(pieces[0]) in (6, 8):
        whole = pieces[0]
        cuts = [(whole[:2], whole[2:4], whole[4:])]
        if len(whole) == 8:
            cuts.append((whole[:4], whole[4:6], whole[6:]))
    elif 3 <= len(pieces) <= 8:
        cuts = [
            ("".join(pieces[:one]), "".join(pieces[one:two]), "".join(pieces[two:]))
            for one in range(1, len(pieces) - 1)
            for two in range(one + 1, len(pieces))
        ]
    else:
        return []
    found: list[str | None] = []
    for a, b, c in cuts:
        if len(a) <= 2 and len(b) <= 2 and len(c) in (2, 4):
            found.append(_iso(full_year(c), int(a), int(b)))
    for a, b, c in cuts:
        if len(a) == 4 and len(b) <= 2 and len(c) <= 2:
            found.append(_iso(int(a), int(b), int(c)))
    if not any(found):
        found.extend(
            _iso(full_year(c), int(b), int(a))
            for a, b, c in cuts
            if len(a) <= 2 and len(b) <= 2 and len(c) in (2, 4) and int(a) > 12
        )
    return list(dict.fromkeys(iso for iso in found if iso is not None))


def _relative(tokens: tuple[Token, ...], today: dt.date) -> list[Reading]:
    readings: list[Reading] = []
    days = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
    for index, token in enumerate(tokens):
        before = [other.text for other in tokens[max(0, index - 2) : index]]
        if token.text in days:
            # "The day after tomorrow", "the day before yesterday".
            further = {"day after": 1, "day before": -1}.get(" ".join(before), 0)
            value = (today + dt.timedelta(days=days[token.text] + further)).isoformat()
            readings.append(
                Reading(value, index, index + 1, _RELATIVE, f"{token.text}, counted from today's date")
            )
        elif token.text in WEEKDAYS:
            ahead = (WEEKDAYS[token.text] - today.weekday() - 1) % 7 + 1
            if before[-1:] == ["last"]:
                ahead -= 7 if ahead < 7 else 14
            value = (today + dt.timedelta(days=ahead)).isoformat()
            later = (today + dt.timedelta(days=ahead + 7)).isoformat()
            is_next = before[-1:] == ["next"]
            also = (later,) if is_next else ()
            readings.append(
                Reading(value, index, index + 1, _RELATIVE, "the next such weekday after today", also)
            )
    return readings
