"""Straus Dermatology's numbers, and the arithmetic on them.

Money is whole cents. Times are company time without a zone, on the scenario clock.
"""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from types import MappingProxyType
from typing import Final

import attrs

__all__ = [
    "ADULT_AGE",
    "CALLBACK_HOURS",
    "CHANGE_TERMS",
    "COSMETIC_DEPOSIT_CENTS",
    "FINANCING_ABOVE_CENTS",
    "FINANCING_MONTHS",
    "MESSAGE_HOURS",
    "MOST_VERIFICATION_FAILURES",
    "NOW",
    "OFFICE_CLOSES",
    "OFFICE_OPENS",
    "PREPARATION_DAYS",
    "SHOT_GAP_DAYS",
    "VISIT_WITHIN_DAYS",
    "WAIVER_EVERY_DAYS",
    "WAIVER_OFFICE_HOURS",
    "ChangeTerms",
    "add_office_hours",
    "age_on",
    "change_fee_cents",
    "dollars",
    "earliest_day",
    "monthly_cents",
    "spoken_date",
    "spoken_day",
    "spoken_moment",
    "spoken_time",
]

NOW: Final = datetime.fromisoformat("2026-08-17T09:00")
"""The scenario clock: a Monday morning in company time."""

COSMETIC_DEPOSIT_CENTS: Final = 5000
FINANCING_ABOVE_CENTS: Final = 25000
FINANCING_MONTHS: Final = (6, 12)
MOST_VERIFICATION_FAILURES: Final = 3
ADULT_AGE: Final = 18
OFFICE_OPENS: Final = time(8)
OFFICE_CLOSES: Final = time(18)
SHOT_GAP_DAYS: Final = 5
VISIT_WITHIN_DAYS: Final = 365
WAIVER_EVERY_DAYS: Final = 365
WAIVER_OFFICE_HOURS: Final = 50
_WEEKEND: Final = 5

PREPARATION_DAYS: Final[Mapping[str, int]] = MappingProxyType({"allergy_skin_testing": 7})
"""Days a patient needs to get ready for a visit type (no antihistamines); others need none."""

CALLBACK_HOURS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "scheduling": 4,
        "clinical": 4,
        "billing": 10,
        "complaint": 10,
        "general": 10,
        "cost_estimate": 20,
        "coverage": 20,
        "records": 30,
    }
)
"""Office hours within which a team calls back, by topic. A working day has ten."""

MESSAGE_HOURS: Final[Mapping[str, int]] = MappingProxyType({"urgent": 2, "routine": 10})
"""Office hours within which the clinical team answers a message."""


@attrs.frozen
class ChangeTerms:
    """What moving or cancelling a visit takes: free up to ``notice`` before it, ``fee_cents`` after that."""

    notice: timedelta
    fee_cents: int


CHANGE_TERMS: Final[Mapping[str, ChangeTerms]] = MappingProxyType(
    {
        "medical": ChangeTerms(timedelta(hours=24), 5000),
        "allergy": ChangeTerms(timedelta(hours=24), 5000),
        "surgical": ChangeTerms(timedelta(hours=48), 15000),
        "cosmetic": ChangeTerms(timedelta(hours=48), COSMETIC_DEPOSIT_CENTS),
    }
)
"""By family of visit."""


def change_fee_cents(family: str, starts_at: datetime, now: datetime) -> int:
    """What moving or cancelling costs now. Exactly the notice is still in time.

    Raises:
        KeyError: an unknown family.
    """
    terms = CHANGE_TERMS[family]
    return 0 if starts_at - now >= terms.notice else terms.fee_cents


def age_on(born: date, day: date) -> int:
    """Full years of age; somebody born on February 29 turns on March 1 in common years."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def earliest_day(visit_type: str, now: datetime) -> date:
    """The first day on which a visit of that type can be, given what has to be stopped before it."""
    return now.date() + timedelta(days=PREPARATION_DAYS.get(visit_type, 0))


def monthly_cents(amount_cents: int, months: int) -> int:
    """One of ``months`` equal payments, rounded up to the cent so that they cover the amount.

    Raises:
        ValueError: a negative amount, or no months.
    """
    if amount_cents < 0 or months < 1:
        raise ValueError(f"no payments of {amount_cents} cents in {months} months: expected >= 0 and >= 1")
    return -(-amount_cents // months)


def add_office_hours(start: datetime, hours: int) -> datetime:
    """The moment ``hours`` office hours later. The office works Monday to Friday, 8 AM to 6 PM; a period
    that ends exactly at closing time ends then.

    Raises:
        ValueError: negative hours.
    """
    if hours < 0:
        raise ValueError(f"no time {hours} office hours later: expected >= 0")
    moment, left = _open_from(start), timedelta(hours=hours)
    while left > (today := datetime.combine(moment.date(), OFFICE_CLOSES) - moment):
        left -= today
        moment = _open_from(datetime.combine(moment.date() + timedelta(days=1), OFFICE_OPENS))
    return moment + left


def _open_from(moment: datetime) -> datetime:
    """The moment itself if the office works then, else when it next opens."""
    if moment.time() >= OFFICE_CLOSES:
        moment = datetime.combine(moment.date() + timedelta(days=1), OFFICE_OPENS)
    while moment.weekday() >= _WEEKEND:
        moment = datetime.combine(moment.date() + timedelta(days=1), OFFICE_OPENS)
    return max(moment, datetime.combine(moment.date(), OFFICE_OPENS))


def dollars(cents: int) -> str:
    """``1499`` as ``"$14.99"``, ``129999`` as ``"$1,299.99"``."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def spoken_date(day: date) -> str:
    """``2026-09-14`` as ``"September 14, 2026"``."""
    return f"{calendar.month_name[day.month]} {day.day}, {day.year}"


def spoken_day(day: date) -> str:
    """``2026-09-14`` as ``"Monday, September 14, 2026"``."""
    return f"{calendar.day_name[day.weekday()]}, {spoken_date(day)}"


def spoken_time(moment: datetime) -> str:
    """``14:05`` as ``"2:05 PM"``."""
    return f"{moment.hour % 12 or 12}:{moment.minute:02d} {'PM' if moment.hour >= 12 else 'AM'}"


def spoken_moment(moment: datetime) -> str:
    """``"Monday, September 14, 2026, at 9:20 AM"``."""
    return f"{spoken_day(moment.date())}, at {spoken_time(moment)}"
