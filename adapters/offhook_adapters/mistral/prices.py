"""Models, voices and prices of Mistral, and what a call's metered usage costs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Final

import attrs

from offhook.sessions import Cost
from offhook_adapters.cascade.meter import HEARD_SECONDS, SPOKEN_CHARACTERS

__all__ = ["Catalogue", "TokenPrices", "catalogue", "cost_of"]

_MILLION: Final = 1_000_000


@attrs.frozen
class TokenPrices:
    """US dollars for a million tokens."""

    tokens_in: float
    tokens_out: float


@attrs.frozen
class Catalogue:
    """What the vendor publishes, as read on ``read_on`` at ``source``. ``hearing`` holds US dollars for a
    minute of sound, ``speech`` for a million characters.
    """

    read_on: str
    source: str
    default_chat: str
    default_hearing: str
    default_speech: str
    default_voice: str
    chat: Mapping[str, TokenPrices]
    hearing: Mapping[str, float]
    speech: Mapping[str, float]


def catalogue() -> Catalogue:
    """The catalogue that ships with the adapter."""
    text = resources.files(__package__).joinpath("models.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    chat = {name: TokenPrices(**prices) for name, prices in data.pop("chat").items()}
    return Catalogue(chat=chat, **data)


def cost_of(
    usage: Mapping[str, float], chat: TokenPrices | None, a_minute: float | None, a_million: float | None
) -> Cost:
    """What the metered quantities of a call cost.

    A sum that leaves a part out is not a cost: without a price for each of the three parts it is unknown.
    """
    if chat is None or a_minute is None or a_million is None:
        return Cost()
    tokens = usage.get("llm_input_tokens", 0.0) * chat.tokens_in
    tokens += usage.get("llm_output_tokens", 0.0) * chat.tokens_out
    letters = usage.get(SPOKEN_CHARACTERS, 0.0) * a_million
    heard = usage.get(HEARD_SECONDS, 0.0) / 60 * a_minute
    return Cost(round((tokens + letters) / _MILLION + heard, 6), "usage")
