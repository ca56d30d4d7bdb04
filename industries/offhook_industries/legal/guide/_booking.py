"""Evaluations: found, held, read back, booked; and cancelled."""

from __future__ import annotations

from offhook.packs import Options, ToolGuide
from offhook_industries.legal.guide._common import CLOSED, MATTER

__all__ = ["booking_guides"]

_LAPSED = "That hold is no longer good."


def booking_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "find_evaluation_slots",
            asks=(MATTER,),
            hold="Let me see which times are open.",
            refused={**CLOSED, "no_slots": "I'm sorry, no evaluation is open for that at the moment."},
        ),
        ToolGuide(
            "hold_evaluation",
            options=(
                Options(
                    "slot_id",
                    "find_evaluation_slots.slots",
                    "slot_id",
                    "{spoken}",
                    "I can offer you {options}. Which time would you like?",
                    names=("time_spoken",),
                ),
            ),
            say="{hold_evaluation.read_back}",
            refused={**CLOSED, "slot_taken": "I'm sorry, that time has just been taken."},
        ),
        ToolGuide(
            "get_attorney",
            carry={"attorney_id": "hold_evaluation.attorney_id"},
            say="{get_attorney.in_short}",
        ),
        ToolGuide(
            "confirm_evaluation",
            propose="{hold_evaluation.read_back} Shall I book it on these terms?",
            consent="terms_acknowledged",
            carry={"hold_token": "hold_evaluation.hold_token"},
            say="{confirm_evaluation.sentence}",
            refused={**CLOSED, "hold_expired": _LAPSED, "hold_superseded": _LAPSED, "hold_used": _LAPSED},
            completes=True,
        ),
        ToolGuide(
            "hold_cancellation",
            options=(
                Options(
                    "appointment_id",
                    "get_caller_matters.appointments",
                    "appointment_id",
                    "{spoken}",
                    "You have {options}. Which one is it?",
                    names=("day_spoken",),
                ),
            ),
            say="{hold_cancellation.read_back}",
            refused=CLOSED,
        ),
        ToolGuide(
            "confirm_cancellation",
            propose="{hold_cancellation.read_back} Shall I cancel it?",
            consent="fee_acknowledged",
            carry={"cancel_token": "hold_cancellation.cancel_token"},
            say="{confirm_cancellation.sentence}",
            refused={"hold_expired": _LAPSED, "hold_superseded": _LAPSED, "hold_used": _LAPSED},
            completes=True,
        ),
    )
