"""What differs between the twins of platforms that speak OpenAI Realtime's protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from offhook.sessions import AgentConfig
from offhook_adapters.reference.turns import TurnSettings

if TYPE_CHECKING:
    from offhook_adapters.openai_realtime.twin_checks import WireTypes

__all__ = ["Tell", "Told", "TwinDialect"]

Told = tuple[str, Mapping[str, Any]]
"""A server event: its type and its other fields."""


class Tell(Protocol):
    """Sends one server event."""

    def __call__(self, kind: str, **fields: Any) -> None: ...


class TwinDialect(Protocol):
    """One platform of the family, from the server's side."""

    @property
    def key_name(self) -> str:
        """The environment variable of the key."""
        ...

    @property
    def url_name(self) -> str:
        """The environment variable of the address."""
        ...

    @property
    def models(self) -> frozenset[str]:
        """The models that it serves."""
        ...

    @property
    def longest(self) -> str:
        """How the platform says that a session is over at its longest."""
        ...

    def types(self) -> WireTypes:
        """What both directions are held against."""
        ...

    def first_session(self, model: str) -> dict[str, Any]:
        """The session a connection begins with: the platform's defaults."""
        ...

    def opening(self, session: Mapping[str, Any]) -> Sequence[Told]:
        """What is told to a client that has just connected."""
        ...

    def updated_session(
        self, session: Mapping[str, Any], update: Mapping[str, Any], *, has_spoken: bool
    ) -> dict[str, Any]:
        """The session after an update, of which only the fields that are present count.

        Raises:
            WireError: the platform would refuse it, or the twin can't carry it out.
        """
        ...

    def detection(self, session: Mapping[str, Any]) -> Mapping[str, Any]:
        """The server's turn detection."""
        ...

    def turn_settings(self, session: Mapping[str, Any]) -> TurnSettings:
        """The reference platform's endpointing with the session's figures."""
        ...

    def agent_of(self, session: Mapping[str, Any], greeting: str) -> AgentConfig:
        """The agent that came over the wire."""
        ...

    def spoken_as_is(self, item: Mapping[str, Any]) -> str | None:
        """The words of an item that are said as they are; None in any other item."""
        ...

    def transcribed(self, session: Mapping[str, Any], text: str, seconds: float) -> Sequence[Told]:
        """How the caller's words are told, without the item's place; empty where nobody writes them down."""
        ...

    def adapted(self, kind: str, fields: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """A server event of OpenAI's in this platform's shape; None where it sends no such event."""
        ...

    def refusal(self, status: int, code: str, message: str) -> tuple[int, Mapping[str, Any]]:
        """How a client is turned away, given what OpenAI would answer: HTTP status and body."""
        ...
