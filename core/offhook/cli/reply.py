"""``offhook reply``: the platform's right of reply: the bundle it is sent, and what became of its flags."""

from __future__ import annotations

from pathlib import Path

import attrs
import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, open_run, print_json, print_table, tell_damage
from offhook.cli._pages import refuse_evidence, shown

__all__ = ["reply"]


@click.command(
    epilog="""\b
Examples:
  offhook reply runs/acme-20261130 --bundle acme.zip
  offhook reply runs/acme-20261130 --flags flags.json
  offhook reply runs/acme-20261130 --settle F2 confirmed --because "the key asks for a ZIP nobody says"
  offhook reply runs/acme-20261130
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--bundle",
    metavar="FILE.zip",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what the platform is sent: figures, and its failed calls with recordings and causes.",
)
@click.option(
    "--flags",
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Take in the flags it sent back.",
)
@click.option(
    "--settle",
    type=(str, click.Choice(["open", "confirmed", "rejected"])),
    metavar="FLAG STATUS",
    help="Settle a flag as confirmed or rejected, or open it again.",
)
@click.option("--because", default="", metavar="TEXT", help="Why; the platform reads it.")
@json_option
@click.pass_context
def reply(
    ctx: click.Context,
    run: Path,
    bundle: Path | None,
    flags: Path | None,
    settle: tuple[str, str] | None,
    because: str,
    as_json: bool,
) -> int:
    """Give a platform its results before they are published, and keep track of what it flags.

    Without an option it lists the flags. A damaged call can't be in the bundle: it is named, and the exit
    code is 1.
    """
    from offhook.defects import WrongFlag, add_flags, read_flags, resolve_flag, write_bundle
    from offhook.host import PluginHost
    from offhook.runner import Damaged, read_run

    if because and settle is None:
        raise click.UsageError("--because goes with --settle FLAG STATUS", ctx)
    if settle is not None and settle[1] != "open" and not because.strip():
        raise click.UsageError(
            f"say why {settle[0]} is {settle[1]} with --because: the platform reads it", ctx
        )
    folder = open_run(run)
    refuse_evidence(bundle, [folder])
    damaged: tuple[Damaged, ...] = ()
    if bundle is not None:
        host = PluginHost.discover()
        damaged = read_run(folder, host).damaged
        failed = write_bundle(folder, host, bundle)
        click.echo(f"{bundle}: {count(failed, 'failed call')}", err=True)
    try:
        if flags is not None:
            with folder.lock():
                new = add_flags(folder, flags)
            click.echo(f"{count(len(new), 'new flag')}", err=True)
        if settle is not None:
            with folder.lock():
                resolve_flag(folder, settle[0], settle[1], because)
    except WrongFlag as error:
        raise click.UsageError(str(error), ctx) from error
    held = read_flags(folder)
    if as_json:
        print_json([attrs.asdict(flag) for flag in held])
    elif not held and bundle is None:
        click.echo(
            "no flags yet; send the platform a bundle (--bundle FILE.zip), then take in the flags.json that "
            "comes back (--flags FILE)"
        )
    elif held:
        print_table(
            "Flags",
            ("flag", "call", "status", "what it says", "answer"),
            [
                (flag.id, flag.call_id or "the run", flag.status, shown(flag.says), shown(flag.answer))
                for flag in held
            ],
        )
    tell_damage(damaged)
    return ExitCode.CALLS_IN_ERROR if damaged else ExitCode.DONE
