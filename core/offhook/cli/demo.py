"""``offhook demo``: the quickest way to see all of it work."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

import click

from offhook.cli._before import look_over
from offhook.cli._carry import carry_out_and_show, say_trying
from offhook.cli._output import json_option
from offhook.host import PluginHost
from offhook.runner import RunOptions, new_run

__all__ = ["DEMO_TASKS", "demo"]

DEMO_TASKS: Final = (
    "customer-support/R-E1",
    "customer-support/T4-E1",
    "customer-support/T4-H1",
    "healthcare/C2-M2",
    "healthcare/C3-E1",
    "legal/C1-E1",
    "legal/C5-E1",
)
"""Short calls of every tier to each of the three packs: about a minute's work, where all 90 take many."""


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

    They are a fixed selection of the 90 tasks, with calls to each of the three packs; offhook run takes all
    tasks, or those you name. A synthetic caller rings the reference platform, which listens, looks things up
    on the tool server and answers aloud. Nothing leaves this machine and no key is needed.
    """
    asked = RunOptions(
        platform="reference",
        out=out or Path("runs") / f"demo-{datetime.now().astimezone():%Y%m%d-%H%M%S}",
        tasks=DEMO_TASKS,
        seed=seed,
        workers=workers,
    )
    host = PluginHost.discover()
    look_over(host, platform=asked.platform, caller=asked.caller)
    return carry_out_and_show(new_run(asked, host, on_trying=say_trying), as_json=as_json)
