"""Spelled letters: "C-O-R-T-E-Z", "C, O, R, T, E, Z", "S as in Sam", "double L", "Charlie Oscar",
"CORTEZ"."""

from __future__ import annotations

from statistics import multimode
from typing import Final

import attrs

from offhook._lexicon import LETTER_HOMOPHONES, LETTER_NAMES, REPEATS, SPELLING_ALPHABET
from offhook._spoken_numerals import Numeral, Style, read_numerals
from offhook._spoken_result import Parsed, Reading, settle
from offhook._spoken_tokens import Token, tokenise
from offhook.values import ValueKind

_JOINERS: Final = frozenset({"and", "then", "capital", "uppercase", "lowercase", "letter", "uh", "um", "er"})
_SIGNS: Final = {"dash": "-", "hyphen": "-", "apostrophe": "'", "space": " "}
_NOT_BLOCKS_WORDS: Final = (
    "zip ok sms usa pin id us i'm it's my no yes the and you is not all can for this that am pm vip ceo "
    "faq url atm usb tv"
)
_NOT_BLOCKS: Final = frozenset(_NOT_BLOCKS_WORDS.split())
_BREAK_RANK: Final = {"-": 0, " ": 1, "": 1, ",": 2, ".": 3}


@attrs.frozen
class Letter:
    """One spelled character (``text`` may hold several: "double L", "KE"). ``sure`` ones carry a run."""

    text: str
    first: int
    last: int
    sure: bool
    block: bool = False


@attrs.frozen
class LetterRun:
    """Spelled letters in a row, cut into words at the larger pauses; letters are lower case."""

    words: tuple[str, ...]
    first: int
    last: int
    block: bool

    @property
    def letters(self) -> str:
        return "".join(self.words)


def read_letters(
    tokens: tuple[Token, ...], *, digits: bool = False, alphabet: bool = False
) -> tuple[LetterRun, ...]:
    """Runs of at least two spelled letters. ``digits`` lets digits join them, ``alphabet`` the words Alpha to
    Zulu."""
    numerals = {numeral.first: numeral for numeral in read_numerals(tokens)} if digits else {}
    rows: list[list[Letter]] = [[]]
    index = 0
    while index < len(tokens):
        row = rows[-1]
        if row and any(char in "?!;:" for char in tokens[index].gap):
            rows.append([])
            row = rows[-1]
        letter = _letter(tokens, index, alphabet) or _digit(numerals, index)
        if letter is not None and not letter.sure and not _beside_letter(tokens, letter, row):
            letter = None
        if letter is not None:
            row.append(letter)
            index = letter.last
        elif row and tokens[index].text in _SIGNS and _sign_inside(tokens, index, alphabet):
            row.append(Letter(_SIGNS[tokens[index].text], index, index + 1, False))
            index += 1
        else:
            if row and tokens[index].text not in _JOINERS:
                rows.append([])
            index += 1
    runs = [_as_run(tokens, row) for row in rows if row]
    return tuple(run for run in runs if run is not None)


def _letter(tokens: tuple[Token, ...], index: int, alphabet: bool) -> Letter | None:
    token = tokens[index]
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if token.text in REPEATS and following is not None and following.close:
        if token.text == "double" and following.text in ("u", "you"):
            return Letter("w", index, index + 2, True)
        single = _one(following, alphabet=False)
        if single:
            return Letter(single * REPEATS[token.text], index, index + 2, True)
        return None
    letter = _one(token, alphabet)
    if letter == "x" and alphabet and following is not None and following.text == "ray":
        return Letter("x", index, index + 2, True)
    if letter:
        return _as_in(tokens, index, letter) or Letter(letter, index, index + 1, _is_sure(token, alphabet))
    if token.text in LETTER_HOMOPHONES:
        return _as_in(tokens, index, LETTER_HOMOPHONES[token.text]) or Letter(
            LETTER_HOMOPHONES[token.text], index, index + 1, False
        )
    if token.text.isalpha() and token.raw.isupper() and len(token.text) > 1 and token.text not in _NOT_BLOCKS:
        return Letter(token.text, index, index + 1, True, block=True)
    return None


def _one(token: Token, alphabet: bool) -> str:
    if len(token.text) == 1 and token.text.isalpha():
        return token.text
    if alphabet and token.text in SPELLING_ALPHABET:
        return SPELLING_ALPHABET[token.text]
    return LETTER_NAMES.get(token.text, "")


def _is_sure(token: Token, alphabet: bool) -> bool:
    if len(token.text) == 1:
        return token.raw != "a"
    return (alphabet and token.text in SPELLING_ALPHABET) or len(token.text) > 2


def _as_in(tokens: tuple[Token, ...], index: int, letter: str) -> Letter | None:
    """ "S as in Sam". The example word outranks the letter: "B as in David" is a misheard D."""
    words = [token.text for token in tokens[index + 1 : index + 4]]
    for link in (["as", "in"], ["is", "in"], ["like"], ["for"], ["as"]):
        size = len(link)
        if words[:size] == link and len(words) > size and words[size].isalpha() and len(words[size]) > 2:
            example = words[size]
            sure_link = size == 2
            if example[0] == letter or sure_link:
                return Letter(example[0], index, index + size + 2, True)
    return None


def _digit(numerals: dict[int, Numeral], index: int) -> Letter | None:
    numeral = numerals.get(index)
    if numeral is None or numeral.style is Style.ORDINAL:
        return None
    return Letter(numeral.digits, numeral.first, numeral.last, True)


def _beside_letter(tokens: tuple[Token, ...], letter: Letter, row: list[Letter]) -> bool:
    """An everyday word such as "see" or "a" is a letter only right beside a sure one."""
    if row and row[-1].last == letter.first and _short_gap(tokens[letter.first].gap):
        return True
    if letter.last < len(tokens) and _short_gap(tokens[letter.last].gap):
        token = tokens[letter.last]
        return len(token.text) == 1 and token.text.isalpha() and token.raw != "a"
    return False


def _short_gap(gap: str) -> bool:
    return gap.strip() in ("", "-", ",", ".")


def _sign_inside(tokens: tuple[Token, ...], index: int, alphabet: bool) -> bool:
    return index + 1 < len(tokens) and _letter(tokens, index + 1, alphabet) is not None


def _as_run(tokens: tuple[Token, ...], row: list[Letter]) -> LetterRun | None:
    row = _without_article(tokens, row)
    total = sum(len(letter.text) for letter in row if letter.text.isalnum())
    if total < 2 or not any(letter.sure for letter in row):
        return None
    if not any(char.isalpha() for letter in row for char in letter.text):
        return None
    if len(row) == 1 and not row[0].block and row[0].last - row[0].first == 1:
        return None
    words = _cut(tokens, row)
    return LetterRun(words, row[0].first, row[-1].last, all(letter.block for letter in row))


def _without_article(tokens: tuple[Token, ...], row: list[Letter]) -> list[Letter]:
    """Drops an everyday word that stands before spelled letters but isn't one: "I, S-A-M", "you T, O, M"."""
    single = row[0].last - row[0].first == 1
    if len(row) > 2 and single and (row[0].text in ("i", "a") or not row[0].sure):
        gaps = [tokens[letter.first].gap.strip() for letter in row[1:]]
        if gaps[0] not in gaps[1:]:
            return row[1:]
    return row


def _cut(tokens: tuple[Token, ...], row: list[Letter]) -> tuple[str, ...]:
    """Cuts a run into words where a pause is larger than those between the letters."""
    ranks = [_BREAK_RANK.get(tokens[letter.first].gap.strip()[:1], 3) for letter in row[1:]]
    # The usual gap, not the least: one comma left out ("C, O R, T") doesn't make every letter a word.
    floor = min(multimode(ranks), default=0)
    words = [row[0].text]
    for letter, rank in zip(row[1:], ranks, strict=True):
        if letter.text == " ":
            words.append("")
        elif (rank >= 2 and rank > floor) or (letter.block and len(letter.text) > 1):
            words.append(letter.text)
        else:
            words[-1] += letter.text
    return tuple(word for word in words if word)


def parse_spelled(text: str) -> Parsed:
    """Reads spelled letters and digits as one code. A word that was only said, not spelled, is just a
    candidate."""
    kind = ValueKind.SPELLED
    tokens = tokenise(text)
    runs = read_letters(tokens, digits=True) or read_letters(tokens, digits=True, alphabet=True)
    readings = [
        Reading(code, run.first, run.last, float(len(code)), "spelled letters")
        for run in runs
        if (code := "".join(char for char in run.letters.upper() if char.isalnum()))
    ]
    if readings:
        return settle(kind, tokens, readings)
    words = [token.text.upper() for token in tokens if token.text.isalpha() and len(token.text) > 2]
    if not words:
        return Parsed(kind, None, evidence="no letters heard")
    return Parsed(kind, None, (words[-1],), None, False, "", "a word said, not spelled")
