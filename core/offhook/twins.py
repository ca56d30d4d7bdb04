"""Twins: local servers that speak a vendor's wire, so that an adapter is run end to end without the vendor.

A platform that implements ``Twinned`` can be held to the contract by ``offhook conformance`` and takes part
in offline runs. What answers behind the wire is a ``Script``: a coroutine at a desk, or offhook's own
reference platform where none is given.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from types import MappingProxyType
from typing import Any, Final, Protocol, runtime_checkable

import attrs

from offhook.sessions import AgentConfig, CallSetup, ToolResult

__all__ = ["FAULTS", "Behind", "Heard", "RunningTwin", "Script", "ScriptDesk", "TwinFaults", "Twinned"]


class Heard(Protocol):
    """A caller turn as the platform heard it; the text is empty where there was sound but no words."""

    @property
    def text(self) -> str: ...


class ScriptDesk(Protocol):
    """One call from the agent's side."""

    async def say(self, text: str) -> None:
        """Says something. Returns once the words are on their way."""
        ...

    async def listen(self) -> Heard | None:
        """The caller's next turn; None when nothing came for long enough."""
        ...

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        """Calls one tool and waits for its answer. Calls made at the same time are one batch."""
        ...


Script = Callable[[ScriptDesk], Awaitable[None]]
"""What the agent behind the wire does. Returning ends nothing: an agent leaves with a closing tool."""


@attrs.frozen
class TwinFaults:
    """What goes wrong on demand. A wire that has no such thing leaves it out of its ``can``.

    ``refuse`` answers the connection with that HTTP status; ``rate_limit`` and ``no_quota`` answer it, or the
    configuration, as the vendor does when a limit or the credit is used up. ``cut_after`` breaks the
    connection off, ``stall_after`` goes silent with the connection open, and ``expire_after`` ends the
    session as the vendor does at its longest, each after so many pieces of the agent's sound (200 ms each).
    ``burst`` holds what is sent back for so many seconds and sends it at once. ``unknown_event`` sends an
    event nobody documented. ``cancel_tool`` takes the first tool call back right after it was made.
    """

    refuse: int | None = None
    rate_limit: bool = False
    no_quota: bool = False
    cut_after: int | None = None
    stall_after: int | None = None
    expire_after: int | None = None
    burst: float = 0.0
    unknown_event: bool = False
    cancel_tool: bool = False


FAULTS: Final[Mapping[str, TwinFaults]] = MappingProxyType(
    {
        "none": TwinFaults(),
        "refuse": TwinFaults(refuse=503),
        "rate-limit": TwinFaults(rate_limit=True),
        "quota": TwinFaults(no_quota=True),
        "cut": TwinFaults(cut_after=20),
        "stall": TwinFaults(stall_after=20),
        "expire": TwinFaults(expire_after=20),
        "burst": TwinFaults(burst=0.6),
        "unknown": TwinFaults(unknown_event=True),
        "cancel": TwinFaults(cancel_tool=True),
    }
)


@attrs.frozen(eq=False)
class Behind:
    """Who answers behind the wire. ``call`` brings what never crosses it: engines, random streams, and the
    plan of the policy follower. ``voice`` names one of the engines' voices; empty takes the usual one.
    """

    call: CallSetup
    script: Script | None = None
    faults: TwinFaults = attrs.field(factory=TwinFaults)
    voice: str = ""


class RunningTwin(Protocol):
    """A twin that listens."""

    @property
    def environment(self) -> Mapping[str, str]:
        """What the adapter has to find in its environment to reach this twin and be let in."""
        ...

    @property
    def key(self) -> str:
        """The only key that is let in; empty where the platform takes none."""
        ...

    @property
    def received(self) -> Sequence[Mapping[str, Any]]:
        """Every message of a client, in order, audio left out where it is raw bytes."""
        ...

    @property
    def sent(self) -> Sequence[Mapping[str, Any]]:
        """Every message that went out, in order."""
        ...

    @property
    def arrived(self) -> AgentConfig | None:
        """Prompt, greeting and tools as they came over the wire; None before they did. The greeting is empty
        where the platform was asked for none.
        """
        ...

    @property
    def failures(self) -> Sequence[Exception]:
        """What broke behind the wire and could not be told to the client."""
        ...


@runtime_checkable
class Twinned(Protocol):
    """An adapter that brings a twin of its platform."""

    @property
    def can(self) -> frozenset[str]:
        """The names in ``FAULTS`` that its twin can show; all but those whose wire has no such thing."""
        ...

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """A twin on a free port of 127.0.0.1."""
        ...

    def with_environment(self, environment: Mapping[str, str]) -> Twinned:
        """The same adapter reading ``environment`` in place of the process's."""
        ...
