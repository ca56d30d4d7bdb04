"""The identity gate: what opens a chart, what doesn't, and what stays shut without it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.industries.healthcare._phone import Phone

MARIA = ("Maria Alvarez", "1972-06-30")
MARIA_ID = "P-200482"
CHART_TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_patient_summary", {}),
    ("get_account_balance", {}),
    ("offer_financing", {"purpose": "medical_balance"}),
    ("send_payment_link", {"phone": "212-555-0133", "purpose": "medical_balance"}),
    ("get_results_status", {"kind": "biopsy"}),
    ("request_rx_refill", {"medication": "tretinoin"}),
    (
        "create_clinical_message",
        {"topic": "results", "urgency": "routine", "callback_phone": "212-555-0133", "message": "?"},
    ),
    ("send_portal_activation", {"channel": "email"}),
    ("join_waitlist", {"location_id": "park_avenue", "visit_type": "follow_up"}),
    (
        "capture_insurance_update",
        {"plan": "cigna", "member_id": "1" * 9, "relationship": "self", "confirmed": True},
    ),
    ("book_appointment", {"slot_id": "SL-300111", "visit_type": "medical_visit", "confirmed": True}),
    ("book_cosmetic_consult", {"slot_id": "SL-300101", "service": "botox", "terms_accepted": True}),
    (
        "schedule_allergy_service",
        {"service": "patch_testing", "location_id": "park_avenue", "confirmed": True},
    ),
)
RECORD_TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("explain_charge", {"charge_id": "CH-550101"}),
    ("request_fee_waiver", {"charge_id": "CH-550374", "reason": "illness"}),
    ("cancel_appointment", {"appointment_id": "AP-710101", "confirmed": True}),
    ("reschedule_appointment", {"appointment_id": "AP-710101", "slot_id": "SL-300101", "confirmed": True}),
)


@pytest.mark.parametrize(("tool", "arguments"), CHART_TOOLS)
def test_a_chart_is_shut_before_verification(tool: str, arguments: dict[str, Any], phone: Phone) -> None:
    phone.ok("identify_patient", phone="212-555-0133")
    assert phone.refused(tool, patient_id=MARIA_ID, **arguments) == "not_verified"


@pytest.mark.parametrize(("tool", "arguments"), CHART_TOOLS)
def test_verifying_one_patient_opens_no_other_chart(
    tool: str, arguments: dict[str, Any], phone: Phone
) -> None:
    phone.verify("Kevin Walsh", "1959-12-12")
    assert phone.refused(tool, patient_id=MARIA_ID, **arguments) == "wrong_patient"
    assert phone.refused(tool, patient_id="P-999999", **arguments) == "wrong_patient"


@pytest.mark.parametrize(("tool", "arguments"), RECORD_TOOLS)
def test_charges_and_visits_are_shut_before_verification(
    tool: str, arguments: dict[str, Any], phone: Phone
) -> None:
    assert phone.refused(tool, **arguments) == "not_verified"


@pytest.mark.parametrize(("tool", "arguments"), RECORD_TOOLS)
def test_charges_and_visits_of_others_are_unknown(tool: str, arguments: dict[str, Any], phone: Phone) -> None:
    phone.verify("Kevin Walsh", "1959-12-12")
    assert phone.refused(tool, **arguments) in ("unknown_charge", "unknown_appointment")


def test_a_verified_patient_hears_of_coming_visits(phone: Phone) -> None:
    found = phone.ok("verify_identity", full_name="Maria Alvarez", date_of_birth="June 30, 1972")
    assert (found["verified"], found["patient_id"], found["minor"]) == (True, MARIA_ID, False)
    assert [visit["appointment_id"] for visit in found["appointments"]] == ["AP-710101", "AP-710102"]
    assert found["next_appointment"]["in_short"] == (
        "a cosmetic consult at Park Avenue on Friday, August 21, 2026, at 11:00 AM"
    )
    chart = phone.ok("get_patient_summary", patient_id=MARIA_ID)
    assert (chart["home_office"], chart["insurance"], chart["balance_due"]) == ("Park Avenue", "Aetna", True)
    assert chart["age"] == 54


def test_a_visit_that_is_over_is_not_told(phone: Phone) -> None:
    found = phone.ok("verify_identity", full_name="Teresa Quigley", date_of_birth="1981-09-02")
    assert "AP-719004" not in {visit["appointment_id"] for visit in found["appointments"]}


@pytest.mark.parametrize(
    ("full_name", "date_of_birth"),
    [
        ("Maria Alvarez", "1972-06-13"),  # her neighbour's birthday
        ("Mario Alvarez", "1972-06-30"),
        ("Maria", "1972-06-30"),
        ("Nina Brooks", "1996-12-05"),  # has no chart
    ],
)
def test_name_and_birthday_must_both_fit(full_name: str, date_of_birth: str, phone: Phone) -> None:
    assert phone.refused("verify_identity", full_name=full_name, date_of_birth=date_of_birth) == "no_match"
    assert phone.refused("get_account_balance", patient_id=MARIA_ID) == "not_verified"


def test_a_name_as_recognisers_hear_it_is_enough(phone: Phone) -> None:
    assert phone.verify("Maria Alvares", "1972-06-30") == MARIA_ID
    assert phone.verify("Stephen Harper", "1984-03-14") == "P-207755"


def test_three_misses_lock_the_call_even_for_the_right_patient(phone: Phone) -> None:
    for _ in range(2):
        code = phone.refused("verify_identity", full_name="Maria Alvarez", date_of_birth="1970-01-01")
        assert code == "no_match"
    assert phone.refused("verify_identity", full_name="Maria Alvarez", date_of_birth="1970-01-01") == "locked"
    assert phone.refused("verify_identity", full_name=MARIA[0], date_of_birth=MARIA[1]) == "locked"


def test_what_does_not_match_says_not_what_is_wrong(phone: Phone) -> None:
    wrong_day = phone.use("verify_identity", full_name="Maria Alvarez", date_of_birth="1972-07-30")
    wrong_name = phone.use("verify_identity", full_name="Gita Wong", date_of_birth="1972-06-30")
    assert wrong_day == wrong_name


def test_two_of_one_name_and_birthday_are_told_apart_by_zip(phone: Phone) -> None:
    twin = {"full_name": "Jacob Lindqvist", "date_of_birth": "1990-12-24"}
    assert phone.refused("verify_identity", **twin) == "several_matches"
    assert phone.verify(**twin, postal_code="10977") == "P-210003"
    assert phone.verify(**twin, postal_code="10954") == "P-210002"
    assert phone.refused("verify_identity", **twin, postal_code="10001") == "no_match"


def test_a_childs_chart_needs_the_phone_on_it(phone: Phone) -> None:
    oliver = {"full_name": "Oliver Grant", "date_of_birth": "2016-05-19"}
    assert phone.refused("verify_identity", **oliver) == "guardian_phone_needed"
    phone.ok("identify_patient", phone="212-555-0133")  # another household's
    assert phone.refused("verify_identity", **oliver) == "guardian_phone_needed"
    assert phone.ok("identify_patient", phone="201-555-0174")["charts"] == 3
    assert phone.ok("verify_identity", **oliver)["minor"] is True
    assert phone.refused("get_patient_summary", patient_id="P-204119") == "wrong_patient"  # his sister


def test_a_parent_may_be_verified_beside_the_child(phone: Phone) -> None:
    phone.ok("identify_patient", phone="201-555-0174")
    child = phone.verify("Oliver Grant", "2016-05-19")
    mother = phone.verify("Helen Grant", "1983-01-30")
    for patient_id in (child, mother):
        assert phone.ok("get_patient_summary", patient_id=patient_id)["patient_id"] == patient_id


def test_a_number_without_a_chart_is_told(phone: Phone) -> None:
    assert phone.refused("identify_patient", phone="347-555-0129") == "no_match"
    assert phone.ok("identify_patient", phone="(212) 555-0133")["charts"] == 2


def test_insurance_taken_down_on_the_call_is_the_one_on_file(phone: Phone) -> None:
    phone.verify(*MARIA)
    phone.ok(
        "capture_insurance_update",
        plan="cigna",
        member_id="123456789",
        relationship="self",
        confirmed=True,
        patient_id=MARIA_ID,
    )
    assert phone.ok("get_patient_summary", patient_id=MARIA_ID)["insurance"] == "Cigna"
