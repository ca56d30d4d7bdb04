"""Amounts of money in dollars: "$14.99", "fourteen ninety-nine", "fourteen dollars and ninety-nine cents"."""

from __future__ import annotations

from typing import Final

from offhook._spoken_numerals import Numeral, Style, read_numerals
from offhook._spoken_result import Parsed, Reading, settle
from offhook._spoken_tokens import Token, tokenise
from offhook.values import ValueKind

_DOLLARS: Final = frozenset({"dollar", "dollars", "buck", "bucks", "usd"})
_CENTS: Final = frozenset({"cent", "cents"})
_OTHER_UNITS_WORDS: Final = (
    "% percent month months day days week weeks year years hour hours minute minutes times item items am "
    "pm o'clock points miles"
)
_OTHER_UNITS: Final = frozenset(_OTHER_UNITS_WORDS.split())
_MINUS: Final = frozenset({"minus", "negative"})
_LIMIT: Final = 10**12
EXPLICIT: Final = 2.0
_BARE: Final = 1.0


def parse_amount(text: str) -> Parsed:
    """Reads dollars and cents. Amounts named by a sign or a unit win over bare numbers.

    A bare pair ("two fifty") is dollars and cents first; its reading as whole dollars is kept as a candidate.
    A bare number ("fifteen", "1499") is dollars; written without a point and with at least three digits, its
    reading with cents is a candidate, because recognisers write a spoken "fourteen ninety-nine" as 1499."""
    tokens = tokenise(text)
    return settle(ValueKind.AMOUNT, tokens, amount_readings(tokens))


def amount_readings(tokens: tuple[Token, ...]) -> list[Reading]:
    """Every amount of a text; those named by a sign or a unit score `EXPLICIT`."""
    numerals = tuple(numeral for numeral in read_numerals(tokens) if numeral.style is not Style.ORDINAL)
    readings: list[Reading] = []
    index = 0
    while index < len(numerals):
        reading, used = _read(tokens, numerals, index)
        if reading is not None:
            readings.append(reading)
        index += used
    readings.extend(_lone_dollars(tokens, readings))
    return readings


def _text_at(tokens: tuple[Token, ...], index: int) -> str:
    return tokens[index].text if 0 <= index < len(tokens) else ""


def _gap_at(tokens: tuple[Token, ...], index: int) -> str:
    return tokens[index].gap if 0 <= index < len(tokens) else ""


def _read(tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], index: int) -> tuple[Reading | None, int]:
    """One amount that begins with a numeral -> (reading, numerals used)."""
    first = numerals[index].first
    signed = _text_at(tokens, first - 1) == "$"
    whole, used = _grouped(tokens, numerals, index)
    last = numerals[index + used - 1].last
    point, point_used = _decimals(tokens, numerals, index + used)
    pair = None
    if point_used:
        last = numerals[index + used + point_used - 1].last
        used += point_used
    elif used == 1:
        pair, pair_used = _pair(tokens, numerals, index)
        if pair is not None:
            last = numerals[index + pair_used - 1].last
            used = pair_used
    unit = _text_at(tokens, last)
    cents = whole * 100 + point
    explicit = signed or bool(point_used)
    also: tuple[int, ...] = ()
    if unit in _CENTS and not signed and not point_used and pair is None:
        cents, explicit, last = whole, True, last + 1
    elif unit in _DOLLARS:
        explicit, last = True, last + 1
        if pair is not None:
            cents, also = _as_whole(numerals, index, used) * 100, (pair,)
        if not point_used:
            extra, extra_used, last = _cents_after(tokens, numerals, index + used, last)
            cents, used = cents + extra, used + extra_used
    elif pair is not None:
        also = (_as_whole(numerals, index, used) * 100,)
        cents = pair
    elif not explicit and numerals[index].style is Style.FIGURE and used == 1 and len(str(whole)) >= 3:
        also = (whole,)
    elif signed and not point_used:
        extra, extra_used, after = _cents_after(tokens, numerals, index + used, last)
        if _text_at(tokens, after - 1) in _CENTS:
            cents, used, last = cents + extra, used + extra_used, after
    if cents > _LIMIT or (not signed and unit in _OTHER_UNITS):
        return None, used
    start = first - 1 if signed else first
    if _is_negative(tokens, start):
        cents, start = -cents, start - (_text_at(tokens, start - 1) in _MINUS)
        also = tuple(-value for value in also)
    why = "an amount with its unit" if explicit else "a bare number taken for dollars"
    return Reading(cents, start, last, EXPLICIT if explicit else _BARE, why, also), used


def _is_negative(tokens: tuple[Token, ...], start: int) -> bool:
    gap = _gap_at(tokens, start)
    return _text_at(tokens, start - 1) in _MINUS or (gap[-1:] == "-" and gap[-2:-1] in ("", " "))


def _grouped(tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], index: int) -> tuple[int, int]:
    """Joins "1,499" -> (1499, numerals used)."""
    digits, used = numerals[index].digits, 1
    if len(digits) > 15:
        return _LIMIT, 1
    if numerals[index].style not in (Style.FIGURE, Style.DIGIT) or len(digits) > 3:
        return numerals[index].value, 1
    while index + used < len(numerals):
        numeral = numerals[index + used]
        adjacent = numeral.first == numerals[index + used - 1].last and tokens[numeral.first].gap == ","
        if not adjacent or numeral.style is not Style.FIGURE or len(numeral.digits) != 3 or len(digits) > 12:
            break
        digits, used = digits + numeral.digits, used + 1
    return int(digits), used


def _decimals(tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], index: int) -> tuple[int, int]:
    """Cents after a written or spoken point -> (cents, numerals used)."""
    if index >= len(numerals):
        return 0, 0
    previous, numeral = numerals[index - 1], numerals[index]
    if tokens[numeral.first].gap == "." and numeral.first == previous.last and tokens[numeral.first].figure:
        if len(numeral.digits) == 2:
            return int(numeral.digits), 1
        return (int(numeral.digits) * 10, 1) if len(numeral.digits) == 1 else (0, 0)
    if _text_at(tokens, numeral.first - 1) == "point" and numeral.first - 1 == previous.last:
        following = numerals[index + 1] if index + 1 < len(numerals) else None
        if len(numeral.digits) == 2:
            return numeral.value, 1
        if (
            following is not None
            and following.first == numeral.last
            and len(numeral.digits + following.digits) == 2
        ):
            return int(numeral.digits + following.digits), 2
        return (numeral.value * 10, 1) if len(numeral.digits) == 1 else (0, 0)
    return 0, 0


def _follows(tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], index: int) -> bool:
    numeral, previous = numerals[index], numerals[index - 1]
    return numeral.first == previous.last and tokens[numeral.first].close


def _pair(tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], index: int) -> tuple[int | None, int]:
    """ "fourteen ninety-nine", "five oh five", "14 99" -> (cents, numerals used), or (None, 1)."""
    used = 1
    # A row of more than three is no pair: how much longer it is, nobody asks.
    while used < 4 and index + used < len(numerals) and _follows(tokens, numerals, index + used):
        used += 1
    row = numerals[index : index + used]
    cents = "".join(numeral.digits for numeral in row[1:])
    if len(row) not in (2, 3) or len(cents) != 2 or row[0].value >= 10_000:
        return None, 1
    if len(row) == 3 and (row[1].digits != "0" or row[2].style is not Style.DIGIT):
        return None, 1
    return row[0].value * 100 + int(cents), used


def _as_whole(numerals: tuple[Numeral, ...], index: int, used: int) -> int:
    return int("".join(numeral.digits for numeral in numerals[index : index + used]))


def _cents_after(
    tokens: tuple[Token, ...], numerals: tuple[Numeral, ...], index: int, last: int
) -> tuple[int, int, int]:
    """What follows the word "dollars": "and ninety-nine cents", "fifty" -> (cents, numerals used, next
    token)."""
    if index >= len(numerals):
        return 0, 0, last
    numeral = numerals[index]
    linked = numeral.first == last + 1 and _text_at(tokens, last) == "and"
    gap = _gap_at(tokens, numeral.first).strip()
    if not (linked or numeral.first == last) or gap not in ("", ",") or numeral.value > 99:
        return 0, 0, last
    if _text_at(tokens, numeral.last) in _CENTS:
        return numeral.value, 1, numeral.last + 1
    named_otherwise = _text_at(tokens, numeral.last) in _DOLLARS
    if len(numeral.digits) == 2 and not named_otherwise and gap == "":
        return numeral.value, 1, numeral.last
    return 0, 0, last


def _lone_dollars(tokens: tuple[Token, ...], readings: list[Reading]) -> list[Reading]:
    """ "a dollar", "a dollar fifty", "a buck": the article is the number."""
    found: list[Reading] = []
    for index, token in enumerate(tokens[:-1]):
        if token.text != "a" or tokens[index + 1].text not in ("dollar", "buck"):
            continue
        cents, last = 100, index + 2
        for position, reading in enumerate(readings):
            linked = tokens[last].text == "and" if last < len(tokens) else False
            if reading.first != last + linked or not isinstance(reading.value, int):
                continue
            named = tokens[reading.last - 1].text in _CENTS
            small = reading.value if named else reading.value // 100
            if 0 < small < 100 and (named or (reading.score == _BARE and small >= 10)):
                cents, last = cents + small, reading.last
                readings.pop(position)
                break
        found.append(Reading(cents, index, last, EXPLICIT, "an amount with its unit"))
    return found
