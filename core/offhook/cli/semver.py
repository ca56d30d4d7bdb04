"""``offhook semver``: which version a changed manifest has to have, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from offhook.cli._bar import with_bar
from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, open_run, print_json, print_table
from offhook.host import PluginHost

if TYPE_CHECKING:
    from offhook.freeze import Crosswalk, Decision, FrozenManifest

__all__ = ["semver"]


@click.command(
    epilog="""\b
Examples:
  offhook semver manifest-1.0.0.json manifest.json
  offhook semver manifest-1.0.0.json manifest.json --golden runs/golden
  offhook semver OLD NEW --json
"""
)
@click.argument("old", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("new", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--golden",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Score the calls of this run again with what is installed, and print old against new.",
)
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes that score them."
)
@click.option(
    "--block", multiple=True, metavar="NAME", help="Leave out a plugin or distribution (repeatable)."
)
@json_option
def semver(
    old: Path, new: Path, golden: Path | None, workers: int, block: tuple[str, ...], as_json: bool
) -> int:
    """Say which version NEW has to have after OLD.

    Whatever can change a score on the same calls is major: another judge, grader, threshold, weight, task,
    voice or recogniser. Parts that no score or lane counts are minor, all else is a patch. Where only code
    differs, a golden set decides: if all outcomes and figures come out as before it is a patch, and if any
    does not, it is major whatever else was found. The reason for each difference is printed.
    """
    from offhook.freeze import decide, read_frozen, rescore
    from offhook.runner import GradeDesk

    before, after = read_frozen(old), read_frozen(new)
    crosswalk = None
    if golden is not None:
        host = PluginHost.discover(block=block)
        _refuse_other_graders(after, new, host)
        folder = open_run(golden)
        try:
            crosswalk, _ = with_bar(
                "scoring the golden set",
                len(GradeDesk(host, folder).gradable()),
                lambda stop, bar: rescore(
                    folder, host, workers=workers, block=block, stop=stop, on_done=bar.advance
                ),
                last_words="the golden set is as it was",
            )
        except InterruptedError as error:
            click.echo(f"{error}; the golden set is as it was", err=True)
            return ExitCode.INTERRUPTED
    decision = decide(before, after, golden=crosswalk)
    if as_json:
        print_json(_as_json(before, after, decision, crosswalk))
    else:
        if crosswalk is not None:
            _print_crosswalk(crosswalk)
        _print(before, after, decision)
    return ExitCode.DONE


def _refuse_other_graders(new: FrozenManifest, path: Path, host: PluginHost) -> None:
    """The crosswalk is only worth something if it is NEW's graders that score."""
    graders = new.pins.get("graders", {})
    for name, grader in host.graders().items():
        frozen = graders.get(name, {}).get("version")
        if frozen != grader.version:
            raise click.UsageError(
                f"grader {name} is installed in version {grader.version}, {path} has {frozen or 'none'}; "
                "score the golden set where NEW is installed",
                click.get_current_context(),
            )


def _print(old: FrozenManifest, new: FrozenManifest, decision: Decision | None) -> None:
    if decision is None:
        click.echo(f"nothing differs: it stays {old.version}")
        if new.version != old.version:
            click.echo(f"NEW says {new.version}; freeze it again with --version {old.version}", err=True)
        return
    for reason in decision.reasons:
        click.echo(f"{reason.level}: {reason.what}: {reason.why}")
    reasons = count(len(decision.reasons), "reason")
    click.echo(f"{old.version} -> {decision.version} ({decision.level}, {reasons})")
    if new.version != decision.version:
        click.echo(f"NEW says {new.version}; freeze it again with --version {decision.version}", err=True)
    _hint_if_swapped(old, new)


def _hint_if_swapped(old: FrozenManifest, new: FrozenManifest) -> None:
    from offhook.freeze import parse_version

    if parse_version(new.version) < parse_version(old.version):
        click.echo(f"NEW ({new.version}) is the older one; the older manifest is named first", err=True)


def _print_crosswalk(found: Crosswalk) -> None:
    print_table(
        f"Golden set: {count(found.calls, 'call')}, {count(found.outcomes, 'outcome')}",
        ("figure", "old", "new"),
        [(name, _figure(was), _figure(now)) for name, (was, now) in found.figures.items()],
    )
    for grader, steps in found.steps.items():
        for (was, now), times in steps.items():
            click.echo(f"{grader}: {was} -> {now} on {count(times, 'call')}")
    for change in found.changes:
        where = f"{change.call_id} {change.task} run {change.run}"
        click.echo(f"  {where}: {change.grader} {change.old} -> {change.new}")
    for call in found.broken:
        click.echo(f"  {call.call_id} could not be read: {call.problem}")


def _figure(value: float | None) -> str:
    return "not measured" if value is None else f"{value:g}" if value == int(value) else f"{value:.3f}"


def _as_json(
    old: FrozenManifest, new: FrozenManifest, decision: Decision | None, crosswalk: Crosswalk | None
) -> dict[str, object]:
    golden = None
    if crosswalk is not None:
        golden = {
            "calls": crosswalk.calls,
            "outcomes": crosswalk.outcomes,
            "changes": [attrs.asdict(change) for change in crosswalk.changes],
            "figures": {name: list(pair) for name, pair in crosswalk.figures.items()},
            "same": crosswalk.same,
            "broken": {call.call_id: call.problem for call in crosswalk.broken},
        }
    return {
        "old": old.version,
        "new": new.version,
        "level": None if decision is None else str(decision.level),
        "version": old.version if decision is None else decision.version,
        "reasons": [
            {"level": str(reason.level), "what": reason.what, "why": reason.why}
            for reason in (decision.reasons if decision else ())
        ],
        "golden": golden,
    }
