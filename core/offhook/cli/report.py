"""``offhook report``: a run as one HTML page."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import open_run, tell_damage
from offhook.host import PluginHost
from offhook.report import write_report
from offhook.runner import damage_of

__all__ = ["report"]


@click.command(
    epilog="""\b
Examples:
  offhook report runs/demo-20261130-101500
  offhook report runs/demo-20261130-101500 --out page.html --no-audio
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="The page.  [default: RUN/report.html]")
@click.option(
    "--audio/--no-audio",
    default=None,
    help="Put the recordings into the page.  [default: up to 120 calls; offhook view plays those of any run]",
)
def report(run: Path, out: Path | None, audio: bool | None) -> int:
    """Write a run's report as one HTML page.

    A call whose files are damaged is shown as far as it can be read, and named; then the exit code is 1.
    """
    host = PluginHost.discover()
    folder = open_run(run)
    click.echo(f"Report: {write_report(folder, host, out=out, audio=audio)}")
    damaged = damage_of(folder, host)
    tell_damage(damaged)
    return ExitCode.CALLS_IN_ERROR if damaged else ExitCode.DONE
