"""Medical visits: what may be booked, moved and cancelled, at what cost, and who hears of it by text."""

from __future__ import annotations

from typing import Any

import pytest

from tests.industries.healthcare._phone import Phone

RACHEL: dict[str, Any] = {
    "patient_name": "Rachel Bennett",
    "date_of_birth": "1991-02-11",
    "phone": "917-555-0148",
    "confirmed": True,
}
TERESA = ("Teresa Quigley", "1981-09-02")
TODAY, TOMORROW, CONSULT, MISSED = "AP-719001", "AP-719002", "AP-719003", "AP-719004"


def union_square(phone: Phone) -> dict[str, Any]:
    slot = phone.first_slot("union_square", "medical_visit")
    return {"slot_id": slot, "visit_type": "medical_visit", **RACHEL}


# --- finding ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("concern", "visit_type", "ask_urgency"),
    [
        ("acne", "medical_visit", False),
        ("rash", "medical_visit", True),
        ("mole_check", "skin_check", True),
        ("skin_cancer", "mohs_consult", True),
        ("cyst_or_growth", "excision", False),
        ("hives_or_allergy", "allergy_evaluation", True),
        ("contact_allergy", "patch_testing", False),
    ],
)
def test_a_concern_leads_to_its_visit(concern: str, visit_type: str, ask_urgency: bool, phone: Phone) -> None:
    found = phone.ok("classify_visit_request", concern=concern)
    assert (found["visit_type"], found["ask_urgency"]) == (visit_type, ask_urgency)


def test_times_are_the_earliest_free_ones(phone: Phone) -> None:
    found = phone.ok("find_slots", location_id="park_avenue", visit_type="cosmetic_consult")
    # SL-300100 is earlier and taken.
    assert [slot["slot_id"] for slot in found["slots"]] == ["SL-300101", "SL-300102", "SL-300103"]
    assert found["first_slot"] == found["slots"][0]
    assert found["first_slot"]["day_spoken"] == "Wednesday, August 26, 2026"
    assert found["first_slot"]["time_spoken"] == "10:30 AM"


def test_held_back_times_are_for_urgent_callers(phone: Phone) -> None:
    assert phone.first_slot("white_plains", "medical_visit") == "SL-300303"
    assert phone.first_slot("white_plains", "medical_visit", urgency="routine") == "SL-300303"
    held = {"slot_id": "SL-300301", "visit_type": "medical_visit", **RACHEL}
    assert phone.refused("book_appointment", **held) == "slot_not_offered"
    assert phone.first_slot("white_plains", "medical_visit", urgency="urgent") == "SL-300301"
    assert phone.ok("book_appointment", **held)["time_spoken"] == "2:40 PM"


def test_from_date_moves_the_search_on(phone: Phone) -> None:
    assert phone.first_slot("park_avenue", "cosmetic_consult", from_date="2026-08-27") == "SL-300102"
    later = phone.ok("find_slots", location_id="park_avenue", visit_type="follow_up", from_date="2027-08-27")
    assert (later["slots"], later["first_slot"], later["offered_here"]) == ([], None, True)


def test_an_office_that_does_not_do_it_names_the_nearest_that_does(phone: Phone) -> None:
    found = phone.ok("find_slots", location_id="windermere", visit_type="cosmetic_consult")
    assert (found["slots"], found["offered_here"]) == ([], False)
    assert found["nearest"][0]["location_id"] == "winter_garden"


def test_an_office_may_be_named_as_it_is_said(phone: Phone) -> None:
    assert phone.first_slot("Union Square", "medical_visit") == "SL-300201"
    assert phone.refused("find_slots", location_id="atlantis", visit_type="follow_up") == "unknown_office"


# --- booking ------------------------------------------------------------------------------------------------


def test_a_new_patient_is_booked_once(phone: Phone) -> None:
    request = union_square(phone)
    booked = phone.ok("book_appointment", **request)
    assert booked["in_short"] == (
        "a medical visit at Union Square on Wednesday, August 19, 2026, at 10:20 AM"
    )
    assert booked["floor"] == "3rd floor"
    assert "fee" not in booked  # what changing it would cost is no price of the visit
    assert phone.ask(
        "SELECT new_name, new_birth, new_phone, patient_id, slot_id FROM appointments "
        "WHERE appointment_id = ?",
        booked["appointment_id"],
    ) == [("Rachel Bennett", "1991-02-11", "917-555-0148", None, "SL-300201")]
    again = phone.ok("find_slots", location_id="union_square", visit_type="medical_visit")
    assert again["first_slot"]["slot_id"] == "SL-300202"
    assert phone.refused("book_appointment", **request) == "already_booked"
    other = {**request, "slot_id": "SL-300202"}
    assert phone.refused("book_appointment", **other) == "already_booked"
    somebody_else = {**request, "patient_name": "Nina Brooks", "phone": "347-555-0129"}
    assert phone.refused("book_appointment", **somebody_else) == "slot_taken"


def test_a_time_must_have_been_offered_for_that_visit(phone: Phone) -> None:
    request = {"slot_id": "SL-300201", "visit_type": "medical_visit", **RACHEL}
    assert phone.refused("book_appointment", **request) == "slot_not_offered"
    phone.first_slot("union_square", "follow_up")
    assert phone.refused("book_appointment", **request) == "wrong_visit_type"
    phone.first_slot("union_square", "medical_visit")
    phone.ok("book_appointment", **request)


def test_booking_needs_a_yes(phone: Phone) -> None:
    request = {**union_square(phone), "confirmed": False}
    assert phone.refused("book_appointment", **request) == "not_confirmed"


@pytest.mark.parametrize("missing", ["patient_name", "date_of_birth", "phone"])
def test_somebody_new_gives_name_birthday_and_phone(missing: str, phone: Phone) -> None:
    request = union_square(phone)
    del request[missing]
    assert phone.refused("book_appointment", **request) == "who_is_it_for"


def test_other_desks_book_their_own_visits(phone: Phone) -> None:
    cosmetic = {"slot_id": "SL-300101", "visit_type": "cosmetic_consult", **RACHEL}
    assert phone.refused("book_appointment", **cosmetic) == "use_cosmetic_consult"
    test = {"slot_id": "SL-300122", "visit_type": "allergy_skin_testing", **RACHEL}
    assert phone.refused("book_appointment", **test) == "use_allergy_service"


def test_an_allergy_evaluation_is_a_visit(phone: Phone) -> None:
    slot = phone.first_slot("park_avenue", "allergy_evaluation")
    booked = phone.ok("book_appointment", slot_id=slot, visit_type="allergy_evaluation", **RACHEL)
    assert booked["in_short"].startswith("an allergy evaluation at Park Avenue")


def test_a_verified_patient_is_booked_by_chart(phone: Phone) -> None:
    patient = phone.verify("Kevin Walsh", "1959-12-12")
    slot = phone.first_slot("scarsdale", "medical_visit")
    booked = phone.ok(
        "book_appointment", slot_id=slot, visit_type="medical_visit", patient_id=patient, confirmed=True
    )
    row = phone.ask(
        "SELECT patient_id, new_name FROM appointments WHERE appointment_id = ?", booked["appointment_id"]
    )
    assert row == [(patient, None)]


# --- moving and cancelling ----------------------------------------------------------------------------------


def test_a_visit_in_good_time_moves_free_of_charge(phone: Phone) -> None:
    phone.verify("Kevin Walsh", "1959-12-12")
    slot = phone.first_slot("scarsdale", "follow_up")
    move = {"appointment_id": "AP-710758", "slot_id": slot, "confirmed": True}
    assert phone.refused("reschedule_appointment", **{**move, "confirmed": False}) == "not_confirmed"
    assert phone.refused("reschedule_appointment", **move, fee=5000) == "fee_not_disclosed"
    moved = phone.ok("reschedule_appointment", **move)
    assert moved["from_spoken"] == "Thursday, August 20, 2026, at 10:00 AM"
    assert (moved["day_spoken"], moved["fee"]) == ("Monday, August 24, 2026", "no charge")
    assert phone.ask(
        "SELECT starts_at, slot_id, status FROM appointments WHERE appointment_id = 'AP-710758'"
    ) == [("2026-08-24T11:20", "SL-300701", "booked")]
    assert phone.ask("SELECT count(*) FROM charges WHERE kind = 'late_change'") == [(0,)]
    assert phone.refused("reschedule_appointment", **move) == "already_moved"


def test_a_visit_moves_to_its_own_kind_only(phone: Phone) -> None:
    phone.verify("Kevin Walsh", "1959-12-12")
    slot = phone.first_slot("scarsdale", "skin_check")
    move = {"appointment_id": "AP-710758", "slot_id": slot, "confirmed": True}
    assert phone.refused("reschedule_appointment", **move) == "wrong_visit_type"
    assert phone.refused("reschedule_appointment", **{**move, "slot_id": "SL-300702"}) == "wrong_visit_type"
    assert phone.refused("reschedule_appointment", **{**move, "slot_id": "SL-1"}) == "slot_not_offered"


def test_a_late_cancellation_costs_what_was_told(phone: Phone) -> None:
    patient = phone.verify(*TERESA)
    cancel = {"appointment_id": TODAY, "confirmed": True}
    assert phone.refused("cancel_appointment", **cancel) == "fee_not_disclosed"
    assert phone.refused("cancel_appointment", **cancel, fee=2500) == "fee_not_disclosed"
    done = phone.ok("cancel_appointment", **cancel, fee="$50.00")
    assert (done["fee"], done["deposit"]) == ("$50.00", "")
    assert phone.ask("SELECT patient_id, amount_cents, status FROM charges WHERE kind = 'late_change'") == [
        (patient, 5000, "open")
    ]
    assert phone.refused("cancel_appointment", **cancel, fee=5000) == "past_or_cancelled"


def test_exactly_a_day_ahead_is_in_time(phone: Phone) -> None:
    phone.verify(*TERESA)
    done = phone.ok("cancel_appointment", appointment_id=TOMORROW, confirmed=True)
    assert done["fee"] == "no charge"


def test_a_late_cosmetic_change_uses_the_deposit_up(phone: Phone) -> None:
    patient = phone.verify(*TERESA)
    before = phone.ok("get_account_balance", patient_id=patient)
    assert before["deposits"].startswith("a deposit of $50.00 is held")
    done = phone.ok("cancel_appointment", appointment_id=CONSULT, confirmed=True, fee=5000)
    assert done["deposit"] == "The $50.00 deposit covers the fee and is used up"
    assert phone.ask("SELECT status FROM charges WHERE kind = 'late_change'") == [("paid",)]
    after = phone.ok("get_account_balance", patient_id=patient)
    assert (after["balance"], after["deposits"]) == (before["balance"], "no deposit is held")


def test_a_cosmetic_consult_in_good_time_leaves_a_credit(phone: Phone) -> None:
    patient = phone.verify("Diane Keller", "1968-11-02")
    done = phone.ok("cancel_appointment", appointment_id="AP-710530", confirmed=True)
    assert done["deposit"] == "The $50.00 deposit stays on the account as a credit"
    assert phone.ok("get_account_balance", patient_id=patient)["deposits"] == (
        "a deposit of $50.00 stands on the account as a credit"
    )


def test_what_is_over_or_not_confirmed_stays(phone: Phone) -> None:
    phone.verify(*TERESA)
    assert phone.refused("cancel_appointment", appointment_id=MISSED, confirmed=True) == "past_or_cancelled"
    assert phone.refused("cancel_appointment", appointment_id=TOMORROW, confirmed=False) == "not_confirmed"
    assert phone.refused("cancel_appointment", appointment_id="AP-1", confirmed=True) == "unknown_appointment"


# --- the waiting list ---------------------------------------------------------------------------------------


def test_one_place_on_a_waiting_list(phone: Phone) -> None:
    patient = phone.verify("Diane Keller", "1968-11-02")
    place = {"location_id": "garden_city", "visit_type": "cosmetic_consult", "patient_id": patient}
    phone.ok("join_waitlist", **place)
    assert phone.refused("join_waitlist", **place) == "already_waiting"
    assert phone.refused("join_waitlist", **{**place, "location_id": "windermere"}) == "not_offered_here"


def test_somebody_new_can_wait_too(phone: Phone) -> None:
    place = {"location_id": "montclair", "visit_type": "medical_visit"}
    assert phone.refused("join_waitlist", **place, patient_name="Nina Brooks") == "who_is_it_for"
    phone.ok("join_waitlist", **place, patient_name="Nina Brooks", phone="347-555-0129")
    assert phone.ask("SELECT new_name, new_phone FROM waitlist WHERE patient_id IS NULL") == [
        ("Nina Brooks", "347-555-0129")
    ]


# --- texts --------------------------------------------------------------------------------------------------


def test_a_text_is_sent_only_when_asked_for_and_booked(phone: Phone) -> None:
    text = {"message": "appointment_confirmation", "phone": "917-555-0148", "caller_asked": True}
    assert phone.refused("send_sms", **text) == "nothing_committed"
    booked = phone.ok("book_appointment", **union_square(phone))
    assert phone.refused("send_sms", **{**text, "caller_asked": False}) == "not_asked_for"
    assert phone.refused("send_sms", **text, appointment_id="AP-710101") == "nothing_committed"
    phone.ok("send_sms", **text)
    assert phone.refused("send_sms", **text) == "already_sent"
    assert phone.ask("SELECT phone, message, appointment_id FROM sms_log") == [
        ("917-555-0148", "appointment_confirmation", booked["appointment_id"])
    ]


def test_cosmetic_consults_are_not_texted(phone: Phone) -> None:
    slot = phone.first_slot("park_avenue", "cosmetic_consult")
    phone.ok(
        "book_cosmetic_consult",
        slot_id=slot,
        service="botox",
        patient_name="Brenda Collins",
        phone="646-555-0135",
        terms_accepted=True,
    )
    text = {"message": "appointment_confirmation", "phone": "646-555-0135", "caller_asked": True}
    assert phone.refused("send_sms", **text) == "not_for_cosmetic"
