"""Offices, call-backs, coverage, cosmetic consults and allergy services."""

from __future__ import annotations

from typing import Any

import pytest

from tests.industries.healthcare._phone import Phone

KAREN: dict[str, Any] = {
    "patient_name": "Karen Foster",
    "date_of_birth": "1979-09-23",
    "phone": "646-555-0117",
    "confirmed": True,
}
BRENDA: dict[str, Any] = {"patient_name": "Brenda Collins", "phone": "646-555-0135"}


# --- offices and call-backs ---------------------------------------------------------------------------------


def test_an_office_is_told_in_full(phone: Phone) -> None:
    office = phone.ok("list_locations", location_id="Park Ave")["office"]
    assert (office["location_id"], office["floor"], office["suite"]) == (
        "park_avenue",
        "7th floor",
        "Suite 702",
    )
    assert office["hours"] == {
        "monday_to_friday": "8 AM to 7 PM",
        "saturday": "9 AM to 2 PM",
        "sunday": "closed",
    }
    assert (office["offers_cosmetic"], office["offers_allergy"]) == (True, True)


def test_an_office_without_cosmetic_work_names_the_nearest_with(phone: Phone) -> None:
    found = phone.ok("list_locations", location_id="windermere")
    assert found["office"]["offers_cosmetic"] is False
    assert found["nearest_cosmetic"][0]["location_id"] == "winter_garden"
    assert found["in_short"].endswith(
        "It does no cosmetic work; the nearest office that does is Winter Garden"
    )
    assert phone.ok("list_locations", location_id="winter_garden")["nearest_cosmetic"] == []


@pytest.mark.parametrize(
    ("near", "first"),
    [("Brooklyn Heights", "brooklyn_heights"), ("34786", "windermere"), ("Connecticut, please", "greenwich")],
)
def test_offices_are_found_by_town_region_and_zip(near: str, first: str, phone: Phone) -> None:
    found = phone.ok("list_locations", near=near)
    assert found["office"]["location_id"] == first
    assert len(found["offices"]) <= 5


def test_a_search_can_ask_for_a_service(phone: Phone) -> None:
    found = phone.ok("list_locations", near="Central Florida", offers="cosmetic")
    assert all(office["offers_cosmetic"] for office in found["offices"])
    assert "windermere" not in {office["location_id"] for office in found["offices"]}


def test_a_search_needs_a_place(phone: Phone) -> None:
    assert phone.refused("list_locations") == "say_where"
    assert phone.refused("list_locations", offers="cosmetic") == "say_where"
    assert phone.refused("list_locations", near="Honolulu") == "no_office"
    assert phone.refused("list_locations", near="99950") == "no_office"


@pytest.mark.parametrize(
    ("topic", "promised"),
    [
        ("scheduling", "Monday, August 17, 2026, at 1:00 PM"),
        ("billing", "Tuesday, August 18, 2026, at 9:00 AM"),
        ("cost_estimate", "Wednesday, August 19, 2026, at 9:00 AM"),
        ("records", "Thursday, August 20, 2026, at 9:00 AM"),
    ],
)
def test_a_callback_is_promised_for_an_office_hour(topic: str, promised: str, phone: Phone) -> None:
    request = {"topic": topic, "caller_name": "Victor Hayes", "phone": "718-555-0166", "best_time": "morning"}
    assert phone.ok("create_callback_task", **request)["promised_by"] == promised
    assert phone.ok("create_callback_task", **request)["promised_by"] == promised
    assert phone.ask("SELECT count(*) FROM callback_tasks") == [(1,)]  # asked twice, promised once


# --- coverage -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "location_id", "accepted"),
    [
        ("aetna", "park_avenue", True),
        ("aetna_open_access_elect_choice", "park_avenue", True),
        ("unitedhealthcare", "park_avenue", True),
        ("unitedhealthcare", "brooklyn_heights", False),
        ("oscar", "brooklyn_heights", False),
        ("oscar", "union_square", True),
        ("medicare", "windermere", True),
    ],
)
def test_coverage_depends_on_plan_and_office(
    plan: str, location_id: str, accepted: bool, phone: Phone
) -> None:
    found = phone.ok("check_plan_accepted", plan=plan, location_id=location_id)
    assert found["accepted"] is accepted
    assert found["in_short"].startswith("Yes, " if accepted else "No, ")


def test_where_a_plan_is_taken_instead(phone: Phone) -> None:
    found = phone.ok("check_plan_accepted", plan="Oscar Health", location_id="Brooklyn Heights")
    assert found["elsewhere"][0] == "Union Square"
    for name in found["elsewhere"]:
        assert phone.ok("check_plan_accepted", plan="oscar", location_id=name)["accepted"]


def test_a_copay_needs_plan_number_and_birthday(phone: Phone) -> None:
    member: dict[str, Any] = {
        "plan": "cigna",
        "member_id": "804417236",
        "date_of_birth": "1988-10-16",
        "location_id": "park_avenue",
    }
    found = phone.ok("run_eligibility_check", **member)
    assert (found["copay"], found["deductible_left"], found["coinsurance"]) == (
        "$45.00",
        "$310.00",
        "20 percent",
    )
    assert found["in_network"] is True
    for change in (
        {"member_id": "804417263"},
        {"date_of_birth": "1988-10-19"},
        {"plan": "aetna"},
        {"plan": "medicare"},
    ):
        assert phone.refused("run_eligibility_check", **{**member, **change}) == "no_coverage_found"
    assert phone.refused("run_eligibility_check", **{**member, "member_id": "80441723"}) == "invalid_argument"


def test_a_copay_does_not_apply_where_the_plan_is_not_taken(phone: Phone) -> None:
    found = phone.ok(
        "run_eligibility_check",
        plan="oscar",
        member_id="720035518",
        date_of_birth="1996-12-05",
        location_id="brooklyn_heights",
    )
    assert found["in_network"] is False
    assert "does not take Oscar Health" in found["in_short"]


def test_insurance_of_somebody_new_goes_with_the_visit_just_booked(phone: Phone) -> None:
    card: dict[str, Any] = {
        "plan": "elect choice",
        "member_id": "613-908-254",
        "relationship": "self",
        "confirmed": True,
    }
    assert phone.refused("capture_insurance_update", **card) == "who_is_it_for"
    assert (
        phone.refused("capture_insurance_update", **card, appointment_id="AP-710101") == "unknown_appointment"
    )
    slot = phone.first_slot("park_avenue", "medical_visit")
    booked = phone.ok("book_appointment", slot_id=slot, visit_type="medical_visit", **KAREN)
    visit = booked["appointment_id"]
    unsure = {**card, "confirmed": False}
    assert phone.refused("capture_insurance_update", **unsure, appointment_id=visit) == "not_confirmed"
    phone.ok("capture_insurance_update", **card, appointment_id=visit)
    phone.ok("capture_insurance_update", **card, appointment_id=visit)  # on file already
    assert phone.ask("SELECT plan, member_id, relationship, appointment_id FROM insurance_records") == [
        ("aetna_open_access_elect_choice", "613908254", "self", visit)
    ]


# --- cosmetic -----------------------------------------------------------------------------------------------


def test_prices_are_the_listed_ones(phone: Phone) -> None:
    quote = phone.ok("quote_cosmetic_service", service="botox")
    assert (quote["price"], quote["deposit"]) == ("$14.00 a unit", "$50.00")
    assert phone.refused("quote_cosmetic_service", service="hair transplant") == "invalid_argument"


def test_a_consult_needs_an_offered_time_and_its_terms(phone: Phone) -> None:
    request = {"slot_id": "SL-300101", "service": "cheek_filler", "terms_accepted": True, **BRENDA}
    assert phone.refused("book_cosmetic_consult", **request) == "slot_not_offered"
    phone.first_slot("park_avenue", "cosmetic_consult")
    unsure = {**request, "terms_accepted": False}
    assert phone.refused("book_cosmetic_consult", **unsure) == "terms_not_accepted"
    nobody = {field: value for field, value in request.items() if field != "phone"}
    assert phone.refused("book_cosmetic_consult", **nobody) == "who_is_it_for"
    booked = phone.ok("book_cosmetic_consult", **request)
    assert (booked["service"], booked["deposit"]) == ("cheek_filler", "$50.00")
    assert phone.refused("book_cosmetic_consult", **{**request, "slot_id": "SL-300102"}) == "already_booked"


def test_a_medical_time_is_no_consult(phone: Phone) -> None:
    slot = phone.first_slot("park_avenue", "medical_visit")
    request = {"slot_id": slot, "service": "botox", "terms_accepted": True, **BRENDA}
    assert phone.refused("book_cosmetic_consult", **request) == "wrong_visit_type"


# --- allergy ------------------------------------------------------------------------------------------------


def test_skin_testing_takes_the_first_time_after_a_week(phone: Phone) -> None:
    booked = phone.ok("schedule_allergy_service", service="skin_testing", location_id="park_avenue", **KAREN)
    # The 19th is too soon and the 24th taken.
    assert (booked["day_spoken"], booked["time_spoken"]) == ("Tuesday, August 25, 2026", "11:00 AM")
    assert "seven days" in booked["preparation"]
    again = {"service": "skin_testing", "location_id": "park_avenue", **KAREN}
    assert phone.refused("schedule_allergy_service", **again) == "already_booked"


def test_no_skin_test_is_offered_too_soon(phone: Phone) -> None:
    assert phone.first_slot("park_avenue", "allergy_skin_testing") == "SL-300122"
    assert phone.first_slot("park_avenue", "allergy_skin_testing", from_date="2026-08-18") == "SL-300122"
    assert phone.first_slot("park_avenue", "patch_testing") == "SL-300120"


def test_patch_testing_can_be_sooner(phone: Phone) -> None:
    booked = phone.ok("schedule_allergy_service", service="patch_testing", location_id="park_avenue", **KAREN)
    assert booked["day_spoken"] == "Wednesday, August 19, 2026"


def test_a_time_found_for_another_service_is_not_a_way_round(phone: Phone) -> None:
    slot = phone.first_slot("park_avenue", "patch_testing")
    request = {"service": "skin_testing", "slot_id": slot, **KAREN}
    assert phone.refused("schedule_allergy_service", **request) == "wrong_visit_type"


def test_where_and_who_have_to_be_said(phone: Phone) -> None:
    assert phone.refused("schedule_allergy_service", service="patch_testing", **KAREN) == "say_where"
    nameless = {"service": "patch_testing", "location_id": "park_avenue", "confirmed": True}
    assert phone.refused("schedule_allergy_service", **nameless) == "who_is_it_for"
    unsure = {**KAREN, "confirmed": False}
    request = {"service": "patch_testing", "location_id": "park_avenue"}
    assert phone.refused("schedule_allergy_service", **request, **unsure) == "not_confirmed"
    elsewhere = {"service": "patch_testing", "location_id": "windermere"}
    assert phone.refused("schedule_allergy_service", **elsewhere, **KAREN) == "not_offered_here"


def test_a_full_office_has_no_opening(phone: Phone) -> None:
    phone.edit("UPDATE slots SET urgent_only = 1 WHERE location_id = 'park_avenue' AND family = 'allergy'")
    request = {"service": "patch_testing", "location_id": "park_avenue", **KAREN}
    assert phone.refused("schedule_allergy_service", **request) == "no_opening"


def test_shots_are_spaced_and_need_a_series(phone: Phone) -> None:
    slot = phone.first_slot("hoboken", "allergy_shot")
    shot = {"service": "allergy_shot", "slot_id": slot}
    assert phone.refused("schedule_allergy_service", **shot, **KAREN) == "shots_need_a_chart"
    phone.ok("identify_patient", phone="201-555-0174")
    mother = phone.verify("Helen Grant", "1983-01-30")
    request = {**shot, "confirmed": True}
    assert phone.refused("schedule_allergy_service", **request, patient_id=mother) == "shots_need_a_chart"
    sister = phone.verify("Olivia Grant", "2018-11-02")  # had one three days ago
    assert phone.refused("schedule_allergy_service", **request, patient_id=sister) == "too_soon"
    brother = phone.verify("Oliver Grant", "2016-05-19")
    booked = phone.ok("schedule_allergy_service", **request, patient_id=brother)
    assert booked["day_spoken"] == "Tuesday, August 18, 2026"
