"""The two ways a call ends: handed to a person, or over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext
from offhook.values import ValueKind
from offhook_industries.common.cards import refuse_card_numbers

__all__ = ["session_tools"]

_REASONS: Final = (
    Choice(
        "caller_request",
        "wants to talk to a real person and not to a machine",
        ("person", "human", "representative", "operator", "somebody real", "someone real", "receptionist"),
    ),
    Choice("verification_failed", "could not prove who they are, or is locked out", ()),
    Choice("emergency", "somebody is in danger now and was told to dial 911", ()),
    Choice("outside_this_line", "a genuine request that none of the tools can do", ()),
    Choice("tool_failure", "a tool keeps failing for a reason that is not the caller's", ()),
)
_DEPARTMENTS: Final = (
    Choice(
        "front_desk",
        "general matters, visits, insurance, or the caller doesn't say what it is about",
        ("front desk", "reception", "receptionist", "anyone", "anybody"),
    ),
    Choice("billing", "bills and payments", ("billing department", "accounts")),
    Choice("clinical", "nurses and doctors", ("nurse", "doctor", "clinical team")),
    Choice("cosmetic", "the cosmetic coordinators", ("cosmetic coordinator", "cosmetics")),
)


def session_tools() -> tuple[Tool, ...]:
    return (_transfer(), _end())


def _transfer() -> Tool:
    return Tool(
        "transfer_to_human",
        "When to call: the caller insists on a person, the identity check is locked, somebody is in "
        "danger, or the request is genuine and outside what the tools can do. Say first that you are "
        "connecting them. Never to avoid work that a tool can do, and never before an open request is "
        "settled that the caller wants settled here.",
        (
            Parameter(
                "reason",
                ValueKind.TEXT,
                "Why a person is needed; a caller who only asks for one is caller_request",
                choices=_REASONS,
            ),
            Parameter(
                "department",
                ValueKind.TEXT,
                "Which desk; the front desk where the caller names none",
                choices=_DEPARTMENTS,
            ),
            Parameter(
                "summary",
                ValueKind.TEXT,
                "One sentence for the person who takes over",
                required=False,
                constrained=False,
            ),
        ),
        transfer_to_human,
        ends_call=True,
    )


def transfer_to_human(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    refuse_card_numbers(arguments.get("summary", ""), "summary")
    context.db.execute("UPDATE call_session SET ended = 'transferred'")
    return {"transferred": True, "reason": arguments["reason"], "department": arguments["department"]}


def _end() -> Tool:
    return Tool(
        "end_call",
        "When to call: the caller's request is settled or finally refused, they have nothing else, and "
        "goodbye has been said. Never while something they asked for is open, and not before a transfer.",
        (),
        end_call,
        ends_call=True,
    )


def end_call(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    context.db.execute("UPDATE call_session SET ended = 'ended'")
    return {"ended": True}
