"""What a call to OpenAI Realtime is configured with: the user's options, and the session they make."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

import attrs

from offhook.audio import LINE_RATE
from offhook.platforms import PlatformUnusable
from offhook.sessions import AgentConfig
from offhook_adapters.openai_realtime.prices import Catalogue, catalogue

__all__ = [
    "OPTIONS",
    "OpenAIRealtimeError",
    "OpenAIRealtimeUnusable",
    "RealtimeSettings",
    "api_key",
    "base_url_from",
    "greeting_instruction",
    "quoted_greeting",
    "session_config",
    "settings_from",
]

N = TypeVar("N", int, float)

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
_SERVER: Final = re.compile(r"https?://(\[[\da-fA-F:.]+\]|[^\s/:?#\[\]]+)(:\d{1,5})?(/\S*)?")
_PCM: Final = {"type": "audio/pcm", "rate": LINE_RATE}
_SAY: Final = "Say exactly the following words to the caller, and nothing else:\n"


class OpenAIRealtimeError(Exception):
    """A call could not be held; the message is one line that says why. Another try may fare better."""


class OpenAIRealtimeUnusable(OpenAIRealtimeError, PlatformUnusable):
    """No call could be held: the key, the model, an option or the SDK is at fault."""


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
        OpenAIRealtimeUnusable: an option there is not, or a value it can't have.
    """
    published = published or catalogue()
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise OpenAIRealtimeUnusable(f"there is no option {unknown[0]!r}: choose from {', '.join(OPTIONS)}")
    noise = options.get("noise_reduction") or None
    if noise not in (None, "near_field", "far_field"):
        raise OpenAIRealtimeUnusable(f"noise_reduction is near_field or far_field, not {noise!r}")
    return RealtimeSettings(
        model=options.get("model") or published.default_model,
        voice=options.get("voice") or published.default_voice,
        transcriber=options.get("transcriber") or published.default_transcriber,
        base_url=base_url_from(options, os.environ),
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
        raise OpenAIRealtimeUnusable(f"{name} must be a number, not {text!r}") from None


def base_url_from(options: Mapping[str, str], environment: Mapping[str, str]) -> str | None:
    """The server that the option, or else the environment, names; None where neither does.

    Raises:
        OpenAIRealtimeUnusable: it is no URL of a server, or holds a password.
    """
    given = options.get("base_url")
    name, url = ("base_url", given) if given else ("OPENAI_BASE_URL", environment.get("OPENAI_BASE_URL"))
    if not url:
        return None
    if "@" in url:  # it would be shown in errors, and so end up in records
        raise OpenAIRealtimeUnusable(
            f"{name} holds a user or password: put the key in OPENAI_API_KEY instead"
        )
    if not _SERVER.fullmatch(url):
        raise OpenAIRealtimeUnusable(f"{name} is {url!r}: set it to a URL like https://api.openai.com/v1")
    return url


def api_key(environment: Mapping[str, str]) -> str:
    """The user's key.

    Raises:
        OpenAIRealtimeUnusable: there is none, or it can't be one.
    """
    key = environment.get("OPENAI_API_KEY", "").strip()
    if not key:
        raise OpenAIRealtimeUnusable("OPENAI_API_KEY is not set: set it to your OpenAI key")
    if not (key.isascii() and key.isprintable()) or " " in key:  # no header could carry it
        raise OpenAIRealtimeUnusable(
            "OPENAI_API_KEY holds a blank or another character that no key has: copy it once more"
        )
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
