"""Models, voices and prices of xAI's voice API, and what a call costs by the sound that was sent."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Final

import attrs

from offhook.sessions import Cost
from offhook_adapters.openai_realtime.dialect import SENT_SECONDS

__all__ = ["TEXT_ITEMS", "AudioPrice", "Catalogue", "catalogue", "cost_of"]

TEXT_ITEMS: Final = "text_items"
"""The name of text items that the client sent, among metered quantities; tool results are none."""


@attrs.frozen
class AudioPrice:
    """US dollars for a minute of audio and for a text item."""

    minute: float
    message: float


@attrs.frozen
class Catalogue:
    """What the vendor publishes, as read on ``read_on`` at ``source``."""

    read_on: str
    source: str
    default_model: str
    default_voice: str
    default_transcriber: str
    voices: tuple[str, ...]
    models: Mapping[str, AudioPrice]


def catalogue() -> Catalogue:
    """The catalogue that ships with the adapter."""
    text = resources.files(__package__).joinpath("models.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    models = {name: AudioPrice(**prices) for name, prices in data.pop("models").items()}
    return Catalogue(voices=tuple(data.pop("voices")), models=models, **data)


def cost_of(usage: Mapping[str, float], price: AudioPrice | None) -> Cost:
    """What the sound and text that were sent cost; unknown for a model without a price.

    The vendor bills the duration of audio, not the time connected (docs.x.ai/developers/models/
    voice-agent-api.md). Silence is sent as well, so that is the length of the call.
    """
    if price is None:
        return Cost()
    usd = usage.get(SENT_SECONDS, 0.0) / 60 * price.minute + usage.get(TEXT_ITEMS, 0.0) * price.message
    return Cost(round(usd, 6), "duration")
