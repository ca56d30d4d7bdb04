"""What the words for several tools share: the order that is meant, and doors that are still closed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from offhook.packs import Ask, Options

__all__ = ["ASK_ORDER", "NO_ACCESS", "WHICH_ORDER"]

_CLOSED: Final = "I can't open account details without that check."

NO_ACCESS: Final[Mapping[str, str]] = MappingProxyType({"not_identified": _CLOSED, "not_verified": _CLOSED})

# Most callers name what they bought and have no number at hand.
WHICH_ORDER: Final = Options(
    parameter="order_number",
    source="get_customer_summary.recent_orders",
    value="order_number",
    label="the {item}",
    question="Which of your orders is it about, {options}?",
    names=("order_number", "item", "kind"),
    most=4,
)

ASK_ORDER: Final = Ask(
    ("order_number",),
    "Which order is it about? Please tell me its order number.",
    "Sorry, could you say the order number once more, one character at a time?",
    "That's order {order_number}. Is that right?",
)
