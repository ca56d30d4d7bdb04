"""Every guard of the tools refuses what it must, says so in a stable word, and leaves nothing written."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime, timedelta
from typing import Any

import pytest

from offhook.packs import Pack, ToolRefusal
from offhook.toolserver import SeedImages
from tests.industries.customer_support._phone import Desk, Phone

SELINA = {"full_name": "Selina Cortez", "phone": "541-555-0171"}
SELINA_PROOF = {"postal_code": "97035", "card_last4": "1156"}
PEDRO = {"full_name": "Pedro Kim", "phone": "941-555-0135"}
PEDRO_PROOF = {"postal_code": "34217", "card_last4": "2024"}
PHILIPPA = {"full_name": "Philippa Contreras", "phone": "330-555-0159"}
PHILIPPA_PROOF = {"postal_code": "44372", "card_last4": "0638"}
HANA = {"full_name": "Hana Kim", "phone": "941-555-0135"}
HANA_PROOF = {"postal_code": "34217", "card_last4": "2042"}
ACCOUNT_TOOLS = (
    "get_customer_summary",
    "get_membership",
    "quote_membership_upgrade",
    "quote_membership_cancellation",
)
CONFIRMS = (
    ("confirm_membership_upgrade", "charge_acknowledged"),
    ("confirm_membership_cancellation", "proration_acknowledged"),
)


# --- the identity gate --------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ACCOUNT_TOOLS)
def test_account_tools_need_a_record_and_then_a_verified_caller(tool: str, phone: Phone) -> None:
    assert phone.refused(tool) == "not_identified"
    phone.ok("identify_customer", **SELINA)
    assert phone.refused(tool) == "not_verified"


@pytest.mark.parametrize(("tool", "consent"), CONFIRMS)
def test_confirms_need_a_verified_caller(tool: str, consent: str, phone: Phone) -> None:
    phone.ok("identify_customer", **SELINA)
    assert phone.refused(tool, quote_token="QT-00000000", **{consent: True}) == "not_verified"


def test_verification_needs_a_record_first(phone: Phone) -> None:
    assert phone.refused("verify_identity", **SELINA_PROOF) == "not_identified"


@pytest.mark.parametrize(
    "who",
    [
        {**SELINA, "phone": "541-555-0117"[:-1] + "8"},
        {**SELINA, "full_name": "Sergei Cortez"},
        {**SELINA, "full_name": "Selina"},
        {**PEDRO, "full_name": "Grace Kim"},
    ],
)
def test_name_and_phone_must_belong_together(who: Mapping[str, str], phone: Phone) -> None:
    assert phone.refused("identify_customer", **who) == "no_match"


@pytest.mark.parametrize("spelled", ["selina cortez", "Selena Cortes", "Cortez, Selina", "Ms. Selina Cortez"])
def test_a_name_is_found_as_it_is_heard(spelled: str, phone: Phone) -> None:
    """Selena Cortes is also another customer, of another number."""
    assert phone.ok("identify_customer", full_name=spelled, phone="(541) 555-0171")["first_name"] == "Selina"


def test_the_name_decides_within_a_household(phone: Phone) -> None:
    phone.pass_gate(HANA, HANA_PROOF)
    assert phone.ok("get_customer_summary")["full_name"] == "Hana Kim"


@pytest.mark.parametrize(
    "proof",
    [
        {"postal_code": "97035", "card_last4": "1165"},
        {"postal_code": "97305", "card_last4": "1156"},
        {"postal_code": "97035", "card_last4": "1516"},  # Celina Cortez's card, in the same ZIP code
        PEDRO_PROOF,
    ],
)
def test_both_facts_must_be_the_customers_own(proof: Mapping[str, str], phone: Phone) -> None:
    phone.ok("identify_customer", **SELINA)
    assert phone.refused("verify_identity", **proof) == "identity_mismatch"
    assert phone.refused("get_membership") == "not_verified"


def test_a_mismatch_does_not_tell_which_fact_was_wrong(phone: Phone) -> None:
    phone.ok("identify_customer", **SELINA)
    wrong_zip = phone.use("verify_identity", postal_code="10001", card_last4="1156")
    wrong_card = phone.use("verify_identity", postal_code="97035", card_last4="9999")
    assert "field" not in wrong_zip[1]["error"]
    assert "field" not in wrong_card[1]["error"]
    assert wrong_zip[1]["error"]["message"].split(";")[0] == wrong_card[1]["error"]["message"].split(";")[0]


def test_facts_of_two_orders_do_not_add_up(phone: Phone, tools_images: SeedImages, tools_pack: Pack) -> None:
    """ZIP code and card must be of one order: looked for in the seed, a customer with two of each."""
    with closing(sqlite3.connect(tools_images.image(tools_pack))) as db:
        row = db.execute(
            "SELECT c.full_name, c.phone, a.postal_code, q.card_last4 FROM customers c"
            " JOIN orders a USING (customer_id) JOIN payments p ON p.order_number = a.order_number"
            " JOIN orders b USING (customer_id) JOIN payments q ON q.order_number = b.order_number"
            " WHERE a.postal_code != b.postal_code AND p.card_last4 != q.card_last4 AND NOT EXISTS"
            " (SELECT 1 FROM orders o JOIN payments r USING (order_number)"
            "  WHERE o.customer_id = c.customer_id"
            "  AND o.postal_code = a.postal_code AND r.card_last4 = q.card_last4) ORDER BY c.customer_id"
        ).fetchone()
    phone.ok("identify_customer", full_name=row[0], phone=row[1])
    assert phone.refused("verify_identity", postal_code=row[2], card_last4=row[3]) == "identity_mismatch"


def test_another_record_has_to_be_verified_anew(phone: Phone) -> None:
    phone.pass_gate(SELINA, SELINA_PROOF)
    assert phone.ok("identify_customer", **SELINA)["verified"] is True
    assert phone.ok("identify_customer", **PEDRO)["verified"] is False
    assert phone.refused("get_membership") == "not_verified"


def test_three_wrong_attempts_lock_verification_for_the_call(phone: Phone) -> None:
    phone.ok("identify_customer", **SELINA)
    for _ in range(3):
        assert phone.refused("verify_identity", **PEDRO_PROOF) == "identity_mismatch"
    assert phone.refused("verify_identity", **SELINA_PROOF) == "verification_locked"


# --- two-phase changes --------------------------------------------------------------------------------------


def _quoted(phone: Phone, kind: str = "cancellation") -> str:
    return str(phone.ok(f"quote_membership_{kind}")["quote_token"])


def test_cancelling_needs_a_quote_and_an_acknowledgement(phone: Phone) -> None:
    phone.pass_gate(SELINA, SELINA_PROOF)
    confirm = "confirm_membership_cancellation"
    assert phone.refused(confirm, quote_token="QT-12345678", proration_acknowledged=True) == "unknown_quote"
    token = _quoted(phone)
    assert phone.refused(confirm, quote_token=token, proration_acknowledged=False) == "not_acknowledged"
    assert phone.refused(confirm, quote_token=token) == "invalid_argument"
    assert phone.ok(confirm, quote_token=token, proration_acknowledged=True)["refund"] == "$14.99"


def test_a_token_works_once(phone: Phone) -> None:
    phone.pass_gate(SELINA, SELINA_PROOF)
    token = _quoted(phone)
    phone.ok("confirm_membership_cancellation", quote_token=token, proration_acknowledged=True)
    again = phone.refused("confirm_membership_cancellation", quote_token=token, proration_acknowledged=True)
    assert again == "quote_used"
    assert phone.refused("quote_membership_cancellation") == "already_cancelled"
    changes = [row for row in phone.rows()["membership_changes"] if row[8] == token]
    assert len(changes) == 1


def test_a_later_quote_makes_an_earlier_one_void(phone: Phone) -> None:
    phone.pass_gate(SELINA, SELINA_PROOF)
    first, second = _quoted(phone), _quoted(phone)
    assert first != second
    confirm = "confirm_membership_cancellation"
    assert phone.refused(confirm, quote_token=first, proration_acknowledged=True) == "quote_superseded"
    phone.ok(confirm, quote_token=second, proration_acknowledged=True)


def test_a_token_prices_one_kind_of_change(phone: Phone) -> None:
    phone.pass_gate(SELINA, SELINA_PROOF)
    upgrade = _quoted(phone, "upgrade")
    wrong = phone.refused("confirm_membership_cancellation", quote_token=upgrade, proration_acknowledged=True)
    assert wrong == "wrong_quote"
    cancel = _quoted(phone)
    wrong = phone.refused("confirm_membership_upgrade", quote_token=cancel, charge_acknowledged=True)
    assert wrong == "wrong_quote"


def test_a_token_serves_the_customer_it_was_made_for(phone: Phone) -> None:
    phone.pass_gate(SELINA, SELINA_PROOF)
    token = _quoted(phone)
    phone.pass_gate(PEDRO, PEDRO_PROOF)
    stolen = phone.refused("confirm_membership_cancellation", quote_token=token, proration_acknowledged=True)
    assert stolen == "unknown_quote"


def test_a_token_of_another_call_means_nothing(phone: Phone) -> None:
    phone.pass_gate(SELINA, SELINA_PROOF)
    token = _quoted(phone)
    phone.server.open_call("other", "token")
    other = ("other", "token")
    asyncio.run(phone.server.call(*other, "identify_customer", SELINA))
    asyncio.run(phone.server.call(*other, "verify_identity", SELINA_PROOF))
    result = asyncio.run(
        phone.server.call(
            *other, "confirm_membership_cancellation", {"quote_token": token, "proration_acknowledged": True}
        )
    )
    assert result.body["error"]["code"] == "unknown_quote"


# --- what a membership allows -------------------------------------------------------------------------------


def test_total_can_not_be_upgraded(phone: Phone) -> None:
    phone.pass_gate(PEDRO, PEDRO_PROOF)
    assert phone.refused("quote_membership_upgrade") == "already_total"


def test_what_is_not_there_can_not_be_cancelled(phone: Phone) -> None:
    phone.pass_gate(PHILIPPA, PHILIPPA_PROOF)
    assert phone.refused("quote_membership_cancellation") == "no_membership"
    facts = phone.ok("get_membership")
    assert (facts["tier"], facts["renews_on"], facts["paid"]) == ("standard", None, None)


def test_upgrading_plus_keeps_the_renewal_date_and_then_refunds_at_the_new_price(phone: Phone) -> None:
    phone.pass_gate(SELINA, SELINA_PROOF)
    quote = phone.ok("quote_membership_upgrade")
    assert (quote["charge"], quote["months"]) == ("$75.00", 6)
    assert quote["afterwards"] == "renews on February 20, 2027"
    done = phone.ok("confirm_membership_upgrade", quote_token=quote["quote_token"], charge_acknowledged=True)
    assert done["tier_name"] == "Kestrel Total"
    assert phone.ok("get_membership")["renews_on"] == "February 20, 2027"
    # Half of Plus and the 75 dollars come back: 8999.5 cents, floored.
    assert phone.ok("quote_membership_cancellation")["refund"] == "$89.99"


def test_an_upgrade_leaves_auto_renew_as_it_is(
    phone: Phone, tools_images: SeedImages, tools_pack: Pack
) -> None:
    """Switched off by the member, it stays off: nobody agreed to a renewal."""
    with closing(sqlite3.connect(tools_images.image(tools_pack))) as db:
        row = db.execute(
            "SELECT full_name, phone, o.postal_code, card_last4 FROM customers c JOIN orders o USING"
            " (customer_id) JOIN payments USING (order_number) WHERE tier = 'plus' AND auto_renew = 0"
            " ORDER BY customer_id, order_number"
        ).fetchone()
    phone.pass_gate({"full_name": row[0], "phone": row[1]}, {"postal_code": row[2], "card_last4": row[3]})
    before = phone.ok("get_membership")
    assert (before["auto_renew"], before["renews_on"]) == (False, None)
    quote = phone.ok("quote_membership_upgrade")
    assert quote["afterwards"] == f"ends on {before['ends_on']}"
    phone.ok("confirm_membership_upgrade", quote_token=quote["quote_token"], charge_acknowledged=True)
    after = phone.ok("get_membership")
    assert (after["tier"], after["auto_renew"], after["ends_on"]) == ("total", False, before["ends_on"])


def test_joining_total_from_nothing_starts_a_year(phone: Phone) -> None:
    phone.pass_gate(PHILIPPA, PHILIPPA_PROOF)
    quote = phone.ok("quote_membership_upgrade")
    assert (quote["charge"], quote["months"]) == ("$179.99", 12)
    phone.ok("confirm_membership_upgrade", quote_token=quote["quote_token"], charge_acknowledged=True)
    facts = phone.ok("get_membership")
    assert (facts["tier"], facts["renews_on"], facts["auto_renew"]) == ("total", "August 12, 2027", True)
    assert facts["unused_months"] == 12


# --- public information -------------------------------------------------------------------------------------


def test_public_tools_need_no_caller_and_write_nothing(phone: Phone) -> None:
    before = phone.rows()
    assert phone.ok("get_fee", fee="bench_diagnostic")["price"] == "$39.99"
    assert phone.ok("get_fee", fee="restocking_percent")["price"] == "15 percent"
    assert "identical" in phone.ok("get_policy", topic="price_match")["in_short"]
    assert phone.ok("search_kb", query="what is TechCrew?")["articles"][0]["title"] == "What TechCrew is"
    assert phone.rows() == before


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("is this call about a renewed subscription a scam", "Signs of a Kestrel scam"),
        ("who were Bellwether Mobile", "Bellwether Mobile"),
        (
            "is a protection plan the same as the maker's warranty",
            "A maker's warranty and a protection plan",
        ),
        ("do you recycle old televisions", "Recycling electronics"),
        ("how do returns work", "How a return works"),
        ("store hours on Thanksgiving", "Store hours and holidays"),
        ("trading in my old phone", "Trade-in"),
        ("Sagebrush", "Sagebrush Outdoor"),
        ("my battery is swollen", "A swollen, hot or leaking battery"),
    ],
)
def test_articles_are_found_by_their_subject(query: str, title: str, phone: Phone) -> None:
    assert phone.ok("search_kb", query=query)["articles"][0]["title"] == title


def test_a_question_about_nothing_finds_nothing(phone: Phone) -> None:
    assert phone.refused("search_kb", query="zygote quasar") == "no_article"


@pytest.mark.parametrize(
    ("tool", "arguments"), [("get_fee", {"fee": "parking"}), ("get_policy", {"topic": "weather"})]
)
def test_vocabularies_are_closed(tool: str, arguments: Mapping[str, str], phone: Phone) -> None:
    assert phone.refused(tool, **arguments) == "invalid_argument"


def test_stores_are_found_by_number_zip_and_town(phone: Phone) -> None:
    by_town = phone.ok("get_store_info", store="Bend, OR")["stores"]
    assert len(by_town) == 1
    number, address = by_town[0]["store_number"], by_town[0]["address"]
    assert phone.ok("get_store_info", store=f"store #{number}")["stores"] == by_town
    assert by_town[0] in phone.ok("get_store_info", store=address.rsplit(" ", 1)[1])["stores"]
    assert phone.ok("get_store_info", store="bend or")["stores"] == by_town
    assert phone.ok("get_store_info", store="Bend")["stores"] == by_town
    assert "Recycling and trade-in desk" in by_town[0]["departments"]
    assert phone.refused("get_store_info", store="Portland") == "which_state"
    assert phone.refused("get_store_info", store="Atlantis") == "store_not_found"


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("Portland, Oregon", "Portland, OR"),
        ("portland maine", "Portland, ME"),
        ("Charleston, West Virginia", "Charleston, WV"),
        ("St. Louis, MO.", "Saint Louis, MO"),
        ("Washington, D.C.", "Washington, DC"),
        ("New York", "New York, NY"),
        ("New York, New York", "New York, NY"),
    ],
)
def test_a_town_is_found_as_people_say_it(said: str, address: str, phone: Phone) -> None:
    found = phone.ok("get_store_info", store=said)["stores"]
    assert all(f", {address} " in store["address"] for store in found)


@pytest.mark.parametrize("said", ["Portland, Alaska", "Bend, OR'; DROP TABLE stores; --", "%", "Oregon"])
def test_a_town_that_is_not_there_is_not_found(said: str, phone: Phone) -> None:
    assert phone.refused("get_store_info", store=said) == "store_not_found"


def test_a_long_list_of_stores_is_cut_and_says_so(phone: Phone) -> None:
    found = phone.ok("get_store_info", store="Houston, TX")
    assert len(found["stores"]) == 5
    assert found["more"] > 0


# --- handing over and hanging up ----------------------------------------------------------------------------


def test_a_transfer_is_queued_once_and_needs_no_gate(phone: Phone) -> None:
    assert phone.refused("transfer_to_human", reason="bored") == "invalid_argument"
    phone.ok("transfer_to_human", reason="caller_request")
    phone.ok("transfer_to_human", reason="caller_request", summary="Wants a person.")
    assert [row[1:4] for row in phone.rows()["transfers"]] == [("caller_request", "", None)]


def test_a_transfer_notes_whose_record_is_open(phone: Phone) -> None:
    phone.ok("identify_customer", **SELINA)
    phone.ok("transfer_to_human", reason="verification_failed", summary="No card at hand.")
    assert phone.rows()["transfers"][0][1:4] == ("verification_failed", "No card at hand.", 100003)


def test_hanging_up_writes_no_business_row(phone: Phone) -> None:
    before = phone.rows()
    assert phone.ok("end_call") == {"ended": True}
    assert phone.rows() == before


# --- what needs a clock or a kept gate ----------------------------------------------------------------------


def test_a_quote_expires(desk: Desk) -> None:
    desk.use("identify_customer", **SELINA)
    desk.use("verify_identity", **SELINA_PROOF)
    token = desk.use("quote_membership_cancellation")["quote_token"]
    desk.now += timedelta(minutes=30, seconds=1)
    confirm: dict[str, Any] = {"quote_token": token, "proration_acknowledged": True}
    assert desk.code("confirm_membership_cancellation", **confirm) == "quote_expired"
    fresh = desk.use("quote_membership_cancellation")["quote_token"]
    desk.now += timedelta(minutes=30)
    confirm["quote_token"] = fresh
    assert desk.use("confirm_membership_cancellation", **confirm)["cancelled"] is True


def test_wrong_attempts_are_counted_down_and_then_locked(desk: Desk) -> None:
    desk.use("identify_customer", **SELINA)
    for left in ("attempts left: 2", "attempts left: 1", "last attempt"):
        with pytest.raises(ToolRefusal, match=left):
            desk.use("verify_identity", **PEDRO_PROOF)
    assert desk.code("verify_identity", **SELINA_PROOF) == "verification_locked"
    # Finding another record does not buy new attempts.
    desk.use("identify_customer", **PEDRO)
    assert desk.code("verify_identity", **PEDRO_PROOF) == "verification_locked"
    assert desk.code("get_membership") == "not_verified"


def test_a_right_answer_before_the_last_attempt_opens_the_account(desk: Desk) -> None:
    desk.use("identify_customer", **SELINA)
    assert desk.code("verify_identity", **PEDRO_PROOF) == "identity_mismatch"
    assert desk.use("verify_identity", **SELINA_PROOF) == {"verified": True}
    assert desk.use("get_membership")["tier"] == "plus"


def test_two_of_one_name_in_a_household_need_a_fuller_name(desk: Desk) -> None:
    row = tuple(desk.db.execute("SELECT * FROM customers WHERE phone = ?", (SELINA["phone"],)).fetchone())
    twin = (999_999, "Selina Marie Cortez", *row[2:])
    desk.db.execute(f"INSERT INTO customers VALUES ({', '.join('?' * len(twin))})", twin)
    assert (
        desk.code("identify_customer", full_name="Selena Cortez", phone=SELINA["phone"]) == "several_matches"
    )
    assert desk.use("identify_customer", **SELINA)["first_name"] == "Selina"
    desk.use("identify_customer", full_name="Selina Marie Cortez", phone=SELINA["phone"])
    assert desk.db.execute("SELECT customer_id FROM call_session").fetchone()[0] == 999_999


def test_a_year_with_no_whole_month_left_can_still_be_cancelled(desk: Desk) -> None:
    desk.use("identify_customer", **SELINA)
    desk.use("verify_identity", **SELINA_PROOF)
    desk.now = datetime.fromisoformat("2027-02-01T09:00")
    quote = desk.use("quote_membership_cancellation")
    assert (quote["refund"], quote["unused"]) == ("$0.00", "no whole unused month")
    done = desk.use(
        "confirm_membership_cancellation", quote_token=quote["quote_token"], proration_acknowledged=True
    )
    assert done["refund"] == "$0.00"
