"""What a simulated caller is to the runner: something that converses on its end of the line and reports
what it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import attrs

from offhook.packs import Task

if TYPE_CHECKING:  # records import this module, and reading a record needs neither audio nor engines
    from offhook.line import CallerEnd
    from offhook.sessions import Engines, RngSource

__all__ = ["AgentHeard", "Caller", "CallerBrief", "CallerEvent", "CallerReport", "CallerTurn"]


@attrs.frozen
class CallerBrief:
    """All a caller knows. ``voice`` names the slot; ``run`` is 1-based; ``rng`` gives the generator of a
    named purpose.
    """

    task: Task
    voice: str
    run: int
    engines: Engines
    rng: RngSource


@attrs.frozen
class CallerTurn:
    """Something the caller said. ``written`` is the line as authored, ``spoken`` exactly the text given to
    the voice (the reference of WER), ``start``/``end`` the sent span in line seconds. ``source`` is
    ``opening``, ``rule:<id>``, ``repair:<kind>``, ``closing`` or ``silence``.
    """

    written: str
    spoken: str
    start: float
    end: float
    source: str


@attrs.frozen
class AgentHeard:
    """An agent utterance as the caller's ears heard it, in line seconds."""

    text: str
    start: float
    end: float


@attrs.frozen
class CallerEvent:
    """``said:<rule>``, ``heard:<topic>``, ``opened``..., with its time in line seconds."""

    name: str
    at: float


@attrs.frozen
class CallerReport:
    """``hung_up_because`` is ``satisfied``, ``agent_ended``, ``gave_up`` or ``too_long``. ``off_script``
    lists what went wrong on our side: a value outside the traits, a scripted line that was owed and not
    said.
    """

    turns: tuple[CallerTurn, ...]
    heard: tuple[AgentHeard, ...]
    events: tuple[CallerEvent, ...]
    hung_up_because: str
    off_script: tuple[str, ...] = ()


@runtime_checkable
class Caller(Protocol):
    @property
    def name(self) -> str: ...

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        """Holds the conversation until the caller or the agent hangs up."""
        ...
