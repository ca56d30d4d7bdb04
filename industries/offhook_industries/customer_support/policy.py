"""Kestrel's numbers, and the arithmetic on them.

Money is whole cents, floored; months are whole months on the scenario clock.
"""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final

__all__ = [
    "ACTIVATION_WINDOW_DAYS",
    "MEMBER_WINDOW_DAYS",
    "MOST_VERIFICATION_FAILURES",
    "NOW",
    "PLUS_CENTS",
    "QUOTE_LIFETIME",
    "STANDARD_WINDOW_DAYS",
    "TERM_MONTHS",
    "TIER_NAMES",
    "TOTAL_CENTS",
    "add_months",
    "cancellation_refund_cents",
    "dollars",
    "spoken_date",
    "unused_whole_months",
    "upgrade_charge_cents",
]

NOW: Final = datetime.fromisoformat("2026-08-12T10:15")
"""The scenario clock: a Wednesday morning in company time."""

PLUS_CENTS: Final = 2999
TOTAL_CENTS: Final = 17999
TERM_MONTHS: Final = 12
STANDARD_WINDOW_DAYS: Final = 15
MEMBER_WINDOW_DAYS: Final = 60
ACTIVATION_WINDOW_DAYS: Final = 14
MOST_VERIFICATION_FAILURES: Final = 3
QUOTE_LIFETIME: Final = timedelta(minutes=30)
TIER_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"standard": "Kestrel Standard", "plus": "Kestrel Plus", "total": "Kestrel Total"}
)


def add_months(day: date, months: int) -> date:
    """The same day of a later month, or that month's last day where it is shorter (January 31 plus one is
    February 28)."""
    index = day.year * 12 + (day.month - 1) + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def unused_whole_months(today: date, period_end: date) -> int:
    """Whole months from today to the end of the paid period: the largest ``n`` with today plus ``n``
    months not after it.

    A month that has begun is used up. A period that is over has 0; there are never more than a full term.
    """
    months = (period_end.year - today.year) * 12 + period_end.month - today.month
    if add_months(today, months) > period_end:
        months -= 1
    return max(0, min(months, TERM_MONTHS))


def cancellation_refund_cents(paid_cents: int, months: int) -> int:
    """What whole unused months of a year's price are worth: 2999 and 6 give 1499, never half a cent more.

    Raises:
        ValueError: a negative price, or months outside 0..12.
    """
    if paid_cents < 0 or not 0 <= months <= TERM_MONTHS:
        raise ValueError(
            f"no refund for {paid_cents} cents and {months} months: expected cents >= 0 and 0..12 months"
        )
    return paid_cents * months // TERM_MONTHS


def upgrade_charge_cents(paid_cents: int, months: int) -> int:
    """What moving to Kestrel Total costs for the months left on the year; at least one month is charged.

    Raises:
        ValueError: a negative price, or months outside 0..12.
    """
    if paid_cents < 0 or not 0 <= months <= TERM_MONTHS:
        raise ValueError(
            f"no charge for {paid_cents} cents and {months} months: expected cents >= 0 and 0..12 months"
        )
    return max(0, TOTAL_CENTS - paid_cents) * max(1, months) // TERM_MONTHS


def dollars(cents: int) -> str:
    """``1499`` as ``"$14.99"``, ``129999`` as ``"$1,299.99"``."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def spoken_date(day: date) -> str:
    """``2027-02-20`` as ``"February 20, 2027"``."""
    return f"{calendar.month_name[day.month]} {day.day}, {day.year}"
