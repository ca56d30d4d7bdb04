"""``offhook acme-calls``."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.storage import RunFolder


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
def acme_calls(run: Path) -> None:
    """Count the calls of a run."""
    click.echo(f"{len(RunFolder.open(run).call_ids())} calls")
