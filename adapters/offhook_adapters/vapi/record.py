"""What the platform's own record of a call says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from offhook.sessions import Cost, PlatformRecord

__all__ = ["is_complete", "read_cost", "read_record"]


def is_complete(call: Any) -> bool:
    """Whether the call is over and billed."""
    return getattr(call, "status", "") == "ended" and read_cost(call).usd is not None


def read_cost(call: Any) -> Cost:
    """The sum that the platform reports; unknown where it reports none."""
    total = getattr(getattr(call, "cost_breakdown", None), "total", None)
    if total is None:
        total = getattr(call, "cost", None)
    return Cost() if total is None else Cost(float(total), "reported")


def read_record(call: Any) -> PlatformRecord:
    """Transcript, tool calls, why it ended and what it cost. Nothing of the configuration is kept: it holds
    the token of the call's tools.
    """
    said: list[str] = []
    tools: list[Mapping[str, Any]] = []
    for message in getattr(getattr(call, "artifact", None), "messages", None) or ():
        role = str(getattr(message, "role", ""))
        if role in ("bot", "user"):
            said.append(f"{'agent' if role == 'bot' else 'caller'}: {getattr(message, 'message', '')}")
        # a message that the SDK took for one of another kind has its fields as the server named them
        calls = getattr(message, "tool_calls", None) or getattr(message, "toolCalls", None) or ()
        tools.extend(_tool(each) for each in calls if isinstance(each, Mapping))
    raw: dict[str, Any] = {
        "call": str(getattr(call, "id", "")),
        "ended_reason": str(getattr(call, "ended_reason", None) or ""),
    }
    costs = getattr(call, "cost_breakdown", None)
    if costs is not None:
        parts = ("transport", "stt", "llm", "tts", "vapi", "total")
        raw["costs"] = {
            part: getattr(costs, part) for part in parts if getattr(costs, part, None) is not None
        }
    return PlatformRecord(tuple(said), tuple(tools), raw)


def _tool(call: Mapping[str, Any]) -> Mapping[str, Any]:
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    return {
        "id": str(call.get("id", "")),
        "name": str(function.get("name", "")),
        "arguments": function.get("arguments", ""),
    }
