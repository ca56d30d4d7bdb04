"""``offhook select``: the model of a layer, selected out of a table of candidates and frozen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from offhook.cli._errors import ExitCode
from offhook.cli._output import json_option, print_table
from offhook.host import Component, PluginHost
from offhook.runner.plan import UnknownName
from offhook.selecting import (
    Candidate,
    CandidateTable,
    CandidateTableError,
    ChosenBy,
    Flagship,
    LayerDeclaration,
    Selection,
    SelectionQuestion,
    SelectionRefused,
    choose_model,
    decided_by,
    first_token_ceiling,
    layer_spec,
    read_candidates,
    read_selection,
    selection_faults,
    write_selection,
)
from offhook.storage import to_json

__all__ = ["select"]

_DEFAULT: Final = "min-max-pareto"

_OF_THE_QUESTION: Final = (
    *("layer", "platform", "day", "round_trip", "overhead"),
    *("bundled", "recommended", "flagships", "out", "as_json"),
)


class _Refused(click.ClickException):
    exit_code = ExitCode.ENVIRONMENT


@click.command(
    epilog="""\b
Examples:
  offhook select candidates.csv --layer llm --platform livekit --date 2026-10-27 \\
    --round-trip 0.35 --overhead 0.9 --out selection.json
  offhook select candidates.csv --layer stt --platform pipecat --date 2026-10-27
  offhook select candidates.csv --layer tts --platform acme --date 2026-10-27 \\
    --recommended acme-voice-2 https://docs.acme.example/voices
  offhook select candidates.csv --check selection.json
"""
)
@click.argument("csv_file", metavar="CSV", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--layer", type=click.Choice(["stt", "llm", "tts"]), help="The layer to select for.")
@click.option(
    "--platform", metavar="NAME", help="The platform, as the columns runs_on and callable_as spell it."
)
@click.option("--date", "day", metavar="YYYY-MM-DD", help="The day that the figures are of.")
@click.option(
    "--round-trip", type=float, metavar="SECONDS", help="Tool round trip as measured; needed for llm."
)
@click.option(
    "--overhead", type=float, metavar="SECONDS", help="Speech overhead as measured; needed for llm."
)
@click.option("--bundled", default="", metavar="ID", help="The model that the platform comes with.")
@click.option(
    "--recommended",
    type=(str, str),
    metavar="ID URL",
    help="The model that the platform's documentation recommends, and where.",
)
@click.option(
    "--flagship",
    "flagships",
    type=(str, str),
    multiple=True,
    metavar="ID YYYY-MM-DD",
    help="A flagship of the platform and the day it came out; the newest counts.",
)
@click.option(
    "--selector", metavar="NAME", help=f"The rule, a plugin.  [default: {_DEFAULT}, or the one in FILE]"
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", help="Freeze the result in this file."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option(
    "--check",
    "frozen",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Check a frozen result against CSV instead: same data, same result.",
)
@json_option
@click.pass_context
def select(
    ctx: click.Context,
    csv_file: Path,
    layer: str | None,
    platform: str | None,
    day: str | None,
    round_trip: float | None,
    overhead: float | None,
    bundled: str,
    recommended: tuple[str, str] | None,
    flagships: tuple[tuple[str, str], ...],
    selector: str | None,
    out: Path | None,
    force: bool,
    frozen: Path | None,
    as_json: bool,
) -> int:
    """Select the model of a platform's layer out of a CSV file of candidates.

    A model that the platform bundles, recommends or presents as its newest flagship goes first, in this
    order. Where it has none, two figures are scaled from 0 (the best candidate) to 1 (the worst), and of the
    candidates that can be used the one with the least sum is selected.

    CSV has the columns layer, name, id, generally_available, runs_on, callable_as and streams, optionally
    note, and one for each figure: wer_percent and final_ms for stt; intelligence and first_token_s for llm;
    preference_elo and pronunciation_percent for tts. runs_on and callable_as hold platforms with ; between
    them, callable_as also PLATFORM=IDENTIFIER. An empty figure excludes its candidate.

    Exits 1 where no candidate is left, or where a frozen result does not follow from CSV.
    """
    if frozen is not None:
        _refuse_besides_check(ctx)
        return _check(ctx, frozen, csv_file, selector)
    asked = {"--layer": layer, "--platform": platform, "--date": day}
    missing = [option for option, value in asked.items() if not value]
    if missing:
        raise click.UsageError(f"{', '.join(missing)} missing", ctx)
    if (round_trip is None) != (overhead is None):
        raise click.UsageError("--round-trip and --overhead go together", ctx)
    if out is not None and out.is_dir():
        raise click.UsageError(f"{out} is a folder; name a file in it", ctx)
    if out is not None and out.resolve() == csv_file.resolve():
        raise click.UsageError(f"{out} is the table itself; name another file with --out", ctx)
    if out is not None and out.exists() and not force:
        raise click.UsageError(f"{out} is there already; add --force to write over it", ctx)
    measured = None if round_trip is None or overhead is None else (round_trip, overhead)
    table = _read(csv_file)
    try:
        declaration = _declaration(bundled, recommended, flagships)
        question = _question(str(layer), str(platform), str(day), table, measured)
        _refuse_unknown_platform(question, declaration, table.candidates)
        selection = _choose(declaration, table.candidates, question, _selector(selector or _DEFAULT))
    except SelectionRefused as error:
        raise click.UsageError(str(error), ctx) from error
    return _finish(selection, out, as_json=as_json)


def _refuse_besides_check(ctx: click.Context) -> None:
    for option in ctx.command.params:
        name = str(option.name)
        if name in _OF_THE_QUESTION and ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(
                f"--check takes the question from its file; leave out {option.opts[0]}", ctx
            )


def _read(path: Path) -> CandidateTable:
    try:
        return read_candidates(path)
    except CandidateTableError as error:
        raise _Refused(str(error)) from error


def _declaration(
    bundled: str, recommended: tuple[str, str] | None, flagships: Sequence[tuple[str, str]]
) -> LayerDeclaration:
    model, source = recommended or ("", "")
    return LayerDeclaration(bundled, model, source, tuple(Flagship(*pair) for pair in flagships))


def _question(
    layer: str, platform: str, day: str, table: CandidateTable, measured: tuple[float, float] | None
) -> SelectionQuestion:
    limit = None if measured is None else first_token_ceiling(*measured)
    return SelectionQuestion(layer, platform, table.sha256, day, limit)


def _refuse_unknown_platform(
    question: SelectionQuestion, declaration: LayerDeclaration, candidates: Sequence[Candidate]
) -> None:
    """A slip in a platform's name would exclude every candidate."""
    known = {platform for c in candidates if c.layer == question.layer for platform in c.runs_on}
    if decided_by(declaration)[0] is ChosenBy.RULE and known and question.platform not in known:
        raise UnknownName(f"platform in column runs_on of layer {question.layer}:", question.platform, known)


def _selector(name: str) -> Component:
    found = PluginHost.discover().components("model_selector")
    if name not in found:
        raise UnknownName("model selector", name, found)
    return found[name]


def _choose(
    declaration: LayerDeclaration,
    candidates: Sequence[Candidate],
    question: SelectionQuestion,
    selector: Component,
) -> Selection:
    with _named(selector):
        return choose_model(declaration, candidates, question, selector.value)


@contextmanager
def _named(selector: Component) -> Iterator[None]:
    """A selector is a plugin: what it raises by mistake becomes one line that names it."""
    try:
        yield
    except SelectionRefused:
        raise
    except Exception as error:
        raise _Refused(
            f"model selector {selector.name} ({selector.plugin.distribution}) failed: "
            f"{type(error).__name__}: {error}"
        ) from error


def _check(ctx: click.Context, frozen: Path, csv_file: Path, name: str | None) -> int:
    if not frozen.is_file():
        raise click.UsageError(f"--check {frozen}: there is no such file", ctx)
    before = read_selection(frozen)
    table = _read(csv_file)
    selector = _selector(name or before.rule or _DEFAULT)
    try:
        with _named(selector):
            faults = selection_faults(before, table.candidates, table.sha256, selector.value)
    except SelectionRefused as error:
        raise click.UsageError(f"{frozen}: {error}", ctx) from error
    for fault in faults:
        click.echo(f"{frozen}: {fault}")
    if faults:
        return ExitCode.CALLS_IN_ERROR
    click.echo(f"{frozen}: follows from {csv_file}; {_verdict(before)}")
    return ExitCode.DONE


def _finish(selection: Selection, out: Path | None, *, as_json: bool) -> int:
    """A result without a model is shown and never frozen."""
    if as_json:
        click.echo(to_json(selection))
    else:
        _print(selection)
    if selection.selected is None:
        click.echo("no candidate is left to select", err=True)
        return ExitCode.CALLS_IN_ERROR
    if out is not None:
        write_selection(selection, out)
        click.echo(f"frozen in {out}", err=True)
    return ExitCode.DONE


def _print(selection: Selection) -> None:
    if selection.scored:
        rows = [
            (
                *(row.name, f"{row.a:.12g}", f"{row.b:.12g}", f"{row.scaled_a:.4f}", f"{row.scaled_b:.4f}"),
                *(f"{row.total:.4f}", "frontier" if row.on_frontier else "excluded" if row.excluded else ""),
            )
            for row in selection.scored
        ]
        title = f"{selection.layer} on {selection.platform} by {selection.rule} {selection.rule_version}"
        print_table(title, ("candidate", "a", "b", "a scaled", "b scaled", "sum", ""), rows)
        for letter, metric in zip("ab", layer_spec(selection.layer).metrics, strict=True):
            best = "highest" if metric.higher_is_better else "lowest"
            click.echo(f"{letter}: {metric.name}, {metric.what}; the {best} is best")
    limit = selection.ceiling
    if limit is not None:
        click.echo(
            f"ceiling: first token within {limit.first_token_s:.12g} s = ({limit.zero_point_s:g} - "
            f"{limit.round_trip_s:g} - {limit.overhead_s:g}) / 2"
        )
    ahead = _ahead(selection)
    for exclusion in selection.exclusions:
        smaller = " (its sum is below the selected one's)" if exclusion.name in ahead else ""
        click.echo(f"excluded: {exclusion.name}: {'; '.join(exclusion.reasons)}{smaller}")
    if selection.tied:
        click.echo(
            f"tie: the same sum as {', '.join(selection.tied)}; decided by the better a, then by the name"
        )
    if selection.selected is not None:
        click.echo(_verdict(selection))
    if selection.runner_up is not None:
        click.echo(f"runner-up: {selection.runner_up.name} ({selection.runner_up.id})")


def _ahead(selection: Selection) -> frozenset[str]:
    """Excluded candidates with a smaller sum than the selected one."""
    if selection.selected is None:
        return frozenset()
    sums = {row.name: row.total for row in selection.scored}
    selected = sums.get(selection.selected.name, 0.0)
    return frozenset(row.name for row in selection.scored if row.excluded and row.total < selected)


def _verdict(selection: Selection) -> str:
    chosen = selection.selected
    return "" if chosen is None else f"{selection.chosen_by.value}: {chosen.name} ({chosen.id})"
