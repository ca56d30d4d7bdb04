"""The word normaliser for word error rates: numbers, signs and contractions folded to one form, token by
token."""

from __future__ import annotations

import re
from typing import Final

from offhook._lexicon import MONTH_NAMES, ORDINAL_SUFFIXES, full_year
from offhook._spoken_numerals import Numeral, read_numerals
from offhook._spoken_tokens import Token, fold, tokenise

_CURRENCY: Final = frozenset({"dollar", "dollars", "buck", "bucks", "cent", "cents"})
_SIGN_WORDS: Final = {
    "%": "percent",
    "&": "and",
    "@": "at",
    "#": "number",
    "+": "plus",
    "€": "euros",
    "£": "pounds",
}
_CONTRACTIONS: Final = {
    "won't": ("will", "not"),
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
    "let's": ("let", "us"),
    "y'all": ("you", "all"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "ma'am": ("ma'am",),
    "o'clock": ("o'clock",),
}
_ENDINGS: Final = (("n't", "not"), ("'m", "am"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"))
_PRONOUNS_WORDS: Final = (
    "i you he she it we they that this there here what who where when how why which everything "
    "something nothing"
)
_PRONOUNS: Final = frozenset(_PRONOUNS_WORDS.split())
_IS_ALSO: Final = _PRONOUNS - {"i", "you", "we", "they"}
_ALIASES: Final = {
    "okay": "ok",
    "mister": "mr",
    "missus": "mrs",
    "doctor": "dr",
    "zipcode": "zip code",
    "percentage": "percentage",
}
_DOMAINS: Final = "com|net|org|edu|gov|io|co|us|uk|ca|info|biz"
_TWO_LETTER_WORDS_WORDS: Final = (
    "ah am an as at be by do ex go ha he hi hm id if in is it la me mm mr ms my no of oh ok on or ow ox "
    "pi pm re so st to uh um up us we ye yo dr jr sr nd rd th pa ma pc tv de"
)
_TWO_LETTER_WORDS: Final = frozenset(_TWO_LETTER_WORDS_WORDS.split())
_ISO_DATE: Final = re.compile(r"(?<![\d-])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![\d-])")
_SLASH_DATE: Final = re.compile(r"(?<![\d/])([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}|[0-9]{2})(?![\d/])")


def normalise(text: str) -> tuple[str, ...]:
    """Repeats the folding until nothing changes, so that the result is a fixed point: joined by spaces and
    folded again it is itself. (Dropping a unit can bring two tokens together; every pass only drops or
    splits, so it ends.)"""
    words = _pass(text)
    while True:
        again = _pass(" ".join(words))
        if again == words:
            return words
        words = again


def _pass(text: str) -> tuple[str, ...]:
    flat = fold(text)
    flat = _ISO_DATE.sub(lambda match: _date_words(match[1], match[2], match[3]), flat)
    flat = _SLASH_DATE.sub(lambda match: _date_words(match[3], match[1], match[2]), flat)
    flat = re.sub(r"\be[ -]mail\b", "email", flat)
    flat = re.sub(rf"(?<=[a-z0-9])\.(?=(?:[a-z0-9-]+\.)*(?:{_DOMAINS})\b)", " dot ", flat)
    flat = re.sub(r"[a-z0-9._+-]+@", lambda match: re.sub(r"[._+-]", _spoken_sign, match[0]), flat)
    tokens = tokenise(flat)
    numerals = {numeral.first: numeral for numeral in read_numerals(tokens)}
    words: list[str] = []
    index = 0
    while index < len(tokens):
        numeral = numerals.get(index)
        if numeral is not None:
            index = _add_number(tokens, numeral, words)
        else:
            words.extend(_words(tokens, index))
            index += 1
    return _tidied(words)


def _spoken_sign(match: re.Match[str]) -> str:
    return {".": " dot ", "_": " underscore ", "-": " dash ", "+": " plus "}[match[0]]


def _date_words(year: str, month: str, day: str) -> str:
    if not 1 <= int(month) <= 12:
        return f"{month} {day} {year}"
    return f" {MONTH_NAMES[int(month) - 1].lower()} {int(day)} {full_year(year)} "


def _add_number(tokens: tuple[Token, ...], numeral: Numeral, words: list[str]) -> int:
    """Adds a number's digits, one token each; cents of a dollar amount get two. Returns the next token."""
    digits = numeral.digits
    dollars = _dollars_before(tokens, numeral.first)
    if dollars:
        if digits == "00":
            return numeral.last
        if dollars == "0":
            digits = digits.lstrip("0")
    elif _is_full_hour(tokens, numeral) or _is_zero_dollars(tokens, numeral):
        return numeral.last
    elif len(digits) == 1 and _is_cents_of_dollars(tokens, numeral, words):
        digits = f"0{digits}"
    words.extend(digits)
    return numeral.last


def _is_cents_of_dollars(tokens: tuple[Token, ...], numeral: Numeral, words: list[str]) -> bool:
    cents = numeral.last < len(tokens) and tokens[numeral.last].text in ("cent", "cents")
    return cents and bool({"dollars", "dollar"} & set(words[-2:]))


def _dollars_before(tokens: tuple[Token, ...], index: int) -> str:
    """The dollars of "$1,499.00" where token ``index`` is its cents, else empty."""
    if tokens[index].gap != "." or len(tokens[index].text) != 2 or not tokens[index].figure:
        return ""
    start = index - 1
    while start > 0 and tokens[start].figure and tokens[start].gap == ",":
        start -= 1
    if start < 1 or tokens[start - 1].text != "$" or not all(token.figure for token in tokens[start:index]):
        return ""
    return "".join(token.text for token in tokens[start:index])


def _is_full_hour(tokens: tuple[Token, ...], numeral: Numeral) -> bool:
    """The ":00" of "2:00" isn't said."""
    token = tokens[numeral.first]
    return token.text == "00" and token.gap == ":" and numeral.first > 0 and tokens[numeral.first - 1].figure


def _is_zero_dollars(tokens: tuple[Token, ...], numeral: Numeral) -> bool:
    """The "0" of "$0.99" isn't said."""
    token = tokens[numeral.first]
    if (
        token.text != "0"
        or numeral.first == 0
        or tokens[numeral.first - 1].text != "$"
        or numeral.last >= len(tokens)
    ):
        return False
    following = tokens[numeral.last]
    return following.figure and following.gap == "." and following.text.strip("0") != ""


def _words(tokens: tuple[Token, ...], index: int) -> list[str]:
    token = tokens[index]
    text = token.text
    if text == "$":
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        return [] if following is not None and following.figure else ["dollars"]
    if text in _SIGN_WORDS:
        return [_SIGN_WORDS[text]]
    if _is_code_prefix(tokens, index):
        return list(text)
    if text in _CONTRACTIONS:
        return list(_CONTRACTIONS[text])
    for ending, word in _ENDINGS:
        if text.endswith(ending) and len(text) > len(ending):
            return [text.removesuffix(ending), word]
    stem, apostrophe, tail = text.rpartition("'")
    if apostrophe and stem in _IS_ALSO and tail == "s":
        return [stem, "is"]
    if apostrophe and stem in _PRONOUNS and tail == "d":
        return [stem, "would"]
    return _ALIASES.get(text, text).split()


def _is_code_prefix(tokens: tuple[Token, ...], index: int) -> bool:
    """Letters joined to digits are said one by one: KE-4408117, KE 4408117, W2; not 30th, not 10 am."""
    token = tokens[index]
    if not token.text.isalpha() or not token.text.isascii() or not 2 <= len(token.text) <= 4:
        return False
    if token.text in ORDINAL_SUFFIXES or token.text in _TWO_LETTER_WORDS:
        return False
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is None or not following.figure:
        return False
    if following.gap in ("", "-") and (following.gap == "" or len(following.text) >= 3):
        return True
    spread = [other for other in tokens[index + 1 : index + 4] if other.figure]
    said = sum(len(other.text) for other in spread) if len(spread) in (1, 3) or len(following.text) > 2 else 0
    return len(token.text) == 2 and said >= 3


def _tidied(words: list[str]) -> tuple[str, ...]:
    """Joins "p m", drops what only one of two usual spellings says: currency units and "o'clock" after a
    number."""
    kept: list[str] = []
    for index, word in enumerate(words):
        after_number = bool(kept) and kept[-1].isdigit()
        following = words[index + 1] if index + 1 < len(words) else ""
        if word in _CURRENCY and after_number:
            continue
        if word == "o'clock" and after_number:
            continue
        if word == "point" and after_number and following.isdigit():
            continue
        if (
            word == "and"
            and after_number
            and index > 0
            and words[index - 1] in _CURRENCY
            and following.isdigit()
        ):
            continue
        if word == "m" and kept and kept[-1] in ("a", "p") and len(kept) > 1 and kept[-2].isdigit():
            kept[-1] += "m"
            continue
        kept.append(word)
    return tuple(kept)
