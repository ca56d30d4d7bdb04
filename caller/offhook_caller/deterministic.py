"""The deterministic mind: scripted lines by their cues, built-in repairs for everything a caller handles
without a script.

Order of precedence on a turn of the agent:

1. a read-back that gets one of the caller's own values wrong: "no", and the value, slowly;
2. the script's rule, unless it would only repeat itself: a rule that was said before, or that matched by
   meaning alone or by the read-back's own words, yields to a
   request to repeat or to a right read-back. A rule authored for such turns (its example sentences are of
   that kind) never yields;
3. a right read-back of values or of a line of the caller's own: "yes";
4. a request to repeat: the values asked for, else the last line, slowly;
5. the closing question or a goodbye: the intent's closing once the goal is met, else the opening again;
6. a question for a trait the script has no rule for: the trait;
7. "how can I help": the opening again;
8. a hold: silence;
9. any other turn: the line of the rule whose example sentences it is most like, if it is like them;
10. a statement: silence; any other question: a neutral line, a few times, then the caller gives up.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from offhook.callers import CallerBrief
from offhook.clock import compute
from offhook.packs import Rule, Task
from offhook_caller.cues import AgentTurn, CueMatcher, read_turn
from offhook_caller.minds import AGENT_ENDED, GAVE_UP, SATISFIED, CallerMind, CallState, Decision, Reply
from offhook_caller.phrases import TurnKind, asked_traits, kind_of
from offhook_caller.readback import ReadBack, read_back
from offhook_caller.repairs import Repairs
from offhook_caller.script import OPENED, RuleMatch, Script, said_event
from offhook_caller.statedvalues import repeats_a_line, stated_traits

__all__ = ["Decider", "DeterministicMind", "MindMaker", "Patience"]


@attrs.frozen
class Patience:
    """When a caller gives up: after ``misses`` turns in a row it could do nothing with, or ``repairs``
    repairs in all.
    """

    misses: int = 4
    repairs: int = 16


@attrs.frozen
class _Seen:
    """A turn with all that was read out of it."""

    turn: AgentTurn
    kind: TurnKind
    read_back: ReadBack
    match: RuleMatch | None
    state: CallState

    @property
    def rule_said(self) -> bool:
        return self.match is not None and self.state.has(said_event(self.match.rule.id))


class Decider:
    """The decision as a plain function of the turn and the state; holds only what was compiled from the
    task. Without ``by_example`` nothing but its cues make a rule speak.
    """

    def __init__(
        self, task: Task, matcher: CueMatcher, patience: Patience | None = None, *, by_example: bool = True
    ) -> None:
        self.script = Script(task, matcher, by_example=by_example)
        self.repairs = Repairs(task)
        self._task = task
        self._patience = patience or Patience()
        self._about = {rule.id: _about(rule) for rule in task.rules}

    def open(self, state: CallState) -> Decision:
        """The opening line."""
        reply = self.repairs.scripted(self._task.intent.opening, "opening")
        return Decision(reply, state.after_reply(reply, OPENED), why="the greeting has ended")

    def rule_for(self, turn: AgentTurn, state: CallState) -> RuleMatch | None:
        """The rule that speaks on this turn (after the repairs that outrank rules), or None."""
        seen = self._see(turn, state)
        return None if self._outranked(seen) else seen.match

    def decide(self, heard: str, state: CallState) -> Decision:
        """What to do about a whole turn."""
        seen = self._see(read_turn(heard), state.after_agent(heard))
        if seen.match is not None and not self._outranked(seen):
            return self._scripted(seen.match, seen.state)
        if not any(character.isalnum() for character in heard):
            return self._repaired(
                seen.state, self.repairs.unheard(), missed=True, why="nothing was understood"
            )
        return self._familiar(seen)

    def _see(self, turn: AgentTurn, state: CallState) -> _Seen:
        state = self.script.mark(turn, state)
        kind = kind_of(turn)
        corrected = frozenset(
            name for reply in state.said if reply.source == "repair:no" for name in reply.states
        )
        just_stated = frozenset(state.said[-1].states) if state.said else frozenset()
        back = read_back(turn, self._task.traits, kind, self._stated(state), corrected, just_stated)
        return _Seen(turn, kind, back, self.script.select(turn, state), state)

    def _stated(self, state: CallState) -> frozenset[str]:
        return frozenset(name for reply in state.said for name in reply.states)

    def _outranked(self, seen: _Seen) -> bool:
        """Whether the turn's rule, if any, gives way to a repair."""
        if seen.match is None:
            return True
        about = self._about[seen.match.rule.id]
        weak = seen.rule_said or seen.match.match.by == "meaning"
        if seen.read_back.wrong and not about.confirm:
            return True
        # The words that matched may be the read-back itself: "I have June 30, 1972."
        own_words = bool(stated_traits(seen.match.match.scope, self._task.traits))
        if seen.read_back.right and seen.kind.confirm and not about.confirm and (weak or own_words):
            return True
        return seen.kind.repeat and seen.rule_said and not about.repeat

    def _scripted(self, match: RuleMatch, state: CallState) -> Decision:
        rule = match.rule
        again = state.has(said_event(rule.id))
        reply = self.repairs.scripted(rule.line, f"rule:{rule.id}", careful=again)
        after = attrs.evolve(state.after_reply(reply, said_event(rule.id)), misses=0)
        why = f"rule {rule.id} by {match.match.by}: {match.match.scope!r}"
        return Decision(reply, after, SATISFIED if rule.ends_call else "", rule.id, why)

    def _familiar(self, seen: _Seen) -> Decision:
        back, kind, state = seen.read_back, seen.kind, seen.state
        if back.wrong:
            return self._repaired(
                state, self.repairs.correct(back.wrong), why=f"read back wrongly: {back.evidence}"
            )
        if back.right and (kind.confirm or (kind.question and not kind.closing)):
            return self._repaired(state, self.repairs.agree(), why=f"read back rightly: {back.evidence}")
        if kind.confirm and not kind.repeat and repeats_a_line(seen.turn, state.said):
            return self._repaired(state, self.repairs.agree(), why="the caller's own words read back")
        if kind.repeat and state.said:
            return self._repaired(state, self.repairs.repeat(seen.turn, state), why="asked to repeat")
        if kind.closing or kind.goodbye:
            return self._closed(seen)
        asked = asked_traits(seen.turn, self._task.traits)
        if asked:
            return self._repaired(
                state, self.repairs.state(asked), why=f"asked for {', '.join(t.name for t in asked)}"
            )
        if kind.purpose:
            return self._repaired(
                state, self.repairs.restate(), missed=True, why="asked for the purpose again"
            )
        nearest = None if kind.hold else self.script.nearest(seen.turn, state, question=kind.question)
        if nearest is not None:
            return self._scripted(nearest, state)
        if kind.hold or not kind.question:
            return Decision(None, state, why="nothing to answer")
        times = sum(reply.source == "repair:unsure" for reply in state.said)
        return self._repaired(
            state, self.repairs.unsure(times), missed=True, why="a question the script does not know"
        )

    def _closed(self, seen: _Seen) -> Decision:
        state = seen.state
        met = self.script.satisfied(state)
        if met and seen.kind.closing:
            reply = self.repairs.scripted(self._task.intent.closing, "closing")
            return Decision(
                reply, state.after_reply(reply), SATISFIED, why="the goal is met and the agent asks for more"
            )
        if seen.kind.goodbye:
            return Decision(None, state, SATISFIED if met else AGENT_ENDED, why="the agent said goodbye")
        return self._repaired(
            state, self.repairs.restate(), missed=True, why="the agent closes before the goal is met"
        )

    def _repaired(self, state: CallState, reply: Reply, *, missed: bool = False, why: str) -> Decision:
        misses = state.misses + 1 if missed else 0
        repairs = state.repairs + 1
        if misses > self._patience.misses or repairs > self._patience.repairs:
            reply = self.repairs.give_up()
            return Decision(reply, state.after_reply(reply), GAVE_UP, why=f"out of patience: {why}")
        after = attrs.evolve(state.after_reply(reply), misses=misses, repairs=repairs)
        return Decision(reply, after, why=why)


class DeterministicMind:
    """The default mind: same turns, same answers, no network."""

    def __init__(self, decider: Decider) -> None:
        self._decider = decider

    async def open(self, state: CallState) -> Decision:
        return self._decider.open(state)

    async def answer(self, heard: str, state: CallState) -> Decision:
        return await compute(self._decider.decide, heard, state)

    async def aclose(self) -> None:
        """Nothing to release."""


@attrs.frozen
class _About:
    """Whether a rule is authored for requests to repeat or for read-backs."""

    repeat: bool
    confirm: bool


def _about(rule: Rule) -> _About:
    """By the majority of its example sentences: an identity rule may well have one "could you say that
    again" among them.
    """
    firing = (test.sentence for test in rule.tests if test.fires)
    kinds = [kind_of(read_turn(sentence)) for sentence in (*rule.cues.like, *firing)]
    return _About(
        repeat=2 * sum(kind.repeat for kind in kinds) > len(kinds),
        confirm=2 * sum(kind.confirm for kind in kinds) > len(kinds),
    )


MindMaker = Callable[[CallerBrief, Decider], CallerMind]
"""Makes the mind of one call. The decider is the deterministic mind's, for minds that fall back on it or
check themselves by it.
"""
