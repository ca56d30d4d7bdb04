"""Numbers as words, by num2words; the small pieces that the verbaliser is made of."""

from __future__ import annotations

from typing import Final

from num2words import num2words

from offhook._lexicon import MONTH_NAMES

_LETTER_SOUNDS: Final = {".": "dot", "_": "underscore", "-": "dash", "+": "plus", "@": "at", "%": "percent"}


def cardinal(number: int) -> str:
    """1203 -> "one thousand two hundred three" (American: no "and", no commas)."""
    words: str = num2words(number)
    return words.replace(", ", " ").replace(" and ", " ")


def ordinal(number: int) -> str:
    """30 -> "thirtieth"."""
    words: str = num2words(number, to="ordinal")
    return words.replace(", ", " ").replace(" and ", " ")


def year(number: int) -> str:
    """1972 -> "nineteen seventy-two", 2005 -> "two thousand five"."""
    words: str = num2words(number, to="year")
    return words.replace(" and ", " ")


def digits(text: str, joint: str = " ") -> str:
    """Digit by digit: "0171" -> "zero one seven one". Other characters are skipped."""
    return joint.join(cardinal(int(char)) for char in text if char.isdigit())


def characters(text: str, joint: str = ", ") -> str:
    """Letters in upper case, digits as words, other characters skipped: "KE4" -> "K, E, four"."""
    return joint.join(
        cardinal(int(char)) if char.isdigit() else char.upper()
        for char in text
        if char.isdigit() or char.isalpha()
    )


def phone(text: str, joint: str = " ", pause: str = ", ") -> str:
    """Groups of three, three and four digits, with the country code before them where there is one."""
    plain = "".join(char for char in text if char.isdigit())
    country, local = plain[:-10], plain[-10:]
    groups = [local[:3], local[3:6], local[6:]]
    return pause.join(digits(group, joint) for group in ([country, *groups] if country else groups))


def money(cents: int, pause: str = " and ") -> str:
    """1499 -> "fourteen dollars and ninety-nine cents"."""
    sign = "minus " if cents < 0 else ""
    dollars, rest = divmod(abs(cents), 100)
    parts = []
    if dollars or not rest:
        parts.append(f"{cardinal(dollars)} dollar{'' if dollars == 1 else 's'}")
    if rest:
        parts.append(f"{cardinal(rest)} cent{'' if rest == 1 else 's'}")
    return sign + pause.join(parts)


def day(year_number: int | None, month: int, day_number: int, spelled_year: str | None = None) -> str:
    """ "June thirtieth, nineteen seventy-two"."""
    words = f"{MONTH_NAMES[month - 1]} {ordinal(day_number)}"
    if year_number is None:
        return words
    return f"{words}, {spelled_year or year(year_number)}"


def clock(hour: int, minute: int, half: str | None, joint: str = " ") -> str:
    """14, 30, "P" on a 12-hour clock -> "two thirty P M"; with ``half`` None the hour is said as it
    stands."""
    hours = hour if half is None else (hour - 1) % 12 + 1
    parts = [cardinal(hours)]
    if minute:
        parts.append(f"oh {cardinal(minute)}" if minute < 10 else cardinal(minute))
    if half is not None:
        parts.append(f"{half} M")
    elif not minute:
        parts.append("o'clock")
    return joint.join(parts)


def email(text: str, *, spelled: bool = False) -> str:
    """Signs and digits as words: "a.b7@example.com" -> "a dot b seven at example dot com". ``spelled`` spells
    the part before the at sign."""
    local, at, domain = text.partition("@")
    return " ".join(
        part for part in (_address(local, spelled), "at" if at else "", _address(domain, False)) if part
    )


def _address(text: str, spelled: bool) -> str:
    said: list[str] = []
    word = ""
    for char in text:
        if char.isalpha() and not spelled:
            word += char
            continue
        if word:
            said.append(word)
            word = ""
        if char.isalpha():
            said.append(f"{char.upper()},")
        elif char.isdigit():
            said.append(cardinal(int(char)))
        elif char in _LETTER_SOUNDS:
            said.append(_LETTER_SOUNDS[char])
    if word:
        said.append(word)
    return " ".join(said)
