"""Models, voices and prices of Gemini Live, and what a call's metered usage costs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any, Final

import attrs

from offhook.sessions import Cost

__all__ = ["UNATTRIBUTED_TOKENS", "Catalogue", "LiveModel", "TokenPrices", "catalogue", "cost_of"]

UNATTRIBUTED_TOKENS: Final = "unattributed_tokens"
"""Tokens the vendor counted without saying whether they were text or audio."""
_MILLION: Final = 1_000_000


@attrs.frozen
class TokenPrices:
    """US dollars for a million tokens. Thinking is priced as text that goes out."""

    text_in: float
    text_out: float
    audio_in: float
    audio_out: float


@attrs.frozen
class LiveModel:
    """``background_tools`` says that a tool call does not hold up the talk unless it is declared so;
    ``thinking_level`` that one may be set. ``input_tokens`` is how much it takes in, ``shut_down`` the day
    that the vendor announced for its end.
    """

    background_tools: bool
    thinking_level: bool
    input_tokens: int
    prices: TokenPrices | None = None
    shut_down: str = ""
    replaced_by: str = ""


@attrs.frozen
class Catalogue:
    """What the vendor publishes, as read on ``read_on`` at ``source``."""

    read_on: str
    source: str
    default_model: str
    default_voice: str
    voices: tuple[str, ...]
    models: Mapping[str, LiveModel]


def catalogue() -> Catalogue:
    """The catalogue that ships with the adapter."""
    text = resources.files(__package__).joinpath("models.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    models = {name: _model(told) for name, told in data.pop("models").items()}
    return Catalogue(voices=tuple(data.pop("voices")), models=models, **data)


def _model(told: dict[str, Any]) -> LiveModel:
    prices = told.pop("prices", None)
    return LiveModel(prices=None if prices is None else TokenPrices(**prices), **told)


def cost_of(usage: Mapping[str, float], prices: TokenPrices | None) -> Cost:
    """What the metered quantities of a call cost. Without a price for everything that was metered the sum is
    unknown: one that leaves a part out is not a cost.
    """
    if prices is None or not usage or usage.get(UNATTRIBUTED_TOKENS, 0.0):
        return Cost()
    rates = {
        "input_text_tokens": prices.text_in,
        "input_audio_tokens": prices.audio_in,
        "output_text_tokens": prices.text_out,
        "output_audio_tokens": prices.audio_out,
        "thinking_tokens": prices.text_out,
    }
    total = sum(usage.get(name, 0.0) * rate for name, rate in rates.items())
    return Cost(round(total / _MILLION, 6), "usage")
