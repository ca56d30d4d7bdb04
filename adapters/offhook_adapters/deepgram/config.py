"""What a call to Deepgram is configured with: the user's options, and the settings they make."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.audio import LINE_RATE
from offhook.sessions import AgentConfig
from offhook_adapters.deepgram.prices import Catalogue, catalogue
from offhook_adapters.wires.vendor import Vendor, VendorUnusable, known_options

__all__ = ["DEEPGRAM", "OPTIONS", "AgentSettings", "settings_from", "settings_message"]

DEEPGRAM: Final = Vendor(
    title="Deepgram",
    key="DEEPGRAM_API_KEY",
    url="DEEPGRAM_BASE_URL",
    example_url="https://agent.deepgram.com",
    extra="deepgram",
    modules=("deepgram", "websockets"),
    sdk="the Deepgram SDK",
)
OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "base_url": "Another server than Deepgram's own, such as http://127.0.0.1:8123.",
        "listen": "The model that writes down what the caller says.",
        "think": "The language model, as provider/model, such as open_ai/gpt-5.4-mini.",
        "voice": "The agent's voice.",
    }
)


@attrs.frozen
class AgentSettings:
    """``think`` is ``provider/model``; ``base_url`` None is Deepgram's own."""

    think: str
    listen: str
    voice: str
    base_url: str | None = None


def settings_from(
    options: Mapping[str, str],
    environment: Mapping[str, str] = os.environ,
    published: Catalogue | None = None,
) -> AgentSettings:
    """The settings that a run's platform options make.

    Raises:
        VendorUnusable: an option there is not, or a value it can't have.
    """
    published = published or catalogue()
    known_options(options, OPTIONS)
    think = options.get("think") or published.default_think
    provider, _, model = think.partition("/")
    if not (provider and model):
        raise VendorUnusable(f"think is provider/model, such as {published.default_think}, not {think!r}")
    return AgentSettings(
        think=think,
        listen=options.get("listen") or published.default_listen,
        voice=options.get("voice") or published.default_voice,
        base_url=DEEPGRAM.base_url(options, environment),
    )


def settings_message(agent: AgentConfig, settings: AgentSettings) -> dict[str, Any]:
    """The ``Settings`` message: prompt, greeting and tools as they are, raw PCM both ways.

    Every function waits until the caller's turn is sure to be over (``defer_until_eot``): the platform may
    else run one on a guess and take it back. Which tools only read is not known here, and a call that was
    made on a guess would count as made.
    """
    provider, _, model = settings.think.partition("/")
    think: dict[str, Any] = {"provider": {"type": provider, "model": model}, "prompt": agent.prompt}
    if agent.tools:
        think["functions"] = [
            {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
                "defer_until_eot": True,
            }
            for tool in agent.tools
        ]
    spoken: dict[str, Any] = {
        "listen": {"provider": _listener(settings.listen)},
        "think": think,
        "speak": {"provider": {"type": "deepgram", "model": settings.voice}},
    }
    if agent.greeting.strip():
        spoken["greeting"] = agent.greeting
    pcm = {"encoding": "linear16", "sample_rate": LINE_RATE}
    audio = {"input": dict(pcm), "output": {**pcm, "container": "none"}}
    return {"type": "Settings", "audio": audio, "agent": spoken}


def _listener(model: str) -> dict[str, Any]:
    """The Flux models find the end of a turn themselves and belong to the second version."""
    return {"type": "deepgram", "version": "v2" if model.startswith("flux") else "v1", "model": model}
