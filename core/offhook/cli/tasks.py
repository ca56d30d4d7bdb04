"""``offhook tasks``: the tasks of the installed packs, as a list or one in full."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from offhook.cli._output import count, json_option, print_json, print_table
from offhook.host import PluginHost
from offhook.packs import Pack, Task, Tier
from offhook.runner.plan import UnknownName, assign_voices, pick_tasks

if TYPE_CHECKING:
    from offhook.cli._taskpage import TaskView

__all__ = ["tasks"]


@click.group(
    invoke_without_command=True,
    epilog="""\b
Examples:
  offhook tasks
  offhook tasks --pack customer-support --tier hard
  offhook tasks --category membership
  offhook tasks --pack customer-support --json
  offhook tasks show T4-H1
""",
)
@click.option("--pack", "pack_name", metavar="NAME", help="Only the tasks of this pack.")
@click.option("--category", metavar="NAME", help="Only the tasks of this category.")
@click.option(
    "--tier",
    type=click.Choice([tier.value for tier in Tier], case_sensitive=False),
    help="Only the tasks of this tier.",
)
@json_option
@click.pass_context
def tasks(
    ctx: click.Context, pack_name: str | None, category: str | None, tier: str | None, as_json: bool
) -> None:
    """List tasks, or show one."""
    if ctx.invoked_subcommand is not None:
        return
    packs = PluginHost.discover().packs()
    if pack_name is not None and pack_name not in packs:
        raise UnknownName("pack", pack_name, packs)
    chosen = pick_tasks(packs, [pack_name] if pack_name else [])
    if category is not None:
        known = {task.category for task in chosen}
        if category.casefold() not in {name.casefold() for name in known}:
            raise UnknownName("category", category, known)
        chosen = tuple(task for task in chosen if task.category.casefold() == category.casefold())
    chosen = tuple(task for task in chosen if tier in (None, task.tier.value))
    if as_json:
        print_json([_row(packs, task) for task in chosen])
        return
    columns = ("task", "title", "tier", "calls", "args", "rows")
    print_table(
        f"{count(len(chosen), 'task')} (tool calls, constrained arguments, rows written)",
        columns,
        [
            (
                f"{task.pack}/{task.id}",
                task.title,
                task.tier.value,
                task.structure.tool_calls,
                task.structure.constrained_args,
                task.structure.rows_written,
            )
            for task in chosen
        ],
        whole=("task",),
    )
    if chosen:
        click.echo(f"categories: {', '.join(dict.fromkeys(task.category for task in chosen))}")


def _row(packs: Mapping[str, Pack], task: Task) -> dict[str, object]:
    return {
        "pack": task.pack,
        "id": task.id,
        "title": task.title,
        "category": task.category,
        "tier": task.tier.value,
        "gated": packs[task.pack].gated(task),
        "tool_calls": task.structure.tool_calls,
        "constrained_args": task.structure.constrained_args,
        "rows_written": task.structure.rows_written,
    }


@tasks.command(epilog="Example: offhook tasks show customer-support/T4-H1")
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Print one task as a person would want to read it.

    The caller's part, with when each line is said; the calls that pass; the rows that they leave behind, by
    replaying them on the seed; and the calls that fail it.
    """
    from offhook.cli._taskpage import task_json, task_lines

    host = PluginHost.discover()
    packs = host.packs()
    if name in packs:
        raise UnknownName(
            "task (it is a pack; name one task of it)",
            name,
            [f"{name}/{task.id}" for task in packs[name].tasks],
        )
    found = pick_tasks(packs, [name])  # not more than one: a name that several packs share is refused
    view = _view(host, packs[found[0].pack], found[0])
    if as_json:
        print_json(task_json(view))
        return
    click.echo("\n".join(task_lines(view)))


def _view(host: PluginHost, pack: Pack, task: Task) -> TaskView:
    from offhook.caches import cache_root
    from offhook.cli._taskpage import TaskView
    from offhook.runner import default_slots
    from offhook.toolserver import ReplayError, SeedError, SeedImages, replay

    slots = default_slots(host)
    voice = assign_voices([pack], slots)[task.key] if slots else ""
    images = SeedImages(cache_root() / "images")
    try:
        with tempfile.TemporaryDirectory(prefix="offhook-task-") as scratch:
            return TaskView(pack, task, voice, replay(pack, task, Path(scratch), images=images).changes)
    except (ReplayError, SeedError) as fault:
        return TaskView(pack, task, voice, (), str(fault))
