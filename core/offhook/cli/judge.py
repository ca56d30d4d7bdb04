"""``offhook judge``: have the stored calls of a run judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from offhook.cli._output import json_option, open_run, print_json, print_table, tell_damage
from offhook.cli._reading import Reading, chosen_judge, completed_calls, read_calls
from offhook.grading import CallEvidence, Grade, Outcome
from offhook.host import PluginHost
from offhook.judged import case_of, judge_call
from offhook.judging import Judge
from offhook.stats import wilson
from offhook.storage import RunFolder

__all__ = ["judge"]

_FEWEST_CALLS: Final = 5
_FEWEST_CLAIMS: Final = 5


@click.command(
    epilog="""\b
Examples:
  offhook judge runs/reference-20261130-101500
  offhook judge runs/reference-20261130-101500 --resume
  offhook judge RUN --panel openai-judge,openai-judge-2,openai-judge-3
  offhook judge RUN --judge my-judge --only 3f0c1d9a5b7e2846 --json
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--judge", "name", default="openai-judge", show_default=True, help="Who judges (names: offhook plugins)."
)
@click.option("--panel", metavar="N1,N2,N3", help="Three judges (or five...), of whom the majority decides.")
@click.option("--only", multiple=True, metavar="CALL", help="Only the call with this id (repeatable).")
@click.option("--resume", is_flag=True, help="Leave calls alone that this judge has judged before.")
@json_option
def judge(run: Path, name: str, panel: str | None, only: tuple[str, ...], resume: bool, as_json: bool) -> int:
    """Have the stored calls of a run judged, each criterion, claim and rule with a quote.

    A judge's word is an opinion: every quote is looked for in the transcript by code, and what is not found
    there counts as unclear. The grades lie beside the calls; they change no platform score. Ctrl-C keeps what
    is finished.

    The first-party judges need a model and a key: set OFFHOOK_JUDGE_MODEL, and OFFHOOK_JUDGE_API_KEY or
    OPENAI_API_KEY. Without them nothing is measured and the exit code is 3.
    """
    host = PluginHost.discover()
    folder = open_run(run)
    chosen = chosen_judge(host, name, panel)
    call_ids = completed_calls(folder, only)
    with folder.lock():
        reading = _judged(folder, host, chosen, call_ids, resume=resume)
    _show(folder, chosen, reading, as_json=as_json)
    return reading.code


def _judged(
    folder: RunFolder, host: PluginHost, judge: Judge, call_ids: Sequence[str], *, resume: bool
) -> Reading:
    def read(call: CallEvidence) -> Grade:
        return judge_call(judge, case_of(call.record, call.pack, call.task))

    def stored(call_id: str) -> Grade | None:
        if not resume:
            return None
        found = folder.grades(call_id, {judge.name: judge.version})
        return next((grade for grade in found if grade.outcome is not Outcome.ERROR), None)

    return read_calls(
        folder,
        host,
        call_ids,
        read,
        stored=stored,
        keep=lambda grade: folder.write_grades(grade.call_id, [grade]),
    )


def _show(folder: RunFolder, judge: Judge, reading: Reading, *, as_json: bool) -> None:
    counts = Counter(grade.outcome for grade in reading.grades)
    sums: Counter[str] = Counter()
    for grade in reading.grades:
        sums.update({name: int(value) for name, value in grade.numbers.items()})
    lanes = {"task": _task(counts), "compliance": _compliance(sums)}
    if as_json:
        print_json(
            {
                "judge": judge.name,
                "version": judge.version,
                "judged": len(reading.grades),
                "kept": reading.kept,
                "lanes": {lane: found for lane, (found, _) in lanes.items()},
                "calls": [
                    {"call_id": grade.call_id, "outcome": str(grade.outcome), "summary": grade.summary}
                    for grade in reading.grades
                ],
                "damaged": [{"call_id": each.call_id, "why": each.why} for each in reading.damaged],
            }
        )
    else:
        rows = [(lane, *row) for lane, (_, told) in lanes.items() for row in told.items()]
        print_table(
            f"{len(reading.grades)} calls judged by {judge.name} {judge.version}",
            ("lane", "", "figure"),
            rows,
        )
        if sums["quotes_missing"]:
            click.echo(
                f"{sums['quotes_missing']} quotes were not in the transcript; these rulings count as unclear"
            )
    tell_damage(reading.damaged)
    for grade in reading.grades:
        if grade.outcome is Outcome.ERROR:
            click.echo(f"call {grade.call_id}: {grade.summary}", err=True)


Lane = tuple[Mapping[str, Any], Mapping[str, str]]  # figures, and how they are told


def _task(counts: Mapping[Outcome, int]) -> Lane:
    passed, failed, unclear = (counts.get(each, 0) for each in (Outcome.PASS, Outcome.FAIL, Outcome.UNCLEAR))
    n = passed + failed + unclear
    told = wilson(passed, n).told + ("; thin" if 0 < n < _FEWEST_CALLS else "")
    return (
        {"passed": passed, "failed": failed, "unclear": unclear, "thin": n < _FEWEST_CALLS},
        {"passed (unclear counts against)": told, "failed": str(failed), "unclear": str(unclear)},
    )


def _compliance(sums: Mapping[str, int]) -> Lane:
    names = ("claims", "claims_accurate", "claims_wrong", "fabricated", "breaches", "rules", "rules_unclear")
    found = {name: sums.get(name, 0) for name in names}
    n = found["claims"]
    accuracy = f"{found['claims_accurate']} of {n}" if n else "not measured (no verified claim)"
    return (
        {**found, "thin": n < _FEWEST_CLAIMS},
        {
            "claims accurate": accuracy + ("; thin" if 0 < n < _FEWEST_CLAIMS else ""),
            "claims wrong": str(found["claims_wrong"]),
            "fabricated": str(found["fabricated"]),
            "must-not rules breached": f"{found['breaches']} of {found['rules']}",
        },
    )
