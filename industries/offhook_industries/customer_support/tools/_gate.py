"""The gate every account tool passes: which customer this call is about, and whether they are verified."""

from __future__ import annotations

import sqlite3
from datetime import date

import attrs

from offhook.packs import ToolContext, ToolRefusal

__all__ = ["Session", "open_account", "read_session", "today", "verified_customer"]


@attrs.frozen
class Session:
    """The gate state of this call. ``failures`` counts verification attempts that did not match."""

    customer_id: int | None
    verified: bool
    failures: int


def read_session(context: ToolContext) -> Session:
    row = context.db.execute("SELECT customer_id, verified, failures FROM call_session").fetchone()
    return Session(row["customer_id"], bool(row["verified"]), row["failures"])


def open_account(context: ToolContext) -> int:
    """The customer found on this call, verified or not.

    Raises:
        ToolRefusal: ``not_identified``.
    """
    session = read_session(context)
    if session.customer_id is None:
        message = (
            "No customer record is open on this call. Call identify_customer with the caller's "
            "full name and phone number first."
        )
        raise ToolRefusal("not_identified", message, status=403)
    return session.customer_id


def verified_customer(context: ToolContext) -> sqlite3.Row:
    """The verified customer's row.

    Raises:
        ToolRefusal: ``not_identified`` or ``not_verified``.
    """
    customer_id = open_account(context)
    if not read_session(context).verified:
        message = (
            "The caller is not verified. Call verify_identity with the order's ZIP code and the "
            "card's last four digits first."
        )
        raise ToolRefusal("not_verified", message, status=403)
    row: sqlite3.Row = context.db.execute(
        "SELECT * FROM customers WHERE customer_id = ?", (customer_id,)
    ).fetchone()
    return row


def today(context: ToolContext) -> date:
    return context.now.date()
