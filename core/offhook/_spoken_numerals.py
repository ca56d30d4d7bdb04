"""Reads number words and figures: "thirty six" is 36, "triple five" is 555, "one thousand two hundred" is
1200.

A numeral keeps both its value and the digits a listener would write down, so that the same reading serves
digit strings ("five forty one" -> 541), amounts and dates. Nothing is ever padded: digits out are digits
said."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import attrs

from offhook._lexicon import (
    HOMOPHONES,
    MAGNITUDES,
    ORDINAL_SUFFIXES,
    OTHER_ORDINALS,
    REPEATS,
    TEENS,
    TENS,
    UNIT_ORDINALS,
    UNITS,
    ZEROS,
)
from offhook._spoken_tokens import Token

_FILLERS: Final = frozenset({"uh", "um", "er", "erm", "uhm", "then", "dash", "hyphen", "space"})


_OHS: Final = frozenset({"oh", "o"})
_STARTS: Final = frozenset(
    TEENS.keys()
    | TENS.keys()
    | MAGNITUDES.keys()
    | REPEATS.keys()
    | UNIT_ORDINALS.keys()
    | OTHER_ORDINALS.keys()
)


class Style(StrEnum):
    """How a numeral was said or written."""

    DIGIT = "digit"
    REPEAT = "repeat"
    SMALL = "small"
    CARDINAL = "cardinal"
    FIGURE = "figure"
    ORDINAL = "ordinal"


@attrs.frozen
class Numeral:
    """Tokens ``first`` to ``last`` (exclusive) read as one number. ``weak`` marks an "oh" that may be an
    interjection."""

    digits: str
    value: int
    style: Style
    first: int
    last: int
    weak: bool = False


@attrs.frozen
class Run:
    """Numerals said in one breath, and the groups their pauses make: "541, 555, 0171" has three."""

    numerals: tuple[Numeral, ...]
    groups: tuple[tuple[Numeral, ...], ...]

    @property
    def digits(self) -> str:
        return "".join(numeral.digits for numeral in self.numerals)

    @property
    def first(self) -> int:
        return self.numerals[0].first

    @property
    def last(self) -> int:
        return self.numerals[-1].last


def read_numerals(tokens: tuple[Token, ...]) -> tuple[Numeral, ...]:
    """Every numeral of a text, left to right, without overlaps."""
    digits = _single_digits(tokens)
    numerals: list[Numeral] = []
    index = 0
    while index < len(tokens):
        if index not in digits and tokens[index].text not in _STARTS and not tokens[index].figure:
            index += 1
            continue
        numeral = (
            _repeat(tokens, digits, index)
            or _ordinal(tokens, index)
            or _cardinal(tokens, index)
            or _single(tokens, digits, index)
        )
        if numeral is None:
            index += 1
        else:
            if not _is_count_of_digits(tokens, numeral):
                numerals.append(numeral)
            index = numeral.last
    return tuple(numerals)


def read_runs(tokens: tuple[Token, ...], numerals: tuple[Numeral, ...]) -> tuple[Run, ...]:
    """Joins numerals that follow each other directly (pauses, hyphens and hesitations allowed; ordinals
    apart)."""
    runs: list[list[list[Numeral]]] = []
    previous: Numeral | None = None
    for numeral in numerals:
        if numeral.style is Style.ORDINAL:
            previous = None
            continue
        if previous is None or not _joined(tokens, previous, numeral):
            runs.append([[numeral]])
        elif _new_group(tokens, previous, numeral):
            runs[-1].append([numeral])
        else:
            runs[-1][-1].append(numeral)
        previous = numeral
    return tuple(_as_run(groups) for groups in runs)


def _as_run(groups: list[list[Numeral]]) -> Run:
    return Run(
        tuple(numeral for group in groups for numeral in group), tuple(tuple(group) for group in groups)
    )


def _joined(tokens: tuple[Token, ...], left: Numeral, right: Numeral) -> bool:
    between = tokens[left.last : right.first]
    if any(token.text not in _FILLERS for token in between):
        return False
    gaps = [token.gap for token in (*between, tokens[right.first])]
    return not any(char in "?!;" for gap in gaps for char in gap)


def _new_group(tokens: tuple[Token, ...], left: Numeral, right: Numeral) -> bool:
    gap = tokens[right.first].gap
    if left.style is Style.FIGURE or right.style is Style.FIGURE:
        thousands = gap == "," and len(left.digits) <= 3 and len(right.digits) == 3
        return not (thousands and gap)
    return left.last != right.first or any(char in ",.:()\n" for char in gap)


def _single_digits(tokens: tuple[Token, ...]) -> dict[int, tuple[str, bool]]:
    """Tokens that stand for one digit -> (digit, weak), with zeros said "oh" and homophones settled by their
    company."""
    digits: dict[int, tuple[str, bool]] = {}
    for index, token in enumerate(tokens):
        if token.text in UNITS:
            digits[index] = (str(UNITS[token.text]), False)
        elif token.text in ZEROS:
            digits[index] = ("0", False)
        elif token.figure and len(token.text) == 1:
            digits[index] = (token.text, False)
    ohs = any(token.text in _OHS for token in tokens)
    if ohs:
        _settle_ohs(tokens, digits)
    if digits:
        for index, token in enumerate(tokens):
            if token.text in HOMOPHONES and _homophone_is_digit(tokens, digits, index):
                digits[index] = (HOMOPHONES[token.text], False)
        if ohs:
            _settle_ohs(tokens, digits)
    return digits


def _settle_ohs(tokens: tuple[Token, ...], digits: dict[int, tuple[str, bool]]) -> None:
    """Adds the zeros said "oh"; both directions, because "oh oh one" is settled from its end."""
    for order in (range(len(tokens)), range(len(tokens) - 1, -1, -1)):
        for index in order:
            if tokens[index].text in _OHS and index not in digits:
                reading = _oh_is_zero(tokens, digits, index)
                if reading is not None:
                    digits[index] = ("0", reading)


def _homophone_is_digit(tokens: tuple[Token, ...], digits: dict[int, tuple[str, bool]], index: int) -> bool:
    """Two digits before a clause's end, or one before and two after: "9 7 0 3 for", never "from 5 to 6"."""
    left = index
    while left - 1 in digits and tokens[left].close:
        left -= 1
    right = index
    while right + 1 in digits and tokens[right + 1].close:
        right += 1
    before, after = index - left, right - index
    if tokens[index].text in ("won", "ate") and after >= 2:
        return True
    at_end = index + 1 == len(tokens) or not tokens[index + 1].close
    return (before >= 2 and (at_end or after >= 1)) or (before >= 1 and after >= 2)


def _is_numeric(token: Token) -> bool:
    return (
        token.figure
        or token.text in UNITS
        or token.text in ZEROS
        or token.text in TEENS
        or token.text in TENS
    ) or token.text in REPEATS


def _starts_number(tokens: tuple[Token, ...], digits: dict[int, tuple[str, bool]], index: int) -> bool:
    """A number's token; "double" is one before a digit only, not in "O, double U"."""
    return _is_numeric(tokens[index]) and (tokens[index].text not in REPEATS or index + 1 in digits)


def _oh_is_zero(tokens: tuple[Token, ...], digits: dict[int, tuple[str, bool]], index: int) -> bool | None:
    """Whether "oh" is a zero: None for no, False for surely, True for perhaps ("Oh, one three three")."""
    if index > 0 and (index - 1 in digits or _is_numeric(tokens[index - 1])):
        weak = digits.get(index - 1, ("", False))[1]
        if tokens[index].close or tokens[index].gap.strip() in (",", "."):
            return weak
    if index + 1 < len(tokens) and (index + 1 in digits or _starts_number(tokens, digits, index + 1)):
        if tokens[index + 1].close:
            return digits.get(index + 1, ("", False))[1]
        if tokens[index + 1].gap.strip() == ",":
            return True
    return None


def _repeat(tokens: tuple[Token, ...], digits: dict[int, tuple[str, bool]], index: int) -> Numeral | None:
    times = REPEATS.get(tokens[index].text)
    if times is None or index + 1 not in digits or not tokens[index + 1].close:
        return None
    said = digits[index + 1][0] * times
    return Numeral(said, int(said), Style.REPEAT, index, index + 2)


def _single(tokens: tuple[Token, ...], digits: dict[int, tuple[str, bool]], index: int) -> Numeral | None:
    if index not in digits:
        return None
    digit, weak = digits[index]
    return Numeral(digit, int(digit), Style.DIGIT, index, index + 1, weak)


def _ordinal(tokens: tuple[Token, ...], index: int) -> Numeral | None:
    token = tokens[index]
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if token.text in UNIT_ORDINALS:
        return _make(UNIT_ORDINALS[token.text], Style.ORDINAL, index, index + 1)
    if token.text in OTHER_ORDINALS:
        return _make(OTHER_ORDINALS[token.text], Style.ORDINAL, index, index + 1)
    if following is None:
        return None
    if token.figure and following.text in ORDINAL_SUFFIXES and not following.gap and len(token.text) <= 9:
        return Numeral(token.text, int(token.text), Style.ORDINAL, index, index + 2)
    if token.text in TENS and following.text in UNIT_ORDINALS and following.close:
        return _make(TENS[token.text] + UNIT_ORDINALS[following.text], Style.ORDINAL, index, index + 2)
    return None


def _make(value: int, style: Style, first: int, last: int) -> Numeral:
    return Numeral(str(value), value, style, first, last)


def _small(tokens: tuple[Token, ...], index: int, *, figures: int = 0) -> tuple[int, int] | None:
    """A number below 100 at a token -> (value, next token). ``figures`` allows written ones of so many
    digits."""
    if index >= len(tokens):
        return None
    text = tokens[index].text
    if text in TENS:
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if following is not None and following.text in UNITS and following.close:
            return TENS[text] + UNITS[following.text], index + 2
        return TENS[text], index + 1
    if text in TEENS:
        return TEENS[text], index + 1
    if text in UNITS:
        return UNITS[text], index + 1
    if tokens[index].figure and 0 < len(text) <= figures:
        return int(text), index + 1
    return None


def _magnitude(tokens: tuple[Token, ...], index: int) -> int:
    if index < len(tokens) and tokens[index].close:
        return MAGNITUDES.get(tokens[index].text, 0)
    return 0


def _cardinal(tokens: tuple[Token, ...], index: int) -> Numeral | None:
    """Figures, teens, tens and everything with a magnitude word; single digit words are left to `_single`."""
    token = tokens[index]
    if token.text in MAGNITUDES:
        article = index > 0 and tokens[index - 1].text == "a"
        read = _with_magnitude(tokens, 1, index)
        return _make(read[0], Style.CARDINAL, index - 1 if article else index, read[1])
    small = _small(tokens, index, figures=3)
    if small is None:
        if token.figure:
            return Numeral(token.text, int(token.text[:18]), Style.FIGURE, index, index + 1)
        return None
    value, following = small
    if _magnitude(tokens, following):
        read = _with_magnitude(tokens, value, following)
        return _make(read[0], Style.CARDINAL, index, read[1])
    if token.figure:
        style = Style.DIGIT if len(token.text) == 1 else Style.FIGURE
        return Numeral(token.text, value, style, index, following)
    if token.text in UNITS:
        return None
    return _make(value, Style.SMALL, index, following)


def _with_magnitude(tokens: tuple[Token, ...], value: int, index: int) -> tuple[int, int]:
    """Reads on from a magnitude word that multiplies ``value`` -> (number, next token)."""
    total, group, ceiling = 0, value, 10**9
    while (magnitude := _magnitude_after(tokens, index)) and (magnitude == 100 or magnitude < ceiling):
        index += 1
        if magnitude == 100:
            group *= 100
            rest = _rest(tokens, index)
            if rest is not None:
                group, index = group + rest[0], rest[1]
        else:
            total, group, ceiling = total + group * magnitude, 0, magnitude
            rest = _rest(tokens, index, comma=True, figures=3)
            if rest is None:
                break
            group, index = rest
        if group >= 10_000:
            break
    return total + group, index


def _magnitude_after(tokens: tuple[Token, ...], index: int) -> int:
    return MAGNITUDES.get(tokens[index].text, 0) if index < len(tokens) else 0


def _rest(
    tokens: tuple[Token, ...], index: int, *, comma: bool = False, figures: int = 2
) -> tuple[int, int] | None:
    """What follows "hundred" or "thousand". A digit that starts a row of digits isn't taken: "8 hundred 5 5
    5"."""
    start = index
    linked = index < len(tokens) and tokens[index].text == "and"
    if linked:
        start += 1
    if start >= len(tokens):
        return None
    gap = tokens[start].gap.strip()
    if gap not in (("", "-", ",") if comma else ("", "-")):
        return None
    rest = _small(tokens, start, figures=figures)
    if rest is None:
        return None
    value, following = rest
    if not comma and _magnitude(tokens, following) == 100:
        return None
    if value < 10 and not linked and following < len(tokens) and tokens[following].close:
        after = tokens[following]
        if after.text in UNITS or after.text in ZEROS or after.text in ("oh", "o") or after.figure:
            return None
    return value, following


def _is_count_of_digits(tokens: tuple[Token, ...], numeral: Numeral) -> bool:
    """The "four" of "last four" counts digits, it isn't one."""
    if numeral.first == 0 or numeral.style is not Style.DIGIT or not 2 <= numeral.value <= 6:
        return False
    return tokens[numeral.first - 1].text in ("last", "final") and tokens[numeral.first].close
