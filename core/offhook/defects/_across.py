"""One task over several runs: what fails everywhere is suspect, what passes somewhere is passable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from offhook.defects._patterns import FailurePattern, Occurrence, failures_of, occurrence_of

if TYPE_CHECKING:
    from offhook.records import CallRecord
    from offhook.runner import StoredRun

__all__ = ["Crosscheck", "TaskAcross", "cross_check"]

CLEAN = "clean"


@attrs.frozen
class TaskAcross:
    """A task on each platform, clean calls only. ``passes`` maps a platform to (passes, graded runs).

    ``reading`` is ``suspect`` (no platform with graded runs passes it and at least two fail it the same way,
    named in ``shared``), ``passable`` (fails every run on one platform and passes on another), ``fails``
    (nobody passes it, in different ways, or only one platform tried), ``mixed`` or ``passes``."""

    pack: str
    task: str
    passes: Mapping[str, tuple[int, int]]
    reading: str
    shared: tuple[str, ...] = ()


@attrs.frozen
class Crosscheck:
    """``hard`` lists each task and platform with no pass in all its graded runs: every one of these calls is
    to be reviewed."""

    tasks: tuple[TaskAcross, ...]
    hard: tuple[FailurePattern, ...]


def cross_check(runs: Sequence[StoredRun]) -> Crosscheck:
    """Compares each task's clean calls over platforms. Runs of one platform are taken together."""
    from offhook.scoring import settle_calls

    counts: dict[tuple[str, str], dict[str, list[bool]]] = {}
    for run in runs:
        for result in settle_calls(run.records, run.grades, attempts=run.manifest.attempts):
            key = result.record.key
            if key.audio == CLEAN and result.graded:
                by_platform = counts.setdefault((key.pack, key.task), {})
                by_platform.setdefault(key.platform, []).append(result.state == "passed")
    failures: dict[tuple[str, str], list[tuple[str, CallRecord, tuple[str, ...]]]] = {}
    for run in runs:
        for record, signature in failures_of(run):
            if record.key.audio == CLEAN:
                place = failures.setdefault((record.key.pack, record.key.task), [])
                place.append((run.manifest.run_id, record, signature))
    tasks = tuple(_task(*key, counts[key], failures.get(key, ())) for key in sorted(counts))
    hard = tuple(
        FailurePattern(task.pack, task.task, (f"0 of {graded} on {platform}",), calls)
        for task in tasks
        for platform, (passes, graded) in task.passes.items()
        if passes == 0 and (calls := _calls(failures.get((task.pack, task.task), ()), platform))
    )
    return Crosscheck(tasks, hard)


def _task(
    pack: str,
    task: str,
    by_platform: Mapping[str, Sequence[bool]],
    failures: Sequence[tuple[str, CallRecord, tuple[str, ...]]],
) -> TaskAcross:
    passes = {
        platform: (sum(by_platform[platform]), len(by_platform[platform])) for platform in sorted(by_platform)
    }
    none = [platform for platform, (passed, _) in passes.items() if passed == 0]
    if not none:
        whole = all(passed == graded for passed, graded in passes.values())
        return TaskAcross(pack, task, passes, "passes" if whole else "mixed")
    if len(none) < len(passes):
        return TaskAcross(pack, task, passes, "passable")
    shared = _shared(failures)
    return TaskAcross(pack, task, passes, "suspect" if shared else "fails", shared)


def _shared(failures: Sequence[tuple[str, CallRecord, tuple[str, ...]]]) -> tuple[str, ...]:
    """The way of failing that most platforms have in common, where at least two have it."""
    by_way: dict[tuple[str, ...], set[str]] = {}
    for _, record, signature in failures:
        by_way.setdefault(signature, set()).add(record.key.platform)
    common = [(-len(platforms), way) for way, platforms in by_way.items() if len(platforms) > 1]
    return min(common)[1] if common else ()


def _calls(
    failures: Sequence[tuple[str, CallRecord, tuple[str, ...]]], platform: str
) -> tuple[Occurrence, ...]:
    found = [
        occurrence_of(run_id, record) for run_id, record, _ in failures if record.key.platform == platform
    ]
    return tuple(sorted(found))
