"""Keeps card numbers out of whatever is written down on a call."""

from __future__ import annotations

import re
from typing import Final

from offhook.packs import ToolRefusal

__all__ = ["refuse_card_numbers"]

_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPOKEN: Final = {word: str(digit) for digit, word in enumerate(_WORDS)} | {"oh": "0"}
_SPOKEN_DIGIT: Final = re.compile(rf"\b(?:{'|'.join(_SPOKEN)})\b", re.IGNORECASE)
_PHONE: Final = re.compile(r"(?<!\d)(?<!\d[ .\-])(?:\+?1[ .\-])?\(?\d{3}\)?[ .\-]{1,2}\d{3}[ .\-]\d{4}(?![ .\-]?\d{2,3}\b)(?!\d)")
_GAP: Final = r"[^\w]{1,3}"
_CARD: Final = re.compile(
    # 13 to 19 digits in a row, as long as card numbers are, whether or not there is one sign between them,
    r"\d(?:[ .\-]?\d){12,18}"
    # one at a time,
    rf"|\d(?:{_GAP}\d){{12,18}}(?!\d)"
    # or in the groups that stand on a card, however these are kept apart.
    rf"|\d{{4}}(?:{_GAP}\d{{4}}){{2}}{_GAP}\d{{1,7}}|\d{{4}}{_GAP}\d{{6}}{_GAP}\d{{4,5}}"
)
