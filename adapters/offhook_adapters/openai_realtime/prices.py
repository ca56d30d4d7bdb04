"""Models, voices and prices of OpenAI Realtime, and what a call's metered usage costs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Final

import attrs

from offhook.sessions import Cost
from offhook_adapters.wires.estimates import speech_usage

__all__ = [
    "TRANSCRIBED_SECONDS",
    "TRANSCRIBER_TOKENS",
    "Catalogue",
    "TokenPrices",
    "catalogue",
    "cost_of",
    "usual_usage",
]

TRANSCRIBED_SECONDS: Final = "transcribed_seconds"
TRANSCRIBER_TOKENS: Final = "transcriber_tokens"
_MILLION: Final = 1_000_000
# The vendor's rates of sound, in tokens for a second of the caller's and of the agent's.
_HEARD_TOKENS: Final = 10.0
_SPOKEN_TOKENS: Final = 20.0


@attrs.frozen
class TokenPrices:
    """US dollars for a million tokens."""

    text_in: float
    text_cached: float
    text_out: float
    audio_in: float
    audio_cached: float
    audio_out: float


@attrs.frozen
class Catalogue:
    """What the vendor publishes, as read on ``read_on`` at ``source``. ``transcribers`` holds US dollars for
    a minute of audio.
    """

    read_on: str
    source: str
    default_model: str
    default_voice: str
    default_transcriber: str
    voices: tuple[str, ...]
    models: Mapping[str, TokenPrices]
    transcribers: Mapping[str, float]


def catalogue() -> Catalogue:
    """The catalogue that ships with the adapter."""
    text = resources.files(__package__).joinpath("models.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    models = {name: TokenPrices(**prices) for name, prices in data.pop("models").items()}
    return Catalogue(voices=tuple(data.pop("voices")), models=models, **data)


def cost_of(usage: Mapping[str, float], prices: TokenPrices | None, per_minute: float | None) -> Cost:
    """What the metered quantities of a call cost. Cached tokens are part of the input ones and cheaper.

    A sum that leaves a part out is not a cost: without a price for everything that was metered it is unknown.
    """
    transcribed = usage.get(TRANSCRIBED_SECONDS, 0.0)
    unpriced = (transcribed and per_minute is None) or usage.get(TRANSCRIBER_TOKENS, 0.0)
    if prices is None or unpriced:
        return Cost()

    def part(kind: str, fresh: float, cached: float, out: float) -> float:
        saved = usage.get(f"cached_{kind}_tokens", 0.0)
        paid = usage.get(f"input_{kind}_tokens", 0.0) - saved
        return paid * fresh + saved * cached + usage.get(f"output_{kind}_tokens", 0.0) * out

    tokens = part("text", prices.text_in, prices.text_cached, prices.text_out)
    tokens += part("audio", prices.audio_in, prices.audio_cached, prices.audio_out)
    return Cost(round(tokens / _MILLION + transcribed / 60 * (per_minute or 0.0), 6), "usage")


def usual_usage(seconds: float) -> dict[str, float]:
    """About what a call of that length is metered at."""
    used = speech_usage(seconds, heard_a_second=_HEARD_TOKENS, spoken_a_second=_SPOKEN_TOKENS)
    return {**used, TRANSCRIBED_SECONDS: seconds}
