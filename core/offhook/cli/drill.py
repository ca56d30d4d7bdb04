"""``offhook drill``: hold drills in a live meeting and mark them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from offhook import _program
from offhook._program import check_ready
from offhook.cli._before import NotReady
from offhook.cli._carry import in_thread, say_trying
from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, print_json, print_table
from offhook.host import PluginHost
from offhook.storage import to_json

if TYPE_CHECKING:
    from offhook.drillrun import DrillDone, DrillFolder, DrillResult, DrillSummary, OpenDrillRun, PlannedDrill

__all__ = ["drill"]


class _NewFolder(click.Path):
    """A path; an empty one would silently be the folder one is in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("it is empty; name a new folder", param, ctx)
        return super().convert(value, param, ctx)


@click.command(
    epilog="""\b
Examples:
  offhook drill
  offhook drill all --platform recruit
  offhook drill count_off --platform recruit-late
  offhook drill all --platform my-platform --runs 3 --seed 7
  offhook drill --resume runs/drill-my-platform-20261130-101500
  offhook drill --mark runs/drill-my-platform-20261130-101500
"""
)
@click.argument("drills", nargs=-1)
@click.option("--platform", help="Who is drilled (names: offhook plugins).")
@click.option(
    "--runs",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="How often each drill is held.",
)
@click.option(
    "--seed", default=1, show_default=True, type=click.IntRange(0), help="Equal seeds, equal drills."
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
    "--block", multiple=True, metavar="NAME", help="Leave out a plugin or distribution (repeatable)."
)
@click.option(
    "--out", type=_NewFolder(path_type=Path), help="The run's folder.  [default: runs/drill-PLATFORM-TIME]"
)
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with a stopped run.")
@click.option(
    "--mark", "marked", type=click.Path(path_type=Path), help="Mark the stored drills of a run again."
)
@json_option
@click.pass_context
def drill(
    ctx: click.Context,
    drills: tuple[str, ...],
    platform: str | None,
    runs: int,
    seed: int,
    options: tuple[str, ...],
    block: tuple[str, ...],
    out: Path | None,
    resume: Path | None,
    marked: Path | None,
    as_json: bool,
) -> int:
    """Drill a platform in a live meeting.

    A sergeant gives orders by voice; the mark is what reached the far end, never what the platform says of
    itself. DRILLS are names, or all; without any, the drills are listed.

    Ctrl-C keeps finished drills. The exit code is 1 where one ended in a harness error, or the platform
    never joined and nothing was marked; low marks leave it 0.
    """
    from offhook.drillrun import DrillFolder, DrillOptions, mark_again, new_drill_run, resume_drill_run
    from offhook.drillrun._plan import MOST_RUNS

    host = PluginHost.discover(block=block)
    if resume is not None and marked is not None:
        raise click.UsageError("--resume and --mark exclude each other", ctx)
    if marked is not None:
        _refuse_changes(ctx, "--mark", {"marked"})
        _tell_problems(host)
        folder = DrillFolder.open(marked)
        return _show(folder, mark_again(folder, host), host, as_json=as_json)
    if resume is not None:
        _refuse_changes(ctx, "--resume", {"resume"})
        planned = DrillFolder.open(resume).manifest()
        _look_over(host, planned.platform, planned.platform_options)
        return _carry_out(resume_drill_run(resume, host, on_trying=say_trying), as_json=as_json)
    if not drills:
        _list(host, as_json=as_json)
        return ExitCode.DONE
    if platform is None:
        raise click.UsageError("say who is drilled: --platform NAME (names: offhook plugins)", ctx)
    if runs > MOST_RUNS:
        raise click.UsageError(f"--runs is {runs}, expected 1 to {MOST_RUNS}", ctx)
    asked = DrillOptions(
        platform=platform,
        out=out or Path("runs") / f"drill-{platform}-{datetime.now().astimezone():%Y%m%d-%H%M%S}",
        drills=drills,
        runs=runs,
        seed=seed,
        platform_options=dict(_pair(option) for option in options),
    )
    _look_over(host, platform, asked.platform_options)
    return _carry_out(new_drill_run(asked, host, on_trying=say_trying), as_json=as_json, fresh=True)


def _list(host: PluginHost, *, as_json: bool) -> None:
    found = host.drills().values()
    if as_json:
        print_json(
            [
                {
                    "name": each.name,
                    "title": each.title,
                    "version": each.version,
                    "measures": each.measures,
                    "needs": sorted(need.value for need in each.needs),
                }
                for each in found
            ]
        )
        return
    print_table(
        count(len(found), "drill"),
        ("drill", "title", "measures", "needs"),
        [
            (each.name, each.title, each.measures, ", ".join(sorted(need.value for need in each.needs)))
            for each in found
        ],
        whole=("drill",),
    )
    click.echo("Hold one with: offhook drill NAME --platform PLATFORM")


def _tell_problems(host: PluginHost) -> None:
    for name in host.idle_blocks:
        click.echo(f"warning: --block {name} matches nothing; names are listed by: offhook plugins", err=True)
    host.all_components()
    if host.problems:
        plugins = {(problem.plugin, problem.distribution) for problem in host.problems}
        have = "has" if len(plugins) == 1 else "have"
        click.echo(f"{count(len(plugins), 'plugin')} {have} problems; see: offhook plugins", err=True)


def _look_over(host: PluginHost, platform: str, options: Iterable[str] = ()) -> None:
    """Says what is odd about the plugins, and refuses a run that could only fail."""
    _tell_problems(host)
    try:
        check_ready(host, platform, options=options)
    except _program.NotReady as error:
        raise NotReady(str(error)) from error


def _refuse_changes(ctx: click.Context, option: str, besides: set[str]) -> None:
    """A stored run is the one that was planned."""
    given = [
        parameter.human_readable_name if isinstance(parameter, click.Argument) else parameter.opts[0]
        for parameter in ctx.command.params
        if parameter.name not in {"block", "as_json", *besides}
        and ctx.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(f"{option} takes the run as it is; leave out {' and '.join(given)}", ctx)


class _Progress:
    """One line on stderr for each drill."""

    def __init__(self, total: int, already: int) -> None:
        self._total = total
        self._done = already

    def started(self, planned: PlannedDrill) -> None:
        self.say(f"holding {_name(planned)} ... [{self._done + 1}/{self._total}]")

    def finished(self, done: DrillDone) -> None:
        self._done += done.again is None
        again = "; once more" if done.again else ""
        mark = f"{done.mark.mark:.1f}" if done.mark else done.record.ending
        self.say(f"{mark:<6} {_name(done.planned)}  {done.why}{again}")

    def say(self, text: str) -> None:
        click.echo(text, err=True)

    def close(self) -> None:
        """Nothing is held open."""


def _carry_out(run: OpenDrillRun, *, as_json: bool, fresh: bool = False) -> int:
    from offhook.drillrun import carry_out_drills
    from offhook.platforms import PlatformUnusable

    go_on = f"go on with: offhook drill --resume {run.folder.path}"
    stop = threading.Event()
    progress = _Progress(len(run.planned), len(run.planned) - len(run.todo))
    try:
        summary = in_thread(
            lambda: carry_out_drills(run, stop=stop, on_started=progress.started, on_done=progress.finished),
            stop,
            progress,
            f"Run: {run.folder.path}\n{go_on}",
            things="drills",
        )
    except PlatformUnusable as error:
        if fresh and not run.folder.ids():
            run.folder.withdraw()  # there is nothing in it to go on with
            raise NotReady(f"{run.manifest.platform}: {error}") from error
        raise NotReady(f"{run.manifest.platform}: {error}; once that is mended, {go_on}") from error
    code = _show(run.folder, summary, run.host, as_json=as_json)
    if stop.is_set() and summary.counts.get("missing"):
        click.echo(f"stopped; {go_on}", err=True)
        return ExitCode.INTERRUPTED
    return code


def _show(folder: DrillFolder, summary: DrillSummary, host: PluginHost, *, as_json: bool) -> int:
    from offhook.drillrun import write_drill_page

    page = write_drill_page(folder, summary, dict(host.drills()))
    if as_json:
        print_json(_as_json(folder, summary))
    else:
        _print(summary)
        click.echo(f"Report: {page}")
    for line in summary.damaged:
        click.echo(f"damaged: {line}", err=True)
    unheard = summary.mean is None and summary.counts.get("void")  # as if it had never been run
    failed = summary.damaged or summary.counts.get("error") or unheard
    return ExitCode.CALLS_IN_ERROR if failed else ExitCode.DONE


def _print(summary: DrillSummary) -> None:
    manifest = summary.manifest
    several = manifest.runs > 1
    print_table(
        f"{manifest.run_id}: {manifest.platform}, seed {manifest.seed}",
        ("drill", *(("run",) if several else ()), "mark", "state", "why"),
        [
            (
                result.planned.drill,
                *((result.planned.run,) if several else ()),
                _points(result),
                result.state.replace("_", " "),
                f"{result.why} ({result.late})" if result.late else result.why,
            )
            for result in summary.results
        ],
        whole=("drill", "mark"),
    )
    if len(summary.results) == 1:
        _print_parts(summary.results[0])
    for result in summary.results:
        if result.record is not None and result.record.session_errors:
            first, *more = result.record.session_errors
            others = f" (and {len(more)} more, see the report)" if more else ""
            click.echo(f"{_name(result.planned)}: the platform's session told: {first}{others}")
    counts = ", ".join(
        f"{number} {state.replace('_', ' ')}" for state, number in sorted(summary.counts.items())
    )
    mean = "no drill was marked" if summary.mean is None else f"mean mark {summary.mean:.1f} of 100"
    drills = count(len(manifest.order), "drill")
    remark = (
        " (a platform of offhook's own: it shows that the drills work and is no contestant)"
        if manifest.harness_reference
        else ""
    )
    click.echo(f"{mean} over {drills}: {counts}{remark}" if summary.mean is not None else f"{mean}: {counts}")


def _print_parts(result: DrillResult) -> None:
    if result.mark is None or not result.mark.parts:
        return
    print_table(
        "Parts",
        ("part", "mark", "state", "why"),
        [(part.name, f"{part.mark:.1f}", part.state.value, part.why) for part in result.mark.parts],
        whole=("part", "mark"),
    )


def _as_json(folder: DrillFolder, summary: DrillSummary) -> dict[str, object]:
    return {
        "run": str(folder.path),
        "platform": summary.manifest.platform,
        "harness_reference": summary.manifest.harness_reference,
        "seed": summary.manifest.seed,
        "mean": summary.mean,
        "counts": dict(summary.counts),
        "drills": [
            {
                "drill": result.planned.drill,
                "run": result.planned.run,
                "id": result.planned.drill_id,
                "mark": result.mark.mark if result.mark else None,
                "state": result.state,
                "why": result.why,
                "late": result.late,
                "parts": json.loads(to_json(result.mark.parts)) if result.mark else [],
                "numbers": dict(result.mark.numbers) if result.mark else {},
            }
            for result in summary.results
        ],
    }


def _name(planned: PlannedDrill) -> str:
    return f"{planned.drill} run {planned.run}"


def _points(result: DrillResult) -> str:
    return f"{result.mark.mark:.1f}" if result.mark else "-"


def _pair(option: str) -> tuple[str, str]:
    name, separator, value = option.partition("=")
    if not separator or not name:
        raise click.UsageError(f"--option {option!r} must be NAME=VALUE")
    return name, value
