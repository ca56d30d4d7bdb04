"""A customer's membership as it is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, Final

from offhook_industries.customer_support import policy

__all__ = ["BENEFITS", "membership_facts", "runs_to"]

_RETURNS: Final = f"the {policy.MEMBER_WINDOW_DAYS} day return window"
BENEFITS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "standard": "",
        "plus": f"{_RETURNS}, free delivery and member prices",
        "total": f"{_RETURNS}, free delivery, TechCrew help and TechCrew Protect cover",
    }
)
"""What a member has, and gives up by cancelling."""


def runs_to(end: date, *, renews: bool) -> str:
    """``"renews on February 20, 2027"``, or ``"ends on ..."`` where auto-renew is off."""
    return f"{'renews' if renews else 'ends'} on {policy.spoken_date(end)}"


def membership_facts(customer: sqlite3.Row, day: date) -> Mapping[str, Any]:
    """Tier, what the year cost, renewal, whole unused months; ``in_short`` is half a sentence to read out."""
    tier = customer["tier"]
    name = policy.TIER_NAMES[tier]
    if tier == "standard":
        in_short = (
            "a free Kestrel Standard account with no paid membership on it, so nothing renews "
            "and nothing is charged"
        )
        return {
            "tier": tier,
            "tier_name": name,
            "paid": None,
            "renews_on": None,
            "ends_on": None,
            "auto_renew": False,
            "unused_months": 0,
            "benefits": BENEFITS[tier],
            "in_short": in_short,
        }
    end = date.fromisoformat(customer["membership_period_end"])
    renews = bool(customer["auto_renew"])
    top = ", our highest tier, which" if tier == "total" else ", which"
    return {
        "tier": tier,
        "tier_name": name,
        "paid": policy.dollars(customer["membership_paid_cents"]),
        "renews_on": policy.spoken_date(end) if renews else None,
        "ends_on": None if renews else policy.spoken_date(end),
        "auto_renew": renews,
        "unused_months": policy.unused_whole_months(day, end),
        "benefits": BENEFITS[tier],
        "in_short": f"{name}{top} {runs_to(end, renews=renews)}",
    }
