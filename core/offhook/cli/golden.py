"""``offhook golden``: a page to grade calls blind, and the labels that people saved from it."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, open_run, print_json, tell_damage
from offhook.cli._reading import Unavailable, completed_calls
from offhook.host import PluginHost
from offhook.judged import GoldenLabel, case_of, golden_page, read_labels, run_stamp, taken, write_labels
from offhook.judging import JudgeCase
from offhook.runner import Damaged
from offhook.storage import RunFolder, StorageError, guarded, write_text

__all__ = ["golden"]


@click.command(
    epilog="""\b
Examples:
  offhook golden runs/reference-20261130-101500 --out grade.html
  offhook golden RUN --out grade.html --calls 50 --seed 7
  offhook golden RUN --read ~/Downloads/labels.json
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="PAGE", help="Write the page here.")
@click.option("--calls", type=click.IntRange(1), metavar="N", help="This many calls.  [default: all]")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Equal seeds, equal order of calls."
)
@click.option("--force", is_flag=True, help="Write over a page that is there.")
@click.option(
    "--read",
    "saved",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take the labels in from what the page saved.",
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The labels file that --read adds to.  [default: labels.jsonl in RUN]",
)
@json_option
def golden(
    run: Path,
    out: Path | None,
    calls: int | None,
    seed: int,
    force: bool,
    saved: Path | None,
    labels: Path | None,
    as_json: bool,
) -> int:
    """Make a page on which people grade the calls of a run blind, and take in what they decided.

    The page shows what each caller wanted, what was said, and the criteria, in an order drawn from --seed. It
    shows neither the platform nor any verdict, works with the keyboard, and saves labels.json as a download.
    --read checks that file and adds it to the labels; a rater's earlier label of a criterion is replaced.
    """
    if (out is None) == (saved is None):
        raise click.UsageError(
            "give --out to make a page, or --read to take labels in", click.get_current_context()
        )
    host = PluginHost.discover()
    folder = open_run(run)
    cases, damaged = _cases(folder, host)
    if out is not None:
        _write_page(folder, cases, out, calls, seed, force=force, as_json=as_json)
    elif saved is not None:
        _take_in(folder, cases, saved, labels or run / "labels.jsonl", as_json=as_json)
    tell_damage(damaged)
    return ExitCode.CALLS_IN_ERROR if damaged else ExitCode.DONE


def _cases(folder: RunFolder, host: PluginHost) -> tuple[list[JudgeCase], list[Damaged]]:
    packs = host.packs()
    cases, damaged = [], []
    for call_id in completed_calls(folder, ()):
        try:
            record = folder.record(call_id)
            pack = packs[record.key.pack]
            cases.append(case_of(record, pack, pack.task(record.key.task)))
        except (StorageError, KeyError) as error:
            damaged.append(Damaged(call_id, str(error)))
    return cases, damaged


def _write_page(
    folder: RunFolder,
    cases: list[JudgeCase],
    out: Path,
    calls: int | None,
    seed: int,
    *,
    force: bool,
    as_json: bool,
) -> None:
    if out.exists() and not force:
        raise click.UsageError(
            f"{out} is there already; add --force to write over it", click.get_current_context()
        )
    try:
        page = golden_page(folder.manifest().run_id, cases, seed=seed, calls=calls)
    except ValueError as error:
        raise Unavailable(str(error)) from error
    with guarded(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        write_text(out, page)
    shown = min(len(cases), calls or len(cases))
    if as_json:
        print_json({"page": str(out), "calls": shown, "seed": seed})
        return
    click.echo(f"{out}: {count(shown, 'call')} to grade blind")
    click.echo(f"then: offhook golden {folder.path} --read labels.json")


def _take_in(folder: RunFolder, cases: list[JudgeCase], saved: Path, target: Path, *, as_json: bool) -> None:
    criteria = {case.call_id: [item.id for item in case.mission.criteria] for case in cases}
    read = taken(saved, criteria, run_stamp(folder.manifest().run_id))
    kept = {(label.call_id, label.criterion, label.rater): label for label in _before(target)}
    kept |= {(label.call_id, label.criterion, label.rater): label for label in read.labels}
    with guarded(target):
        write_labels(target, [kept[key] for key in sorted(kept)])
    calls = len({label.call_id for label in kept.values()})
    if as_json:
        print_json(
            {
                "labels": str(target),
                "taken": len(read.labels),
                "unclear": read.unclear,
                "open": read.open,
                "calls": calls,
            }
        )
        return
    click.echo(
        f"{target}: {count(len(read.labels), 'label')} taken in, {count(calls, 'labelled call')} in all"
    )
    if read.unclear:
        click.echo(f"left out: {read.unclear} that the rater could not tell")
    if read.open:
        click.echo(f"open: {read.open} that were not graded")


def _before(path: Path) -> tuple[GoldenLabel, ...]:
    return read_labels(path) if path.exists() else ()
