"""``offhook grade``: grade stored calls again, without placing any."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.cli._bar import with_bar
from offhook.cli._carry import is_incomplete, show_summary
from offhook.cli._errors import ExitCode
from offhook.cli._output import json_option, open_run, tell_damage, tell_failed_graders
from offhook.host import PluginHost
from offhook.runner import (
    Damaged,
    GradeDesk,
    default_grade_workers,
    grade_calls,
    other_versions,
    read_run,
    summarise,
)

__all__ = ["grade"]


@click.command(
    epilog="""\b
Examples:
  offhook grade runs/demo-20261130-101500
  offhook grade runs/reference-20261130-101500 --workers 4
  offhook grade runs/demo-20261130-101500 --grader hearing --json
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--grader", "only", multiple=True, metavar="NAME", help="Only this grader (repeatable).")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Processes that share the calls out.  [default: as many as there are processors, at most 8; one for "
    "few calls]",
)
@click.option(
    "--block", multiple=True, metavar="NAME", help="Leave out a plugin or distribution (repeatable)."
)
@json_option
def grade(
    run: Path, only: tuple[str, ...], workers: int | None, block: tuple[str, ...], as_json: bool
) -> int:
    """Grade the stored calls of a run again.

    Evidence is only read; grades are written beside it, one folder a grader and version. A call whose
    evidence is damaged, or that a grader fails on, is named, the others are graded, and the exit code is 1.
    Graders whose version is not
    the one that the run was graded by are left out: offhook regrade compares before it exchanges them.
    """
    host = PluginHost.discover(block=block)
    folder = open_run(run)
    with folder.lock():
        calls = GradeDesk(host, folder, only=only).gradable()
        graded, stopped = with_bar(
            "grading",
            len(calls),
            lambda stop, bar: grade_calls(
                folder,
                host,
                calls,
                workers=workers or default_grade_workers(len(calls)),
                only=only,
                block=block,
                stop=stop,
                on_done=bar.advance,
            ),
            last_words=f"begin again with: offhook grade {run}",
        )
        broken = [Damaged(call.call_id, call.problem) for call in graded if call.problem]
    stored = read_run(folder, host)
    summary = summarise(stored, host)
    show_summary(folder, summary, as_json=as_json)
    tell_damage((*broken, *stored.damaged))
    failed = tell_failed_graders(stored.grades, besides={damage.call_id for damage in broken})
    for other in other_versions(folder, host):
        if not only or other.grader in only:
            click.echo(f"left as it is: {other}; see offhook regrade", err=True)
    if stopped and len(graded) < len(calls):
        click.echo(
            f"stopped after {len(graded)} of {len(calls)} calls; begin again with: offhook grade {run}",
            err=True,
        )
        return ExitCode.INTERRUPTED
    incomplete = broken or stored.damaged or failed or is_incomplete(summary)
    return ExitCode.CALLS_IN_ERROR if incomplete else ExitCode.DONE
