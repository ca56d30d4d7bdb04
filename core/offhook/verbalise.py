"""Turns written lines and values into words that a voice says well and a recogniser hears well.

A text-to-speech engine given "541-555-0171" is hardly ever heard right; given "five four one, five five five,
zero one seven one" it mostly is. Same facts, speakable form. The result never holds a digit. Number words
come from num2words."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable
from typing import Final

from offhook import _verbalise_words as words
from offhook._lexicon import MONTHS, full_year
from offhook.values import ValueKind, canonical

__all__ = ["verbalise", "verbalise_value"]

_MONTH: Final = (
    "(?:"
    + "|".join(
        form
        for month in sorted(MONTHS, key=len, reverse=True)
        # In small letters these are mostly words: "may 5 people", "march 3 miles".
        for form in (
            (month.title(), month.upper())
            if month in ("may", "march", "mar")
            else (month.title(), month.upper(), month)
        )
    )
    + r")\b\.?"
)
_DIGIT_CUES: Final = re.compile(
    r"(?:\b(?:zip|postal|code|pin|card|ending|ends|four|digits|number|account|extension|ext|reference|call|dial)"
    r"(?: (?:code|in|with|is|are|of|number))*[:.,#]? *#?)$",
    re.IGNORECASE,
)
_FRACTIONS: Final = {
    "1/2": "one half",
    "1/3": "one third",
    "2/3": "two thirds",
    "1/4": "one quarter",
    "3/4": "three quarters",
}
_PARTICLES_WORDS: Final = "de la del da das dos du di van von der den ter ten bin ibn al el le st"
_PARTICLES: Final = frozenset(_PARTICLES_WORDS.split())
_SUPERSCRIPTS: Final = {"²": " squared", "³": " cubed"}
_YEAR_CUES: Final = re.compile(r"(?:\b(?:in|since|year|until|from|by|born|of)) $", re.IGNORECASE)


def verbalise(text: str) -> str:
    """A written line in speakable words; ordinary words, names and punctuation stay as they are.

    Handled in place: e-mail addresses, phones, order numbers and other codes, ZIPs, card digits, dollars and
    cents, dates (ISO, slashed, named), times, percents, ordinals, decimals, ranges, "#" and "&". Four digits
    are a year after a month or "in" and "since", digit by digit otherwise; five digits and more and anything
    with a leading zero go digit by digit; fewer, and numbers with thousands separators, are cardinals.
    Deterministic; verbalised text is unchanged."""
    flat = _ascii_digits(text)
    said: list[str] = []
    position = 0
    for match in _PATTERN.finditer(flat):
        name = match.lastgroup or ""
        said.append(flat[position : match.start()])
        said.append(_RULES[name](match[0], flat[: match.start()]))
        position = match.end()
    said.append(flat[position:])
    return "".join(said)


def verbalise_value(kind: ValueKind, value: object, *, careful: bool = False) -> str:
    """One value in speakable words. ``careful`` is the form for a second asking: digit by digit with a pause
    after each, names spelled after they are said ("First name Selina, S, E, L, I, N, A. Last name Cortez,
    C, O, R, T, E, Z").

    Raises:
        ValueError: ``value`` isn't one of that kind (see `offhook.values.canonical`).
    """
    kind = ValueKind(kind)
    form = canonical(kind, value)
    if isinstance(form, int):
        return words.money(form, ", and " if careful else " and ")
    joint = ", " if careful else " "
    match kind:
        case ValueKind.PHONE:
            return words.phone(form, joint, ". " if careful else ", ")
        case ValueKind.ZIP | ValueKind.DIGITS:
            return words.digits(form, joint)
        case ValueKind.EMAIL:
            return words.email(form, spelled=careful)
        case ValueKind.DATE:
            date = dt.date.fromisoformat(form)
            spelled = words.digits(f"{date.year:04d}") if careful else None
            return words.day(date.year, date.month, date.day, spelled)
        case ValueKind.TIME:
            hour, minute = int(form[:2]), int(form[3:])
            return words.clock(hour, minute, "A" if hour < 12 else "P", joint)
        case ValueKind.SPELLED:
            return words.characters(form)
        case ValueKind.ORDER_NUMBER:
            letters, _, number = form.partition("-")
            return f"{words.characters(letters, joint)}, {words.digits(number, joint)}"
        case ValueKind.NAME:
            return _spelled_name(form) if careful else form
        case _:
            return verbalise(form)


def _spelled_name(name: str) -> str:
    """Each half of a name with its label, said and spelled: letters of two words in one row are heard as one
    word, and mostly wrong."""
    parts = [word for word in name.split() if any(map(str.isalpha, word))]
    if len(parts) < 2:
        return f"{name}. {words.characters(name)}"
    split = len(parts) - 1
    while split > 1 and parts[split - 1].lower() in _PARTICLES:
        split -= 1
    labelled = (("First", parts[:split]), ("Last", parts[split:]))
    return ". ".join(
        f"{label} name {' '.join(half)}, {words.characters(''.join(half))}" for label, half in labelled
    )


def _ascii_digits(text: str) -> str:
    """Folds digits of other scripts and forms (full width, superscript, circled) to ASCII; leaves the rest
    alone."""
    folded: list[str] = []
    for char in text:
        if char.isascii() or not (char.isnumeric() or char.isdigit()):
            folded.append(char)
            continue
        if char in _SUPERSCRIPTS:
            folded.append(_SUPERSCRIPTS[char])
            continue
        decimal = unicodedata.decimal(char, None)
        plain = str(decimal) if decimal is not None else unicodedata.normalize("NFKC", char).replace("⁄", "/")
        digit = unicodedata.digit(char, None)
        folded.append(str(digit) if digit is not None and not plain.isascii() else plain)
    return "".join(folded)


def _email(text: str, before: str) -> str:
    return words.email(text)


def _iso_date(text: str, before: str) -> str:
    year, month, day = (int(part) for part in text.split("-"))
    return words.day(year, month, day)


def _slash_date(text: str, before: str) -> str:
    first, second, year = re.split(r"[/-]", text)
    month, day = int(first), int(second)
    if month > 12 >= day:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return _digit_groups(text, before)
    return words.day(full_year(year), month, day)


def _month_first(text: str, before: str) -> str:
    match = re.fullmatch(
        rf"({_MONTH}) +([0-9]{{1,2}})(?:st|nd|rd|th)?(?:(,?) +([0-9]{{4}}))?", text, re.IGNORECASE
    )
    if match is None or not 1 <= int(match[2]) <= 31:
        return _leftover(text, before)
    said = f"{match[1]} {words.ordinal(int(match[2]))}"
    return f"{said}, {words.year(int(match[4]))}" if match[4] else said


def _day_first(text: str, before: str) -> str:
    match = re.fullmatch(
        rf"([0-9]{{1,2}})(?:st|nd|rd|th)? +(?:of +)?({_MONTH})(?:,? +([0-9]{{4}}))?", text, re.IGNORECASE
    )
    if match is None or not 1 <= int(match[1]) <= 31:
        return _leftover(text, before)
    article = "" if re.search(r"\bthe $", before, re.IGNORECASE) else "the "
    said = f"{article}{words.ordinal(int(match[1]))} of {match[2]}"
    return f"{said}, {words.year(int(match[3]))}" if match[3] else said


def _month_year(text: str, before: str) -> str:
    month, year = text.split()
    return f"{month} {words.year(int(year))}"


def _time(text: str, before: str) -> str:
    match = re.fullmatch(
        r"([0-9]{1,2})(?::([0-9]{2}))?(?::[0-9]{2})?(?: ?([ap])\.? ?m\b\.?)?", text, re.IGNORECASE
    )
    hour, minute = (int(match[1]), int(match[2] or 0)) if match is not None else (99, 0)
    if match is None or hour > 23 or minute > 59 or (match[3] and not 1 <= hour <= 12):
        return _leftover(text, before)
    if match[3]:
        return words.clock(hour, minute, match[3].upper())
    return words.clock(hour, minute, None if 1 <= hour <= 12 else "P" if hour else "A")


def _phone(text: str, before: str) -> str:
    return words.phone(text)


def _money(text: str, before: str) -> str:
    match = re.fullmatch(r"(-?)\$ ?([0-9,]+)(?:\.([0-9]{1,2}))?", text)
    if match is None:
        return _leftover(text, before)
    cents = int(match[2].replace(",", "")) * 100 + int((match[3] or "0").ljust(2, "0"))
    return words.money(-cents if match[1] else cents)


def _percent(text: str, before: str) -> str:
    return f"{_number(text.rstrip('% '), '')} percent"


def _ordinal(text: str, before: str) -> str:
    return words.ordinal(int(text[:-2].replace(",", "")))


def _code(text: str, before: str) -> str:
    """Letters and digits joined: letters one by one, then the digits: "KE-4498870", "T4", "W-2"."""
    groups = re.findall(r"[A-Za-z]+|[0-9]+", text)
    said = [
        words.digits(group)
        if group.isdigit()
        else (words.characters(group, " ") if group.isupper() or len(group) == 1 else group)
        for group in groups
    ]
    long_digits = any(len(group) >= 3 for group in groups if group.isdigit())
    return (", " if long_digits else " ").join(said)


def _range(text: str, before: str) -> str:
    low, high = re.split(r" ?[-–] ?", text)
    if len(low) > 2 or len(high) > 2 or low.startswith("0") or high.startswith("0"):
        return _digit_groups(text, before)
    return f"{words.cardinal(int(low))} to {words.cardinal(int(high))}"


def _digit_groups(text: str, before: str) -> str:
    return ", ".join(words.digits(group) for group in re.findall(r"[0-9]+", text))


def _slashed(text: str, before: str) -> str:
    return _FRACTIONS.get(text) or " ".join(_number(part, "") for part in text.split("/"))


def _dotted(text: str, before: str) -> str:
    return " dot ".join(words.digits(part) for part in text.split("."))


def _number(text: str, before: str) -> str:
    whole, point, fraction = text.partition(".")
    if "," in whole:
        said = words.cardinal(int(whole.replace(",", "")))
    elif not point and _DIGIT_CUES.search(before) and len(whole) > 2:
        said = words.digits(whole)
    elif not point and len(whole) == 4 and _YEAR_CUES.search(before) and 1100 <= int(whole) <= 2199:
        said = words.year(int(whole))
    elif len(whole) > 3 or (len(whole) > 1 and whole.startswith("0")):
        said = words.digits(whole)
    else:
        said = words.cardinal(int(whole))
    return f"{said} point {words.digits(fraction)}" if point else said


def _unit(text: str, before: str) -> str:
    """A number with a unit or a word stuck to it: "30-day", "10km"."""
    match = re.fullmatch(r"([0-9,]+)(-?)([A-Za-z]+)", text)
    if match is None:
        return _leftover(text, before)
    return f"{_number(match[1].strip(','), before)}{match[2] or ' '}{match[3]}"


def _sign(text: str, before: str) -> str:
    spaced = "" if not before or before[-1].isspace() else " "
    return spaced + {"#": "number ", "&": "and"}[text] + (" " if text == "&" and spaced else "")


def _leftover(text: str, before: str) -> str:
    """Digits that fit nothing else, said one by one where they stand."""
    return re.sub(r"[0-9]+", lambda match: f" {words.digits(match[0])} ", text).strip()


_NOT_JOINED_BEFORE: Final = r"(?<![A-Za-z0-9])"
_NOT_JOINED_AFTER: Final = r"(?![A-Za-z0-9])"
_PATTERNS: Final[tuple[tuple[str, str, Callable[[str, str], str]], ...]] = (
    ("email", r"[A-Za-z0-9][A-Za-z0-9._%+\-]*@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+", _email),
    ("iso_date", r"(?<![0-9-])[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?![0-9-])", _iso_date),
    (
        "slash_date",
        r"(?<![0-9/])[0-9]{1,2}/[0-9]{1,2}/(?:[0-9]{4}|[0-9]{2})(?![0-9/])"
        r"|(?<![0-9A-Za-z/-])[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}(?![0-9/-])",
        _slash_date,
    ),
    (
        "month_first",
        rf"\b{_MONTH} +[0-9]{{1,2}}(?:st|nd|rd|th)?(?:,? +[0-9]{{4}})?(?![0-9A-Za-z:/]|[.,][0-9]|-[0-9])",
        _month_first,
    ),
    (
        "day_first",
        rf"(?<![0-9:/.,$-])[0-9]{{1,2}}(?:st|nd|rd|th)? +(?:of +)?{_MONTH}(?:,? +[0-9]{{4}})?(?![0-9A-Za-z])",
        _day_first,
    ),
    ("month_year", rf"\b{_MONTH} +[0-9]{{4}}(?![0-9A-Za-z-])", _month_year),
    (
        "phone",
        r"(?<![0-9A-Za-z-])(?:\+?1[ .-]?)?(?:\([0-9]{3}\) ?|[0-9]{3}[ .-]?)"
        r"[0-9]{3}[ .-]?[0-9]{4}(?![0-9A-Za-z]|-[0-9])",
        _phone,
    ),
    (
        "time",
        r"(?<![0-9:A-Za-z.])[0-9]{1,2}"
        r"(?::[0-9]{2}(?::[0-9]{2})?(?: ?[apAP]\.? ?[mM]\b\.?)?| ?[apAP](?:\. ?[mM]\.|[mM]\b))",
        _time,
    ),
    ("money", r"-?\$ ?[0-9][0-9,]*(?<!,)(?:\.[0-9]{1,2})?(?![0-9])", _money),
    ("percent", r"(?<![0-9A-Za-z.,])[0-9]+(?:\.[0-9]+)? ?%", _percent),
    ("ordinal", rf"{_NOT_JOINED_BEFORE}[0-9]{{1,4}}(?:st|nd|rd|th){_NOT_JOINED_AFTER}", _ordinal),
    (
        "code",
        rf"{_NOT_JOINED_BEFORE}(?:[A-Z]{{1,6}}(?:-?[0-9]+)+|[A-Za-z]+[0-9]+|[0-9]+[A-Z]{{1,4}}[0-9]+)(?:-?[A-Z0-9]+)*{_NOT_JOINED_AFTER}",
        _code,
    ),
    ("unit", rf"{_NOT_JOINED_BEFORE}[0-9]+-?[A-Za-z]+", _unit),
    ("range", r"(?<![0-9A-Za-z.,-])[0-9]+ ?[-–] ?[0-9]+(?![0-9A-Za-z-]|[.,][0-9])", _range),
    ("slashed", r"(?<![0-9A-Za-z])[0-9]+(?:/[0-9]+)+(?![0-9A-Za-z])", _slashed),
    ("dotted", r"(?<![0-9A-Za-z])[0-9]+(?:\.[0-9]+){2,}(?![0-9A-Za-z])", _dotted),
    ("groups", r"(?<![0-9A-Za-z])[0-9]+(?:[-–][0-9]+)+", _digit_groups),
    (
        "number",
        r"(?<![0-9A-Za-z.,])(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?![0-9A-Za-z]|[.,][0-9])",
        _number,
    ),
    ("sign", r"[#&]", _sign),
    ("leftover", r"[0-9]+", _leftover),
)
_PATTERN: Final = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern, _ in _PATTERNS))
_RULES: Final = {name: rule for name, _, rule in _PATTERNS}
