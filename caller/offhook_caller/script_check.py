"""What is wrong with a pack's scripts for the deterministic mind, each with its place in the pack: cue tests
that do not hold, and rules that match one sentence without an order between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from offhook.packcheck import PackProblem
from offhook.packs import CueTest, Pack, Rule, Task
from offhook.speech import SentenceEmbedder
from offhook_caller.cue_tests import cue_failure, state_given
from offhook_caller.cues import AgentTurn, BadCue, CompiledCues, CueMatch, CueMatcher, read_turn
from offhook_caller.deterministic import Decider

__all__ = ["script_problems"]


def script_problems(pack: Pack, embedder: SentenceEmbedder) -> tuple[PackProblem, ...]:
    """Runs every cue test, and every sentence that must fire against the task's other rules. A task with a
    pattern that is no regular expression is left out: that has been told.
    """
    matcher = _Remembering(embedder)
    problems: list[PackProblem] = []
    for task in pack.tasks:
        try:
            decider = Decider(task, matcher, by_example=False)
        except BadCue:
            continue
        for index, rule in enumerate(task.rules):
            where = f"{pack.name}/tasks/{task.id}.rules[{index}]"
            problems += _failed(where, decider, task, rule)
            problems += _unordered(where, decider, task, index)
    return tuple(problems)


class _Remembering(CueMatcher):
    """Tasks share rules and rules share sentences: each pair is matched once."""

    def __init__(self, embedder: SentenceEmbedder) -> None:
        super().__init__(embedder)
        self._known: dict[tuple[CompiledCues, str], CueMatch] = {}

    def match(self, cues: CompiledCues, turn: AgentTurn) -> CueMatch:
        key = (cues, turn.text)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = super().match(cues, turn)
        return found


def _failed(where: str, decider: Decider, task: Task, rule: Rule) -> Iterator[PackProblem]:
    for number, test in enumerate(rule.tests):
        failure = cue_failure(decider, task, rule, test)
        if failure is not None:
            wanted = "to fire" if test.fires else "not to fire"
            yield PackProblem(
                f"{where}.tests[{number}]",
                f"expected rule {rule.id!r} {wanted} on {_asked(test)}; the caller's answer is "
                f"{failure.spoke} ({failure.why})",
            )


def _unordered(where: str, decider: Decider, task: Task, index: int) -> Iterator[PackProblem]:
    """One problem per other rule that matches as well, at the same order."""
    rule = task.rules[index]
    told: set[str] = set()
    for test in rule.tests:
        if not test.fires:
            continue
        turn = read_turn(test.sentence)
        state = decider.script.mark(turn, state_given(decider, task, test.given))
        found = [match.rule for match in decider.script.candidates(turn, state)]
        for other in found if rule in found else ():
            if other.id not in told | {rule.id} and other.order == rule.order:
                told.add(other.id)
                yield PackProblem(
                    f"{where}.order",
                    f"expected an order between rules {rule.id!r} and {other.id!r}: both match "
                    f"{_asked(test)} at order {rule.order}",
                )


def _asked(test: CueTest) -> str:
    return repr(test.sentence) + (f" given {', '.join(test.given)}" if test.given else "")
