"""TechCrew: who pays for what, what may be booked where and when, and what is kept out of a booking."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from tests.industries.customer_support._phone import Desk, Phone

TABLET = {"order_number": "KE-4426973"}
BENCH = {**TABLET, "service": "bench", "day": "2026-08-17", "postal_code": "37211"}


@pytest.mark.parametrize(
    ("name", "number", "failure", "payer", "cost"),
    [
        ("Teresa Gomez", "KE-4411526", "not_working", "total", "nothing"),
        ("Kevin Marsh", "KE-4475832", "drop_damage", "plan", "$99.00"),
        ("Kevin Marsh", "KE-4475832", "liquid_damage", "plan", "$99.00"),
        ("Kevin Marsh", "KE-4475832", "not_working", "manufacturer", "nothing"),  # bought in November 2025
        ("Kevin Marsh", "KE-4475832", "cosmetic", "nobody", "$39.99"),
        ("Linda Brooks", "KE-4426973", "drop_damage", "total", "nothing"),
        ("Linda Brooks", "KE-4426973", "setup_help", "total", "nothing"),
        ("Lucas Brooks", "KE-4426937", "drop_damage", "nobody", "$39.99"),
        ("Peter Lawson", "KE-4438615", "not_working", "nobody", "$39.99"),
        ("Diego Morales", "KE-4443281", "not_working", "manufacturer", "nothing"),
    ],
)
def test_who_pays(name: str, number: str, failure: str, payer: str, cost: str, phone: Phone) -> None:
    phone.caller(name)
    before = phone.rows()
    found = phone.ok("check_coverage", order_number=number, failure=failure)
    assert (found["payer"], found["cost"]) == (payer, cost)
    assert found["covered"] is (payer != "nobody")
    assert phone.rows() == before


def test_a_hot_battery_is_no_repair(phone: Phone) -> None:
    phone.caller("Linda Brooks")
    assert phone.refused("check_coverage", **TABLET, failure="swollen_or_hot_battery") == "battery_hazard"
    assert phone.refused("book_service_appointment", **BENCH) == "coverage_not_checked"


def test_plans_are_listed_with_what_the_membership_covers(phone: Phone) -> None:
    phone.caller("Kevin Marsh")
    found = phone.ok("get_protection_plans")
    (plan,) = found["plans"]
    assert (plan["item"], plan["deductible"], plan["active"]) == ("Bellwether Nova 8 phone", "$99.00", True)
    assert plan["ends_on"] == "November 19, 2027"
    phone.caller("Linda Brooks")
    found = phone.ok("get_protection_plans")
    assert found["plans"] == []
    assert "Kestrel Total covers failures" in found["in_short"]


# --- booking --------------------------------------------------------------------------------------------


def test_nobody_is_booked_in_before_the_cost_was_told(phone: Phone) -> None:
    phone.caller("Linda Brooks")
    assert phone.refused("book_service_appointment", **BENCH) == "coverage_not_checked"
    phone.ok("check_coverage", **TABLET, failure="drop_damage")
    done = phone.ok("book_service_appointment", **BENCH)
    assert (done["appointment_id"], done["cost"]) == ("TC-4426973-10", "nothing")
    assert done["day_spoken"] == "Monday, August 17, 2026"
    assert " TN 37" in done["store_address"]
    assert phone.refused("book_service_appointment", **BENCH) == "already_booked"


def test_what_is_lost_is_not_repaired(phone: Phone) -> None:
    phone.caller("Linda Brooks")
    assert phone.ok("check_coverage", **TABLET, failure="lost_or_stolen")["services"] == []
    assert phone.refused("book_service_appointment", **BENCH) == "nothing_to_repair"


def test_the_last_check_of_an_order_is_the_one_that_counts(phone: Phone) -> None:
    phone.caller("Linda Brooks")
    phone.ok("check_coverage", **TABLET, failure="drop_damage")
    phone.ok("check_coverage", **TABLET, failure="cosmetic")
    assert phone.ok("book_service_appointment", **BENCH)["cost"] == "$39.99"


def test_of_two_items_the_one_that_was_checked_last_is_booked(desk: Desk) -> None:
    desk.caller("Linda Brooks")
    desk.db.execute("INSERT INTO order_items VALUES ('KE-4426973', 2, 'CO-3001', 1, 64999, 0, 1)")
    for first, last in (("tablet", "laptop"), ("laptop", "tablet")):
        desk.use("check_coverage", **TABLET, item=first, failure="drop_damage")
        desk.use("check_coverage", **TABLET, item=last, failure="drop_damage")
        assert last in desk.use("book_service_appointment", **BENCH)["item"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"postal_code": None}, "zip_needed"),
        ({"postal_code": "00501"}, "no_bench_nearby"),
        ({"day": "2026-08-12"}, "day_not_open"),
        ({"day": "2026-08-05"}, "day_not_open"),
        ({"day": "2026-09-12"}, "day_not_open"),
        ({"service": "in_home"}, "wrong_service"),
    ],
)
def test_bookings_that_can_not_be(change: Mapping[str, Any], code: str, phone: Phone) -> None:
    phone.caller("Linda Brooks")
    phone.ok("check_coverage", **TABLET, failure="drop_damage")
    assert phone.refused("book_service_appointment", **{**BENCH, **change}) == code


@pytest.mark.parametrize("day", ["2026-08-13", "2026-09-11"])
def test_first_and_last_day_with_appointments(day: str, phone: Phone) -> None:
    phone.caller("Linda Brooks")
    phone.ok("check_coverage", **TABLET, failure="drop_damage")
    assert phone.ok("book_service_appointment", **{**BENCH, "day": day})["window"] == "noon to 2 PM"


def test_a_full_window_gives_the_next_and_a_full_day_none(desk: Desk) -> None:
    desk.caller("Linda Brooks")
    desk.use("check_coverage", **TABLET, failure="drop_damage")
    done = desk.use("book_service_appointment", **BENCH)
    row = desk.db.execute(
        "SELECT * FROM service_appointments WHERE appointment_id = ?", (done["appointment_id"],)
    ).fetchone()
    desk.use("cancel_service_appointment", appointment_id=done["appointment_id"])
    windows = []
    for _ in range(3):
        for index in range(3):
            filler = (f"TC-X-{done['window']}{index}", *tuple(row)[1:6], done["window"], "booked", 0)
            filler = (filler[0], 100003, *filler[2:])
            desk.db.execute("INSERT INTO service_appointments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", filler)
        windows.append(done["window"])
        if len(windows) < 3:
            done = desk.use("book_service_appointment", **BENCH)
            desk.use("cancel_service_appointment", appointment_id=done["appointment_id"])
    assert windows == ["noon to 2 PM", "2 PM to 4 PM", "4 PM to 6 PM"]
    assert desk.code("book_service_appointment", **BENCH) == "day_not_open"


def test_appliances_are_seen_at_home_and_not_on_sundays(desk: Desk) -> None:
    desk.caller("Denise Walker")
    desk.now = datetime.fromisoformat("2026-08-12T10:15")
    order = {"order_number": "KE-4429357"}
    found = desk.use("check_coverage", **order, failure="drop_damage")
    assert (found["services"], found["cost"]) == (["in_home"], "$99.99")
    booking = {**order, "service": "in_home", "postal_code": "74133"}
    assert desk.code("book_service_appointment", **booking, day="2026-08-16") == "day_not_open"
    bench = {**booking, "service": "bench", "day": "2026-08-17"}
    assert desk.code("book_service_appointment", **bench) == "wrong_service"
    done = desk.use("book_service_appointment", **booking, day="2026-08-17")
    assert (done["window"], done["cost"], done["store_name"]) == ("8 AM to noon", "$99.99", "")


def test_a_remote_session_needs_no_place(phone: Phone) -> None:
    phone.caller("Linda Brooks")
    phone.ok("check_coverage", **TABLET, failure="setup_help")
    done = phone.ok("book_service_appointment", **TABLET, service="remote", day="2026-08-16")
    assert (done["service"], done["store_name"]) == ("remote", "")


# --- reading and cancelling -----------------------------------------------------------------------------


def test_an_appointment_is_cancelled_once_by_its_own_customer(phone: Phone) -> None:
    phone.caller("Linda Brooks")
    phone.ok("check_coverage", **TABLET, failure="drop_damage")
    number = phone.ok("book_service_appointment", **BENCH)["appointment_id"]
    (listed,) = phone.ok("get_service_appointment")["appointments"]
    assert (listed["appointment_id"], listed["status"]) == (number, "booked")
    phone.caller("Lucas Brooks")  # the same household
    assert phone.refused("cancel_service_appointment", appointment_id=number) == "unknown_appointment"
    assert phone.ok("get_service_appointment")["in_short"] == "there is no TechCrew appointment ahead"
    phone.caller("Linda Brooks")
    assert phone.ok("cancel_service_appointment", appointment_id=number)["cancelled"] is True
    assert phone.refused("cancel_service_appointment", appointment_id=number) == "already_cancelled"
    again = phone.ok("book_service_appointment", **{**BENCH, "day": "2026-08-18"})
    assert again["appointment_id"] == "TC-4426973-11"


def test_what_is_done_is_not_cancelled(desk: Desk) -> None:
    desk.caller("Linda Brooks")
    desk.use("check_coverage", **TABLET, failure="drop_damage")
    number = desk.use("book_service_appointment", **BENCH)["appointment_id"]
    desk.db.execute("UPDATE service_appointments SET status = 'done' WHERE appointment_id = ?", (number,))
    assert desk.code("cancel_service_appointment", appointment_id=number) == "already_done"
