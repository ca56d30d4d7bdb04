"""Scams: what is ours and what is not, told to anybody; reports filed once and without card numbers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from offhook.packs import Pack
from offhook.toolserver import SeedImages
from tests.industries.customer_support._phone import Phone

REPORT: dict[str, Any] = {
    "channel": "text_message",
    "amount": 39900,
    "money_sent": False,
    "details": "A text about a renewal, with a number to call.",
}


@pytest.mark.parametrize(
    ("amount", "billed_as", "ours"),
    [
        (39900, "techcrew_support", False),
        (34999, "total_renewal", False),
        (17999, "total_renewal", True),
        (2999, "plus_renewal", True),
        (17999, "plus_renewal", False),
        (2999, "techcrew_support", False),
        (39900, "other", False),
    ],
)
def test_what_kestrel_bills(amount: int, billed_as: str, ours: bool, phone: Phone) -> None:
    before = phone.rows()
    found = phone.ok("check_subscription_charge", amount=amount, billed_as=billed_as)
    assert found["kestrel_charge"] is ours
    assert phone.rows() == before


def test_our_own_contacts_are_known_by_number_and_channel(
    phone: Phone, tools_images: SeedImages, tools_pack: Pack
) -> None:
    with closing(sqlite3.connect(tools_images.image(tools_pack))) as db:
        row = db.execute(
            "SELECT phone, channel, purpose FROM outbound_contacts a WHERE channel = 'text_message' "
            "AND NOT EXISTS (SELECT 1 FROM outbound_contacts b WHERE b.phone = a.phone "
            "AND b.channel = 'phone_call') "
            "ORDER BY contact_no"
        ).fetchone()
    number, channel, purpose = row
    found = phone.ok("check_outbound_contact", phone=number, channel=channel)
    assert found["contacted"] is True
    assert purpose not in str(found)  # what it was about is the account's, and nobody is verified
    assert phone.ok("check_outbound_contact", phone=number, channel="phone_call")["contacted"] is False


@pytest.mark.parametrize(
    ("number", "channel"), [("480-555-0119", "text_message"), ("317-555-0132", "phone_call")]
)
def test_the_callers_were_never_contacted(number: str, channel: str, phone: Phone) -> None:
    assert phone.ok("check_outbound_contact", phone=number, channel=channel)["contacted"] is False


def test_a_report_is_filed_once(phone: Phone) -> None:
    first = phone.ok("report_scam_contact", **REPORT)
    again = phone.ok("report_scam_contact", **{**REPORT, "details": "The same once more."})
    assert first["report_number"] == again["report_number"]
    (row,) = phone.rows()["scam_reports"]
    assert row[1:4] == ("text_message", 39900, 0)
    phone.ok("report_scam_contact", **{**REPORT, "channel": "phone_call"})
    assert len(phone.rows()["scam_reports"]) == 2


def test_a_report_without_an_amount(phone: Phone) -> None:
    report = {name: value for name, value in REPORT.items() if name != "amount"}
    phone.ok("report_scam_contact", **report)
    phone.ok("report_scam_contact", **report)
    assert [row[2] for row in phone.rows()["scam_reports"]] == [None]


def test_who_lost_money_is_told_to_call_the_bank(phone: Phone) -> None:
    assert "bank" in phone.ok("report_scam_contact", **{**REPORT, "money_sent": True})["next_step"]


@pytest.mark.parametrize("number", ["4482190577364356", "4482 1905 7736 4356", "4482-1905-7736-4356"])
def test_card_numbers_are_not_written_down(number: str, phone: Phone) -> None:
    details = f"They wanted my card {number}."
    assert phone.refused("report_scam_contact", **{**REPORT, "details": details}) == "card_number_in_text"
    arguments = {"reason": "suspected_fraud", "summary": details}
    assert phone.refused("transfer_to_human", **arguments) == "card_number_in_text"


def test_a_phone_number_is_no_card_number(phone: Phone) -> None:
    phone.ok(
        "report_scam_contact", **{**REPORT, "details": "They called from 480-555-0188, order KE-4459173."}
    )


def test_a_whole_card_number_does_not_verify(phone: Phone) -> None:
    phone.ok("identify_customer", full_name="Carla Jensen", phone="612-555-0187")
    proof = {"postal_code": "55408", "card_last4": "4482190577364356"}
    assert phone.refused("verify_identity", **proof) == "invalid_argument"
    assert phone.ok("verify_identity", postal_code="55408", card_last4="4356") == {"verified": True}
