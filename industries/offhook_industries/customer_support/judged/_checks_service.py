"""Checks of the calls about cover, repairs and appointments."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from offhook.checks import Check, Effect, ExactEffects, PhraseUsed, ToolNotCalled
from offhook_industries.customer_support.judged._shared import (
    ACCESS,
    COST,
    NOBODY_LOOKED_UP,
    dollars,
    one_effect,
)

__all__ = ["SERVICE_CHECKS"]

_NO_BOOKING: Final = ToolNotCalled(
    "no-booking", "No appointment is made that nobody asked for.", "book_service_appointment"
)
_BOOKED: Final = PhraseUsed(
    "says-booked",
    "The agent says that the visit is booked.",
    (
        "is booked",
        "are booked",
        "booked for",
        "been booked",
        "have booked",
        "i've booked",
        "is scheduled",
        "are scheduled",
        "scheduled for",
        "been scheduled",
        "all set for",
        "is confirmed",
        "are confirmed",
    ),
)
_TOTAL_PAYS: Final = PhraseUsed(
    "says-total-covers",
    "The agent says that Kestrel Total covers it.",
    (
        "total covers",
        "total will cover",
        "covered by kestrel total",
        "covered by your kestrel total",
        "covered by your total",
        "covered by total",
        "covered under",
        "total pays",
        "total membership covers",
        "covered through",
        "covered with your",
    ),
)
_NOTHING_TO_PAY: Final = PhraseUsed(
    "says-nothing",
    "The agent says that it costs nothing.",
    (
        "nothing",
        "no cost",
        "no charge",
        "free",
        "without charge",
        "won't cost",
        "will not cost",
        "zero dollars",
        "don't pay",
        "do not pay",
        "don't owe",
    ),
)

SERVICE_CHECKS: Final[Mapping[str, tuple[Check, ...]]] = MappingProxyType(
    {
        "T3-E1": (
            PhraseUsed(
                "says-warranty-stays",
                "The agent says that the repair alone does not end the warranty.",
                (
                    "does not by itself end",
                    "doesn't by itself end",
                    "not end",
                    "doesn't end",
                    "not void",
                    "won't void",
                    "doesn't void",
                    "not lose",
                    "won't lose",
                    "don't lose",
                    "not automatically",
                    "doesn't automatically",
                    "won't automatically",
                    "not by itself",
                    "doesn't by itself",
                    "warranty stays",
                    "warranty remains",
                    "keep the warranty",
                    "keep your warranty",
                ),
            ),
            PhraseUsed(
                "says-limit",
                "The agent says what such a repair leaves uncovered.",
                ("caused", "causes", "damage", "damages", "parts"),
            ),
            NOBODY_LOOKED_UP,
        ),
        "T3-M1": (_TOTAL_PAYS, _NOTHING_TO_PAY, _NO_BOOKING),
        "T3-M2": (
            dollars("says-deductible", "The agent says what the caller pays.", COST, "99.00"),
            PhraseUsed(
                "says-plan",
                "The agent says that the plan covers it.",
                ("plan", "protect", "techcrew protect", "tech crew protect"),
            ),
            _NO_BOOKING,
        ),
        "T3-H1": (
            one_effect(
                "One bench visit is booked for August 17 at no cost, nothing else changes.",
                "book_service_appointment",
                {"service": ("bench",), "day": ("2026-08-17",), "postal_code": ("37211",)},
                cost="nothing",
                day_spoken="Monday, August 17, 2026",
            ),
            _TOTAL_PAYS,
            _NOTHING_TO_PAY,
            _BOOKED,
        ),
        "T3-H3": (
            ExactEffects(
                "effects",
                "One bench visit is booked for August 18 and then cancelled, nothing else changes.",
                ACCESS.changes,
                (
                    Effect(
                        "book_service_appointment",
                        {"service": ("bench",), "day": ("2026-08-18",), "postal_code": ("27609",)},
                        {"cost": "$39.99"},
                    ),
                    Effect("cancel_service_appointment", {}, {"cancelled": True}),
                ),
            ),
            dollars("says-diagnostic", "The agent says what the caller pays.", COST, "39.99"),
            _BOOKED,
            PhraseUsed(
                "says-cancelled",
                "The agent says that the visit is cancelled.",
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
    }
)
