"""Checks of the calls about orders, deliveries and matched prices."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from offhook.checks import Check, FigureRelayed, PhraseUsed, ToolNotCalled
from offhook.values import ValueKind
from offhook_industries.customer_support.judged._shared import (
    BACK,
    COST,
    NOBODY_LOOKED_UP,
    connecting,
    dollars,
    one_effect,
    window,
)

__all__ = ["ORDER_CHECKS"]

_HAUL: Final = ("haul", "hauling", "away", "old appliance", "removal", "it is", "that is")
_NOT_MATCHED: Final = (
    "not matched",
    "not price matched",
    "no price match",
    "can't match",
    "cannot match",
    "can't be matched",
    "cannot be matched",
    "don't match",
    "do not match",
    "unable to match",
    "not able to match",
    "not eligible",
    "doesn't qualify",
    "does not qualify",
    "don't qualify",
    "isn't eligible",
    "are excluded",
    "is excluded",
    "price is final",
    "prices are final",
)


def _late_fee() -> FigureRelayed:
    return FigureRelayed(
        "says-fee",
        "The agent says what the late change costs.",
        "quote_delivery_change",
        "fee",
        ValueKind.AMOUNT,
        COST,
    )


ORDER_CHECKS: Final[Mapping[str, tuple[Check, ...]]] = MappingProxyType(
    {
        "T1-E1": (
            dollars("says-price", "The agent says what haul-away costs.", (*COST, *_HAUL), "49.99"),
            NOBODY_LOOKED_UP,
        ),
        "T1-M2": (
            one_effect(
                "One order is cancelled and paid back in full, nothing else changes.",
                "cancel_order",
                {},
                cancelled=True,
                refund="$129.99",
            ),
            FigureRelayed(
                "says-refund",
                "The agent says what comes back.",
                "cancel_order",
                "refund",
                ValueKind.AMOUNT,
                BACK,
            ),
            PhraseUsed(
                "says-cancelled",
                "The agent says that the order is cancelled.",
                (
                    "is cancelled",
                    "is canceled",
                    "is now cancelled",
                    "is now canceled",
                    "has been cancelled",
                    "has been canceled",
                    "have cancelled",
                    "have canceled",
                    "i've cancelled",
                    "i've canceled",
                ),
            ),
        ),
        "T1-M4": (_late_fee(),),
        "T1-H2": (
            one_effect(
                "The delivery is moved to August 20 for the late fee, nothing else changes.",
                "confirm_delivery_change",
                {"fee_acknowledged": (True,)},
                moved=True,
                fee="$29.99",
                day="Thursday, August 20, 2026",
            ),
            _late_fee(),
            PhraseUsed(
                "says-moved",
                "The agent says that the delivery has been moved.",
                (
                    "now comes",
                    "now coming",
                    "now scheduled",
                    "is scheduled",
                    "has been moved",
                    "have moved",
                    "i've moved",
                    "is moved",
                    "been rescheduled",
                    "is rescheduled",
                    "been changed",
                    "will now come",
                    "will now arrive",
                    "now arrives",
                    "all set",
                    "is set for",
                ),
            ),
        ),
        "T1-H4": (
            PhraseUsed(
                "says-shipped",
                "The agent says that the order has shipped.",
                ("shipped", "on its way", "on the way", "in transit", "left the warehouse"),
            ),
            window("says-window", 60),
            ToolNotCalled("no-return", "No return is opened for what has not arrived.", "quote_return"),
        ),
        "T5-E1": (
            PhraseUsed(
                "says-identical",
                "The agent says that it must be the same thing.",
                ("identical", "same item", "same model", "same product", "exact item", "exact same"),
            ),
            PhraseUsed(
                "says-exclusion",
                "The agent names a price that is not matched.",
                (
                    "marketplace",
                    "market place",
                    "open box",
                    "clearance",
                    "refurbished",
                    "coupon",
                    "coupons",
                    "auction",
                    "membership only",
                    "members only",
                ),
            ),
            NOBODY_LOOKED_UP,
        ),
        "T5-M1": (
            PhraseUsed("says-open-box", "The agent names open-box as the reason.", ("open box",)),
            PhraseUsed("says-not-matched", "The agent says that it is not matched.", _NOT_MATCHED),
        ),
        "T5-M4": (
            PhraseUsed(
                "says-not-lower",
                "The agent says that the other price is not lower.",
                (
                    "not lower",
                    "isn't lower",
                    "no lower",
                    "higher",
                    "more than you paid",
                    "more than what you paid",
                    "above what you paid",
                    "paid less",
                    "already lower",
                    "already cheaper",
                    "is lower than",
                    "not less than",
                    "not cheaper",
                ),
            ),
        ),
        "T5-H1": (
            one_effect(
                "The difference of $30.00 is paid back once, nothing else changes.",
                "confirm_price_match",
                {},
                matched=True,
                refund="$30.00",
            ),
            FigureRelayed(
                "says-difference",
                "The agent says the difference as the quote gave it.",
                "quote_price_match",
                "difference",
                ValueKind.AMOUNT,
                (*BACK, "difference", "goes"),
            ),
        ),
        "T5-H2": (
            PhraseUsed(
                "says-marketplace",
                "The agent says that a Marketplace seller sold it.",
                ("marketplace", "market place", "third party seller", "independent seller"),
            ),
            PhraseUsed("says-not-matched", "The agent says that it is not matched.", _NOT_MATCHED),
            connecting(),
        ),
    }
)
