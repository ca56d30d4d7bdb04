"""Public information: articles, fees, policies and stores. Nothing here needs a verified caller."""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._place_names import read_place

__all__ = ["information_tools"]

_BEST_ARTICLES: Final = 3
_TITLE_WEIGHT: Final = 3
_MOST_STORES: Final = 5
_COMMON_WORDS: Final = """
    a an and any are as at be by can do does for from have how i if in is it kestrel me my of on or that
    the their there to was what when where which who with you your
"""
_COMMON: Final = frozenset(_COMMON_WORDS.split())
_ENDING: Final = re.compile(r"(?<=[a-z]{4})(?:ing|ed|es|e|s)$")

_FEE_CHOICES: Final = (
    Choice("plus_membership", "the price of a Kestrel Plus membership", ("plus", "kestrel plus")),
    Choice("total_membership", "the price of a Kestrel Total membership", ("total", "kestrel total")),
    Choice(
        "haul_away", "taking an old appliance away with a delivery", ("haul away", "haul-away", "haulaway")
    ),
    Choice("recycling_pickup", "collecting an old appliance without buying one", ("recycling pickup",)),
    Choice("appliance_installation", "installing a new appliance", ("installation",)),
    Choice("late_delivery_change", "moving a delivery or installation at short notice", ("late change",)),
    Choice("bench_diagnostic", "having TechCrew look at a broken item in a store", ("diagnostic", "bench")),
    Choice("in_home_visit", "a TechCrew technician coming to the house", ("in-home visit", "home visit")),
    Choice("phone_plan_deductible", "what a protection plan claim on a dropped phone costs", ("deductible",)),
    Choice("restocking_activatable", "the restocking fee on an opened phone or cellular device", ()),
    Choice("restocking_percent", "the restocking fee on an opened drone, camera, lens or projector", ()),
)

_POLICY_CHOICES: Final = (
    Choice(
        "returns",
        "how long and how an item can be returned or exchanged, and refunds",
        ("return", "returns", "return policy"),
    ),
    Choice(
        "restocking", "when a fee is taken off a return of an opened item", ("restocking", "restocking fee")
    ),
    Choice(
        "price_match",
        "matching a competitor's lower price",
        ("price match", "price matching", "price match guarantee"),
    ),
    Choice(
        "membership",
        "what the memberships include, renewal, cancelling and upgrading",
        ("membership", "memberships"),
    ),
    Choice(
        "delivery_install",
        "delivery, installation and haul-away of old appliances",
        ("delivery", "installation", "haul away"),
    ),
    Choice("open_box", "open-box grades and their terms", ("open box", "open-box")),
    Choice("marketplace", "items sold by independent sellers on the site", ("marketplace",)),
    Choice(
        "recycling",
        "recycling electronics and trading devices in",
        ("recycling", "recycle", "trade-in", "trade in"),
    ),
)


def information_tools() -> tuple[Tool, ...]:
    return (_search(), _store(), _policy(), _fee())


def _search() -> Tool:
    return Tool(
        "search_kb",
        "When to call: a general question that no other tool owns: TechCrew and its plans, "
        "warranties, a repair or a return step by step, trading in, the older brands (Aurelian "
        "Audio, Bellwether Mobile, Coastline Kitchen & Home, Sagebrush Outdoor, Sound Harbor), "
        "signs of a scam, dangerous batteries. Not for amounts (get_fee) and not for rules with "
        "numbers (get_policy).",
        (
            Parameter(
                "query", ValueKind.TEXT, "What the caller wants to know, in a few words", constrained=False
            ),
        ),
        search_kb,
    )


def search_kb(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    articles = context.db.execute("SELECT title, body FROM kb_articles ORDER BY slug").fetchall()
    ranked = _rank(
        arguments["query"],
        [(f"{row['title']} " * _TITLE_WEIGHT) + row["body"] for row in articles],
    )
    if not ranked:
        message = (
            "No article fits. Ask the caller to put it differently, or say that this line does "
            "not know; do not guess."
        )
        raise ToolRefusal("no_article", message, field="query", status=404)
    found = [articles[index] for index in ranked[:_BEST_ARTICLES]]
    return {
        "answer": found[0]["body"],
        "articles": [{"title": row["title"], "text": row["body"]} for row in found],
    }


def _rank(query: str, texts: list[str]) -> list[int]:
    """Indices of texts that share a word with the query, best first: tf-idf with damped counts."""
    bags = [Counter(_words(text)) for text in texts]
    wanted = set(_words(query))
    spread = {word: sum(word in bag for bag in bags) for word in wanted}

    def score(bag: Counter[str]) -> float:
        return sum(
            (1 + math.log(bag[word])) * math.log(1 + len(bags) / spread[word])
            for word in sorted(wanted)
            if bag[word]
        )

    scores = [score(bag) for bag in bags]
    return sorted(
        (index for index, value in enumerate(scores) if value > 0), key=lambda index: (-scores[index], index)
    )


def _words(text: str) -> list[str]:
    """Stems of the words that are not too common: "recycle" and "recycling" are both "recycl"."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return [_ENDING.sub("", word) for word in words if word not in _COMMON]


def _store() -> Tool:
    return Tool(
        "get_store_info",
        "When to call: the caller asks for a store's address, phone, opening hours or "
        "departments and has named a town, a ZIP code or a "
        "store number. Ask for the state when several towns have the name.",
        (
            Parameter(
                "store",
                ValueKind.TEXT,
                "Store number, ZIP code, or town and state, such as Bend, OR",
            ),
        ),
        get_store_info,
    )


def get_store_info(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    rows = _find_stores(context.db, arguments["store"])
    if not rows:
        message = "No store is known by that. Ask for the town and state, a ZIP code, or the store number."
        raise ToolRefusal("store_not_found", message, field="store", status=404)
    states = sorted({row["state"] for row in rows})
    if len(states) > 1:
        message = (
            f"Towns of this name have stores in {', '.join(states)}. Ask which state and call "
            f"again with town and state."
        )
        raise ToolRefusal("which_state", message, field="store")
    return {
        "stores": [_store_facts(context.db, row) for row in rows[:_MOST_STORES]],
        "more": max(0, len(rows) - _MOST_STORES),
    }


def _find_stores(db: sqlite3.Connection, text: str) -> list[sqlite3.Row]:
    number = re.fullmatch(r"(?:store|number|no\.?|#|\s)*(\d{3,4})", text, re.IGNORECASE)
    if number is not None:
        return db.execute("SELECT * FROM stores WHERE store_number = ?", (int(number[1]),)).fetchall()
    if re.fullmatch(r"\d{5}", text):
        return db.execute(
            "SELECT * FROM stores WHERE postal_code = ? ORDER BY store_number", (text,)
        ).fetchall()
    town, state = read_place(text)
    return db.execute(
        "SELECT * FROM stores WHERE city = ? AND ? IN (state, '') ORDER BY store_number", (town, state)
    ).fetchall()


def _store_facts(db: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    hours = db.execute("SELECT * FROM hours_patterns WHERE pattern = ?", (row["hours_pattern"],)).fetchone()
    departments = db.execute(
        "SELECT title FROM store_departments JOIN departments USING (department) WHERE "
        "store_number = ? ORDER BY department",
        (row["store_number"],),
    ).fetchall()
    return {
        "store_number": row["store_number"],
        "name": row["name"],
        "address": f"{row['street']}, {row['city']}, {row['state']} {row['postal_code']}",
        "phone": row["phone"],
        "hours": {
            "monday_to_thursday": hours["mon_thu"],
            "friday_and_saturday": hours["fri_sat"],
            "sunday": hours["sunday"],
        },
        "departments": [entry["title"] for entry in departments],
    }


def _policy() -> Tool:
    return Tool(
        "get_policy",
        "When to call: the caller asks for a rule: returns, restocking fees, price matching, "
        "membership terms, delivery and installation, "
        "open-box, Marketplace sellers, or recycling. Always before stating a rule or its "
        "numbers, even if you think you know them. "
        "in_short is what to say; the body answers what the caller asks next.",
        (Parameter("topic", ValueKind.TEXT, "Which policy", choices=_POLICY_CHOICES),),
        get_policy,
    )


def get_policy(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    row = context.db.execute("SELECT * FROM policies WHERE topic = ?", (arguments["topic"],)).fetchone()
    return {"topic": row["topic"], "title": row["title"], "in_short": row["in_short"], "body": row["body"]}


def _fee() -> Tool:
    return Tool(
        "get_fee",
        "When to call: before naming any price or fee of Kestrel's own, membership prices "
        "included, that no other tool has just given for this caller. One "
        "call for each fee: for two prices call twice. Not for the price of a product and "
        "not for what this caller paid.",
        (Parameter("fee", ValueKind.TEXT, "Which fee or price", choices=_FEE_CHOICES),),
        get_fee,
    )


def get_fee(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    row = context.db.execute("SELECT * FROM fees WHERE fee = ?", (arguments["fee"],)).fetchone()
    price = (
        policy.dollars(row["amount_cents"])
        if row["amount_cents"] is not None
        else f"{row['percent']} percent"
    )
    sentence = f"{row['title']} is {price} {row['per']}. {row['note']}".strip()
    return {
        "fee": row["fee"],
        "title": row["title"],
        "price": price,
        "per": row["per"],
        "note": row["note"],
        "sentence": sentence,
    }
