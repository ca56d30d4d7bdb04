"""``offhook packs``: the installed packs, and the check that pack authors run."""

from __future__ import annotations

import sys

import click

from offhook._packshape import shape_problems
from offhook.callers import PackChecker
from offhook.cli._output import count, json_option, print_json, print_table
from offhook.host import PluginHost
from offhook.packcheck import PackProblem, Severity, check_pack
from offhook.packs import Pack
from offhook.runner import EngineChoice, choose_engines
from offhook.runner.plan import UnknownName

__all__ = ["packs"]


@click.group(
    invoke_without_command=True,
    epilog="""\b
Examples:
  offhook packs
  offhook packs check customer-support
  offhook packs --json
""",
)
@json_option
@click.pass_context
def packs(ctx: click.Context, as_json: bool) -> None:
    """List industry packs, or check one."""
    if ctx.invoked_subcommand is not None:
        return
    found = PluginHost.discover().packs().values()
    rows = [
        {
            "name": pack.name,
            "title": pack.title,
            "version": pack.version,
            "tasks": len(pack.tasks),
            "tools": len(pack.tools),
            "tables": len(pack.tables),
        }
        for pack in found
    ]
    if as_json:
        print_json(rows)
        return
    columns = ("name", "title", "version", "tasks", "tools", "tables")
    cells = [tuple(row[column] for column in columns) for row in rows]
    print_table(count(len(rows), "pack"), columns, cells, whole=("name",))


@packs.command(epilog="Example: offhook packs check customer-support")
@click.argument("names", nargs=-1)
@json_option
def check(names: tuple[str, ...], as_json: bool) -> None:
    """Check packs: replayed keys, structure numbers, rules, templates. Exits 1 if a pack has an error."""
    host = PluginHost.discover()
    installed = host.packs()
    for name in names:
        if name not in installed:
            raise UnknownName("pack", name, installed)
    chosen = names or tuple(installed)
    problems = [(name, problem) for name in chosen for problem in check_pack(installed[name])]
    problems += [(name, problem) for name in chosen for problem in _cue_problems(host, installed[name])]
    errors = [problem for _, problem in problems if problem.severity is Severity.ERROR]
    if as_json:
        print_json(
            [
                {"pack": name, "where": p.where, "expected": p.expected, "severity": p.severity.value}
                for name, p in problems
            ]
        )
    else:
        for _, problem in problems:
            click.echo(f"{problem.severity}: {problem.where}: {problem.expected}")
        faulty = {name for name, problem in problems if problem.severity is Severity.ERROR}
        for name in sorted(faulty):
            plugin = host.components("industry")[name].plugin
            click.echo(f"{name} comes from {plugin.file or plugin.name} ({plugin.distribution})")
        notes = len(problems) - len(errors)
        click.echo(
            f"{count(len(chosen), 'pack')} checked: {count(len(errors), 'error')}, {count(notes, 'note')}"
            f"{' (notes do no harm: such a pack can be used as it is)' if notes else ''}"
        )
    if errors:
        sys.exit(1)


def _cue_problems(host: PluginHost, pack: Pack) -> list[PackProblem]:
    """What the installed callers say of the cue tests of a pack whose pieces are what they should be."""
    if any(shape_problems(pack)):
        return []
    embedder = choose_engines(host, EngineChoice()).embedder
    return [
        PackProblem(f"{pack.name} (caller {name})", line)
        for name, caller in host.callers().items()
        if isinstance(caller, PackChecker)
        for line in caller.check_pack(pack, embedder)
    ]
