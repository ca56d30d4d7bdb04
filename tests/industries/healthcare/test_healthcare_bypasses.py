"""An agent that wants around the practice's rules: deposits used twice, shots too soon, guessed numbers."""

from __future__ import annotations

import pytest

from tests.industries.healthcare._phone import Phone
from tests.industries.healthcare.test_healthcare_tools_visits import CONSULT, TERESA

CARD = "card 4482 1905 7736 4356"
MARIA = ("Maria Alvarez", "1972-06-30")


def test_a_deposit_covers_one_late_change_only(phone: Phone) -> None:
    patient = phone.verify(*TERESA)
    slots = phone.ok("find_slots", location_id="park_avenue", visit_type="cosmetic_consult")["slots"]
    # Both times are within the notice, so each change is late.
    for slot, start in zip(slots, ("2026-08-18T15:00", "2026-08-18T16:00"), strict=False):
        phone.edit("UPDATE slots SET starts_at = ? WHERE slot_id = ?", start, slot["slot_id"])
    move = {"appointment_id": CONSULT, "confirmed": True, "fee": 5000}
    phone.ok("reschedule_appointment", **move, slot_id=slots[0]["slot_id"])
    phone.ok("reschedule_appointment", **move, slot_id=slots[1]["slot_id"])
    assert phone.ask(
        "SELECT status FROM charges WHERE patient_id = ? AND kind = 'late_change' ORDER BY status", patient
    ) == [("open",), ("paid",)]
    done = phone.ok("cancel_appointment", **move)
    assert (done["fee"], done["deposit"]) == ("$50.00", "")


def test_a_deposit_that_is_used_up_is_no_credit(phone: Phone) -> None:
    phone.verify(*TERESA)
    slot = phone.ok(
        "find_slots", location_id="park_avenue", visit_type="cosmetic_consult", from_date="2026-08-24"
    )["first_slot"]["slot_id"]
    move = {"appointment_id": CONSULT, "confirmed": True}
    phone.ok("reschedule_appointment", **move, slot_id=slot, fee=5000)
    done = phone.ok("cancel_appointment", **move)
    assert (done["fee"], done["deposit"]) == ("no charge", "")


def test_a_shot_is_not_moved_to_a_day_too_soon(phone: Phone) -> None:
    patient = phone.verify(*TERESA)
    slots = phone.ok("find_slots", location_id="hoboken", visit_type="allergy_shot")["slots"]
    first = slots[0]["slot_id"]
    day = slots[0]["starts_at"][:10]
    phone.edit("UPDATE patients SET last_shot = date(?, '-4 days') WHERE patient_id = ?", day, patient)
    phone.edit(
        "UPDATE appointments SET visit_type = 'allergy_shot', starts_at = '2026-09-15T10:00', slot_id = NULL "
        "WHERE appointment_id = ?",
        CONSULT,
    )
    move = {"appointment_id": CONSULT, "slot_id": first, "confirmed": True}
    assert phone.refused("reschedule_appointment", **move) == "too_soon"
    phone.edit("UPDATE patients SET last_shot = date(?, '-5 days') WHERE patient_id = ?", day, patient)
    assert phone.ok("reschedule_appointment", **move)["moved"]


def test_the_phone_of_a_childs_chart_is_not_guessed_for_ever(phone: Phone) -> None:
    oliver = {"full_name": "Oliver Grant", "date_of_birth": "2016-05-19"}
    assert phone.refused("verify_identity", **oliver) == "guardian_phone_needed"
    phone.ok("identify_patient", phone="212-555-0133")
    assert {phone.refused("verify_identity", **oliver) for _ in range(3)} == {"guardian_phone_needed"}
    phone.ok("identify_patient", phone="201-555-0174")
    assert phone.refused("verify_identity", **oliver) == "locked"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (
            "create_callback_task",
            {
                "topic": "billing",
                "caller_name": "Ann Lee",
                "phone": "404-555-0199",
                "best_time": "morning",
                "details": CARD,
            },
        ),
        ("transfer_to_human", {"reason": "caller_request", "department": "billing", "summary": CARD}),
        (
            "create_clinical_message",
            {"topic": "other", "urgency": "routine", "callback_phone": "404-555-0199", "message": CARD},
        ),
    ],
)
def test_no_card_number_is_written_down(tool: str, arguments: dict[str, str], phone: Phone) -> None:
    patient = phone.verify(*MARIA)
    own = {"patient_id": patient} if tool == "create_clinical_message" else {}
    assert phone.refused(tool, **arguments, **own) == "card_number_in_text"


@pytest.mark.parametrize("amount", [0, -30000, "-$300.00"])
def test_nothing_is_financed_for_less_than_nothing(amount: object, phone: Phone) -> None:
    ask = {"patient_id": phone.verify(*MARIA), "purpose": "cosmetic_treatment", "amount": amount}
    assert phone.refused("offer_financing", **ask) == "amount_needed"
