"""The two ways a call ends: handed to a person, or over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from offhook.packs import Parameter, Tool, ToolContext
from offhook.values import ValueKind
from offhook_industries.common.cards import refuse_card_numbers
from offhook_industries.legal.tools._gate import read_session

__all__ = ["session_tools"]


def session_tools() -> tuple[Tool, ...]:
    return (_transfer(), _end())


def _transfer() -> Tool:
    return Tool(
        "transfer_to_human",
        "When to call: the conflict check hit, the firm does not handle the matter or the state, a "
        "deadline has passed, the caller can't be identified after two tries, speaks for another adult, "
        "for an insurer or for the other side, claims to work at the firm, has a lawyer already, still "
        "insists on advice when a message is taken, insists on a person, or an emergency came up on the "
        "call. Say first that a person takes it from here. Not to be rid of work a tool can do. The call "
        "is handed over and you are done.",
        (
            Parameter(
                "summary",
                ValueKind.TEXT,
                "One sentence for the person who takes over, without facts of the matter after a conflict",
                required=False,
                constrained=False,
            ),
        ),
        transfer_to_human,
        ends_call=True,
    )


def transfer_to_human(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    refuse_card_numbers(arguments.get("summary", ""), "summary", checked=True)
    # A platform that sends the request again must not queue the caller twice.
    if context.db.execute("SELECT 1 FROM transfers").fetchone() is None:
        context.db.execute(
            "INSERT INTO transfers (summary, caller_id, created_at) VALUES (?, ?, ?)",
            (arguments.get("summary", ""), read_session(context).caller_id, context.now.isoformat()),
        )
    return {"transferred": True, "sentence": "A person at the firm takes the call from here."}


def _end() -> Tool:
    return Tool(
        "end_call",
        "When to call: what the caller wanted is done or finally declined, they want nothing else, and "
        "goodbye has been said. Never while something is open, and not before or instead of a transfer.",
        (),
        end_call,
        ends_call=True,
    )


def end_call(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    context.db.execute("UPDATE call_session SET ended = 1")
    return {"ended": True}
