"""The exam table: completion over counted calls, its cuts, how calls ended and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.grading import Grade, GradeKind, Outcome
from offhook.scorecard._conversation import CONVERSATION_GRADER
from offhook.scorecard._costs import Costs, call_costs
from offhook.scorecard._ends import CallEnd, end_of_call, was_transferred
from offhook.scorecard._exclusions import Exclusions, exclusions
from offhook.scorecard._input import CardInput, ScoredCall, scored_calls
from offhook.scorecard._lanes import counts_by
from offhook.scorecard._rules import LaneRules
from offhook.stats import (
    ClusteredProportion,
    Count,
    Proportion,
    Repeats,
    RunSpread,
    clustered_wilson,
    repeats,
    run_spread,
    wilson,
)

__all__ = [
    "BargeIns",
    "Cut",
    "EndCount",
    "ExamCard",
    "NamedRate",
    "SoundexPasses",
    "completion_by_task",
    "exam_card",
]


@attrs.frozen
class NamedRate:
    name: str
    rate: Proportion


@attrs.frozen
class Cut:
    """Completion of the counted calls by one trait; a call whose trait is not known is in no row."""

    name: str
    rows: tuple[NamedRate, ...]
    unknown: int


@attrs.frozen
class EndCount:
    """``calls`` of the counted ones ended so; ``passed`` of them passed nevertheless or therefore."""

    end: CallEnd
    calls: int
    passed: int


@attrs.frozen
class BargeIns:
    """How often the agent began inside a caller's turn, over the counted calls that were measured."""

    count: int
    calls: int

    @property
    def per_100_calls(self) -> float | None:
        return 100 * self.count / self.calls if self.calls else None


@attrs.frozen
class SoundexPasses:
    """``passes`` that rest on a name matched by sound alone, of ``told`` counted calls whose evidence says
    how a name was matched. Nothing is measured where none says so."""

    passes: int
    told: int


@attrs.frozen
class ExamCard:
    """``completion`` is over the counted calls with plain Wilson intervals, as published; ``clustered`` is
    the same share with calls of a task taken as alike. ``assertions`` and ``containment`` (no transfer) are
    over the counted calls with a verdict. ``spread`` is over the runs, ``steady`` over the tasks: always,
    mixed, never."""

    exclusions: Exclusions
    completion: Proportion
    clustered: ClusteredProportion
    with_verdict: int
    assertions: tuple[NamedRate, ...]
    cuts: tuple[Cut, ...]
    spread: RunSpread
    steady: Repeats
    ends: tuple[EndCount, ...]
    containment: Proportion
    transfers: int
    costs: Costs
    barge_ins: BargeIns
    soundex: SoundexPasses

    @property
    def counted(self) -> int:
        return int(self.completion.n)


_CUTS: Final[Sequence[tuple[str, Callable[[ScoredCall], str]]]] = (
    ("requests", lambda call: "" if call.traits.requests is None else str(call.traits.requests)),
    ("persona", lambda call: call.traits.persona),
    ("use case", lambda call: call.task.category if call.task else ""),
    ("background", lambda call: call.record.key.audio),
    ("tier", lambda call: str(call.task.tier) if call.task else ""),
    ("voice", lambda call: call.record.voice),
)


def exam_card(
    data: CardInput,
    rules: LaneRules | None = None,
    *,
    judge: str = "",
    wrong_verdicts: Collection[str] = (),
) -> ExamCard:
    """The exam of one run.

    Args:
        judge: the judge or verifier whose grades are the verdicts; by default the verdict graders' are.
        wrong_verdicts: ids of calls whose verdict a person found to be wrong.
    """
    rules = rules or LaneRules()
    counted, table = exclusions(scored_calls(data, judge=judge), wrong_verdicts, confidence=rules.confidence)
    decided = [call for call in counted if call.verdict in ("pass", "fail")]
    # Without its log nobody knows whether a call was handed on, so it is in neither count.
    logged = [call for call in decided if call.requests is not None]
    transfers = sum(was_transferred(call.requests, rules.transfer_tools) for call in logged)
    by_task = counts_by((call.scenario, _passed(call)) for call in counted)
    by_run = counts_by((f"{call.record.key.run:06d}", _passed(call)) for call in counted)
    return ExamCard(
        exclusions=table,
        completion=table.after,
        clustered=clustered_wilson(by_task.values(), confidence=rules.confidence),
        with_verdict=len(decided),
        assertions=_assertions(decided, rules),
        cuts=tuple(_cut(name, trait, counted, rules) for name, trait in _CUTS),
        spread=run_spread(by_run.values()),
        steady=_steady(counted, by_task, max(1, data.manifest.runs)),
        ends=_ends(counted, rules),
        containment=wilson(len(logged) - transfers, len(logged), confidence=rules.confidence),
        transfers=transfers,
        costs=call_costs(counted),
        barge_ins=_barge_ins(counted),
        soundex=_soundex(counted),
    )


def completion_by_task(
    data: CardInput, audio: str | None = None, *, judge: str = "", wrong_verdicts: Collection[str] = ()
) -> dict[str, tuple[int, int]]:
    """``(passes, counted calls)`` of each ``pack/task`` on one audio condition, or on all of them."""
    counted, _ = exclusions(scored_calls(data, judge=judge), wrong_verdicts)
    return counts_by(
        (call.scenario, _passed(call)) for call in counted if audio in (None, call.record.key.audio)
    )


def _steady(counted: Sequence[ScoredCall], by_task: Mapping[str, Count], runs: int) -> Repeats:
    """Over the tasks with a counted call in every run; many calls of few runs, on several audio conditions,
    are none."""
    seen: dict[str, set[int]] = {}
    for call in counted:
        seen.setdefault(call.scenario, set()).add(call.record.key.run)
    whole = [counts for name, counts in by_task.items() if len(seen[name]) >= runs]
    return attrs.evolve(repeats(whole, runs), left_out=len(by_task) - len(whole))


def _passed(call: ScoredCall) -> bool:
    return call.verdict == "pass"


def _assertions(decided: Sequence[ScoredCall], rules: LaneRules) -> tuple[NamedRate, ...]:
    """What each verdict grader asserts, and each assertion that a verifier graded apart
    (``evidence["assertions"]``)."""
    found = counts_by(
        (name, outcome == Outcome.PASS)
        for call in decided
        for grade in call.grades.values()
        for name, outcome in _asserted(grade)
        if outcome in (Outcome.PASS, Outcome.FAIL)
    )
    return tuple(
        NamedRate(name, wilson(*counts, confidence=rules.confidence)) for name, counts in found.items()
    )


def _asserted(grade: Grade) -> Iterator[tuple[str, str]]:
    if grade.kind is GradeKind.VERDICT:
        yield grade.grader, grade.outcome
    parts = grade.evidence.get("assertions")
    for name, outcome in parts.items() if isinstance(parts, Mapping) else ():
        yield f"{grade.grader}: {name}", str(outcome)


def _cut(
    name: str, trait: Callable[[ScoredCall], str], counted: Sequence[ScoredCall], rules: LaneRules
) -> Cut:
    rows = counts_by((value, _passed(call)) for call in counted if (value := trait(call)))
    return Cut(
        name,
        tuple(
            NamedRate(value, wilson(*counts, confidence=rules.confidence)) for value, counts in rows.items()
        ),
        unknown=len(counted) - sum(n for _, n in rows.values()),
    )


def _ends(counted: Sequence[ScoredCall], rules: LaneRules) -> tuple[EndCount, ...]:
    calls: Counter[CallEnd] = Counter()
    passed: Counter[CallEnd] = Counter()
    for call in counted:
        end = end_of_call(call.record, call.requests, call.verdict, transfer_tools=rules.transfer_tools)
        calls[end] += 1
        passed[end] += _passed(call)
    return tuple(EndCount(end, calls[end], passed[end]) for end in CallEnd)


def _barge_ins(counted: Sequence[ScoredCall]) -> BargeIns:
    measured = [numbers for call in counted if (numbers := call.measured(CONVERSATION_GRADER))]
    return BargeIns(round(sum(numbers.get("agent_barge_ins", 0.0) for numbers in measured)), len(measured))


def _soundex(counted: Sequence[ScoredCall]) -> SoundexPasses:
    """A tool that looks a caller up says in its answer, or a verdict in its evidence, how a name was matched:
    ``"matched_by": "soundex"`` where nothing but the sound agreed."""
    told = [(call, found) for call in counted if (found := set(_matched_by(call)))]
    return SoundexPasses(sum(_passed(call) and "soundex" in found for call, found in told), len(told))


def _matched_by(call: ScoredCall) -> Iterator[str]:
    for entry in call.requests or ():
        if entry.outcome == "accepted":
            yield from _values_of("matched_by", entry.response)
    for grade in call.grades.values():
        if grade.kind is GradeKind.VERDICT:
            yield from _values_of("matched_by", grade.evidence)


def _values_of(key: str, data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        for name, value in data.items():
            if name == key and isinstance(value, str):
                yield value
            else:
                yield from _values_of(key, value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _values_of(key, value)
