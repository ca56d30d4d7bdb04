"""``offhook judge-check``: compare a judge with people, with itself and with another judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import json_option, open_run, print_json, print_table, tell_damage
from offhook.cli._reading import Reading, chosen_judge, read_calls
from offhook.grading import CallEvidence, Grade, Outcome
from offhook.host import PluginHost
from offhook.judged import (
    FEWEST_GOLDEN_CALLS,
    DriftReport,
    case_of,
    check_drift,
    judge_call,
    read_labels,
    settle,
)
from offhook.judging import Judge
from offhook.storage import (
    RunFolder,
    StorageError,
    from_json,
    guarded,
    is_safe_name,
    read_text,
    to_json,
    write_text,
)

__all__ = ["judge_check"]


@click.command(
    name="judge-check",
    epilog="""\b
Examples:
  offhook judge-check golden --judge openai-judge
  offhook judge-check golden --judge openai-judge --swap openai-judge-2
  offhook judge-check golden --labels raters/all.jsonl --times 5 --resume
""",
)
@click.argument("golden", type=click.Path(path_type=Path))
@click.option(
    "--judge",
    "name",
    default="openai-judge",
    show_default=True,
    help="Who is checked (names: offhook plugins).",
)
@click.option("--panel", metavar="N1,N2,N3", help="Check a panel instead of one judge.")
@click.option("--swap", metavar="NAME", help="Another judge: how far does the pass rate move?")
@click.option(
    "--labels",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="What people decided.  [default: labels.jsonl in GOLDEN]",
)
@click.option(
    "--times", type=click.IntRange(1, 20), default=5, show_default=True, help="How often each call is judged."
)
@click.option("--resume", is_flag=True, help="Go on with what an earlier check of this judge has kept.")
@json_option
def judge_check(
    golden: Path,
    name: str,
    panel: str | None,
    swap: str | None,
    labels: Path | None,
    times: int,
    resume: bool,
    as_json: bool,
) -> int:
    """Check a judge against a golden set: stored calls that people graded blind.

    GOLDEN is a run folder, its labels one JSON line a criterion with call_id, criterion, label (met or
    not_met) and rater; offhook golden makes them. Each labelled call is judged several times. Printed against
    its bar: Cohen's kappa against the labels (0.70), false passes (5 %), self-consistency (98 %) and, with
    --swap, how far another judge moves the pass rate (under 2 points). Exits 1 where a bar is not kept.
    """
    host = PluginHost.discover()
    folder = open_run(golden)
    checked = chosen_judge(host, name, panel)
    other = chosen_judge(host, swap, None) if swap is not None else None
    if labels is None and not (golden / "labels.jsonl").exists():
        raise click.UsageError(
            f"{golden} holds no labels.jsonl: have people grade its calls first (offhook golden {golden}, "
            "then the same with --read), or name their file with --labels",
            click.get_current_context(),
        )
    settled = settle(read_labels(labels or golden / "labels.jsonl"))
    known = set(folder.call_ids())
    call_ids = sorted(call_id for call_id in settled.by_call if call_id in known)
    if not call_ids:
        raise click.UsageError("none of the labels is of a call in this folder", click.get_current_context())
    asked = [(checked, number) for number in range(1, times + 1)]
    asked += [(other, 1)] if other is not None else []
    rounds: list[Reading] = []
    with folder.lock():
        for judge, number in asked:
            rounds.append(_round(folder, host, judge, call_ids, number, resume=resume))
            if rounds[-1].interrupted:
                return ExitCode.INTERRUPTED
    repeats = _by_call([reading.grades for reading in rounds[:times]])
    swapped = None if other is None else {grade.call_id: grade for grade in _whole(rounds[-1].grades)}
    report = check_drift(settled, repeats, swapped)
    missing = len(settled.by_call) - len(call_ids)
    _show(checked, other, report, missing, as_json=as_json)
    tell_damage(rounds[0].damaged)
    whole = all(reading.code is ExitCode.DONE for reading in rounds)
    return ExitCode.DONE if whole and report.holds else ExitCode.CALLS_IN_ERROR


def _round(
    folder: RunFolder, host: PluginHost, judge: Judge, call_ids: Sequence[str], number: int, *, resume: bool
) -> Reading:
    if not (is_safe_name(judge.name) and is_safe_name(judge.version)):
        raise StorageError(f"no folder can be named after judge {judge.name!r}, version {judge.version!r}")
    place = folder.path / "judge-check" / judge.name / judge.version / str(number)
    click.echo(f"{judge.name}, time {number}", err=True)

    def read(call: CallEvidence) -> Grade:
        return judge_call(judge, case_of(call.record, call.pack, call.task))

    def stored(call_id: str) -> Grade | None:
        path = place / f"{call_id}.json"
        if not (resume and path.is_file()):
            return None
        grade = from_json(read_text(path), Grade, source=str(path))
        return None if grade.outcome is Outcome.ERROR else grade

    def keep(grade: Grade) -> None:
        with guarded(place):
            place.mkdir(parents=True, exist_ok=True)
            write_text(place / f"{grade.call_id}.json", to_json(grade) + "\n", durable=False)

    return read_calls(folder, host, call_ids, read, stored=stored, keep=keep)


def _whole(grades: Sequence[Grade]) -> list[Grade]:
    return [grade for grade in grades if grade.outcome is not Outcome.ERROR]


def _by_call(rounds: Sequence[Sequence[Grade]]) -> Mapping[str, list[Grade]]:
    found: dict[str, list[Grade]] = {}
    for grades in rounds:
        for grade in _whole(grades):
            found.setdefault(grade.call_id, []).append(grade)
    return found


def _show(judge: Judge, other: Judge | None, report: DriftReport, missing: int, *, as_json: bool) -> None:
    notes = []
    if report.thin:
        notes.append(f"thin: {report.calls} graded calls, a golden set has at least {FEWEST_GOLDEN_CALLS}")
    if report.disputed:
        notes.append(f"{report.disputed} criteria left out: their raters do not agree")
    if report.unmatched:
        notes.append(f"{report.unmatched} labels left out: the judge was not asked about their criteria")
    if missing:
        notes.append(f"{missing} labelled calls are not in this folder")
    if as_json:
        print_json(
            {
                "judge": judge.name,
                "version": judge.version,
                "swap": None if other is None else {"judge": other.name, "version": other.version},
                "calls": report.calls,
                "thin": report.thin,
                "holds": report.holds,
                "notes": notes,
                "rows": [
                    {
                        "name": row.name,
                        "bar": row.bar,
                        "value": row.value,
                        "n": row.n,
                        "low": None if row.interval is None else row.interval.low,
                        "high": None if row.interval is None else row.interval.high,
                        "holds": row.holds,
                        "told": row.told,
                    }
                    for row in report.rows
                ],
            }
        )
        return
    rows = [(row.name, row.told, row.n, row.bar, _kept(row.holds)) for row in report.rows]
    title = f"{judge.name} {judge.version} on {report.calls} graded calls"
    print_table(title, ("check", "measured", "n", "bar", ""), rows)
    for note in notes:
        click.echo(note)


def _kept(holds: bool | None) -> str:
    return "not measured" if holds is None else ("kept" if holds else "NOT KEPT")
