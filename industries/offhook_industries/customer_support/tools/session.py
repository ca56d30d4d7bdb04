"""The two ways a call ends: handed to a person, or over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolContext
from offhook.values import ValueKind
from offhook_industries.common.cards import refuse_card_numbers
from offhook_industries.customer_support.tools._gate import read_session

__all__ = ["session_tools"]

_REASONS: Final = (
    Choice(
        "caller_request",
        "wants to talk to a real person and not to a machine",
        ("person", "human", "representative", "agent", "operator", "someone real", "somebody real"),
    ),
    Choice(
        "verification_failed", "could not prove who they are, or has no order or card at hand to do so", ()
    ),
    Choice(
        "safety_hazard",
        "a battery or product that is swollen, hot, smoking, leaking, burning or has hurt somebody",
        (),
    ),
    Choice(
        "suspected_fraud",
        "money or data lost to somebody who pretended to be Kestrel, or an account taken over",
        (),
    ),
    Choice("legal_or_press", "a lawyer, a court, a regulator or a journalist", ()),
    Choice("outside_this_line", "a genuine request that none of the tools can do", ()),
    Choice("tool_failure", "a tool keeps failing for a reason that is not the caller's", ()),
)


def session_tools() -> tuple[Tool, ...]:
    return (_transfer(), _end())


def _transfer() -> Tool:
    return Tool(
        "transfer_to_human",
        "When to call: the caller insists on a person, verification is locked or impossible, "
        "somebody is in danger, money or data was lost to "
        "a scam, or the request is genuine and outside what the tools can do. Say first that "
        "you are connecting them. Never to avoid work "
        "that a tool can do. The call is handed over and you are done.",
        (
            Parameter(
                "reason",
                ValueKind.TEXT,
                "Why a person is needed; a caller who only demands one is caller_request",
                choices=_REASONS,
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
    session = read_session(context)
    # A platform that sends the request again must not queue the caller twice.
    waiting = context.db.execute(
        "SELECT transfer_no FROM transfers WHERE reason = ?", (arguments["reason"],)
    ).fetchone()
    if waiting is None:
        context.db.execute(
            "INSERT INTO transfers (reason, summary, customer_id, created_at) VALUES (?, ?, ?, ?)",
            (arguments["reason"], arguments.get("summary", ""), session.customer_id, context.now.isoformat()),
        )
    return {"transferred": True, "reason": arguments["reason"]}


def _end() -> Tool:
    return Tool(
        "end_call",
        "When to call: the caller's request is settled or finally refused, they have nothing "
        "else, and goodbye has been said. Never while "
        "something they asked for is open, and not before a transfer.",
        (),
        end_call,
        ends_call=True,
    )


def end_call(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    context.db.execute("UPDATE call_session SET ended = 1")
    return {"ended": True}
