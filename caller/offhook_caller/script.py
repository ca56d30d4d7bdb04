"""The rules engine: which scripted line a turn of the agent calls for.

All of it is a function of the turn and of the events so far. Topics of the turn are marked before rules are
looked at, so a rule may depend on something said in the very turn it answers.
"""

from __future__ import annotations

from typing import Final

import attrs

from offhook.packs import Cues, Rule, Task
from offhook_caller.cues import (
    AgentTurn,
    BadCue,
    CompiledCues,
    CueMatch,
    CueMatcher,
    compile_cues,
    read_turn,
)
from offhook_caller.examples import Examples
from offhook_caller.minds import CallState
from offhook_caller.phrases import only_holds

__all__ = ["OPENED", "RuleMatch", "Script", "heard_event", "may_fire", "said_event"]

OPENED: Final = "opened"


def said_event(rule_id: str) -> str:
    """The event of a rule's line having been said."""
    return f"said:{rule_id}"


def heard_event(topic: str) -> str:
    """The event of a topic having been heard."""
    return f"heard:{topic}"


@attrs.frozen
class RuleMatch:
    """A rule whose cues match and whose conditions hold, with the evidence."""

    rule: Rule
    match: CueMatch


class Script:
    """A task's rules and topics, compiled. Holds nothing of any call. Without ``by_example`` its cues alone
    decide what fires.

    Raises:
        BadCue: a pattern that is no regular expression; the message names the rule or topic.
    """

    def __init__(self, task: Task, matcher: CueMatcher, *, by_example: bool = True) -> None:
        self.task = task
        self._matcher = matcher
        self._topics = tuple(
            (topic.name, _compiled(topic.cues, f"topic {topic.name}", task)) for topic in task.topics
        )
        ordered = sorted(enumerate(task.rules), key=lambda entry: (entry[1].order, entry[0]))
        self._rules: tuple[tuple[Rule, CompiledCues], ...] = tuple(
            (rule, _compiled(rule.cues, f"rule {rule.id}", task)) for _, rule in ordered
        )
        self._by_id = {rule.id: (rule, cues) for rule, cues in self._rules}
        self._answers_holds = frozenset(rule.id for rule in task.rules if _answers_holds(rule))
        self._examples = Examples(task, matcher) if by_example else None
        for _, cues in (*self._topics, *self._rules):
            matcher.prepare(cues)

    def mark(self, turn: AgentTurn, state: CallState) -> CallState:
        """The state with ``heard:<topic>`` for each topic the turn is the first to mention."""
        fresh = (
            heard_event(name)
            for name, cues in self._topics
            if not state.has(heard_event(name)) and self._matcher.match(cues, turn).matched
        )
        return state.with_events(*fresh)

    def candidates(self, turn: AgentTurn, state: CallState) -> tuple[RuleMatch, ...]:
        """All rules that may fire, the one that wins first: lowest ``order``, then as written in the task."""
        found = []
        told = _without_holds(turn)
        for rule, cues in self._rules:
            if may_fire(rule, state):
                match = self._match(rule, cues, turn, told)
                if match.matched:
                    found.append(RuleMatch(rule, match))
        return tuple(found)

    def select(self, turn: AgentTurn, state: CallState) -> RuleMatch | None:
        """The rule that fires on a turn whose topics are marked, or None."""
        told = _without_holds(turn)
        for rule, cues in self._rules:
            if may_fire(rule, state):
                match = self._match(rule, cues, turn, told)
                if match.matched:
                    return RuleMatch(rule, match)
        return None

    def _match(self, rule: Rule, cues: CompiledCues, turn: AgentTurn, told: AgentTurn | None) -> CueMatch:
        """A sentence that says only what the agent is about to look at calls for no answer, whatever it
        names; but for rules written for such sentences.
        """
        if rule.id in self._answers_holds:
            return self._matcher.match(cues, turn)
        return CueMatch() if told is None else self._matcher.match(cues, told)

    def nearest(self, turn: AgentTurn, state: CallState, *, question: bool) -> RuleMatch | None:
        """The rule whose examples the turn is most like, if it is like them and no exception of the rule
        holds; or None. A last resort, for wordings that no cue foresaw.
        """
        if self._examples is None:
            return None
        open_rules = {rule.id for rule, _ in self._rules if may_fire(rule, state)}
        found = self._examples.nearest(turn, open_rules, question=question)
        if found is None:
            return None
        rule, cues = self._by_id[found.rule]
        if self._matcher.match(cues, turn).vetoed:
            return None
        return RuleMatch(rule, CueMatch("example", found.words, found.similarity))

    def satisfied(self, state: CallState) -> bool:
        """Whether the goal is met; an intent that lists nothing is met once a rule has fired."""
        wanted = self.task.intent.satisfied
        if wanted:
            return all(state.has(event) for event in wanted)
        return any(event.startswith("said:") for event in state.events)


def _answers_holds(rule: Rule) -> bool:
    """Whether an example sentence the rule fires on holds the caller off and does nothing else."""
    tests = (read_turn(test.sentence).sentences for test in rule.tests if test.fires)
    return any(all(only_holds(sentence) for sentence in sentences) for sentences in tests)


def _without_holds(turn: AgentTurn) -> AgentTurn | None:
    """The turn without the sentences that only hold the caller off; None where nothing is left."""
    told = [sentence.text for sentence in turn.sentences if not only_holds(sentence)]
    if len(told) == len(turn.sentences):
        return turn
    return read_turn(" ".join(told)) if told else None


def _compiled(cues: Cues, what: str, task: Task) -> CompiledCues:
    try:
        return compile_cues(cues)
    except BadCue as error:
        raise BadCue(f"task {task.pack}/{task.id}, {what}: {error}") from error


def may_fire(rule: Rule, state: CallState) -> bool:
    """Whether occurrence and conditions allow a rule, whatever the agent says."""
    if rule.first_n is not None and state.count(said_event(rule.id)) >= rule.first_n:
        return False
    return all(state.has(event) for event in rule.after) and not any(
        state.has(event) for event in rule.unless
    )
