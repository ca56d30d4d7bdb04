"""What is set up at ElevenLabs, and what a call is configured with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.sessions import AgentConfig, ToolSchema
from offhook_adapters.elevenlabs.models import Catalogue, catalogue
from offhook_adapters.wires.vendor import Vendor, VendorUnusable, known_options

__all__ = [
    "CLIENT_EVENTS",
    "ELEVENLABS",
    "ELEVENLABS_URL",
    "OPTIONS",
    "SESSION_SECONDS",
    "ElevenLabsSettings",
    "agent_body",
    "agent_name",
    "initiation",
    "settings_from",
    "tool_body",
]

ELEVENLABS: Final = Vendor(
    title="ElevenLabs",
    key="ELEVENLABS_API_KEY",
    url="ELEVENLABS_BASE_URL",
    example_url="https://api.elevenlabs.io",
    extra="elevenlabs",
    modules=("elevenlabs", "websockets"),
    sdk="the ElevenLabs SDK",
)
ELEVENLABS_URL: Final = "https://api.elevenlabs.io"
OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "model": "The language model behind the agent.",
        "voice": "The agent's voice: an id, or a name such as George.",
    }
)
SESSION_SECONDS: Final = 1800
"""How long a conversation may last: set on the agent, whose own default is ten minutes."""
# The events a call needs. The vendor sends those an agent names and no other.
CLIENT_EVENTS: Final = (
    "conversation_initiation_metadata",
    "ping",
    "audio",
    "interruption",
    "user_transcript",
    "agent_response",
    "agent_response_correction",
    "agent_response_complete",
    "client_tool_call",
    "client_error",
)
_TOOL_SECONDS: Final = 120  # the longest the vendor waits for a client
_NAME_HASH: Final = 16


@attrs.frozen
class ElevenLabsSettings:
    """``model`` is the language model, ``voice`` a voice's id. None leaves what the agent was set up with."""

    model: str | None = None
    voice: str | None = None


def settings_from(options: Mapping[str, str], published: Catalogue | None = None) -> ElevenLabsSettings:
    """The settings that a run's platform options make.

    Raises:
        VendorUnusable: an option there is not.
    """
    published = published or catalogue()
    known_options(options, OPTIONS)
    voice = options.get("voice") or None
    return ElevenLabsSettings(options.get("model") or None, voice and published.voices.get(voice, voice))


def tool_body(tool: ToolSchema) -> dict[str, Any]:
    """A tool that the vendor asks its client to run. The schema goes as it is."""
    return {
        "tool_config": {
            "type": "client",
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.parameters),
            "expects_response": True,
            "response_timeout_secs": _TOOL_SECONDS,
        }
    }


def agent_body(agent: AgentConfig, published: Catalogue | None = None) -> dict[str, Any]:
    """The agent, but for the ids of its tools: prompt and greeting as they are, 16 kHz in and 24 kHz out,
    only for who has the key, and with language model and voice left open to the single call.

    Raises:
        VendorUnusable: a text in which the vendor would put variables.
    """
    published = published or catalogue()
    if any("{{" in text for text in (agent.prompt, agent.greeting)):
        raise VendorUnusable(
            "ElevenLabs takes {{...}} in a prompt or greeting for a variable: leave double braces out"
        )
    return {
        "name": "",
        "tags": ["offhook"],
        "conversation_config": {
            "agent": {
                "first_message": agent.greeting,
                "language": "en",
                "prompt": {"prompt": agent.prompt, "llm": published.default_llm},
            },
            "asr": {"user_input_audio_format": "pcm_16000"},
            "tts": {
                "model_id": published.tts_model,
                "voice_id": published.default_voice,
                "agent_output_audio_format": "pcm_24000",
            },
            "conversation": {
                "max_duration_seconds": SESSION_SECONDS,
                "client_events": list(CLIENT_EVENTS),
            },
        },
        "platform_settings": {
            "auth": {"enable_auth": True},
            "overrides": {
                "conversation_config_override": {
                    "agent": {"prompt": {"llm": True}},
                    "tts": {"voice_id": True},
                }
            },
        },
    }


def agent_name(agent: AgentConfig) -> str:
    """The name an agent is found again by: it holds a hash of all that is set up for it."""
    whole = {"agent": agent_body(agent), "tools": [tool_body(tool) for tool in agent.tools]}
    text = json.dumps(whole, sort_keys=True, ensure_ascii=False)
    return f"offhook {agent.name} {hashlib.sha256(text.encode()).hexdigest()[:_NAME_HASH]}"


def initiation(settings: ElevenLabsSettings) -> dict[str, Any]:
    """The first message of a conversation."""
    override: dict[str, Any] = {}
    if settings.model is not None:
        override["agent"] = {"prompt": {"llm": settings.model}}
    if settings.voice is not None:
        override["tts"] = {"voice_id": settings.voice}
    return {
        "type": "conversation_initiation_client_data",
        "conversation_config_override": override,
        "dynamic_variables": {},
    }
