"""A customer's membership as it is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any

from offhook_industries.customer_support import policy

__all__ = ["membership_facts"]


def membership_facts(customer: sqlite3.Row, day: date) -> Mapping[str, Any]:
    """Tier, what the year cost, renewal, whole unused months; ``in_short`` is half a sentence to read out."""
    tier = customer["tier"]
    name = policy.TIER_NAMES[tier]
    if tier == "standard":
        in_short = "a free Kestrel Standard account with no paid membership on it"
        return {
            "tier": tier,
            "tier_name": name,
            "paid": None,
            "renews_on": None,
            "auto_renew": False,
            "unused_months": 0,
            "in_short": in_short,
        }
    end = date.fromisoformat(customer["membership_period_end"])
    until = policy.spoken_date(end)
    running = "renews on" if customer["auto_renew"] else "ends on"
    top = ", our highest tier, which" if tier == "total" else ", which"
    return {
        "tier": tier,
        "tier_name": name,
        "paid": policy.dollars(customer["membership_paid_cents"]),
        "renews_on": until,
        "auto_renew": bool(customer["auto_renew"]),
        "unused_months": policy.unused_whole_months(day, end),
        "in_short": f"{name}{top} {running} {until}",
    }
