"""What a call to Gemini Live is configured with: the user's options, and the setup they make."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.sessions import AgentConfig
from offhook_adapters.gemini.prices import Catalogue, catalogue
from offhook_adapters.wires.vendor import Vendor, VendorUnusable, chosen, known_options, number

__all__ = [
    "GEMINI",
    "GOOGLE_URL",
    "OPTIONS",
    "GeminiSettings",
    "greeting_instruction",
    "quoted_greeting",
    "session_config",
    "settings_from",
    "vendor_in",
]

GEMINI: Final = Vendor(
    title="Gemini",
    key="GEMINI_API_KEY",
    url="GOOGLE_GEMINI_BASE_URL",
    example_url="https://generativelanguage.googleapis.com",
    extra="gemini",
    modules=("google.genai", "websockets"),
    sdk="the Google Gen AI SDK",
)
_OTHER_KEY: Final = "GOOGLE_API_KEY"
GOOGLE_URL: Final = "https://generativelanguage.googleapis.com"
OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "base_url": "Another server than Google's own, such as https://127.0.0.1:8123 (TLS only).",
        "end_sensitivity": "How readily silence counts as the end of a turn: low or high.",
        "model": "The Live model.",
        "prefix_ms": "Milliseconds of speech before the platform counts it as such.",
        "silence_ms": "Milliseconds of silence that end the caller's turn.",
        "start_sensitivity": "How readily sound counts as speech: low or high.",
        "thinking_level": "minimal, low, medium or high; only for Gemini 3.1.",
        "voice": "The agent's voice.",
    }
)
_LEVELS: Final = ("", "minimal", "low", "medium", "high")
_SENSITIVITIES: Final = ("", "low", "high")
_SAY: Final = "Say exactly the following words to the caller, and nothing else:\n"


@attrs.frozen
class GeminiSettings:
    """``silence_ms``, ``prefix_ms`` and the sensitivities (``low``, ``high``) belong to the server's voice
    activity detection; None or empty leaves the vendor's default. ``blocking_tools`` asks for tool calls that
    hold up the talk, where the model would not do so by itself.
    """

    model: str
    voice: str
    base_url: str = GOOGLE_URL
    silence_ms: int | None = None
    prefix_ms: int | None = None
    start_sensitivity: str = ""
    end_sensitivity: str = ""
    thinking_level: str = ""
    blocking_tools: bool = True


def vendor_in(environment: Mapping[str, str]) -> Vendor:
    """The vendor with the variable that holds the key: GEMINI_API_KEY, or GOOGLE_API_KEY where only that is
    set.
    """
    if not environment.get(GEMINI.key, "").strip() and environment.get(_OTHER_KEY, "").strip():
        return attrs.evolve(GEMINI, key=_OTHER_KEY)
    return GEMINI


def settings_from(
    options: Mapping[str, str],
    environment: Mapping[str, str] = os.environ,
    published: Catalogue | None = None,
) -> GeminiSettings:
    """The settings that a run's platform options make.

    Raises:
        VendorUnusable: an option there is not, or a value it can't have.
    """
    published = published or catalogue()
    known_options(options, OPTIONS)
    name = options.get("model") or published.default_model
    model = published.models.get(name)
    level = chosen(options, "thinking_level", _LEVELS, "")
    if level and model is not None and not model.thinking_level:
        raise VendorUnusable(f"{name} takes no thinking_level: leave it out")
    return GeminiSettings(
        model=name,
        voice=options.get("voice") or published.default_voice,
        base_url=_secure(GEMINI.base_url(options, environment) or GOOGLE_URL),
        silence_ms=number(options, "silence_ms", int),
        prefix_ms=number(options, "prefix_ms", int),
        start_sensitivity=chosen(options, "start_sensitivity", _SENSITIVITIES, ""),
        end_sensitivity=chosen(options, "end_sensitivity", _SENSITIVITIES, ""),
        thinking_level=level,
        blocking_tools=model is None or model.background_tools,
    )


def _secure(url: str) -> str:
    # With an API key the SDK speaks TLS whatever the URL says, so a plain one could only fail obscurely.
    if not url.startswith("https://"):
        raise VendorUnusable(f"base_url is {url!r}: set it to a URL that begins with https://")
    return url.rstrip("/")


def session_config(agent: AgentConfig, settings: GeminiSettings) -> dict[str, Any]:
    """The SDK's ``LiveConnectConfig``: prompt and tools as they are, audio only, turns found by the server,
    and both sides transcribed (the vendor's default is not to).
    """
    detection = {
        "silence_duration_ms": settings.silence_ms,
        "prefix_padding_ms": settings.prefix_ms,
        "start_of_speech_sensitivity": _named("START", settings.start_sensitivity),
        "end_of_speech_sensitivity": _named("END", settings.end_sensitivity),
    }
    config: dict[str, Any] = {
        "response_modalities": ["AUDIO"],
        "speech_config": {"voice_config": {"prebuilt_voice_config": {"voice_name": settings.voice}}},
        "system_instruction": {"role": "user", "parts": [{"text": agent.prompt}]},
        "input_audio_transcription": {},
        "output_audio_transcription": {},
        "realtime_input_config": {
            "automatic_activity_detection": {
                name: value for name, value in detection.items() if value is not None
            }
        },
    }
    if settings.thinking_level:
        config["thinking_config"] = {"thinking_level": settings.thinking_level.upper()}
    if agent.tools:
        # Every platform is given tools whose result the agent waits for.
        waits = {"behavior": "BLOCKING"} if settings.blocking_tools else {}
        declared = [
            {
                "name": tool.name,
                "description": tool.description,
                "parameters_json_schema": dict(tool.parameters),
                **waits,
            }
            for tool in agent.tools
        ]
        config["tools"] = [{"function_declarations": declared}]
    return config


def _named(which: str, sensitivity: str) -> str | None:
    return f"{which}_SENSITIVITY_{sensitivity.upper()}" if sensitivity else None


def greeting_instruction(greeting: str) -> str:
    """How the model is asked for the greeting. The vendor has no field for one; a model may paraphrase."""
    return _SAY + greeting


def quoted_greeting(instruction: str) -> str | None:
    """The greeting in an instruction that ``greeting_instruction`` made; None in any other."""
    return instruction.removeprefix(_SAY) if instruction.startswith(_SAY) else None
