"""``offhook run``: place calls and grade them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click
from click.core import ParameterSource

from offhook.cli._before import NotReady, look_over
from offhook.cli._carry import carry_out_and_show, say_trying
from offhook.cli._output import json_option
from offhook.host import PluginHost
from offhook.runner import (
    DEFAULT_AT_ONCE,
    PUBLIC_PORT,
    VARIANTS,
    EngineChoice,
    RunOptions,
    TooManyAtOnce,
    new_run,
    pick_tasks,
    resume_run,
    split_conditions,
)
from offhook.scoring import MAX_ATTEMPTS
from offhook.storage import MOST_ATTEMPTS, RunFolder

if TYPE_CHECKING:
    from offhook.freeze import FrozenManifest
    from offhook.records import FrozenStamp, ModelLayer

__all__ = ["run"]


@click.command(
    epilog="""\b
Examples:
  offhook run
  offhook run T4-H1 T4-E1 --runs 3 --workers 2
  offhook run customer-support --platform saboteur-alters-digit
  offhook run --platform openai-realtime --at-once 2 --max-cost 5
  offhook run --line text --fail-under 100
  offhook run --audio clean,noise,degraded --runs 5
  offhook run T4-H1 --audio noise --variants all
  offhook run -o voice=us-male-joe T4-E1
  offhook run --resume runs/reference-20261130-101500
  offhook run --manifest manifest.json --task customer-support/T4-H1
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
    "--audio",
    multiple=True,
    default=("clean",),
    show_default=True,
    metavar="NAMES",
    help="Audio conditions, by comma or repeated: clean; noise, a caller beside a road; degraded, a weak "
    "mobile signal (names: offhook plugins).",
)
@click.option(
    "--variants",
    type=click.Choice(VARIANTS),
    default=VARIANTS[0],
    show_default=True,
    help="Which tasks the conditions other than clean are placed for; easy ones, as the benchmark has it, or "
    "all.",
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
    "--task", "more_tasks", multiple=True, metavar="NAME", help="The same as an argument (repeatable)."
)
@click.option(
    "--attempts",
    default=MAX_ATTEMPTS,
    show_default=True,
    type=click.IntRange(1, MOST_ATTEMPTS),
    help="How often a call may be placed until it is graded: voids are placed again.",
)
@click.option(
    "--manifest",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Follow a frozen manifest (see offhook freeze); refused where what is installed differs from it.",
)
@click.option(
    "--selection",
    "selections",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A frozen selection of offhook select: the platform runs this model because the rule chose it "
    "(repeatable, one a layer).",
)
@click.option(
    "--max-cost",
    type=click.FloatRange(0, min_open=True),
    callback=lambda ctx, parameter, value: _number(ctx, parameter, value),
    metavar="USD",
    help="Start no call that could take the run past this. Not kept with the run: give it again on --resume, "
    "where what the run has cost counts.",
)
@click.option(
    "--public-url",
    default="",
    metavar="URL",
    help="For platforms that call tools over the internet: the address outside that leads to --tools-port.",
)
@click.option(
    "--tools-port",
    default=0,
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Where on this machine such platforms reach the tools.  "
    f"[default: {PUBLIC_PORT} with --public-url, else any free one]",
)
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
    audio: tuple[str, ...],
    variants: str,
    options: tuple[str, ...],
    ears: str,
    block: tuple[str, ...],
    out: Path | None,
    resume: Path | None,
    more_tasks: tuple[str, ...],
    attempts: int,
    manifest: Path | None,
    selections: tuple[Path, ...],
    max_cost: float | None,
    public_url: str,
    tools_port: int,
    fail_under: float | None,
    as_json: bool,
) -> int:
    """Place calls to a platform and grade them.

    TASKS are packs (customer-support), tasks (T4-H1) or both together (customer-support/T4-H1); none means
    all. Ctrl-C keeps finished calls. The exit code is 1 where a call ended in a harness error, was lost, is
    still void after its last attempt, a grader failed on it, or --fail-under is not met; calls that merely
    fail leave it 0. It is 4 where --max-cost held calls back: each call in flight is reckoned at the most of
    its list price, the dearest call so far, and three minutes at the most that a second has cost so far.

    Failures of a model that a --selection names leave the score, for the platform did not choose it.

    With --manifest the calls are those of the frozen manifest, and the run carries its version; any other run
    is a draft. A task, and fewer runs, may be chosen; what the manifest fixes may not be given otherwise.
    """
    host = PluginHost.discover(block=block)
    if resume is not None:
        _refuse_changes(ctx)
        planned = RunFolder.open(resume).manifest()
        look_over(host, platform=planned.platform, caller=planned.caller, options=planned.platform_options)
        with _usage(ctx):
            opened = resume_run(
                resume,
                host,
                workers=workers,
                at_once=at_once,
                block=block,
                tools_port=tools_port,
                public_url=public_url,
                max_cost=max_cost,
                on_trying=say_trying,
            )
        return carry_out_and_show(opened, as_json=as_json, fail_under=fail_under)
    follows = _frozen(host, manifest, platform)
    asked = RunOptions(
        platform=platform,
        out=out or Path("runs") / f"{platform}-{datetime.now().astimezone():%Y%m%d-%H%M%S}",
        tasks=(*tasks, *more_tasks),
        runs=runs,
        seed=seed,
        workers=workers,
        at_once=at_once,
        caller=caller,
        line=line,
        audio=split_conditions(audio),
        variants=variants,
        engines=EngineChoice(ears=ears),
        attempts=attempts,
        platform_options=dict(_pair(option) for option in options),
        block=block,
        selected=tuple(_selected(ctx, path, platform) for path in selections),
        tools_port=tools_port,
        public_url=public_url,
        max_cost=max_cost,
    )
    if follows is not None:
        asked = _following(ctx, _of_the_manifest(ctx, asked, host, follows[0]), *follows)
    look_over(host, platform=platform, caller=asked.caller, options=asked.platform_options)
    with _usage(ctx):
        opened = new_run(asked, host, on_trying=say_trying)
    return carry_out_and_show(opened, as_json=as_json, fail_under=fail_under)


def _selected(ctx: click.Context, path: Path, platform: str) -> ModelLayer:
    from offhook.selecting import SelectionRefused, read_selection

    selection = read_selection(path)
    if selection.platform != platform:
        raise click.UsageError(f"{path} selects for platform {selection.platform}, not {platform}", ctx)
    try:
        return selection.as_layer()
    except SelectionRefused as error:
        raise click.UsageError(f"{path}: {error}", ctx) from error


def _frozen(
    host: PluginHost, manifest: Path | None, platform: str
) -> tuple[FrozenManifest, FrozenStamp] | None:
    """Raises NotReady where what is installed is not what the manifest names."""
    if manifest is None:
        return None
    from offhook.freeze import check_install, frozen_stamp, read_frozen

    frozen = read_frozen(manifest)
    differ, _ = check_install(frozen, host, platform=platform)
    if differ:
        more = f" (and {len(differ) - 1} more: offhook freeze --check {manifest})" if len(differ) > 1 else ""
        raise NotReady(f"what is installed is not what {manifest} froze: {differ[0]}{more}")
    return frozen, frozen_stamp(manifest)


def _of_the_manifest(
    ctx: click.Context, asked: RunOptions, host: PluginHost, frozen: FrozenManifest
) -> RunOptions:
    """A pack may be installed beside the manifest, and its tasks are no part of what was frozen."""
    tasks = asked.tasks or tuple(sorted(frozen.pins["packs"]))
    for task in pick_tasks(host.packs(), tasks):
        if f"{task.pack}/{task.id}" not in frozen.pins["tasks"]:
            raise click.UsageError(f"the manifest has no task {task.pack}/{task.id}", ctx)
    return attrs.evolve(asked, tasks=tasks)


def _following(
    ctx: click.Context, asked: RunOptions, frozen: FrozenManifest, stamp: FrozenStamp
) -> RunOptions:
    """The run as the frozen plan has it. What it fixes may be left out or given the same."""
    plan = frozen.plan
    fixed: dict[str, tuple[object, object]] = {
        "seed": (asked.seed, plan.seed),
        "caller": (asked.caller, plan.caller),
        "line": (asked.line, plan.line),
        "audio": (",".join(asked.audio), ",".join(plan.audio)),
        "variants": (asked.variants, plan.variants),
        "ears": (asked.engines.ears, plan.engines.get("ears", asked.engines.ears)),
        "attempts": (asked.attempts, plan.attempts),
    }
    for name, (given, planned) in fixed.items():
        if _is_given(ctx, name) and given != planned:
            raise click.UsageError(f"--{name} is {planned} in the manifest, not {given}", ctx)
    if _is_given(ctx, "runs") and asked.runs > plan.runs:
        raise click.UsageError(f"--runs is {plan.runs} in the manifest, not {asked.runs}", ctx)
    return attrs.evolve(
        asked,
        runs=asked.runs if _is_given(ctx, "runs") else plan.runs,
        seed=plan.seed,
        caller=plan.caller,
        line=plan.line,
        audio=plan.audio,
        variants=plan.variants,
        engines=EngineChoice(**plan.engines),
        attempts=plan.attempts,
        frozen=stamp,
    )


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE


@contextmanager
def _usage(ctx: click.Context) -> Iterator[None]:
    try:
        yield
    except TooManyAtOnce as error:
        raise click.UsageError(f"--at-once: {error}", ctx) from error


def _refuse_changes(ctx: click.Context) -> None:
    """A resumed run is the one that was planned; only how it is carried out may differ."""
    free = {"resume", "workers", "at_once", "block", "fail_under", "as_json"}
    free |= {"max_cost", "public_url", "tools_port"}
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


def _number(ctx: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("expected an amount in USD", ctx, parameter)
    return value


def _pair(option: str) -> tuple[str, str]:
    name, separator, value = option.partition("=")
    if not separator or not name:
        raise click.UsageError(f"--option {option!r} must be NAME=VALUE")
    return name, value
