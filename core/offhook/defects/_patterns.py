"""Failures that look alike: what of a task's key was missed, without values that differ from call to call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from offhook.grading import Grade
    from offhook.records import CallRecord
    from offhook.runner import StoredRun

__all__ = ["FailurePattern", "LiveTracker", "Occurrence", "repeating", "signature_of"]


@attrs.frozen(order=True)
class Occurrence:
    """One failed call."""

    run_id: str
    platform: str
    call_id: str
    run: int
    audio: str


@attrs.frozen
class FailurePattern:
    """One task failing in one way. ``signature`` says in which, one missed thing a line."""

    pack: str
    task: str
    signature: tuple[str, ...]
    calls: tuple[Occurrence, ...]

    @property
    def platforms(self) -> tuple[str, ...]:
        return tuple(sorted({call.platform for call in self.calls}))

    @property
    def told(self) -> str:
        """One line for people, with the ids of the calls."""
        ids = ", ".join(call.call_id for call in self.calls)
        times = f"{len(self.calls)} times"
        where = f" on {', '.join(self.platforms)}" if len(self.platforms) > 1 else ""
        return (
            f"{self.pack}/{self.task} fails {times}{where} the same way ({'; '.join(self.signature)}): {ids}"
        )


def signature_of(grades: Iterable[Grade]) -> tuple[str, ...]:
    """In which way a call failed: the expected requests that were missed and how, or where none was, the
    expected changes that were missed and the changes nobody expected. Empty where no verdict failed.

    Arguments and columns are named, values are not: five calls that mishear five different names fail in one
    way."""
    failed = {grade.grader: grade for grade in grades if grade.kind == "verdict" and grade.outcome == "fail"}
    missed = [
        line
        for name in sorted(failed)
        for line in _missed_requests(_rows(failed[name].evidence, "expected_calls"))
    ]
    forbidden = [
        f"{row.get('tool', '?')}: forbidden"
        for name in sorted(failed)
        for row in _rows(failed[name].evidence, "forbidden_requests")
    ]
    if missed or forbidden:
        return tuple(dict.fromkeys(missed + forbidden))
    changes = [line for name in sorted(failed) for line in _missed_changes(failed[name].evidence)]
    return tuple(dict.fromkeys(changes)) or tuple(f"{name}: failed" for name in sorted(failed))


def _missed_requests(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    told = []
    for row in rows:
        if row.get("matched"):
            continue
        wrong = sorted({str(each.get("what", "?")) for each in _rows(row, "differences")})
        told.append(f"{row.get('tool', '?')}: {'wrong ' + ', '.join(wrong) if wrong else 'not called'}")
    return told


def _missed_changes(evidence: Mapping[str, Any]) -> list[str]:
    told = [
        f"{row.get('table', '?')}.{row.get('column', '?')}: not as expected"
        for row in _rows(evidence, "expected_changes")
        if not row.get("ok")
    ]
    told += [
        f"{row.get('table', '?')}: unexpected {row.get('kind', 'change')}"
        for row in _rows(evidence, "unexpected_changes")
    ]
    return told


def _rows(evidence: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """A list of objects out of a grade's evidence; another author's grader may hold anything there."""
    rows = evidence.get(name)
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list | tuple) else []


def repeating(runs: Sequence[StoredRun], *, least: int = 2) -> tuple[FailurePattern, ...]:
    """The ways of failing that occurred at least ``least`` times over all runs, most frequent first.

    Raises:
        ValueError: ``least`` is below 1.
    """
    if least < 1:
        raise ValueError(f"least must be at least 1, got {least}")
    found: dict[tuple[str, str, tuple[str, ...]], list[Occurrence]] = {}
    for run in runs:
        for record, signature in failures_of(run):
            place = found.setdefault((record.key.pack, record.key.task, signature), [])
            place.append(occurrence_of(run.manifest.run_id, record))
    patterns = [
        FailurePattern(pack, task, signature, tuple(sorted(calls)))
        for (pack, task, signature), calls in found.items()
        if len(calls) >= least
    ]
    return tuple(
        sorted(patterns, key=lambda found: (-len(found.calls), found.pack, found.task, found.signature))
    )


def failures_of(run: StoredRun) -> list[tuple[CallRecord, tuple[str, ...]]]:
    """The failed calls of a run, each with its signature."""
    from offhook.scoring import settle_calls

    grades: dict[str, list[Grade]] = {}
    for grade in run.grades:
        grades.setdefault(grade.call_id, []).append(grade)
    return [
        (result.record, signature_of(grades.get(result.record.call_id, ())) or ("no agent speech",))
        for result in settle_calls(run.records, run.grades, attempts=run.manifest.attempts)
        if result.state == "failed"
    ]


def occurrence_of(run_id: str, record: CallRecord) -> Occurrence:
    """A failed call as patterns name it."""
    key = record.key
    return Occurrence(run_id, key.platform, record.call_id, key.run, key.audio)


class LiveTracker:
    """Watches a run's calls as they come in and raises a way of failing when it repeats: at its second call,
    then each time the number of its calls has doubled."""

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self._seen: dict[tuple[str, str, tuple[str, ...]], list[Occurrence]] = {}

    def see(self, record: CallRecord, grades: Iterable[Grade]) -> FailurePattern | None:
        """The pattern that this call completes, or None. A call that passed, or was not graded, is none."""
        signature = signature_of(grades)
        if not signature:
            return None
        key = (record.key.pack, record.key.task, signature)
        calls = self._seen.setdefault(key, [])
        calls.append(occurrence_of(self._run_id, record))
        count = len(calls)
        if count < 2 or count & (count - 1):
            return None
        return FailurePattern(*key, tuple(calls))
