"""Who is calling, and messages for people at the firm."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from offhook.names import match_names
from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.common.cards import refuse_card_numbers
from offhook_industries.common.saying import spoken_date, spoken_day
from offhook_industries.legal import policy
from offhook_industries.legal.tools._gate import open_caller, read_session, title_of
from offhook_industries.legal.tools._words import RECIPIENTS, full_name, phone

__all__ = ["reception_tools"]

# Scores of `match_names`: badly heard names keep 0.4 and more, other people's stay under 0.3.
_SOMEBODY_ELSE: Final = 0.35
_LEAD: Final = 0.2


def reception_tools() -> tuple[Tool, ...]:
    return (_lookup(), _message())


def _lookup() -> Tool:
    return Tool(
        "lookup_caller",
        "When to call: as soon as you have the caller's phone number, before any work on a matter of their "
        "own. Opens their record, tells whether they are a client and whether they were screened before, "
        "and opens a new record if number and name are new. Pass full_name whenever you have it: a number "
        "can be shared. A question about a running matter starts with get_case_status and the matter number "
        "instead. Not for people who only leave a message, ask a general question or call for the "
        "other side.",
        (
            phone("The caller's own phone number"),
            full_name("First and last name as the caller says them"),
        ),
        lookup_caller,
    )


def lookup_caller(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    name = arguments.get("full_name")
    rows = context.db.execute(
        "SELECT * FROM callers WHERE phone = ? ORDER BY caller_id", (arguments["phone"],)
    ).fetchall()
    if not rows:
        row = _created(context, arguments["phone"], name)
        open_caller(context, row["caller_id"])
        return _opened(context, row, created=True)
    row = _found(rows, name)
    open_caller(context, row["caller_id"])
    return _opened(context, row, created=False)


def _found(rows: list[sqlite3.Row], name: str | None) -> sqlite3.Row:
    """The caller among those with the number. The number vouches for most of it, so a name need not be heard
    well; it must tell one person of a household from the other, and not be somebody else's.
    """
    if name is None:
        likely = rows
    else:
        scored = [(match_names(name, row["full_name"]).score, row) for row in rows]
        best = max(score for score, _ in scored)
        if best < _SOMEBODY_ELSE:
            message = (
                "The number is on file under another name. Ask for number and full name again, slowly, and "
                "call once more; after a second failure use transfer_to_human. Do not say which name is on "
                "file."
            )
            raise ToolRefusal("name_mismatch", message, field="full_name")
        likely = [row for score, row in scored if score > best - _LEAD]
    if len(likely) > 1:
        message = "Several people share this number. Ask for the caller's full name and call again with both."
        raise ToolRefusal("several_people", message, field="full_name")
    return likely[0]


def _created(context: ToolContext, number: str, name: str | None) -> sqlite3.Row:
    if name is None or " " not in name:
        message = (
            "No record has this number. Ask for the number again, one digit at a time. If it is right and "
            "the caller is new, ask for first and last name and call again with both."
        )
        raise ToolRefusal("not_on_file", message, field="phone", status=404)
    latest = context.db.execute("SELECT max(caller_id) FROM callers").fetchone()[0]
    context.db.execute(
        "INSERT INTO callers (caller_id, full_name, phone, kind, source, created_at) "
        "VALUES (?, ?, ?, 'prospect', 'phone', ?)",
        (latest + 1, name, number, context.now.isoformat()),
    )
    row: sqlite3.Row = context.db.execute(
        "SELECT * FROM callers WHERE caller_id = ?", (latest + 1,)
    ).fetchone()
    return row


def _opened(context: ToolContext, row: sqlite3.Row, *, created: bool) -> Mapping[str, Any]:
    matters = context.db.execute(
        "SELECT count(*) FROM matters WHERE caller_id = ?", (row["caller_id"],)
    ).fetchone()[0]
    screening = _screening(context, row["caller_id"])
    known = {
        0: "has no matter with the firm",
        1: "has one matter with the firm",
    }.get(matters, f"has {matters} matters with the firm")
    in_short = "A new record is open." if created else f"On file; {known}."
    return {
        "caller_id": row["caller_id"],
        "on_file": not created,
        "created": created,
        "first_name": row["full_name"].split(" ", 1)[0],
        "full_name": row["full_name"],
        "phone": row["phone"],
        "is_client": matters > 0,
        "matters_on_file": matters,
        "screening_on_file": bool(screening),
        "in_short": f"{in_short} {screening}".strip(),
    }


def _screening(context: ToolContext, caller_id: int) -> str:
    rows = context.db.execute(
        "SELECT * FROM screenings WHERE caller_id = ? ORDER BY matter_type", (caller_id,)
    ).fetchall()
    return " ".join(
        f"Screening on file from {spoken_date(date.fromisoformat(row['cleared_on']))}: "
        f"{title_of(context, row['matter_type'])} in {row['state']}, against {row['adverse_party']}, "
        f"incident {spoken_date(date.fromisoformat(row['incident_date']))}; all checks passed, no need to "
        "repeat them."
        for row in rows
    )


def _message() -> Tool:
    return Tool(
        "take_message",
        "When to call: the caller wants to leave word for somebody at the firm, or asks what only their "
        "attorney may answer, and you have name, callback number and the message itself. A client's "
        "message goes to the attorney of the matter: look that up with get_caller_matters first. Not for "
        "people on the other side of a matter, and not instead of a transfer that the rules ask for. Say "
        "when the call back is due.",
        (
            Parameter("recipient", ValueKind.TEXT, "Who gets the message", choices=RECIPIENTS),
            Parameter("full_name", ValueKind.NAME, "The caller's first and last name", constrained=False),
            Parameter("phone", ValueKind.PHONE, "The number to call back", constrained=False),
            Parameter("message", ValueKind.TEXT, "The message in one or two sentences", constrained=False),
        ),
        take_message,
    )


def take_message(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    refuse_card_numbers(arguments["message"], "message", checked=True)
    recipient = context.db.execute(
        "SELECT * FROM recipients WHERE recipient = ?", (arguments["recipient"],)
    ).fetchone()
    due = policy.callback_by(context.now)
    row = (
        arguments["recipient"],
        arguments["full_name"],
        arguments["phone"],
        arguments["message"],
        due.isoformat(),
    )
    # A platform that sends the request again must not leave the message twice.
    left = context.db.execute(
        "SELECT 1 FROM messages WHERE (recipient, full_name, phone, message, callback_by) = (?, ?, ?, ?, ?)",
        row,
    ).fetchone()
    if left is None:
        context.db.execute(
            "INSERT INTO messages (recipient, full_name, phone, message, callback_by, caller_id, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*row, read_session(context).caller_id, context.now.isoformat()),
        )
    title = recipient["title"]
    return {
        "taken": True,
        "recipient_name": title,
        "callback_by": due.isoformat(),
        "callback_by_spoken": spoken_day(due),
        "sentence": f"The message for {title} is taken; a call back follows by the end of {spoken_day(due)}.",
    }
