"""What existing clients may hear of their own matters: stage, next step, next date. Nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any

from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.common.saying import spoken_date, spoken_day
from offhook_industries.legal.tools._gate import opened_caller, read_session
from offhook_industries.legal.tools._slots import slot_of

__all__ = ["client_tools"]

_MATTERS = (
    "SELECT matters.*, practice_areas.title, attorneys.name, recipients.recipient FROM matters JOIN "
    "practice_areas USING (matter_type) JOIN attorneys USING (attorney_id) JOIN recipients USING "
    "(attorney_id)"
)


def client_tools() -> tuple[Tool, ...]:
    return (_matters(), _status())


def _matters() -> Tool:
    return Tool(
        "get_caller_matters",
        "When to call: the caller's record is open and you need their matters with the firm (which "
        "attorney, which number), their booked evaluations, or whether another firm represents them. "
        "Before a client's message, and before cancelling an evaluation. What it lists is for this caller "
        "only.",
        (),
        get_caller_matters,
    )


def get_caller_matters(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    caller_id = opened_caller(context)["caller_id"]
    rows = context.db.execute(
        f"{_MATTERS} WHERE caller_id = ? ORDER BY opened_on DESC, matter_number", (caller_id,)
    ).fetchall()
    matters = [_matter(row) for row in rows]
    elsewhere = [
        {
            "firm": row["firm"],
            "matter": row["title"],
            "spoken": f"{row['firm']} represents the caller in the {row['title']} matter",
        }
        for row in context.db.execute(
            "SELECT firm, title FROM representations JOIN practice_areas USING (matter_type) WHERE "
            "caller_id = ? ORDER BY title",
            (caller_id,),
        )
    ]
    parts = [entry["spoken"] for entry in matters] or ["There is no matter with the firm under this record"]
    parts += [entry["spoken"] for entry in elsewhere]
    return {
        "matters": matters,
        "elsewhere": elsewhere,
        "appointments": _appointments(context, caller_id),
        "in_short": "; ".join(parts) + ".",
    }


def _matter(row: sqlite3.Row) -> dict[str, str]:
    return {
        "matter_number": row["matter_number"],
        "title": row["title"],
        "stage": row["stage"],
        "attorney": row["name"],
        "attorney_id": row["attorney_id"],
        "attorney_key": row["recipient"],
        "opened_spoken": spoken_date(date.fromisoformat(row["opened_on"])),
        "spoken": f"The {row['title']} matter with {row['name']}",
    }


def _appointments(context: ToolContext, caller_id: int) -> list[dict[str, str]]:
    rows = context.db.execute(
        "SELECT appointment_no, slot_id FROM appointments JOIN evaluation_slots USING (slot_id) "
        "WHERE caller_id = ? AND appointments.status = 'booked' AND starts_at >= ? ORDER BY starts_at",
        (caller_id, context.now.isoformat()),
    ).fetchall()
    slots = [(row["appointment_no"], slot_of(context, row["slot_id"])) for row in rows]
    return [{"appointment_id": f"AP-{number}", **slot.facts()} for number, slot in slots if slot is not None]


def _status() -> Tool:
    return Tool(
        "get_case_status",
        "When to call: a client asks how their own matter stands and has given its six-digit number (or "
        "get_caller_matters listed it). Some clients may hear it by number alone; for the others "
        "lookup_caller comes first, and the tool says so. Read out stage, next step and date; never add "
        "what it means, what it is worth or what to do. Not for anybody but the client.",
        (
            Parameter(
                "matter_number",
                ValueKind.DIGITS,
                "The number of the matter, which stands on every letter from the firm",
                length=6,
            ),
        ),
        get_case_status,
    )


def get_case_status(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    row = context.db.execute(f"{_MATTERS} WHERE matter_number = ?", (arguments["matter_number"],)).fetchone()
    if row is None:
        message = "There is no matter with this number. Ask for it again, one digit at a time."
        raise ToolRefusal("unknown_matter", message, field="matter_number", status=404)
    if not row["status_by_number"] and row["caller_id"] != read_session(context).caller_id:
        message = (
            "This matter is not told by its number alone. If the caller says it is theirs, ask for name and "
            "callback number, call lookup_caller and get_caller_matters, then call this again; if it is not "
            "on that record, say nothing about it and use transfer_to_human."
        )
        raise ToolRefusal("not_your_matter", message, status=403)
    next_on = "" if row["next_on"] is None else spoken_day(date.fromisoformat(row["next_on"]))
    expected = f" The next date is {next_on}." if next_on else ""
    return {
        "matter_number": row["matter_number"],
        "title": row["title"],
        "stage": row["stage"],
        "next_step": row["next_step"],
        "next_on_spoken": next_on,
        "attorney": row["name"],
        "attorney_id": row["attorney_id"],
        "in_short": f"The {row['title']} matter {_stands(row)}.{expected}",
    }


def _stands(row: sqlite3.Row) -> str:
    if row["status"] == "closed":
        return "is closed"
    return f"is at the {row['stage']} stage: {row['next_step']}"
