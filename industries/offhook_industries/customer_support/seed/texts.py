"""The published words: fee schedule, policies and general information, from the files beside this module."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from offhook_industries.customer_support import policy

__all__ = ["FEES", "POLICY_TOPICS", "fill_texts"]

_FOLDER: Final = Path(__file__).parent.parent

POLICY_TOPICS: Final = (
    "returns",
    "restocking",
    "price_match",
    "membership",
    "delivery_install",
    "open_box",
    "marketplace",
    "recycling",
)

# fee, title, cents, percent, per, note
FEES: Final = (
    ("plus_membership", "Kestrel Plus membership", policy.PLUS_CENTS, None, "a year", ""),
    ("total_membership", "Kestrel Total membership", policy.TOTAL_CENTS, None, "a year", ""),
    (
        "haul_away",
        "Haul-away of one old appliance with a delivery",
        4999,
        None,
        "for each appliance",
        "Kestrel Total members pay nothing.",
    ),
    ("recycling_pickup", "Recycling pick-up without a purchase", 7999, None, "for each appliance", ""),
    (
        "appliance_installation",
        "Basic appliance installation",
        9999,
        None,
        "for each appliance",
        "Kestrel Total members pay nothing.",
    ),
    (
        "late_delivery_change",
        "A delivery change less than 48 hours ahead",
        policy.LATE_CHANGE_CENTS,
        None,
        "for each change",
        "Kestrel Total members pay nothing.",
    ),
    (
        "bench_diagnostic",
        "A TechCrew bench diagnostic",
        policy.BENCH_CENTS,
        None,
        "for each item",
        "It is credited to a repair, and free with Kestrel Total.",
    ),
    (
        "in_home_visit",
        "A TechCrew visit at home",
        policy.IN_HOME_CENTS,
        None,
        "for each visit",
        "Covered repairs have no visit fee.",
    ),
    (
        "phone_plan_deductible",
        "The TechCrew Protect deductible for a dropped phone",
        policy.PHONE_DEDUCTIBLE_CENTS,
        None,
        "for each claim",
        "",
    ),
    (
        "restocking_activatable",
        "The restocking fee for an opened activatable device",
        policy.RESTOCKING_CENTS,
        None,
        "for each device",
        "Six states have none.",
    ),
    (
        "restocking_percent",
        "The restocking fee for an opened drone, projector, camera, lens or electric ride",
        None,
        policy.RESTOCKING_PERCENT,
        "of its price",
        "Six states have none.",
    ),
)


def fill_texts(db: sqlite3.Connection) -> None:
    """Writes fees, policies and articles."""
    db.executemany("INSERT INTO fees VALUES (?, ?, ?, ?, ?, ?)", FEES)
    db.executemany("INSERT INTO policies VALUES (?, ?, ?, ?)", [_policy(topic) for topic in POLICY_TOPICS])
    db.executemany("INSERT INTO kb_articles VALUES (?, ?, ?)", list(_articles()))


def _policy(topic: str) -> tuple[str, str, str, str]:
    """A policy file is a title line, one paragraph that says it in short, and the rest."""
    text = (
        (_FOLDER / "policies" / f"{topic}.md")
        .read_text(encoding="utf-8")
        .format(
            standard_days=policy.STANDARD_WINDOW_DAYS,
            member_days=policy.MEMBER_WINDOW_DAYS,
            activation_days=policy.ACTIVATION_WINDOW_DAYS,
            marketplace_days=policy.MARKETPLACE_WINDOW_DAYS,
            first_delivery=policy.FIRST_DELIVERY_DAY,
            last_delivery=policy.LAST_DELIVERY_DAY,
        )
    )
    head, body = text.strip().split("\n\n", 1)
    title, in_short = head.split("\n", 1)
    return topic, title.removeprefix("# "), in_short, body


def _articles() -> Iterator[tuple[str, str, str]]:
    text = (_FOLDER / "kb.md").read_text(encoding="utf-8")
    for section in text.split("## ")[1:]:
        head, body = section.split("\n", 1)
        slug, title = head.split(" | ")
        yield slug, title, body.strip()
