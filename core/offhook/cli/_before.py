"""What is wrong with the set-up of a run, found before its first call."""

from __future__ import annotations

from collections.abc import Iterable

import click

from offhook import _program
from offhook._program import check_ready
from offhook.cli._errors import ExitCode
from offhook.cli._output import count
from offhook.grading import GradeKind
from offhook.host import PluginHost

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
    if all(grader.kind is not GradeKind.VERDICT for grader in host.graders().values()):
        raise click.UsageError(
            "no grader gives a verdict, so no call could be graded; install one or leave out --block"
        )
    try:
        check_ready(host, platform, caller, options=options)
    except _program.NotReady as error:
        raise NotReady(str(error)) from error
