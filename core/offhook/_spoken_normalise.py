"""The word normaliser for word error rates: numbers, signs and contractions folded to one form, token by
token."""

from __future__ import annotations

from typing import Final

from offhook._lexicon import ORDINAL_SUFFIXES
from offhook._spoken_normalise_phrases import read_phrase
from offhook._spoken_numerals import Numeral, read_numerals
from offhook._spoken_rewrites import rewrite
from offhook._spoken_tokens import Token, tokenise
from offhook._spoken_variants import ABBREVIATIONS, CONTRACTIONS, ENDINGS, FILLERS, UNITS, VARIANTS

_DOLLARS: Final = frozenset({"dollar", "dollars", "buck", "bucks"})
_SIGN_WORDS: Final = {
    "%": "percent",
    "&": "and",
    "@": "at",
    "#": "number",
    "+": "plus",
    "€": "euros",
    "£": "pounds",
}
_PRONOUNS_WORDS: Final = (
    "i you he she it we they that this there here what who where when how why which everything "
    "something nothing"
)
_PRONOUNS: Final = frozenset(_PRONOUNS_WORDS.split())
_IS_ALSO: Final = _PRONOUNS - {"i", "you", "we", "they"}
_TWO_LETTER_WORDS_WORDS: Final = (
    "ah am an as at be by do ex go ha he hi hm id if in is it la me mm mr ms my no of oh ok on or ow ox "
    "pi pm re so st to uh um up us we ye yo dr jr sr nd rd th pa ma pc tv de"
)
_TWO_LETTER_WORDS: Final = frozenset(_TWO_LETTER_WORDS_WORDS.split())
# Texts need two or three; the limit only makes sure that folding ends.
_MOST_PASSES: Final = 10
# Stands for a dollar sign until the cents are settled; no token can be it.
_MONEY: Final = "$"


def normalise(text: str) -> tuple[str, ...]:
    """Repeats the folding until nothing changes, so that the result is a fixed point: joined by spaces and
    folded again it is itself. (Dropping a unit can bring two tokens together.)"""
    return passes(text)[-1]


def passes(text: str) -> tuple[tuple[str, ...], ...]:
    """The words after each pass; the last two are equal. Never more than
    ten. (Public to the tests, which count them.)"""
    rounds = [_pass(text)]
    while len(rounds) < _MOST_PASSES:
        rounds.append(_pass(" ".join(rounds[-1])))
        if rounds[-1] == rounds[-2]:
            break
    return tuple(rounds)


def _pass(text: str) -> tuple[str, ...]:
    tokens = tokenise(rewrite(text))
    found = read_numerals(tokens)
    numerals = {numeral.first: numeral for numeral in found}
    ends = {numeral.last for numeral in found}
    words: list[str] = []
    index = 0
    while index < len(tokens):
        phrase = read_phrase(tokens, numerals, ends, index)
        if phrase is not None:
            words.extend(phrase[0])
            index = phrase[1]
            continue
        numeral = numerals.get(index)
        if numeral is not None:
            index = _add_number(tokens, numeral, words)
        else:
            words.extend(_words(tokens, index, index in ends, words))
            index += 1
    return _tidied(words)


def _add_number(tokens: tuple[Token, ...], numeral: Numeral, words: list[str]) -> int:
    """Adds a number's digits, one token each; cents of a dollar amount get two. Returns the next token."""
    digits = numeral.digits
    dollars = _dollars_before(tokens, numeral.first)
    if dollars:
        if digits == "00":
            return numeral.last
        if len(digits) == 1 and not _is_magnitude(tokens, numeral):
            digits += "0"
        if dollars == "0":
            words.extend(digits.lstrip("0"))
            words.append("cents")
            return numeral.last
    elif _is_zero_dollars(tokens, numeral):
        return numeral.last
    elif _is_decimal(tokens, numeral.first):
        words.append("point")
    words.extend(digits)
    return numeral.last


def _is_magnitude(tokens: tuple[Token, ...], numeral: Numeral) -> bool:
    return numeral.last - numeral.first > 1


def _is_decimal(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether a figure is the fraction of "12.5". Two decimals may be cents, whose point isn't said; dots in
    a row ("541.555.0171") are no decimal points."""
    token = tokens[index]
    previous = tokens[index - 1] if index else None
    if previous is None or not token.figure or token.gap != "." or not previous.figure:
        return False
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    dotted = (following is not None and following.figure and following.gap == ".") or (
        index > 1 and tokens[index - 2].figure and previous.gap == "."
    )
    return not dotted and len(token.text) not in (2, 4) and len(previous.text) <= 3


def _dollars_before(tokens: tuple[Token, ...], index: int) -> str:
    """The dollars of "$1,499.00" where token ``index`` is its cents, else empty."""
    if tokens[index].gap != "." or len(tokens[index].text) > 2 or not tokens[index].figure:
        return ""
    start = index - 1
    while start > 0 and tokens[start].figure and tokens[start].gap == ",":
        start -= 1
    if start < 1 or tokens[start - 1].text != "$" or not all(token.figure for token in tokens[start:index]):
        return ""
    return "".join(token.text for token in tokens[start:index])


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


def _words(tokens: tuple[Token, ...], index: int, after_number: bool, words: list[str]) -> list[str]:
    token = tokens[index]
    text = token.text
    if text == "$":
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if following is None or not following.figure:
            return ["dollars"]
        return [] if following.text == "0" else [_MONEY]
    if text in _SIGN_WORDS:
        return [_SIGN_WORDS[text]]
    if _is_code_prefix(tokens, index):
        return list(text)
    if text in FILLERS:
        return []
    if after_number and text in UNITS:
        just_one = words[-1:] == ["1"] and not any(word.isdigit() for word in words[-2:-1])
        return UNITS[text][0 if just_one else 1].split()
    return _plain(text)


def _plain(text: str) -> list[str]:
    for table in (CONTRACTIONS, ABBREVIATIONS, VARIANTS):
        if text in table:
            return table[text].split()
    if "'" not in text:
        return [text]
    for ending, word in ENDINGS:
        if text.endswith(ending) and len(text) > len(ending):
            return [text.removesuffix(ending), word]
    stem, apostrophe, tail = text.rpartition("'")
    if apostrophe and stem in _IS_ALSO and tail == "s":
        return [stem, "is"]
    if apostrophe and stem in _PRONOUNS and tail == "d":
        return [stem, "would"]
    if tail == "s" and stem in VARIANTS and " " not in VARIANTS[stem]:
        return [f"{VARIANTS[stem]}'s"]
    return [text]


def _is_code_prefix(tokens: tuple[Token, ...], index: int) -> bool:
    """Letters joined to digits are said one by one: KE-4408117, KE 4408117, W2; not 30th, not 10 am."""
    token = tokens[index]
    if not token.text.isalpha() or not token.text.isascii() or not 2 <= len(token.text) <= 4:
        return False
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is None or not following.figure:
        return False
    if token.text in ORDINAL_SUFFIXES or token.text in _TWO_LETTER_WORDS:
        return following.gap == "-" and len(following.text) >= 3
    if following.gap in ("", "-") and (following.gap == "" or len(following.text) >= 3):
        return True
    spread = [other for other in tokens[index + 1 : index + 4] if other.figure]
    said = sum(len(other.text) for other in spread) if len(spread) in (1, 3) or len(following.text) > 2 else 0
    return len(token.text) == 2 and said >= 3


def _tidied(words: list[str]) -> tuple[str, ...]:
    """Joins "p m", drops what only one of two usual spellings says: the units of an amount in dollars,
    "o'clock" after a number, the point before two decimals, a dash between digits."""
    kept: list[str] = []
    # Digits since the dollars of an amount, or None outside of one.
    cents: int | None = None
    for index, word in enumerate(words):
        after_number = bool(kept) and kept[-1].isdigit()
        following = words[index + 1] if index + 1 < len(words) else ""
        if word == _MONEY:
            cents = 0
            continue
        if word in _DOLLARS and after_number:
            cents = 0
            continue
        if word.isdigit():
            if cents is not None:
                cents += 1
            kept.append(word)
            continue
        if word == "cents" and after_number and cents is not None:
            if cents == 1:
                kept.insert(-1, "0")
            cents = None
            continue
        if word == "and" and after_number and _cents_follow(words, index, cents):
            cents = 0
            continue
        cents = None
        if word in ("o'clock", "dash") and after_number and (word == "o'clock" or following.isdigit()):
            continue
        if word == "point" and after_number and _digits_from(words, index + 1) == 2:
            continue
        if word == "m" and kept and kept[-1] in ("a", "p") and len(kept) > 1 and kept[-2].isdigit():
            kept[-1] += "m"
            continue
        kept.append(word)
    return tuple(kept)


def _digits_from(words: list[str], index: int) -> int:
    """How many digits stand in a row, up to four."""
    count = 0
    while count < 4 and index + count < len(words) and words[index + count].isdigit():
        count += 1
    return count


def _cents_follow(words: list[str], index: int, cents: int | None) -> bool:
    """Whether the "and" at ``index`` joins dollars and cents: "5 dollars and 5 cents", "14 dollars and
    99"."""
    digits = _digits_from(words, index + 1)
    if cents is None or digits not in (1, 2):
        return False
    unit = words[index + 1 + digits] if index + 1 + digits < len(words) else ""
    return unit == "cents" or (digits == 2 and words[index - 1] in _DOLLARS)
