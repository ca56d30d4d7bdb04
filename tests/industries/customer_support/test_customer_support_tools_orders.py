"""Orders, deliveries and matched prices: every guard refuses what it must and leaves nothing written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.industries.customer_support._phone import Desk, Phone

ORDER = {"order_number": "KE-4437182"}
NEEDS_A_CALLER: dict[str, dict[str, Any]] = {
    "get_order": ORDER,
    "cancel_order": ORDER,
    "quote_delivery_change": {**ORDER, "new_date": "2026-08-18"},
    "confirm_delivery_change": {"quote_token": "QT-1", "fee_acknowledged": True},
    "quote_price_match": {**ORDER, "competitor": "rivertide", "competitor_price": 24999},
    "confirm_price_match": {"quote_token": "QT-1"},
    "check_return_eligibility": ORDER,
    "quote_return": {**ORDER, "reason": "defective"},
    "confirm_return": {"quote_token": "QT-1", "refund_acknowledged": True},
    "create_return_label": {"rma_number": "RMA-44371821"},
    "get_refund_status": {**ORDER, "refund_for": "return"},
    "get_protection_plans": {},
    "check_coverage": {**ORDER, "failure": "not_working"},
    "book_service_appointment": {**ORDER, "service": "in_home", "day": "2026-08-20"},
    "get_service_appointment": {},
    "cancel_service_appointment": {"appointment_id": "TC-1"},
}
TAKES_AN_ORDER = tuple(tool for tool, arguments in NEEDS_A_CALLER.items() if "order_number" in arguments)


@pytest.mark.parametrize("tool", NEEDS_A_CALLER)
def test_nothing_of_an_account_without_a_verified_caller(tool: str, phone: Phone) -> None:
    assert phone.refused(tool, **NEEDS_A_CALLER[tool]) == "not_identified"
    phone.ok("identify_customer", full_name="Thomas Whitaker", phone="303-555-0126")
    assert phone.refused(tool, **NEEDS_A_CALLER[tool]) == "not_verified"


@pytest.mark.parametrize("tool", TAKES_AN_ORDER)
@pytest.mark.parametrize("number", ["KE-4437128", "KE-4400000"])  # a neighbour's, and nobody's
def test_another_customers_order_is_as_unknown_as_none(tool: str, number: str, phone: Phone) -> None:
    phone.caller("Thomas Whitaker")
    arguments = {**NEEDS_A_CALLER[tool], "order_number": number}
    assert phone.refused(tool, **arguments) == "unknown_order"


def test_an_order_in_full(phone: Phone) -> None:
    phone.caller("Thomas Whitaker")
    order = phone.ok("get_order", order_number="ke 4437182")
    assert order["delivery"] == {"day": "Thursday, August 13, 2026", "window": "noon to 4 PM"}
    assert (order["installation"], order["haul_away"], order["state"]) == (True, True, "CO")
    assert (order["total"], order["paid_with"]) == ("$899.99", "the credit card ending in 4419")
    assert order["cancellable"] is False
    assert order["safety"] == order["notes"] == ""


def test_a_recalled_battery_is_told_first(phone: Phone) -> None:
    phone.caller("Julia Santos")
    order = phone.ok("get_order", order_number="KE-4403928")
    assert "recall" in order["safety"]
    assert "never mail" in order["safety"]
    assert order["items"][0]["recalled"]
    assert order["items"][0]["battery_safety_flag"]


# --- moving a delivery ----------------------------------------------------------------------------------


def _quoted(desk: Phone | Desk, day: str = "2026-08-18") -> Mapping[str, Any]:
    ask = desk.ok if isinstance(desk, Phone) else desk.use
    return ask("quote_delivery_change", **ORDER, new_date=day)


def test_a_late_change_is_quoted_and_moves_nothing(phone: Phone) -> None:
    phone.caller("Thomas Whitaker")
    before = phone.rows()
    quote = _quoted(phone)
    assert (quote["fee"], quote["late"], quote["to_day"]) == ("$29.99", True, "Tuesday, August 18, 2026")
    after = phone.rows()
    assert {name for name in after if after[name] != before[name]} == {"order_quotes"}


@pytest.mark.parametrize(
    ("day", "code"),
    [
        ("2026-08-13", "same_day"),
        ("2026-08-12", "day_not_open"),
        ("2026-08-10", "day_not_open"),
        ("2026-08-16", "day_not_open"),  # a Sunday
        ("2026-09-12", "day_not_open"),  # 31 days ahead
    ],
)
def test_days_without_deliveries(day: str, code: str, phone: Phone) -> None:
    phone.caller("Thomas Whitaker")
    assert phone.refused("quote_delivery_change", **ORDER, new_date=day) == code


@pytest.mark.parametrize("day", ["2026-08-14", "2026-09-11"])
def test_first_and_last_day_with_deliveries(day: str, phone: Phone) -> None:
    phone.caller("Thomas Whitaker")
    assert _quoted(phone, day)["fee"] == "$29.99"


def test_parcels_have_no_appointment(phone: Phone) -> None:
    phone.caller("Victor Ramos")
    arguments = {"order_number": "KE-4451628", "new_date": "2026-08-18"}
    assert phone.refused("quote_delivery_change", **arguments) == "no_delivery_to_change"


def test_total_members_pay_nothing_for_a_late_change(desk: Desk) -> None:
    desk.caller("Tomas Whittaker")
    desk.now = datetime.fromisoformat("2026-08-13T10:00")
    quote = desk.use("quote_delivery_change", order_number="KE-4437128", new_date="2026-08-20")
    assert (quote["late"], quote["fee_cents"], quote["fee"]) == (True, 0, "no charge")


def test_forty_eight_hours_to_the_minute_are_free(desk: Desk) -> None:
    desk.caller("Thomas Whitaker")
    desk.now = datetime.fromisoformat("2026-08-11T12:00")
    assert _quoted(desk)["fee_cents"] == 0
    desk.now += timedelta(minutes=1)
    assert _quoted(desk)["fee_cents"] == 2999


def test_a_change_needs_a_quote_and_an_acknowledgement(phone: Phone) -> None:
    phone.caller("Thomas Whitaker")
    confirm = "confirm_delivery_change"
    assert phone.refused(confirm, quote_token="QT-12345678", fee_acknowledged=True) == "unknown_quote"
    token = _quoted(phone)["quote_token"]
    assert phone.refused(confirm, quote_token=token, fee_acknowledged=False) == "not_acknowledged"
    done = phone.ok(confirm, quote_token=token, fee_acknowledged=True)
    assert (done["day"], done["fee"]) == ("Tuesday, August 18, 2026", "$29.99")
    assert phone.refused(confirm, quote_token=token, fee_acknowledged=True) == "quote_used"
    (change,) = phone.rows()["delivery_changes"]
    assert change[:5] == ("KE-4437182", 1, "2026-08-13", "2026-08-18", 2999)
    assert phone.ok("get_order", **ORDER)["delivery"]["day"] == "Tuesday, August 18, 2026"


def test_a_later_quote_makes_an_earlier_one_void(phone: Phone) -> None:
    phone.caller("Thomas Whitaker")
    first, second = _quoted(phone)["quote_token"], _quoted(phone, "2026-08-19")["quote_token"]
    confirm = "confirm_delivery_change"
    assert phone.refused(confirm, quote_token=first, fee_acknowledged=True) == "quote_superseded"
    assert phone.ok(confirm, quote_token=second, fee_acknowledged=True)["day"] == "Wednesday, August 19, 2026"


def test_a_token_serves_its_kind_and_its_customer(phone: Phone) -> None:
    phone.caller("Thomas Whitaker")
    token = _quoted(phone)["quote_token"]
    assert phone.refused("confirm_price_match", quote_token=token) == "wrong_quote"
    assert phone.refused("confirm_return", quote_token=token, refund_acknowledged=True) == "wrong_quote"
    phone.caller("Denise Walker")
    confirm = "confirm_delivery_change"
    assert phone.refused(confirm, quote_token=token, fee_acknowledged=True) == "unknown_quote"


def test_a_quote_of_a_delivery_expires(desk: Desk) -> None:
    desk.caller("Thomas Whitaker")
    token = _quoted(desk)["quote_token"]
    desk.now += timedelta(minutes=30, seconds=1)
    assert desk.code("confirm_delivery_change", quote_token=token, fee_acknowledged=True) == "quote_expired"


def test_what_was_cancelled_since_the_quote_is_not_moved(desk: Desk) -> None:
    desk.caller("Thomas Whitaker")
    desk.now = datetime.fromisoformat("2026-08-10T09:00")
    token = _quoted(desk)["quote_token"]
    desk.use("cancel_order", **ORDER)
    code = desk.code("confirm_delivery_change", quote_token=token, fee_acknowledged=True)
    assert code == "no_delivery_to_change"


# --- cancelling -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "number", "code"),
    [
        ("Victor Ramos", "KE-4451628", "already_shipped"),
        ("Rachel Stein", "KE-4482047", "already_delivered"),
        ("Thomas Whitaker", "KE-4437182", "on_the_truck"),
    ],
)
def test_what_has_left_is_not_cancelled(name: str, number: str, code: str, phone: Phone) -> None:
    phone.caller(name)
    assert phone.refused("cancel_order", order_number=number) == code


def test_an_order_is_cancelled_once_and_its_money_goes_back(phone: Phone) -> None:
    phone.caller("Angela Foster")
    order = {"order_number": "KE-4473916"}
    done = phone.ok("cancel_order", **order)
    assert (done["refund"], done["paid_back_to"]) == ("$129.99", "the credit card ending in 7731")
    assert done["posts_between"] == "between August 17, 2026 and August 21, 2026"
    assert phone.refused("cancel_order", **order) == "already_cancelled"
    assert phone.ok("get_order", **order)["status"] == "cancelled"
    status = phone.ok("get_refund_status", **order, refund_for="cancelled_order")
    assert (status["stage"], status["amount"]) == ("issued", "$129.99")
    assert phone.ok("get_refund_status", **order, refund_for="return")["found"] is False


def test_a_special_order_is_not_cancelled(desk: Desk) -> None:
    desk.caller("Angela Foster")
    desk.db.execute("UPDATE order_items SET sku = 'AP-5009' WHERE order_number = 'KE-4473916'")
    assert desk.code("cancel_order", order_number="KE-4473916") == "special_order"


# --- matching a price -----------------------------------------------------------------------------------

HALO = {"order_number": "KE-4487359", "competitor": "rivertide", "competitor_price": 24999}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"competitor_price": 27999}, "not_lower"),
        ({"competitor_price": 28999}, "not_lower"),
        ({"competitor_price": 24990}, "price_not_confirmed"),  # our own check finds another price
        ({"competitor": "larch_and_lane", "competitor_price": 10000}, "price_not_confirmed"),
        ({"competitor": "cascade_direct", "competitor_price": 23999}, "third_party_listing"),
        ({"competitor": "other"}, "competitor_not_listed"),
    ],
)
def test_a_no_is_told_and_writes_nothing(change: Mapping[str, Any], reason: str, phone: Phone) -> None:
    phone.caller("Allison Drake")
    before = phone.rows()
    verdict = phone.ok("quote_price_match", **{**HALO, **change})
    assert (verdict["eligible"], verdict["reason"]) == (False, reason)
    assert "quote_token" not in verdict
    assert phone.rows() == before


@pytest.mark.parametrize(
    ("name", "number", "reason"),
    [
        ("Diego Morales", "KE-4443281", "marketplace_item"),
        ("Martin Hughes", "KE-4492563", "open_box_item"),
        ("Nathan Cole", "KE-4468205", "window_closed"),
    ],
)
def test_what_is_never_matched(name: str, number: str, reason: str, phone: Phone) -> None:
    phone.caller(name)
    verdict = phone.ok(
        "quote_price_match", order_number=number, competitor="rivertide", competitor_price=15999
    )
    assert verdict["reason"] == reason


def test_a_match_is_paid_once(phone: Phone) -> None:
    phone.caller("Allison Drake")
    quote = phone.ok("quote_price_match", **{**HALO, "competitor_price": "$249.99"})
    assert (quote["eligible"], quote["difference"], quote["paid"]) == (True, "$30.00", "$279.99")
    done = phone.ok("confirm_price_match", quote_token=quote["quote_token"])
    assert (done["refund"], done["paid_back_to"]) == ("$30.00", "the credit card ending in 2284")
    assert phone.refused("confirm_price_match", quote_token=quote["quote_token"]) == "quote_used"
    assert phone.ok("quote_price_match", **HALO)["reason"] == "already_matched"


def test_a_match_is_not_paid_again_by_a_return(phone: Phone) -> None:
    phone.caller("Allison Drake")
    token = phone.ok("quote_price_match", **HALO)["quote_token"]
    phone.ok("confirm_price_match", quote_token=token)
    order = {"order_number": HALO["order_number"]}
    assert phone.ok("quote_return", **order, reason="changed_mind")["refund"] == "$249.99"


def test_what_is_returned_since_the_quote_is_not_matched(phone: Phone) -> None:
    phone.caller("Allison Drake")
    token = phone.ok("quote_price_match", **HALO)["quote_token"]
    back = phone.ok("quote_return", order_number=HALO["order_number"], reason="changed_mind")["quote_token"]
    phone.ok("confirm_return", quote_token=back, refund_acknowledged=True)
    assert phone.refused("confirm_price_match", quote_token=token) == "already_returned"


def test_our_own_lower_price_counts(desk: Desk) -> None:
    desk.caller("Allison Drake")
    desk.db.execute("UPDATE products SET price_cents = 26999 WHERE sku = 'AU-1010'")
    verdict = desk.use("quote_price_match", **{**HALO, "competitor": "kestrel", "competitor_price": 26999})
    assert (verdict["eligible"], verdict["difference"]) == (True, "$10.00")
