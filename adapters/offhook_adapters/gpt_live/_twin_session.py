"""The session that a client starts on the twin, and what of it the twin can carry out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from offhook.sessions import AgentConfig, ToolSchema
from offhook_adapters.gpt_live.prices import catalogue
from offhook_adapters.openai_realtime.twin_checks import WireError

__all__ = ["agent_of", "started_session", "token_count"]

_PCM: Final = {"type": "audio/pcm", "rate": 24_000}
_MOST_TOKENS: Final = 16_384
_LETTERS_PER_TOKEN: Final = 4
# Not far from what the platform gives; nobody reads it as a time of this machine's.
_LIFETIME_SECONDS: Final = 3600


def token_count(text: str) -> int:
    """About as many tokens as the text is."""
    return -(-len(text) // _LETTERS_PER_TOKEN)


def started_session(asked: Mapping[str, Any], now: int) -> dict[str, Any]:
    """The session as it begins; ``now`` is a Unix time.

    Raises:
        WireError: the vendor would refuse it, or the twin can't carry it out.
    """
    published = catalogue()
    if asked["model"] not in published.models:
        raise WireError("invalid_model", f"there is no Live model {asked['model']!r}", "session.model")
    if token_count(asked.get("instructions") or "") > _MOST_TOKENS:
        told = f"instructions are limited to {_MOST_TOKENS} tokens"
        raise WireError("string_above_max_length", told, "session.instructions")
    audio = asked.get("audio") or {}
    voice = (audio.get("output") or {}).get("voice") or published.default_voice
    if voice not in published.voices:
        raise WireError("invalid_value", f"there is no voice {voice!r}", "session.audio.output.voice")
    if audio.get("format", _PCM) != _PCM:
        place = "session.audio.format"
        raise WireError("twin_unsupported", "this twin speaks audio/pcm at 24000 only", place)
    delegation = asked.get("delegation") or {"type": "client"}
    if delegation["type"] != "responses":
        place = "session.delegation"
        raise WireError("twin_unsupported", "this twin delegates to responses only", place)
    if any(tool["type"] != "function" for tool in delegation["responses"].get("tools") or ()):
        place = "session.delegation.responses.tools"
        raise WireError("twin_unsupported", "this twin knows functions only", place)
    return {
        **asked,
        "id": "live_0001",
        "status": "active",
        "expires_at": now + _LIFETIME_SECONDS,
        "audio": {"format": dict(_PCM), "output": {"voice": voice}},
        "store": bool(asked.get("store")),
    }


def agent_of(session: Mapping[str, Any], greeting: str) -> AgentConfig:
    """The agent that came over the wire."""
    tools = tuple(
        ToolSchema(tool["name"], tool.get("description", ""), tool.get("parameters", {}))
        for tool in session["delegation"]["responses"].get("tools") or ()
    )
    return AgentConfig("twin", session.get("instructions") or "", greeting, tools, "")
