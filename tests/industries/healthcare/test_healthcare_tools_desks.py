"""Billing and the clinical desk: what is told, what is sent, and what this line never decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from offhook_industries.healthcare.seed.cases import case
from tests.industries.healthcare._phone import Phone


def open_chart(phone: Phone, full_name: str) -> str:
    return phone.verify(full_name, case(full_name).date_of_birth)


# --- billing ------------------------------------------------------------------------------------------------


def test_a_balance_is_what_is_open(phone: Phone) -> None:
    account = phone.ok("get_account_balance", patient_id=open_chart(phone, "Maria Alvarez"))
    assert (account["balance"], account["balance_cents"]) == ("$486.00", 48600)
    assert [charge["charge_id"] for charge in account["charges"]] == ["CH-550101", "CH-550102", "CH-550103"]
    assert account["main_charge"]["charge_id"] == "CH-550101"


def test_an_account_without_charges_owes_nothing(phone: Phone) -> None:
    patient = open_chart(phone, "Sandra Whitman")
    account = phone.ok("get_account_balance", patient_id=patient)
    assert (account["balance"], account["main_charge"], account["in_short"]) == (
        "$0.00",
        None,
        "nothing is owed",
    )
    assert phone.refused("offer_financing", patient_id=patient, purpose="medical_balance") == "nothing_due"
    link = {"patient_id": patient, "phone": "407-555-0177"}
    assert phone.refused("send_payment_link", **link, purpose="medical_balance") == "nothing_due"
    assert phone.refused("send_payment_link", **link, purpose="cosmetic_deposit") == "nothing_due"


def test_a_charge_is_explained_in_its_own_words(phone: Phone) -> None:
    open_chart(phone, "Angela Turner")
    assert "outside laboratory" in phone.ok("explain_charge", charge_id="CH-550219")["why"]


def test_financing_is_for_more_than_two_hundred_fifty(phone: Phone) -> None:
    patient = open_chart(phone, "Maria Alvarez")
    offer = phone.ok("offer_financing", patient_id=patient, purpose="medical_balance")
    assert [(plan["months"], plan["monthly"]) for plan in offer["plans"]] == [(6, "$81.00"), (12, "$40.50")]
    for amount, available in ((25000, False), (25001, True)):
        treatment = {"patient_id": patient, "purpose": "cosmetic_treatment"}
        assert phone.ok("offer_financing", **treatment, amount=amount)["available"] is available
    assert phone.refused("offer_financing", **treatment) == "amount_needed"


def test_a_small_balance_is_not_spread_out(phone: Phone) -> None:
    patient = open_chart(phone, "Robert Hanson")
    offer = phone.ok("offer_financing", patient_id=patient, purpose="medical_balance")
    assert (offer["available"], offer["plans"], offer["amount"]) == (False, [], "$164.00")


def test_a_link_is_for_what_is_due_and_sent_once(phone: Phone) -> None:
    link = {
        "patient_id": open_chart(phone, "Maria Alvarez"),
        "phone": "212-555-0133",
        "purpose": "medical_balance",
    }
    assert phone.refused("send_payment_link", **link, amount=48601) == "more_than_due"
    assert phone.refused("send_payment_link", **link, amount=0) == "more_than_due"
    assert phone.ok("send_payment_link", **link)["amount"] == "$486.00"
    assert phone.refused("send_payment_link", **link) == "already_sent"
    # A number that was misheard can be put right; the wrong link is void then.
    assert (
        phone.ok("send_payment_link", **{**link, "phone": "212-555-0134"}, amount=10000)["amount"]
        == "$100.00"
    )
    assert phone.ask("SELECT phone, amount_cents FROM payment_links") == [("212-555-0134", 10000)]
    assert phone.ask("SELECT status FROM charges WHERE charge_id = 'CH-550101'") == [("open",)]


def test_a_deposit_link_follows_a_consult_without_deposit(phone: Phone) -> None:
    patient = open_chart(phone, "Sandra Whitman")
    slot = phone.first_slot("winter_garden", "cosmetic_consult")
    phone.ok("book_cosmetic_consult", slot_id=slot, service="botox", patient_id=patient, terms_accepted=True)
    sent = phone.ok("send_payment_link", patient_id=patient, phone="407-555-0177", purpose="cosmetic_deposit")
    assert sent["amount"] == "$50.00"


def test_a_paid_deposit_is_not_asked_for_again(phone: Phone) -> None:
    link = {"patient_id": open_chart(phone, "Paula Simmons"), "phone": "203-555-0143"}
    assert phone.refused("send_payment_link", **link, purpose="cosmetic_deposit") == "nothing_due"


def test_one_missed_visit_fee_a_year_is_reviewed(phone: Phone) -> None:
    open_chart(phone, "Teresa Quigley")
    assert (
        phone.refused("request_fee_waiver", charge_id="CH-559002", reason="illness")
        == "not_a_missed_visit_fee"
    )
    filed = phone.ok("request_fee_waiver", charge_id="CH-559001", reason="illness")
    assert filed["decided_by"] == "Monday, August 24, 2026, at 9:00 AM"
    assert phone.refused("request_fee_waiver", charge_id="CH-559001", reason="weather") == "already_requested"


@pytest.mark.parametrize(("filed_on", "allowed"), [("2025-08-17", True), ("2025-08-18", False)])
def test_a_year_after_a_review_another_may_be_asked_for(filed_on: str, allowed: bool, phone: Phone) -> None:
    patient = open_chart(phone, "Teresa Quigley")
    phone.edit(
        "INSERT INTO fee_waivers VALUES ('FW-1', 'CH-559002', ?, 'illness', '', ?, '')", patient, filed_on
    )
    request = {"charge_id": "CH-559001", "reason": "not_reminded"}
    if allowed:
        phone.ok("request_fee_waiver", **request)
    else:
        assert phone.refused("request_fee_waiver", **request) == "one_a_year"


# --- clinical -----------------------------------------------------------------------------------------------


def test_only_the_status_of_a_result_is_told(phone: Phone) -> None:
    patient = open_chart(phone, "Michelle Carter")
    biopsy = phone.ok("get_results_status", patient_id=patient, kind="biopsy")
    assert biopsy["status"] == "awaiting_review"
    assert biopsy["collected_spoken"] == "August 6, 2026"  # not the one of 2024
    assert set(biopsy) == {"kind", "status", "collected_spoken", "portal_active", "in_short"}
    blood = phone.ok("get_results_status", patient_id=patient, kind="labs")
    assert (blood["status"], blood["portal_active"]) == ("in_progress", False)
    assert phone.refused("get_results_status", patient_id=patient, kind="allergy_test") == "nothing_ordered"


def test_no_finding_is_in_the_database(phone: Phone) -> None:
    columns = {name for _, name, *_ in phone.ask("PRAGMA table_info(results)")}
    assert columns == {"result_id", "patient_id", "kind", "collected_on", "status"}


@pytest.mark.parametrize(
    ("full_name", "medication", "status", "filed"),
    [
        ("Brian Cooper", "triamcinolone", "refills_on_file", False),
        ("Brian Cooper", "ketoconazole", "filed", True),
        ("Jason Miller", "accutane", "special_programme", False),
        ("Teresa Quigley", "tretinoin", "filed", True),
        ("Teresa Quigley", "dupixent", "prior_authorization", True),
    ],
)
def test_the_tool_decides_what_a_refill_comes_to(
    full_name: str, medication: str, status: str, filed: bool, phone: Phone
) -> None:
    request = {"patient_id": open_chart(phone, full_name), "medication": medication}
    before = phone.rows()
    answer = phone.ok("request_rx_refill", **request)
    assert (answer["status"], answer["filed"]) == (status, filed)
    assert (phone.rows() != before) is filed
    if filed:
        assert phone.refused("request_rx_refill", **request) == "already_requested"


@pytest.mark.parametrize(("last_visit", "status"), [("2025-08-17", "filed"), ("2025-08-16", "visit_needed")])
def test_a_refill_needs_a_visit_within_a_year(last_visit: str, status: str, phone: Phone) -> None:
    patient = open_chart(phone, "Teresa Quigley")
    phone.edit("UPDATE patients SET last_visit = ? WHERE patient_id = ?", last_visit, patient)
    assert phone.ok("request_rx_refill", patient_id=patient, medication="tretinoin")["status"] == status


def test_somebody_long_unseen_needs_a_visit(phone: Phone) -> None:
    patient = phone.verify("Jacob Lindqvist", "1990-12-24", postal_code="10954")
    answer = phone.ok("request_rx_refill", patient_id=patient, medication="clobetasol")
    assert (answer["status"], answer["filed"]) == ("visit_needed", False)


def test_only_what_was_prescribed_is_refilled(phone: Phone) -> None:
    patient = open_chart(phone, "Brian Cooper")
    assert phone.refused("request_rx_refill", patient_id=patient, medication="tacrolimus") == "not_prescribed"
    assert phone.refused("request_rx_refill", patient_id=patient, medication="aspirin") == "invalid_argument"


@pytest.mark.parametrize(
    ("urgency", "answer_by"),
    [("routine", "Tuesday, August 18, 2026, at 9:00 AM"), ("urgent", "Monday, August 17, 2026, at 11:00 AM")],
)
def test_a_message_is_answered_by_its_urgency(urgency: str, answer_by: str, phone: Phone) -> None:
    message: Mapping[str, Any] = {
        "patient_id": open_chart(phone, "Michelle Carter"),
        "topic": "results",
        "urgency": urgency,
        "callback_phone": "908-555-0172",
        "message": "What did it show?",
    }
    assert phone.ok("create_clinical_message", **message)["answer_by"] == answer_by
    assert phone.refused("create_clinical_message", **message) == "already_sent"
    phone.ok("create_clinical_message", **{**message, "topic": "symptoms"})


def test_the_portal_is_activated_where_it_is_not(phone: Phone) -> None:
    patient = open_chart(phone, "Michelle Carter")
    assert phone.ok("send_portal_activation", patient_id=patient, channel="e-mail")["channel"] == "email"
    assert phone.refused("send_portal_activation", patient_id=patient, channel="email") == "already_sent"
    active = open_chart(phone, "Brian Cooper")
    assert phone.refused("send_portal_activation", patient_id=active, channel="text") == "already_active"


# --- ending -------------------------------------------------------------------------------------------------


def test_handing_over_and_ending_write_nothing_that_counts(phone: Phone) -> None:
    before = phone.rows()
    over = phone.ok("transfer_to_human", reason="caller_request", department="front desk")
    assert (over["reason"], over["department"]) == ("caller_request", "front_desk")
    phone.ok("end_call")
    assert phone.rows() == before
    assert phone.refused("transfer_to_human", reason="caller_request") == "invalid_argument"
