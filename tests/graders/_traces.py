"""Calls with a timeline, for verifiers: what a real tool server took, and who said what when."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from offhook.callers import AgentHeard, CallerTurn
from offhook.grading import CallEvidence

__all__ = ["CONFIRM", "FIND", "NOTE", "PRICE", "QUOTE", "VERIFY", "timed"]

FIND = ("find_customer", {"full_name": "Nadia Okafor", "phone": "541-555-0148"})
VERIFY = ("verify_owner", {"postal_code": "97405", "frame_last4": "7730"})
QUOTE = ("quote_repair", {"service": "brakes"})
CONFIRM = ("confirm_repair", {"quote_id": "=quote_repair.quote_id", "price_accepted": True})
NOTE = ("leave_note", {"note": "it squeals"})
PRICE = ("get_service_price", {"service": "tune_up"})


def timed(
    call: CallEvidence,
    *,
    at: Sequence[float] = (),
    caller: Sequence[tuple[float, str]] = (),
    agent: Sequence[tuple[float, float, str]] = (),
) -> CallEvidence:
    """The call with its requests at these moments (else 10, 20, 30...), the caller's lines (a second long)
    and the agent's as the caller heard them."""
    moments = at or [10.0 * (index + 1) for index in range(len(call.tools))]
    tools = tuple(attrs.evolve(entry, at=moment) for entry, moment in zip(call.tools, moments, strict=True))
    record = attrs.evolve(
        call.record,
        caller_turns=tuple(CallerTurn(text, text, start, start + 1.0, "rule:x") for start, text in caller),
        caller_heard=tuple(AgentHeard(text, start, end) for start, end, text in agent),
    )
    return attrs.evolve(call, record=record, tools=tools)
