"""``offhook packs``: the installed packs, and the check that pack authors run."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from pathlib import Path

import attrs
import click

from offhook._packplace import placed
from offhook._packregex import without_slow_patterns
from offhook._packshape import shape_problems, sound_parts
from offhook.callers import PackChecker, ScriptChecker
from offhook.cli._output import count, json_option, print_json, print_table
from offhook.cli._steps import Steps
from offhook.host import PluginHost, Problem
from offhook.packcheck import PackProblem, Severity, check_keys, check_pack
from offhook.packs import Pack
from offhook.runner import EngineChoice, choose_engines
from offhook.runner.plan import UnknownName
from offhook.speech import SpeechUnavailable

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


@packs.command(
    epilog="""\b
Examples:
  offhook packs check
  offhook packs check customer-support
  offhook packs check customer-support --json
"""
)
@click.argument("names", nargs=-1)
@json_option
def check(names: tuple[str, ...], as_json: bool) -> None:
    """Check packs, and list everything that is wrong with them.

    Types, names, tools, tables and seed; each task's key, replayed twice, and its structure numbers; rules
    that never fire, overlap without an order or fail a test sentence; guards that don't guard (keys are run
    again without a gate, without consent and with another call's token); what the prompt, the agent graph and
    the follower's guide refer to; patterns that take forever. A line says what was expected, and in which
    file. Notes do no harm. Exits 1 if there is an error.
    """
    host = PluginHost.discover()
    installed = host.packs()
    broken = _plugin_problems(host, names)
    for name in names:
        if name not in installed and not any(_is_about(problem, name) for problem in broken):
            raise UnknownName("pack", name, installed)
    chosen = tuple(name for name in names or installed if name in installed)
    problems = [("", _as_problem(problem)) for problem in broken]
    unheard: SpeechUnavailable | None = None
    with Steps(2 * len(chosen)) as steps:  # half a minute for a pack of thirty tasks
        for name in chosen:
            steps.begin(f"checking {name}")
            problems += [(name, problem) for problem in _checked(installed[name])]
        every = [pack for pack in installed.values() if not any(shape_problems(pack))]
        problems += [
            (name, problem)
            for problem in check_keys(every)
            for name in chosen
            if problem.where.startswith(f"{name}/")
        ]
        try:
            for name in chosen:
                steps.begin(f"trying the test sentences of {name}")
                problems += [(name, problem) for problem in _cue_problems(host, installed[name])]
        except SpeechUnavailable as missing:
            unheard = missing  # what was found without is told all the same
    errors = [problem for _, problem in problems if problem.severity is Severity.ERROR]
    if as_json:
        print_json(
            [
                {
                    "pack": name,
                    "where": p.where,
                    "expected": p.expected,
                    "severity": p.severity.value,
                    "file": p.file,
                }
                for name, p in problems
            ]
        )
    else:
        for _, problem in problems:
            click.echo(str(attrs.evolve(problem, file=_near(problem.file))))
        faulty = {name for name, problem in problems if name and problem.severity is Severity.ERROR}
        for name in sorted(faulty):
            plugin = host.components("industry")[name].plugin
            click.echo(f"{name} comes from {plugin.file or plugin.name} ({plugin.distribution})")
        notes = len(problems) - len(errors)
        click.echo(
            f"{count(len(chosen), 'pack')} checked: {count(len(errors), 'error')}, {count(notes, 'note')}"
            f"{' (notes do no harm: such a pack can be used as it is)' if notes and not errors else ''}"
        )
    if unheard is not None:
        raise SpeechUnavailable(f"the rules' test sentences are not checked: {unheard}") from unheard
    if errors:
        sys.exit(1)


def _checked(pack: Pack) -> tuple[PackProblem, ...]:
    with redirect_stdout(sys.stderr):  # tools run here, and stdout is the list's alone
        return check_pack(pack)


def _plugin_problems(host: PluginHost, names: tuple[str, ...]) -> list[Problem]:
    """Plugins that could have brought a pack and did not. Of one that can't be imported nobody knows what it
    would have brought.
    """
    found = [
        problem
        for problem in host.problems
        if problem.what.startswith(("cannot be imported", "industry ")) or "offhook_industr" in problem.what
    ]
    return [p for p in found if not names or any(_is_about(p, name) for name in names)]


def _is_about(problem: Problem, name: str) -> bool:
    named = {problem.plugin, problem.distribution, problem.distribution.removeprefix("offhook-")}
    return name in named or problem.what.startswith(f"industry {name!r} ")


def _as_problem(problem: Problem) -> PackProblem:
    where = f"{problem.plugin} ({problem.distribution})"
    return PackProblem(where, f"expected a plugin whose packs can be used; {problem.what}")


def _near(file: str) -> str:
    """A file below the working folder without the way there."""
    here = f"{Path.cwd()}{os.sep}"
    return file.removeprefix(here)


def _cue_problems(host: PluginHost, pack: Pack) -> list[PackProblem]:
    """What the installed callers say of the scripts of a pack, without the tasks that are not of their
    type, or whose patterns take forever.
    """
    sound = without_slow_patterns(sound_parts(pack)[0])
    embedder = choose_engines(host, EngineChoice()).embedder
    problems: list[PackProblem] = []
    for name, caller in host.callers().items():
        if isinstance(caller, ScriptChecker):
            problems += placed(sound, caller.check_script(sound, embedder))
        elif isinstance(caller, PackChecker):
            where = f"{pack.name} (caller {name})"
            problems += [PackProblem(where, line) for line in caller.check_pack(sound, embedder)]
    return list(dict.fromkeys(problems))  # two callers may share a mind
