"""What a running twin lets its user look at."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from offhook.sessions import AgentConfig

__all__ = ["ServedTwin", "TwinLog", "new_key"]


@attrs.define(eq=False)
class TwinLog:
    """Both directions of the wire, and the agent that came over it."""

    received: list[Mapping[str, Any]] = attrs.field(factory=list)
    sent: list[Mapping[str, Any]] = attrs.field(factory=list)
    arrived: AgentConfig | None = None


@attrs.frozen(eq=False)
class ServedTwin:
    """A twin that listens: ``offhook.twins.RunningTwin``."""

    key: str = attrs.field(repr=False)
    environment: Mapping[str, str] = attrs.field(repr=False)
    log: TwinLog = attrs.field(repr=False)
    failures: Sequence[Exception] = ()

    @property
    def received(self) -> Sequence[Mapping[str, Any]]:
        return self.log.received

    @property
    def sent(self) -> Sequence[Mapping[str, Any]]:
        return self.log.sent

    @property
    def arrived(self) -> AgentConfig | None:
        return self.log.arrived


def new_key() -> str:
    """A key that only this twin knows."""
    return secrets.token_urlsafe(24)
