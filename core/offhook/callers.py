"""What a simulated caller is to the runner: something that converses on its end of the line and reports
what it did.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import attrs

from offhook.packs import Pack, Task

if TYPE_CHECKING:  # records import this module, and reading a record needs neither audio nor engines
    from offhook.line import CallerEnd
    from offhook.packcheck import PackProblem
    from offhook.sessions import Engines, RngSource
    from offhook.speech import SentenceEmbedder

__all__ = [
    "AgentHeard",
    "Caller",
    "CallerBrief",
    "CallerEvent",
    "CallerReport",
    "CallerTurn",
    "PackChecker",
    "ReadyCaller",
    "ScriptChecker",
]


@attrs.frozen
class CallerBrief:
    """All a caller knows. ``now`` is the scenario clock, ``voice`` names the slot; ``run`` is 1-based;
    ``rng`` gives the generator of a named purpose.
    """

    task: Task
    now: datetime
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

    @property
    def virtual_time(self) -> bool:
        """Whether its calls may run in virtual time; a mind across a network can't live in it."""
        ...

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        """Holds the conversation until the caller or the agent hangs up."""
        ...


@runtime_checkable
class ReadyCaller(Protocol):
    """A caller that has much to do before a call, such as compiling the cues of its task. Done once the line
    is open, it would hold up the frames of every call in real time.
    """

    def prepare(self, brief: CallerBrief) -> None:
        """Gets ready for a call of this brief; called in a thread, before the platform is asked for the call.
        Raises what ``converse`` would.
        """
        ...


@runtime_checkable
class PackChecker(Protocol):
    """A caller that can say, before any call, which cue tests of a pack do not hold for it."""

    def check_pack(self, pack: Pack, embedder: SentenceEmbedder) -> tuple[str, ...]:
        """One line for each cue test that does not hold."""
        ...


@runtime_checkable
class ScriptChecker(Protocol):
    """A caller that can also say where in the pack it stands. ``offhook packs check`` then asks this, and not
    for the lines of a `PackChecker`.
    """

    def check_script(self, pack: Pack, embedder: SentenceEmbedder) -> tuple[PackProblem, ...]:
        """Cue tests that do not hold, and rules that match one sentence without an order between them."""
        ...
