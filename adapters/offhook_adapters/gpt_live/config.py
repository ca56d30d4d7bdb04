"""What a call to GPT-Live is configured with: the user's options, and the session they make."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.audio import LINE_RATE
from offhook.sessions import AgentConfig
from offhook_adapters.gpt_live.prices import catalogue
from offhook_adapters.openai_realtime.config import OPENAI
from offhook_adapters.openai_realtime.dialect import declared_tools
from offhook_adapters.wires.vendor import Vendor, chosen, known_options

__all__ = [
    "GPT_LIVE",
    "OPTIONS",
    "LiveSettings",
    "greeting_request",
    "quoted_greeting",
    "session_config",
    "settings_from",
]

GPT_LIVE: Final[Vendor] = OPENAI
_EFFORTS: Final = ("none", "minimal", "low", "medium", "high", "xhigh")
OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "backend": "The model that reasons and calls the tools.",
        "base_url": "Another server than OpenAI's own, such as http://127.0.0.1:8123/v1.",
        "effort": f"How hard the backend thinks: {', '.join(_EFFORTS)}; its own default unless given.",
        "model": "The model that listens and talks.",
        "voice": "The agent's voice.",
    }
)
_PCM: Final = {"type": "audio/pcm", "rate": LINE_RATE}
_SAY: Final = (
    "The caller has just been put through and hears nothing until you speak. Say these words to them at "
    "once, word for word, add nothing, and then listen:\n"
)


@attrs.frozen
class LiveSettings:
    """``base_url`` None is OpenAI's own; ``effort`` None the backend's default."""

    model: str
    voice: str
    backend: str
    base_url: str | None = None
    effort: str | None = None


def settings_from(options: Mapping[str, str], environment: Mapping[str, str] = os.environ) -> LiveSettings:
    """The settings that a run's platform options make.

    Raises:
        VendorUnusable: an option there is not, or a value it can't have.
    """
    published = catalogue()
    known_options(options, OPTIONS)
    effort = chosen(options, "effort", _EFFORTS, "none") if options.get("effort") else None
    return LiveSettings(
        model=options.get("model") or published.default_model,
        voice=options.get("voice") or published.default_voice,
        backend=options.get("backend") or published.default_backend,
        base_url=GPT_LIVE.base_url(options, environment),
        effort=effort,
    )


def session_config(agent: AgentConfig, settings: LiveSettings) -> dict[str, Any]:
    """The ``session`` of ``session.start``.

    Both models get the prompt as it is: the one that talks needs to know what it may say, the one that works
    needs the rules for it. Only the second has tools; the first hands work over and is told what came of it.
    """
    backend: dict[str, Any] = {
        "model": settings.backend,
        "instructions": agent.prompt,
        "tools": declared_tools(agent),
    }
    if settings.effort is not None:
        backend["reasoning"] = {"effort": settings.effort}
    return {
        "model": settings.model,
        "instructions": agent.prompt,
        "audio": {"format": dict(_PCM), "output": {"voice": settings.voice}},
        "delegation": {"type": "responses", "responses": backend},
    }


def greeting_request(greeting: str) -> str:
    """How the model is asked for the greeting. The vendor promises no exact words."""
    return _SAY + greeting


def quoted_greeting(request: str) -> str | None:
    """The greeting in a request that ``greeting_request`` made; None in any other."""
    return request.removeprefix(_SAY) if request.startswith(_SAY) else None
