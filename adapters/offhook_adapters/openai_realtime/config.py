"""What a call to OpenAI Realtime is configured with: the user's options, and the session they make."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final, TypeVar

import attrs

from offhook.audio import LINE_RATE
from offhook.sessions import AgentConfig
from offhook_adapters.openai_realtime.prices import Catalogue, catalogue

__all__ = [
    "OPTIONS",
    "OpenAIRealtimeError",
    "RealtimeSettings",
    "api_key",
    "greeting_instruction",
    "quoted_greeting",
    "session_config",
    "settings_from",
]

N = TypeVar("N", int, float)

OPTIONS: Final = (
    "base_url",
    "idle_timeout_ms",
    "model",
    "noise_reduction",
    "silence_ms",
    "threshold",
    "transcriber",
    "voice",
)
_PCM: Final = {"type": "audio/pcm", "rate": LINE_RATE}
_SAY: Final = "Say exactly the following words to the caller, and nothing else:\n"


class OpenAIRealtimeError(Exception):
    """The platform can't be used as it is; the message is one line that says what to do."""


@attrs.frozen
class RealtimeSettings:
    """``base_url`` None is OpenAI's own. ``silence_ms``, ``threshold`` and ``idle_timeout_ms`` belong to the
    server's voice activity detection; None leaves the vendor's default. ``noise_reduction`` is
    ``near_field``, ``far_field`` or None.
    """

    model: str
    voice: str
    transcriber: str
    base_url: str | None = None
    silence_ms: int | None = None
    threshold: float | None = None
    idle_timeout_ms: int | None = None
    noise_reduction: str | None = None


def settings_from(options: Mapping[str, str], published: Catalogue | None = None) -> RealtimeSettings:
    """The settings that a run's platform options make.

    Raises:
        OpenAIRealtimeError: an option there is not, or a value it can't have.
    """
    published = published or catalogue()
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise OpenAIRealtimeError(f"there is no option {unknown[0]!r}: choose from {', '.join(OPTIONS)}")
    noise = options.get("noise_reduction") or None
    if noise not in (None, "near_field", "far_field"):
        raise OpenAIRealtimeError(f"noise_reduction is near_field or far_field, not {noise!r}")
    return RealtimeSettings(
        model=options.get("model") or published.default_model,
        voice=options.get("voice") or published.default_voice,
        transcriber=options.get("transcriber") or published.default_transcriber,
        base_url=options.get("base_url") or os.environ.get("OPENAI_BASE_URL") or None,
        silence_ms=_number(options, "silence_ms", int),
        threshold=_number(options, "threshold", float),
        idle_timeout_ms=_number(options, "idle_timeout_ms", int),
        noise_reduction=noise,
    )


def _number(options: Mapping[str, str], name: str, kind: type[N]) -> N | None:
    text = options.get(name)
    if not text:
        return None
    try:
        return kind(text)
    except ValueError:
        raise OpenAIRealtimeError(f"{name} must be a number, not {text!r}") from None


def api_key(environment: Mapping[str, str]) -> str:
    """The user's key.

    Raises:
        OpenAIRealtimeError: there is none.
    """
    key = environment.get("OPENAI_API_KEY", "").strip()
    if not key:
        raise OpenAIRealtimeError("OPENAI_API_KEY is not set: set it to your OpenAI key")
    return key


def session_config(agent: AgentConfig, settings: RealtimeSettings) -> dict[str, Any]:
    """The body of ``session.update``: prompt and tools as they are, PCM both ways, turns found by the server,
    and the caller transcribed (the vendor's default is not to).
    """
    detection: dict[str, Any] = {"type": "server_vad", "create_response": True, "interrupt_response": True}
    named = {
        "silence_duration_ms": settings.silence_ms,
        "threshold": settings.threshold,
        "idle_timeout_ms": settings.idle_timeout_ms,
    }
    detection |= {name: value for name, value in named.items() if value is not None}
    heard: dict[str, Any] = {
        "format": dict(_PCM),
        "transcription": {"model": settings.transcriber, "language": "en"},
        "turn_detection": detection,
    }
    if settings.noise_reduction is not None:
        heard["noise_reduction"] = {"type": settings.noise_reduction}
    return {
        "type": "realtime",
        "output_modalities": ["audio"],
        "instructions": agent.prompt,
        "tools": [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            }
            for tool in agent.tools
        ],
        "tool_choice": "auto",
        "audio": {"input": heard, "output": {"format": dict(_PCM), "voice": settings.voice}},
    }


def greeting_instruction(greeting: str) -> str:
    """How the model is asked for the greeting. The vendor has no field for one; a model may paraphrase."""
    return _SAY + greeting


def quoted_greeting(instruction: str) -> str | None:
    """The greeting in an instruction that ``greeting_instruction`` made; None in any other."""
    return instruction.removeprefix(_SAY) if instruction.startswith(_SAY) else None
