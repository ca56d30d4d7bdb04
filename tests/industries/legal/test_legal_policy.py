"""Dates, fees and deadlines of the firm, at their edges."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from offhook_industries.legal import policy
from offhook_industries.legal.areas import AREAS
from offhook_industries.legal.seed.limits import limits
from offhook_industries.legal.states import LICENSED, STATE_CODES


def test_the_clock_is_a_monday_morning() -> None:
    assert policy.NOW.isoformat() == "2026-08-17T10:00:00"
    assert policy.NOW.weekday() == 0


@pytest.mark.parametrize(
    ("incident", "amount", "unit", "last"),
    [
        ("2025-02-11", 24, "months", "2027-02-11"),
        ("2024-02-29", 24, "months", "2026-02-28"),
        ("2024-02-29", 48, "months", "2028-02-29"),
        ("2026-08-31", 30, "months", "2029-02-28"),
        ("2026-03-06", 180, "days", "2026-09-02"),
        ("2026-01-01", 365, "days", "2027-01-01"),
        ("2024-01-01", 365, "days", "2024-12-31"),
        ("2026-12-15", 1, "months", "2027-01-15"),
    ],
)
def test_a_deadline_is_counted_from_the_day_of_the_incident(
    incident: str, amount: int, unit: str, last: str
) -> None:
    assert policy.filing_deadline(date.fromisoformat(incident), amount, unit) == date.fromisoformat(last)


@pytest.mark.parametrize(("amount", "unit"), [(0, "months"), (-3, "days"), (2, "years")])
def test_no_deadline_of_nothing_or_of_unknown_units(amount: int, unit: str) -> None:
    with pytest.raises(ValueError, match="expected at least 1 and months or days"):
        policy.filing_deadline(date(2026, 1, 1), amount, unit)


def test_on_the_last_day_there_is_still_time() -> None:
    day = date(2026, 8, 17)
    assert [policy.days_left(day, day + timedelta(days=n)) for n in (-1, 0, 1)] == [-1, 0, 1]


@pytest.mark.parametrize(
    ("taken", "due"),
    [
        ("2026-08-17T10:00", "2026-08-18"),
        ("2026-08-17T14:59", "2026-08-18"),
        ("2026-08-17T15:00", "2026-08-19"),
        ("2026-08-20T16:30", "2026-08-24"),
        ("2026-08-21T09:00", "2026-08-24"),
        ("2026-08-21T15:00", "2026-08-25"),
        ("2026-08-22T09:00", "2026-08-25"),
    ],
)
def test_a_call_back_is_due_on_the_next_business_day(taken: str, due: str) -> None:
    assert policy.callback_by(datetime.fromisoformat(taken)) == date.fromisoformat(due)


def test_only_hourly_matters_cost_something_to_look_at() -> None:
    fees = {kind: policy.evaluation_fee_cents(kind) for kind in ("contingency", "hourly", "none")}
    assert fees == {"contingency": 0, "hourly": 17500, "none": 0}


@pytest.mark.parametrize(
    ("fee", "notice", "charged"),
    [
        (17500, timedelta(hours=24), 0),
        (17500, timedelta(hours=23, minutes=59), 8750),
        (17501, timedelta(0), 8750),
        (0, timedelta(minutes=5), 0),
    ],
)
def test_cancelling_late_costs_half_the_fee(fee: int, notice: timedelta, charged: int) -> None:
    assert policy.cancellation_fee_cents(fee, policy.NOW, policy.NOW + notice) == charged


# --- the table of filing limits -----------------------------------------------------------------------------


def test_limits_are_for_handled_matters_in_licensed_states_and_name_their_statute() -> None:
    handled = {area.matter_type for area in AREAS if area.handled}
    rows = list(limits())
    assert len({row[:2] for row in rows}) == len(rows)
    for matter_type, state, amount, unit, statute in rows:
        assert matter_type in handled
        assert state in LICENSED
        assert amount > 0
        assert unit in ("months", "days")
        assert any(char.isdigit() for char in statute)


@pytest.mark.parametrize(
    ("matter_type", "state", "amount", "unit", "statute"),
    [
        ("auto_accident", "Georgia", 24, "months", "9-3-33"),
        ("auto_accident", "Florida", 24, "months", "95.11"),
        ("auto_accident", "North Carolina", 36, "months", "1-52(16)"),
        ("auto_accident", "Colorado", 36, "months", "13-80-101(1)(n)"),
        ("premises_liability", "Colorado", 24, "months", "13-80-102"),
        ("premises_liability", "Texas", 24, "months", "16.003"),
        ("medical_malpractice", "New York", 30, "months", "214-a"),
        ("medical_malpractice", "Ohio", 12, "months", "2305.113"),
        ("employment", "Washington", 36, "months", "4.16.080"),
        ("employment", "Texas", 180, "days", "21.202"),
        ("workers_compensation", "Florida", 24, "months", "440.19"),
        ("consumer", "Texas", 24, "months", "17.565"),
        ("consumer", "Pennsylvania", 72, "months", "5527"),
    ],
)
def test_limits_are_the_published_ones(
    matter_type: str, state: str, amount: int, unit: str, statute: str
) -> None:
    (row,) = [row for row in limits() if row[:2] == (matter_type, state)]
    assert row[2:4] == (amount, unit)
    assert statute in row[4]


def test_states_are_all_there_with_their_codes() -> None:
    assert len(STATE_CODES) == 51
    assert len(set(STATE_CODES.values())) == 51
    assert STATE_CODES["North Carolina"] == "NC"
    assert STATE_CODES["District of Columbia"] == "DC"
    assert set(LICENSED) <= set(STATE_CODES)
    assert "Arizona" not in LICENSED
