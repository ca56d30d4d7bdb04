"""Returns: windows and fees of real orders, the two steps that open one, labels, kits and refunds."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from tests.industries.customer_support._phone import Desk, Phone

PHONE = {"order_number": "KE-4482047"}  # Rachel Stein's, opened, Texas
BATTERY = {"order_number": "KE-4403928"}


# --- may it come back? ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "number", "returnable", "reason", "days", "last"),
    [
        ("Rachel Stein", "KE-4482047", True, "in_window", 14, "August 19, 2026"),  # Plus does not lengthen it
        ("Grace Bennett", "KE-4416839", True, "in_window", 14, "August 17, 2026"),  # nor does Total
        ("Nathan Cole", "KE-4468205", False, "window_closed", 15, "August 5, 2026"),
        ("Nathaniel Cole", "KE-4468250", True, "in_window", 60, "September 19, 2026"),
        ("Samuel Potter", "KE-4495361", False, "window_closed", 14, "August 6, 2026"),
        ("Victor Ramos", "KE-4451628", False, "not_delivered", 60, None),
        ("Julia Santos", "KE-4403928", True, "recalled", None, None),
        ("Diego Morales", "KE-4443281", True, "in_window", 14, "August 16, 2026"),  # Marketplace, though Plus
    ],
)
def test_the_window_of_each_item(
    name: str, number: str, returnable: bool, reason: str, days: int | None, last: str | None, phone: Phone
) -> None:
    phone.caller(name)
    before = phone.rows()
    found = phone.ok("check_return_eligibility", order_number=number)
    assert (found["returnable"], found["reason"]) == (returnable, reason)
    assert (found["window_days"], found["last_day"]) == (days, last)
    assert phone.rows() == before
    if last is not None:
        assert last in found["in_short"]


def test_the_last_day_counts_and_the_next_does_not(desk: Desk) -> None:
    desk.caller("Rachel Stein")
    desk.now = datetime.fromisoformat("2026-08-19T20:00")
    found = desk.use("check_return_eligibility", **PHONE)
    assert (found["returnable"], found["days_left"], found["days_over"]) == (True, 0, 0)
    assert "today is the last day" in found["in_short"]
    desk.now = datetime.fromisoformat("2026-08-20T09:00")
    found = desk.use("check_return_eligibility", **PHONE)
    assert (found["returnable"], found["days_left"], found["days_over"]) == (False, None, 1)
    assert desk.code("quote_return", **PHONE, reason="defective") == "not_returnable"


def test_an_installed_appliance_comes_back_only_damaged(desk: Desk) -> None:
    desk.caller("Denise Walker")
    desk.now = datetime.fromisoformat("2026-08-20T09:00")
    desk.db.execute("UPDATE orders SET status = 'delivered' WHERE order_number = 'KE-4429357'")
    range_ = {"order_number": "KE-4429357"}
    found = desk.use("check_return_eligibility", **range_)
    assert (found["reason"], found["last_day"]) == ("installed_appliance", "August 28, 2026")
    assert desk.code("quote_return", **range_, reason="changed_mind") == "not_returnable"
    assert desk.use("quote_return", **range_, reason="damaged_on_arrival")["refund"] == "$1,149.99"


# --- what it costs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "fee", "refund"),
    [
        ("changed_mind", "$45.00", "$404.99"),
        ("defective", "no fee", "$449.99"),
        ("damaged_on_arrival", "no fee", "$449.99"),
        ("wrong_item", "no fee", "$449.99"),
    ],
)
def test_the_fee_is_kept_back_unless_the_item_is_at_fault(
    reason: str, fee: str, refund: str, phone: Phone
) -> None:
    phone.caller("Rachel Stein")
    quote = phone.ok("quote_return", **PHONE, reason=reason)
    assert (quote["restocking_fee"], quote["refund"]) == (fee, refund)
    assert quote["paid_back_to"] == "the credit card ending in 2963"


def test_a_state_without_restocking_fees(desk: Desk) -> None:
    desk.caller("Rachel Stein")
    desk.db.execute("UPDATE orders SET state = 'OH' WHERE order_number = 'KE-4482047'")
    assert desk.use("quote_return", **PHONE, reason="changed_mind")["refund"] == "$449.99"


def test_an_opened_box_is_not_talked_shut(desk: Desk) -> None:
    desk.caller("Rachel Stein")
    order: dict[str, Any] = {**PHONE, "reason": "changed_mind"}
    assert desk.use("quote_return", **order, box_opened=False)["restocking_fee"] == "$45.00"
    desk.db.execute("UPDATE order_items SET box_opened = 0 WHERE order_number = 'KE-4482047'")
    assert desk.use("quote_return", **order)["restocking_fee"] == "no fee"
    assert desk.use("quote_return", **order, box_opened=True)["restocking_fee"] == "$45.00"
    assert desk.use("check_return_eligibility", **PHONE, box_opened=True)["restocking_fee"] == "$45.00"


# --- opening it -----------------------------------------------------------------------------------------


def test_a_return_needs_a_quote_and_an_acknowledgement(phone: Phone) -> None:
    phone.caller("Rachel Stein")
    confirm = "confirm_return"
    assert phone.refused(confirm, quote_token="QT-12345678", refund_acknowledged=True) == "unknown_quote"
    token = phone.ok("quote_return", **PHONE, reason="changed_mind")["quote_token"]
    assert phone.refused(confirm, quote_token=token, refund_acknowledged=False) == "not_acknowledged"
    done = phone.ok(confirm, quote_token=token, refund_acknowledged=True)
    assert (done["rma_number"], done["refund"], done["hazard"]) == ("RMA-44820471", "$404.99", False)
    assert phone.refused(confirm, quote_token=token, refund_acknowledged=True) == "quote_used"
    assert phone.refused("quote_return", **PHONE, reason="defective") == "already_returned"
    assert phone.ok("check_return_eligibility", **PHONE)["reason"] == "already_returned"


def test_the_latest_quote_is_the_one_that_holds(phone: Phone) -> None:
    phone.caller("Rachel Stein")
    first = phone.ok("quote_return", **PHONE, reason="changed_mind")["quote_token"]
    second = phone.ok("quote_return", **PHONE, reason="defective")["quote_token"]
    assert phone.refused("confirm_return", quote_token=first, refund_acknowledged=True) == "quote_superseded"
    assert phone.ok("confirm_return", quote_token=second, refund_acknowledged=True)["refund"] == "$449.99"


def test_another_customers_token_is_unknown(phone: Phone) -> None:
    phone.caller("Rachel Stein")
    token = phone.ok("quote_return", **PHONE, reason="changed_mind")["quote_token"]
    phone.caller("Rachel Steen")
    assert phone.refused("confirm_return", quote_token=token, refund_acknowledged=True) == "unknown_quote"


def test_a_safety_reason_needs_a_product_with_one(phone: Phone) -> None:
    phone.caller("Rachel Stein")
    assert phone.refused("quote_return", **PHONE, reason="recall_or_safety") == "not_a_safety_case"


# --- label or kit, and the money ------------------------------------------------------------------------


def _opened(phone: Phone, name: str, order: dict[str, str], reason: str) -> str:
    phone.caller(name)
    token = phone.ok("quote_return", **order, reason=reason)["quote_token"]
    return str(phone.ok("confirm_return", quote_token=token, refund_acknowledged=True)["rma_number"])


def test_a_label_is_for_an_open_return_of_the_callers_own(phone: Phone) -> None:
    rma = _opened(phone, "Rachel Stein", PHONE, "changed_mind")
    assert phone.refused("create_return_label", rma_number="RMA-44820472") == "unknown_rma"
    assert phone.ok("create_return_label", rma_number=rma)["label_emailed"] is True
    written = phone.rows()
    assert phone.ok("create_return_label", rma_number=rma)["label_emailed"] is True
    assert phone.rows() == written
    phone.caller("Rachel Steen")
    assert phone.refused("create_return_label", rma_number=rma) == "unknown_rma"


@pytest.mark.parametrize("reason", ["recall_or_safety", "changed_mind", "defective"])
def test_a_recalled_battery_never_gets_a_label(reason: str, phone: Phone) -> None:
    rma = _opened(phone, "Julia Santos", BATTERY, reason)
    sent = phone.ok("create_return_label", rma_number=rma)
    assert (sent["label_emailed"], sent["kit_sent"]) == (False, True)
    (row,) = [row for row in phone.rows()["returns"] if row[0] == rma]
    assert "recovery_kit" in row


def test_a_return_that_is_over_gets_no_label(desk: Desk) -> None:
    desk.caller("Rachel Stein")
    token = desk.use("quote_return", **PHONE, reason="changed_mind")["quote_token"]
    rma = desk.use("confirm_return", quote_token=token, refund_acknowledged=True)["rma_number"]
    desk.db.execute("UPDATE returns SET status = 'closed' WHERE rma_number = ?", (rma,))
    assert desk.code("create_return_label", rma_number=rma) == "return_closed"


def test_the_money_waits_for_the_item(phone: Phone) -> None:
    _opened(phone, "Rachel Stein", PHONE, "changed_mind")
    status = phone.ok("get_refund_status", **PHONE, refund_for="return")
    assert (status["stage"], status["amount"]) == ("awaiting_item", "$404.99")
    assert status["posts_between"] == "three to seven business days after the item is checked in"
    assert phone.ok("get_refund_status", **PHONE, refund_for="price_match")["found"] is False


# --- orders with several items --------------------------------------------------------------------------


def test_of_several_items_one_has_to_be_named(desk: Desk) -> None:
    desk.caller("Rachel Stein")
    desk.db.execute("INSERT INTO order_items VALUES ('KE-4482047', 2, 'PH-4013', 1, 3999, 0, 0)")
    desk.db.execute("INSERT INTO order_items VALUES ('KE-4482047', 3, 'CA-6003', 1, 69999, 0, 1)")
    check = "check_return_eligibility"
    assert desk.code(check, **PHONE) == "which_item"
    assert desk.code(check, **PHONE, item="Bellwether") == "which_item"
    assert desk.code(check, **PHONE, item="toaster") == "unknown_item"
    assert desk.use(check, **PHONE, item="the phone cases")["item"] == "Bellwether Shell phone case"
    drone = desk.use("quote_return", **PHONE, item="drone", reason="changed_mind")
    assert (drone["restocking_fee"], drone["refund"]) == ("$104.99", "$595.00")  # 15 % of 699.99, floored
    phone_ = desk.use("quote_return", **PHONE, item="Cinder", reason="changed_mind")
    for quote, line in ((drone, 3), (phone_, 1)):
        done = desk.use("confirm_return", quote_token=quote["quote_token"], refund_acknowledged=True)
        assert done["rma_number"] == f"RMA-4482047{line}"
