"""Two-phase changes: a token serves one caller and one thing, once, and not for long."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from offhook.packs import ToolContext, ToolRefusal

__all__ = ["require_yes", "supersede", "take_hold", "use_hold"]


def require_yes(arguments: Mapping[str, Any], field: str, what: str) -> None:
    """
    Raises:
        ToolRefusal: ``not_acknowledged``.
    """
    if not arguments[field]:
        message = (
            f"Nothing was changed. Read {what} back, ask for a clear yes, and call again only if it comes."
        )
        raise ToolRefusal("not_acknowledged", message, field=field)


def supersede(context: ToolContext, table: str, caller_id: int) -> None:
    """A new hold makes the caller's earlier open ones void."""
    context.db.execute(
        f"UPDATE {table} SET status = 'superseded' WHERE caller_id = ? AND status = 'open'", (caller_id,)
    )


def take_hold(
    context: ToolContext, table: str, caller_id: int, token: str, *, field: str, tool: str
) -> sqlite3.Row:
    """The open hold behind a token, checked against caller, use and age. ``tool`` makes new ones.

    Raises:
        ToolRefusal: ``unknown_hold``, ``hold_used``, ``hold_superseded`` or ``hold_expired``.
    """
    row: sqlite3.Row | None = context.db.execute(
        f"SELECT * FROM {table} WHERE token = ?", (token,)
    ).fetchone()
    # Another caller's token is as unknown as one that never was.
    if row is None or row["caller_id"] != caller_id:
        message = f"This caller has no such hold. Call {tool} and read the terms back."
        raise ToolRefusal("unknown_hold", message, field=field, status=404)
    if row["status"] == "used":
        message = "This has already been done with this token. Tell the caller it is done; do not repeat it."
        raise ToolRefusal("hold_used", message, field=field)
    if row["status"] == "superseded":
        message = f"A later hold took this one's place. Use that one, or call {tool} again."
        raise ToolRefusal("hold_superseded", message, field=field)
    if context.now.isoformat() > row["expires_at"]:
        raise ToolRefusal("hold_expired", f"The hold is too old. Call {tool} again.", field=field)
    return row


def use_hold(context: ToolContext, table: str, token: str) -> None:
    context.db.execute(f"UPDATE {table} SET status = 'used' WHERE token = ?", (token,))
