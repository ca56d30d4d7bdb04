"""What differs between the platforms that speak OpenAI Realtime's protocol."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, Protocol

from offhook.sessions import AgentConfig, Cost
from offhook_adapters.wires.vendor import Vendor

__all__ = ["SENT_SECONDS", "Cause", "Dialect", "declared_tools"]

SENT_SECONDS: Final = "sent_audio_seconds"
"""The name of the caller's sound that was sent, among metered quantities."""


class Cause(StrEnum):
    """Why a platform lets nobody in."""

    KEY = "key"
    CREDIT = "credit"


class Dialect(Protocol):
    """One platform of the family, with the settings of a call to it."""

    @property
    def model(self) -> str: ...

    @property
    def voice(self) -> str: ...

    @property
    def base_url(self) -> str | None:
        """None is the SDK's own."""
        ...

    @property
    def vendor(self) -> Vendor: ...

    @property
    def opening(self) -> frozenset[str]:
        """The events that say that a connection is open; the first of them counts."""
        ...

    @property
    def idle(self) -> frozenset[str]:
        """Events of this platform alone that tell nothing a call needs."""
        ...

    @property
    def acknowledges(self) -> bool:
        """Whether the platform says when it has taken a tool's result in."""
        ...

    @property
    def meters_responses(self) -> bool:
        """Whether each response says what it used. Where none does, the caller's sound is metered."""
        ...

    @property
    def greeting_usage(self) -> Mapping[str, float]:
        """What asking for a greeting is metered at."""
        ...

    @property
    def last_word(self) -> Mapping[str, Any] | None:
        """The ``response`` that asks for words of farewell and no more tools."""
        ...

    def configuration(self, agent: AgentConfig) -> dict[str, Any]:
        """The body of ``session.update``."""
        ...

    def used(self, session: Any) -> tuple[str, list[dict[str, Any]]] | None:
        """Prompt and tools of a ``session.updated``; None where the platform does not repeat them."""
        ...

    def greeting(self, text: str) -> dict[str, Any]:
        """The event that has the greeting said."""
        ...

    def is_busy(self, error: Any) -> bool:
        """Whether a response was refused because another is under way."""
        ...

    def cause(self, told: str) -> Cause | None:
        """What a refusal is about by its words alone, where status and code don't say so."""
        ...

    def cost(self, usage: Mapping[str, float]) -> Cost:
        """What the metered quantities of a call cost."""
        ...


def declared_tools(agent: AgentConfig) -> list[dict[str, Any]]:
    """The agent's tools as the family declares them."""
    return [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.parameters),
        }
        for tool in agent.tools
    ]
