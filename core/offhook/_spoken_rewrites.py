"""Written forms that only make sense as a whole, put into words before a text is cut into tokens: numeric
dates, clock times, fractions, e-mail addresses, signs."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from offhook._lexicon import MONTH_NAMES, full_year
from offhook._spoken_tokens import fold, visible

_DOMAINS: Final = "com|net|org|edu|gov|io|co|us|uk|ca|info|biz"
_ISO_DATE: Final = re.compile(r"(?<![\d-])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![\d-])")
_SLASH_DATE: Final = re.compile(
    r"(?<![\d/])([0-9]{1,2})([/-])([0-9]{1,2})(?:\2([0-9]{4})|/([0-9]{2}))(?![\d/-])"
)
_CLOCK: Final = re.compile(r"(?<![\d:.])([0-9]{1,2}):([0-9]{2})(?![\d:])(\s?[ap]\.?\s?m\b\.?)?")
_FRACTION: Final = re.compile(r"(?<![\d/.,])([1-9])/([2-9]|10)(?![\d/])")
_EURO: Final = re.compile(r"([£€])\s?([0-9][0-9,]*(?:\.[0-9]+)?)")
_NUMBERED: Final = (
    "order account policy case item phone model invoice claim room ticket reference part suite unit flight "
    "member card serial tracking page apartment house line"
)
_NUMBER_SIGN: Final = re.compile(rf"\b({'|'.join(_NUMBERED.split())}) no\.? ?(?=[0-9]|[a-z]{{1,4}}-?[0-9])")
_UNITS_OF_RANGE: Final = (
    "days|weeks|months|years|hours|hrs|minutes|mins|business|working|people|times|percent|"
    "dollars|miles|inches|feet"
)
_RANGE: Final = re.compile(
    rf"(?<![\d.,$/:-])([1-9][0-9]?) ?[-–] ?([1-9][0-9]?)(?= ?(?:{_UNITS_OF_RANGE})\b| ?%)"
)
_DOMAIN_DOT: Final = re.compile(rf"(?<=[a-z0-9])\.(?=(?:[a-z0-9-]+\.)*(?:{_DOMAINS})\b)")
_ADDRESS: Final = re.compile(r"[a-z0-9][a-z0-9._%+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)*")
_ONE_WORD: Final = re.compile(
    r",? (?:(?:in|with) )?(?:all (?:in )?(?:one word|lower ?case)|no spaces),?(?= (?:at|dot)\b|[ .!?]*$)"
)
_SIGN_WORDS: Final = {".": "dot", "_": "underscore", "-": "dash", "+": "plus", "%": "percent", "@": "at"}
_CURRENCY_WORDS: Final = {"£": "pounds", "€": "euros"}
# What a text must hold for a pattern to be worth a look, the pattern, and its words.
_FIXED: Final = (
    ("mail", re.compile(r"\be[ -]mail(?=s?\b)"), "email"),
    ("¢", re.compile(r"¢"), " cents "),
    ("°", re.compile(r"°\s?f\b"), " degrees fahrenheit"),
    ("°", re.compile(r"°\s?c\b"), " degrees celsius"),
    ("°", re.compile(r"°"), " degrees "),
    ("$", re.compile(r"(?<![\w])-\s?\$"), " minus $"),
    ("x", re.compile(r"(?<=[0-9]{4}) ?x ?(?=[0-9]{1,5}\b)"), " extension "),
    ("per cent", re.compile(r"\bper cent\b"), "percent"),
    (".", re.compile(r"(?<![\w.])\.(?=[0-9])"), " point "),
    ("o.", re.compile(r"\bo\.\s?k\b\.?"), "ok"),
    ("uh-", re.compile(r"\buh-uh\b"), "uhuh"),
    ("&", re.compile(r"\b([a-z]) ?([a-z])&([a-z])\b"), r"\1 \2 and \3"),
    ("/", re.compile(r"\bw/o\b"), "without"),
    ("/", re.compile(r"\bc/o\b"), "care of"),
)


def rewrite(text: str) -> str:
    """The folded text with its written forms in words (figures stay figures)."""
    flat = _apart(text)
    flat = " ".join(fold(flat).split())
    if any(char.isdigit() for char in flat):
        flat = _ISO_DATE.sub(lambda match: _date_words(match[1], match[2], match[3]), flat)
        flat = _SLASH_DATE.sub(lambda match: _date_words(match[4] or match[5], match[1], match[3]), flat)
        flat = _CLOCK.sub(_clock_words, flat)
        flat = _FRACTION.sub(_fraction_words, flat)
        flat = _EURO.sub(lambda match: f"{match[2]} {_CURRENCY_WORDS[match[1]]}", flat)
        flat = _NUMBER_SIGN.sub(r"\1 number ", flat)
        flat = _RANGE.sub(r"\1 to \2", flat)
    for sign, pattern, words in _FIXED:
        if sign in flat:
            flat = pattern.sub(words, flat)
    if "." in flat or "@" in flat:
        flat = _ADDRESS.sub(_address_words, flat)
        flat = _DOMAIN_DOT.sub(" dot ", flat)
    return _ONE_WORD.sub("", flat) if "word" in flat or "lower" in flat or "no spaces" in flat else flat


def _apart(text: str) -> str:
    """Compatibility figures must not grow onto their neighbours: "2½" isn't 21/2, "5²" isn't 52."""
    if text.isascii():
        return text
    apart: list[str] = []
    for char in visible(text):
        if not char.isascii() and char.isnumeric() and not char.isdecimal() and not char.isalpha():
            plain = {"²": "squared", "³": "cubed"}.get(char) or unicodedata.normalize("NFKC", char)
            apart.append(f" {plain.replace('⁄', '/')} ")
        else:
            apart.append(" number " if char == "№" else char)
    return "".join(apart).replace("⁄", "/")


def _address_words(match: re.Match[str]) -> str:
    """Signs as words, and figures apart from letters: they are said digit by digit."""
    apart = re.sub(r"(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])", " ", match[0])
    return re.sub(r"[._+%@-]", lambda sign: f" {_SIGN_WORDS[sign[0]]} ", apart)


def _date_words(year: str, month: str, day: str) -> str:
    if int(month) > 12 >= int(day):
        month, day = day, month
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return f"{month} {day} {year}"
    return f" {MONTH_NAMES[int(month) - 1].lower()} {int(day)} {full_year(year)} "


def _clock_words(match: re.Match[str]) -> str:
    """ "14:30" is 2:30 pm, "09:05" is 9:05; the ":00" of a full hour isn't said."""
    hour, minute = int(match[1]), match[2]
    half = " " + re.sub(r"[^apm]", "", match[3]) if match[3] else ""
    if hour > 23 or int(minute) > 59:
        return match[0]
    if not half and (hour > 12 or hour == 0):
        half = " pm" if hour else " am"
    said = (hour - 1) % 12 + 1 if half else hour
    return f"{said}{half} " if minute == "00" else f"{said} {minute}{half} "


def _fraction_words(match: re.Match[str]) -> str:
    top, bottom = int(match[1]), int(match[2])
    if top >= bottom:
        return match[0]
    if bottom == 2:
        return " half "
    name = {3: "thirds", 4: "quarters", 5: "fifths", 6: "sixths", 7: "sevenths", 8: "eighths"}.get(bottom)
    name = name or {9: "ninths", 10: "tenths"}[bottom]
    return " quarter " if name == "quarters" and top == 1 else f" {top} {name} "
