"""What a call to Vapi is configured with: the assistant that is kept there, and what each call adds."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.sessions import AgentConfig, ToolEndpoint
from offhook_adapters.vapi.catalogue import Catalogue, catalogue
from offhook_adapters.vapi.liquid import as_it_is
from offhook_adapters.wires.vendor import Vendor, VendorUnusable, known_options

__all__ = [
    "OPTIONS",
    "RATE",
    "TAG",
    "VAPI",
    "VapiSettings",
    "assistant_body",
    "call_body",
    "fingerprint",
    "settings_from",
]

VAPI: Final = Vendor(
    title="Vapi",
    key="VAPI_API_KEY",
    url="VAPI_BASE_URL",
    example_url="https://api.vapi.ai",
    extra="vapi",
    modules=("vapi", "httpx", "websockets"),
    sdk="the Vapi SDK",
)
OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "base_url": "Another server than Vapi's own, such as http://127.0.0.1:8123.",
        "model": "The language model, as provider/model, such as openai/gpt-4.1.",
        "transcriber": "What writes down the caller, as provider/model, such as deepgram/nova-3.",
        "voice": "The agent's voice, as provider/voice, such as vapi/Elliot.",
    }
)
RATE: Final = 16_000
"""Of the sound both ways, in Hz: the vendor's default."""
TAG: Final = "offhook"
"""The key in an assistant's metadata under which the fingerprint of what it was made of is kept."""
_TOLD: Final = (
    "assistant.started",
    "hang",
    "speech-update",
    "status-update",
    "tool-calls",
    "tool-calls-result",
    "transcript",
    "user-interrupted",
)


@attrs.frozen
class VapiSettings:
    """Each part as ``provider/name``; ``base_url`` None is Vapi's own."""

    model: str
    voice: str
    transcriber: str
    base_url: str | None = None


def settings_from(
    options: Mapping[str, str],
    environment: Mapping[str, str] = os.environ,
    published: Catalogue | None = None,
) -> VapiSettings:
    """The settings that a run's platform options make.

    Raises:
        VendorUnusable: an option there is not, or a value it can't have.
    """
    published = published or catalogue()
    known_options(options, OPTIONS)
    usual = {
        "model": published.default_model,
        "voice": published.default_voice,
        "transcriber": published.default_transcriber,
    }
    chosen = {name: options.get(name) or value for name, value in usual.items()}
    for name, value in chosen.items():
        if not all(value.partition("/")):
            raise VendorUnusable(f"{name} is provider/name, such as {usual[name]}, not {value!r}")
    return VapiSettings(**chosen, base_url=VAPI.base_url(options, environment))


def assistant_body(agent: AgentConfig, settings: VapiSettings) -> dict[str, Any]:
    """What the assistant is made of, but for its name and tag: prompt, greeting and tools as they are. Which
    server the tools are called at is each call's to say. Everything else is the vendor's default.

    Raises:
        VendorUnusable: a prompt or greeting that the platform can't be told.
    """
    return {
        **_speech(settings),
        "model": _model(agent, settings.model),
        "firstMessage": as_it_is(agent.greeting, "the greeting"),
        "firstMessageMode": (
            "assistant-speaks-first" if agent.greeting.strip() else "assistant-waits-for-user"
        ),
        "clientMessages": list(_TOLD),
        "serverMessages": ["tool-calls"],
    }


def fingerprint(body: Mapping[str, Any]) -> str:
    """Equal bodies, equal text; 64 hex digits."""
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def call_body(
    agent: AgentConfig, settings: VapiSettings, usual: VapiSettings, tools: ToolEndpoint
) -> dict[str, Any]:
    """What one call adds: its sound, where its tools are called, and the options that differ from the
    assistant's (``usual``).
    """
    overrides: dict[str, Any] = {
        "server": {"url": tools.webhook_url, "headers": {"Authorization": f"Bearer {tools.token}"}}
    }
    if settings.model != usual.model:
        overrides["model"] = _model(agent, settings.model)
    mine, theirs = _speech(settings), _speech(usual)
    overrides |= {name: value for name, value in mine.items() if value != theirs[name]}
    sound = {"format": "pcm_s16le", "container": "raw", "sampleRate": RATE}
    return {
        "transport": {"provider": "vapi.websocket", "audioFormat": sound},
        "assistant_overrides": overrides,
    }


def _model(agent: AgentConfig, model: str) -> dict[str, Any]:
    provider, _, name = model.partition("/")
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in agent.tools
    ]
    prompt = {"role": "system", "content": as_it_is(agent.prompt, "the prompt")}
    return {"provider": provider, "model": name, "messages": [prompt], "tools": tools}


def _speech(settings: VapiSettings) -> dict[str, Any]:
    speaks, _, voice = settings.voice.partition("/")
    hears, _, model = settings.transcriber.partition("/")
    return {
        "voice": {"provider": speaks, "voiceId": voice},
        "transcriber": {"provider": hears, "model": model},
    }
