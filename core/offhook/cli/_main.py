"""The command group: built-in commands, plugins' commands, and one place where errors become one line."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

from offhook.cli._errors import ExitCode, exit_code_of, one_line
from offhook.cli._output import count
from offhook.hooks import CommandSpec
from offhook.host import PluginHost

__all__ = ["OffhookGroup", "main"]

_BUILT_IN: Mapping[str, CommandSpec] = MappingProxyType(
    {
        spec.name: spec
        for spec in (
            CommandSpec(
                "demo",
                "Take seven benchmark calls over real audio, offline, and grade them.",
                "offhook.cli.demo:demo",
            ),
            CommandSpec("run", "Place calls to a platform and grade them.", "offhook.cli.run:run"),
            CommandSpec(
                "check", "Say what a platform needs and costs; dials nothing.", "offhook.cli.check:check"
            ),
            CommandSpec(
                "conformance",
                "Hold a platform's adapter to the contract.",
                "offhook.cli.conformance:conformance",
            ),
            CommandSpec("drill", "Drill a platform in a live meeting.", "offhook.cli.drill:drill"),
            CommandSpec("grade", "Grade the stored calls of a run again.", "offhook.cli.grade:grade"),
            CommandSpec("judge", "Have the stored calls of a run judged.", "offhook.cli.judge:judge"),
            CommandSpec(
                "judge-check",
                "Check a judge against calls that people graded.",
                "offhook.cli.judge_check:judge_check",
            ),
            CommandSpec("golden", "Make a page to grade calls blind.", "offhook.cli.golden:golden"),
            CommandSpec("verify", "Have the checks of stored calls decided.", "offhook.cli.verify:verify"),
            CommandSpec(
                "regrade",
                "Exchange the graders of a run, comparing every outcome.",
                "offhook.cli.regrade:regrade",
            ),
            CommandSpec(
                "freeze", "Write what a score depends on as a manifest.", "offhook.cli.freeze:freeze"
            ),
            CommandSpec(
                "semver", "Say which version a changed manifest has to have.", "offhook.cli.semver:semver"
            ),
            CommandSpec("report", "Write a run's report as one HTML page.", "offhook.cli.report:report"),
            CommandSpec(
                "scorecard",
                "Show a run's score, lanes and exam table.",
                "offhook.cli.scorecard:scorecard",
            ),
            CommandSpec("compare", "Compare runs with a baseline.", "offhook.cli.compare:compare"),
            CommandSpec("view", "Serve the reports of many runs, and compare two.", "offhook.cli.view:view"),
            CommandSpec(
                "export", "Write the calls and grades of a run as a table.", "offhook.cli.export:export"
            ),
            CommandSpec(
                "select", "Select a layer's model by the published rule.", "offhook.cli.select:select"
            ),
            CommandSpec("power", "Say how many calls tell two platforms apart.", "offhook.cli.power:power"),
            CommandSpec(
                "defects", "Look for the benchmark's own defects in runs.", "offhook.cli.defects:defects"
            ),
            CommandSpec("audit", "Draw calls for people to review.", "offhook.cli.audit:audit"),
            CommandSpec(
                "reply", "Send a platform its results, and track its flags.", "offhook.cli.reply:reply"
            ),
            CommandSpec("new", "Make a new plugin that works and is tested.", "offhook.cli.new:new"),
            CommandSpec("tasks", "List tasks, or show one.", "offhook.cli.tasks:tasks"),
            CommandSpec("packs", "List industry packs, or check one.", "offhook.cli.packs:packs"),
            CommandSpec(
                "voices", "List the callers' voices, or listen to them.", "offhook.cli.voices:voices"
            ),
            CommandSpec(
                "plugins",
                "List plugins, what they provide, and what is wrong with them.",
                "offhook.cli.plugins:plugins",
            ),
        )
    }
)


class OffhookGroup(click.Group):
    """Looks commands up by name; nothing but the one that is used gets imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_BUILT_IN, *(name for name in sorted(_host(ctx).commands()) if name not in _BUILT_IN)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        spec = _BUILT_IN.get(cmd_name) or _host(ctx).commands().get(cmd_name)
        if spec is None:
            return None
        try:
            return _load(spec)
        except Exception as error:
            raise click.ClickException(f"command {cmd_name!r} cannot be loaded: {one_line(error)}") from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        specs = {**_host(ctx).commands(), **_BUILT_IN}
        rows = [(name, specs[name].help) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            from offhook.runner.plan import UnknownName

            raise UnknownName("command", args[0], self.list_commands(ctx)) from error


def _host(ctx: click.Context) -> PluginHost:
    found = ctx.find_object(PluginHost)
    if found is None:
        found = ctx.obj = PluginHost.discover()
    return found


def _load(spec: CommandSpec) -> click.Command:
    module, _, attribute = spec.target.partition(":")
    command: Any = getattr(import_module(module), attribute)
    if not isinstance(command, click.Command):
        raise TypeError(f"{spec.target} is not a click command")
    return command


@click.group(
    cls=OffhookGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with: offhook demo",
)
@click.version_option(package_name="offhook", prog_name="offhook")
def _offhook() -> None:
    """Benchmark voice agents on what actually arrives.

    Simulated people call a platform over real audio; the score comes from the tool server's log, the database
    left behind and our own recording.
    """


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and exits: 0 done, 1 some calls ended in a harness error, 2 wrong usage, 3
    something is missing or broken on this machine, 4 stopped before the spending cap, 130 interrupted.
    """
    try:
        result = _offhook.main(args=arguments, prog_name="offhook", standalone_mode=False)
    except NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        click.echo(f"Error: {one_line(error)}{_see_help(error)}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(ExitCode.INTERRUPTED)
    except Exception as error:
        code = exit_code_of(error)
        if code is None:
            raise
        hint = _see_plugins() if code is ExitCode.USAGE else ""
        click.echo(f"Error: {one_line(error)}{hint}", err=True)
        sys.exit(code)
    sys.exit(result if isinstance(result, int) else ExitCode.DONE)


def _see_help(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f" (see {context.command_path} --help)" if context is not None else ""


def _see_plugins() -> str:
    """A name may be unknown because the plugin that has it could not be used."""
    host = PluginHost.discover()
    host.all_components()
    return f" ({count(len(host.problems), 'plugin problem')}, see offhook plugins)" if host.problems else ""
