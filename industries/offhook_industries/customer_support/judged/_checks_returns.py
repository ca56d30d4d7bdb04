"""Checks of the calls about returns."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from offhook.checks import Check, ExactEffects, PhraseUsed, ToolNotCalled
from offhook_industries.customer_support.judged._shared import (
    BACK,
    COST,
    NOBODY_LOOKED_UP,
    day,
    dollars,
    one_effect,
    window,
)

__all__ = ["RETURN_CHECKS", "opened_return"]

_NO_RETURN: Final = ToolNotCalled("no-return", "No return is opened that nobody asked for.", "confirm_return")


def opened_return(refund: str) -> ExactEffects:
    """One return is opened, for that refund in dollars without the sign."""
    return one_effect(
        f"One return is opened for ${refund}, nothing else changes.",
        "confirm_return",
        {"refund_acknowledged": (True,)},
        refund=f"${refund}",
    )


def _with_fee(refund: str) -> tuple[Check, ...]:
    return (
        opened_return(refund),
        dollars("says-fee", "The agent names the restocking fee.", (*COST, "restocking"), "45.00"),
        dollars("says-refund", f"The agent says that ${refund} comes back.", (*BACK, "goes"), refund),
    )


RETURN_CHECKS: Final[Mapping[str, tuple[Check, ...]]] = MappingProxyType(
    {
        "T2-E1": (
            window("says-standard", 15),
            window("says-member", 60),
            NOBODY_LOOKED_UP,
        ),
        "T2-M1": (
            window("says-window", 14),
            day("says-last-day", "The agent says the last day.", "2026-08-17"),
            _NO_RETURN,
        ),
        "T2-M2": (
            day("says-last-day", "The agent says when the window ended.", "2026-08-05"),
            PhraseUsed(
                "says-too-late",
                "The agent says that the window is over.",
                (
                    "ended",
                    "over",
                    "closed",
                    "expired",
                    "passed",
                    "past",
                    "too late",
                    "can't be returned",
                    "cannot be returned",
                    "can no longer",
                    "no longer be returned",
                    "not eligible",
                ),
            ),
            _NO_RETURN,
        ),
        "T2-H1": (
            *_with_fee("404.99"),
            ToolNotCalled("no-label", "No label is made that nobody asked for.", "create_return_label"),
        ),
        "T2-H4": (
            *_with_fee("1,054.99"),
            PhraseUsed("says-label", "The agent says that a label is coming.", ("label",)),
            PhraseUsed(
                "says-waiting",
                "The agent says that the refund waits for the item.",
                (
                    "waiting for",
                    "waits for",
                    "awaiting",
                    "checked in",
                    "once we receive",
                    "once it arrives",
                    "after it arrives",
                    "when it arrives",
                    "after we receive",
                    "when we receive",
                    "once it is received",
                ),
            ),
        ),
    }
)
