"""``offhook diff``: what a call should have done, and what it did."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from offhook.grading import Grade
    from offhook.host import PluginHost
    from offhook.records import CallRecord
    from offhook.storage import RunFolder

__all__ = ["diff"]


@click.command(
    epilog="""\b
Examples:
  offhook diff runs/demo-20261130-101500 T4-H1
  offhook diff runs/demo-20261130-101500 3f9a --json
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("call")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout instead of text.")
def diff(run: Path, call: str, as_json: bool) -> int:
    """Show what a call's tool requests and database differ in from what its task expects, and where the
    platform's own tool log tells otherwise, which counts for nothing.

    CALL is the id of a call, the beginning of one, or a task that the run called once. The stored grades are
    shown; a call without any is graded for the purpose, and nothing is written. The exit code is 1 where
    something differs.
    """
    import json

    from offhook.adherence import adherence_lines
    from offhook.grading import Outcome
    from offhook.host import PluginHost
    from offhook.storage import RunFolder

    if not (run / "run.json").is_file():
        raise click.UsageError(f"{run} holds no run (no run.json)", click.get_current_context())
    folder = RunFolder.open(run)
    host = PluginHost.discover()
    record = _chosen(folder, host, call)
    grades = _grades(folder, host, record)
    passed = bool(grades) and all(grade.outcome is Outcome.PASS for grade in grades)
    lines = (*adherence_lines(grades), *_platform_lines(folder, record))
    if as_json:
        told = {
            "call_id": record.call_id,
            "task": f"{record.key.pack}/{record.key.task}",
            "passed": passed,
            "lines": list(lines),
            "grades": {
                grade.grader: {"outcome": str(grade.outcome), **dict(grade.evidence)} for grade in grades
            },
        }
        click.echo(json.dumps(told, ensure_ascii=False, sort_keys=True))
        return 0 if passed else 1
    key = record.key
    click.echo(f"{key.pack}/{key.task}, run {key.run}, {key.audio}, call {record.call_id}")
    for line in lines:
        click.echo(line)
    return 0 if passed else 1


def _platform_lines(folder: RunFolder, record: CallRecord) -> tuple[str, ...]:
    """Where the platform's own tool log tells otherwise than ours, which alone is graded."""
    from offhook.toollogs import compare_tool_logs, platform_tool_log

    theirs = platform_tool_log(record, folder.call_folder(record.call_id))
    if not theirs:
        return ()
    told = compare_tool_logs(theirs, folder.tools(record.call_id)).lines
    return tuple(f"the platform's own log: {line}" for line in told)


def _chosen(folder: RunFolder, host: PluginHost, call: str) -> CallRecord:
    """Raises click.UsageError where the text names no call, or several."""
    ids = [call_id for call_id in folder.call_ids() if call_id == call] or [
        call_id for call_id in folder.call_ids() if call and call_id.startswith(call)
    ]
    if not ids:
        wanted = call.rpartition("/")[2].casefold()
        ids = [
            call_id for call_id in folder.call_ids() if folder.record(call_id).key.task.casefold() == wanted
        ]
    if len(ids) == 1:
        return folder.record(ids[0])
    if not ids:
        raise click.UsageError(f"the run has no call {call!r}; give the id of a call or of a task")
    told = "; ".join(_told(folder, host, call_id) for call_id in ids[:8])
    more = f"; and {len(ids) - 8} more" if len(ids) > 8 else ""
    raise click.UsageError(f"{call!r} may be any of {len(ids)} calls, give the id of one: {told}{more}")


def _told(folder: RunFolder, host: PluginHost, call_id: str) -> str:
    """Which call it is, and its state: how it ended and, where it is graded, what came of it."""
    from offhook.adherence import STATE_GRADER, TOOL_GRADER
    from offhook.grading import Outcome
    from offhook.runner import current_versions

    record = folder.record(call_id)
    key = record.key
    which = f"{call_id} ({key.task} run {key.run}, {key.audio}, attempt {key.attempt}, {record.ending}"
    outcomes = [
        grade.outcome
        for grade in folder.grades(call_id, current_versions(folder, host))
        if grade.grader in (TOOL_GRADER, STATE_GRADER)
    ]
    if not outcomes:
        return f"{which}, not graded)"
    return f"{which}, {next((each for each in outcomes if each is not Outcome.PASS), Outcome.PASS)})"


def _grades(folder: RunFolder, host: PluginHost, record: CallRecord) -> tuple[Grade, ...]:
    """The two adherence grades: stored ones, or else made from the evidence."""
    from offhook.adherence import STATE_GRADER, TOOL_GRADER
    from offhook.grading import Grade
    from offhook.runner import current_versions, load_evidence
    from offhook.storage import from_json, to_json

    wanted = (TOOL_GRADER, STATE_GRADER)
    stored = {
        grade.grader: grade
        for grade in folder.grades(record.call_id, current_versions(folder, host))
        if grade.grader in wanted
    }
    if len(stored) == len(wanted):
        return tuple(stored[name] for name in wanted)
    evidence = load_evidence(folder, record.call_id, host.packs())
    graders = host.graders()
    missing = [name for name in wanted if name not in graders]
    if missing:
        raise click.UsageError(f"grader {missing[0]} is not installed; see `offhook plugins`")
    made = (stored.get(name) or graders[name].grade(evidence) for name in wanted)
    # Stored or not, a grade is shown as it reads back.
    return tuple(from_json(to_json(grade), Grade, source="the grade") for grade in made)
