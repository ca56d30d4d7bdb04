"""The calls that many keys have."""

from __future__ import annotations

from offhook.packs import ExpectedCall as Call
from offhook_industries.legal.tasks._client import Client

__all__ = [
    "admission",
    "booking",
    "conflict",
    "intake",
    "look_up",
    "message",
    "packet",
    "screening",
    "transfer",
]


def look_up(who: Client, *, named: bool = False) -> Call:
    """``named`` where the number alone does not tell who it is."""
    name = {"full_name": who.full_name} if named else {}
    return Call("lookup_caller", arguments={"phone": who.phone, **name})


def conflict(who: Client) -> Call:
    return Call("check_conflict", arguments={"adverse_party": who.against})


def admission(who: Client) -> tuple[Call, ...]:
    """The three checks before a booking."""
    return (
        conflict(who),
        Call("check_practice_area", arguments={"matter_type": who.matter}),
        Call("check_jurisdiction", arguments={"matter_type": who.matter, "state": who.state}),
    )


def screening(who: Client) -> tuple[Call, ...]:
    """The four checks before an intake."""
    deadline = Call(
        "calculate_filing_deadline",
        arguments={"matter_type": who.matter, "state": who.state, "incident_date": who.day},
    )
    return (*admission(who), deadline)


def intake(who: Client) -> Call:
    return Call(
        "record_intake",
        arguments={
            "phone": who.phone,
            "matter_type": who.matter,
            "state": who.state,
            "incident_date": who.day,
        },
        free_text={"summary": who.story},
    )


def packet(channel: str) -> Call:
    return Call("send_intake_packet", arguments={"channel": channel})


def message(who: Client, recipient: str, text: str) -> Call:
    return Call(
        "take_message",
        arguments={"recipient": recipient},
        free_text={"full_name": who.full_name, "phone": who.phone, "message": text},
    )


def booking(who: Client, slot: str, *, about_lawyer: bool = False) -> tuple[Call, ...]:
    """``about_lawyer`` where the caller asks about the lawyer before agreeing."""
    asked = (Call("get_attorney", carry={"attorney_id": "hold_evaluation.attorney_id"}),)
    return (
        Call("find_evaluation_slots", arguments={"matter_type": who.matter}),
        Call("hold_evaluation", arguments={"slot_id": slot}),
        *(asked if about_lawyer else ()),
        Call(
            "confirm_evaluation",
            arguments={"terms_acknowledged": True},
            carry={"hold_token": "hold_evaluation.hold_token"},
        ),
    )


def transfer() -> Call:
    return Call("transfer_to_human")
