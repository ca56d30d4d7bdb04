"""Plans, what a visit costs, insurance on file."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide
from offhook_industries.healthcare.guide._common import BIRTH, MEMBER, NEEDS_CHECK, OFFICE, PATIENT, PLAN

__all__ = ["coverage_guides"]


def coverage_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "check_plan_accepted",
            asks=(PLAN, OFFICE),
            hold="Let me check that.",
            say="{check_plan_accepted.in_short}",
        ),
        ToolGuide(
            "run_eligibility_check",
            asks=(PLAN, MEMBER, BIRTH, OFFICE),
            hold="Let me run that check.",
            say="{run_eligibility_check.in_short}",
            refused={"no_coverage_found": "I can't find coverage with those details."},
            retry=("no_coverage_found",),
            completes=True,
        ),
        ToolGuide(
            "capture_insurance_update",
            asks=(
                PLAN,
                MEMBER,
                Ask(
                    ("relationship",),
                    "Whose policy is it: your own, your spouse's, a parent's, or somebody else's?",
                    "Sorry, is it your own policy, your spouse's, or a parent's?",
                ),
            ),
            take={**PATIENT, "appointment_id": "book_appointment.appointment_id"},
            propose="I have the member number {member_id}. Shall I save it with your visit?",
            consent="confirmed",
            say="{capture_insurance_update.in_short}",
            refused=NEEDS_CHECK,
            completes=True,
        ),
    )
