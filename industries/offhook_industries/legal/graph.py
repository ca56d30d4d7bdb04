"""The firm's desks: who does what, and where a caller goes next. A funnel: every desk has one way in."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from offhook.graphs import AgentGraph, HandOff, Specialist

__all__ = ["graph"]

_PROMPTS: Final = Path(__file__).parent / "prompts"


def graph() -> AgentGraph:
    """The department of Halverson & Reed, reception first."""
    return AgentGraph(
        company="Halverson & Reed",
        manner=_text("manner"),
        session=_text("session"),
        specialists=(
            Specialist(
                "reception",
                "Taking the call",
                _text("reception"),
                ("lookup_caller", "get_caller_matters", "take_message"),
                (
                    HandOff(
                        "screening",
                        "the caller wants a new matter looked at and no screening is on file for it",
                    ),
                    HandOff("client_services", "the caller asks about a matter that the firm has for them"),
                ),
            ),
            Specialist(
                "screening",
                "Screening",
                _text("screening"),
                ("check_conflict", "check_practice_area", "check_jurisdiction", "calculate_filing_deadline"),
                (HandOff("intake", "every check that the caller's wish needs is clear"),),
            ),
            Specialist(
                "intake",
                "Intake",
                _text("intake"),
                ("record_intake", "add_intake_note", "send_intake_packet", "request_records_authorization"),
                (HandOff("scheduling", "the caller wants an evaluation with a lawyer"),),
            ),
            Specialist(
                "scheduling",
                "Evaluations",
                _text("scheduling"),
                (
                    "get_attorney",
                    "find_evaluation_slots",
                    "hold_evaluation",
                    "confirm_evaluation",
                    "hold_cancellation",
                    "confirm_cancellation",
                ),
            ),
            Specialist(
                "client_services",
                "Existing clients",
                _text("client_services"),
                ("get_caller_matters", "get_case_status", "take_message", "add_intake_note"),
            ),
        ),
    )


def _text(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text(encoding="utf-8")
