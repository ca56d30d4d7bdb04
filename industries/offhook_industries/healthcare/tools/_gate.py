"""The gate every chart tool passes: whose chart may be spoken of on this call."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

import attrs

from offhook.packs import Parameter, ToolContext, ToolRefusal
from offhook.values import ValueKind

__all__ = [
    "Session",
    "Visitor",
    "is_verified",
    "patient_id_parameter",
    "read_session",
    "require_yes",
    "somebody_verified",
    "verified_patient",
    "visitor",
]


@attrs.frozen
class Session:
    """The gate state of this call. ``failures`` counts identity checks that did not match."""

    household_phone: str | None
    failures: int


@attrs.frozen
class Visitor:
    """Who a visit is for: a chart's patient (then the rest is None), or a newcomer."""

    patient_id: str | None
    name: str | None = None
    birth: str | None = None
    phone: str | None = None


def read_session(context: ToolContext) -> Session:
    row = context.db.execute("SELECT household_phone, failures FROM call_session").fetchone()
    return Session(row["household_phone"], row["failures"])


def is_verified(context: ToolContext, patient_id: str) -> bool:
    found = context.db.execute(
        "SELECT 1 FROM verified_patients WHERE patient_id = ?", (patient_id,)
    ).fetchone()
    return found is not None


def somebody_verified(context: ToolContext) -> None:
    """
    Raises:
        ToolRefusal: ``not_verified``.
    """
    if context.db.execute("SELECT 1 FROM verified_patients").fetchone() is None:
        message = (
            "No patient is verified on this call. Ask for the patient's full name and date of birth and call "
            "verify_identity first."
        )
        raise ToolRefusal("not_verified", message, status=403)


def verified_patient(context: ToolContext, patient_id: str) -> sqlite3.Row:
    """The row of a patient who was verified on this call.

    Raises:
        ToolRefusal: ``not_verified``, or ``wrong_patient`` where others were, not this one.
    """
    somebody_verified(context)
    if not is_verified(context, patient_id):
        # The same words for a stranger's chart and for an id that doesn't exist.
        message = (
            "This id is not that of a patient verified on this call. Use the patient_id that verify_identity "
            "returned, or verify that other patient first."
        )
        raise ToolRefusal("wrong_patient", message, field="patient_id", status=403)
    row: sqlite3.Row = context.db.execute(
        "SELECT * FROM patients WHERE patient_id = ?", (patient_id,)
    ).fetchone()
    return row


def visitor(
    context: ToolContext, arguments: Mapping[str, Any], *, needs: tuple[str, ...], name: str = "patient_name"
) -> Visitor:
    """Who the call's arguments say it is for: a verified patient, or a newcomer with all of ``needs``.

    Raises:
        ToolRefusal: ``who_is_it_for``, ``not_verified`` or ``wrong_patient``.
    """
    if "patient_id" in arguments:
        return Visitor(verified_patient(context, arguments["patient_id"])["patient_id"])
    missing = [field for field in needs if field not in arguments]
    if missing:
        message = (
            f"Say who it is for: patient_id of a verified patient, or for somebody new {', '.join(needs)}. "
            f"Missing: {', '.join(missing)}."
        )
        raise ToolRefusal("who_is_it_for", message, field=missing[0], status=422)
    return Visitor(None, arguments[name], arguments.get("date_of_birth"), arguments["phone"])


def require_yes(arguments: Mapping[str, Any], field: str, code: str, what: str) -> None:
    """
    Raises:
        ToolRefusal: ``code``.
    """
    if not arguments[field]:
        message = (
            f"Nothing was changed. Tell the caller {what}, ask for a clear yes, and call again only then."
        )
        raise ToolRefusal(code, message, field=field)


def patient_id_parameter(*, required: bool = True) -> Parameter:
    what = "The patient_id that verify_identity returned on this call"
    return Parameter(
        "patient_id",
        ValueKind.TEXT,
        what if required else f"{what}; leave out for somebody without a chart",
        required=required,
    )
