"""Several runs beside each other, the first being the baseline."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import attrs

from offhook.scorecard._card import LaneCard, Scorecard, scorecard
from offhook.scorecard._comparable import Comparability, comparability
from offhook.scorecard._components import ComponentTies, component_ties
from offhook.scorecard._costs import CostPoint, pareto
from offhook.scorecard._exam import completion_by_task
from offhook.scorecard._input import CardInput, scored_calls
from offhook.scorecard._rules import LaneRules
from offhook.scoring import CLEAN
from offhook.stats import (
    ClusteredProportion,
    CmhTest,
    Count,
    FamilyRow,
    Solved,
    StatsUnavailable,
    TaskDifference,
    benjamini_hochberg,
    clustered_wilson,
    cmh_by_task,
    newcombe_same_tasks,
    solved_tasks,
)

__all__ = [
    "AgainstBaseline",
    "ConditionTest",
    "Crosswalk",
    "CrosswalkRow",
    "RunComparison",
    "compare_runs",
    "condition_tests",
]

_DEGREES: Final = ("passes less often", "not judged", "passes more often", "only in one", "same")


@attrs.frozen
class AgainstBaseline:
    """One run against the baseline. ``difference`` is its pass rate minus the baseline's over the tasks
    that both have on the same audio condition; ``left_out`` in it names the others."""

    run: str
    comparability: Comparability
    difference: TaskDifference


@attrs.frozen
class CrosswalkRow:
    """``(passes, judged calls)`` of one task on one audio condition in every run, in the runs' order.
    ``changes`` says for every run but the first what became of it against the baseline."""

    scenario: str
    audio: str
    counts: tuple[Count, ...]
    changes: tuple[str, ...]

    @property
    def changed(self) -> bool:
        return any(change != "same" for change in self.changes)


@attrs.frozen
class Crosswalk:
    """Every task, those that changed first."""

    runs: tuple[str, ...]
    rows: tuple[CrosswalkRow, ...]

    @property
    def changed(self) -> int:
        return sum(row.changed for row in self.rows)


@attrs.frozen
class ConditionTest:
    """Completion of one run on one audio condition against its clean calls, task by task, and what it comes
    to in the family of all such tests. ``why_not`` says why there is no test at all."""

    run: str
    audio: str
    test: CmhTest | None
    family: FamilyRow | None
    why_not: str = ""

    @property
    def told(self) -> str:
        if self.test is None or self.family is None or self.family.adjusted is None:
            return f"not measured ({self.why_not or (self.test.why_not if self.test else '')})"
        verdict = "differs" if self.family.differs else "no difference shown"
        return f"{verdict}: {self.test.told}, adjusted p = {self.family.adjusted:.3f}"


@attrs.frozen
class RunComparison:
    """``cards`` by run, in order; ``pooled`` is completion over all runs' counted calls, clustered by task:
    runs place the same tasks, so their calls are no independent draws. ``solved`` says which tasks all runs,
    one, or none solved."""

    runs: tuple[str, ...]
    cards: Mapping[str, Scorecard]
    against: tuple[AgainstBaseline, ...]
    ties: tuple[ComponentTies, ...]
    crosswalk: Crosswalk
    conditions: tuple[ConditionTest, ...]
    pooled: ClusteredProportion
    costs: tuple[CostPoint, ...]
    solved: Solved

    @property
    def comparable(self) -> bool:
        return all(found.comparability.comparable for found in self.against)

    def lanes(self, run: str) -> LaneCard:
        return self.cards[run].lanes


def compare_runs(
    runs: Mapping[str, CardInput],
    rules: LaneRules | None = None,
    *,
    judge: str = "",
    wrong_verdicts: Mapping[str, Collection[str]] | None = None,
) -> RunComparison:
    """Compares two or more runs, given by the names they go by; the first is the baseline. Whether they may
    be compared stands in the result and is the reader's to heed.

    Args:
        wrong_verdicts: by run, the ids of calls whose verdict a person found to be wrong. Two runs of one
            platform and seed give their calls equal ids, so an id alone names no call.

    Raises:
        ValueError: fewer than two runs.
    """
    if len(runs) < 2:
        raise ValueError(f"a comparison needs at least two runs, got {len(runs)}")
    rules = rules or LaneRules()
    wrong = wrong_verdicts or {}
    names = tuple(runs)
    cards = {
        name: scorecard(data, rules, judge=judge, wrong_verdicts=wrong.get(name, ()))
        for name, data in runs.items()
    }
    judged = {name: _judged_counts(data, judge) for name, data in runs.items()}
    base = names[0]
    return RunComparison(
        runs=names,
        cards=cards,
        against=tuple(
            AgainstBaseline(
                name,
                comparability(runs[base], runs[name], judge=judge),
                _difference(judged[name], judged[base], rules.confidence),
            )
            for name in names[1:]
        ),
        ties=component_ties(runs, rules),
        crosswalk=_crosswalk(judged),
        conditions=condition_tests(runs, rules, judge=judge, wrong_verdicts=wrong),
        pooled=_pooled(runs, rules, judge, wrong),
        costs=pareto(
            {name: (card.exam.costs.mean_usd, card.exam.completion.share) for name, card in cards.items()}
        ),
        solved=solved_tasks({name: _by_task(judged[name]) for name in names}),
    )


def condition_tests(
    runs: Mapping[str, CardInput],
    rules: LaneRules | None = None,
    *,
    judge: str = "",
    wrong_verdicts: Mapping[str, Collection[str]] | None = None,
) -> tuple[ConditionTest, ...]:
    """Each run's counted calls on each audio condition against its clean ones: Cochran-Mantel-Haenszel with
    tasks as strata, Benjamini-Hochberg over the family of all runs and conditions. ``wrong_verdicts`` as in
    ``compare_runs``."""
    rules = rules or LaneRules()
    tests: dict[tuple[str, str], CmhTest | str] = {}
    for name, data in runs.items():
        wrong = (wrong_verdicts or {}).get(name, ())
        clean = completion_by_task(data, CLEAN, judge=judge, wrong_verdicts=wrong)
        for audio in sorted({record.key.audio for record in data.records} - {CLEAN}):
            mine = completion_by_task(data, audio, judge=judge, wrong_verdicts=wrong)
            try:
                tests[name, audio] = cmh_by_task(mine, clean)
            except StatsUnavailable as error:
                tests[name, audio] = str(error)
    family = benjamini_hochberg(
        {"\n".join(key): None if isinstance(test, str) else test.p_value for key, test in tests.items()},
        rate=rules.false_discovery_rate,
    )
    return tuple(
        ConditionTest(name, audio, None, None, test)
        if isinstance(test, str)
        else ConditionTest(name, audio, test, row)
        for ((name, audio), test), row in zip(tests.items(), family.rows, strict=True)
    )


# --- task by task ---


def _pooled(
    runs: Mapping[str, CardInput], rules: LaneRules, judge: str, wrong: Mapping[str, Collection[str]]
) -> ClusteredProportion:
    """Completion over the counted calls of all runs, those of one task, in whatever run, being alike."""
    found: dict[str, Count] = {}
    for name, data in runs.items():
        mine = completion_by_task(data, judge=judge, wrong_verdicts=wrong.get(name, ()))
        for task, (passes, n) in mine.items():
            before = found.get(task, (0, 0))
            found[task] = (before[0] + passes, before[1] + n)
    return clustered_wilson(found.values(), confidence=rules.confidence)


def _judged_counts(data: CardInput, judge: str) -> dict[tuple[str, str], Count]:
    """``(passes, judged calls)`` by task and audio condition; planned ones without a call have (0, 0)."""
    found: dict[tuple[str, str], list[bool]] = {
        (task, audio): [] for audio in data.manifest.audio for task in data.manifest.tasks_under(audio)
    }
    for call in scored_calls(data, judge=judge):
        states = found.setdefault(call.placed, [])
        if state := call.judged:
            states.append(state == "passed")
    return {key: (sum(states), len(states)) for key, states in found.items()}


def _difference(
    mine: Mapping[tuple[str, str], Count], base: Mapping[tuple[str, str], Count], confidence: float
) -> TaskDifference:
    """Over what both have, calls of one task counted together: its conditions are no separate tasks."""
    both = {key for key in mine.keys() & base.keys() if mine[key][1] and base[key][1]}
    alone = {key[0] for key in mine.keys() | base.keys()} - {key[0] for key in both}
    nothing = dict.fromkeys(sorted(alone), (0, 0))
    return newcombe_same_tasks(
        _by_task({key: mine[key] for key in both}) | nothing,
        _by_task({key: base[key] for key in both}) | nothing,
        confidence=confidence,
    )


def _by_task(counts: Mapping[tuple[str, str], Count]) -> dict[str, Count]:
    found: dict[str, Count] = {}
    for (scenario, _), (passes, n) in sorted(counts.items()):
        before = found.get(scenario, (0, 0))
        found[scenario] = (before[0] + passes, before[1] + n)
    return found


def _crosswalk(judged: Mapping[str, Mapping[tuple[str, str], Count]]) -> Crosswalk:
    base = next(iter(judged))
    rows = []
    for key in sorted({key for counts in judged.values() for key in counts}):
        changes = tuple(
            _change(judged[base].get(key), counts.get(key)) for name, counts in judged.items() if name != base
        )
        rows.append(CrosswalkRow(*key, tuple(counts.get(key, (0, 0)) for counts in judged.values()), changes))
    rows.sort(key=lambda row: min(_DEGREES.index(change) for change in row.changes))
    return Crosswalk(tuple(judged), tuple(rows))


def _change(base: Count | None, mine: Count | None) -> str:
    if base is None or mine is None:
        return "same" if base is mine else "only in one"
    if not base[1] or not mine[1]:
        return "same" if base[1] == mine[1] else "not judged"
    before, after = base[0] * mine[1], mine[0] * base[1]
    if before == after:
        return "same"
    return "passes more often" if after > before else "passes less often"
