"""Values made of digits: phones, ZIPs, a card's last four, order numbers.

A value is looked for as whole groups of one run of numerals. What remains of the run must itself be a
plausible value (a ZIP after a phone, say); so nine digits never yield a phone, nor a phone's tail a card's
last four."""

from __future__ import annotations

import re
from typing import Final

import attrs

from offhook._lexicon import LETTER_HOMOPHONES, LETTER_NAMES
from offhook._spoken_letters import read_letters
from offhook._spoken_numerals import Numeral, Run, read_numerals, read_runs
from offhook._spoken_result import Parsed, Reading, nothing, settle, span_of
from offhook._spoken_tokens import Token, fold, tokenise
from offhook.values import ValueKind, canonical

_CUES: Final = {
    ValueKind.PHONE: frozenset({"phone", "cell", "mobile", "telephone", "cellphone", "landline"}),
    ValueKind.ZIP: frozenset({"zip", "zipcode", "postal", "postcode"}),
    ValueKind.DIGITS: frozenset({"card", "ending", "ends", "end", "last", "visa", "mastercard", "amex"}),
    ValueKind.ORDER_NUMBER: frozenset({"order", "confirmation"}),
}
_CUE_REACH: Final = 7
PLAUSIBLE_REST: Final = frozenset({0, 4, 5, 7, 9, 10, 11, 14, 15})
_ALPHABET_REACH: Final = 16
_NOT_PREFIXES_WORDS: Final = (
    "a i an am as at be by do go he hi id if in is it me my no of ok on or pm so to uh um up us we and "
    "are but can for her his its not now one our out say see she the two use was yes you zip six ten "
    "it's i'm code card cell from have here last mine that then this with call your okay just sure well"
)
_NOT_PREFIXES: Final = frozenset(_NOT_PREFIXES_WORDS.split())


@attrs.frozen
class DigitRun:
    """Digits said in one breath: all of them, the groups the speaker's pauses made, and the span in the
    text."""

    digits: str
    groups: tuple[str, ...]
    span: tuple[int, int]


def digit_runs(text: str) -> tuple[DigitRun, ...]:
    """Every run of digits in a text, spoken, written or mixed, in order.

    "five four one, triple 5, oh one seven one" is one run of ten digits in three groups. Ordinals ("30th"),
    the count in "last four" and an "Oh," that opens a sentence are left out; a word between two numbers
    separates two runs."""
    tokens = tokenise(text)
    runs = read_runs(tokens, read_numerals(tokens))
    found: list[DigitRun] = []
    for run in runs:
        groups = without_weak(run)
        if groups:
            digits = tuple(_digits(group) for group in groups)
            span = span_of(tokens, groups[0][0].first, groups[-1][-1].last)
            found.append(DigitRun("".join(digits), digits, span))
    return tuple(found)


def _digits(numerals: tuple[Numeral, ...]) -> str:
    return "".join(numeral.digits for numeral in numerals)


def without_weak(run: Run) -> tuple[tuple[Numeral, ...], ...]:
    """The groups of a run without an "Oh," that opens it."""
    groups = list(run.groups)
    while groups and all(numeral.weak for numeral in groups[0]):
        groups.pop(0)
    return tuple(groups)


def parse_digits(kind: ValueKind, text: str, length: int | None, cues: frozenset[str]) -> Parsed:
    """Reads a phone, a ZIP or a number of ``length`` digits (``None``: any)."""
    tokens = tokenise(text)
    runs = read_runs(tokens, read_numerals(tokens))
    own = _CUES[kind] | cues
    foreign = frozenset(word for other, words in _CUES.items() if other is not kind for word in words) - own
    wanted = {ValueKind.PHONE: 10, ValueKind.ZIP: 5}.get(kind, length)
    readings: list[Reading] = []
    rejected: list[str] = []
    previous_end = 0
    for run in runs:
        cue = _cue(tokens, previous_end, run.first, own, foreign)
        found = _windows(kind, run, wanted)
        readings.extend(attrs.evolve(reading, score=reading.score + cue) for reading in found)
        if not found:
            rejected.append(_digits(tuple(numeral for group in without_weak(run) for numeral in group)))
        previous_end = run.last
    usable = [reading for reading in readings if reading.score > 0]
    if usable:
        return settle(kind, tokens, usable)
    if readings:
        values = tuple(dict.fromkeys(reading.value for reading in readings))
        return Parsed(kind, None, values, None, False, "", "digits heard, but said to be something else")
    partial = max(rejected, key=len, default="")
    if not partial:
        return nothing(kind, f"no {kind} heard")
    return nothing(kind, f"{len(partial)} digits heard, {wanted} needed", partial)


def _cue(
    tokens: tuple[Token, ...], start: int, first: int, own: frozenset[str], foreign: frozenset[str]
) -> float:
    """+2 where the nearest telling word before a run is the kind's own, -2 where it is another kind's."""
    for token in reversed(tokens[max(start, first - _CUE_REACH) : first]):
        if token.text in own:
            return 2.0
        if token.text in foreign:
            return -2.0
    return 0.0


def _windows(kind: ValueKind, run: Run, wanted: int | None) -> list[Reading]:
    """All readings of a run as a value of the wanted length."""
    readings: list[Reading] = []
    plain = without_weak(run)
    for groups in dict.fromkeys((plain, run.groups)):
        if readings or not groups:
            break
        numerals = tuple(numeral for group in groups for numeral in group)
        if wanted is None:
            readings.append(_reading(kind, numerals, 1.0, "a run of digits"))
            continue
        sizes = [len(_digits(group)) for group in groups]
        for first in range(len(groups)):
            for last in range(first + 1, len(groups) + 1):
                inside = tuple(numeral for group in groups[first:last] for numeral in group)
                if not _fits(kind, _digits(inside), wanted):
                    continue
                before, after = sum(sizes[:first]), sum(sizes[last:])
                if before in PLAUSIBLE_REST and after in PLAUSIBLE_REST:
                    whole = before == after == 0
                    why = f"a run of {wanted} digits" if whole else f"{wanted} digits between pauses"
                    readings.append(_reading(kind, inside, 1.0 if whole else 0.9, why))
        if not readings:
            readings.extend(_zip_with_four(kind, numerals, wanted))
    return readings


def _zip_with_four(kind: ValueKind, numerals: tuple[Numeral, ...], wanted: int) -> list[Reading]:
    """Nine digits without a pause, asked for a ZIP or for four digits: the ZIP comes first, then the card's
    four."""
    if len(_digits(numerals)) != 9 or (kind, wanted) not in ((ValueKind.ZIP, 5), (ValueKind.DIGITS, 4)):
        return []
    for cut in range(1, len(numerals)):
        if len(_digits(numerals[:cut])) == 5:
            part = numerals[:cut] if kind is ValueKind.ZIP else numerals[cut:]
            return [_reading(kind, part, 0.5, "nine digits read as a ZIP and a last four")]
    return []


def _fits(kind: ValueKind, digits: str, wanted: int) -> bool:
    if kind is ValueKind.PHONE:
        local = digits[1:] if len(digits) == 11 and digits.startswith("1") else digits
        return len(local) == 10 and local[0] not in "01"
    return len(digits) == wanted


def _reading(kind: ValueKind, numerals: tuple[Numeral, ...], score: float, why: str) -> Reading:
    return Reading(canonical(kind, _digits(numerals)), numerals[0].first, numerals[-1].last, score, why)


def parse_order_number(text: str, length: int | None) -> Parsed:
    """Reads one to four letters directly before three to twelve digits (``length`` of them, where given).

    An "O" beside digits is a zero, as speakers mean it; codes with a letter O there can't be told apart.
    """
    kind = ValueKind.ORDER_NUMBER
    tokens = tokenise(text)
    readings, partial = order_readings(tokens, length)
    if readings:
        return settle(kind, tokens, readings)
    return nothing(kind, "digits without their letters" if partial else f"no {kind} heard", partial)


def order_readings(tokens: tuple[Token, ...], length: int | None) -> tuple[list[Reading], str]:
    """Every order number of a text, and the longest row of digits that isn't one."""
    readings: list[Reading] = []
    partial = ""
    for run in read_runs(tokens, read_numerals(tokens)):
        prefix, first = _prefix(tokens, run.first)
        sizes = [len(_digits(group)) for group in run.groups]
        digits = run.digits
        last = run.last
        if length is not None and len(digits) == length - 1 and len(prefix) > 1 and prefix.endswith("A"):
            # "K, E, A, four, ...": an eight said by itself is heard as the letter; the number is one short.
            prefix, digits, sizes = prefix[:-1], f"8{digits}", [length]
        if length is not None and len(digits) != length:
            kept = [count for count in range(1, len(sizes)) if sum(sizes[:count]) == length]
            if not kept or sum(sizes[kept[0] :]) not in PLAUSIBLE_REST:
                partial = max(partial, prefix + digits, key=len)
                continue
            last = run.groups[kept[0] - 1][-1].last
            digits = digits[:length]
        if prefix and 3 <= len(digits) <= 12:
            readings.append(Reading(f"{prefix}-{digits}", first, last, 1.0, "letters, then digits"))
        elif 3 <= len(digits) <= 12:
            partial = max(partial, digits, key=len)
    return readings, partial


def _prefix(tokens: tuple[Token, ...], end: int) -> tuple[str, int]:
    """Letters directly before token ``end`` -> (upper case, first token). Letter names count, everyday words
    don't."""
    letters = ""
    index = end
    while index > 0 and len(letters) < 4:
        token = tokens[index - 1]
        following_gap = tokens[index].gap if index < len(tokens) else ""
        if index == end and token.text in ("dash", "hyphen"):
            index -= 1
            end = index
            continue
        if any(char in "?!;:" for char in following_gap):
            break
        said = _letter(token) or (LETTER_HOMOPHONES.get(token.text, "") if letters else "")
        if said:
            letters = said + letters
        elif not letters and _is_block(token) and "," not in following_gap:
            letters = fold(token.raw)
            index -= 1
            break
        else:
            break
        index -= 1
    return (letters.upper(), index) if re.fullmatch(r"[a-z]{1,4}", letters) else _by_alphabet(tokens, end)


def _by_alphabet(tokens: tuple[Token, ...], end: int) -> tuple[str, int]:
    """Letters that were made sure of: "kilo echo 4498", "K as in kilo, E as in echo, 4498"."""
    runs = read_letters(tokens[max(0, end - _ALPHABET_REACH) : end], alphabet=True)
    if not runs or runs[-1].block or not re.fullmatch(r"[a-z]{1,4}", runs[-1].letters):
        return "", end
    shift = max(0, end - _ALPHABET_REACH)
    return (runs[-1].letters.upper(), runs[-1].first + shift) if runs[-1].last + shift == end else ("", end)


def _letter(token: Token) -> str:
    if len(token.text) == 1 and token.text.isalpha():
        return token.text
    return LETTER_NAMES.get(token.text, "")


def _is_block(token: Token) -> bool:
    """A short word that can only be letters run together, such as "KE"."""
    if not token.text.isalpha() or not 2 <= len(token.text) <= 4 or token.text in _NOT_PREFIXES:
        return False
    return token.raw.isupper() or len(token.text) == 2
