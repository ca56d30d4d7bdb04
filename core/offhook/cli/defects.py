"""``offhook defects``: what in these results may be the benchmark's own fault."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, open_run, print_json, tell_damage
from offhook.cli._pages import shown

if TYPE_CHECKING:
    from offhook.defects import FailurePattern, TaskAcross

__all__ = ["defects"]


@click.command(
    epilog="""\b
Examples:
  offhook defects runs/acme-20261130
  offhook defects runs/acme-20261130 runs/beta-20261130 --least 3
  offhook defects runs/* --json
"""
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=click.Path(path_type=Path))
@click.option(
    "--least", default=2, show_default=True, type=click.IntRange(1), help="Calls that make a pattern."
)
@json_option
@click.pass_context
def defects(ctx: click.Context, runs: tuple[Path, ...], least: int, as_json: bool) -> int:
    """Look for the benchmark's own defects in one or several runs.

    Lists failures that repeat in the same way, tasks that platforms fail alike (a suspected defect) or that
    one fails and another passes (evidence that they can be passed), and every task with no pass at all on a
    platform, whose calls want a full review. Damaged calls are named and left out; then the exit code is 1.
    """
    from offhook.defects import cross_check, repeating
    from offhook.host import PluginHost
    from offhook.runner import read_run

    if len({run.resolve() for run in runs}) < len(runs):
        raise click.UsageError("a run is named twice; its calls would count twice", ctx)
    host = PluginHost.discover()
    stored = [read_run(open_run(run), host) for run in runs]
    patterns, across = repeating(stored, least=least), cross_check(stored)
    damaged = [damage for run in stored for damage in run.damaged]
    if as_json:
        print_json(
            {
                "patterns": [attrs.asdict(pattern) for pattern in patterns],
                "tasks": [attrs.asdict(task) for task in across.tasks],
                "review": [attrs.asdict(pattern) for pattern in across.hard],
                "damaged": [attrs.asdict(damage) for damage in damaged],
            }
        )
    else:
        _tell("Failures that repeat", [_pattern(pattern) for pattern in patterns])
        _tell(
            "Tasks that no run or not every run passes, over platforms (clean calls)",
            [_task(task) for task in across.tasks if task.reading != "passes"],
        )
        _tell("To be reviewed in full, no run passes", [_hard(hard) for hard in across.hard])
        whole = sum(task.reading == "passes" for task in across.tasks)
        passes = "passes" if 1 in (whole, len(across.tasks)) else "pass"
        click.echo(f"{whole} of {count(len(across.tasks), 'task')} {passes} every run on every platform")
    tell_damage(damaged)
    return ExitCode.CALLS_IN_ERROR if damaged else ExitCode.DONE


def _tell(title: str, blocks: Sequence[Sequence[str]]) -> None:
    click.echo(f"{title}: {len(blocks) or 'none'}")
    for first, *rest in blocks:
        click.echo(f"  {shown(first)}")
        for line in rest:
            click.echo(f"      {shown(line)}")


def _pattern(pattern: FailurePattern) -> list[str]:
    where = ", ".join(pattern.platforms)
    head = f"{pattern.pack}/{pattern.task}: {count(len(pattern.calls), 'call')} on {where}"
    return [head, *pattern.signature, _ids(pattern)]


def _hard(pattern: FailurePattern) -> list[str]:
    """Its signature is how many pass and where."""
    return [f"{pattern.pack}/{pattern.task}: {', '.join(pattern.signature)}", _ids(pattern)]


def _ids(pattern: FailurePattern) -> str:
    several = len({call.run_id for call in pattern.calls}) > 1  # runs of one seed give calls equal ids
    ids = ", ".join(f"{call.run_id}/{call.call_id}" if several else call.call_id for call in pattern.calls)
    return f"calls {ids}"


def _task(task: TaskAcross) -> list[str]:
    rates = ", ".join(f"{name} {passes} of {graded}" for name, (passes, graded) in task.passes.items())
    return [f"{task.pack}/{task.task}: {task.reading} ({rates})", *task.shared]
