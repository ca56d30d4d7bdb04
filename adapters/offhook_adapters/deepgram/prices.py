"""Models, voices and prices of Deepgram's Voice Agent."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources

import attrs

from offhook.sessions import Cost

__all__ = ["Catalogue", "catalogue"]


@attrs.frozen
class Catalogue:
    """What the vendor publishes, as read on ``read_on`` at ``source``. ``thinkers`` maps ``provider/model``
    to its tier, ``per_minute`` a tier to US dollars for a minute of connection.
    """

    read_on: str
    source: str
    default_think: str
    default_listen: str
    default_voice: str
    most_prompt_characters: int
    listeners: tuple[str, ...]
    voices: tuple[str, ...]
    per_minute: Mapping[str, float]
    thinkers: Mapping[str, str]

    def cost(self, think: str, seconds: float) -> Cost:
        """What a connection of that length costs; unknown for a language model whose price is not known."""
        price = self.per_minute.get(self.thinkers.get(think, ""))
        return Cost() if price is None else Cost(round(seconds / 60 * price, 6), "duration")


def catalogue() -> Catalogue:
    """The catalogue that ships with the adapter."""
    text = resources.files(__package__).joinpath("models.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return Catalogue(listeners=tuple(data.pop("listeners")), voices=tuple(data.pop("voices")), **data)
