"""Keeps card numbers out of whatever is written down on a call."""

from __future__ import annotations

import re
from typing import Final

from offhook.packs import ToolRefusal

__all__ = ["refuse_card_numbers"]

_CARD: Final = re.compile(r"[0-9](?:[ .\-]?[0-9]){12,18}")
"""13 to 19 digits in a row, however they are grouped: as long as card numbers are."""


def refuse_card_numbers(text: str, field: str) -> None:
    """
    Raises:
        ToolRefusal: ``card_number_in_text``.
    """
    if _CARD.search(text):
        message = "Card numbers are not written down here. Leave the number out and call again."
        raise ToolRefusal("card_number_in_text", message, field=field, status=422)
