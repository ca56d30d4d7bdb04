"""Language models and voices of ElevenLabs Agents."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources

import attrs

__all__ = ["Catalogue", "catalogue"]


@attrs.frozen
class Catalogue:
    """What the vendor publishes, as read on ``read_on`` at ``source``. ``voices`` holds ids by name; accounts
    may have others.
    """

    read_on: str
    source: str
    default_llm: str
    default_voice: str
    tts_model: str
    llms: tuple[str, ...]
    voices: Mapping[str, str]


def catalogue() -> Catalogue:
    """The catalogue that ships with the adapter."""
    text = resources.files(__package__).joinpath("models.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return Catalogue(llms=tuple(data.pop("llms")), **data)
