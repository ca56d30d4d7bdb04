"""Quotes of membership changes, and their commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

import attrs

from offhook.packs import ToolContext
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._tokens import usable

__all__ = ["MembershipQuote", "commit_quote", "open_quote", "take_quote"]


@attrs.frozen
class MembershipQuote:
    """What was quoted. ``amount_cents`` is refunded on a cancel and charged on an upgrade."""

    token: str
    kind: str
    from_tier: str
    to_tier: str
    months: int
    amount_cents: int


def open_quote(context: ToolContext, customer: sqlite3.Row, quote: MembershipQuote) -> MembershipQuote:
    """Stores the quote under a fresh token and makes the customer's earlier open ones void."""
    opened = attrs.evolve(quote, token=context.new_id("QT"))
    context.db.execute(
        "UPDATE membership_quotes SET state = 'superseded' WHERE customer_id = ? AND state = 'open'",
        (customer["customer_id"],),
    )
    context.db.execute(
        "INSERT INTO membership_quotes VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?, ?)",
        (
            opened.token,
            customer["customer_id"],
            opened.kind,
            opened.from_tier,
            opened.to_tier,
            opened.months,
            opened.amount_cents,
            context.now.isoformat(),
            (context.now + policy.QUOTE_LIFETIME).isoformat(),
        ),
    )
    return opened


def take_quote(context: ToolContext, customer: sqlite3.Row, token: str, kind: str) -> MembershipQuote:
    """The open quote behind a token, checked against customer, kind, use and age.

    Raises:
        ToolRefusal: ``unknown_quote``, ``wrong_quote``, ``quote_used``, ``quote_superseded`` or
            ``quote_expired``.
    """
    found = context.db.execute("SELECT * FROM membership_quotes WHERE quote_token = ?", (token,)).fetchone()
    row = usable(context, found, customer, kind, _AGAIN[kind])
    return MembershipQuote(token, kind, row["from_tier"], row["to_tier"], row["months"], row["amount_cents"])


_AGAIN: Mapping[str, str] = {
    "cancel": "Call quote_membership_cancellation and read the new refund back.",
    "upgrade": "Call quote_membership_upgrade and read the new charge back.",
}


def commit_quote(context: ToolContext, customer: sqlite3.Row, quote: MembershipQuote) -> None:
    """Uses the token up and writes the change's record."""
    context.db.execute("UPDATE membership_quotes SET state = 'used' WHERE quote_token = ?", (quote.token,))
    latest = context.db.execute(
        "SELECT coalesce(max(change_no), 0) FROM membership_changes WHERE customer_id = ?",
        (customer["customer_id"],),
    ).fetchone()[0]
    context.db.execute(
        "INSERT INTO membership_changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            customer["customer_id"],
            latest + 1,
            quote.kind,
            quote.from_tier,
            quote.to_tier,
            quote.months,
            quote.amount_cents,
            context.now.date().isoformat(),
            quote.token,
        ),
    )
