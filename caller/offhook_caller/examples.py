"""What the labelled turns of a task say about a turn nobody labelled.

The sentences of a task's cue tests and its `Task.examples` are grouped by the rule that answers them; those
that none answers are a group too. A turn is as much like a group as it is like its nearest sentence (cosine
of sentence vectors).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import attrs

from offhook.packs import Task
from offhook_caller.cues import AgentTurn, CueMatcher, read_turn
from offhook_caller.phrases import kind_of

__all__ = ["Examples", "NearestExample"]

# Cosines at which a wording is taken for an example, and by how much other examples have to be less alike: of
# the labelled turns of the three industries, each held against all others, 96 in 100 are then taken rightly.
_ALIKE_QUESTION: Final = 0.6
_ALIKE_STATEMENT: Final = 0.65
_AHEAD: Final = 0.1
_NO_RULE: Final = ""


@attrs.frozen
class NearestExample:
    """The rule whose example is nearest, the words of the turn that were compared, and how alike they are."""

    rule: str
    words: str
    similarity: float


class Examples:
    """A task's examples. Their vectors are made when they are first needed."""

    def __init__(self, task: Task, matcher: CueMatcher) -> None:
        self._matcher = matcher
        self._all = _by_rule(task)
        self._told = {
            rule: told
            for rule, sentences in self._all.items()
            if (told := tuple(one for one in sentences if not kind_of(read_turn(one)).question))
        }

    def nearest(self, turn: AgentTurn, may_fire: Collection[str], *, question: bool) -> NearestExample | None:
        """The rule among ``may_fire`` that the turn is most like, where it is clearly less like the examples
        of each other rule among them, and like those that no rule answers. A statement is held against
        statements alone.
        """
        scores = self._matcher.likeness(turn, self._all if question else self._told)
        rule, score = max(scores.items(), key=lambda entry: (entry[1], entry[0]), default=(_NO_RULE, -1.0))
        if rule not in may_fire or score < (_ALIKE_QUESTION if question else _ALIKE_STATEMENT):
            return None
        near = (other for other, alike in scores.items() if other != rule and alike > score - _AHEAD)
        if any(other == _NO_RULE or other in may_fire for other in near):
            return None
        return NearestExample(rule, turn.sentences[-1].text, score)


def _by_rule(task: Task) -> dict[str, tuple[str, ...]]:
    """The sentences each rule fires on, by its id; under no id those that no rule of the task answers. Of
    those with several sentences the last: it is the one that wants an answer.
    """
    found: dict[str, dict[str, None]] = {name: {} for name in (*(rule.id for rule in task.rules), _NO_RULE)}
    for rule in task.rules:
        found[rule.id].update(dict.fromkeys(_last(test.sentence) for test in rule.tests if test.fires))
    for example in task.examples:
        if example.rule in found:  # the check of a pack names any other
            found[example.rule][_last(example.sentence)] = None
    answered = {sentence for name, sentences in found.items() if name for sentence in sentences}
    silent = (test.sentence for rule in task.rules for test in rule.tests if not test.fires)
    found[_NO_RULE].update(dict.fromkeys(_last(sentence) for sentence in silent))
    found[_NO_RULE] = {sentence: None for sentence in sorted(found[_NO_RULE]) if sentence not in answered}
    return {name: tuple(sentences) for name, sentences in found.items() if sentences}


def _last(sentence: str) -> str:
    return read_turn(sentence).sentences[-1].text
