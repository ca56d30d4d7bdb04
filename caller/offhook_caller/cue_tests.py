"""Runs the cue tests of a pack: each example sentence goes through the whole selection, in its context.

A test holds when exactly what it says happens: with ``fires`` its rule is the one that speaks, without
``fires`` it is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from offhook.packs import CueTest, Pack, Rule, Task
from offhook.speech import SentenceEmbedder
from offhook_caller.cues import CueMatcher
from offhook_caller.deterministic import Decider
from offhook_caller.minds import CallState
from offhook_caller.script import OPENED

__all__ = ["CueFailure", "CueReport", "CueScore", "cue_failure", "cue_report", "run_cue_tests", "state_given"]


@attrs.frozen
class CueFailure:
    """A cue test that does not hold. ``spoke`` names what the caller does instead (``rule:<id>``,
    ``repair:<kind>``, ``closing``, ``silence``) and ``why`` the words or the likeness that decided.
    """

    task: str
    rule: str
    test: CueTest
    spoke: str
    why: str

    def __str__(self) -> str:
        wanted = "must fire" if self.test.fires else "must not fire"
        asked = f"{self.task}, rule {self.rule} {wanted} on {self.test.sentence!r}"
        return f"{asked}: the caller's answer is {self.spoke} ({self.why})"


@attrs.frozen
class CueScore:
    """How a rule's tests went. ``precision`` and ``recall`` are None where nothing (had to) fire."""

    task: str
    rule: str
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def precision(self) -> float | None:
        fired = self.true_positives + self.false_positives
        return self.true_positives / fired if fired else None

    @property
    def recall(self) -> float | None:
        wanted = self.true_positives + self.false_negatives
        return self.true_positives / wanted if wanted else None


@attrs.frozen
class CueReport:
    """All cue tests of a pack: a score per rule and the failures, in the pack's order. ``thin`` lists the
    rules with fewer than three sentences that must fire them or three that must not.
    """

    scores: tuple[CueScore, ...]
    failures: tuple[CueFailure, ...]
    thin: tuple[str, ...]

    @property
    def total(self) -> CueScore:
        """The counts of all rules together."""
        return CueScore(
            "",
            "",
            sum(score.true_positives for score in self.scores),
            sum(score.false_positives for score in self.scores),
            sum(score.false_negatives for score in self.scores),
            sum(score.true_negatives for score in self.scores),
        )


def run_cue_tests(pack: Pack, embedder: SentenceEmbedder) -> tuple[CueFailure, ...]:
    """The cue tests of all tasks that do not hold.

    Raises:
        BadCue: a pattern that is no regular expression.
    """
    return cue_report(pack, embedder).failures


def cue_report(pack: Pack, embedder: SentenceEmbedder) -> CueReport:
    """Runs every cue test of a pack.

    Raises:
        BadCue: a pattern that is no regular expression.
    """
    matcher = CueMatcher(embedder)
    scores: list[CueScore] = []
    failures: list[CueFailure] = []
    thin: list[str] = []
    for task in pack.tasks:
        # Each sentence is an example of its own rule: by example, all that must fire would.
        decider = Decider(task, matcher, by_example=False)
        for rule in task.rules:
            found = tuple(
                failure for test in rule.tests if (failure := cue_failure(decider, task, rule, test))
            )
            scores.append(_score(task, rule, found))
            failures.extend(found)
            if min(sum(test.fires for test in rule.tests), sum(not test.fires for test in rule.tests)) < 3:
                thin.append(f"{task.id}, rule {rule.id}")
    return CueReport(tuple(scores), tuple(failures), tuple(thin))


def state_given(decider: Decider, task: Task, events: Sequence[str]) -> CallState:
    """The state of a call in which the events have happened, in that order, after the opening."""
    state = decider.open(CallState()).state
    lines = {f"said:{rule.id}": rule for rule in task.rules}
    for event in events:
        if event == OPENED:
            continue
        rule = lines.get(event)
        if rule is None:
            state = state.with_events(event)
        else:
            state = state.after_reply(decider.repairs.scripted(rule.line, f"rule:{rule.id}"), event)
    return state


def cue_failure(decider: Decider, task: Task, rule: Rule, test: CueTest) -> CueFailure | None:
    """What happens instead of what a test says; None where it holds."""
    decision = decider.decide(test.sentence, state_given(decider, task, test.given))
    spoke = decision.reply.source if decision.reply is not None else "silence"
    fired = spoke == f"rule:{rule.id}"
    return None if fired == test.fires else CueFailure(task.id, rule.id, test, spoke, decision.why)


def _score(task: Task, rule: Rule, failures: tuple[CueFailure, ...]) -> CueScore:
    wanted = sum(test.fires for test in rule.tests)
    missed = sum(failure.test.fires for failure in failures)
    false = len(failures) - missed
    return CueScore(task.id, rule.id, wanted - missed, false, missed, len(rule.tests) - wanted - false)
