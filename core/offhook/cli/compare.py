"""``offhook compare``: runs beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import json_option, open_run, print_json, tell_damage

if TYPE_CHECKING:
    from offhook.scorecard import CardInput, ReadRun

__all__ = ["compare"]


@click.command(
    epilog="""\b
Examples:
  offhook compare runs/monday runs/tuesday
  offhook compare runs/baseline runs/new-prompt runs/new-model --html comparison.html
  offhook compare runs/monday runs/tuesday --json
  offhook compare runs/monday runs/other-tasks --anyway
"""
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...", type=click.Path(path_type=Path))
@click.option(
    "--anyway", is_flag=True, help="Compare runs that differ in what can change a score, and say so."
)
@click.option("--judge", default="", metavar="NAME", help="Take the verdicts from this judge or verifier.")
@click.option("--html", type=click.Path(path_type=Path), metavar="OUT", help="Write it as a page.")
@json_option
@click.pass_context
def compare(
    ctx: click.Context, runs: tuple[Path, ...], anyway: bool, judge: str, html: Path | None, as_json: bool
) -> int:
    """Compare two or more runs; the first is the baseline.

    Shows the difference of pass rates over the tasks that both have, with its interval, which components are
    a tie, and which tasks changed. Runs that differ in tasks, caller, packs, graders or anything else
    that can change a score on the same calls are refused: it says what differs. The platform, its options
    and its ears may differ. Damaged calls are named and left out; then the exit code is 1.
    """
    from offhook import scorecard as cards
    from offhook.cli._cards import show_comparison
    from offhook.cli._pages import refuse_evidence, write_page
    from offhook.host import PluginHost

    if len(runs) < 2:
        raise click.UsageError("name at least two runs, the baseline first", ctx)
    host = PluginHost.discover()
    folders = {name: open_run(path) for name, path in _named(runs, ctx).items()}
    refuse_evidence(html, folders.values())
    read = {name: cards.read_input(folder, host) for name, folder in folders.items()}
    if judge:
        _check_judge(judge, read, ctx)
    data = {name: found.data for name, found in read.items()}
    if not anyway:
        _refuse_incomparable(data, judge, ctx)
    wrong = {name: found.wrong_verdicts for name, found in read.items()}
    comparison = cards.compare_runs(data, judge=judge, wrong_verdicts=wrong)
    damaged = {name: [each.why for each in found.damaged] for name, found in read.items()}
    if html is not None:
        write_page(html, cards.compare_page(comparison, damaged=damaged))
    if as_json:
        print_json(cards.plain(comparison))
    else:
        show_comparison(comparison)
    if html is not None:
        click.echo(f"Page: {html}", err=as_json)
    every = [each for found in read.values() for each in found.damaged]
    tell_damage(every)
    return ExitCode.CALLS_IN_ERROR if every else ExitCode.DONE


def _named(runs: tuple[Path, ...], ctx: click.Context) -> dict[str, Path]:
    """Each run under its folder's name, or its whole path where two folders have one name."""
    names = [path.resolve().name for path in runs]
    named = {
        str(path) if names.count(name) > 1 else name: path for name, path in zip(names, runs, strict=True)
    }
    if len({path.resolve() for path in runs}) < len(runs) or len(named) < len(runs):
        raise click.UsageError("a run is named twice", ctx)
    return named


def _check_judge(judge: str, read: dict[str, ReadRun], ctx: click.Context) -> None:
    for name, found in read.items():
        if judge not in found.judges:
            has = ", ".join(found.judges) or "none"
            raise click.UsageError(
                f"--judge: no call of {name} has a verdict of {judge!r}; it has: {has}", ctx
            )


def _refuse_incomparable(data: dict[str, CardInput], judge: str, ctx: click.Context) -> None:
    from offhook.scorecard import comparability

    base, *others = data
    differ = [
        f"{base} and {name}: {line}"
        for name in others
        for line in comparability(data[base], data[name], judge=judge).differences
    ]
    if differ:
        raise click.UsageError(f"not comparable: {'; '.join(differ)}; --anyway compares them", ctx)
