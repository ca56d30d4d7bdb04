"""Phrases that the word normaliser folds as a whole: days, times, fractions, spelled letters, words written
apart.

Each reader takes the tokens, the numerals by their first token, the tokens where numerals end and an index,
and gives the folded words and the next token, or ``None`` where its phrase doesn't stand there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from offhook._lexicon import MONTH_NAMES, MONTHS, REPEATS, SPELLING_ALPHABET
from offhook._spoken_numerals import Numeral, Style
from offhook._spoken_tokens import Token
from offhook._spoken_variants import ACRONYMS

Phrase = tuple[list[str], int]
_Numerals = Mapping[int, Numeral]
_Reader = Callable[[tuple[Token, ...], _Numerals, Collection[int], int], Phrase | None]

# Months that are everyday words: without "of" or a year, "3 may" is no day.
_WORDS_TOO: Final = frozenset({"may", "march", "mar", "jan", "dec"})
_ALWAYS: Final = frozenset(name.lower() for name in MONTH_NAMES)
_PAST: Final = frozenset({"past", "after"})
_TO: Final = frozenset({"to", "of", "till", "til", "before"})
_ROUND_MINUTES: Final = frozenset({5, 10, 20, 25})
_PARTS: Final = {
    "third": "thirds",
    "quarter": "quarters",
    "fourth": "quarters",
    "fifth": "fifths",
    "sixth": "sixths",
    "seventh": "sevenths",
    "eighth": "eighths",
    "ninth": "ninths",
    "tenth": "tenths",
}
_ADDRESS_REACH: Final = 5
# Words that begin a phrase; so do numbers and single letters.
_OPENERS: Final = frozenset(
    {"and", "the", "half", "quarter", "noon", "midnight", "midday", "drive"}
    | MONTHS.keys()
    | REPEATS.keys()
    | SPELLING_ALPHABET.keys()
)


def read_phrase(
    tokens: tuple[Token, ...], numerals: _Numerals, ends: Collection[int], index: int
) -> Phrase | None:
    """The first reader's phrase that stands at a token."""
    text = tokens[index].text
    if index not in numerals and text not in _OPENERS and len(text) > 1:
        return None
    for reader in _READERS:
        phrase = reader(tokens, numerals, ends, index)
        if phrase is not None:
            return phrase
    return None


def _text(tokens: tuple[Token, ...], index: int) -> str:
    return tokens[index].text if 0 <= index < len(tokens) else ""


def _day(tokens: tuple[Token, ...], numerals: _Numerals, ends: Collection[int], index: int) -> Phrase | None:
    """ "The third of May", "30 June" and "June the 30th": month, then day."""
    month = _month(tokens, numerals, ends, index)
    if month:
        after = numerals.get(index + 2)
        if _text(tokens, index + 1) == "the" and after is not None and _is_day(after):
            return [month], index + 2
        return [month], index + 1
    start = index + 1 if tokens[index].text == "the" else index
    day = numerals.get(start)
    if day is None or not _is_day(day) or (start in ends and tokens[start].close):
        return None
    at = day.last + 1 if _text(tokens, day.last) == "of" else day.last
    name = _text(tokens, at)
    if name not in MONTHS or (at == day.last and not _bare_day(tokens, numerals, day, at)):
        return None
    return [MONTH_NAMES[MONTHS[name] - 1].lower(), *day.digits], at + 1


def _is_day(numeral: Numeral) -> bool:
    return 1 <= numeral.value <= 31 and len(numeral.digits) <= 2


def _bare_day(tokens: tuple[Token, ...], numerals: _Numerals, day: Numeral, at: int) -> bool:
    """Whether a day right before a month belongs to it: "30 June", not "at 2 June 30"."""
    after = numerals.get(at + 1)
    year = after is not None and (len(after.digits) == 4 or (after.style is Style.SMALL and after.value > 12))
    if not tokens[at].close or (after is not None and not year and _is_day(after) and tokens[at + 1].close):
        return False
    return year or (tokens[at].text not in _WORDS_TOO and tokens[at].text in MONTHS)


def _month(tokens: tuple[Token, ...], numerals: _Numerals, ends: Collection[int], index: int) -> str:
    """The full name of a month that was shortened beside a number, or that "the" and a day follow."""
    name = tokens[index].text
    if name not in MONTHS:
        return ""
    beside = index in ends or index + 1 in numerals
    if _text(tokens, index + 1) != "the" and (name in _ALWAYS or not beside):
        return ""
    return MONTH_NAMES[MONTHS[name] - 1].lower()


def _clock(
    tokens: tuple[Token, ...], numerals: _Numerals, ends: Collection[int], index: int
) -> Phrase | None:
    """ "Half past two" is 2:30, "quarter to three" 2:45, "ten past four" 4:10. "Five to ten" may be a range
    and stays, unless minutes are named."""
    start = index + 1 if tokens[index].text == "a" else index
    word, named = _text(tokens, start), False
    if word in ("half", "quarter"):
        minutes, at = 30 if word == "half" else 15, start + 1
    elif start == index and index in numerals and not (index in ends and tokens[index].close):
        minutes, at = numerals[index].value, numerals[index].last
        named = _text(tokens, at) in ("minute", "minutes")
        at += named
    else:
        return None
    direction = _text(tokens, at)
    hour = numerals.get(at + 1)
    if hour is None or not 1 <= hour.value <= 12 or len(hour.digits) > 2 or not 1 <= minutes < 60:
        return None
    if hour.last in numerals and tokens[hour.last].close:
        return None
    if word in ("half", "quarter"):
        fits = direction in _PAST or (word == "quarter" and direction in _TO)
    elif named:
        fits = direction in _PAST or direction in ("to", "till", "before")
    else:
        fits = direction == "past" and minutes in _ROUND_MINUTES
        fits = fits or (direction == "to" and minutes in (20, 25) and hour.value < minutes - 12)
    if not fits:
        return None
    total = hour.value * 60 + (minutes if direction in _PAST else -minutes)
    said = (total // 60 - 1) % 12 + 1
    return [*str(said), *f"{total % 60:02d}"], hour.last


def _noon(tokens: tuple[Token, ...], numerals: _Numerals, ends: Collection[int], index: int) -> Phrase | None:
    if tokens[index].text not in ("noon", "midnight", "midday"):
        return None
    half = "am" if tokens[index].text == "midnight" else "pm"
    twelve = _text(tokens, index - 1) in ("12", "twelve")
    return ([half] if twelve else ["1", "2", half]), index + 1


def _fraction(
    tokens: tuple[Token, ...], numerals: _Numerals, ends: Collection[int], index: int
) -> Phrase | None:
    """ "One half", "a half" and "2 and a half"; "one quarter", "three fourths", "one third", "a third
    of"."""
    text = tokens[index].text
    if text == "and" and index in ends:
        part = index + 2 if _text(tokens, index + 1) in ("a", "one", "1") else index + 1
        clock = _text(tokens, part + 1) in ("past", "to", "after")
        if _text(tokens, part) in ("half", "quarter") and not clock:
            return [tokens[part].text], part + 1
    numeral = numerals.get(index)
    if text == "a":
        after, top = index + 1, "1"
    elif numeral is not None and len(numeral.digits) == 1 and not (index in ends and tokens[index].close):
        after, top = numeral.last, numeral.digits
    else:
        return None
    if top == "1" and _text(tokens, after) in ("half", "quarter"):
        return [tokens[after].text], after + 1
    name = _text(tokens, after)
    single = _PARTS.get(name)
    if after >= len(tokens) or not tokens[after].close:
        return None
    if single is not None and name != "quarter" and top == "1" and _text(tokens, after + 1) in ("of", "off"):
        return (["quarter"] if single == "quarters" else ["1", single]), after + 1
    if name == "fourths" and top != "1":
        return [top, "quarters"], after + 1
    return None


def _spelled(
    tokens: tuple[Token, ...], numerals: _Numerals, ends: Collection[int], index: int
) -> Phrase | None:
    """ "K as in kilo", "double L", "double u", "kilo echo four", "T V"."""
    text = tokens[index].text
    if text == "double" and _text(tokens, index + 1) == "u":
        return ["w"], index + 2
    if text in REPEATS and _is_letter(tokens, index + 1) and tokens[index + 1].close:
        return [tokens[index + 1].text] * REPEATS[text], index + 2
    if _is_letter(tokens, index):
        link = (_text(tokens, index + 1), _text(tokens, index + 2))
        example = _text(tokens, index + 3)
        if link == ("as", "in") and example[:1] == text and len(example) > 1:
            return [text], index + 4
    if _is_letter(tokens, index) or text in SPELLING_ALPHABET:
        return _alphabet(tokens, numerals, index) or _acronym(tokens, numerals, index)
    return None


def _is_letter(tokens: tuple[Token, ...], index: int) -> bool:
    text = _text(tokens, index)
    return len(text) == 1 and text.isascii() and text.isalpha()


def _alphabet(tokens: tuple[Token, ...], numerals: _Numerals, index: int) -> Phrase | None:
    """Words of the spelling alphabet in a row: three letters, or two and a number."""
    if index and (_text(tokens, index - 1) in SPELLING_ALPHABET or _is_letter(tokens, index - 1)):
        return None
    letters: list[str] = []
    words, at = 0, index
    while at < len(tokens) and (at == index or tokens[at].gap.strip() in ("", ",", "-")):
        text = tokens[at].text
        if text == "x" and _text(tokens, at + 1) == "ray":
            letters, words, at = [*letters, "x"], words + 1, at + 2
        elif text in SPELLING_ALPHABET:
            letters, words, at = [*letters, SPELLING_ALPHABET[text]], words + 1, at + 1
        elif _is_letter(tokens, at):
            letters, at = [*letters, text], at + 1
        else:
            break
    if words >= 2 and (len(letters) >= 3 or at in numerals):
        return letters, at
    return None


def _acronym(tokens: tuple[Token, ...], numerals: _Numerals, index: int) -> Phrase | None:
    """Letters said one by one that make a known short form, and nothing more: "T V", "o. k."."""
    if not _is_letter(tokens, index) or (index and _is_letter(tokens, index - 1)):
        return None
    at = index
    while _is_letter(tokens, at) and (at == index or tokens[at].gap.strip() in ("", ".", "-")):
        at += 1
    if at in numerals:  # letters of a code: "C T 1090"
        return None
    joined = "".join(token.text for token in tokens[index:at])
    return ([joined], at) if joined in ACRONYMS and not _is_letter(tokens, at) else None


def _apart(
    tokens: tuple[Token, ...], numerals: _Numerals, ends: Collection[int], index: int
) -> Phrase | None:
    """Words that recognisers write together or apart, or shorten by their company."""
    text, following = tokens[index].text, _text(tokens, index + 1)
    if text == "a" and following in ("dollar", "buck"):
        return ["1", "dollars"], index + 2
    if text == "o" and following == "apostrophe" and _text(tokens, index + 2).isalpha():
        return [f"o'{tokens[index + 2].text}"], index + 3
    if text == "drive" and any(at in ends for at in range(max(0, index - _ADDRESS_REACH + 1), index)):
        return ["dr"], index + 1
    return None


_READERS: Final[tuple[_Reader, ...]] = (_clock, _day, _noon, _fraction, _spelled, _apart)
