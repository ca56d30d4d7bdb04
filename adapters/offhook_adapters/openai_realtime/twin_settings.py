"""What the family's sessions on a twin have in common: the agent in them, and their turn detection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.sessions import AgentConfig, ToolSchema
from offhook_adapters.reference.turns import TurnSettings

__all__ = ["agent_of", "detected_turns", "merged"]

# Without an idle timeout the vendor never speaks into a silence.
_NEVER: Final = 86_400.0


def agent_of(session: Mapping[str, Any], greeting: str) -> AgentConfig:
    """The agent that came over the wire."""
    tools = tuple(
        ToolSchema(tool["name"], tool.get("description", ""), tool.get("parameters", {}))
        for tool in session["tools"]
        if tool.get("type") == "function"
    )
    return AgentConfig("twin", session["instructions"], greeting, tools, "")


def detected_turns(detection: Mapping[str, Any]) -> TurnSettings:
    """The reference platform's endpointing with the figures of a server_vad."""
    idle = detection["idle_timeout_ms"]
    threshold = float(detection["threshold"])
    usual = TurnSettings()
    return attrs.evolve(
        usual,
        threshold=threshold,
        release=min(usual.release, threshold),
        hangover=detection["silence_duration_ms"] / 1000,
        lead=detection["prefix_padding_ms"] / 1000,
        give_up=_NEVER if idle is None else idle / 1000,
    )


def merged(old: Any, new: Any) -> Any:
    """One object with another's fields laid over it, at every depth."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        fresh = {name: merged(old.get(name), value) for name, value in new.items()}
        return {**old, **fresh}
    return new
