"""``offhook tasks``: the tasks of the installed packs, as a list or one in full."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from offhook.cli._output import count, json_option, print_json, print_table
from offhook.host import PluginHost
from offhook.packs import ExpectedCall, Rule, Task
from offhook.runner.plan import UnknownName, pick_tasks

__all__ = ["tasks"]

_WIDTH = 88


@click.group(
    invoke_without_command=True,
    epilog="""\b
Examples:
  offhook tasks
  offhook tasks --pack customer-support --json
  offhook tasks show T4-H1
""",
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
        f"{count(len(rows), 'task')} (tool calls, constrained arguments, rows written)",
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


@tasks.command(epilog="Example: offhook tasks show customer-support/T4-H1")
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Print one task as a person would want to read it."""
    packs = PluginHost.discover().packs()
    found = pick_tasks(packs, [name])
    if len(found) != 1:
        raise UnknownName("task", name, [f"{task.pack}/{task.id}" for task in found])
    if as_json:
        print_json(_as_json(found[0]))
        return
    click.echo("\n".join(_lines(found[0])))


def _as_json(task: Task) -> dict[str, object]:
    return {
        "pack": task.pack,
        "id": task.id,
        "title": task.title,
        "tier": task.tier.value,
        "category": task.category,
        "tool_calls": task.structure.tool_calls,
        "constrained_args": task.structure.constrained_args,
        "rows_written": task.structure.rows_written,
        "opening": task.intent.opening,
        "conduct": list(task.intent.conduct),
        "knows": {trait.name: str(trait.value) for trait in task.traits},
        "says": [
            {
                "rule": rule.id,
                "line": rule.line,
                "when": rule.when,
                "not_when": list(rule.not_when),
                "first_n": rule.first_n,
                "ends_call": rule.ends_call,
            }
            for rule in _in_order(task)
        ],
        "expected": [{"tool": call.tool, "arguments": _arguments(call)} for call in task.expected],
    }


def _in_order(task: Task) -> list[Rule]:
    return sorted(task.rules, key=lambda rule: (rule.order, rule.id))


def _arguments(call: ExpectedCall) -> dict[str, object]:
    """What a call is expected with; a value carried over from an earlier answer stands as ``<path>``."""
    return {**call.arguments, **call.free_text, **{name: f"<{path}>" for name, path in call.carry.items()}}


def _wrapped(text: str, *, first: str = "", further: str = "") -> Iterator[str]:
    yield from textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _lines(task: Task) -> Iterator[str]:
    structure = task.structure
    yield f"{task.pack}/{task.id}  {task.title}"
    yield from _wrapped(
        f"{task.tier.value}, {task.category}: {count(structure.tool_calls, 'tool call')}, "
        f"{count(structure.constrained_args, 'constrained argument')}, "
        f"{count(structure.rows_written, 'row')} written (a report lists the changed columns of these rows)",
        further="  ",
    )
    yield ""
    yield from _wrapped(f"Opens with: {task.intent.opening}", further="  ")
    for item in task.intent.conduct:
        yield from _wrapped(item, first="  - ", further="    ")
    yield ""
    yield "Knows"
    for trait in task.traits:
        yield from _wrapped(f"{trait.name}: {trait.value}", first="  ", further="      ")
    yield ""
    yield "Says"
    for rule in _in_order(task):
        yield from _rule_lines(rule)
    yield ""
    yield "Passes when these calls are made and the database is as they leave it"
    for call in task.expected:
        arguments = ", ".join(f"{name}={value!r}" for name, value in _arguments(call).items())
        yield from _wrapped(f"{call.tool}({arguments})", first="  ", further="      ")


def _rule_lines(rule: Rule) -> Iterator[str]:
    often = "always" if rule.first_n is None else f"first {rule.first_n}"
    ending = ", then hangs up" if rule.ends_call else ""
    yield from _wrapped(f"{rule.id} ({often}{ending}): {rule.line}", first="  ", further="      ")
    yield from _wrapped(f"when: {rule.when}", first="      ", further="        ")
    for exception in rule.not_when:
        yield from _wrapped(f"not when: {exception}", first="      ", further="        ")
