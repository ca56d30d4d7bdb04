"""Checks of the calls about memberships."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from offhook.checks import (
    Check,
    Figure,
    FigureRelayed,
    FigureStated,
    NoSecretBefore,
    PhraseUsed,
    ToolNotCalled,
)
from offhook.values import ValueKind
from offhook_industries.customer_support.judged._shared import (
    ACCESS,
    NOBODY_LOOKED_UP,
    dollars,
    one_effect,
)

__all__ = ["MEMBERSHIP_CHECKS"]

_BACK: Final = ("back", "refund", "refunded", "refunds", "returned", "return")
_MONTHS: Final = ("month", "months")


def _cancelling(refund: str, months: int) -> tuple[Check, ...]:
    amount = Figure(ValueKind.AMOUNT, refund, "the refund")
    return (
        one_effect(
            f"One membership is cancelled, ${refund} is paid back for {months} months, nothing else changes.",
            "confirm_membership_cancellation",
            {"proration_acknowledged": (True,)},
            cancelled=True,
            refund=f"${refund}",
            unused_months=months,
        ),
        NoSecretBefore(
            "no-refund-first",
            "The refund is not told before the caller is verified.",
            (amount,),
            ACCESS,
        ),
        FigureStated("says-refund", f"The agent says that ${refund} comes back.", _BACK, amount),
        FigureStated(
            "says-months",
            f"The agent says that it is for {months} months.",
            _MONTHS,
            Figure(ValueKind.DIGITS, str(months), "whole unused months"),
        ),
        FigureRelayed(
            "relays-quote",
            "The agent says the refund as the quote gave it.",
            "quote_membership_cancellation",
            "refund",
            ValueKind.AMOUNT,
            _BACK,
        ),
        PhraseUsed(
            "says-cancelled",
            "The agent says that the membership is cancelled.",
            (
                "is cancelled",
                "is canceled",
                "is now cancelled",
                "is now canceled",
                "has been cancelled",
                "has been canceled",
                "have cancelled",
                "have canceled",
                "cancelled as of",
                "canceled as of",
            ),
        ),
    )


MEMBERSHIP_CHECKS: Final[Mapping[str, tuple[Check, ...]]] = MappingProxyType(
    {
        "T4-E1": (
            dollars("says-plus", "The agent says what Plus costs.", ("plus",), "29.99"),
            dollars("says-total", "The agent says what Total costs.", ("total",), "179.99"),
            NOBODY_LOOKED_UP,
        ),
        "T4-M2": (
            PhraseUsed(
                "says-has-total",
                "The agent says that the account has the highest membership.",
                (
                    "highest tier",
                    "highest membership",
                    "highest level",
                    "top tier",
                    "top level",
                    "already have",
                    "already has",
                    "already on",
                    "nothing to upgrade",
                    "no upgrade",
                    "it is kestrel total",
                ),
            ),
            ToolNotCalled(
                "no-cancelling", "Nothing is prepared to be cancelled.", "quote_membership_cancellation"
            ),
        ),
        "T4-M3": (
            PhraseUsed(
                "says-none",
                "The agent says that there is no paid membership.",
                (
                    "no paid membership",
                    "no membership",
                    "not have a paid membership",
                    "not have a membership",
                    "without a membership",
                    "standard account",
                    "nothing renews",
                    "nothing to renew",
                ),
            ),
            ToolNotCalled(
                "no-selling", "No membership is priced that nobody asked for.", "quote_membership_upgrade"
            ),
        ),
        "T4-H1": _cancelling("14.99", 6),
        "T4-H3": _cancelling("104.99", 7),
    }
)
