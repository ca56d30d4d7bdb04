"""Models, voices and prices of GPT-Live, and what a call costs by its length and its backend's tokens."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any, Final

import attrs

from offhook.sessions import Cost

__all__ = [
    "SESSION_SECONDS",
    "BackendPrices",
    "Catalogue",
    "Duration",
    "backend_usage",
    "catalogue",
    "cost_of",
]

SESSION_SECONDS: Final = "session_seconds"
_MILLION: Final = 1_000_000
# How far the vendor's seconds may lie from those of the sound, and the least that is worth a word. A client's
# wire log of 2026-10-07 shows a session of 90 s that closed at 7.
_SHARE: Final = 0.1
_LEAST_SECONDS: Final = 5.0


@attrs.frozen
class BackendPrices:
    """US dollars for a million tokens."""

    fresh: float
    cached: float
    written: float
    out: float


@attrs.frozen
class Catalogue:
    """What the vendor publishes, as read on ``read_on`` at ``source``. ``models`` holds US dollars for a
    minute of session.
    """

    read_on: str
    source: str
    default_model: str
    default_voice: str
    default_backend: str
    voices: tuple[str, ...]
    models: Mapping[str, float]
    backends: Mapping[str, BackendPrices]


def catalogue() -> Catalogue:
    """The catalogue that ships with the adapter."""
    text = resources.files(__package__).joinpath("models.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    backends = {name: BackendPrices(**prices) for name, prices in data.pop("backends").items()}
    return Catalogue(voices=tuple(data.pop("voices")), backends=backends, **data)


def backend_usage(usage: Any) -> dict[str, float]:
    """The token counts of a backend's response, an object of the Responses API; empty where it has none."""
    if not isinstance(usage, Mapping):
        return {}
    details = usage.get("input_tokens_details") or {}
    counts = {
        "backend_input_tokens": usage.get("input_tokens"),
        "backend_cached_tokens": details.get("cached_tokens"),
        "backend_written_tokens": details.get("cache_write_tokens"),
        "backend_output_tokens": usage.get("output_tokens"),
    }
    return {name: float(count) for name, count in counts.items() if count}


@attrs.frozen
class Duration:
    """How long a session was: by the vendor's word (None: it said nothing), and by the sound that crossed the
    wire, in seconds.
    """

    reported: float | None
    measured: float

    @property
    def differs(self) -> bool:
        """Whether the vendor's word is more than a tenth off."""
        if self.reported is None:
            return False
        gap = abs(self.reported - self.measured)
        return gap > _LEAST_SECONDS and gap > _SHARE * self.measured

    @property
    def seconds(self) -> float:
        """What is reckoned with."""
        return self.measured if self.reported is None or self.differs else self.reported


def cost_of(
    usage: Mapping[str, float], duration: Duration, minute: float | None, backend: BackendPrices | None
) -> Cost:
    """What the session and its backend cost; unknown where either has no price.

    The basis is ``usage`` where the vendor's seconds are trusted, and ``duration`` where ours stand in.
    """
    tokens = 0.0
    if spent := {name: amount for name, amount in usage.items() if name.startswith("backend_")}:
        if backend is None:
            return Cost()
        cached, written = spent.get("backend_cached_tokens", 0.0), spent.get("backend_written_tokens", 0.0)
        tokens = (spent.get("backend_input_tokens", 0.0) - cached - written) * backend.fresh
        tokens += cached * backend.cached + written * backend.written
        tokens += spent.get("backend_output_tokens", 0.0) * backend.out
    if minute is None:
        return Cost()
    trusted = duration.reported is not None and not duration.differs
    usd = duration.seconds / 60 * minute + tokens / _MILLION
    return Cost(round(usd, 6), "usage" if trusted else "duration")
