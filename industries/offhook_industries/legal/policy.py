"""Halverson & Reed's numbers, and the arithmetic on them.

Money is whole cents. Filing deadlines are counted in whole months or in days from the day of the incident and
never rolled over a weekend: of two possible days the earlier one is safe.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final

from offhook_industries.common.saying import add_months

__all__ = [
    "CALLBACK_CUTOFF",
    "CANCELLATION_NOTICE",
    "CONSULTATION_CENTS",
    "CONSULTATION_MINUTES",
    "CONTINGENCY_BEFORE_SUIT",
    "CONTINGENCY_IN_SUIT",
    "HOLD_LIFETIME",
    "HOURLY_CENTS",
    "MOST_SLOTS_OFFERED",
    "NOW",
    "URGENT_DAYS",
    "callback_by",
    "cancellation_fee_cents",
    "days_left",
    "evaluation_fee_cents",
    "filing_deadline",
    "next_business_day",
]

NOW: Final = datetime.fromisoformat("2026-08-17T10:00")
"""The scenario clock: a Monday morning in company time."""

CONSULTATION_CENTS: Final = 17500
CONSULTATION_MINUTES: Final = 45
HOURLY_CENTS: Final = 39000
CONTINGENCY_BEFORE_SUIT: Final = "one third"
CONTINGENCY_IN_SUIT: Final = "forty percent"
HOLD_LIFETIME: Final = timedelta(minutes=15)
CANCELLATION_NOTICE: Final = timedelta(hours=24)
CALLBACK_CUTOFF: Final = time(15, 0)
URGENT_DAYS: Final = 60
MOST_SLOTS_OFFERED: Final = 4

_SATURDAY: Final = 5


def filing_deadline(incident: date, amount: int, unit: str) -> date:
    """The last day to file: ``amount`` months or days after the incident.

    Raises:
        ValueError: an amount below 1, or a unit other than ``months`` and ``days``.
    """
    if amount < 1 or unit not in ("months", "days"):
        raise ValueError(f"no deadline of {amount} {unit}: expected at least 1 and months or days")
    return add_months(incident, amount) if unit == "months" else incident + timedelta(days=amount)


def days_left(today: date, deadline: date) -> int:
    """Days from today to the deadline; negative once it has passed. On the last day itself 0 are left, and
    filing is still in time.
    """
    return (deadline - today).days


def next_business_day(day: date) -> date:
    """The first Monday to Friday after ``day``."""
    day += timedelta(days=1)
    while day.weekday() >= _SATURDAY:
        day += timedelta(days=1)
    return day


def callback_by(taken: datetime) -> date:
    """The day by whose end a message taken at that time is answered: the next business day, or the one after
    it where the message came in after the cut-off or on a weekend.
    """
    day = next_business_day(taken.date())
    late = taken.time() >= CALLBACK_CUTOFF or taken.weekday() >= _SATURDAY
    return next_business_day(day) if late else day


def evaluation_fee_cents(fee_kind: str) -> int:
    """What a case evaluation costs: nothing where the firm is paid out of the recovery."""
    return CONSULTATION_CENTS if fee_kind == "hourly" else 0


def cancellation_fee_cents(fee_cents: int, now: datetime, starts_at: datetime) -> int:
    """Half the fee of an evaluation that is cancelled on less than a day's notice, floored; else nothing."""
    return 0 if starts_at - now >= CANCELLATION_NOTICE else fee_cents // 2
