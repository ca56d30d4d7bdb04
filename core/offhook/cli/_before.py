"""What is wrong with the set-up of a run, found before its first call."""

from __future__ import annotations

from collections.abc import Iterable

import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import count
from offhook.grading import GradeKind
from offhook.host import PluginHost
from offhook.runner import UnknownName
from offhook.sessions import Checked, WithOptions

__all__ = ["NotReady", "look_over"]


class NotReady(click.ClickException):
    """A platform or caller lacks something on this machine."""

    exit_code = ExitCode.ENVIRONMENT


def look_over(host: PluginHost, *, platform: str, caller: str, options: Iterable[str] = ()) -> None:
    """Says what is odd about the plugins, and refuses a run that could only fail. Names nobody provides are
    left to the planning of the run.

    Raises:
        UnknownName: the platform takes no such option.
        UsageError: no installed grader gives a verdict, so no call could be graded.
        NotReady: the platform or the caller lacks a key or the like.
    """
    for name in host.idle_blocks:
        click.echo(f"warning: --block {name} matches nothing; names are listed by: offhook plugins", err=True)
    host.all_components()
    if host.problems:
        plugins = {(problem.plugin, problem.distribution) for problem in host.problems}
        have = "has" if len(plugins) == 1 else "have"
        click.echo(f"{count(len(plugins), 'plugin')} {have} problems; see: offhook plugins", err=True)
    adapter = host.adapters().get(platform)
    if isinstance(adapter, WithOptions):
        for name in options:
            if name not in adapter.options:
                raise UnknownName(f"option of {platform}", name, adapter.options)
    if all(grader.kind is not GradeKind.VERDICT for grader in host.graders().values()):
        raise click.UsageError(
            "no grader gives a verdict, so no call could be graded; install one or leave out --block"
        )
    for name, part in ((platform, adapter), (caller, host.callers().get(caller))):
        missing = part.check() if isinstance(part, Checked) else None
        if missing:
            raise NotReady(missing if name in missing else f"{name}: {missing}")
