"""What a call on Gradium is configured with."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.audio import LINE_RATE
from offhook_adapters.cascade.meter import HEARD_SECONDS, SPOKEN_CHARACTERS
from offhook_adapters.wires.vendor import Vendor, VendorUnusable, known_options, number

__all__ = [
    "CHAT",
    "GRADIUM",
    "OPTIONS",
    "Catalogue",
    "ChatServer",
    "GradiumSettings",
    "catalogue",
    "chat_server",
    "credits_used",
    "hearing_setup",
    "settings_from",
    "speech_setup",
]

GRADIUM: Final = Vendor(
    title="Gradium",
    key="GRADIUM_API_KEY",
    url="GRADIUM_BASE_URL",
    example_url="https://api.gradium.ai/api",
    extra="gradium",
    modules=("gradium", "aiohttp", "openai"),
    sdk="Gradium's SDK, or OpenAI's for the chat model,",
)
CHAT: Final = Vendor(
    title="chat model's",
    key="GRADIUM_LLM_API_KEY",
    url="GRADIUM_LLM_BASE_URL",
    example_url="https://api.openai.com/v1",
    extra="gradium",
    modules=("openai",),
    sdk="OpenAI's SDK",
)
_OPENAI: Final = attrs.evolve(CHAT, title="OpenAI", key="OPENAI_API_KEY", url="OPENAI_BASE_URL")
_OPENAI_URL: Final = "https://api.openai.com/v1"
_OWN_URL: Final = "https://api.gradium.ai/api/"
OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "base_url": "Another server than Gradium's own, such as http://127.0.0.1:8123/api.",
        "delay_in_frames": "How many 80 ms frames the transcription may lag behind.",
        "hearing_model": "The speech-to-text model.",
        "language": "The caller's language, such as en.",
        "model": "The chat model, on GRADIUM_LLM_BASE_URL or OPENAI_BASE_URL.",
        "speech_model": "The text-to-speech model.",
        "voice": "The agent's voice, by its id.",
    }
)


@attrs.frozen
class Catalogue:
    """What the vendor publishes, as read on ``read_on`` at ``source``. ``session_seconds`` is how long a
    session of speech-to-text or text-to-speech lasts at most.
    """

    read_on: str
    source: str
    default_model: str
    default_voice: str
    default_chat: str
    session_seconds: float
    credits_a_second_heard: float
    credits_a_character_spoken: float


def catalogue() -> Catalogue:
    """The catalogue that ships with the adapter."""
    text = resources.files(__package__).joinpath("models.toml").read_text(encoding="utf-8")
    return Catalogue(**tomllib.loads(text))


@attrs.frozen
class GradiumSettings:
    """``base_url`` ends in a slash. ``session_seconds`` is how long a session lasts at most."""

    model: str
    hearing_model: str
    speech_model: str
    voice: str
    language: str = "en"
    base_url: str = _OWN_URL
    delay_in_frames: int | None = None
    session_seconds: float = 300.0


@attrs.frozen
class ChatServer:
    """Where the chat model is, and whose names its key and address have."""

    vendor: Vendor
    base_url: str
    key: str = attrs.field(repr=False)


def settings_from(options: Mapping[str, str], environment: Mapping[str, str] = os.environ) -> GradiumSettings:
    """The settings that a run's platform options make.

    Raises:
        VendorUnusable: an option there is not, or a value it can't have.
    """
    known_options(options, OPTIONS)
    published = catalogue()
    base_url = GRADIUM.base_url(options, environment) or _OWN_URL
    if "http" in base_url.removeprefix("http"):  # the SDK would write "ws" in its place
        raise VendorUnusable(f"{GRADIUM.url} can't hold 'http' twice: use another name for {base_url}")
    return GradiumSettings(
        model=options.get("model") or published.default_chat,
        hearing_model=options.get("hearing_model") or published.default_model,
        speech_model=options.get("speech_model") or published.default_model,
        voice=options.get("voice") or published.default_voice,
        language=options.get("language") or "en",
        base_url=base_url if base_url.endswith("/") else f"{base_url}/",
        delay_in_frames=number(options, "delay_in_frames", int),
        session_seconds=published.session_seconds,
    )


def chat_server(environment: Mapping[str, str]) -> ChatServer:
    """Where the environment says the chat model is: ``GRADIUM_LLM_*``, or else OpenAI's own names. One key is
    never sent to the other's address.

    Raises:
        VendorUnusable: there is no key, or one that can't be.
    """
    own = environment.get(CHAT.key, "").strip() or environment.get(CHAT.url, "").strip()
    if not own and not environment.get(_OPENAI.key, "").strip():
        raise VendorUnusable(
            f"neither {CHAT.key} nor {_OPENAI.key} is set: Gradium has no chat model, so set the key of one"
        )
    vendor = CHAT if own else _OPENAI
    base_url = vendor.base_url({}, environment) or _OPENAI_URL
    return ChatServer(vendor, base_url, vendor.api_key(environment))


def hearing_setup(settings: GradiumSettings) -> dict[str, Any]:
    """How speech-to-text is set up, as the SDK's STTSetup has it."""
    detail: dict[str, Any] = {"language": settings.language}
    if settings.delay_in_frames is not None:
        detail["delay_in_frames"] = settings.delay_in_frames
    return {
        "model_name": settings.hearing_model,
        "input_format": f"pcm_{LINE_RATE}",
        "json_config": detail,
    }


def speech_setup(settings: GradiumSettings) -> dict[str, Any]:
    """How text-to-speech is set up, as the SDK's TTSSetup has it."""
    return {
        "model_name": settings.speech_model,
        "voice_id": settings.voice,
        "output_format": f"pcm_{LINE_RATE}",
    }


def credits_used(usage: Mapping[str, float]) -> float:
    """What Gradium's parts of a call come to in its credits."""
    published = catalogue()
    heard = usage.get(HEARD_SECONDS, 0.0) * published.credits_a_second_heard
    return round(heard + usage.get(SPOKEN_CHARACTERS, 0.0) * published.credits_a_character_spoken, 3)
