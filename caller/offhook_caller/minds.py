"""What a caller's mind is: it is told what the agent said and decides what the caller says next.

A mind never hears or makes a sound, so one mind serves the audio line and the text line. It keeps no state
of its own: all it knows of the call is in :class:`CallState`, and a :class:`Decision` carries the state
that holds once its reply has been said. A caller that is about to speak and finds the agent talking again
drops the decision and asks anew.
"""

from __future__ import annotations

from typing import Final, Protocol, runtime_checkable

import attrs

__all__ = [
    "AGENT_ENDED",
    "GAVE_UP",
    "SATISFIED",
    "TOO_LONG",
    "CallState",
    "CallerMind",
    "Decision",
    "MindUnavailable",
    "Reply",
]

SATISFIED: Final = "satisfied"
AGENT_ENDED: Final = "agent_ended"
GAVE_UP: Final = "gave_up"
TOO_LONG: Final = "too_long"


class MindUnavailable(Exception):
    """A mind can't work here or stopped answering; the message says what to set or check."""


@attrs.frozen
class Reply:
    """Something to say. ``written`` is the line as authored, ``spoken`` exactly the text for the voice;
    ``source`` is as in :class:`offhook.callers.CallerTurn`. ``careful`` lines are said slowly. ``states``
    names the traits whose values it holds.
    """

    written: str
    spoken: str
    source: str
    careful: bool = False
    states: tuple[str, ...] = ()


@attrs.frozen
class CallState:
    """What has happened on a call, as far as the caller knows.

    ``events`` are names in order, with repetition: ``opened``, ``said:<rule id>``, ``heard:<topic>``.
    ``said`` holds the caller's turns so far and ``dialogue`` both sides' turns as ``(speaker, text)``, the
    speaker ``agent`` or ``caller``. ``misses`` counts the agent's turns in a row that the caller could do
    nothing with, ``repairs`` all built-in repairs of the call.
    """

    events: tuple[str, ...] = ()
    said: tuple[Reply, ...] = ()
    dialogue: tuple[tuple[str, str], ...] = ()
    misses: int = 0
    repairs: int = 0

    def has(self, event: str) -> bool:
        return event in self.events

    def count(self, event: str) -> int:
        return self.events.count(event)

    def with_events(self, *names: str) -> CallState:
        return attrs.evolve(self, events=(*self.events, *names))

    def after_agent(self, text: str) -> CallState:
        """With one more turn of the agent."""
        return attrs.evolve(self, dialogue=(*self.dialogue, ("agent", text)))

    def after_reply(self, reply: Reply, *events: str) -> CallState:
        """With one more turn of the caller and the events it makes happen."""
        return attrs.evolve(
            self,
            events=(*self.events, *events),
            said=(*self.said, reply),
            dialogue=(*self.dialogue, ("caller", reply.written)),
        )


@attrs.frozen
class Decision:
    """What the caller does about a turn of the agent. Without a ``reply`` it stays silent; with ``hang_up``
    (a reason of ``CallerReport.hung_up_because``) it then hangs up. ``state`` holds from then on. ``owed``
    names the scripted rule the turn called for, whether or not the reply is its line; ``why`` says in words
    what decided.
    """

    reply: Reply | None
    state: CallState
    hang_up: str = ""
    owed: str = ""
    why: str = ""


@runtime_checkable
class CallerMind(Protocol):
    """Decides. All three are called in turn, never two at once for one call."""

    async def open(self, state: CallState) -> Decision:
        """The greeting has ended (or none came): the opening line."""
        ...

    async def answer(self, heard: str, state: CallState) -> Decision:
        """The agent has finished a turn; ``heard`` is the whole turn as the caller's ears heard it."""
        ...

    async def aclose(self) -> None:
        """The call is over."""
        ...
