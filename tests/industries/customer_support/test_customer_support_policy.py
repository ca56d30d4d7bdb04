"""Kestrel's arithmetic: whole cents, whole months, nothing ever rounded up in a refund."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook_industries.customer_support.policy import (
    PLUS_CENTS,
    TOTAL_CENTS,
    add_months,
    cancellation_refund_cents,
    dollars,
    spoken_date,
    unused_whole_months,
    upgrade_charge_cents,
)

DAYS = st.dates(date(2020, 1, 1), date(2035, 12, 31))
CENTS = st.integers(0, 10**7)
MONTHS = st.integers(0, 12)


@pytest.mark.parametrize(
    ("paid", "months", "refund"),
    [
        (2999, 6, 1499),  # half of an odd number of cents
        (2999, 12, 2999),
        (2999, 0, 0),
        (2999, 1, 249),
        (2999, 11, 2749),
        (17999, 7, 10499),
        (17999, 8, 11999),
        (17999, 1, 1499),
        (1999, 5, 832),
        (0, 12, 0),
    ],
)
def test_refund_of_whole_unused_months(paid: int, months: int, refund: int) -> None:
    assert cancellation_refund_cents(paid, months) == refund


@pytest.mark.parametrize(
    ("paid", "months", "charge"),
    [
        (PLUS_CENTS, 6, 7500),
        (PLUS_CENTS, 12, 15000),
        (PLUS_CENTS, 0, 1250),  # the last month is charged whole
        (1999, 9, 12000),
        (0, 12, TOTAL_CENTS),
        (TOTAL_CENTS, 5, 0),
        (TOTAL_CENTS + 1000, 5, 0),
    ],
)
def test_charge_of_an_upgrade(paid: int, months: int, charge: int) -> None:
    assert upgrade_charge_cents(paid, months) == charge


@given(CENTS, MONTHS)
def test_refund_is_the_exact_share_rounded_down_by_less_than_a_cent(paid: int, months: int) -> None:
    refund = cancellation_refund_cents(paid, months)
    exact = Fraction(paid * months, 12)
    assert exact - 1 < refund <= exact
    assert 0 <= refund <= paid


@given(CENTS, st.integers(0, 11))
def test_another_unused_month_never_lowers_a_refund(paid: int, months: int) -> None:
    assert cancellation_refund_cents(paid, months) <= cancellation_refund_cents(paid, months + 1)


@pytest.mark.parametrize("wrong", [(-1, 3), (100, -1), (100, 13)])
def test_amounts_that_make_no_sense_are_refused(wrong: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"0\.\.12 months"):
        cancellation_refund_cents(*wrong)
    with pytest.raises(ValueError, match=r"0\.\.12 months"):
        upgrade_charge_cents(*wrong)


@pytest.mark.parametrize(
    ("today", "end", "months"),
    [
        ("2026-08-12", "2027-02-20", 6),
        ("2026-08-12", "2027-02-12", 6),  # the very day counts
        ("2026-08-12", "2027-02-11", 5),
        ("2026-08-12", "2026-09-11", 0),
        ("2026-08-12", "2026-08-12", 0),
        ("2026-08-12", "2026-01-01", 0),
        ("2026-08-12", "2027-08-12", 12),
        ("2026-08-12", "2028-08-12", 12),
        ("2026-01-31", "2026-02-28", 1),  # a month from the 31st ends on the last of February
        ("2026-01-31", "2026-02-27", 0),
        ("2028-01-31", "2028-02-28", 0),  # a leap year has a 29th
        ("2026-12-15", "2027-01-15", 1),
    ],
)
def test_unused_whole_months(today: str, end: str, months: int) -> None:
    assert unused_whole_months(date.fromisoformat(today), date.fromisoformat(end)) == months


@given(DAYS, st.integers(0, 400))
def test_unused_months_are_the_most_that_fit(today: date, ahead: int) -> None:
    end = today + timedelta(days=ahead)
    months = unused_whole_months(today, end)
    assert add_months(today, months) <= end
    assert months == 12 or add_months(today, months + 1) > end


@given(DAYS, st.integers(0, 60))
def test_a_later_month_keeps_the_day_or_ends_on_its_last(day: date, months: int) -> None:
    later = add_months(day, months)
    assert (later.year * 12 + later.month) - (day.year * 12 + day.month) == months
    assert later.day == day.day or (later.day < day.day and (later + timedelta(days=1)).day == 1)


def test_amounts_and_dates_as_they_are_told() -> None:
    assert [dollars(cents) for cents in (0, 5, 1499, 129999, -250)] == [
        "$0.00",
        "$0.05",
        "$14.99",
        "$1,299.99",
        "-$2.50",
    ]
    assert spoken_date(date(2027, 2, 20)) == "February 20, 2027"
