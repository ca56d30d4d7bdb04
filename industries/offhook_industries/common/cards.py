"""Keeps card numbers out of whatever is written down on a call."""

from __future__ import annotations

import re
from typing import Final

from offhook.packs import ToolRefusal

__all__ = ["refuse_card_numbers"]

_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPOKEN: Final = {word: str(digit) for digit, word in enumerate(_WORDS)} | {"oh": "0"}
_SPOKEN_DIGIT: Final = re.compile(rf"\b(?:{'|'.join(_SPOKEN)})\b", re.IGNORECASE)
# Two phone numbers side by side are as long as a card number. A run of digits that is phones alone is none.
_PHONE: Final = r"\d{3}[ .\-]\d{3}[ .\-]\d{4}"
_PHONES: Final = re.compile(rf"(?<!\d)(?<!\d[ .\-]){_PHONE}(?:[ .\-]{_PHONE})*(?![ .\-]?\d)")
_GAP: Final = r"[^\w]{1,3}"
_CARD: Final = re.compile(
    # 13 to 19 digits in a row, as long as card numbers are, whether or not a sign stands between them,
    r"\d(?:[ .\-]?\d){12,18}"
    # one at a time,
    rf"|\d(?:{_GAP}\d){{12,18}}(?!\d)"
    # or in the groups that are printed on cards, however these are kept apart.
    rf"|\d{{4}}(?:{_GAP}\d{{4}}){{2}}{_GAP}\d{{1,7}}|\d{{4}}{_GAP}\d{{6}}{_GAP}\d{{4,5}}"
)


def refuse_card_numbers(text: str, field: str, *, checked: bool = False) -> None:
    """Refuses text with a card number in it, spoken digits included. With ``checked`` only one whose check
    digit is right, for lines on which other long numbers are given too, such as those of insurance claims.

    Raises:
        ToolRefusal: ``card_number_in_text``.
    """
    figures = _SPOKEN_DIGIT.sub(lambda word: _SPOKEN[word[0].lower()], _PHONES.sub(" ", text))
    if any(not checked or _is_valid(found[0]) for found in _CARD.finditer(figures)):
        message = "Card numbers are not written down here. Leave the number out and call again."
        raise ToolRefusal("card_number_in_text", message, field=field, status=422)


def _is_valid(text: str) -> bool:
    """Whether the last digit is the check digit of those before it, as on every card (ISO/IEC 7812-1)."""
    digits = [int(char) for char in reversed(text) if char.isdecimal()]
    doubled = [sum(divmod(2 * digit, 10)) if place % 2 else digit for place, digit in enumerate(digits)]
    return sum(doubled) % 10 == 0
