"""The configuration of a session on the twin, and what of it the twin can carry out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.sessions import AgentConfig, ToolSchema
from offhook_adapters.openai_realtime._twin_checks import WireError
from offhook_adapters.openai_realtime.prices import catalogue
from offhook_adapters.reference.turns import TurnSettings

__all__ = ["agent_of", "first_session", "turn_settings", "updated_session"]

_PCM: Final = {"type": "audio/pcm", "rate": 24_000}
# Without an idle timeout the vendor never speaks into a silence.
_NEVER: Final = 86_400.0


def first_session(model: str) -> dict[str, Any]:
    """The session a connection begins with: the vendor's defaults."""
    return {
        "type": "realtime",
        "model": model,
        "output_modalities": ["audio"],
        "instructions": "",
        "tools": [],
        "tool_choice": "auto",
        "audio": {
            "input": {
                "format": dict(_PCM),
                "transcription": None,
                "noise_reduction": None,
                "turn_detection": {
                    "type": "server_vad",
                    "threshold": 0.5,
                    "prefix_padding_ms": 300,
                    "silence_duration_ms": 500,
                    "idle_timeout_ms": None,
                    "create_response": True,
                    "interrupt_response": True,
                },
            },
            "output": {"format": dict(_PCM), "voice": "alloy", "speed": 1.0},
        },
    }


def updated_session(
    session: Mapping[str, Any], update: Mapping[str, Any], *, has_spoken: bool
) -> dict[str, Any]:
    """The session after an update, of which only the fields that are present count.

    Raises:
        WireError: the vendor would refuse it, or the twin can't carry it out.
    """
    if update["type"] != "realtime":
        raise WireError("invalid_value", "this is a realtime session", "session.type")
    after: dict[str, Any] = _merged(session, update)
    if after["model"] != session["model"]:
        raise WireError("invalid_value", "the model of a session can't be changed", "session.model")
    sound, voice = after["audio"], after["audio"]["output"]["voice"]
    if voice != session["audio"]["output"]["voice"] and has_spoken:
        raise WireError("cannot_update_voice", "the voice can't be changed after the agent has spoken")
    if voice not in catalogue().voices:
        raise WireError("invalid_value", f"there is no voice {voice!r}", "session.audio.output.voice")
    for way in ("input", "output"):
        if sound[way]["format"] != _PCM:
            place = f"session.audio.{way}.format"
            raise WireError("twin_unsupported", "this twin speaks audio/pcm at 24000 only", place)
    detection = sound["input"]["turn_detection"]
    if detection is None or detection["type"] != "server_vad" or detection["create_response"] is False:
        place = "session.audio.input.turn_detection"
        raise WireError("twin_unsupported", "this twin answers by itself, after server_vad", place)
    if after["output_modalities"] != ["audio"]:
        raise WireError("twin_unsupported", "this twin answers in audio only", "session.output_modalities")
    return after


def agent_of(session: Mapping[str, Any], greeting: str) -> AgentConfig:
    """The agent that came over the wire."""
    tools = tuple(
        ToolSchema(tool["name"], tool.get("description", ""), tool.get("parameters", {}))
        for tool in session["tools"]
        if tool.get("type") == "function"
    )
    return AgentConfig("twin", session["instructions"], greeting, tools, "")


def turn_settings(session: Mapping[str, Any]) -> TurnSettings:
    """The reference platform's endpointing with the session's figures."""
    detection = session["audio"]["input"]["turn_detection"]
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


def _merged(old: Any, new: Any) -> Any:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        fresh = {name: _merged(old.get(name), value) for name, value in new.items()}
        return {**old, **fresh}
    return new
