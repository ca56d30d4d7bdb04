"""``offhook export``: runs as a table."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import count, tell_damage

__all__ = ["export"]


class _Refused(click.ClickException):
    exit_code = ExitCode.ENVIRONMENT


@click.command(
    epilog="""\b
Examples:
  offhook export runs/reference-20261130-101500 --to calls.csv
  offhook export runs/monday runs/tuesday --to turns.parquet --what turns
  offhook export runs/monday --what grades --to - --format jsonl
  offhook export runs/acme-drills --what parts --to parts.csv
"""
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=click.Path(path_type=Path))
@click.option(
    "--to",
    required=True,
    metavar="FILE",
    help="Where to: FILE.csv, FILE.jsonl, FILE.parquet, or - for the output of this command.",
)
@click.option(
    "--what",
    type=click.Choice(["calls", "turns", "tools", "grades", "drills", "parts"]),
    help="What a row is; drills and parts are of a run of drills.  [default: calls or drills]",
)
@click.option(
    "--format", "form", type=click.Choice(["csv", "jsonl", "parquet"]), help="Where the name doesn't say it."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.pass_context
def export(
    ctx: click.Context, runs: tuple[Path, ...], to: str, what: str | None, form: str | None, force: bool
) -> int:
    """Write calls, turns, tool calls or grades of one or several runs as a table.

    Damaged calls are named and left out; then the exit code is 1. In CSV, text that a spreadsheet would run
    as a formula begins with an apostrophe.
    """
    from offhook.export import FORMATS, ExportRefused, NoSuchTable, read_table, table_bytes, write_table

    if to == "-" and form is None:
        raise click.UsageError("--to - needs --format csv, jsonl or parquet", ctx)
    path = Path(to)
    if to != "-" and form is None and path.suffix.removeprefix(".").lower() not in FORMATS:
        raise click.UsageError(f"{path}: end it in .csv, .jsonl or .parquet, or add --format", ctx)
    if to != "-" and path.is_dir():
        raise click.UsageError(f"{path} is a folder; name a file in it", ctx)
    if to != "-" and path.exists() and not force:
        raise click.UsageError(f"{path} is there already; add --force to write over it", ctx)
    drills = all((run / "drills.json").is_file() for run in runs)
    try:
        table = read_table(runs, what or ("drills" if drills else "calls"))
        if to == "-":
            click.echo(table_bytes(table, str(form)), nl=False)
        else:
            write_table(table, path, format=form, overwrite=force)
    except NoSuchTable as error:
        raise click.UsageError(str(error), ctx) from error
    except ExportRefused as error:
        raise _Refused(str(error)) from error
    tell_damage(table.damaged)
    if to != "-":
        click.echo(f"{path}: {count(len(table.rows), 'row')} of {table.what}", err=True)
    return ExitCode.CALLS_IN_ERROR if table.damaged else ExitCode.DONE
