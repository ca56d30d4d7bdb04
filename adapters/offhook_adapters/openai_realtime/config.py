"""What a call to OpenAI Realtime is configured with: the user's options, and the session they make."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final

import attrs

from offhook.audio import LINE_RATE
from offhook.sessions import AgentConfig, Cost
from offhook_adapters.openai_realtime.dialect import Cause, declared_tools
from offhook_adapters.openai_realtime.prices import Catalogue, catalogue, cost_of
from offhook_adapters.wires.vendor import Vendor, VendorUnusable, known_options, number

__all__ = [
    "OPENAI",
    "OPTIONS",
    "RealtimeSettings",
    "greeting_instruction",
    "quoted_greeting",
    "session_config",
    "settings_from",
]

OPENAI: Final = Vendor(
    title="OpenAI",
    key="OPENAI_API_KEY",
    url="OPENAI_BASE_URL",
    example_url="https://api.openai.com/v1",
    extra="openai",
    modules=("openai", "websockets"),
    sdk="the OpenAI SDK",
)
OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "base_url": "Another server than OpenAI's own, such as http://127.0.0.1:8123/v1.",
        "idle_timeout_ms": "Milliseconds of silence after which the platform speaks again.",
        "model": "The realtime model.",
        "noise_reduction": "near_field or far_field; none unless given.",
        "silence_ms": "Milliseconds of silence that end the caller's turn.",
        "threshold": "How sure the platform must be that somebody speaks, 0 to 1.",
        "transcriber": "The model that writes down what the caller says.",
        "voice": "The agent's voice.",
    }
)
_PCM: Final = {"type": "audio/pcm", "rate": LINE_RATE}
_SAY: Final = "Say exactly the following words to the caller, and nothing else:\n"
_BUSY: Final = "conversation_already_has_active_response"


@attrs.frozen
class RealtimeSettings:
    """The ``Dialect`` of OpenAI itself. ``base_url`` None is OpenAI's own. ``silence_ms``, ``threshold`` and
    ``idle_timeout_ms`` belong to the server's voice activity detection; None leaves the vendor's default.
    ``noise_reduction`` is ``near_field``, ``far_field`` or None.
    """

    vendor: ClassVar[Vendor] = OPENAI
    opening: ClassVar[frozenset[str]] = frozenset({"session.created"})
    idle: ClassVar[frozenset[str]] = frozenset()
    acknowledges: ClassVar[bool] = True
    meters_responses: ClassVar[bool] = True
    greeting_usage: ClassVar[Mapping[str, float]] = MappingProxyType({})
    last_word: ClassVar[Mapping[str, Any] | None] = MappingProxyType({"tool_choice": "none"})

    model: str
    voice: str
    transcriber: str
    base_url: str | None = None
    silence_ms: int | None = None
    threshold: float | None = None
    idle_timeout_ms: int | None = None
    noise_reduction: str | None = None

    def configuration(self, agent: AgentConfig) -> dict[str, Any]:
        return session_config(agent, self)

    def used(self, session: Any) -> tuple[str, list[dict[str, Any]]] | None:
        tools = [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in session.tools or ()
        ]
        return session.instructions, tools

    def greeting(self, text: str) -> dict[str, Any]:
        return {"type": "response.create", "response": {"instructions": greeting_instruction(text)}}

    def is_busy(self, error: Any) -> bool:
        return bool(error.code == _BUSY)

    def cause(self, told: str) -> Cause | None:
        return None  # OpenAI's codes say it

    def cost(self, usage: Mapping[str, float]) -> Cost:
        published = catalogue()
        return cost_of(usage, published.models.get(self.model), published.transcribers.get(self.transcriber))


def settings_from(
    options: Mapping[str, str],
    environment: Mapping[str, str] = os.environ,
    published: Catalogue | None = None,
) -> RealtimeSettings:
    """The settings that a run's platform options make.

    Raises:
        VendorUnusable: an option there is not, or a value it can't have.
    """
    published = published or catalogue()
    known_options(options, OPTIONS)
    noise = options.get("noise_reduction") or None
    if noise not in (None, "near_field", "far_field"):
        raise VendorUnusable(f"noise_reduction is near_field or far_field, not {noise!r}")
    return RealtimeSettings(
        model=options.get("model") or published.default_model,
        voice=options.get("voice") or published.default_voice,
        transcriber=options.get("transcriber") or published.default_transcriber,
        base_url=OPENAI.base_url(options, environment),
        silence_ms=number(options, "silence_ms", int),
        threshold=number(options, "threshold", float),
        idle_timeout_ms=number(options, "idle_timeout_ms", int),
        noise_reduction=noise,
    )


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
        "tools": declared_tools(agent),
        "tool_choice": "auto",
        "audio": {"input": heard, "output": {"format": dict(_PCM), "voice": settings.voice}},
    }


def greeting_instruction(greeting: str) -> str:
    """How the model is asked for the greeting. The vendor has no field for one; a model may paraphrase."""
    return _SAY + greeting


def quoted_greeting(instruction: str) -> str | None:
    """The greeting in an instruction that ``greeting_instruction`` made; None in any other."""
    return instruction.removeprefix(_SAY) if instruction.startswith(_SAY) else None
