"""The gates of a call: whose record is open, what the conflict check said, and what may be done for which
kind of matter in which state.
"""

from __future__ import annotations

import sqlite3
from datetime import date

import attrs

from offhook.packs import ToolContext, ToolRefusal
from offhook_industries.legal.conflicts import same_party, sounds_of, worth_comparing

__all__ = [
    "Session",
    "admitted_states",
    "is_opponent",
    "mark_conflict",
    "matches",
    "note_check",
    "open_caller",
    "opened_caller",
    "read_session",
    "require_admitted",
    "require_area",
    "require_clear",
    "require_no_conflict",
    "require_unrepresented",
    "screening_on_file",
    "title_of",
    "today",
]


@attrs.frozen
class Session:
    """The gate state of this call. ``conflict`` is ``unchecked``, ``clear`` or ``found``."""

    caller_id: int | None
    conflict: str


def today(context: ToolContext) -> date:
    return context.now.date()


def read_session(context: ToolContext) -> Session:
    row = context.db.execute("SELECT caller_id, conflict FROM call_session").fetchone()
    return Session(row["caller_id"], row["conflict"])


def open_caller(context: ToolContext, caller_id: int) -> None:
    """Opens a record on the call. What was screened for somebody else's matter does not count for this one's;
    a conflict that was found does.
    """
    earlier = read_session(context).caller_id
    if earlier is not None and earlier != caller_id:
        mark_conflict(context, "unchecked")
        context.db.execute("DELETE FROM call_checks WHERE kind = 'deadline'")
        context.db.execute("DELETE FROM call_offers")
    context.db.execute("UPDATE call_session SET caller_id = ?", (caller_id,))


def opened_caller(context: ToolContext) -> sqlite3.Row:
    """The caller whose record is open.

    Raises:
        ToolRefusal: ``no_caller_open``.
    """
    session = read_session(context)
    row: sqlite3.Row | None = context.db.execute(
        "SELECT * FROM callers WHERE caller_id = ?", (session.caller_id,)
    ).fetchone()
    if row is None:
        message = "No caller's record is open on this call. Call lookup_caller with their phone number first."
        raise ToolRefusal("no_caller_open", message, status=403)
    return row


# --- conflicts --------------------------------------------------------------------------------------------


def matches(db: sqlite3.Connection, of: str, said: str) -> bool:
    """Whether a name as it was said is on a list (``parties`` or ``opponents``). Callers are persons, so only
    the conflict list is compared as names of companies.
    """
    heard = sounds_of(said)
    marks = ", ".join("?" * len(heard))
    key = "party_no" if of == "parties" else "opponent_no"
    kind = "kind" if of == "parties" else "'person' AS kind"
    rows = db.execute(
        f"SELECT DISTINCT name, {kind} FROM {of} JOIN name_sounds ON list = ? AND entry_no = {key} "
        f"WHERE sound IN ({marks})",
        (of, *sorted(heard)),
    )
    return any(
        same_party(said, row["name"], company=row["kind"] == "company")
        for row in rows
        if worth_comparing(heard, sounds_of(row["name"]))
    )


def is_opponent(context: ToolContext) -> bool:
    """Whether the caller whose record is open is on the other side of an open matter."""
    row = context.db.execute(
        "SELECT full_name FROM callers WHERE caller_id = ?", (read_session(context).caller_id,)
    ).fetchone()
    return row is not None and matches(context.db, "opponents", row["full_name"])


def mark_conflict(context: ToolContext, state: str) -> None:
    """Notes what the check said. A conflict once found stays for the call: other names don't undo it."""
    context.db.execute("UPDATE call_session SET conflict = ? WHERE conflict != 'found'", (state,))


def require_no_conflict(context: ToolContext) -> None:
    """
    Raises:
        ToolRefusal: ``conflict_found``, also where the opened caller is on the other side of a matter.
    """
    if read_session(context).conflict != "found" and is_opponent(context):
        mark_conflict(context, "found")
    if read_session(context).conflict == "found":
        message = (
            "The conflict check of this call found a conflict. Ask for nothing more about the matter, do "
            "not say whom it concerns, and use transfer_to_human."
        )
        raise ToolRefusal("conflict_found", message, status=403)


def require_clear(context: ToolContext) -> None:
    """
    Raises:
        ToolRefusal: ``conflict_found`` or ``conflict_not_checked``.
    """
    require_no_conflict(context)
    if read_session(context).conflict != "clear":
        message = (
            "Nothing about the matter may be looked at before the conflict check. Ask only who the other "
            "side is and call check_conflict."
        )
        raise ToolRefusal("conflict_not_checked", message, status=403)


# --- admission --------------------------------------------------------------------------------------------


def note_check(
    context: ToolContext, kind: str, matter_type: str, *, state: str = "", incident_date: str = "", ok: bool
) -> None:
    context.db.execute(
        "INSERT OR REPLACE INTO call_checks VALUES (?, ?, ?, ?, ?)",
        (kind, matter_type, state, incident_date, int(ok)),
    )


def _check(context: ToolContext, kind: str, matter_type: str, state: str = "") -> bool | None:
    row = context.db.execute(
        "SELECT ok FROM call_checks WHERE kind = ? AND matter_type = ? AND state = ?",
        (kind, matter_type, state),
    ).fetchone()
    return None if row is None else bool(row["ok"])


def screening_on_file(context: ToolContext, matter_type: str) -> sqlite3.Row | None:
    """The screening that the opened caller passed before this call, for this kind of matter."""
    row: sqlite3.Row | None = context.db.execute(
        "SELECT * FROM screenings WHERE caller_id = ? AND matter_type = ?",
        (read_session(context).caller_id, matter_type),
    ).fetchone()
    return row


def require_area(context: ToolContext, matter_type: str) -> None:
    """
    Raises:
        ToolRefusal: ``practice_area_not_checked`` or ``practice_area_declined``.
    """
    ok = _check(context, "area", matter_type)
    if ok is None:
        message = (
            "Whether the firm handles this kind of matter has not been checked. Call check_practice_area "
            "first."
        )
        raise ToolRefusal("practice_area_not_checked", message, status=403)
    if not ok:
        message = "The firm does not handle this kind of matter. Say so, and use transfer_to_human."
        raise ToolRefusal("practice_area_declined", message, status=403)


def require_admitted(context: ToolContext, matter_type: str, state: str) -> None:
    """Conflict, practice area and state have been checked and allow going on, on this call or before it.

    Raises:
        ToolRefusal: the code of the first check that is missing or says no.
    """
    require_no_conflict(context)
    earlier = screening_on_file(context, matter_type)
    if earlier is not None and earlier["state"] == state:
        return
    require_clear(context)
    require_area(context, matter_type)
    ok = _check(context, "state", matter_type, state)
    if ok is None:
        message = "This state has not been checked for this kind of matter. Call check_jurisdiction first."
        raise ToolRefusal("jurisdiction_not_checked", message, status=403)
    if not ok:
        message = "The firm has no attorney for this in that state. Say so, and use transfer_to_human."
        raise ToolRefusal("not_licensed", message, status=403)


def admitted_states(context: ToolContext, matter_type: str) -> tuple[str, ...]:
    """The states for which the opened caller may be seen about this kind of matter.

    Raises:
        ToolRefusal: the code of the first check that is missing or says no.
    """
    require_no_conflict(context)
    earlier = screening_on_file(context, matter_type)
    found = [] if earlier is None else [str(earlier["state"])]
    if read_session(context).conflict == "clear" and _check(context, "area", matter_type):
        rows = context.db.execute(
            "SELECT state FROM call_checks WHERE kind = 'state' AND matter_type = ? AND ok = 1 ORDER BY "
            "state",
            (matter_type,),
        )
        found += [row["state"] for row in rows if row["state"] not in found]
    if found:
        return tuple(found)
    require_clear(context)
    require_area(context, matter_type)
    message = (
        "No state in which the firm may act has been checked for this kind of matter. Ask where it "
        "happened and call check_jurisdiction; if it was checked and refused, use transfer_to_human."
    )
    raise ToolRefusal("jurisdiction_not_checked", message, status=403)


def require_unrepresented(context: ToolContext, matter_type: str) -> None:
    """
    Raises:
        ToolRefusal: ``represented_elsewhere``.
    """
    row = context.db.execute(
        "SELECT firm FROM representations WHERE caller_id = ? AND matter_type = ?",
        (read_session(context).caller_id, matter_type),
    ).fetchone()
    if row is not None:
        message = (
            "Another firm represents this caller in this matter. Take no account and book nothing; say "
            "that their own lawyer has to be asked, and use transfer_to_human."
        )
        raise ToolRefusal("represented_elsewhere", message, status=403)


def title_of(context: ToolContext, matter_type: str) -> str:
    """How a kind of matter is called when it is spoken of."""
    row = context.db.execute(
        "SELECT title FROM practice_areas WHERE matter_type = ?", (matter_type,)
    ).fetchone()
    return str(row["title"])
