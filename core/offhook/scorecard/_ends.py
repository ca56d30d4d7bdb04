"""How calls end, from the record and the request log alone, and who handed the caller on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from offhook.records import CallRecord, ToolLogEntry

__all__ = ["CallEnd", "end_of_call", "was_transferred"]


class CallEnd(StrEnum):
    OBJECTIVE_MET = "objective met"
    ESCALATED = "escalated"
    AGENT_REFUSED = "agent refused"
    CALLER_GAVE_UP = "caller gave up"
    TIMED_OUT = "timed out"
    BROKE_OFF = "broke off"
    NO_VERDICT = "no verdict"


def end_of_call(
    record: CallRecord,
    requests: Sequence[ToolLogEntry] | None,
    verdict: str,
    *,
    transfer_tools: Collection[str] = ("transfer_to_human",),
) -> CallEnd:
    """How a call ended. An end is no verdict: the caller judges by what it heard. The first that holds:

    - no verdict: the call has none, so nothing is known that could be relied on;
    - objective met: the caller hung up satisfied;
    - escalated: the tool server accepted a transfer to a person;
    - caller gave up: the caller hung up because nothing came of the call;
    - timed out: the call ran to its time limit;
    - agent refused: the agent hung up on a caller whose objective was not met;
    - broke off: none of these, the line was lost.

    Args:
        requests: the call's request log; None where it can't be read.
        verdict: ``pass``, ``fail``, ``unclear``, or empty for none.
    """
    if verdict not in ("pass", "fail"):
        return CallEnd.NO_VERDICT
    if record.hung_up_because == "satisfied":
        return CallEnd.OBJECTIVE_MET
    if was_transferred(requests, transfer_tools):
        return CallEnd.ESCALATED
    if record.hung_up_because == "gave_up":
        return CallEnd.CALLER_GAVE_UP
    if record.hung_up_because == "too_long":
        return CallEnd.TIMED_OUT
    if record.hung_up_because == "agent_ended" and record.ended_by == "platform":
        return CallEnd.AGENT_REFUSED
    return CallEnd.BROKE_OFF


def was_transferred(requests: Sequence[ToolLogEntry] | None, transfer_tools: Collection[str]) -> bool:
    """Whether the tool server accepted a transfer."""
    return any(entry.tool in transfer_tools and entry.outcome == "accepted" for entry in requests or ())
