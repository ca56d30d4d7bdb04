"""``offhook floor``: the synthesis floor of each caller voice of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from offhook.grading import GradingEngines, Measurement
    from offhook.host import PluginHost
    from offhook.records import CallRecord
    from offhook.scoring import VoiceFloor
    from offhook.storage import RunFolder

__all__ = ["floor"]


@click.command(
    epilog="""\b
Examples:
  offhook floor runs/demo-20261130-101500
  offhook floor runs/demo-20261130-101500 --json
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout instead of a table.")
def floor(run: Path, as_json: bool) -> int:
    """Measure what a faithful recogniser gets wrong of each caller voice of a run.

    The reference of a word error rate is the text that the voice was given. Where the voice itself drops or
    slurs a word, no platform can hear it. This command has an independent recogniser listen to the caller's
    own tape and gives its word error rate by voice, the floor under every platform's. The result is kept
    beside the calls and shown in the run's report; a second time, or after Ctrl-C, only what is missing is
    measured. The exit code is 1 where a call could not be measured.
    """
    from offhook.host import PluginHost
    from offhook.scoring import synthesis_floor
    from offhook.storage import RunFolder

    context = click.get_current_context()
    if not (run / "run.json").is_file():
        raise click.UsageError(f"{run} holds no run (no run.json)", context)
    folder = RunFolder.open(run)
    folder.manifest()  # one that can't be read is told, before anything is measured or locked
    records, damaged = _completed(folder)
    with folder.lock():
        found, failed = _measured(folder, context.find_object(PluginHost) or PluginHost.discover(), records)
    for line in (*damaged, *failed):
        click.echo(line, err=True)
    floors = synthesis_floor(records, found)
    _show(run, floors, as_json=as_json)
    return 1 if damaged or failed else 0


def _completed(folder: RunFolder) -> tuple[list[CallRecord], list[str]]:
    """The calls there is sound of, and a line for each record that can't be read."""
    from offhook.storage import StorageError

    records, damaged = [], []
    for call_id in folder.call_ids():
        try:
            record = folder.record(call_id)
        except StorageError as error:
            damaged.append(f"damaged call {call_id}: {error}")
            continue
        if record.ending == "completed" and record.key.line == "audio":
            records.append(record)
    return records, damaged


def _measured(
    folder: RunFolder, host: PluginHost, records: Sequence[CallRecord]
) -> tuple[list[Measurement], list[str]]:
    """The floor measurement of each call, and a line for each that has none.

    Raises:
        SpeechUnavailable: there is no recogniser.
    """
    from offhook.runner import UnknownName, load_evidence
    from offhook.runner.measured import HostEngines, StoredMeasurements
    from offhook.scoring import FLOOR_MEASURER
    from offhook.storage import StorageError

    engines, measurers = HostEngines(host), host.measurers()
    if FLOOR_MEASURER not in measurers:
        raise click.ClickException(f"measurer {FLOOR_MEASURER} can't be used; see `offhook plugins`")
    store = StoredMeasurements(folder, measurers, engines)
    found, failed, tried = [], [], False
    with _progress(len(records)) as tell:
        for record in records:
            kept = folder.measurement(record.call_id, FLOOR_MEASURER, measurers[FLOOR_MEASURER].version)
            if kept is None and not tried:
                _try(engines)
                tried = True
            try:
                evidence = load_evidence(folder, record.call_id, host.packs(), store)
                one = evidence.measured(FLOOR_MEASURER)
            except (StorageError, UnknownName) as error:
                failed.append(f"call {record.call_id} not measured: {error}")
            else:
                why = one.error or _damage(one)
                found += [] if why else [one]
                failed += [f"call {record.call_id} not measured: {why}"] if why else []
            tell(f"{record.call_id} ({record.voice or 'unnamed voice'})")
    return found, failed


def _damage(one: Measurement) -> str:
    """What is wrong with stored counts; "" for good ones."""
    counts = ("reference_words", "substitutions", "deletions", "insertions")
    if all(type(one.values.get(name)) is int for name in counts) and {"engine", "version"} <= set(one.values):
        return ""
    return (
        f"the stored {one.measurer} is damaged; delete measurements/{one.measurer}/{one.version}/"
        f"{one.call_id}.json in the run's folder and try again"
    )


def _try(engines: GradingEngines) -> None:
    """A missing recogniser is told once, before the first call, rather than on each."""
    from offhook.audio import silence
    from offhook.speech import ListenerHint

    engines.listener().hear(silence(0.1), ListenerHint())


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """Calls done, on stderr: a bar on a terminal, a line a call elsewhere."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if console.is_terminal:
        with Progress(console=console) as bar:
            task = bar.add_task("listening", total=total)
            yield lambda name: bar.update(task, advance=1, description=name)
        return
    done = iter(range(1, total + 1))
    yield lambda name: click.echo(f"{next(done)} of {total}: {name}", err=True)


def _show(run: Path, floors: Sequence[VoiceFloor], *, as_json: bool) -> None:
    import json

    import attrs

    if as_json:
        told = {
            "run": str(run),
            "floor": [{**attrs.asdict(one), "wer": one.wer} for one in floors],
        }
        click.echo(json.dumps(told, ensure_ascii=False, sort_keys=True))
        return
    if not floors:
        click.echo("not measured: the run has no completed call with a caller's voice")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Synthesis floor", title_justify="left", header_style="bold")
    for name in ("voice", "calls", "words", "errors", "WER", "recogniser"):
        worded = name in ("voice", "recogniser")
        table.add_column(name, justify="left" if worded else "right", no_wrap=name == "voice")
    for one in floors:
        errors = one.substitutions + one.deletions + one.insertions
        rate = "not measured" if one.wer is None else f"{100 * one.wer:.1f} %"
        table.add_row(
            one.voice,
            str(one.calls),
            str(one.reference_words),
            str(errors),
            rate,
            f"{one.engine}, {one.version}",
        )
    Console(markup=False).print(table)
