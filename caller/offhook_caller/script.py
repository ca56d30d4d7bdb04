"""The rules engine: which scripted line a turn of the agent calls for.

All of it is a function of the turn and of the events so far. Topics of the turn are marked before rules are
looked at, so a rule may depend on something said in the very turn it answers.
"""

from __future__ import annotations

from typing import Final

import attrs

from offhook.packs import Cues, Rule, Task
from offhook_caller.cues import AgentTurn, BadCue, CompiledCues, CueMatch, CueMatcher, compile_cues
from offhook_caller.minds import CallState

__all__ = ["OPENED", "RuleMatch", "Script", "heard_event", "may_fire", "said_event"]

OPENED: Final = "opened"
_ALIKE: Final = 0.65


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
    """A task's rules and topics, compiled. Holds nothing of any call.

    Raises:
        BadCue: a pattern that is no regular expression; the message names the rule or topic.
    """

    def __init__(self, task: Task, matcher: CueMatcher) -> None:
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
        self._examples = _examples(task)
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
        for rule, cues in self._rules:
            if may_fire(rule, state):
                match = self._matcher.match(cues, turn)
                if match.matched:
                    found.append(RuleMatch(rule, match))
        return tuple(found)

    def select(self, turn: AgentTurn, state: CallState) -> RuleMatch | None:
        """The rule that fires on a turn whose topics are marked, or None."""
        for rule, cues in self._rules:
            if may_fire(rule, state):
                match = self._matcher.match(cues, turn)
                if match.matched:
                    return RuleMatch(rule, match)
        return None

    def nearest(self, turn: AgentTurn, state: CallState) -> RuleMatch | None:
        """The rule whose example sentences the turn is most like, where those that call for silence are less
        like it; or None. A last resort, for wordings that no cue foresaw.
        """
        name, score = self._matcher.nearest(turn, self._examples)
        if name not in self._by_id or score < _ALIKE:
            return None
        rule, cues = self._by_id[name]
        if not may_fire(rule, state):
            return None
        if self._matcher.match(cues, turn).vetoed:
            return None
        return RuleMatch(rule, CueMatch("example", turn.sentences[-1].text, score))

    def satisfied(self, state: CallState) -> bool:
        """Whether the goal is met; an intent that lists nothing is met once a rule has fired."""
        wanted = self.task.intent.satisfied
        if wanted:
            return all(state.has(event) for event in wanted)
        return any(event.startswith("said:") for event in state.events)


def _examples(task: Task) -> dict[str, tuple[str, ...]]:
    """The sentences each rule fires on, by its id; under no id those that no rule of the task answers."""
    firing = {rule.id: tuple(test.sentence for test in rule.tests if test.fires) for rule in task.rules}
    answered = {sentence for sentences in firing.values() for sentence in sentences}
    silent = {test.sentence for rule in task.rules for test in rule.tests if not test.fires} - answered
    return {**firing, "": tuple(sorted(silent))}


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
