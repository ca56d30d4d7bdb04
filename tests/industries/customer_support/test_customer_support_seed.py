"""The seed database: the scale of a national retailer, the same every time, consistent in itself."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from offhook.names import match_names
from offhook.toolserver import SeedImages
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.seed.cases import CASES, STRANGERS
from tests.industries.customer_support._phone import small_pack

ROOT = Path(__file__).parents[3]
BUILD = """
import sys
from pathlib import Path
from offhook.toolserver import SeedImages
from tests.industries.customer_support._phone import small_pack
print(SeedImages(Path(sys.argv[1])).image(small_pack()))
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return SeedImages(tmp_path_factory.mktemp("seed")).image(small_pack())


@pytest.fixture(scope="module")
def db(image: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{image}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    return connection


def _count(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.parametrize("hash_seed", ["1", "77"])
def test_another_process_builds_the_same_bytes(image: Path, tmp_path: Path, hash_seed: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", BUILD, str(tmp_path)],
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    other = Path(run.stdout.strip())
    assert hashlib.sha256(other.read_bytes()).digest() == hashlib.sha256(image.read_bytes()).digest()


def test_foreign_keys_hold_and_the_file_is_sound(db: sqlite3.Connection) -> None:
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_scale(db: sqlite3.Connection, image: Path) -> None:
    assert 950 <= _count(db, "stores") <= 1050
    assert db.execute("SELECT count(DISTINCT state) FROM stores").fetchone()[0] == 51
    assert _count(db, "customers") == 2500
    assert _count(db, "orders") > 4000
    assert _count(db, "protection_plans") > 500
    assert _count(db, "service_appointments") > 400
    assert _count(db, "policies") == 8
    assert _count(db, "returns") > 100
    assert _count(db, "refunds") > _count(db, "returns")
    assert _count(db, "outbound_contacts") > 500
    assert _count(db, "competitor_offers") > 200
    tiers = Counter(row["tier"] for row in db.execute("SELECT tier FROM customers"))
    assert min(tiers.values()) > 200
    assert set(tiers) == {"standard", "plus", "total"}
    assert image.stat().st_size <= 4_000_000


def test_every_phone_number_is_of_the_invented_range(db: sqlite3.Connection) -> None:
    phones = [
        row["phone"] for table in ("customers", "stores") for row in db.execute(f"SELECT phone FROM {table}")
    ]
    assert [phone for phone in phones if not re.fullmatch(r"[2-9][0-9]{2}-555-01[0-9]{2}", phone)] == []
    mails = [row["email"] for row in db.execute("SELECT email FROM customers")]
    assert [mail for mail in mails if not re.fullmatch(r"[a-z0-9.\-]+@example\.(com|net|org)", mail)] == []


def test_people_who_share_a_phone_can_be_told_apart(db: sqlite3.Connection) -> None:
    """Several first names in a household, so that the name decides and never just the number."""
    homes: dict[str, list[str]] = {}
    for row in db.execute("SELECT phone, full_name FROM customers"):
        homes.setdefault(row["phone"], []).append(row["full_name"])
    shared = [names for names in homes.values() if len(names) > 1]
    assert len(shared) > 50
    for names in shared:
        assert len(set(names)) == len(names)


def test_callers_have_neighbours_who_could_be_taken_for_them(db: sqlite3.Connection) -> None:
    names = [row["full_name"] for row in db.execute("SELECT full_name FROM customers")]
    assert {"Selena Cortes", "Celina Cortez"} <= {
        name for name in names if match_names(name, "Selina Cortez").same
    }
    for case in CASES:
        assert sum(name.split()[-1] == case.full_name.split()[-1] for name in names) >= 1


def test_every_case_is_verified_by_its_own_order_only(db: sqlite3.Connection) -> None:
    for case in CASES:
        rows = db.execute(
            "SELECT full_name, orders.postal_code, card_last4 FROM customers JOIN orders USING (customer_id)"
            " JOIN payments USING (order_number) WHERE phone = ?",
            (case.phone,),
        ).fetchall()
        own = {(row["postal_code"], row["card_last4"]) for row in rows if row["full_name"] == case.full_name}
        others = {
            (row["postal_code"], row["card_last4"]) for row in rows if row["full_name"] != case.full_name
        }
        assert own == {(order.postal_code, order.card_last4) for order in case.orders}
        assert own & others == set()


def test_memberships_are_running_and_former_ones_were_refunded_by_the_rule(db: sqlite3.Connection) -> None:
    today = policy.NOW.date().isoformat()
    broken = db.execute(
        "SELECT count(*) FROM customers WHERE tier != 'standard' AND NOT"
        " (membership_period_start <= ? AND membership_period_end > ?)",
        (today, today),
    ).fetchone()[0]
    assert broken == 0
    prices = {"plus": policy.PLUS_CENTS, "total": policy.TOTAL_CENTS}
    rows = db.execute("SELECT * FROM membership_changes JOIN customers USING (customer_id)").fetchall()
    assert len(rows) > 50
    for row in rows:
        end = date.fromisoformat(row["membership_period_end"])
        months = policy.unused_whole_months(date.fromisoformat(row["effective_on"]), end)
        assert row["months"] == months
        assert row["amount_cents"] == policy.cancellation_refund_cents(prices[row["from_tier"]], months)
        assert (row["tier"], row["kind"]) == ("standard", "cancel")


def test_returns_and_refunds_follow_the_rules(db: sqlite3.Connection) -> None:
    rows = db.execute(
        "SELECT returns.*, orders.state, products.kind, product_class, unit_cents, quantity, box_opened, "
        "refunds.amount_cents, stage FROM returns JOIN orders USING (order_number) "
        "JOIN order_items USING (order_number, line) JOIN products USING (sku) "
        "JOIN refunds ON refunds.order_number = returns.order_number AND refunds.kind = 'return'"
    ).fetchall()
    assert len(rows) == _count(db, "returns")
    for row in rows:
        fee = policy.restocking_fee(
            row["product_class"],
            row["kind"],
            row["unit_cents"],
            opened=bool(row["box_opened"]),
            state=row["state"],
            fault=row["reason"] != "changed_mind",
        )
        assert row["fee_cents"] == fee.cents
        assert row["refund_cents"] == row["amount_cents"] == row["unit_cents"] * row["quantity"] - fee.cents
        assert (row["status"] == "open") == (row["stage"] == "awaiting_item")
    assert {row["stage"] for row in rows} == {"awaiting_item", "issued", "posted"}


def test_cancelled_orders_were_paid_back(db: sqlite3.Connection) -> None:
    off = db.execute(
        "SELECT count(*) FROM orders JOIN payments USING (order_number) LEFT JOIN refunds "
        "ON refunds.order_number = orders.order_number AND kind = 'cancelled_order' "
        "WHERE status = 'cancelled' AND refunds.amount_cents IS NOT payments.amount_cents"
    ).fetchone()[0]
    assert off == 0


def test_order_numbers_of_neighbours_are_easily_taken_for_each_other(db: sqlite3.Connection) -> None:
    numbers = {order.order_number for case in CASES for order in case.orders}
    assert len(numbers) == sum(len(case.orders) for case in CASES)
    for mine, other in (("KE-4437182", "KE-4437128"), ("KE-4482047", "KE-4482074")):
        assert {mine, other} <= numbers
        owners = db.execute(
            "SELECT count(DISTINCT customer_id) FROM orders WHERE order_number IN (?, ?)", (mine, other)
        ).fetchone()[0]
        assert owners == 2


def test_nobody_in_the_crowd_has_a_strangers_number(db: sqlite3.Connection) -> None:
    for phone in STRANGERS:
        assert db.execute("SELECT count(*) FROM customers WHERE phone = ?", (phone,)).fetchone()[0] == 0


def test_payments_are_the_sum_of_their_items(db: sqlite3.Connection) -> None:
    off = db.execute(
        "SELECT count(*) FROM payments JOIN (SELECT order_number, sum(quantity * unit_cents) AS total"
        " FROM order_items GROUP BY order_number) USING (order_number) WHERE amount_cents != total"
    ).fetchone()[0]
    assert off == 0
    assert _count(db, "payments") == _count(db, "orders")


def test_policies_hold_their_numbers(db: sqlite3.Connection) -> None:
    said = {row["topic"]: f"{row['in_short']} {row['body']}" for row in db.execute("SELECT * FROM policies")}
    for days in ("15 days", "60 days", "14 days"):
        assert days in said["returns"]
    assert not [topic for topic, text in said.items() if "{" in text or "}" in text]
    # Prices have one source: an agent must call get_fee to know what a membership costs.
    assert "29.99" not in said["membership"]
    assert "179.99" not in said["membership"]


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("SELECT customer_id, full_name FROM customers WHERE phone = '541-555-0171'", "customers_by_phone"),
        (
            "SELECT 1 FROM orders JOIN payments USING (order_number) WHERE customer_id = 1",
            "orders_by_customer",
        ),
        ("SELECT * FROM orders WHERE customer_id = 1 ORDER BY placed_on DESC", "orders_by_customer"),
        ("SELECT * FROM stores WHERE city = 'Bend' AND state = 'OR'", "stores_by_city"),
        ("SELECT * FROM stores WHERE postal_code = '97035'", "stores_by_zip"),
        ("SELECT * FROM orders WHERE order_number = 'KE-4437182' AND customer_id = 1", "PRIMARY KEY"),
        ("SELECT * FROM returns WHERE order_number = 'KE-4437182' AND line = 1", "returns_by_item"),
        ("SELECT * FROM refunds WHERE order_number = 'KE-4437182' AND kind = 'return'", "PRIMARY KEY"),
        (
            "UPDATE order_quotes SET state = 'superseded' WHERE order_number = 'KE-4437182' AND line = 1"
            " AND kind = 'return' AND state = 'open'",
            "order_quotes_by_order",
        ),
        (
            "SELECT max(sent_on) FROM outbound_contacts WHERE phone = '480-555-0119' AND channel = 'email'",
            "outbound_contacts_by_phone",
        ),
        (
            "SELECT count(*) FROM service_appointments WHERE store_number = 101 AND on_day = '2026-08-17'",
            "service_appointments_by_store",
        ),
        ("SELECT * FROM competitor_offers WHERE sku = 'AU-1010' AND competitor = 'x'", "PRIMARY KEY"),
        (
            "SELECT * FROM service_appointments WHERE customer_id = 1 AND status = 'booked'",
            "service_appointments_by",
        ),
        ("SELECT * FROM protection_plans WHERE customer_id = 1", "protection_plans_by_customer"),
        (
            "SELECT * FROM membership_quotes WHERE customer_id = 1 AND state = 'open'",
            "membership_quotes_by_customer",
        ),
        ("SELECT max(change_no) FROM membership_changes WHERE customer_id = 1", "PRIMARY KEY"),
    ],
)
def test_look_ups_use_an_index(db: sqlite3.Connection, query: str, index: str) -> None:
    plan = " ".join(row["detail"] for row in db.execute(f"EXPLAIN QUERY PLAN {query}"))
    assert index in plan
    assert "SCAN" not in plan
