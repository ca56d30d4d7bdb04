"""``offhook tasks``: the tasks of the installed packs, as a list or one in full."""

from __future__ import annotations

from collections.abc import Iterator

import click

from offhook.cli._output import json_option, print_json, print_table
from offhook.host import PluginHost
from offhook.packs import Rule, Task
from offhook.runner.plan import UnknownName, pick_tasks

__all__ = ["tasks"]


@click.group(
    invoke_without_command=True,
    epilog="Examples: offhook tasks; offhook tasks --pack customer-support --json; offhook tasks show T4-H1",
)
@click.option("--pack", "pack_name", metavar="NAME", help="Only the tasks of this pack.")
@json_option
@click.pass_context
def tasks(ctx: click.Context, pack_name: str | None, as_json: bool) -> None:
    """List tasks, or show one."""
    if ctx.invoked_subcommand is not None:
        return
    packs = PluginHost.discover().packs()
    if pack_name is not None and pack_name not in packs:
        raise UnknownName("pack", pack_name, packs)
    chosen = pick_tasks(packs, [pack_name] if pack_name else [])
    rows = [
        {
            "pack": task.pack,
            "id": task.id,
            "title": task.title,
            "tier": task.tier.value,
            "tool_calls": task.structure.tool_calls,
            "constrained_args": task.structure.constrained_args,
            "rows_written": task.structure.rows_written,
        }
        for task in chosen
    ]
    if as_json:
        print_json(rows)
        return
    columns = ("task", "title", "tier", "calls", "args", "rows")
    print_table(
        f"{len(rows)} tasks (tool calls, constrained arguments, rows written)",
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
    )


@tasks.command(epilog="Example: offhook tasks show customer-support/T4-H1")
@click.argument("name")
def show(name: str) -> None:
    """Print one task as a person would want to read it."""
    packs = PluginHost.discover().packs()
    found = pick_tasks(packs, [name])
    if len(found) != 1:
        raise UnknownName("task", name, [f"{task.pack}/{task.id}" for task in found])
    click.echo("\n".join(_lines(found[0])))


def _lines(task: Task) -> Iterator[str]:
    structure = task.structure
    yield f"{task.pack}/{task.id}  {task.title}"
    yield f"{task.tier.value}, {task.category}: {structure.tool_calls} tool calls, "
    yield f"  {structure.constrained_args} constrained arguments, {structure.rows_written} rows written"
    yield ""
    yield f"Opens with: {task.intent.opening}"
    yield from (f"  - {item}" for item in task.intent.conduct)
    yield ""
    yield "Knows"
    yield from (f"  {trait.name}: {trait.value}" for trait in task.traits)
    yield ""
    yield "Says"
    for rule in sorted(task.rules, key=lambda rule: (rule.order, rule.id)):
        yield from _rule_lines(rule)
    yield ""
    yield "Passes when these calls are made and the database is as they leave it"
    for call in task.expected:
        arguments = {
            **call.arguments,
            **call.free_text,
            **{name: f"<{path}>" for name, path in call.carry.items()},
        }
        yield f"  {call.tool}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


def _rule_lines(rule: Rule) -> Iterator[str]:
    often = "always" if rule.first_n is None else f"first {rule.first_n}"
    yield f"  {rule.id} ({often}{', then hangs up' if rule.ends_call else ''}): {rule.line}"
    yield f"      when: {rule.when}"
    for exception in rule.not_when:
        yield f"      not when: {exception}"
