"""Is a judge still the judge it was? Four measurements over a golden set, each against its bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from offhook.grading import Grade, Outcome
from offhook.judged._fold import rulings_of
from offhook.judged._labels import SettledLabels
from offhook.judging import Subject, Verdict
from offhook.stats import Interval, Kappa, Proportion, cohens_kappa, newcombe_same_tasks, wilson

__all__ = [
    "CONSISTENCY_BAR",
    "FALSE_PASS_BAR",
    "FEWEST_GOLDEN_CALLS",
    "KAPPA_BAR",
    "SWAP_BAR",
    "DriftReport",
    "DriftRow",
    "check_drift",
    "verdicts_of",
]

KAPPA_BAR: Final = 0.70
FALSE_PASS_BAR: Final = 0.05
CONSISTENCY_BAR: Final = 0.98
SWAP_BAR: Final = 0.02
FEWEST_GOLDEN_CALLS: Final = 50


@attrs.frozen
class DriftRow:
    """One measurement against its bar. ``value`` is None, and ``told`` says why, where nothing was measured;
    ``holds`` is None then."""

    name: str
    bar: str
    value: float | None
    n: int
    interval: Interval | None
    holds: bool | None
    told: str


@attrs.frozen
class DriftReport:
    """``calls`` with human labels and a grade of the judge; below fifty the set is ``thin``. ``unmatched``
    are labels whose criterion the judge was not asked about."""

    rows: tuple[DriftRow, ...]
    calls: int
    thin: bool
    disputed: int
    unmatched: int

    @property
    def holds(self) -> bool:
        """Whether every bar that was measured is kept, and at least one was."""
        measured = [row.holds for row in self.rows if row.holds is not None]
        return bool(measured) and all(measured)


def verdicts_of(grade: Grade) -> Mapping[str, str]:
    """The verdict on each criterion, by its id."""
    return {
        ruling.id: str(ruling.verdict) for ruling in rulings_of(grade) if ruling.subject is Subject.CRITERION
    }


def check_drift(
    labels: SettledLabels,
    repeats: Mapping[str, Sequence[Grade]],
    swapped: Mapping[str, Grade] | None = None,
) -> DriftReport:
    """Compares a judge with people, with itself and with another judge.

    - **kappa** (at least 0.70): Cohen's, of human and judge's label of each criterion. ``unclear`` is a label
      of its own, so it never agrees.
    - **false passes** (at most 5 %): of the calls that people failed, those that the judge passed. A call
      counts where all of its criteria have a human label; it failed if one is not met.
    - **self-consistency** (at least 98 %): criteria whose verdict is the same each time the same transcript
      is judged.
    - **swap** (under 2 points): how far the pass rate moves when another judge takes the same calls, and
      likewise the share of verified claims that are accurate.

    Args:
        repeats: each call's grades by the judge, the first of them the one compared with people.
        swapped: each call's grade by the other judge.

    Raises:
        ValueError: a grade that holds no readable rulings.
        StatsUnavailable: statsmodels is missing.
    """
    first = {call_id: grades[0] for call_id, grades in repeats.items() if grades}
    pairs, unmatched = _pairs(labels, first)
    rows = [_kappa_row(cohens_kappa(pairs)), _false_pass_row(labels, first), _consistency_row(repeats)]
    if swapped is not None:
        rows += _swap_rows(first, swapped)
    calls = len(set(first) & set(labels.by_call))
    return DriftReport(tuple(rows), calls, calls < FEWEST_GOLDEN_CALLS, len(labels.disputed), unmatched)


def _pairs(labels: SettledLabels, first: Mapping[str, Grade]) -> tuple[list[tuple[str, str]], int]:
    pairs, unmatched = [], 0
    for call_id, mine in labels.by_call.items():
        verdicts = verdicts_of(first[call_id]) if call_id in first else {}
        for criterion, label in mine.items():
            if criterion in verdicts:
                pairs.append((label, verdicts[criterion]))
            else:
                unmatched += 1
    return pairs, unmatched


def _kappa_row(kappa: Kappa) -> DriftRow:
    holds = None if kappa.kappa is None else kappa.kappa >= KAPPA_BAR
    return DriftRow(
        "Cohen's kappa against blind human labels",
        f">= {KAPPA_BAR:.2f}",
        kappa.kappa,
        kappa.n,
        kappa.interval,
        holds,
        kappa.told,
    )


def _false_pass_row(labels: SettledLabels, first: Mapping[str, Grade]) -> DriftRow:
    failed = passed = 0
    for call_id, grade in first.items():
        mine, verdicts = labels.by_call.get(call_id, {}), verdicts_of(grade)
        whole = bool(verdicts) and verdicts.keys() <= mine.keys()
        if whole and any(mine[name] == str(Verdict.NOT_MET) for name in verdicts):
            failed += 1
            passed += grade.outcome is Outcome.PASS
    found = wilson(passed, failed)
    told = found.told if failed else "not measured (no call that people failed on a fully labelled set)"
    return _share_row("false passes", f"<= {FALSE_PASS_BAR:.0%}", found, told, most=FALSE_PASS_BAR)


def _consistency_row(repeats: Mapping[str, Sequence[Grade]]) -> DriftRow:
    same = criteria = times = 0
    for grades in repeats.values():
        if len(grades) < 2:
            continue
        times = max(times, len(grades))
        runs = [verdicts_of(grade) for grade in grades]
        for criterion in runs[0]:
            criteria += 1
            same += len({verdicts.get(criterion, "") for verdicts in runs}) == 1
    found = wilson(same, criteria)
    told = found.told if criteria else "not measured (every transcript was judged once)"
    name = f"self-consistency, same transcript x {times}" if times else "self-consistency"
    return _share_row(name, f">= {CONSISTENCY_BAR:.0%}", found, told, least=CONSISTENCY_BAR)


def _share_row(
    name: str,
    bar: str,
    found: Proportion,
    told: str,
    *,
    least: float | None = None,
    most: float | None = None,
) -> DriftRow:
    share = found.share
    holds = None
    if share is not None:
        holds = (least is None or share >= least) and (most is None or share <= most)
    return DriftRow(name, bar, share, int(found.n), found.interval, holds, told)


def _swap_rows(first: Mapping[str, Grade], other: Mapping[str, Grade]) -> list[DriftRow]:
    both = sorted(set(first) & set(other))
    passes = [
        {call_id: (int(side[call_id].outcome is Outcome.PASS), 1) for call_id in both}
        for side in (first, other)
    ]
    claims = [{call_id: _claims(side[call_id]) for call_id in both} for side in (first, other)]
    return [
        _swap_row("task lane's pass rate", passes[0], passes[1], "no call that both judged"),
        _swap_row("compliance lane's fact accuracy", claims[0], claims[1], "no call with claims of both"),
    ]


def _claims(grade: Grade) -> tuple[int, int]:
    return int(grade.numbers.get("claims_accurate", 0)), int(grade.numbers.get("claims", 0))


def _swap_row(
    what: str, first: Mapping[str, tuple[int, int]], other: Mapping[str, tuple[int, int]], none: str
) -> DriftRow:
    # The same calls on both sides: each call is a task of its own, so that the interval is the paired one.
    moved = newcombe_same_tasks(other, first)
    told = moved.told if moved.measured else f"not measured ({none})"
    holds = None if moved.value is None else abs(moved.value) < SWAP_BAR
    return DriftRow(
        f"swap moves the {what}",
        f"< {100 * SWAP_BAR:.0f} points",
        moved.value,
        len(moved.tasks),
        moved.interval,
        holds,
        told,
    )
