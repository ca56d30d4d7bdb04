"""An agent that wants around Kestrel's rules: money paid back twice, fees that are not due, odd amounts."""

from __future__ import annotations

import pytest

from tests.industries.customer_support._phone import Desk, Phone

SOUNDBAR = {"order_number": "KE-4487359"}  # Allison Drake's, $279.99; Rivertide has it for $249.99
BANK = {"order_number": "KE-4403928"}  # Julia Santos's recalled power bank, $79.99
MATCH = {**SOUNDBAR, "competitor": "rivertide", "competitor_price": "249.99"}


def test_a_matched_price_is_not_refunded_again_on_an_older_quote(phone: Phone) -> None:
    phone.caller("Allison Drake")
    old = phone.ok("quote_return", **SOUNDBAR, reason="defective")
    assert old["refund"] == "$279.99"
    phone.ok("confirm_price_match", quote_token=phone.ok("quote_price_match", **MATCH)["quote_token"])
    yes = {"refund_acknowledged": True}
    assert phone.refused("confirm_return", **yes, quote_token=old["quote_token"]) == "quote_superseded"
    new = phone.ok("quote_return", **SOUNDBAR, reason="defective")
    assert new["refund"] == "$249.99"
    assert phone.ok("confirm_return", **yes, quote_token=new["quote_token"])["refund"] == "$249.99"


@pytest.mark.parametrize("status", ["processing", "scheduled", "shipped"])
def test_a_recalled_item_on_its_way_is_not_returned_and_cancelled_both(status: str, desk: Desk) -> None:
    desk.caller("Julia Santos")
    desk.db.execute("UPDATE orders SET status = ? WHERE order_number = ?", (status, BANK["order_number"]))
    found = desk.use("check_return_eligibility", **BANK)
    assert (found["returnable"], found["reason"], found["last_day"]) == (False, "not_delivered", None)
    assert "None" not in found["in_short"]
    assert desk.code("quote_return", **BANK, reason="recall_or_safety") == "not_returnable"


def test_a_recalled_item_has_no_restocking_fee_whatever_the_reason(desk: Desk) -> None:
    desk.caller("Rachel Stein")
    phone = {"order_number": "KE-4482047"}
    assert desk.use("quote_return", **phone, reason="changed_mind")["restocking_fee"] == "$45.00"
    desk.db.execute(
        "UPDATE products SET recalled = 1 WHERE sku = (SELECT sku FROM order_items WHERE order_number = ?)",
        (phone["order_number"],),
    )
    for tool, more in (("check_return_eligibility", {}), ("quote_return", {"reason": "changed_mind"})):
        assert desk.use(tool, **phone, **more)["restocking_fee"] == "no fee"


def test_a_marketplace_return_is_never_sent_to_a_store(desk: Desk) -> None:
    desk.caller("Diego Morales")
    token = desk.use("quote_return", order_number="KE-4443281", reason="changed_mind")["quote_token"]
    done = desk.use("confirm_return", quote_token=token, refund_acknowledged=True)
    assert done["next_step"] == "It goes to the seller, never to a store: you get a prepaid label by e-mail."


def test_nothing_is_repaired_that_is_being_returned_or_was_cancelled(desk: Desk) -> None:
    desk.caller("Allison Drake")
    desk.use("check_coverage", **SOUNDBAR, failure="not_working")
    booking = {**SOUNDBAR, "service": "bench", "day": "2026-08-17", "postal_code": "85016"}
    desk.db.execute("UPDATE orders SET status = 'cancelled' WHERE order_number = 'KE-4487359'")
    assert desk.code("book_service_appointment", **booking) == "nothing_to_repair"
    desk.db.execute("UPDATE orders SET status = 'delivered' WHERE order_number = 'KE-4487359'")
    token = desk.use("quote_return", **SOUNDBAR, reason="defective")["quote_token"]
    desk.use("confirm_return", quote_token=token, refund_acknowledged=True)
    assert desk.code("book_service_appointment", **booking) == "nothing_to_repair"


@pytest.mark.parametrize("amount", [-1, "-$5.00", -399.0])
def test_a_charge_is_never_less_than_nothing(amount: object, phone: Phone) -> None:
    report = {"channel": "letter", "money_sent": False, "details": "a letter", "amount": amount}
    assert phone.refused("report_scam_contact", **report) == "invalid_argument"
    check = {"amount": amount, "billed_as": "plus_renewal"}
    assert phone.refused("check_subscription_charge", **check) == "invalid_argument"
