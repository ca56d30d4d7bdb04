"""``offhook sabotage``: whether a pack's tasks catch what the saboteurs do."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from offhook_adapters.reference.sabotage import Attempt, TaskOutcome

__all__ = ["sabotage"]

_INTERRUPTED: Final = 130  # as of every command


@click.command(
    epilog="""\b
Examples:
  offhook sabotage customer-support
  offhook sabotage customer-support/T4-H1 --json
  offhook sabotage --out runs/sabotage
"""
)
@click.argument("names", nargs=-1, metavar="[PACK|TASK]...")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep the runs here, one folder a saboteur (default: they are thrown away).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout instead of a table.")
def sabotage(names: tuple[str, ...], out: Path | None, as_json: bool) -> int:
    """Try every saboteur on every task that gives it a chance.

    A saboteur is the reference platform with one fault: it skips a gate, alters a digit, claims what it has
    not done. A task that such a call passes has a hole in its key. The calls are text calls. The exit code is
    1 where a saboteur was not caught, or where fewer than three have a chance at a task.
    """
    from offhook.host import PluginHost
    from offhook.runner import pick_tasks
    from offhook_adapters.reference.sabotage import (
        UnsoundKey,
        applicable,
        attempt_all,
        outcomes,
        refuse_old_runs,
    )

    host = click.get_current_context().find_object(PluginHost) or PluginHost.discover()
    packs = host.packs()
    if not packs:
        raise click.UsageError("no industry pack is installed, so there is no task; see offhook plugins")
    tasks = pick_tasks(packs, names)
    if out is not None:
        refuse_old_runs(out)
    with tempfile.TemporaryDirectory(prefix="offhook-sabotage-") as scratch:
        folder = Path(scratch)
        try:
            chances = {task.key: applicable(packs[task.pack], task, folder / task.pack) for task in tasks}
        except UnsoundKey as fault:
            raise click.ClickException(str(fault)) from fault
        attempts: list[Attempt] = []
        total = sum(len(faults) for faults in chances.values())
        try:
            with _progress(total) as tell:
                attempt_all(host, chances, out or folder / "runs", on_done=tell, on_tried=attempts.extend)
        except KeyboardInterrupt:  # half a table would say that few have a chance
            missed = [item for item in attempts if not item.caught]
            click.echo(
                f"interrupted: {len(attempts)} of {total} calls judged, {len(missed)} not caught", err=True
            )
            for item in missed:
                click.echo(f"{item.pack}/{item.task}{_told(item)}", err=True)
            return _INTERRUPTED
    found = outcomes(chances, attempts)
    click.echo(json.dumps(_as_json(found), sort_keys=True) if as_json else "\n".join(_lines(found)))
    return 0 if all(outcome.sound for outcome in found) else 1


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """A bar on stderr where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        shown = bar.add_task("sabotage", total=total)
        yield lambda name: bar.update(shown, advance=1, description=name)


def _as_json(found: Sequence[TaskOutcome]) -> list[dict[str, object]]:
    return [
        {
            "pack": outcome.pack,
            "task": outcome.task,
            "sound": outcome.sound,
            "saboteurs": {item.saboteur: item.state for item in outcome.attempts},
            "missed": {item.saboteur: item.why for item in outcome.missed},
        }
        for outcome in found
    ]


def _told(item: Attempt) -> str:
    return f"  not caught: {item.saboteur} ({item.state}{': ' if item.why else ''}{item.why})"


def _lines(found: Sequence[TaskOutcome]) -> Iterator[str]:
    from offhook_adapters.reference.sabotage import LEAST_SABOTEURS

    yield "task  caught/tried"
    for outcome in found:
        caught = len(outcome.attempts) - len(outcome.missed)
        few = (
            ""
            if len(outcome.attempts) >= LEAST_SABOTEURS
            else f"  fewer than {LEAST_SABOTEURS} have a chance"
        )
        yield f"{outcome.pack}/{outcome.task}  {caught}/{len(outcome.attempts)}{few}"
        yield from map(_told, outcome.missed)
    tried = sum(len(outcome.attempts) for outcome in found)
    missed = sum(len(outcome.missed) for outcome in found)
    unsound = sum(not outcome.sound for outcome in found)
    calls = f"{tried} calls: {tried - missed} caught, {missed} not"
    yield f"{len(found)} tasks, {calls}; {unsound} tasks to look at"
