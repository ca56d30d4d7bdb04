"""``offhook run``: place calls and grade them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import click
from click.core import ParameterSource

from offhook.cli._before import look_over
from offhook.cli._carry import carry_out_and_show, say_trying
from offhook.cli._output import json_option
from offhook.host import PluginHost
from offhook.runner import DEFAULT_AT_ONCE, EngineChoice, RunOptions, TooManyAtOnce, new_run, resume_run
from offhook.storage import RunFolder

__all__ = ["run"]


@click.command(
    epilog="""\b
Examples:
  offhook run
  offhook run T4-H1 T4-E1 --runs 3 --workers 2
  offhook run customer-support --platform saboteur-alters-digit
  offhook run --platform openai-realtime --at-once 2
  offhook run --line text --fail-under 100
  offhook run -o voice=us-male-joe T4-E1
  offhook run --resume runs/reference-20261130-101500
"""
)
@click.argument("tasks", nargs=-1)
@click.option(
    "--platform",
    default="reference",
    show_default=True,
    help="Who answers the calls (names: offhook plugins).",
)
@click.option(
    "--caller", default="scripted", show_default=True, help="Who places them (names: offhook plugins)."
)
@click.option(
    "--runs", default=1, show_default=True, type=click.IntRange(1), help="How often each task is called."
)
@click.option(
    "--seed", default=1, show_default=True, type=click.IntRange(0), help="Equal seeds, equal calls."
)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes.")
@click.option(
    "--at-once",
    type=click.IntRange(1),
    metavar="N",
    help="Real-time calls that each process holds at the same time; calls in virtual time come one by one.  "
    f"[default: as many as the platform takes, at most {DEFAULT_AT_ONCE}]",
)
@click.option(
    "--line",
    type=click.Choice(["audio", "text"]),
    default="audio",
    show_default=True,
    help="Real sound, or words alone: quick, for those who write packs and prompts.",
)
@click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Handed to the platform (repeatable).",
)
@click.option(
    "--ears",
    default=EngineChoice().ears,
    show_default=True,
    help="The platform's recogniser (names: offhook plugins).",
)
@click.option(
    "--block", multiple=True, metavar="NAME", help="Leave out a plugin or distribution (repeatable)."
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="The run's folder.  [default: runs/PLATFORM-TIME]"
)
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with a stopped run.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Exit 1 if fewer of the graded calls pass.",
)
@json_option
@click.pass_context
def run(
    ctx: click.Context,
    tasks: tuple[str, ...],
    platform: str,
    caller: str,
    runs: int,
    seed: int,
    workers: int,
    at_once: int | None,
    line: str,
    options: tuple[str, ...],
    ears: str,
    block: tuple[str, ...],
    out: Path | None,
    resume: Path | None,
    fail_under: float | None,
    as_json: bool,
) -> int:
    """Place calls to a platform and grade them.

    TASKS are packs (customer-support), tasks (T4-H1) or both together (customer-support/T4-H1); none means
    all. Ctrl-C keeps finished calls. The exit code is 1 where a call ended in a harness error, was lost, or
    --fail-under is not met; calls that merely fail leave it 0.
    """
    host = PluginHost.discover(block=block)
    if resume is not None:
        _refuse_changes(ctx)
        planned = RunFolder.open(resume).manifest()
        look_over(host, platform=planned.platform, caller=planned.caller)
        with _usage(ctx):
            opened = resume_run(
                resume, host, workers=workers, at_once=at_once, block=block, on_trying=say_trying
            )
        return carry_out_and_show(opened, as_json=as_json, fail_under=fail_under)
    asked = RunOptions(
        platform=platform,
        out=out or Path("runs") / f"{platform}-{datetime.now().astimezone():%Y%m%d-%H%M%S}",
        tasks=tasks,
        runs=runs,
        seed=seed,
        workers=workers,
        at_once=at_once,
        caller=caller,
        line=line,
        engines=EngineChoice(ears=ears),
        platform_options=dict(_pair(option) for option in options),
        block=block,
    )
    look_over(host, platform=platform, caller=caller, options=asked.platform_options)
    with _usage(ctx):
        opened = new_run(asked, host, on_trying=say_trying)
    return carry_out_and_show(opened, as_json=as_json, fail_under=fail_under)


@contextmanager
def _usage(ctx: click.Context) -> Iterator[None]:
    try:
        yield
    except TooManyAtOnce as error:
        raise click.UsageError(f"--at-once: {error}", ctx) from error


def _refuse_changes(ctx: click.Context) -> None:
    """A resumed run is the one that was planned; only how it is carried out may differ."""
    free = {"resume", "workers", "at_once", "block", "fail_under", "as_json"}
    given = [
        parameter.human_readable_name if isinstance(parameter, click.Argument) else parameter.opts[0]
        for parameter in ctx.command.params
        if parameter.name not in free
        and ctx.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(
            f"--resume goes on with the run as it was planned; leave out {' and '.join(given)}", ctx
        )


def _pair(option: str) -> tuple[str, str]:
    name, separator, value = option.partition("=")
    if not separator or not name:
        raise click.UsageError(f"--option {option!r} must be NAME=VALUE")
    return name, value
