"""Tokens of two-phase changes: each serves one customer and one kind of change, once, and not for long."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from offhook.packs import ToolContext, ToolRefusal

__all__ = ["require_consent", "usable"]


def require_consent(arguments: Mapping[str, Any], field: str, what: str) -> None:
    """
    Raises:
        ToolRefusal: ``not_acknowledged``.
    """
    if not arguments[field]:
        message = (
            f"Nothing was changed. Read {what} back to the caller, ask for a clear yes, and call "
            f"again only if they give it."
        )
        raise ToolRefusal("not_acknowledged", message, field=field)


def usable(
    context: ToolContext, row: sqlite3.Row | None, customer: sqlite3.Row, kind: str, again: str
) -> sqlite3.Row:
    """The row of a token, checked against customer, kind, use and age. ``again`` says how to quote anew.

    Raises:
        ToolRefusal: ``unknown_quote``, ``wrong_quote``, ``quote_used``, ``quote_superseded`` or
            ``quote_expired``.
    """
    # Another customer's token is as unknown as one that never was.
    if row is None or row["customer_id"] != customer["customer_id"]:
        raise _refusal("unknown_quote", f"This call has no such quote for this customer. {again}", 404)
    if row["kind"] != kind:
        raise _refusal("wrong_quote", f"This token prices another kind of change. {again}")
    if row["state"] == "used":
        raise _refusal(
            "quote_used",
            "This change has already been made with this token. Tell the caller it is done; "
            "do not repeat it.",
        )
    if row["state"] == "superseded":
        raise _refusal("quote_superseded", f"A later quote or change took this one's place. {again}")
    if context.now.isoformat() > row["expires_at"]:
        raise _refusal("quote_expired", f"The quote is too old. {again}")
    return row


def _refusal(code: str, message: str, status: int = 409) -> ToolRefusal:
    return ToolRefusal(code, message, field="quote_token", status=status)
