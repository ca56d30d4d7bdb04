"""What a call on Hugging Face is configured with."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType
from typing import Final

import attrs

from offhook_adapters.wires.vendor import Vendor, VendorUnusable, chosen, known_options

__all__ = [
    "HUGGINGFACE",
    "OPTIONS",
    "SPEECH_PROVIDERS",
    "Catalogue",
    "HuggingFaceSettings",
    "catalogue",
    "settings_from",
]

HUGGINGFACE: Final = Vendor(
    title="Hugging Face",
    key="HF_TOKEN",
    url="HF_BASE_URL",
    example_url="https://router.huggingface.co",
    extra="huggingface",
    modules=("huggingface_hub", "openai"),
    sdk="huggingface_hub or OpenAI's SDK",
)
# deepinfra speaks OpenAI's own speech API on the router; hf-inference, and any Inference Endpoint, the hub's.
SPEECH_PROVIDERS: Final = ("deepinfra", "hf-inference")
OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "base_url": "Another server than Hugging Face's router, such as http://127.0.0.1:8123 (without /v1).",
        "hearing_model": "The speech-to-text model, on hf-inference, or the URL of an Inference Endpoint.",
        "model": "The chat model, with :provider behind it if it should be a certain one.",
        "speech_model": "The text-to-speech model, or the URL of an Inference Endpoint.",
        "speech_provider": f"Who speaks: {' or '.join(SPEECH_PROVIDERS)}.",
        "voice": "The agent's voice; models on hf-inference have one only.",
    }
)
_ROUTER: Final = "https://router.huggingface.co"


@attrs.frozen
class Catalogue:
    """What is used unless told otherwise, as read on ``read_on`` at ``source``."""

    read_on: str
    source: str
    default_chat: str
    default_hearing: str
    default_speech: str
    default_speech_provider: str
    default_voice: str


def catalogue() -> Catalogue:
    """The catalogue that ships with the adapter."""
    text = resources.files(__package__).joinpath("models.toml").read_text(encoding="utf-8")
    return Catalogue(**tomllib.loads(text))


@attrs.frozen
class HuggingFaceSettings:
    """``base_url`` is the router's, without a slash at its end."""

    model: str
    hearing_model: str
    speech_model: str
    speech_provider: str
    voice: str
    base_url: str = _ROUTER

    @property
    def chat_url(self) -> str:
        return f"{self.base_url}/v1"

    @property
    def hearing_url(self) -> str:
        """Where a whole utterance is sent. The URL is given in full: with a bare name the hub's client asks
        the hub about the model first, and holds up the loop meanwhile.
        """
        return _model_url(self.base_url, self.hearing_model)

    @property
    def speech_url(self) -> str:
        """The provider's OpenAI API, or the model's own URL."""
        if self.speech_provider == "deepinfra" and not self.speech_model.startswith("http"):
            return f"{self.base_url}/deepinfra/v1/openai"
        return _model_url(self.base_url, self.speech_model)


def _model_url(base_url: str, model: str) -> str:
    return model if model.startswith("http") else f"{base_url}/hf-inference/models/{model}"


def settings_from(
    options: Mapping[str, str], environment: Mapping[str, str] = os.environ
) -> HuggingFaceSettings:
    """The settings that a run's platform options make.

    Raises:
        VendorUnusable: an option there is not, or a value it can't have.
    """
    known_options(options, OPTIONS)
    published = catalogue()
    base_url = (HUGGINGFACE.base_url(options, environment) or _ROUTER).rstrip("/")
    if base_url.endswith("/v1"):
        raise VendorUnusable(f"leave /v1 out of {base_url}: it is added for the chat model")
    return HuggingFaceSettings(
        model=options.get("model") or published.default_chat,
        hearing_model=options.get("hearing_model") or published.default_hearing,
        speech_model=options.get("speech_model") or published.default_speech,
        speech_provider=chosen(
            options, "speech_provider", SPEECH_PROVIDERS, published.default_speech_provider
        ),
        voice=options.get("voice") or published.default_voice,
        base_url=base_url,
    )
