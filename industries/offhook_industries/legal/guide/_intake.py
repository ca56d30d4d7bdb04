"""The account, and what goes with it."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide
from offhook_industries.legal.guide._common import CLOSED, MATTER, PHONE

__all__ = ["intake_guides"]


def intake_guides() -> tuple[ToolGuide, ...]:
    nothing_yet = {**CLOSED, "no_intake": "There is no account on file yet that it could go with."}
    return (
        ToolGuide(
            "record_intake",
            asks=(
                PHONE,
                MATTER,
                Ask(("state",), "In which state did it happen?", "Sorry, which state was that?"),
                Ask(
                    ("incident_date",),
                    "On what date did it happen? Please tell me the month, the day and the year.",
                    "Could you say the date again, month, day and year?",
                    "I have {incident_date}. Is that right?",
                ),
                Ask(
                    ("summary",),
                    "Please tell me in your own words what happened.",
                    "Sorry, could you tell me in a sentence or two what happened?",
                ),
            ),
            hold="Thank you. I'm recording your account.",
            say="{record_intake.sentence}",
            refused={
                **CLOSED,
                "caller_not_on_file": "I can't find a record under that number.",
                "several_people": "Several people share that number.",
                "already_recorded": "Your account of this matter is on file already.",
                "date_in_future": "That date is still ahead of us.",
            },
            retry=("caller_not_on_file", "date_in_future"),
            completes=True,
        ),
        ToolGuide(
            "add_intake_note",
            asks=(
                Ask(
                    ("note", "category"),
                    "What would you like me to note for the lawyer?",
                    "Sorry, what is the note about, a witness, the insurance, something medical?",
                ),
            ),
            say="{add_intake_note.sentence}",
            refused=nothing_yet,
            completes=True,
        ),
        ToolGuide(
            "send_intake_packet",
            asks=(
                Ask(
                    ("channel",),
                    "How shall the new client packet come, by e-mail, by text message or by post?",
                    "Sorry, by e-mail, by text message or by post?",
                ),
            ),
            say="{send_intake_packet.sentence}",
            refused={
                **nothing_yet,
                "no_address": "We have nothing on file to send it that way.",
                "already_sent": "The packet has been sent already.",
            },
            retry=("no_address",),
            completes=True,
        ),
        ToolGuide(
            "request_records_authorization",
            asks=(
                Ask(
                    ("provider",),
                    "Which hospital or practice has your medical records?",
                    "Sorry, could you say only the name of the hospital or practice again?",
                    "I have {provider}. Is that right?",
                ),
            ),
            say="{request_records_authorization.sentence}",
            refused={**nothing_yet, "already_requested": "That release has been sent to you already."},
            completes=True,
        ),
    )
