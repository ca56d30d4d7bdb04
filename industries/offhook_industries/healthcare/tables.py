"""The pack's tables and how each is graded."""

from __future__ import annotations

from typing import Final

from offhook.packs import Table, TableRole
from offhook.values import ColumnKind, ValueKind

__all__ = ["pack_tables"]

_REFERENCE: Final = (
    ("hours_patterns", ("pattern",)),
    ("locations", ("location_id",)),
    ("providers", ("provider_id",)),
    ("provider_locations", ("provider_id", "location_id")),
    ("plans", ("plan",)),
    ("plan_locations", ("plan", "location_id")),
    ("coverage_members", ("plan", "member_id")),
    ("visit_types", ("visit_type",)),
    ("concerns", ("concern",)),
    ("slots", ("slot_id",)),
    ("cosmetic_services", ("service",)),
    ("formulary", ("medication",)),
    ("patients", ("patient_id",)),
    ("deposits", ("deposit_id",)),
    ("prescriptions", ("prescription_id",)),
    ("results", ("result_id",)),
)
_SESSION: Final = (
    ("call_session", ("only_row",)),
    ("verified_patients", ("patient_id",)),
    ("offered_slots", ("slot_id", "visit_type")),
    ("committed_visits", ("appointment_id",)),
    ("payment_links", ("patient_id", "purpose")),
    ("portal_invites", ("patient_id",)),
)


def pack_tables() -> tuple[Table, ...]:
    """Every table of the schema. Ids that tools draw, free text and the time of writing are not compared."""
    return (
        *(Table(name, TableRole.REFERENCE, key) for name, key in _REFERENCE),
        Table(
            "appointments",
            TableRole.WRITE,
            ("appointment_id",),
            volatile=("appointment_id", "made_at"),
            kinds={
                "new_name": ValueKind.NAME,
                "new_birth": ValueKind.DATE,
                "new_phone": ValueKind.PHONE,
                "starts_at": ColumnKind.DATETIME,
            },
        ),
        Table(
            "charges",
            TableRole.WRITE,
            ("charge_id",),
            volatile=("charge_id", "posted_at"),
            kinds={"service_on": ValueKind.DATE, "amount_cents": ValueKind.AMOUNT},
        ),
        Table(
            "insurance_records",
            TableRole.WRITE,
            ("record_id",),
            volatile=("record_id", "appointment_id", "captured_at"),
            kinds={"member_id": ValueKind.DIGITS},
        ),
        Table(
            "waitlist",
            TableRole.WRITE,
            ("entry_id",),
            volatile=("entry_id", "joined_at"),
            kinds={"new_name": ValueKind.NAME, "new_phone": ValueKind.PHONE},
        ),
        Table(
            "callback_tasks",
            TableRole.WRITE,
            ("task_id",),
            volatile=("task_id", "details", "created_at"),
            kinds={
                "caller_name": ValueKind.NAME,
                "phone": ValueKind.PHONE,
                "due_at": ColumnKind.DATETIME,
            },
        ),
        Table(
            "clinical_messages",
            TableRole.WRITE,
            ("message_id",),
            volatile=("message_id", "message", "created_at"),
            kinds={"callback_phone": ValueKind.PHONE, "due_at": ColumnKind.DATETIME},
        ),
        Table("refill_requests", TableRole.WRITE, ("request_id",), volatile=("request_id", "created_at")),
        Table(
            "fee_waivers",
            TableRole.WRITE,
            ("waiver_id",),
            volatile=("waiver_id", "details", "created_at"),
            kinds={"filed_on": ValueKind.DATE},
        ),
        Table(
            "sms_log",
            TableRole.LOG,
            ("sms_id",),
            volatile=("sms_id", "appointment_id", "sent_at"),
            kinds={"phone": ValueKind.PHONE},
        ),
        *(Table(name, TableRole.SESSION, key) for name, key in _SESSION),
    )
