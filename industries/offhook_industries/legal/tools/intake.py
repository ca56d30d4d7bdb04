"""Taking a matter on: the intake itself, notes to it, the packet for a new client, and records releases."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any

from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.common.cards import refuse_card_numbers
from offhook_industries.legal import policy
from offhook_industries.legal.tools._gate import (
    open_caller,
    opened_caller,
    read_session,
    require_admitted,
    require_no_conflict,
    require_unrepresented,
    screening_on_file,
    title_of,
    today,
)
from offhook_industries.legal.tools._words import (
    CATEGORIES,
    CHANNELS,
    incident_date,
    matter_type,
    phone,
    state,
)
from offhook_industries.legal.tools.screening import in_the_past

__all__ = ["intake_tools"]


def intake_tools() -> tuple[Tool, ...]:
    return (_record(), _note(), _packet(), _authorization())


def _record() -> Tool:
    return Tool(
        "record_intake",
        "When to call: all four checks have passed on this call, or lookup_caller shows a screening on "
        "file for this matter, and the caller has told in a few words what happened. Logs their account "
        "for an attorney to read. phone opens their record if that has not been done. Never before the "
        "checks, never for somebody who has a lawyer in this matter, and never for another adult.",
        (
            phone("The caller's own phone number, under which their record is found"),
            matter_type(),
            state(),
            incident_date(),
            Parameter(
                "summary",
                ValueKind.TEXT,
                "What happened, in the caller's words, without any opinion on it",
                constrained=False,
            ),
        ),
        record_intake,
    )


def record_intake(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    kind, where = arguments["matter_type"], arguments["state"]
    refuse_card_numbers(arguments["summary"], "summary", checked=True)
    caller = _by_phone(context, arguments["phone"])
    require_admitted(context, kind, where)
    require_unrepresented(context, kind)
    happened = in_the_past(context, arguments["incident_date"])
    _require_deadline(context, kind, where, happened)
    known = context.db.execute(
        "SELECT 1 FROM intakes WHERE (caller_id, matter_type, state, incident_date) = (?, ?, ?, ?)",
        (caller["caller_id"], kind, where, happened.isoformat()),
    ).fetchone()
    if known is not None:
        message = "This intake has already been recorded. Tell the caller it is done; do not record it again."
        raise ToolRefusal("already_recorded", message)
    number = _next(context, "intakes", "intake_no", caller["caller_id"])
    context.db.execute(
        "INSERT INTO intakes VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            caller["caller_id"],
            number,
            kind,
            where,
            happened.isoformat(),
            _deadline(context, kind, where, happened),
            arguments["summary"],
            context.now.isoformat(),
        ),
    )
    title = title_of(context, kind)
    return {
        "recorded": True,
        "intake_number": number,
        "caller_id": caller["caller_id"],
        "first_name": caller["full_name"].split(" ", 1)[0],
        "title": title,
        "sentence": f"The account of the {title} matter in {where} is recorded for an attorney to read.",
    }


def _by_phone(context: ToolContext, number: str) -> sqlite3.Row:
    """Opens the record under that number; where several share it, the one that is open stays."""
    rows: list[sqlite3.Row] = context.db.execute(
        "SELECT * FROM callers WHERE phone = ? ORDER BY caller_id", (number,)
    ).fetchall()
    if not rows:
        message = (
            "No record has this number. Ask for it again, one digit at a time; open a record for a new "
            "caller with lookup_caller first."
        )
        raise ToolRefusal("caller_not_on_file", message, field="phone", status=404)
    if len(rows) > 1:
        rows = [row for row in rows if row["caller_id"] == read_session(context).caller_id]
        if not rows:
            message = "Several people share this number. Call lookup_caller with the full name first."
            raise ToolRefusal("several_people", message)
    if read_session(context).caller_id not in (None, rows[0]["caller_id"]):
        message = (
            "The record of another caller is open. If this number is the right one, call lookup_caller with "
            "it and screen the matter for that caller."
        )
        raise ToolRefusal("another_caller_open", message, field="phone")
    open_caller(context, rows[0]["caller_id"])
    return rows[0]


def _require_deadline(context: ToolContext, kind: str, where: str, happened: date) -> None:
    """
    Raises:
        ToolRefusal: ``deadline_not_checked`` or ``deadline_passed``.
    """
    row = context.db.execute(
        "SELECT ok FROM call_checks WHERE (kind, matter_type, state, incident_date) = ('deadline', ?, ?, ?)",
        (kind, where, happened.isoformat()),
    ).fetchone()
    ok = None if row is None else bool(row["ok"])
    earlier = screening_on_file(context, kind)
    same = earlier is not None and (earlier["state"], earlier["incident_date"]) == (
        where,
        happened.isoformat(),
    )
    if ok is None and earlier is not None and same:
        ok = date.fromisoformat(earlier["deadline"]) >= today(context)
    if ok is None:
        message = (
            "The filing deadline for this state and day has not been checked. Make sure of the day and its "
            "year, then call calculate_filing_deadline with it."
        )
        raise ToolRefusal("deadline_not_checked", message, field="incident_date", status=403)
    if not ok:
        message = (
            "By the general rule the time to file is over. Take no intake; say that an attorney has to "
            "look at it, and use transfer_to_human."
        )
        raise ToolRefusal("deadline_passed", message, status=403)


def _deadline(context: ToolContext, kind: str, where: str, happened: date) -> str | None:
    row = context.db.execute(
        "SELECT amount, unit FROM filing_limits WHERE matter_type = ? AND state = ?", (kind, where)
    ).fetchone()
    if row is None:
        return None
    return policy.filing_deadline(happened, row["amount"], row["unit"]).isoformat()


def _next(context: ToolContext, table: str, column: str, caller_id: int) -> int:
    row = context.db.execute(
        f"SELECT coalesce(max({column}), 0) + 1 AS number FROM {table} WHERE caller_id = ?", (caller_id,)
    ).fetchone()
    return int(row["number"])


# --- what follows an intake -------------------------------------------------------------------------------


def _with_intake(context: ToolContext) -> sqlite3.Row:
    """The opened caller, who has an intake.

    Raises:
        ToolRefusal: ``no_caller_open``, ``conflict_found`` or ``no_intake``.
    """
    caller = opened_caller(context)
    require_no_conflict(context)
    intake = context.db.execute(
        "SELECT 1 FROM intakes WHERE caller_id = ?", (caller["caller_id"],)
    ).fetchone()
    if intake is None:
        message = "This caller has no intake yet. Finish the checks and call record_intake first."
        raise ToolRefusal("no_intake", message)
    return caller


def _note() -> Tool:
    return Tool(
        "add_intake_note",
        "When to call: the caller adds something for the attorney or case manager once the intake is "
        "recorded (a witness, photos, treatment, when to reach them), or a client adds something to their "
        "own matter; also when a caller told facts before the conflict check, to say so. One note for each "
        "thing. Not for messages to a person at the firm: those are take_message.",
        (
            Parameter(
                "note", ValueKind.TEXT, "What is to be noted, in one or two sentences", constrained=False
            ),
            Parameter(
                "category", ValueKind.TEXT, "What the note is about", required=False, choices=CATEGORIES
            ),
        ),
        add_intake_note,
    )


def add_intake_note(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    caller = opened_caller(context)
    matter = context.db.execute(
        "SELECT 1 FROM matters WHERE caller_id = ?", (caller["caller_id"],)
    ).fetchone()
    if matter is None:
        _with_intake(context)
    require_no_conflict(context)
    refuse_card_numbers(arguments["note"], "note", checked=True)
    category = arguments.get("category", "other")
    row = (caller["caller_id"], category, arguments["note"])
    # A platform that sends the request again must not leave the note twice.
    left = context.db.execute(
        "SELECT 1 FROM intake_notes WHERE (caller_id, category, note) = (?, ?, ?)", row
    ).fetchone()
    if left is None:
        context.db.execute(
            "INSERT INTO intake_notes (caller_id, category, note, created_at) VALUES (?, ?, ?, ?)",
            (*row, context.now.isoformat()),
        )
    return {"noted": True, "category": category, "sentence": "That is noted for the attorney."}


def _packet() -> Tool:
    return Tool(
        "send_intake_packet",
        "When to call: an intake is recorded and the caller wants the new client packet and has said how: "
        "by e-mail, text message or mail. It goes to what is on file; do not ask for addresses. Not before "
        "the intake, and not unasked.",
        (Parameter("channel", ValueKind.TEXT, "How the packet is sent", choices=CHANNELS),),
        send_intake_packet,
    )


def send_intake_packet(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    caller = _with_intake(context)
    channel = arguments["channel"]
    addresses = _addresses(caller)
    if channel not in addresses:
        ways = " or ".join(addresses)
        message = f"There is no address on file for {channel}. Offer {ways} instead."
        raise ToolRefusal("no_address", message, field="channel")
    sent = context.db.execute(
        "SELECT 1 FROM packets WHERE caller_id = ? AND channel = ?", (caller["caller_id"], channel)
    ).fetchone()
    if sent is not None:
        raise ToolRefusal("already_sent", "The packet has already been sent this way. Tell the caller so.")
    number = _next(context, "packets", "packet_no", caller["caller_id"])
    context.db.execute(
        "INSERT INTO packets VALUES (?, ?, ?, ?, ?)",
        (caller["caller_id"], number, channel, addresses[channel], context.now.isoformat()),
    )
    how = {"email": "by e-mail", "text": "by text message", "mail": "by mail"}[channel]
    return {
        "sent": True,
        "channel": channel,
        "sent_to": addresses[channel],
        "sentence": f"The new client packet is on its way {how}.",
    }


def _addresses(caller: sqlite3.Row) -> dict[str, str]:
    """Where each channel reaches this caller, for those that do."""
    found = {"text": str(caller["phone"])}
    if caller["email"]:
        found["email"] = str(caller["email"])
    if caller["street"]:
        found["mail"] = f"{caller['street']}, {caller['city']}, {caller['state']} {caller['zip']}"
    return found


def _authorization() -> Tool:
    return Tool(
        "request_records_authorization",
        "When to call: an intake is recorded, medical records matter to it, and the caller has named the "
        "hospital, clinic or doctor who has them and agrees to sign. Sends the release for that one "
        "provider; call once for each. The firm asks for no records without it.",
        (
            Parameter(
                "provider", ValueKind.NAME, "The hospital, clinic or doctor whose records are to be released"
            ),
        ),
        request_records_authorization,
    )


def request_records_authorization(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    caller = _with_intake(context)
    provider = arguments["provider"]
    asked = context.db.execute(
        "SELECT provider FROM authorizations WHERE caller_id = ?", (caller["caller_id"],)
    ).fetchall()
    if any(row["provider"].casefold() == provider.casefold() for row in asked):
        message = "A release for this provider has already been sent. Tell the caller so."
        raise ToolRefusal("already_requested", message)
    sent_to = str(caller["email"] or caller["phone"])
    number = _next(context, "authorizations", "authorization_no", caller["caller_id"])
    context.db.execute(
        "INSERT INTO authorizations VALUES (?, ?, ?, ?, ?)",
        (caller["caller_id"], number, provider, sent_to, context.now.isoformat()),
    )
    way = "by e-mail" if caller["email"] else "by text message"
    return {
        "sent": True,
        "provider": provider,
        "sent_to": sent_to,
        "sentence": f"The records release for {provider} comes {way}, to be signed.",
    }
