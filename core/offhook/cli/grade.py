"""``offhook grade``: grade stored calls again, without placing any."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.cli._carry import show_summary
from offhook.cli._errors import ExitCode
from offhook.cli._output import json_option, open_run, tell_damage, tell_failed_graders
from offhook.host import PluginHost
from offhook.runner import Damaged, GradeDesk, read_run, summarise

__all__ = ["grade"]


@click.command(
    epilog="""\b
Examples:
  offhook grade runs/demo-20261130-101500
  offhook grade runs/demo-20261130-101500 --grader wer --json
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--grader", "only", multiple=True, metavar="NAME", help="Only this grader (repeatable).")
@json_option
def grade(run: Path, only: tuple[str, ...], as_json: bool) -> int:
    """Grade the stored calls of a run again.

    Evidence is only read; grades are written beside it, one folder a grader and version. A call whose
    evidence is damaged is named, the others are graded, and the exit code is 1.
    """
    host = PluginHost.discover()
    folder = open_run(run)
    desk = GradeDesk(host, folder, only=only)
    with folder.lock():
        broken = [Damaged(call.call_id, call.problem) for call in desk.regrade() if call.problem]
    stored = read_run(folder, host)
    summary = summarise(stored, host)
    show_summary(folder, summary, as_json=as_json)
    tell_damage((*broken, *stored.damaged))
    tell_failed_graders(stored.grades, besides={damage.call_id for damage in broken})
    return ExitCode.CALLS_IN_ERROR if broken or stored.damaged or summary.error else ExitCode.DONE
