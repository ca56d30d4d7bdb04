"""Access rules, and checks that many tasks share."""

from __future__ import annotations

from typing import Any, Final

from offhook.checks import (
    AccessRules,
    Effect,
    ExactEffects,
    Figure,
    FigureStated,
    PhraseUsed,
    ToolNotCalled,
)
from offhook.values import ValueKind

__all__ = [
    "ACCESS",
    "BACK",
    "CONNECTING",
    "COST",
    "DAYS",
    "NOBODY_LOOKED_UP",
    "connecting",
    "day",
    "dollars",
    "one_effect",
    "reported",
    "window",
]

ACCESS: Final = AccessRules(
    verified_by="verify_identity",
    free_tools=(
        "search_kb",
        "get_store_info",
        "get_policy",
        "get_fee",
        "identify_customer",
        "check_subscription_charge",
        "check_outbound_contact",
        "report_scam_contact",
        "transfer_to_human",
        "end_call",
    ),
    # A label only says how an open return travels: nothing about it needs a yes of its own.
    changes=(
        "confirm_delivery_change",
        "cancel_order",
        "confirm_price_match",
        "confirm_return",
        "book_service_appointment",
        "cancel_service_appointment",
        "confirm_membership_upgrade",
        "confirm_membership_cancellation",
    ),
    verified_when={"verified": True},
)

BACK: Final = (
    "back",
    "refund",
    "refunded",
    "refunds",
    "refunding",
    "returned",
    "return",
    "credited",
    "get",
    "receive",
)
COST: Final = (
    "fee",
    "cost",
    "costs",
    "charge",
    "charged",
    "charges",
    "comes to",
    "come to",
    "price",
    "pay",
    "deductible",
)
DAYS: Final = ("day", "days")
_WHEN: Final = (
    "on",
    "until",
    "till",
    "by",
    "through",
    "up to",
    "before",
    "last day",
    "day is",
    "day was",
    "deadline",
    "ended",
    "ends",
    "expired",
    "scheduled",
    "arrive",
    "arrives",
    "arriving",
    "comes",
    "coming",
    "delivered",
    "delivery",
)
CONNECTING: Final = (
    "connecting you",
    "connect you",
    "transferring you",
    "transfer you",
    "putting you through",
    "put you through",
    "getting you a person",
    "get you a person",
)
NOBODY_LOOKED_UP: Final = ToolNotCalled(
    "no-account-opened", "No customer is looked up for a general question.", "identify_customer"
)


def dollars(name: str, text: str, topic: tuple[str, ...], amount: str) -> FigureStated:
    """An amount the caller must hear, in dollars without the sign."""
    return FigureStated(name, text, topic, Figure(ValueKind.AMOUNT, amount))


def window(name: str, days: int) -> FigureStated:
    """A number of days the caller must hear."""
    return FigureStated(
        name, f"The agent says that it is {days} days.", DAYS, Figure(ValueKind.DIGITS, str(days))
    )


def day(name: str, text: str, on: str) -> FigureStated:
    """A date the caller must hear, as the day on or until which something holds."""
    return FigureStated(name, text, _WHEN, Figure(ValueKind.DATE, on))


def one_effect(text: str, tool: str, arguments: dict[str, tuple[Any, ...]], **result: Any) -> ExactEffects:
    """Exactly one change of an account, with what its answer must hold."""
    return ExactEffects("effects", text, ACCESS.changes, (Effect(tool, arguments, result),))


def connecting() -> PhraseUsed:
    return PhraseUsed("says-connecting", "The agent says that a person is coming.", CONNECTING)


def reported() -> PhraseUsed:
    return PhraseUsed(
        "says-reported",
        "The agent says that the scam has been reported.",
        (
            "has been reported",
            "is reported",
            "have reported",
            "i've reported",
            "been filed",
            "have filed",
            "i've filed",
            "report is in",
            "report is filed",
            "filed a report",
            "filed the report",
            "reported it",
        ),
    )
