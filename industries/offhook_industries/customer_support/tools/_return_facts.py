"""Whether an item may come back today, and what is kept back of the money."""

from __future__ import annotations

import sqlite3
from datetime import date
from typing import Final

import attrs

from offhook.packs import ToolContext
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._gate import today
from offhook_industries.customer_support.tools._orders import return_of, sold_by_kestrel

__all__ = ["FAULTS", "Eligibility", "eligibility", "fee_of", "is_hazard"]

FAULTS: Final = frozenset({"defective", "damaged_on_arrival", "wrong_item", "recall_or_safety"})
"""Reasons that are not the customer's: no restocking fee."""


@attrs.frozen
class Eligibility:
    """The verdict on one item. ``reason`` is a stable word, ``last_day`` None without a limit or before the
    item has arrived."""

    returnable: bool
    reason: str
    window: policy.ReturnWindow
    last_day: date | None

    def days_left(self, day: date) -> int | None:
        """Days after today that still count, None where nothing runs or it is over."""
        if self.last_day is None or self.last_day < day:
            return None
        return (self.last_day - day).days

    def days_over(self, day: date) -> int:
        return 0 if self.last_day is None else max(0, (day - self.last_day).days)

    def sentence(self, title: str, day: date) -> str:
        """The verdict as half a sentence to read out."""
        if self.reason == "not_delivered" and self.window.days is None:
            return f"the {title} has not arrived yet; once it is there it can come back: {self.window.why}"
        if self.reason == "not_delivered":
            return (
                f"the {title} has not arrived yet; once it is there it can come back for {self.window.days} "
                f"days from the day of delivery: {self.window.why}"
            )
        if self.last_day is None:
            return {
                "recalled": f"the {title} is under recall, and a recalled product can come back at any time",
                "order_cancelled": "that order was cancelled, so there is nothing to return",
            }.get(self.reason, f"the {title} is being returned already")
        last = policy.spoken_date(self.last_day)
        if self.reason == "window_closed":
            return (
                f"the {title} had {self.window.days} days, {self.window.why}, and they ended on {last}, "
                f"{_days(self.days_over(day))} ago"
            )
        if self.reason == "installed_appliance":
            only = "so it can come back only if it arrived damaged"
            return f"the {title} has been installed, {only}, until {last}"
        ahead = self.days_left(day)
        left = f"{_days(ahead)} left" if ahead else "today is the last day"
        return f"the {title} can come back until {last}, {left}: {self.window.days} days, {self.window.why}"


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def eligibility(
    context: ToolContext, customer: sqlite3.Row, order: sqlite3.Row, item: sqlite3.Row
) -> Eligibility:
    """Everything that decides whether an item may come back, strongest rule first."""
    window = policy.return_window(
        item["product_class"],
        customer["tier"],
        marketplace=not sold_by_kestrel(order),
        recalled=bool(item["recalled"]),
    )
    if return_of(context, order["order_number"], item["line"]) is not None:
        return Eligibility(False, "already_returned", window, None)
    if order["status"] == "cancelled":
        return Eligibility(False, "order_cancelled", window, None)
    # What is on its way is cancelled or refused at the door, recalled or not: it is not paid back twice.
    if order["status"] not in ("delivered", "picked_up"):
        return Eligibility(False, "not_delivered", window, None)
    if item["recalled"]:
        return Eligibility(True, "recalled", window, None)
    return _by_date(order, item, window, today(context))


def _by_date(order: sqlite3.Row, item: sqlite3.Row, window: policy.ReturnWindow, day: date) -> Eligibility:
    arrived = date.fromisoformat(order["delivery_on"] or order["placed_on"])
    if item["product_class"] == "major_appliance" and order["installation"]:
        window = policy.ReturnWindow(policy.STANDARD_WINDOW_DAYS, "the time in which damage is reported")
        last = window.last_day(arrived)
        kept = last is not None and day <= last
        return Eligibility(kept, "installed_appliance" if kept else "window_closed", window, last)
    last = window.last_day(arrived)
    if last is not None and day > last:
        return Eligibility(False, "window_closed", window, last)
    return Eligibility(True, "in_window", window, last)


def fee_of(order: sqlite3.Row, item: sqlite3.Row, *, opened: bool, fault: bool) -> policy.Fee:
    """The restocking fee on all pieces of the item. A recalled one has none, whatever it comes back for."""
    fee = policy.restocking_fee(
        item["product_class"],
        item["kind"],
        item["unit_cents"],
        opened=opened,
        state=order["state"],
        fault=fault or bool(item["recalled"]),
    )
    return attrs.evolve(fee, cents=fee.cents * item["quantity"])


def is_hazard(item: sqlite3.Row, reason: str) -> bool:
    """Whether the item must not be mailed: a battery under recall or known for swelling that is at fault."""
    return bool(item["battery_safety_flag"]) and (bool(item["recalled"]) or reason != "changed_mind")
