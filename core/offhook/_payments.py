"""Means of payment as databases and agents write them, folded to one form."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

__all__ = ["payment_form"]

_CARD_SAYINGS: Final = (
    "card cards credit debit visa mastercard mc amex american express discover bank on file ending ends in "
    "with the your my number last four digits no xxxx"
)
_CARD_WORDS: Final = frozenset(_CARD_SAYINGS.split())
_NAMES: Final = MappingProxyType(
    {
        "credit card": "card",
        "debit card": "card",
        "bank card": "card",
        "card on file": "card",
        "giftcard": "gift card",
        "e gift card": "gift card",
        "egift card": "gift card",
        "instore credit": "store credit",
        "in store credit": "store credit",
        "account credit": "store credit",
        "original": "original payment",
        "original method": "original payment",
        "original payment method": "original payment",
        "original form of payment": "original payment",
        "original method of payment": "original payment",
        "pay pal": "paypal",
        "applepay": "apple pay",
        "googlepay": "google pay",
        "cheque": "check",
        "bank transfer": "bank transfer",
        "ach": "bank transfer",
        "ach transfer": "bank transfer",
    }
)


def payment_form(text: str) -> str:
    """The canonical form of a means of payment; text that is none of them comes back folded. Never raises."""
    words = re.sub(r"[^a-z0-9]+", " ", re.sub(r"(?<![a-z])[*•x]+(?=[0-9])", " ", text.casefold())).split()
    while len(words) > 1 and words[0] in ("the", "a", "my", "your", "to", "by", "via"):
        words = words[1:]
    ends = words[-1] if words and re.fullmatch(r"[0-9]{4}", words[-1]) else ""
    if ends and set(words[:-1]) <= _CARD_WORDS:
        return f"card {ends}"
    if ends and words[:2] == ["gift", "card"]:
        return f"gift card {ends}"
    plain = " ".join(words)
    return _NAMES.get(plain, plain)
