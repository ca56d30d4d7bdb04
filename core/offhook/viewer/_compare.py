"""What changed between two runs, and whether they may be compared at all. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import attrs

from offhook.records import RunManifest
from offhook.scoring import Rate, RunSummary, TaskRow
from offhook.stats import newcombe

__all__ = ["CHANGES", "Change", "Difference", "RunComparison", "compare_runs", "share_difference"]

CHANGES: Final = (
    "passed → failed",
    "passes less often",
    "graded → not graded",
    "failed → passed",
    "passes more often",
    "not graded → graded",
    "only in A",
    "only in B",
    "same",
)
"""Every kind of change, the ones to look at first in front."""

_SHOWN: Final = 4


@attrs.frozen
class Difference:
    """Pass share of B minus that of A, with its 95 % interval; all in -1..1."""

    share: float
    low: float
    high: float


@attrs.frozen
class Change:
    """One task under one audio condition in both runs; ``a`` or ``b`` is None where a run does not plan it.
    ``a_call`` and ``b_call`` are the calls to look at: the first that did not pass, else the first.
    """

    pack: str
    task: str
    title: str
    tier: str
    audio: str
    kind: str
    a: TaskRow | None
    b: TaskRow | None
    a_call: str
    b_call: str


@attrs.frozen
class RunComparison:
    """``warnings`` are one line each for what makes the two runs incomparable; ``difference`` is None where
    one of them has no graded clean call.
    """

    warnings: tuple[str, ...]
    difference: Difference | None
    changes: tuple[Change, ...]


def compare_runs(
    a: tuple[RunManifest, RunSummary],
    b: tuple[RunManifest, RunSummary],
    *,
    a_versions: Mapping[str, Iterable[str]],
    b_versions: Mapping[str, Iterable[str]],
) -> RunComparison:
    """Compares run B with run A.

    Args:
        a_versions, b_versions: per grader, the versions that the run's calls have grades of.
    """
    difference = share_difference(a[1].rate, b[1].rate)
    warnings = (*_warnings(a[0], b[0]), *_of_graders(a_versions, b_versions), *_of_figures(a[1], b[1]))
    return RunComparison(warnings, difference, _changes(a[1], b[1]))


def share_difference(a: Rate | None, b: Rate | None) -> Difference | None:
    """B's share less A's, with Newcombe's interval for independent proportions (`offhook.stats.newcombe`).
    None where a rate is missing.
    """
    if a is None or b is None:
        return None
    found = newcombe(b.passes, b.n, a.passes, a.n)
    if found.value is None or found.interval is None:
        return None
    return Difference(found.value, found.interval.low, found.interval.high)


# --- task by task ---


def _changes(a: RunSummary, b: RunSummary) -> tuple[Change, ...]:
    rows_a, rows_b = ({(row.audio, row.pack, row.task): row for row in run.tasks} for run in (a, b))
    changes = []
    for key in sorted({*rows_a, *rows_b}):
        left, right = rows_a.get(key), rows_b.get(key)
        any_row = left or right
        assert any_row is not None
        changes.append(
            Change(
                pack=any_row.pack,
                task=any_row.task,
                title=any_row.title,
                tier=any_row.tier,
                audio=any_row.audio,
                kind=_kind(left, right),
                a=left,
                b=right,
                a_call=_call_of(a, any_row),
                b_call=_call_of(b, any_row),
            )
        )
    return tuple(sorted(changes, key=lambda change: CHANGES.index(change.kind)))


def _kind(a: TaskRow | None, b: TaskRow | None) -> str:
    if b is None:
        return "only in A"
    if a is None:
        return "only in B"
    if not a.graded or not b.graded:
        if a.graded == b.graded:
            return "same"
        return "graded → not graded" if a.graded else "not graded → graded"
    before, after = a.passes / a.graded, b.passes / b.graded
    if after < before:
        return "passed → failed" if (before, after) == (1.0, 0.0) else "passes less often"
    if after > before:
        return "failed → passed" if (before, after) == (0.0, 1.0) else "passes more often"
    return "same"


def _call_of(run: RunSummary, row: TaskRow) -> str:
    mine = [
        result
        for result in run.calls
        if (result.record.key.pack, result.record.key.task, result.record.key.audio)
        == (row.pack, row.task, row.audio)
    ]
    chosen = [result for result in mine if result.state != "passed"] or mine
    return chosen[0].record.call_id if chosen else ""


# --- whether the two may be compared ---


def _warnings(a: RunManifest, b: RunManifest) -> Iterator[str]:
    tasks_a, tasks_b = set(a.tasks), set(b.tasks)
    if tasks_a != tasks_b:
        only = [f"{_some(left)} only in {side}" for side, left in _sides(tasks_a, tasks_b) if left]
        yield f"Different tasks: {'; '.join(only)}."
    for what, left, right in (
        ("line", a.line, b.line),
        ("audio conditions", ", ".join(a.audio), ", ".join(b.audio)),
        ("number of runs per task", a.runs, b.runs),
        ("seed", a.seed, b.seed),
        ("caller", a.caller, b.caller),
    ):
        if left != right:
            yield f"Different {what}: A {left}, B {right}."
    yield from _of_stamps("agent instructions", a.agents, b.agents)
    yield from _of_stamps("content of pack", a.packs, b.packs)
    yield from _of_settings("engines", a.engines, b.engines)
    versions_a, versions_b = (
        {c.component: f"{c.distribution} {c.version}" for c in run.components} for run in (a, b)
    )
    shared = versions_a.keys() & versions_b.keys()
    yield from _of_settings(
        "versions", {k: versions_a[k] for k in shared}, {k: versions_b[k] for k in shared}
    )


def _of_stamps(what: str, a: Mapping[str, str], b: Mapping[str, str]) -> Iterator[str]:
    differ = sorted(name for name in a.keys() & b.keys() if a[name] != b[name])
    if differ:
        yield f"Different {what}: {_some(differ)} changed between the two runs."


def _of_settings(what: str, a: Mapping[str, str], b: Mapping[str, str]) -> Iterator[str]:
    differ = [
        f"{name}: A {a.get(name, 'none')}, B {b.get(name, 'none')}"
        for name in sorted({*a, *b})
        if a.get(name) != b.get(name)
    ]
    if differ:
        yield f"Different {what}: {_some(differ)}."


def _of_graders(a: Mapping[str, Iterable[str]], b: Mapping[str, Iterable[str]]) -> Iterator[str]:
    written_a, written_b = ({name: ", ".join(sorted(of[name])) for name in of} for of in (a, b))
    for line in _of_settings("grader versions", written_a, written_b):
        yield f"{line} The figures are those of the installed versions; `offhook grade` grades a run again."


def _of_figures(a: RunSummary, b: RunSummary) -> Iterator[str]:
    if a.score.out_of != b.score.out_of:
        yield f"Different maxima: A is scored out of {a.score.out_of:g}, B out of {b.score.out_of:g}."
    for side, run in (("A", a), ("B", b)):
        if run.kept_up.late:
            yield f"Latency of {side} is unreliable in {run.kept_up.told}: the machine could not keep up."
        if run.missing:
            yield f"{side} is not complete: {run.missing} of {_calls(run.planned)} not placed."


def _sides(a: set[str], b: set[str]) -> tuple[tuple[str, set[str]], ...]:
    return ("A", a - b), ("B", b - a)


def _calls(count: int) -> str:
    return f"{count} call" if count == 1 else f"{count} calls"


def _some(names: Iterable[str]) -> str:
    every = sorted(names)
    more = f" and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return ", ".join(every[:_SHOWN]) + more
