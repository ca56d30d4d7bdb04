"""``offhook freeze``: write what a score depends on as a manifest, or compare an install with one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, open_run, print_json
from offhook.host import PluginHost
from offhook.runner import VARIANTS

if TYPE_CHECKING:
    from offhook.freeze import FrozenPlan

__all__ = ["freeze"]


@click.command(
    epilog="""\b
Examples:
  offhook freeze --out manifest.json
  offhook freeze --out manifest.json --audio clean,noise,degraded
  offhook freeze --out manifest.json --runs 5 --golden runs/reference-20261130-101500
  offhook freeze --check manifest.json
  offhook run --manifest manifest.json --task customer-support/T4-H1
"""
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
@click.option(
    "--check",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Say how what is installed differs from this manifest; exit 1 if it does.",
)
@click.option("--version", default="1.0.0", show_default=True, help="The benchmark's version.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="The seed of every run.")
@click.option(
    "--runs", default=5, show_default=True, type=click.IntRange(1), help="Graded runs of each task."
)
@click.option(
    "--attempts",
    default=3,
    show_default=True,
    type=click.IntRange(1, 20),
    help="Attempts that a call may have, voids included.",
)
@click.option("--caller", default="scripted", show_default=True, help="Who places the calls.")
@click.option(
    "--line", type=click.Choice(["audio", "text"]), default="audio", show_default=True, help="The line."
)
@click.option(
    "--audio",
    multiple=True,
    default=("clean",),
    show_default=True,
    metavar="NAMES",
    help="Audio conditions, by comma or repeated.",
)
@click.option(
    "--variants",
    type=click.Choice(VARIANTS),
    default=VARIANTS[0],
    show_default=True,
    help="Which tasks the conditions other than clean are placed for.",
)
@click.option(
    "--golden",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="A run whose calls and outcomes are the golden set; they are pinned by one hash.",
)
@click.option(
    "--block", multiple=True, metavar="NAME", help="Leave out a plugin or distribution (repeatable)."
)
@json_option
def freeze(
    out: Path | None,
    check: Path | None,
    version: str,
    seed: int,
    runs: int,
    attempts: int,
    caller: str,
    line: str,
    audio: tuple[str, ...],
    variants: str,
    golden: Path | None,
    block: tuple[str, ...],
    as_json: bool,
) -> int:
    """Pin what a score depends on, by name, version and SHA-256.

    Tasks, seeds, schemas and agents; callers, voices, recognisers and their weights; graders, measures,
    judges with their prompts; thresholds and weights; the models inside platforms; the build. Equal installs
    give equal files. Runs with --manifest carry its version; all others are drafts.
    """
    from offhook.freeze import FrozenPlan, freeze_install, parse_version, write_frozen
    from offhook.runner import split_conditions

    if (out is None) == (check is None):
        raise click.UsageError("give either --out or --check", click.get_current_context())
    host = PluginHost.discover(block=block)
    if check is not None:
        return _check(host, check, as_json=as_json)
    assert out is not None
    try:
        parse_version(version)
    except ValueError as error:
        raise click.UsageError(f"--version: {error}", click.get_current_context()) from error
    plan = FrozenPlan(
        seed=seed,
        runs=runs,
        attempts=attempts,
        caller=caller,
        line=line,
        audio=split_conditions(audio),
        variants=variants,
    )
    _refuse_unknown(host, plan)
    chosen = None if golden is None else open_run(golden)
    manifest = freeze_install(host, plan, version=version, golden=chosen)
    stamp = write_frozen(manifest, out)
    counts = {section: len(names) for section, names in manifest.pins.items()}
    if as_json:
        print_json({"manifest": str(out), **attrs.asdict(stamp), "pinned": counts})
        return ExitCode.DONE
    click.echo(f"{out}: version {stamp.version}, SHA-256 {stamp.sha256}")
    click.echo("pinned: " + ", ".join(f"{number} {section}" for section, number in counts.items()))
    click.echo(f"any call again: offhook run --manifest {out} --platform PLATFORM --task PACK/TASK")
    return ExitCode.DONE


def _check(host: PluginHost, path: Path, *, as_json: bool) -> int:
    from offhook.freeze import check_install, read_frozen

    differ, beside = check_install(read_frozen(path), host)
    if as_json:
        lines = {"differences": [str(one) for one in differ], "beside": [str(one) for one in beside]}
        print_json({"manifest": str(path), **lines})
    else:
        for one in differ:
            click.echo(str(one))
        for one in beside:
            click.echo(f"beside the manifest: {one}")
        same = f"this install is that of {path}"
        click.echo(f"{count(len(differ), 'difference')} from {path}" if differ else same)
    return ExitCode.CALLS_IN_ERROR if differ else ExitCode.DONE


def _refuse_unknown(host: PluginHost, plan: FrozenPlan) -> None:
    from offhook.runner import UnknownName, check_conditions

    check_conditions(host, plan.audio, line=plan.line)
    if plan.caller not in host.callers():
        raise UnknownName("caller", plan.caller, host.callers())
