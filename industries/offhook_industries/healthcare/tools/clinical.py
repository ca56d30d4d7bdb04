"""The clinical desk: where a test stands, refills, messages to the care team, the portal.

It reports; it never interprets and never approves."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.common.cards import refuse_card_numbers
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.tools._gate import patient_id_parameter, verified_patient
from offhook_industries.healthcare.vocabulary import MEDICATIONS

__all__ = ["clinical_tools"]

_KINDS: Final = (
    Choice(
        "biopsy",
        "what was cut or scraped from the skin and sent to pathology",
        ("pathology", "biopsy results", "the biopsy"),
    ),
    Choice(
        "blood_work",
        "blood that was drawn and sent to a laboratory",
        ("blood", "labs", "lab work", "blood test"),
    ),
    Choice(
        "allergy_test", "skin or patch tests for allergies", ("allergy results", "patch test", "skin test")
    ),
)
_KIND_NAMES: Final[Mapping[str, str]] = {
    "biopsy": "biopsy",
    "blood_work": "blood work",
    "allergy_test": "allergy test",
}
_STATUS_WORDS: Final[Mapping[str, str]] = {
    "in_progress": "is still being worked on at the laboratory",
    "awaiting_review": "is back and waits for the doctor's review",
    "released": "has been reviewed and released to the patient portal",
}
_TOPICS: Final = (
    Choice("results", "a question about a test result", ("result", "biopsy")),
    Choice("refill", "a medication that runs out or has to be renewed", ("prescription", "medication")),
    Choice("symptoms", "a skin problem that changed or got worse", ("symptom", "worse")),
    Choice(
        "after_procedure", "a wound or trouble after something was done", ("wound", "stitches", "bandage")
    ),
    Choice("prior_authorization", "an insurer that has to agree to a medication", ("authorization",)),
    Choice("other", "another question for the care team", ()),
)
_URGENCY: Final = (
    Choice(
        "routine",
        "an answer by the next working day is soon enough",
        ("not urgent", "isn't urgent", "nothing urgent", "no rush", "no hurry", "it can wait", "can wait"),
    ),
    Choice(
        "urgent",
        "it can't wait until tomorrow",
        ("as soon as possible", "right away", "today", "asap", "runs out", "running out"),
    ),
)
_CHANNELS: Final = (
    Choice("email", "by e-mail to the address on the chart", ("e-mail", "by mail")),
    Choice("text", "by text to the phone on the chart", ("text message", "sms", "by text")),
)


def clinical_tools() -> tuple[Tool, ...]:
    return (_results(), _refill(), _message(), _portal())


def _results() -> Tool:
    return Tool(
        "get_results_status",
        "When to call: a verified patient asks about a biopsy, blood work or an allergy test. One call "
        "for each kind. Tells where the test stands, never what it found: you don't know that and must "
        "not guess, soothe or hint. If they press for the content, send create_clinical_message. Where "
        "the portal is inactive, offer send_portal_activation before the call ends.",
        (
            patient_id_parameter(),
            Parameter("kind", ValueKind.TEXT, "Which test", choices=_KINDS),
        ),
        get_results_status,
    )


def get_results_status(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    patient = verified_patient(context, arguments["patient_id"])
    kind = arguments["kind"]
    row = context.db.execute(
        "SELECT * FROM results WHERE patient_id = ? AND kind = ? ORDER BY collected_on DESC, result_id DESC",
        (patient["patient_id"], kind),
    ).fetchone()
    if row is None:
        message = (
            f"No {_KIND_NAMES[kind]} is on this chart. Ask which "
            "test is meant; a clinical message can ask the team."
        )
        raise ToolRefusal("nothing_ordered", message, field="kind", status=404)
    taken = policy.spoken_date(date.fromisoformat(row["collected_on"]))
    return {
        "kind": kind,
        "status": row["status"],
        "collected_spoken": taken,
        "portal_active": bool(patient["portal_active"]),
        "in_short": f"the {_KIND_NAMES[kind]} of {taken} {_STATUS_WORDS[row['status']]}",
    }


def _medication_parameter(description: str, *, required: bool = True) -> Parameter:
    return Parameter(
        "medication",
        ValueKind.TEXT,
        description,
        required=required,
        choices=tuple(medication.choice for medication in MEDICATIONS),
    )


def _refill() -> Tool:
    return Tool(
        "request_rx_refill",
        "When to call: right after verify_identity, as soon as a verified patient names a medication of "
        "this list to be refilled, or asks about its prior authorization; before any talk of rules, "
        "further questions, a message or a callback. The tool decides what happens and says it: filed "
        "for the doctor, refills left at the pharmacy, a visit first, or a programme that needs the "
        "clinic. You approve nothing. For a medication that is not in the list use "
        "create_clinical_message.",
        (patient_id_parameter(), _medication_parameter("The medication by its generic name")),
        request_rx_refill,
    )


def request_rx_refill(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    patient = verified_patient(context, arguments["patient_id"])
    row = context.db.execute(
        "SELECT * FROM prescriptions JOIN formulary USING (medication) WHERE patient_id = ? AND "
        "medication = ?",
        (patient["patient_id"], arguments["medication"]),
    ).fetchone()
    if row is None:
        message = (
            "This chart has no prescription for it. Check the name with the caller; if it is right, a "
            "clinical message or a visit is the way."
        )
        raise ToolRefusal("not_prescribed", message, field="medication", status=404)
    status, in_short = _outcome(context, patient, row)
    filed = status in ("filed", "prior_authorization")
    if filed:
        _file(context, row["prescription_id"], "refill" if status == "filed" else "authorization")
    return {
        "medication": row["medication"],
        "medication_name": row["title"],
        "status": status,
        "filed": filed,
        "pharmacy": row["pharmacy"],
        "refills_left": row["refills_left"],
        "in_short": in_short,
    }


def _outcome(context: ToolContext, patient: sqlite3.Row, row: sqlite3.Row) -> tuple[str, str]:
    """What a refill comes to, and the sentence for it."""
    name = row["title"]
    if row["route"] == "programme":
        return (
            "special_programme",
            f"{name} can't be refilled by phone, because every month needs its own safety check with the "
            "clinic; a message to the care team starts that",
        )
    if row["refills_left"]:
        left = "one refill is" if row["refills_left"] == 1 else f"{row['refills_left']} refills are"
        return (
            "refills_on_file",
            f"{left} left for {name} at {row['pharmacy']}; the pharmacy fills it when asked",
        )
    last = patient["last_visit"]
    since = context.now.date() - timedelta(days=policy.VISIT_WITHIN_DAYS)
    if last is None or date.fromisoformat(last) < since:
        return "visit_needed", f"{name} needs a visit first, because the last one was more than a year ago"
    if row["route"] == "authorization":
        return (
            "prior_authorization",
            f"your insurer is asked again to agree to {name}, and the care team tells you what it says",
        )
    return "filed", f"the refill of {name} is with the doctor, who decides; {row['pharmacy']} hears from us"


def _file(context: ToolContext, prescription_id: str, kind: str) -> None:
    """
    Raises:
        ToolRefusal: ``already_requested``.
    """
    open_one = context.db.execute(
        "SELECT 1 FROM refill_requests WHERE prescription_id = ?", (prescription_id,)
    ).fetchone()
    if open_one is not None:
        message = (
            "This has been requested already and is with the doctor. Tell the caller; file nothing more."
        )
        raise ToolRefusal("already_requested", message)
    context.db.execute(
        "INSERT INTO refill_requests VALUES (?, ?, ?, ?)",
        (context.new_id("RR"), prescription_id, kind, context.now.isoformat()),
    )


def _message() -> Tool:
    return Tool(
        "create_clinical_message",
        "When to call: a verified patient has a question for a nurse or doctor about results, a refill, "
        "symptoms or a procedure, also when they press for a result's content that you can't give. Ask "
        "how urgent it is and which number to call back. In an emergency tell them to hang up and dial "
        "911 instead. Not in place of request_rx_refill or get_results_status, which come first.",
        (
            patient_id_parameter(),
            Parameter("topic", ValueKind.TEXT, "What the message is about", choices=_TOPICS),
            Parameter("urgency", ValueKind.TEXT, "How soon an answer is needed", choices=_URGENCY),
            Parameter("callback_phone", ValueKind.PHONE, "The number on which the team reaches the caller"),
            _medication_parameter("The medication it is about, if any", required=False),
            Parameter("message", ValueKind.TEXT, "The question in one or two sentences", constrained=False),
        ),
        create_clinical_message,
    )


def create_clinical_message(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    patient = verified_patient(context, arguments["patient_id"])
    refuse_card_numbers(arguments["message"], "message")
    topic, medication = arguments["topic"], arguments.get("medication")
    known = context.db.execute(
        "SELECT due_at FROM clinical_messages WHERE patient_id = ? AND topic = ? AND medication IS ?",
        (patient["patient_id"], topic, medication),
    ).fetchone()
    if known is not None:
        promised = policy.spoken_moment(datetime.fromisoformat(known["due_at"]))
        message = (
            "The team has this message already and answers by "
            f"{promised}. Tell the caller; send no second one."
        )
        raise ToolRefusal("already_sent", message)
    due = policy.add_office_hours(context.now, policy.MESSAGE_HOURS[arguments["urgency"]])
    context.db.execute(
        "INSERT INTO clinical_messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            context.new_id("CM"),
            patient["patient_id"],
            topic,
            arguments["urgency"],
            arguments["callback_phone"],
            medication,
            arguments["message"],
            due.isoformat(timespec="minutes"),
            context.now.isoformat(),
        ),
    )
    answer_by = policy.spoken_moment(due)
    return {
        "sent": True,
        "answer_by": answer_by,
        "callback_phone": arguments["callback_phone"],
        "in_short": f"the care team has your message and calls {arguments['callback_phone']} by {answer_by}",
    }


def _portal() -> Tool:
    return Tool(
        "send_portal_activation",
        "When to call: a verified patient's portal is not active and they want access; on every call "
        "about results where it is inactive offer it before the call ends. Goes to the address or phone "
        "on the chart, by the way the caller chooses. Not when the portal is active.",
        (
            patient_id_parameter(),
            Parameter("channel", ValueKind.TEXT, "How the activation is sent", choices=_CHANNELS),
        ),
        send_portal_activation,
    )


def send_portal_activation(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    patient = verified_patient(context, arguments["patient_id"])
    if patient["portal_active"]:
        message = "The portal is active already. Tell the caller to sign in, or to reset the password there."
        raise ToolRefusal("already_active", message)
    sent = context.db.execute(
        "SELECT channel FROM portal_invites WHERE patient_id = ?", (patient["patient_id"],)
    ).fetchone()
    if sent is not None and sent["channel"] == arguments["channel"]:
        message = "The activation has been sent this way already. Tell the caller where to look."
        raise ToolRefusal("already_sent", message)
    context.db.execute(
        "INSERT OR REPLACE INTO portal_invites VALUES (?, ?)", (patient["patient_id"], arguments["channel"])
    )
    where = "the e-mail address" if arguments["channel"] == "email" else "the phone"
    return {
        "sent": True,
        "channel": arguments["channel"],
        "in_short": f"the portal activation has been sent to {where} on your chart",
    }
