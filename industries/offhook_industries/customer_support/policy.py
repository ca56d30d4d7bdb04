"""Kestrel's numbers, and the arithmetic on them.

Money is whole cents, floored; months are whole months on the scenario clock.
"""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from types import MappingProxyType
from typing import Final

import attrs

__all__ = [
    "ACTIVATION_WINDOW_DAYS",
    "BENCH_CENTS",
    "BENCH_WINDOWS",
    "COMPETITORS",
    "FIRST_DELIVERY_DAY",
    "FIRST_SERVICE_DAY",
    "IN_HOME_CENTS",
    "LAST_DELIVERY_DAY",
    "LAST_SERVICE_DAY",
    "LATE_CHANGE_CENTS",
    "LATE_CHANGE_NOTICE",
    "MARKETPLACE_WINDOW_DAYS",
    "MEMBER_WINDOW_DAYS",
    "MOST_VERIFICATION_FAILURES",
    "NOW",
    "NO_RESTOCKING_STATES",
    "PHONE_DEDUCTIBLE_CENTS",
    "PLUS_CENTS",
    "PORTABLE_KINDS",
    "QUOTE_LIFETIME",
    "RESTOCKING_CENTS",
    "RESTOCKING_KINDS",
    "RESTOCKING_PERCENT",
    "STANDARD_WINDOW_DAYS",
    "TERM_MONTHS",
    "TIER_NAMES",
    "TOTAL_CENTS",
    "TOTAL_COVER_MONTHS",
    "VISIT_WINDOWS",
    "Cover",
    "Fee",
    "ReturnWindow",
    "add_business_days",
    "add_months",
    "cancellation_refund_cents",
    "cover_for",
    "delivery_change_fee",
    "delivery_days",
    "dollars",
    "is_late",
    "percent_of",
    "refund_dates",
    "restocking_fee",
    "return_window",
    "service_day_open",
    "spoken_date",
    "spoken_day",
    "spoken_span",
    "unused_whole_months",
    "upgrade_charge_cents",
    "window_opens",
]

NOW: Final = datetime.fromisoformat("2026-08-12T10:15")
"""The scenario clock: a Wednesday morning in company time."""

PLUS_CENTS: Final = 2999
TOTAL_CENTS: Final = 17999
TERM_MONTHS: Final = 12
STANDARD_WINDOW_DAYS: Final = 15
MEMBER_WINDOW_DAYS: Final = 60
ACTIVATION_WINDOW_DAYS: Final = 14
MARKETPLACE_WINDOW_DAYS: Final = 14
MOST_VERIFICATION_FAILURES: Final = 3
RESTOCKING_CENTS: Final = 4500
RESTOCKING_PERCENT: Final = 15
RESTOCKING_KINDS: Final = frozenset({"drone", "projector", "camera", "lens", "scooter", "bike"})
NO_RESTOCKING_STATES: Final = frozenset({"CO", "HI", "IA", "MS", "OH", "SC"})
LATE_CHANGE_CENTS: Final = 2999
LATE_CHANGE_NOTICE: Final = timedelta(hours=48)
FIRST_DELIVERY_DAY: Final = 2
LAST_DELIVERY_DAY: Final = 30
"""A delivery moves to a day from 2 to 30 days ahead."""

BENCH_CENTS: Final = 3999
IN_HOME_CENTS: Final = 9999
PHONE_DEDUCTIBLE_CENTS: Final = 9900
FIRST_SERVICE_DAY: Final = 1
LAST_SERVICE_DAY: Final = 30
VISIT_WINDOWS: Final = ("8 AM to noon", "noon to 4 PM", "4 PM to 8 PM")
BENCH_WINDOWS: Final = ("noon to 2 PM", "2 PM to 4 PM", "4 PM to 6 PM")
TOTAL_COVER_MONTHS: Final = 24
PORTABLE_KINDS: Final = frozenset(
    {"phone", "tablet", "watch", "hotspot", "laptop", "headphones", "console", "camera", "drone"}
)
"""What is carried about: drops and spills are covered for these alone."""

COMPETITORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rivertide": "Rivertide",
        "montrose_home": "Montrose Home",
        "larch_and_lane": "Larch & Lane",
        "bolt_depot": "Bolt Depot",
        "cascade_direct": "Cascade Direct",
        "kestrel": "Kestrel itself",
    }
)
"""Whose lower price is matched."""

QUOTE_LIFETIME: Final = timedelta(minutes=30)
TIER_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"standard": "Kestrel Standard", "plus": "Kestrel Plus", "total": "Kestrel Total"}
)


def add_months(day: date, months: int) -> date:
    """The same day of a later month, or that month's last day where it is shorter (January 31 plus one is
    February 28)."""
    index = day.year * 12 + (day.month - 1) + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def unused_whole_months(today: date, period_end: date) -> int:
    """Whole months from today to the end of the paid period: the largest ``n`` with today plus ``n``
    months not after it.

    A month that has begun is used up. A period that is over has 0; there are never more than a full term.
    """
    months = (period_end.year - today.year) * 12 + period_end.month - today.month
    if add_months(today, months) > period_end:
        months -= 1
    return max(0, min(months, TERM_MONTHS))


def cancellation_refund_cents(paid_cents: int, months: int) -> int:
    """What whole unused months of a year's price are worth: 2999 and 6 give 1499, never half a cent more.

    Raises:
        ValueError: a negative price, or months outside 0..12.
    """
    if paid_cents < 0 or not 0 <= months <= TERM_MONTHS:
        raise ValueError(
            f"no refund for {paid_cents} cents and {months} months: expected cents >= 0 and 0..12 months"
        )
    return paid_cents * months // TERM_MONTHS


def upgrade_charge_cents(paid_cents: int, months: int) -> int:
    """What moving to Kestrel Total costs for the months left on the year; at least one month is charged.

    Raises:
        ValueError: a negative price, or months outside 0..12.
    """
    if paid_cents < 0 or not 0 <= months <= TERM_MONTHS:
        raise ValueError(
            f"no charge for {paid_cents} cents and {months} months: expected cents >= 0 and 0..12 months"
        )
    return max(0, TOTAL_CENTS - paid_cents) * max(1, months) // TERM_MONTHS


def dollars(cents: int) -> str:
    """``1499`` as ``"$14.99"``, ``129999`` as ``"$1,299.99"``."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def spoken_date(day: date) -> str:
    """``2027-02-20`` as ``"February 20, 2027"``."""
    return f"{calendar.month_name[day.month]} {day.day}, {day.year}"


def spoken_day(day: date) -> str:
    """``2026-08-20`` as ``"Thursday, August 20, 2026"``."""
    return f"{calendar.day_name[day.weekday()]}, {spoken_date(day)}"


def spoken_span(first: date, last: date) -> str:
    """Two days as ``"between August 17, 2026 and August 21, 2026"``."""
    return f"between {spoken_date(first)} and {spoken_date(last)}"


def percent_of(cents: int, percent: int) -> int:
    """A share in whole cents, rounded down."""
    return cents * percent // 100


# --- returns --------------------------------------------------------------------------------------------


@attrs.frozen
class ReturnWindow:
    """How long an item may come back. ``days`` is None where there is no limit; ``why`` names the rule."""

    days: int | None
    why: str

    def last_day(self, delivered: date) -> date | None:
        """The last day that counts; the day of delivery is day zero."""
        return None if self.days is None else delivered + timedelta(days=self.days)


@attrs.frozen
class Fee:
    """An amount in cents, and why it is due or is not."""

    cents: int
    why: str

    @property
    def spoken(self) -> str:
        return dollars(self.cents) if self.cents else "no fee"


def return_window(product_class: str, tier: str, *, marketplace: bool, recalled: bool) -> ReturnWindow:
    """The window of an item. A recall lifts every limit, a Marketplace seller's terms come before the
    membership, and so does the class of an activatable device."""
    if recalled:
        return ReturnWindow(None, "a recalled product can come back at any time")
    if marketplace:
        return ReturnWindow(MARKETPLACE_WINDOW_DAYS, "a Marketplace seller's own window")
    if product_class == "activatable":
        return ReturnWindow(ACTIVATION_WINDOW_DAYS, "the window for devices that are activated")
    if tier in ("plus", "total"):
        return ReturnWindow(MEMBER_WINDOW_DAYS, f"the member window of {TIER_NAMES[tier]}")
    return ReturnWindow(STANDARD_WINDOW_DAYS, "the standard window")


def restocking_fee(
    product_class: str, kind: str, price_cents: int, *, opened: bool, state: str, fault: bool
) -> Fee:
    """What is kept back of a refund. ``fault`` is a reason that is not the customer's: a defect, damage on
    arrival, the wrong item, a recall."""
    if fault:
        return Fee(0, "there is no restocking fee when the item is at fault")
    due = _restocking_due(product_class, kind, price_cents, opened=opened)
    if due.cents and state in NO_RESTOCKING_STATES:
        return Fee(0, "there is no restocking fee in the state in which it was bought")
    return due


def _restocking_due(product_class: str, kind: str, price_cents: int, *, opened: bool) -> Fee:
    share = percent_of(price_cents, RESTOCKING_PERCENT)
    if product_class == "special_order":
        return Fee(share, f"a special order costs {RESTOCKING_PERCENT} percent to return, opened or not")
    if not opened:
        return Fee(0, "an unopened box has no restocking fee")
    if product_class == "activatable":
        return Fee(RESTOCKING_CENTS, "an opened device that can be activated has a restocking fee")
    if kind in RESTOCKING_KINDS:
        return Fee(share, f"an opened {kind} costs {RESTOCKING_PERCENT} percent to return")
    return Fee(0, "this kind of item has no restocking fee")


def add_business_days(day: date, count: int) -> date:
    """The ``count``-th weekday after a day; holidays are business days here."""
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < 5
    return day


def refund_dates(method: str, issued: date) -> tuple[date, date]:
    """First and last day on which an issued refund posts: two business days for a store card, three to seven
    for any other."""
    if method == "store_card":
        return add_business_days(issued, 2), add_business_days(issued, 2)
    return add_business_days(issued, 3), add_business_days(issued, 7)


# --- delivery -------------------------------------------------------------------------------------------

_HOURS: Final[Mapping[str, int]] = MappingProxyType({"8 AM": 8, "noon": 12, "4 PM": 16})


def window_opens(day: date, window: str) -> datetime:
    """When a window such as ``"noon to 4 PM"`` opens.

    Raises:
        KeyError: no delivery window begins so.
    """
    return datetime.combine(day, time(_HOURS[window.split(" to ")[0]]))


def is_late(now: datetime, opens: datetime) -> bool:
    """Whether less than 48 hours are left; 48 hours to the minute are enough."""
    return opens - now < LATE_CHANGE_NOTICE


def delivery_change_fee(now: datetime, opens: datetime, tier: str) -> Fee:
    """What moving a delivery costs."""
    if not is_late(now, opens):
        return Fee(0, "it is more than 48 hours ahead")
    if tier == "total":
        return Fee(0, f"{TIER_NAMES['total']} members pay nothing for a late change")
    return Fee(LATE_CHANGE_CENTS, "it is less than 48 hours ahead")


def delivery_days(today: date) -> tuple[date, ...]:
    """The days to which a delivery can be moved, in order: no Sundays."""
    ahead = (today + timedelta(days=count) for count in range(FIRST_DELIVERY_DAY, LAST_DELIVERY_DAY + 1))
    return tuple(day for day in ahead if day.weekday() != calendar.SUNDAY)


# --- service --------------------------------------------------------------------------------------------


@attrs.frozen
class Cover:
    """Who pays for a fault. ``cents`` is the customer's part whatever the service, None where they pay the
    fee of the service they choose; ``repairable`` is False for what TechCrew does not take on."""

    payer: str
    cents: int | None
    repairable: bool
    why: str


def cover_for(
    failure: str,
    kind: str,
    *,
    bought: date,
    warranty_months: int,
    tier: str,
    marketplace: bool,
    plan: tuple[int, bool] | None,
    today: date,
) -> Cover:
    """Who pays, the cheapest for the customer first. ``plan`` is a running plan's deductible in cents and
    whether it covers accidents."""
    if failure == "lost_or_stolen":
        return Cover("nobody", None, False, "loss and theft are covered by nothing and can't be repaired")
    if failure == "cosmetic":
        return Cover("nobody", None, True, "scratches and wear that don't affect use are covered by nothing")
    accident = failure in ("drop_damage", "liquid_damage")
    if failure == "not_working" and today <= add_months(bought, warranty_months):
        return Cover("manufacturer", 0, True, "the maker's warranty still covers defects")
    total = tier == "total" and not marketplace and today <= add_months(bought, TOTAL_COVER_MONTHS)
    if total and (not accident or kind in PORTABLE_KINDS):
        return Cover("total", 0, True, "Kestrel Total covers it while the membership runs")
    if plan is not None and failure != "setup_help" and (not accident or plan[1]):
        return Cover("plan", plan[0], True, "the TechCrew Protect plan on it covers this")
    return Cover("nobody", None, True, _uncovered(failure, accident=accident))


def _uncovered(failure: str, *, accident: bool) -> str:
    if accident:
        return "a maker's warranty covers no accidents, and no plan on it does"
    if failure == "setup_help":
        return "help with setting up is part of Kestrel Total only"
    return "the maker's warranty is over and no plan covers it"


def service_day_open(today: date, day: date, service: str) -> bool:
    """Whether TechCrew takes appointments for a day: tomorrow to 30 days ahead, no homes on Sundays."""
    ahead = (day - today).days
    if not FIRST_SERVICE_DAY <= ahead <= LAST_SERVICE_DAY:
        return False
    return service != "in_home" or day.weekday() != calendar.SUNDAY
