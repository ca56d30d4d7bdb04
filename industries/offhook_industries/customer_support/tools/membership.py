"""Reading a membership, and the two changes to it: each is quoted, then committed with the quote's token."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any

from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._gate import today, verified_customer
from offhook_industries.customer_support.tools._membership_facts import BENEFITS, membership_facts, runs_to
from offhook_industries.customer_support.tools._quotes import (
    MembershipQuote,
    commit_quote,
    open_quote,
    take_quote,
)
from offhook_industries.customer_support.tools._tokens import require_consent

__all__ = ["membership_tools"]


def membership_tools() -> tuple[Tool, ...]:
    return (_get(), _quote_upgrade(), _confirm_upgrade(), _quote_cancellation(), _confirm_cancellation())


def _token(quote_tool: str) -> Parameter:
    return Parameter(
        "quote_token", ValueKind.TEXT, f"The quote_token of the latest {quote_tool} result", constrained=False
    )


def _get() -> Tool:
    return Tool(
        "get_membership",
        "When to call: a verified caller asks about the renewal date of their membership, its "
        "auto-renew setting, the price of their year, or the whole months left on it. For what "
        "memberships cost in general use get_fee.",
        (),
        get_membership,
    )


def get_membership(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return membership_facts(verified_customer(context), today(context))


def _quote_upgrade() -> Tool:
    return Tool(
        "quote_membership_upgrade",
        "When to call: a verified caller wants Kestrel Total, before any amount is named. "
        "Prices the upgrade and changes nothing. Read the "
        "charge back and get a clear yes before confirm_membership_upgrade. A new quote "
        "makes an earlier one void.",
        (),
        quote_membership_upgrade,
    )


def quote_membership_upgrade(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    if customer["tier"] == "total":
        message = (
            "The caller already has Kestrel Total, the highest tier. There is nothing to "
            "upgrade; tell them so."
        )
        raise ToolRefusal("already_total", message)
    day = today(context)
    if customer["tier"] == "standard":
        months, end, renews = policy.TERM_MONTHS, policy.add_months(day, policy.TERM_MONTHS), True
    else:
        end = date.fromisoformat(customer["membership_period_end"])
        months = max(1, policy.unused_whole_months(day, end))
        renews = bool(customer["auto_renew"])
    charge = policy.upgrade_charge_cents(customer["membership_paid_cents"], months)
    quote = open_quote(
        context, customer, MembershipQuote("", "upgrade", customer["tier"], "total", months, charge)
    )
    return {
        "quote_token": quote.token,
        "from_tier_name": policy.TIER_NAMES[customer["tier"]],
        "to_tier_name": policy.TIER_NAMES["total"],
        "charge": policy.dollars(charge),
        "months": months,
        "afterwards": runs_to(end, renews=renews),
    }


def _confirm_upgrade() -> Tool:
    return Tool(
        "confirm_membership_upgrade",
        "When to call: a clear yes has followed your read-back of the quote's charge and of the "
        "date it runs to. Charges the card on file and moves the account to Kestrel Total at "
        "once.",
        (
            _token("quote_membership_upgrade"),
            Parameter(
                "charge_acknowledged",
                ValueKind.YES_NO,
                "True only if the caller heard the charge and agreed to it",
            ),
        ),
        confirm_membership_upgrade,
    )


def confirm_membership_upgrade(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    require_consent(arguments, "charge_acknowledged", "the charge")
    quote = take_quote(context, customer, arguments["quote_token"], "upgrade")
    start, end = customer["membership_period_start"], customer["membership_period_end"]
    # Somebody who switched auto-renew off has not agreed to have it on again.
    renews = bool(customer["auto_renew"])
    if quote.from_tier == "standard":
        start = today(context).isoformat()
        end = policy.add_months(today(context), policy.TERM_MONTHS).isoformat()
        renews = True
    # From here on a year of this membership is worth Total's price: a later cancellation divides that.
    context.db.execute(
        "UPDATE customers SET tier = 'total', auto_renew = ?, membership_paid_cents = ?, "
        "membership_period_start = ?, "
        "membership_period_end = ? WHERE customer_id = ?",
        (int(renews), policy.TOTAL_CENTS, start, end, customer["customer_id"]),
    )
    commit_quote(context, customer, quote)
    return {
        "upgraded": True,
        "tier_name": policy.TIER_NAMES["total"],
        "charge": policy.dollars(quote.amount_cents),
        "afterwards": runs_to(date.fromisoformat(end), renews=renews),
    }


def _quote_cancellation() -> Tool:
    return Tool(
        "quote_membership_cancellation",
        "When to call: a verified caller wants to cancel and has turned down your one offer "
        "to stay. Works out the refund for whole "
        "unused months and changes nothing. Read refund and months back and get a clear yes "
        "before confirm_membership_cancellation. A new quote makes an "
        "earlier one void.",
        (),
        quote_membership_cancellation,
    )


def quote_membership_cancellation(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    if customer["tier"] == "standard":
        raise _nothing_to_cancel(context, customer)
    months = policy.unused_whole_months(today(context), date.fromisoformat(customer["membership_period_end"]))
    refund = policy.cancellation_refund_cents(customer["membership_paid_cents"], months)
    quote = open_quote(
        context, customer, MembershipQuote("", "cancel", customer["tier"], "standard", months, refund)
    )
    return {
        "quote_token": quote.token,
        "tier_name": policy.TIER_NAMES[customer["tier"]],
        "refund": policy.dollars(refund),
        "unused_months": months,
        "unused": _unused(months),
        "ends_on": policy.spoken_date(today(context)),
        "gives_up": BENEFITS[customer["tier"]],
    }


def _unused(months: int) -> str:
    """Whole unused months as they are said."""
    if months == 0:
        return "no whole unused month"
    return "1 unused month" if months == 1 else f"{months} unused months"


def _nothing_to_cancel(context: ToolContext, customer: sqlite3.Row) -> ToolRefusal:
    ended_today = context.db.execute(
        "SELECT 1 FROM membership_changes WHERE customer_id = ? AND kind = 'cancel' AND effective_on = ?",
        (customer["customer_id"], today(context).isoformat()),
    ).fetchone()
    if ended_today is not None:
        return ToolRefusal(
            "already_cancelled",
            "The membership has already been cancelled today. Tell the caller; do nothing more.",
        )
    message = (
        "The account has no paid membership, so there is nothing to cancel or refund. Tell the caller so."
    )
    return ToolRefusal("no_membership", message)


def _confirm_cancellation() -> Tool:
    return Tool(
        "confirm_membership_cancellation",
        "When to call: a clear yes has followed your read-back of the refund, of the number of "
        "unused months, and of the membership's end today. "
        "Cancels at once and sends the refund; it cannot be undone on this line.",
        (
            _token("quote_membership_cancellation"),
            Parameter(
                "proration_acknowledged",
                ValueKind.YES_NO,
                "True only if the caller heard the refund for unused months and agreed to it",
            ),
        ),
        confirm_membership_cancellation,
    )


def confirm_membership_cancellation(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    require_consent(arguments, "proration_acknowledged", "the refund for unused months")
    quote = take_quote(context, customer, arguments["quote_token"], "cancel")
    context.db.execute(
        "UPDATE customers SET tier = 'standard', auto_renew = 0, membership_paid_cents = 0 "
        "WHERE customer_id = ?",
        (customer["customer_id"],),
    )
    commit_quote(context, customer, quote)
    return {
        "cancelled": True,
        "tier_name": policy.TIER_NAMES[quote.from_tier],
        "refund": policy.dollars(quote.amount_cents),
        "unused_months": quote.months,
        "ended_on": policy.spoken_date(today(context)),
    }
