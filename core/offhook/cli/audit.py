"""``offhook audit``: draw calls for people to review, and read what they found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, open_run, print_json, print_table, tell_damage
from offhook.cli._pages import refuse_evidence

if TYPE_CHECKING:
    from offhook.defects import AuditSample, AuditTally

__all__ = ["audit"]


@click.command(
    epilog="""\b
Examples:
  offhook audit runs/acme-20261130 --seed 7
  offhook audit runs/acme-20261130 --seed 7 --read audit-acme-20261130-mira.json
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--seed", default=1, show_default=True, help="Draws the sample.")
@click.option(
    "--share", default=25.0, show_default=True, type=click.FloatRange(0, 100), help="Percent of each stratum."
)
@click.option(
    "--spot",
    default=20.0,
    show_default=True,
    type=click.FloatRange(0, 100),
    help="Percent of the drawn passing calls that are checked for a false pass.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="The form.  [default: audit-SEED.html in the run's folder]"
)
@click.option(
    "--read",
    "filled",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Read a filled-in form, keep it with the run, and count it.",
)
@json_option
@click.pass_context
def audit(
    ctx: click.Context,
    run: Path,
    seed: int,
    share: float,
    spot: float,
    out: Path | None,
    filled: Path | None,
    as_json: bool,
) -> int:
    """Draw a sample of a run's calls, by industry and task category, and write a form to review them with.

    The form is one page with the sound, words, tool log and database changes of each call. It asks for the
    cause of every failed call in the sample and checks some of the passing ones, without telling what the
    automatic attribution says. Its Save button downloads a file for --read. Damaged calls are
    named and can't be drawn; then the exit code is 1.
    """
    from offhook.defects import audit_page, draw_audit, keep_review, tally_audit
    from offhook.host import PluginHost
    from offhook.report._sound import embedded_sound
    from offhook.runner import read_run, summarise
    from offhook.storage import disk_error, write_text

    if filled is not None and out is not None:
        raise click.UsageError("--read writes no form; leave out --out", ctx)
    folder = open_run(run)
    refuse_evidence(out, [folder])
    host = PluginHost.discover()
    stored = read_run(folder, host)
    summary = summarise(stored, host)
    tasks = {task.key: task for pack in host.packs().values() for task in pack.tasks}
    try:
        sample = draw_audit(
            stored.manifest, summary.calls, tasks, seed=seed, share=share / 100, spot_share=spot / 100
        )
    except ValueError as error:  # a nan passes for a number in every range
        raise click.UsageError(str(error), ctx) from error
    code = ExitCode.CALLS_IN_ERROR if stored.damaged else ExitCode.DONE
    if filled is not None:
        review = keep_review(folder, filled, sample)
        _show_tally(tally_audit(sample, review, stored.grades), as_json=as_json)
        tell_damage(stored.damaged)
        return code
    page = out or folder.path / f"audit-{seed}.html"

    def sound(folder_: object, call_id: str) -> str:
        return embedded_sound(folder.call_folder(call_id) / "recording.flac", folder.path / "derived")

    text = audit_page(folder, host, sample, source=sound)
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        write_text(page, text)
    except OSError as error:
        raise disk_error(page, error) from error
    _show_sample(sample, page, as_json=as_json)
    tell_damage(stored.damaged)
    return code


def _show_sample(sample: AuditSample, page: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({**attrs.asdict(sample), "digest": sample.digest, "form": str(page)})
        return
    rows = []
    for name, (drawn, graded) in sample.strata.items():
        duties = [item.duty for item in sample.items if item.stratum == name]
        rows.append((name, drawn, graded, duties.count("attribute"), duties.count("spot check")))
    print_table(
        f"Audit sample {sample.digest} (seed {sample.seed})",
        ("stratum", "drawn", "of", "to attribute", "to spot-check"),
        rows,
    )
    click.echo(f"Form: {page}")


def _show_tally(tally: AuditTally, *, as_json: bool) -> None:
    if as_json:
        print_json(attrs.asdict(tally))
        return
    click.echo(f"{tally.reviewer}: {tally.agree} of {tally.compared} causes as the attribution has them")
    for call_id, automatic, cause in tally.differ:
        click.echo(f"  {call_id}: attribution says {automatic}, {tally.reviewer} says {cause}")
    for what, calls in (
        ("put on the benchmark", tally.own),
        ("should have passed", tally.false_fails),
        ("should have failed", tally.false_passes),
        ("still open", tally.open),
    ):
        if calls:
            click.echo(f"{count(len(calls), 'call')} {what}: {', '.join(calls)}")
    wrong = len(tally.false_passes)
    passes = "pass" if wrong == 1 else "passes"
    click.echo(f"{count(tally.spot_checked, 'passing call')} checked, {wrong} false {passes}")
