"""What each call leaves and what its caller is told: keys replayed on the seed, through every guard."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from offhook.packs import Pack, TableRole
from offhook.toolserver import Replay, SeedImages, replay
from offhook_industries.customer_support.pack import build_pack
from tests.industries.customer_support._keys import KEYS

OPEN_BOX = (
    "The Lumen Studio 50-inch QLED television was sold open-box: its price is final and is not matched."
)


@pytest.fixture(scope="module")
def pack() -> Pack:
    return build_pack()


def _replayed(task_id: str, pack: Pack, images: SeedImages, folder: Path) -> Replay:
    return replay(pack, pack.task(task_id), folder, images=images)


@pytest.mark.parametrize("task_id", KEYS)
def test_a_key_leaves_rows_in_these_tables_only(
    task_id: str, pack: Pack, tools_images: SeedImages, tmp_path: Path
) -> None:
    run = _replayed(task_id, pack, tools_images, tmp_path)
    uncounted = (TableRole.SESSION, TableRole.REFERENCE)
    counted = {table.name for table in pack.tables if table.role not in uncounted}
    rows = Counter(change.table for change in run.changes if change.table in counted)
    assert rows == Counter(KEYS[task_id][1])
    written = {change.table for change in run.changes if change.table not in counted}
    assert written <= {"call_session", "coverage_checks"}


def test_every_task_is_here_and_the_gated_ones_are_those_published(pack: Pack) -> None:
    assert {task.id for task in pack.tasks} == set(KEYS)
    gated = Counter(task.tier.value for task in pack.tasks if pack.gated(task))
    assert gated == {"medium": 11, "hard": 12}


@pytest.mark.parametrize(
    ("task_id", "tool", "field", "told"),
    [
        ("T1-E1", "get_fee", "price", "$49.99"),
        ("T1-M2", "cancel_order", "refund", "$129.99"),
        ("T1-M4", "quote_delivery_change", "fee", "$29.99"),
        ("T1-H2", "confirm_delivery_change", "day", "Thursday, August 20, 2026"),
        ("T1-H4", "check_return_eligibility", "window_days", 60),
        ("T2-M1", "check_return_eligibility", "last_day", "August 17, 2026"),
        ("T2-M1", "check_return_eligibility", "days_left", 5),
        ("T2-M2", "check_return_eligibility", "days_over", 7),
        ("T2-M2", "check_return_eligibility", "returnable", False),
        ("T2-H1", "quote_return", "refund", "$404.99"),
        ("T2-H4", "confirm_return", "refund", "$1,054.99"),
        ("T2-H4", "create_return_label", "label_emailed", True),
        ("T2-H4", "get_refund_status", "stage", "awaiting_item"),
        ("T3-M1", "check_coverage", "payer", "total"),
        ("T3-M2", "check_coverage", "cost", "$99.00"),
        ("T3-H1", "book_service_appointment", "cost", "nothing"),
        ("T3-H3", "book_service_appointment", "cost", "$39.99"),
        ("T5-M1", "get_order", "notes", OPEN_BOX),
        ("T5-M4", "quote_price_match", "reason", "not_lower"),
        ("T5-H1", "quote_price_match", "difference", "$30.00"),
        ("T5-H2", "get_order", "sold_by_kestrel", False),
        ("R-M3", "get_order", "status", "scheduled"),
        ("R-M4", "check_subscription_charge", "kestrel_charge", False),
        ("R-H3", "create_return_label", "kit_sent", True),
        ("R-H3", "quote_return", "refund", "$79.99"),
        ("R-H4", "check_return_eligibility", "last_day", "August 14, 2026"),
    ],
)
def test_what_the_caller_is_told(
    task_id: str,
    tool: str,
    field: str,
    told: object,
    pack: Pack,
    tools_images: SeedImages,
    tmp_path: Path,
) -> None:
    run = _replayed(task_id, pack, tools_images, tmp_path)
    assert next(call for call in run.calls if call.tool == tool).response[field] == told
