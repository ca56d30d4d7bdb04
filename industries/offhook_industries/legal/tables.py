"""How each table of the pack is graded."""

from __future__ import annotations

from typing import Final

from offhook.packs import Table, TableRole
from offhook.values import ColumnKind, ValueKind

__all__ = ["pack_tables"]

_REFERENCE: Final = (
    ("states", ("state",)),
    ("practice_areas", ("matter_type",)),
    ("filing_limits", ("matter_type", "state")),
    ("attorneys", ("attorney_id",)),
    ("attorney_states", ("attorney_id", "state")),
    ("attorney_areas", ("attorney_id", "matter_type")),
    ("recipients", ("recipient",)),
    ("matters", ("matter_number",)),
    ("representations", ("caller_id", "matter_type")),
    ("screenings", ("caller_id", "matter_type")),
    ("parties", ("party_no",)),
    ("opponents", ("opponent_no",)),
    ("name_sounds", ("sound", "list", "entry_no")),
)
_SESSION: Final = (
    ("call_session", ("only_row",)),
    ("call_checks", ("kind", "matter_type", "state", "incident_date")),
    ("call_offers", ("slot_id",)),
)


def pack_tables() -> tuple[Table, ...]:
    write, log, quote = TableRole.WRITE, TableRole.LOG, TableRole.QUOTE
    return (
        *(Table(name, TableRole.REFERENCE, key) for name, key in _REFERENCE),
        # A new caller's name is written as it was heard; the number is what the firm calls back on.
        Table(
            "callers",
            write,
            ("caller_id",),
            volatile=("full_name", "created_at"),
            kinds={"phone": ValueKind.PHONE},
        ),
        Table(
            "messages",
            write,
            ("message_no",),
            volatile=("full_name", "message", "caller_id", "created_at"),
            kinds={"phone": ValueKind.PHONE, "callback_by": ValueKind.DATE},
        ),
        Table(
            "intakes",
            write,
            ("caller_id", "intake_no"),
            volatile=("summary", "created_at"),
            kinds={"incident_date": ValueKind.DATE},
        ),
        Table(
            "intake_notes",
            log,
            ("note_no",),
            # What a note must be filed under is a matter of the call, where it is compared.
            volatile=("note_no", "note", "category", "created_at"),
        ),
        Table("packets", write, ("caller_id", "packet_no"), volatile=("created_at",)),
        # The provider is compared on the call, as a name.
        Table(
            "authorizations",
            write,
            ("caller_id", "authorization_no"),
            volatile=("provider", "created_at"),
        ),
        Table("evaluation_slots", write, ("slot_id",), kinds={"starts_at": ColumnKind.DATETIME}),
        Table("appointments", write, ("appointment_no",), volatile=("hold_token", "created_at")),
        # Whose record was open before a hand-over is the agent's choice; that there was one is not.
        Table("transfers", write, ("transfer_no",), volatile=("summary", "caller_id", "created_at")),
        Table("evaluation_holds", quote, ("token",)),
        Table("cancellation_holds", quote, ("token",)),
        *(Table(name, TableRole.SESSION, key) for name, key in _SESSION),
    )
