"""Exchanging the graders of a run: stored calls are graded by the installed ones, every outcome is compared
with the one that counted, and only then do the new grades count. Old grades are never deleted: they stay
where they are, and a finding that changed with the grades it reads, though not its version, moves to
``regrades/NNNN/replaced/``.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import attrs

from offhook.grading import Grade, GradeKind, Outcome
from offhook.host import PluginHost
from offhook.records import CallRecord
from offhook.runner._gradepool import grade_calls
from offhook.runner._versions import (
    REGRADE_VERSION,
    Change,
    Named,
    RegradeRecord,
    current_versions,
    grading_versions,
    regrades,
    write_regrade,
)
from offhook.runner.grade import GradedCall, GradeDesk
from offhook.runner.plan import UnknownName
from offhook.runner.run import summarise
from offhook.runner.stored import StoredRun, read_run
from offhook.scoring import ATTRIBUTION_REVIEWER, RunSummary
from offhook.storage import RunFolder, guarded, read_text

__all__ = ["Regrade", "SameVersion", "accept_regrade", "compared_regrade", "read_named"]

_GONE: Final = "no grade"


@attrs.frozen
class SameVersion:
    """A grader whose outcomes or numbers changed though its version did not: its new grades have no place."""

    grader: str
    version: str
    changed: int

    def __str__(self) -> str:
        calls = f"{self.changed} call{'' if self.changed == 1 else 's'}"
        return f"{self.grader} {self.version} no longer gives what it gave on {calls}; give it a new version"


@attrs.frozen
class Regrade:
    """What a regrade would change. ``before`` and ``after`` are the versions that count (empty: not installed
    any more). ``filled`` counts grades where there was none, or an error; ``renumbered`` those whose outcome
    stands and whose numbers changed, by grader. ``reviewers`` read grades, so they may change with them.
    ``idle`` are names that allowed nothing."""

    before: Mapping[str, str]
    after: Mapping[str, str]
    calls: int
    changes: tuple[Change, ...]
    named: tuple[Named, ...]
    filled: int
    renumbered: Mapping[str, int]
    unversioned: tuple[SameVersion, ...]
    reviewers: frozenset[str]
    broken: tuple[GradedCall, ...]
    idle: tuple[str, ...]
    summary_before: RunSummary
    summary_after: RunSummary

    @property
    def refused(self) -> tuple[Change, ...]:
        """The changes that nobody named."""
        return tuple(change for change in self.changes if not change.named)

    @property
    def acceptable(self) -> bool:
        return not self.refused and not self.unversioned

    @property
    def exchanged(self) -> Mapping[str, tuple[str, str]]:
        """Grader to old and new version, where they differ."""
        names = sorted({*self.before, *self.after})
        pairs = {name: (self.before.get(name, ""), self.after.get(name, "")) for name in names}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@contextmanager
def compared_regrade(
    folder: RunFolder,
    host: PluginHost,
    named: Sequence[Named] = (),
    *,
    workers: int = 1,
    block: Sequence[str] = (),
    stop: threading.Event | None = None,
    on_done: Callable[[GradedCall], None] = lambda _: None,
) -> Iterator[tuple[Regrade, RunFolder]]:
    """Grades all completed calls beside the run and compares; inside the block the new grades lie in the
    folder that comes with the result, for ``accept_regrade``, and afterwards they are gone. Hold the run's
    lock.

    Raises:
        UnknownName: ``named`` holds neither a call of the run nor one of its tasks.
        StorageError: the run can't be read, or the disk refuses.
        InterruptedError: ``stop`` was set before all calls were graded.
    """
    stored = read_run(folder, host)
    names = _resolved(named, stored)
    beside = RunFolder(folder.path / ".regrade")
    shutil.rmtree(beside.path, ignore_errors=True)
    with guarded(beside.path):
        beside.path.mkdir()
    try:
        call_ids = GradeDesk(host, folder, into=beside).gradable()
        graded = grade_calls(
            folder, host, call_ids, workers=workers, block=block, into=beside, stop=stop, on_done=on_done
        )
        if len(graded) < len(call_ids):
            raise InterruptedError(f"stopped after {len(graded)} of {len(call_ids)} calls")
        yield _compared(folder, host, stored, beside, graded, tuple(named), names), beside
    finally:
        shutil.rmtree(beside.path, ignore_errors=True)


def accept_regrade(folder: RunFolder, regrade: Regrade, beside: RunFolder) -> Path:
    """Puts the new grades in place, then writes the record that makes them count; returns its path.

    Raises:
        ValueError: it is not acceptable.
        StorageError: the disk refuses. The old grades then still count.
    """
    if not regrade.acceptable:
        raise ValueError("changes that nobody named are never accepted")
    number = len(regrades(folder)) + 1
    kept = folder.path / "regrades" / f"{number:04d}" / "replaced"
    for path in sorted(beside.path.glob("grades/*/*/*.json")):
        target = folder.path / path.relative_to(beside.path)
        grader, version = path.parent.parent.name, path.parent.name
        with guarded(target):
            if regrade.before.get(grader) == version and target.is_file():
                if grader not in regrade.reviewers or target.read_bytes() == path.read_bytes():
                    continue
                _keep(target, kept / grader / version / target.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(path, target)
    before, after = regrade.summary_before.score.points, regrade.summary_after.score.points
    record = RegradeRecord(
        version=REGRADE_VERSION,
        number=number,
        calls=regrade.calls,
        before=regrade.before,
        after=regrade.after,
        named=regrade.named,
        changes=regrade.changes,
        score_before=before,
        score_after=after,
    )
    return write_regrade(folder, record)


def _keep(path: Path, target: Path) -> None:
    """What a regrade that broke off has kept already is the older one."""
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, target)


def _compared(
    folder: RunFolder,
    host: PluginHost,
    stored: StoredRun,
    beside: RunFolder,
    graded: Sequence[GradedCall],
    named: tuple[Named, ...],
    names: Mapping[str, str],
) -> Regrade:
    before = {name: v for name, v in current_versions(folder, host, stored.manifest).items() if v}
    ours = grading_versions(host)
    judged = host.grade_versions()  # judges and verifiers are not run again: their word stands
    gone = [name for name in before if name not in judged]
    after = {**{name: v for name, v in before.items() if name not in gone}, **ours}
    reviewers = frozenset(name for name in host.reviewers() if name not in host.graders())
    records = {record.call_id: record for record in stored.records}
    old = _by_call(stored.grades)
    changes: list[Change] = []
    filled, renumbered, same = 0, dict[str, int](), dict[str, int]()
    new_grades: list[Grade] = []
    for call in graded:
        was = {grade.grader: grade for grade in old.get(call.call_id, ())}
        now = {grade.grader: grade for grade in beside.grades(call.call_id, ours)}
        if call.problem:  # it could not be graded: what an unchanged grader said of it stands, on disk too
            now |= {name: grade for name, grade in was.items() if name in ours and before[name] == ours[name]}
        kept = [grade for name, grade in was.items() if name not in ours and name not in gone]
        new_grades += [*kept, *now.values()]
        record = records.get(call.call_id)
        for name in sorted({*now, *was}):
            if name not in ours and name not in gone:
                continue
            change = _changed(name, was.get(name), now.get(name), record, names)
            if change is not None:
                changes.append(change)
            elif name in now and (name not in was or was[name].outcome is Outcome.ERROR):
                filled += 1
                continue
            elif name in now and dict(now[name].numbers) != dict(was[name].numbers):
                renumbered[name] = renumbered.get(name, 0) + 1
            else:
                continue
            if before.get(name) == after.get(name) and name not in reviewers and not call.problem:
                same[name] = same.get(name, 0) + 1
    used = {change.named for change in changes}
    return Regrade(
        before=before,
        after={**after, **dict.fromkeys(gone, "")},
        calls=len(graded),
        changes=tuple(changes),
        named=named,
        filled=filled,
        renumbered=dict(sorted(renumbered.items())),
        unversioned=tuple(SameVersion(name, before[name], same[name]) for name in sorted(same)),
        reviewers=reviewers,
        broken=tuple(call for call in graded if call.problem),
        idle=tuple(item.name for item in named if item.name not in used),
        summary_before=summarise(stored, host),
        summary_after=summarise(attrs.evolve(stored, grades=tuple(new_grades)), host),
    )


def _changed(
    name: str, was: Grade | None, now: Grade | None, record: CallRecord | None, names: Mapping[str, str]
) -> Change | None:
    """None where there was no outcome to change, or it stands. A measure that nobody makes any more is no
    change; a verdict is."""
    if was is None or was.outcome is Outcome.ERROR or (now is None and was.kind is not GradeKind.VERDICT):
        return None
    old, new = _told(was), _GONE if now is None else _told(now)
    if old == new:
        return None
    key = record.key if record is not None else None
    task = f"{key.pack}/{key.task}" if key else ""
    return Change(
        call_id=was.call_id,
        task=task,
        run=key.run if key else 0,
        audio=key.audio if key else "",
        grader=name,
        old=old,
        new=new,
        named=names.get(was.call_id, "") or names.get(task.casefold(), ""),
    )


def _told(grade: Grade) -> str:
    cause = grade.numbers.get("cause") if grade.grader == ATTRIBUTION_REVIEWER else None
    return str(grade.outcome) if cause is None else f"{grade.outcome}, cause {cause:g}"


def _by_call(grades: Sequence[Grade]) -> dict[str, list[Grade]]:
    found: dict[str, list[Grade]] = {}
    for grade in grades:
        found.setdefault(grade.call_id, []).append(grade)
    return found


def _resolved(named: Sequence[Named], stored: StoredRun) -> dict[str, str]:
    """What is named, by call id or casefolded ``pack/TASK``, to the name as it was given."""
    calls = {record.call_id for record in stored.records}
    tasks = {f"{record.key.pack}/{record.key.task}" for record in stored.records}
    found: dict[str, str] = {}
    for item in named:
        name = item.name.casefold()
        meant = [task for task in tasks if name in (task.casefold(), task.partition("/")[2].casefold())]
        if item.name in calls:
            found[item.name] = item.name
        elif len(meant) == 1:
            found[meant[0].casefold()] = item.name
        else:
            raise UnknownName("call or task", item.name, tasks)
    return found


def read_named(path: Path) -> tuple[Named, ...]:
    """Names out of a file: one a line, its reason behind it; blank lines and lines that start with # are left
    out.

    Raises:
        StorageError: the file can't be read.
    """
    lines = (line.strip() for line in read_text(path).removeprefix("\ufeff").splitlines())
    pairs = (line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return tuple(Named(pair[0], pair[1] if len(pair) > 1 else "") for pair in pairs)
