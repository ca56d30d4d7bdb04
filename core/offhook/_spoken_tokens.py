"""Cuts a transcript into tokens that remember where they stood and what punctuation came before them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import attrs

# Characters without a width or a meaning of their own: soft hyphen, joiners, direction marks, selectors.
_INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
)
_INVISIBLES: Final = re.compile(f"[{_INVISIBLE}]")
# Blocks of the Basic Multilingual Plane that hold marks: vowel signs, accents, points.
_MARK_BLOCKS: Final = ((0x300, 0x1E00), (0x20D0, 0x2100), (0x2CEF, 0x3100), (0xA66F, 0xAC00))
_MARKS: Final = "".join(
    chr(code)
    for first, last in _MARK_BLOCKS
    for code in range(first, last)
    if unicodedata.category(chr(code)).startswith("M")
)
_LETTER: Final = rf"(?:[^\W\d_]|[{_MARKS}])"
_TOKEN: Final = re.compile(
    rf"\d(?:[{_INVISIBLE}]*\d)*"
    rf"|[^\W\d_](?:[{_INVISIBLE}]*{_LETTER})*(?:['’ʼ`´](?:[{_INVISIBLE}]*{_LETTER})+)*"
    r"|[$€£¢%@&#+]"
)
_CURLY: Final = str.maketrans("’‘ʼ`´", "'''''")
_HYPHENS: Final = {0x2010: "-", 0x2011: "-", 0x2212: "-"}


@attrs.frozen
class Token:
    """One word, figure or sign. ``text`` is folded (NFKC, case, accents, apostrophes), ``gap`` is what stood
    before, without invisible characters, spaces and hyphens in their plain form."""

    text: str
    raw: str
    start: int
    end: int
    gap: str

    @property
    def figure(self) -> bool:
        return self.text.isascii() and self.text.isdigit()

    @property
    def close(self) -> bool:
        """Only spaces or hyphens since the previous token."""
        return not self.gap.strip(" \t-–—")


def visible(text: str) -> str:
    """A text without soft hyphens, zero-width joiners and direction marks."""
    return text if text.isascii() else _INVISIBLES.sub("", text)


def fold(text: str) -> str:
    """NFKC, lower case, straight apostrophes, ASCII digits, nothing invisible; Latin letters without accents.
    Marks of other scripts stay: there they are letters rather than accents."""
    if text.isascii():
        return text.lower().replace("`", "'")
    flat = unicodedata.normalize("NFKC", visible(text)).casefold().translate(_CURLY)
    bare: list[str] = []
    latin = False
    for char in unicodedata.normalize("NFKD", flat):
        if not unicodedata.combining(char):
            latin = char.isascii()
        elif latin:
            continue
        bare.append(str(unicodedata.decimal(char, char)))
    return unicodedata.normalize("NFKC", "".join(bare)).translate(_CURLY)


def tokenise(text: str) -> tuple[Token, ...]:
    """All tokens of a text in order; spans are offsets into the text as given."""
    tokens: list[Token] = []
    previous = 0
    for match in _TOKEN.finditer(text):
        folded = fold(match[0])
        if not folded:
            continue
        gap = text[previous : match.start()]
        tokens.append(Token(folded, match[0], match.start(), match.end(), _plain_gap(gap)))
        previous = match.end()
    return tuple(tokens)


def _plain_gap(gap: str) -> str:
    if gap.isascii():
        return gap
    plain = visible(gap).translate(_HYPHENS)
    return "".join(" " if char.isspace() and char != "\n" else char for char in plain)
