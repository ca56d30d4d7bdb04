"""What a call on Mistral is configured with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook_adapters.mistral.prices import catalogue
from offhook_adapters.wires.vendor import Vendor, VendorUnusable, known_options, number

__all__ = ["MISTRAL", "OPTIONS", "MistralSettings", "settings_from"]

MISTRAL: Final = Vendor(
    title="Mistral",
    key="MISTRAL_API_KEY",
    url="MISTRAL_BASE_URL",
    example_url="https://api.mistral.ai",
    extra="mistral",
    modules=("mistralai", "websockets"),
    sdk="Mistral's SDK",
)
OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "base_url": "Another server than Mistral's own, such as http://127.0.0.1:8123 (without /v1).",
        "end_timeout_ms": "Milliseconds of silence that end the caller's turn whatever was said.",
        "hearing_model": "The realtime transcription model; it has to find turns by itself.",
        "language": "The caller's language, such as en.",
        "model": "The chat model.",
        "silence_ms": "Milliseconds of silence before the caller's turn can end.",
        "speech_model": "The realtime speech model.",
        "voice": "The agent's voice.",
    }
)


@attrs.frozen
class MistralSettings:
    """``base_url`` None is Mistral's own. ``silence_ms`` and ``end_timeout_ms`` belong to the vendor's turn
    detection; None leaves its defaults.
    """

    model: str
    hearing_model: str
    speech_model: str
    voice: str
    language: str = "en"
    base_url: str | None = None
    silence_ms: int | None = None
    end_timeout_ms: int | None = None

    @property
    def turn_detection(self) -> dict[str, Any]:
        """As ``session.update`` takes it."""
        given = {"min_silence_ms": self.silence_ms, "end_timeout_ms": self.end_timeout_ms}
        return {name: value for name, value in given.items() if value is not None}


def settings_from(options: Mapping[str, str], environment: Mapping[str, str] = os.environ) -> MistralSettings:
    """The settings that a run's platform options make.

    Raises:
        VendorUnusable: an option there is not, or a value it can't have.
    """
    known_options(options, OPTIONS)
    published = catalogue()
    base_url = MISTRAL.base_url(options, environment)
    if base_url is not None and base_url.rstrip("/").endswith("/v1"):
        raise VendorUnusable(f"leave /v1 out of {base_url}: Mistral's SDK adds it")
    return MistralSettings(
        model=options.get("model") or published.default_chat,
        hearing_model=options.get("hearing_model") or published.default_hearing,
        speech_model=options.get("speech_model") or published.default_speech,
        voice=options.get("voice") or published.default_voice,
        language=options.get("language") or "en",
        base_url=base_url,
        silence_ms=number(options, "silence_ms", int),
        end_timeout_ms=number(options, "end_timeout_ms", int),
    )
