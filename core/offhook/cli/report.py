"""``offhook report``: a run as one HTML page."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.host import PluginHost
from offhook.report import write_report
from offhook.storage import RunFolder

__all__ = ["report"]


@click.command(
    epilog="Examples: offhook report runs/demo-20261130-101500; offhook report RUN --out page.html --no-audio"
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="The page.  [default: RUN/report.html]")
@click.option("--audio/--no-audio", default=True, show_default=True, help="Put the recordings into the page.")
def report(run: Path, out: Path | None, audio: bool) -> None:
    """Write a run's report as one HTML page."""
    click.echo(f"Report: {write_report(RunFolder.open(run), PluginHost.discover(), out=out, audio=audio)}")
