"""What a caller notes down during one call, and the settings both kinds of conversation share."""

from __future__ import annotations

from typing import Final

import attrs

from offhook.callers import AgentHeard, CallerEvent, CallerReport, CallerTurn
from offhook.packs import Task
from offhook_caller.minds import CallState, Decision, Reply
from offhook_caller.offscript import Owed, strayed

__all__ = ["CallerSettings", "Journal"]

# Nobody listens to minutes of talk word by word; a platform on a text line may send any amount of it.
_MOST_READ: Final = 4000


@attrs.frozen
class CallerSettings:
    """How a caller behaves beyond its task. Seconds of line time.

    ``pause`` bounds the silence after the agent's last word before the caller speaks (drawn per turn);
    where the agent's words were no question, ``patience`` is added, because more is likely to come. After
    ``hello_after`` seconds in which nobody spoke the caller says ``hello`` once per silence (never where it
    is empty), and after ``abandon_after`` it hangs up. No call lasts longer than ``longest``. After its
    last line the caller stays on for ``linger`` seconds, or until the agent has finished a reply. ``tempo``
    and ``pitch`` bound the variation of a run (a fraction, semitones), ``careful_tempo`` slows what is said
    again.
    """

    pause: tuple[float, float] = (0.4, 0.6)
    patience: float = 0.6
    hello_after: float = 8.0
    hello: str = "Hello?"
    abandon_after: float = 30.0
    longest: float = 300.0
    linger: float = 2.5
    linger_longest: float = 8.0
    tempo: float = 0.04
    pitch: float = 0.4
    careful_tempo: float = 0.86


@attrs.define
class Journal:
    """One call's notes. ``unanswered`` is what the agent has said since the caller last spoke."""

    task: Task
    state: CallState = attrs.field(factory=CallState)
    turns: list[CallerTurn] = attrs.field(factory=list)
    heard: list[AgentHeard] = attrs.field(factory=list)
    events: list[CallerEvent] = attrs.field(factory=list)
    owed: list[Owed] = attrs.field(factory=list)
    unanswered: list[AgentHeard] = attrs.field(factory=list)
    fresh: bool = False
    greeted: bool = False
    hello_said: bool = False

    @property
    def opened(self) -> bool:
        return self.state.has("opened")

    @property
    def agent_turn(self) -> str:
        """The agent's turn so far, all its utterances together; the end of it where it is endless."""
        return " ".join(entry.text for entry in self.unanswered if entry.text)[-_MOST_READ:]

    def hear(self, heard: AgentHeard) -> None:
        """The agent said something more."""
        self.heard.append(heard)
        self.unanswered.append(heard)
        self.fresh = True
        self.hello_said = False

    def stay_silent(self, decision: Decision) -> None:
        """The turn so far needs no answer. It stays unanswered: what follows is heard together with it."""
        self._note(decision.state, self.unanswered[-1].end)
        if decision.owed:
            self.owed.append(Owed(decision.owed, self.unanswered[-1].end, said=False))
        self.state = attrs.evolve(self.state, events=decision.state.events)
        self.fresh = False

    def say(self, decision: Decision, reply: Reply, start: float, end: float) -> None:
        """The decision's reply has been said in full."""
        heard_end = self.unanswered[-1].end if self.unanswered else start
        self._note(decision.state, heard_end, end)
        self.state = decision.state
        self.turns.append(CallerTurn(reply.written, reply.spoken, start, end, reply.source))
        if decision.owed:
            self.owed.append(Owed(decision.owed, heard_end, reply.source == f"rule:{decision.owed}"))
        self.unanswered.clear()
        self.fresh = False

    def cut_off(self, decision: Decision, reply: Reply, at: float) -> None:
        """The agent hung up before the reply had been said."""
        self.events.append(CallerEvent(f"cut_off:{reply.source}", at))
        if decision.owed:
            self.owed.append(Owed(decision.owed, at, said=False, ended_by_caller=False))

    def hello(self, reply: Reply, start: float, end: float) -> None:
        """The caller broke a silence; the agent's turn, if any, stays open."""
        self.turns.append(CallerTurn(reply.written, reply.spoken, start, end, reply.source))
        self.hello_said = True

    def overdue(self, decision: Decision | None, at: float) -> None:
        """The caller ends the call with this decision pending."""
        if decision is not None and decision.owed:
            self.owed.append(Owed(decision.owed, at, said=False))

    def report(self, because: str) -> CallerReport:
        """The finished report; events are in the order of their times."""
        return CallerReport(
            turns=tuple(self.turns),
            heard=tuple(self.heard),
            events=tuple(sorted(self.events, key=lambda event: event.at)),
            hung_up_because=because,
            off_script=strayed(self.task, self.turns, self.owed),
        )

    def _note(self, after: CallState, heard_at: float, said_at: float | None = None) -> None:
        """Stamps the events that are new in ``after``: what was heard at the end of the agent's words, the
        rest at the end of ours.
        """
        for name in after.events[len(self.state.events) :]:
            at = heard_at if name.startswith("heard:") or said_at is None else said_at
            self.events.append(CallerEvent(name, at))
