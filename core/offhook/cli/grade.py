"""``offhook grade``: grade stored calls again, without placing any."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.caches import cache_root
from offhook.cli._carry import show_summary
from offhook.cli._errors import ExitCode
from offhook.cli._output import json_option
from offhook.host import PluginHost
from offhook.runner import GradeDesk, summary_of
from offhook.storage import RunFolder

__all__ = ["grade"]


@click.command(
    epilog="Examples: offhook grade runs/demo-20261130-101500; offhook grade RUN --grader wer --json"
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--grader", "only", multiple=True, metavar="NAME", help="Only this grader (repeatable).")
@json_option
def grade(run: Path, only: tuple[str, ...], as_json: bool) -> int:
    """Grade the stored calls of a run again.

    Evidence is only read; grades are written beside it, one folder a grader and version.
    """
    host = PluginHost.discover()
    folder = RunFolder.open(run)
    desk = GradeDesk(host, folder, cache_root() / "images", only=only)
    with folder.lock():
        for call_id in folder.call_ids():
            if folder.record(call_id).ending == "completed":
                desk.grade(call_id)
    summary = summary_of(folder, host)
    show_summary(folder, summary, as_json=as_json)
    return ExitCode.CALLS_IN_ERROR if summary.error else ExitCode.DONE
