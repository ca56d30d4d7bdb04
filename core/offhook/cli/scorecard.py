"""``offhook scorecard``: the cards of one run."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import json_option, open_run, print_json, tell_damage, tell_failed_graders

__all__ = ["scorecard"]


@click.command(
    epilog="""\b
Examples:
  offhook scorecard runs/demo-20261130-101500
  offhook scorecard --report runs/nightly --judge my-judge
  offhook scorecard runs/nightly --exam
  offhook scorecard runs/nightly --html card.html
  offhook scorecard runs/nightly --json
"""
)
@click.argument("run", required=False, type=click.Path(path_type=Path))
@click.option("--report", type=click.Path(path_type=Path), metavar="DIR", help="The run, instead of RUN.")
@click.option(
    "--judge",
    default="",
    metavar="NAME",
    help="Take the verdicts of lanes and exam, and the compliance lane, from this judge or verifier.",
)
@click.option("--exam", is_flag=True, help="Show the exam table instead of score and lanes.")
@click.option(
    "--wrong-verdict",
    "wrong_verdicts",
    multiple=True,
    metavar="CALL",
    help="Id of a call whose verdict was found to be wrong, besides those of kept audit forms; the exam "
    "leaves it out (repeatable).",
)
@click.option("--html", type=click.Path(path_type=Path), metavar="OUT", help="Write all cards as a page.")
@json_option
@click.pass_context
def scorecard(
    ctx: click.Context,
    run: Path | None,
    report: Path | None,
    judge: str,
    exam: bool,
    wrong_verdicts: tuple[str, ...],
    html: Path | None,
    as_json: bool,
) -> int:
    """Show the score, the five lanes and the exam table of a run.

    Everything is computed from the calls, grades and request logs in the run's folder; nothing is placed or
    graded. A lane with too few calls reads "thin", one without evidence "not measured". Calls that are
    damaged are named and left out; then, and where a call ended in an error, the exit code is 1.
    """
    from offhook import scorecard as cards
    from offhook.cli._cards import show_scorecard
    from offhook.cli._pages import refuse_evidence, write_page
    from offhook.host import PluginHost

    if (run is None) == (report is None):
        raise click.UsageError("name one run, as RUN or with --report", ctx)
    folder = open_run(run or report or Path())
    refuse_evidence(html, [folder])
    read = cards.read_input(folder, PluginHost.discover())
    known = {record.call_id for record in read.data.records}
    if unknown := sorted(set(wrong_verdicts) - known):
        raise click.UsageError(f"--wrong-verdict: {folder.path} holds no call {unknown[0]}", ctx)
    if judge and judge not in read.judges:
        raise click.UsageError(
            f"--judge: no call has a verdict of {judge!r}; there are: {', '.join(read.judges) or 'none'}", ctx
        )
    wrong = {*wrong_verdicts, *read.wrong_verdicts}
    card = cards.scorecard(read.data, judge=judge, wrong_verdicts=wrong)
    if html is not None:
        write_page(html, cards.scorecard_page(card, damaged=[found.why for found in read.damaged]))
    if as_json:
        print_json(cards.plain(card))
    else:
        show_scorecard(card, exam=exam)
    if html is not None:
        click.echo(f"Page: {html}", err=as_json)
    tell_damage(read.damaged)
    tell_failed_graders(read.data.grades)
    return ExitCode.CALLS_IN_ERROR if read.damaged or card.platform.counts.error else ExitCode.DONE
