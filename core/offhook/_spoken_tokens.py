"""Cuts a transcript into tokens that remember where they stood and what punctuation came before them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import attrs

_TOKEN: Final = re.compile(
    r"\d+"
    r"|[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*(?:['’ʼ`´](?:[^\W\d_]|[\u0300-\u036f])+)*"
    r"|[$€£%@&#+]"
)
_CURLY: Final = str.maketrans("’‘ʼ`´", "'''''")


@attrs.frozen
class Token:
    """One word, figure or sign. ``text`` is folded (NFKC, case, accents, apostrophes), ``gap`` is what stood
    before."""

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
        return not self.gap.strip(" \t-‐‑–—")


def fold(text: str) -> str:
    """NFKC, lower case, straight apostrophes, no accents, ASCII digits."""
    flat = unicodedata.normalize("NFKC", text).casefold().translate(_CURLY)
    decomposed = unicodedata.normalize("NFKD", flat)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    plain = "".join(str(unicodedata.decimal(char, char)) for char in bare)
    return unicodedata.normalize("NFKC", plain)


def tokenise(text: str) -> tuple[Token, ...]:
    """All tokens of a text in order; spans are offsets into the text as given."""
    tokens: list[Token] = []
    previous = 0
    for match in _TOKEN.finditer(text):
        folded = fold(match[0])
        if not folded:
            continue
        tokens.append(Token(folded, match[0], match.start(), match.end(), text[previous : match.start()]))
        previous = match.end()
    return tuple(tokens)
