"""What TechCrew does for which item, where and when."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Final

from offhook.packs import ToolContext
from offhook_industries.customer_support import policy

__all__ = ["SERVICE_FEES", "SERVICE_NAMES", "bench_near", "free_window", "services_for"]

SERVICE_FEES: Final[Mapping[str, int]] = MappingProxyType(
    {"bench": policy.BENCH_CENTS, "in_home": policy.IN_HOME_CENTS, "remote": policy.BENCH_CENTS}
)
"""What an uncovered appointment costs, in cents."""

SERVICE_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"bench": "bench visit", "in_home": "visit at home", "remote": "remote session"}
)
_ONLINE: Final = frozenset(
    {"laptop", "desktop", "tablet", "phone", "printer", "networking", "smart_home", "streaming"}
)
_FIXED: Final = frozenset({"television", "projector", "networking", "receiver", "mount"})
_MOST_AT_A_TIME: Final = 3
_CLOSED: Final = "closed"


def services_for(product_class: str, kind: str) -> tuple[str, ...]:
    """The services an item can have, the usual one first. Appliances are never carried to a bench."""
    if product_class in ("major_appliance", "special_order"):
        return ("in_home",)
    services = ["bench"]
    if kind in _FIXED:
        services.append("in_home")
    if kind in _ONLINE:
        services.append("remote")
    return tuple(services)


def bench_near(context: ToolContext, zip_code: str, day: date) -> tuple[sqlite3.Row | None, bool]:
    """The store with a TechCrew bench whose ZIP code is nearest in number within the same three-digit area,
    and whether it is open on that day."""
    row: sqlite3.Row | None = context.db.execute(
        "SELECT stores.*, sunday FROM stores JOIN store_departments USING (store_number) "
        "JOIN hours_patterns ON pattern = hours_pattern "
        "WHERE postal_code BETWEEN ? AND ? AND department = 'techcrew' "
        "ORDER BY abs(CAST(postal_code AS INTEGER) - ?), store_number LIMIT 1",
        (f"{zip_code[:3]}00", f"{zip_code[:3]}99", int(zip_code)),
    ).fetchone()
    if row is None:
        return None, False
    return row, day.isoweekday() != 7 or row["sunday"] != _CLOSED


def free_window(context: ToolContext, store_number: int | None, day: date) -> str | None:
    """The day's first window that is not full at that store; visits and remote sessions are never full."""
    if store_number is None:
        return policy.VISIT_WINDOWS[0]
    taken = {
        row["window"]: row["booked"]
        for row in context.db.execute(
            "SELECT window, count(*) AS booked FROM service_appointments "
            "WHERE store_number = ? AND on_day = ? "
            "AND status = 'booked' GROUP BY window",
            (store_number, day.isoformat()),
        )
    }
    return next((window for window in policy.BENCH_WINDOWS if taken.get(window, 0) < _MOST_AT_A_TIME), None)
