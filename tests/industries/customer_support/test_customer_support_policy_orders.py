"""Kestrel's rules on returns, deliveries and repairs, at their edges."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook_industries.customer_support import policy

TODAY = date(2026, 8, 12)


@pytest.mark.parametrize(
    ("product_class", "tier", "marketplace", "recalled", "days"),
    [
        ("standard", "standard", False, False, 15),
        ("standard", "plus", False, False, 60),
        ("standard", "total", False, False, 60),
        ("activatable", "standard", False, False, 14),
        ("activatable", "total", False, False, 14),
        ("major_appliance", "plus", False, False, 60),
        ("standard", "total", True, False, 14),
        ("activatable", "standard", False, True, None),
        ("standard", "standard", True, True, None),
    ],
)
def test_windows(product_class: str, tier: str, marketplace: bool, recalled: bool, days: int | None) -> None:
    window = policy.return_window(product_class, tier, marketplace=marketplace, recalled=recalled)
    assert window.days == days
    last = window.last_day(date(2026, 8, 1))
    assert last == (None if days is None else date(2026, 8, 1) + timedelta(days=days))


@pytest.mark.parametrize(
    ("product_class", "kind", "opened", "state", "fault", "cents"),
    [
        ("activatable", "phone", True, "TX", False, 4500),
        ("activatable", "phone", False, "TX", False, 0),
        ("activatable", "phone", True, "OH", False, 0),
        ("activatable", "phone", True, "TX", True, 0),
        ("standard", "drone", True, "CA", False, 10499),  # 10499.85, floored
        ("standard", "drone", False, "CA", False, 0),
        ("standard", "laptop", True, "CA", False, 0),
        ("special_order", "range", False, "CA", False, 10499),
        ("special_order", "range", True, "CA", False, 10499),
        ("special_order", "range", True, "SC", False, 0),
    ],
)
def test_restocking(product_class: str, kind: str, opened: bool, state: str, fault: bool, cents: int) -> None:
    fee = policy.restocking_fee(product_class, kind, 69999, opened=opened, state=state, fault=fault)
    assert fee.cents == cents
    assert fee.spoken == (policy.dollars(cents) if cents else "no fee")
    assert fee.why


def test_the_states_without_restocking_fees() -> None:
    assert {"CO", "HI", "IA", "MS", "OH", "SC"} == policy.NO_RESTOCKING_STATES


@given(st.integers(0, 10**7), st.sampled_from(sorted(policy.RESTOCKING_KINDS)))
def test_a_percentage_is_never_rounded_up(cents: int, kind: str) -> None:
    fee = policy.restocking_fee("standard", kind, cents, opened=True, state="CA", fault=False)
    assert 0 <= cents * 15 - fee.cents * 100 < 100


@pytest.mark.parametrize(
    ("day", "count", "later"),
    [
        ("2026-08-12", 3, "2026-08-17"),  # a Wednesday
        ("2026-08-12", 7, "2026-08-21"),
        ("2026-08-14", 1, "2026-08-17"),  # a Friday
        ("2026-08-15", 1, "2026-08-17"),  # a Saturday
        ("2026-08-12", 0, "2026-08-12"),
    ],
)
def test_business_days(day: str, count: int, later: str) -> None:
    assert policy.add_business_days(date.fromisoformat(day), count) == date.fromisoformat(later)


def test_when_refunds_post() -> None:
    assert policy.refund_dates("credit", TODAY) == (date(2026, 8, 17), date(2026, 8, 21))
    assert policy.refund_dates("debit", TODAY) == policy.refund_dates("credit", TODAY)
    assert policy.refund_dates("store_card", TODAY) == (date(2026, 8, 14), date(2026, 8, 14))


@pytest.mark.parametrize(
    ("window", "hour"),
    [(policy.VISIT_WINDOWS[0], 8), (policy.VISIT_WINDOWS[1], 12), (policy.VISIT_WINDOWS[2], 16)],
)
def test_when_a_window_opens(window: str, hour: int) -> None:
    assert policy.window_opens(TODAY, window) == datetime.fromisoformat(f"2026-08-12T{hour:02d}:00")


@pytest.mark.parametrize(
    ("ahead", "tier", "cents"),
    [
        (timedelta(hours=48), "standard", 0),
        (timedelta(hours=47, minutes=59), "standard", 2999),
        (timedelta(hours=47, minutes=59), "plus", 2999),
        (timedelta(hours=1), "total", 0),
        (timedelta(hours=-1), "standard", 2999),
    ],
)
def test_the_fee_of_a_late_change(ahead: timedelta, tier: str, cents: int) -> None:
    assert policy.delivery_change_fee(policy.NOW, policy.NOW + ahead, tier).cents == cents


def test_days_with_deliveries() -> None:
    days = policy.delivery_days(TODAY)
    assert (days[0], days[-1]) == (date(2026, 8, 14), date(2026, 9, 11))
    assert date(2026, 8, 16) not in days
    assert all(day.isoweekday() != 7 for day in days)
    assert len(days) == 25


@pytest.mark.parametrize(
    ("day", "service", "is_open"),
    [
        ("2026-08-12", "bench", False),
        ("2026-08-13", "bench", True),
        ("2026-09-11", "bench", True),
        ("2026-09-12", "bench", False),
        ("2026-08-16", "bench", True),
        ("2026-08-16", "in_home", False),
        ("2026-08-16", "remote", True),
    ],
)
def test_days_with_appointments(day: str, service: str, is_open: bool) -> None:
    assert policy.service_day_open(TODAY, date.fromisoformat(day), service) is is_open


def _cover(failure: str, **change: object) -> policy.Cover:
    facts: dict[str, object] = {
        "kind": "phone",
        "bought": date(2025, 8, 12),
        "warranty_months": 12,
        "tier": "standard",
        "marketplace": False,
        "plan": None,
        "today": TODAY,
        **change,
    }
    kind = str(facts.pop("kind"))
    return policy.cover_for(failure, kind, **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("failure", "change", "payer", "cents"),
    [
        ("not_working", {}, "manufacturer", 0),  # the warranty's last day
        ("not_working", {"bought": date(2025, 8, 11)}, "nobody", None),
        ("not_working", {"bought": date(2025, 8, 11), "tier": "plus"}, "nobody", None),
        ("not_working", {"bought": date(2025, 8, 11), "tier": "total"}, "total", 0),
        ("not_working", {"bought": date(2024, 8, 12), "tier": "total"}, "total", 0),
        ("not_working", {"bought": date(2024, 8, 11), "tier": "total"}, "nobody", None),
        ("not_working", {"bought": date(2025, 8, 11), "tier": "total", "marketplace": True}, "nobody", None),
        ("not_working", {"bought": date(2025, 8, 11), "plan": (0, False)}, "plan", 0),
        ("drop_damage", {}, "nobody", None),
        ("drop_damage", {"plan": (9900, True)}, "plan", 9900),
        ("drop_damage", {"plan": (0, False)}, "nobody", None),
        ("drop_damage", {"plan": (9900, True), "tier": "total"}, "total", 0),
        ("drop_damage", {"kind": "range", "tier": "total"}, "nobody", None),
        ("liquid_damage", {"tier": "total"}, "total", 0),
        ("setup_help", {"plan": (9900, True)}, "nobody", None),
        ("setup_help", {"tier": "total"}, "total", 0),
        ("cosmetic", {"tier": "total", "plan": (9900, True)}, "nobody", None),
        ("lost_or_stolen", {"tier": "total", "plan": (9900, True)}, "nobody", None),
    ],
)
def test_who_pays_for_what(failure: str, change: dict[str, object], payer: str, cents: int | None) -> None:
    cover = _cover(failure, **change)
    assert (cover.payer, cover.cents) == (payer, cents)
    assert cover.repairable is (failure != "lost_or_stolen")


def test_days_as_they_are_told() -> None:
    assert policy.spoken_day(date(2026, 8, 20)) == "Thursday, August 20, 2026"
    assert policy.spoken_span(TODAY, date(2026, 8, 17)) == "between August 12, 2026 and August 17, 2026"
