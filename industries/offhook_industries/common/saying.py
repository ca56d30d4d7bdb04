"""Dates, times and amounts as they are said on the phone, and the months between dates."""

from __future__ import annotations

import calendar
from datetime import date, time

__all__ = ["add_months", "dollars", "spoken_date", "spoken_day", "spoken_time"]


def add_months(day: date, months: int) -> date:
    """The same day of a later month, or that month's last day where it is shorter (January 31 plus one is
    February 28).
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def dollars(cents: int) -> str:
    """``1499`` as ``"$14.99"``, ``129999`` as ``"$1,299.99"``."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def spoken_date(day: date) -> str:
    """``2027-02-20`` as ``"February 20, 2027"``."""
    return f"{calendar.month_name[day.month]} {day.day}, {day.year}"


def spoken_day(day: date) -> str:
    """``2026-08-18`` as ``"Tuesday, August 18"``."""
    return f"{calendar.day_name[day.weekday()]}, {calendar.month_name[day.month]} {day.day}"


def spoken_time(moment: time) -> str:
    """``14:30`` as ``"2:30 PM"``."""
    return f"{moment.hour % 12 or 12}:{moment.minute:02d} {'PM' if moment.hour >= 12 else 'AM'}"
