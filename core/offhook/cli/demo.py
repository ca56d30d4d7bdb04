"""``offhook demo``: the quickest way to see all of it work."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from offhook.cli._before import look_over
from offhook.cli._carry import carry_out_and_show, say_trying
from offhook.cli._output import json_option
from offhook.host import PluginHost
from offhook.runner import RunOptions, new_run

__all__ = ["demo"]


@click.command(
    epilog="""\b
Examples:
  offhook demo
  offhook demo --workers 1 --out /tmp/first-run
"""
)
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64), help="Processes.")
@click.option(
    "--seed", default=1, show_default=True, type=click.IntRange(0), help="Equal seeds, equal calls."
)
@click.option("--out", type=click.Path(path_type=Path), help="The run's folder.  [default: runs/demo-TIME]")
@json_option
def demo(workers: int, seed: int, out: Path | None, as_json: bool) -> int:
    """Take seven benchmark calls over real audio, offline, and grade them.

    A synthetic caller rings the reference platform, which listens, looks things up on the tool server and
    answers aloud. Nothing leaves this machine and no key is needed.
    """
    asked = RunOptions(
        platform="reference",
        out=out or Path("runs") / f"demo-{datetime.now().astimezone():%Y%m%d-%H%M%S}",
        tasks=("customer-support",),
        seed=seed,
        workers=workers,
    )
    host = PluginHost.discover()
    look_over(host, platform=asked.platform, caller=asked.caller)
    return carry_out_and_show(new_run(asked, host, on_trying=say_trying), as_json=as_json)
