"""The front desk of Straus Dermatology: who does what, and where a caller goes next. No way leads back."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from offhook.graphs import AgentGraph, HandOff, Specialist
from offhook_industries.common.saying import spoken_day
from offhook_industries.healthcare import policy

__all__ = ["graph"]

_PROMPTS: Final = Path(__file__).parent / "prompts"

_SCHEDULING: Final = "a visit is to be booked, moved or cancelled"
_COVERAGE: Final = "the caller asks about a plan, a copay or insurance on file"
_COSMETIC: Final = "it is about a cosmetic treatment or consult"


def graph() -> AgentGraph:
    """The department, reception first."""
    return AgentGraph(
        company="Straus Dermatology",
        manner=_text("manner").replace("{today}", f"{spoken_day(policy.NOW.date())}, {policy.NOW.year}"),
        session=_text("session"),
        specialists=(
            Specialist(
                "reception",
                "Taking the call",
                _text("reception"),
                ("create_callback_task", "list_locations"),
                (
                    HandOff("identity", "the request touches a patient's own chart"),
                    HandOff("scheduling", "a new patient wants a medical or allergy visit"),
                    HandOff("coverage", _COVERAGE),
                    HandOff("cosmetic", _COSMETIC),
                ),
            ),
            Specialist(
                "identity",
                "Checking who is calling",
                _text("identity"),
                ("create_callback_task", "identify_patient", "verify_identity", "get_patient_summary"),
                (
                    HandOff("scheduling", _SCHEDULING),
                    HandOff("billing", "it is about a bill, a balance, a charge or a fee"),
                    HandOff("clinical", "it is about results, refills or a question for a nurse"),
                    HandOff("coverage", _COVERAGE),
                    HandOff("cosmetic", _COSMETIC),
                ),
            ),
            Specialist(
                "scheduling",
                "Visits",
                _text("scheduling"),
                (
                    "create_callback_task",
                    "send_sms",
                    "classify_visit_request",
                    "list_locations",
                    "find_slots",
                    "book_appointment",
                    "reschedule_appointment",
                    "cancel_appointment",
                    "join_waitlist",
                    "schedule_allergy_service",
                ),
            ),
            Specialist(
                "coverage",
                "Insurance",
                _text("coverage"),
                (
                    "create_callback_task",
                    "list_locations",
                    "check_plan_accepted",
                    "run_eligibility_check",
                    "capture_insurance_update",
                ),
                (HandOff("scheduling", "the caller then wants a visit"),),
            ),
            Specialist(
                "cosmetic",
                "Cosmetic treatments",
                _text("cosmetic"),
                (
                    "create_callback_task",
                    "quote_cosmetic_service",
                    "list_locations",
                    "find_slots",
                    "book_cosmetic_consult",
                    "send_payment_link",
                    "offer_financing",
                ),
            ),
            Specialist(
                "billing",
                "Bills",
                _text("billing"),
                (
                    "create_callback_task",
                    "get_account_balance",
                    "explain_charge",
                    "send_payment_link",
                    "offer_financing",
                    "request_fee_waiver",
                ),
                (HandOff("scheduling", "the caller also has a visit to move or cancel"),),
            ),
            Specialist(
                "clinical",
                "Results and refills",
                _text("clinical"),
                (
                    "create_callback_task",
                    "get_results_status",
                    "request_rx_refill",
                    "create_clinical_message",
                    "send_portal_activation",
                ),
                (HandOff("scheduling", "a visit is needed first"),),
            ),
        ),
    )


def _text(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text(encoding="utf-8")
