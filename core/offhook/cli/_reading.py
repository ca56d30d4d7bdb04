"""What the commands share that have calls read by somebody: which calls, how far it is, what stops it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import attrs
import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import count
from offhook.grading import CallEvidence, Grade, Outcome
from offhook.host import PluginHost
from offhook.judged import Panel
from offhook.judging import Judge, JudgeUnavailable
from offhook.runner import Damaged, load_evidence
from offhook.runner.plan import UnknownName
from offhook.storage import RunFolder, StorageError
from offhook.verifying import VerifierUnavailable

__all__ = ["Reading", "Unavailable", "chosen_judge", "completed_calls", "read_calls"]


class Unavailable(click.ClickException):
    """Who was to read has no key or no answer: nothing is invented in its place."""

    exit_code = ExitCode.ENVIRONMENT


@attrs.frozen
class Reading:
    """What came of reading calls. ``kept`` counts calls that had been read before and were left alone."""

    grades: tuple[Grade, ...]
    damaged: tuple[Damaged, ...]
    kept: int
    interrupted: bool

    @property
    def code(self) -> ExitCode:
        if self.interrupted:
            return ExitCode.INTERRUPTED
        failed = any(grade.outcome is Outcome.ERROR for grade in self.grades)
        return ExitCode.CALLS_IN_ERROR if failed or self.damaged else ExitCode.DONE


def chosen_judge(host: PluginHost, name: str, panel: str | None) -> Judge:
    """The named judge, or a panel of the named ones.

    Raises:
        UnknownName: a judge that no plugin provides.
        UsageError: a panel that can't be one.
    """
    judges = host.judges()
    names = [name] if panel is None else [part.strip() for part in panel.split(",") if part.strip()]
    for each in names:
        if each not in judges:
            raise UnknownName("judge", each, judges)
    if panel is None:
        return judges[name]
    try:
        return Panel(tuple(judges[each] for each in names))
    except ValueError as error:
        raise click.UsageError(f"--panel {panel}: {error}", click.get_current_context()) from error


def completed_calls(folder: RunFolder, only: Sequence[str]) -> tuple[str, ...]:
    """The ids of the run's completed calls, or of those that are asked for.

    Raises:
        UnknownName: the run has no such call.
    """
    ids = folder.call_ids()
    for name in only:
        if name not in ids:
            raise UnknownName("call", name, ids)
    return tuple(
        call_id for call_id in ids if (not only or call_id in only) and _is_completed(folder, call_id)
    )


def _is_completed(folder: RunFolder, call_id: str) -> bool:
    try:
        return folder.record(call_id).ending == "completed"
    except StorageError:
        return True  # it is told as damaged when it is read


def read_calls(
    folder: RunFolder,
    host: PluginHost,
    call_ids: Sequence[str],
    read: Callable[[CallEvidence], Grade],
    *,
    stored: Callable[[str], Grade | None],
    keep: Callable[[Grade], None],
) -> Reading:
    """Has calls read one by one, keeps each grade at once and says on stderr how far it is. Ctrl-C and a
    reader that becomes unavailable lose nothing that was kept.

    Args:
        stored: a call's grade from before, which is then taken over; None has it read.

    Raises:
        Unavailable: the reader can't be used, now or from the start.
        StorageError: a grade can't be written.
    """
    packs = host.packs()
    grades: list[Grade] = []
    damaged: list[Damaged] = []
    kept, started, fresh = 0, time.monotonic(), 0
    try:
        for position, call_id in enumerate(call_ids, start=1):
            before = stored(call_id)
            if before is not None:
                grades.append(before)
                kept += 1
                continue
            try:
                evidence = load_evidence(folder, call_id, packs)
            except (StorageError, UnknownName) as error:
                damaged.append(Damaged(call_id, str(error)))
                continue
            grade = read(evidence)
            keep(grade)
            grades.append(grade)
            fresh += 1
            left = (time.monotonic() - started) / fresh * (len(call_ids) - position)
            key = evidence.record.key
            click.echo(
                f"{grade.outcome:<8} {key.placed} run {key.run}: {grade.summary}"
                f"  [{position}/{len(call_ids)}, about {left:.0f} s left]",
                err=True,
            )
    except (JudgeUnavailable, VerifierUnavailable) as error:
        done = f" ({count(fresh, 'call')} done and kept; go on with --resume)" if fresh else ""
        raise Unavailable(f"not measured: {error}{done}") from error
    except KeyboardInterrupt:
        click.echo(f"interrupted; {count(fresh, 'call')} done and kept, go on with --resume", err=True)
        return Reading(tuple(grades), tuple(damaged), kept, True)
    return Reading(tuple(grades), tuple(damaged), kept, False)
