"""Labelled turns of an agent, and how often a pack's callers answer them as labelled.

A file has a turn a line: the task, the sentence, the events that happened before (``given``) and the rule
that has to speak, ``null`` where none may.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import attrs

from offhook.packs import Pack, Task
from offhook_caller.cue_tests import state_given
from offhook_caller.cues import CueMatcher
from offhook_caller.deterministic import Decider
from offhook_caller.speech.plugin import offhook_embedders

__all__ = ["Agreement", "Turn", "agreement", "mislabelled", "read_turns"]


@attrs.frozen
class Turn:
    """What the agent says after the events in ``given``, and the rule that has to speak."""

    task: str
    sentence: str
    rule: str | None
    given: tuple[str, ...] = attrs.field(converter=tuple)


@attrs.frozen
class Agreement:
    """Rules that spoke, that should have spoken and that did as they should, and the turns on which another
    thing happened than the label says.
    """

    fired: int
    wanted: int
    right: int
    wrong: tuple[str, ...]

    @property
    def precision(self) -> float:
        return self.right / self.fired

    @property
    def recall(self) -> float:
        return self.right / self.wanted

    @property
    def counts(self) -> str:
        """The figures without any sentence: those of a test set are not to be read."""
        return (
            f"{self.fired} fired, {self.wanted} wanted, {self.right} right: "
            f"precision {self.precision:.3f}, recall {self.recall:.3f}"
        )

    @property
    def listed(self) -> str:
        """The figures and every turn that went otherwise."""
        return "\n".join((self.counts, *self.wrong))


def read_turns(path: Path) -> tuple[Turn, ...]:
    return tuple(Turn(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())


def mislabelled(pack: Pack, turns: Sequence[Turn]) -> tuple[int, ...]:
    """The numbers of the lines that say twice what another says, name what their task doesn't have or are
    an example sentence of the task itself.
    """
    tasks = {task.id: task for task in pack.tasks}
    seen: Counter[Turn] = Counter()
    found = []
    for number, turn in enumerate(turns, start=1):
        seen[turn] += 1
        task = tasks.get(turn.task)
        if seen[turn] > 1 or task is None or not _fits(turn, task):
            found.append(number)
    return tuple(found)


def agreement(pack: Pack, turns: Sequence[Turn], *, by_example: bool = True) -> Agreement:
    """How the pack's callers answer. Turns that the pack has as examples show nothing ``by_example``."""
    matcher = CueMatcher(offhook_embedders()[0])
    deciders = {task.id: Decider(task, matcher, by_example=by_example) for task in pack.tasks}
    fired = wanted = right = 0
    wrong = []
    for turn in turns:
        decider = deciders[turn.task]
        decision = decider.decide(turn.sentence, state_given(decider, pack.task(turn.task), turn.given))
        source = decision.reply.source if decision.reply is not None else "silence"
        spoke = source.removeprefix("rule:") if source.startswith("rule:") else None
        fired += spoke is not None
        wanted += turn.rule is not None
        right += spoke is not None and spoke == turn.rule
        if spoke != turn.rule:
            wrong.append(f"{turn.task} {turn.sentence!r}: {turn.rule} wanted, {source} ({decision.why})")
    return Agreement(fired, wanted, right, tuple(wrong))


def _fits(turn: Turn, task: Task) -> bool:
    rules = {rule.id for rule in task.rules}
    events = {f"said:{rule}" for rule in rules} | {f"heard:{topic.name}" for topic in task.topics}
    own = {test.sentence for rule in task.rules for test in rule.tests}
    return (
        (turn.rule is None or turn.rule in rules) and set(turn.given) <= events and turn.sentence not in own
    )
