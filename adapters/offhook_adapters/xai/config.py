"""What a call to xAI is configured with: the user's options, and how they are said on the wire."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final

import attrs

from offhook.audio import LINE_RATE
from offhook.sessions import AgentConfig, Cost
from offhook_adapters.openai_realtime.dialect import Cause, declared_tools
from offhook_adapters.wires.vendor import Vendor, chosen, known_options, number
from offhook_adapters.xai.prices import TEXT_ITEMS, catalogue, cost_of

__all__ = ["OPTIONS", "XAI", "XaiSettings", "settings_from"]

XAI: Final = Vendor(
    title="xAI",
    key="XAI_API_KEY",
    url="XAI_BASE_URL",
    example_url="https://api.x.ai/v1",
    extra="openai",
    modules=("openai", "websockets"),
    sdk="the OpenAI SDK, which speaks xAI's protocol,",
)
OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "base_url": "Another server than xAI's own, such as http://127.0.0.1:8123/v1.",
        "idle_timeout_ms": "Milliseconds of silence after which the platform speaks again.",
        "model": "The voice model.",
        "reasoning": "high or none; the model's own choice unless given.",
        "silence_ms": "Milliseconds of silence that end the caller's turn.",
        "threshold": "How sure the platform must be that somebody speaks, 0.1 to 0.9.",
        "transcriber": "The model that writes down what the caller says.",
        "voice": "The agent's voice, one of xAI's or the ID of your own.",
    }
)
# The SDK's own default is another vendor's server.
_SERVER: Final = "https://api.x.ai/v1"
_PCM: Final = {"type": "audio/pcm", "rate": LINE_RATE}


@attrs.frozen
class XaiSettings:
    """The ``Dialect`` of xAI. None leaves the vendor's default."""

    vendor: ClassVar[Vendor] = XAI
    # Pipecat 1.14.0 configures on the first, and has both (services/xai/realtime/llm.py, read 2026-11-30).
    opening: ClassVar[frozenset[str]] = frozenset({"conversation.created", "session.created"})
    idle: ClassVar[frozenset[str]] = frozenset({"ping", "response.text.delta", "response.text.done"})
    # The vendor's reference tells of items the caller and the agent added, and of no others.
    acknowledges: ClassVar[bool] = False
    # A response's usage is there and empty more often than not.
    meters_responses: ClassVar[bool] = False
    greeting_usage: ClassVar[Mapping[str, float]] = MappingProxyType({TEXT_ITEMS: 1.0})
    # Here a response takes instructions only, which would stand in for the agent's own prompt.
    last_word: ClassVar[Mapping[str, Any] | None] = None

    model: str
    voice: str
    transcriber: str
    base_url: str = _SERVER
    silence_ms: int | None = None
    threshold: float | None = None
    idle_timeout_ms: int | None = None
    reasoning: str | None = None

    def configuration(self, agent: AgentConfig) -> dict[str, Any]:
        """The body of ``session.update``: prompt and tools as they are; voice and turn detection lie at its
        top, other than OpenAI's.
        """
        named = {
            "silence_duration_ms": self.silence_ms,
            "threshold": self.threshold,
            "idle_timeout_ms": self.idle_timeout_ms,
        }
        detection = {"type": "server_vad"} | {
            name: value for name, value in named.items() if value is not None
        }
        config: dict[str, Any] = {
            "instructions": agent.prompt,
            "voice": self.voice,
            "turn_detection": detection,
            "tools": declared_tools(agent),
            "audio": {
                "input": {
                    "format": dict(_PCM),
                    "transcription": {"model": self.transcriber, "language_hint": "en"},
                },
                "output": {"format": dict(_PCM)},
            },
        }
        return config if self.reasoning is None else {**config, "reasoning": {"effort": self.reasoning}}

    def used(self, session: Any) -> tuple[str, list[dict[str, Any]]] | None:
        prompt, tools = getattr(session, "instructions", None), getattr(session, "tools", None)
        if prompt is None or tools is None:
            return None  # it is not documented that they are repeated
        names = ("name", "description", "parameters")
        return prompt, [{name: getattr(tool, name, None) for name in names} for tool in tools]

    def greeting(self, text: str) -> dict[str, Any]:
        """Words that are spoken as they are, without the model.

        docs.x.ai names the content's text and no type for it; of two clients in use LiveKit says output_text,
        Pipecat text. The one that is also the type of an assistant's text elsewhere in the protocol is taken.
        """
        content = [{"type": "output_text", "text": text}]
        item = {"type": "force_message", "role": "assistant", "content": content}
        return {"type": "conversation.item.create", "item": item}

    def is_busy(self, error: Any) -> bool:
        # The vendor's codes are not OpenAI's, and not written down.
        return "already has an active response" in str(getattr(error, "message", "")).lower()

    def cause(self, told: str) -> Cause | None:
        """A wrong key is answered with HTTP 400, and an empty account with 403 or 429, told apart by words
        only (as users report: continuedev/continue #10778 and #10373, Anantys-oss/koan #2412).
        """
        words = told.lower()
        if "incorrect api key" in words:
            return Cause.KEY
        return Cause.CREDIT if "credits" in words and "spending limit" in words else None

    def cost(self, usage: Mapping[str, float]) -> Cost:
        return cost_of(usage, catalogue().models.get(self.model))


def settings_from(options: Mapping[str, str], environment: Mapping[str, str] = os.environ) -> XaiSettings:
    """The settings that a run's platform options make.

    Raises:
        VendorUnusable: an option there is not, or a value it can't have.
    """
    published = catalogue()
    known_options(options, OPTIONS)
    reasoning = chosen(options, "reasoning", ("high", "none"), "high") if options.get("reasoning") else None
    return XaiSettings(
        model=options.get("model") or published.default_model,
        voice=options.get("voice") or published.default_voice,
        transcriber=options.get("transcriber") or published.default_transcriber,
        base_url=XAI.base_url(options, environment) or _SERVER,
        silence_ms=number(options, "silence_ms", int),
        threshold=number(options, "threshold", float),
        idle_timeout_ms=number(options, "idle_timeout_ms", int),
        reasoning=reasoning,
    )
