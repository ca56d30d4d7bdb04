"""The clinic's arithmetic, with the cases on the edge."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from offhook_industries.healthcare import policy

at = datetime.fromisoformat
MONDAY = at("2026-08-17T09:00")


def test_the_clock_is_a_monday_morning() -> None:
    assert policy.NOW == MONDAY
    assert policy.spoken_moment(policy.NOW) == "Monday, August 17, 2026, at 9:00 AM"


@pytest.mark.parametrize(
    ("family", "starts_at", "cents"),
    [
        ("medical", at("2026-08-18T09:00"), 0),  # to the minute
        ("medical", at("2026-08-18T08:59"), 5000),
        ("allergy", at("2026-08-18T09:00"), 0),
        ("allergy", at("2026-08-17T15:00"), 5000),
        ("surgical", at("2026-08-19T09:00"), 0),
        ("surgical", at("2026-08-19T08:59"), 15000),
        ("cosmetic", at("2026-08-19T09:00"), 0),
        ("cosmetic", at("2026-08-18T11:00"), 5000),
    ],
)
def test_changing_is_free_up_to_the_notice(family: str, starts_at: datetime, cents: int) -> None:
    assert policy.change_fee_cents(family, starts_at, MONDAY) == cents


def test_an_unknown_family_has_no_fee() -> None:
    with pytest.raises(KeyError):
        policy.change_fee_cents("dental", MONDAY, MONDAY)


@pytest.mark.parametrize(
    ("start", "hours", "then"),
    [
        (MONDAY, 4, at("2026-08-17T13:00")),
        (MONDAY, 9, at("2026-08-17T18:00")),  # ends exactly at closing time
        (MONDAY, 10, at("2026-08-18T09:00")),
        (MONDAY, 20, at("2026-08-19T09:00")),
        (MONDAY, 50, at("2026-08-24T09:00")),
        (at("2026-08-21T17:00"), 2, at("2026-08-24T09:00")),  # over a weekend
        (at("2026-08-22T12:00"), 1, at("2026-08-24T09:00")),  # on a Saturday
        (at("2026-08-21T19:00"), 1, at("2026-08-24T09:00")),  # on a Friday evening
        (at("2026-08-18T06:00"), 1, at("2026-08-18T09:00")),  # before opening
        (MONDAY, 0, MONDAY),
    ],
)
def test_office_hours_skip_nights_and_weekends(start: datetime, hours: int, then: datetime) -> None:
    assert policy.add_office_hours(start, hours) == then


def test_office_hours_do_not_run_back() -> None:
    with pytest.raises(ValueError, match="-1 office hours"):
        policy.add_office_hours(MONDAY, -1)


@pytest.mark.parametrize(
    ("born", "age"),
    [
        (date(2008, 8, 17), 18),  # turns eighteen today
        (date(2008, 8, 18), 17),
        (date(2016, 5, 19), 10),
        (date(1972, 6, 30), 54),
    ],
)
def test_age_counts_full_years(born: date, age: int) -> None:
    assert policy.age_on(born, MONDAY.date()) == age


def test_a_leap_day_child_turns_on_the_first_of_march() -> None:
    assert policy.age_on(date(2008, 2, 29), date(2026, 2, 28)) == 17
    assert policy.age_on(date(2008, 2, 29), date(2026, 3, 1)) == 18


@pytest.mark.parametrize(
    ("amount", "months", "monthly"),
    [(48600, 6, 8100), (48600, 12, 4050), (25001, 6, 4167), (0, 6, 0), (1, 12, 1)],
)
def test_monthly_parts_cover_the_amount(amount: int, months: int, monthly: int) -> None:
    assert policy.monthly_cents(amount, months) == monthly
    assert policy.monthly_cents(amount, months) * months >= amount


@pytest.mark.parametrize(("amount", "months"), [(-1, 6), (100, 0)])
def test_impossible_parts_are_refused(amount: int, months: int) -> None:
    with pytest.raises(ValueError, match="expected >= 0 and >= 1"):
        policy.monthly_cents(amount, months)


def test_skin_tests_need_a_week_without_antihistamines() -> None:
    assert policy.earliest_day("allergy_skin_testing", MONDAY) == date(2026, 8, 24)
    assert policy.earliest_day("patch_testing", MONDAY) == date(2026, 8, 17)


@pytest.mark.parametrize(
    ("cents", "said"), [(5000, "$50.00"), (0, "$0.00"), (129999, "$1,299.99"), (-250, "-$2.50"), (7, "$0.07")]
)
def test_money_is_said_in_dollars(cents: int, said: str) -> None:
    assert policy.dollars(cents) == said


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        (at("2026-08-26T00:05"), "12:05 AM"),
        (at("2026-08-26T12:00"), "12:00 PM"),
        (at("2026-08-26T14:05"), "2:05 PM"),
        (at("2026-08-26T09:40"), "9:40 AM"),
    ],
)
def test_times_are_said_on_the_twelve_hour_clock(moment: datetime, said: str) -> None:
    assert policy.spoken_time(moment) == said
