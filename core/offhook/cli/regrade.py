"""``offhook regrade``: exchange the graders of a run, if no outcome changes that nobody named."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from offhook.cli._bar import with_bar
from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, open_run, print_json, print_table, tell_damage
from offhook.host import PluginHost

if TYPE_CHECKING:
    from offhook.runner import Regrade

__all__ = ["regrade"]


@click.command(
    epilog="""\b
Examples:
  offhook regrade runs/reference-20261130-101500 --dry-run
  offhook regrade runs/reference-20261130-101500
  offhook regrade RUN --allow customer-support/T4-H1 --reason "the key asked for a call nobody needs"
  offhook regrade RUN --allow-file changed.txt
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--allow",
    multiple=True,
    metavar="NAME",
    help="A call id or PACK/TASK whose outcomes may change (repeatable).",
)
@click.option(
    "--allow-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Such names out of a file: one a line, the reason behind it; # begins a comment.",
)
@click.option("--reason", default="", help="Why the names given with --allow may change; it is kept.")
@click.option("--dry-run", is_flag=True, help="Only say what would change.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Processes that share the calls out.  [default: as offhook grade]",
)
@click.option(
    "--block", multiple=True, metavar="NAME", help="Leave out a plugin or distribution (repeatable)."
)
@json_option
def regrade(
    run: Path,
    allow: tuple[str, ...],
    allow_file: Path | None,
    reason: str,
    dry_run: bool,
    workers: int | None,
    block: tuple[str, ...],
    as_json: bool,
) -> int:
    """Grade a run by other versions of its graders, and let their grades count.

    Every completed call is graded by the installed graders, beside the run. Each outcome is compared with
    the one that counts. If one changed on a call that --allow does not name, nothing becomes current and the
    exit code is 1. Otherwise the new grades count from then on, and regrades/ in the run keeps which graders,
    which changes and why. Old grades stay where they are. No call is placed.
    """
    from offhook.runner import (
        Damaged,
        GradeDesk,
        Named,
        accept_regrade,
        compared_regrade,
        default_grade_workers,
        read_named,
    )

    if reason and not allow:
        raise click.UsageError(
            "--reason goes with --allow NAME (in an --allow-file each name has its own)",
            click.get_current_context(),
        )
    host = PluginHost.discover(block=block)
    folder = open_run(run)
    named = tuple(Named(name, reason) for name in allow)
    if allow_file is not None:
        named = (*named, *read_named(allow_file))
    record: Path | None = None
    with folder.lock():
        total = len(GradeDesk(host, folder).gradable())

        def work(stop: Any, bar: Any) -> Regrade:
            nonlocal record
            used = workers or default_grade_workers(total)
            with compared_regrade(
                folder, host, named, workers=used, block=block, stop=stop, on_done=bar.advance
            ) as (
                found,
                beside,
            ):
                if found.acceptable and not dry_run and (found.exchanged or found.filled):
                    record = accept_regrade(folder, found, beside)
            return found

        try:
            found, _ = with_bar("grading", total, work, last_words="nothing has changed")
        except InterruptedError as error:
            click.echo(f"{error}; nothing has changed", err=True)
            return ExitCode.INTERRUPTED
    if as_json:
        print_json(_as_json(found, record))
    else:
        _print(found)
    tell_damage(Damaged(call.call_id, call.problem) for call in found.broken)
    _tell(found, record, dry_run=dry_run)
    return ExitCode.DONE if found.acceptable and not found.broken else ExitCode.CALLS_IN_ERROR


def _print(found: Regrade) -> None:
    for name, (old, new) in found.exchanged.items():
        click.echo(f"{name}: {old or 'new'} -> {new or 'not installed any more'}")
    if found.changes:
        print_table(
            f"{count(len(found.changes), 'outcome')} of {count(found.calls, 'call')} changed",
            ("call", "task", "run", "grader", "old", "new", "named"),
            [
                (
                    change.call_id,
                    change.task,
                    change.run,
                    change.grader,
                    change.old,
                    change.new,
                    change.named or "no",
                )
                for change in found.changes
            ],
            whole=("call", "task"),
        )
    for name, calls in found.renumbered.items():
        click.echo(f"{name}: other numbers on {count(calls, 'call')}, same outcome")
    before, after = found.summary_before, found.summary_after
    click.echo(
        f"passed {before.passed} of {before.graded} -> {after.passed} of {after.graded}, "
        f"score {_points(before.score.points)} -> {_points(after.score.points)}"
    )


def _tell(found: Regrade, record: Path | None, *, dry_run: bool) -> None:
    for same in found.unversioned:
        click.echo(f"refused: {same}", err=True)
    if found.refused:
        calls = sorted({change.call_id for change in found.refused})
        click.echo(
            f"refused: {count(len(found.refused), 'outcome')} of {count(len(calls), 'call')} changed that "
            "nobody named; look at them, then name those that may change with --allow. Nothing has changed",
            err=True,
        )
    for name in found.idle:
        click.echo(f"{name} was named, and nothing changed there", err=True)
    if record is not None:
        click.echo(f"the new grades count; kept in {record}", err=True)
    elif found.acceptable:
        what = "dry run" if dry_run else "the installed graders give what counts already"
        click.echo(f"{what}: nothing has changed", err=True)


def _points(points: float | None) -> str:
    return "not measured" if points is None else f"{points:.1f}"


def _as_json(found: Regrade, record: Path | None) -> dict[str, object]:
    return {
        "accepted": record is not None,
        "record": None if record is None else str(record),
        "calls": found.calls,
        "graders": {name: list(pair) for name, pair in found.exchanged.items()},
        "changes": [attrs.asdict(change) for change in found.changes],
        "refused": len(found.refused),
        "unversioned": [str(same) for same in found.unversioned],
        "renumbered": dict(found.renumbered),
        "filled": found.filled,
        "broken": {call.call_id: call.problem for call in found.broken},
        "score": [found.summary_before.score.points, found.summary_after.score.points],
        "passed": [found.summary_before.passed, found.summary_after.passed],
    }
