"""What Vapi publishes about its models and limits."""

from __future__ import annotations

import tomllib
from importlib import resources

import attrs

__all__ = ["Catalogue", "catalogue"]


@attrs.frozen
class Catalogue:
    """As read on ``read_on`` at ``source``. Models are ``provider/model``, the voice ``provider/voice``;
    ``fee_per_minute`` is Vapi's own part in US dollars, ``longest_seconds`` the vendor's default.
    """

    read_on: str
    source: str
    default_model: str
    default_voice: str
    default_transcriber: str
    fee_per_minute: float
    concurrent_calls: int
    longest_seconds: float


def catalogue() -> Catalogue:
    """The catalogue that ships with the adapter."""
    text = resources.files(__package__).joinpath("models.toml").read_text(encoding="utf-8")
    return Catalogue(**tomllib.loads(text))
