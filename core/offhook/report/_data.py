"""What the page shows, as plain JSON data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from offhook.grading import Grade
from offhook.host import PluginHost
from offhook.line import AudioFileError
from offhook.packs import Pack
from offhook.records import CallRecord, RunManifest, lateness_fault
from offhook.report._accepted import accepted_values
from offhook.report._sound import COLUMNS_A_SECOND, is_inside, sound_of
from offhook.runner.run import summarise
from offhook.runner.stored import StoredRun, read_run
from offhook.scoring import FLOOR_MEASURER, CallResult, Rate, RunSummary, VoiceFloor, synthesis_floor
from offhook.storage import RunFolder, StorageError, one_line
from offhook.toollogs import compare_tool_logs, platform_tool_log

__all__ = ["SoundSource", "report_data", "run_data"]

SoundSource: TypeAlias = Callable[[RunFolder, str], str]
"""Gives the address of a call's sound from the run and the call's id; empty for none. May raise
AudioFileError."""


def report_data(
    folder: RunFolder, host: PluginHost, *, source: SoundSource, only: Collection[str] | None = None
) -> dict[str, Any]:
    """All of a run, ready to be drawn.

    A file that can't be read leaves its part of the call empty and its line among the call's errors.

    Args:
        only: ids of the calls that are shown; all by default.

    Raises:
        StorageError: the run's manifest is malformed.
    """
    stored = read_run(folder, host)
    summary = summarise(stored, host)
    titles = {(row.pack, row.task): row.title for row in summary.tasks}
    grades: dict[str, list[Grade]] = {}
    for grade in stored.grades:
        grades.setdefault(grade.call_id, []).append(grade)
    packs = host.packs()
    calls = [
        _call(
            folder,
            result,
            grades.get(result.record.call_id, ()),
            titles,
            packs.get(result.record.key.pack),
            source=source,
        )
        for result in summary.calls
        if only is None or result.record.call_id in only
    ]
    shown = {call["id"] for call in calls}
    return {
        "run": run_data(stored.manifest, summary),
        "calls": calls,
        "floor": [
            {**attrs.asdict(floor), "wer": floor.wer} for floor in _floor(folder, host, stored.records)
        ],
        "lanes": _lanes(stored, host),
        "damaged": [damage.why for damage in stored.damaged if damage.call_id not in shown],
        "columns_a_second": COLUMNS_A_SECOND,
    }


def _floor(folder: RunFolder, host: PluginHost, records: Sequence[CallRecord]) -> tuple[VoiceFloor, ...]:
    """What was measured of it; nothing is measured for a page."""
    measurer = host.measurers().get(FLOOR_MEASURER)
    if measurer is None:
        return ()
    found = [folder.measurement(record.call_id, FLOOR_MEASURER, measurer.version) for record in records]
    return synthesis_floor(records, [one for one in found if one is not None])


def _lanes(stored: StoredRun, host: PluginHost) -> list[list[str]]:
    """The scorecard's five lanes, each with its line."""
    from offhook.scorecard import CardInput, lane_card  # its pages are made with this package

    tasks = tuple(task for pack in host.packs().values() for task in pack.tasks)
    card = lane_card(CardInput(stored.manifest, stored.records, stored.grades, tasks=tasks))
    return [[name, line] for name, line in card.lines]


def run_data(manifest: RunManifest, summary: RunSummary) -> dict[str, Any]:
    """The figures of a run as plain JSON data."""
    return {
        "id": summary.run_id,
        "platform": summary.platform,
        "caller": manifest.caller,
        "line": manifest.line,
        "runs": manifest.runs,
        "seed": manifest.seed,
        "started": manifest.wall.get("started", ""),
        "harness_reference": summary.harness_reference,
        "saboteur": summary.platform.startswith("saboteur-"),
        "counts": {
            name: getattr(summary, name)
            for name in ("planned", "ran", "graded", "passed", "void", "error", "missing", "voided_attempts")
        },
        "draft": summary.frozen is None,
        "stamp": summary.stamp,
        "manifest": None if summary.frozen is None else attrs.asdict(summary.frozen),
        "attempts": manifest.attempts,
        "short_tasks": [str(short) for short in summary.shortfalls],
        "score": {
            "points": summary.score.points,
            "out_of": summary.score.out_of,
            "parts": [attrs.asdict(part) for part in summary.score.parts],
        },
        "rate": _rate(summary.rate),
        "pass_k": None if summary.pass_k is None else attrs.asdict(summary.pass_k),
        "hearing": {
            name: None if pooled is None else attrs.asdict(pooled) for name, pooled in summary.hearing.items()
        },
        "latency": None if summary.latency is None else attrs.asdict(summary.latency),
        "latency_ours": None if summary.latency_ours is None else attrs.asdict(summary.latency_ours),
        "kept_up": {**attrs.asdict(summary.kept_up), "reliable": summary.kept_up.reliable},
        "tiers": [{"tier": row.tier, "tasks": row.tasks, "rate": _rate(row.rate)} for row in summary.tiers],
        "tasks": [attrs.asdict(row) for row in summary.tasks],
        "components": [attrs.asdict(component) for component in manifest.components],
    }


def _rate(rate: Rate | None) -> dict[str, Any] | None:
    return None if rate is None else attrs.asdict(rate)


def _call(
    folder: RunFolder,
    result: CallResult,
    grades: Sequence[Grade],
    titles: Mapping[tuple[str, str], str],
    pack: Pack | None,
    *,
    source: SoundSource,
) -> dict[str, Any]:
    record = result.record
    errors = [*record.session_errors, *folder.check_files(record)]
    tools, sound = _tools(folder, record, errors), _sound(folder, record, errors, source)
    return {
        "id": record.call_id,
        "pack": record.key.pack,
        "task": record.key.task,
        "title": titles.get((record.key.pack, record.key.task), ""),
        "run": record.key.run,
        "audio": record.key.audio,
        "voice": record.voice,
        "state": result.state,
        "why": result.why,
        "seconds": record.seconds,
        "ended_by": record.ended_by,
        "hung_up_because": record.hung_up_because,
        "off_script": list(record.off_script),
        "errors": errors,
        "underruns": record.underruns,
        "late_ms": attrs.asdict(record.late),
        "latency_unreliable": lateness_fault(record),
        "turns": _turns(record),
        "played": [[span.start, span.end] for span in record.played],
        "tools": tools,
        "platform_log": _platform_log(folder, record),
        "grades": {grade.grader: _grade(grade) for grade in grades},
        "accepted": _accepted(grades, pack, errors),
        "sound": sound,
    }


def _accepted(grades: Sequence[Grade], pack: Pack | None, errors: list[str]) -> list[list[dict[str, Any]]]:
    found = [grade.evidence for grade in grades if grade.grader == "tool-adherence"]
    try:
        return accepted_values(found[0], pack) if found else []
    except (AttributeError, LookupError, TypeError) as error:
        errors.append(f"damaged: the tool-adherence grade is not as it was written ({one_line(error)})")
        return []


def _turns(record: CallRecord) -> list[dict[str, Any]]:
    """Both sides on the time axis: what the caller was given to say and what the platform made of it, what
    the platform says it said and what the caller heard.
    """
    turns: list[dict[str, Any]] = [
        {
            "who": "caller",
            "start": turn.start,
            "end": turn.end,
            "text": turn.written,
            "spoken": turn.spoken,
            "source": turn.source,
        }
        for turn in record.caller_turns
    ]
    turns += [
        {"who": "agent", "start": heard.start, "end": heard.end, "text": heard.text}
        for heard in record.caller_heard
    ]
    turns += [
        {"who": "platform heard", "start": line.at, "end": line.at, "text": line.text}
        for line in record.user_transcripts
    ]
    turns += [
        {"who": "platform said", "start": line.at, "end": line.at, "text": line.text}
        for line in record.agent_transcripts
    ]
    return sorted(turns, key=lambda turn: (turn["start"], turn["who"]))


def _tools(folder: RunFolder, record: CallRecord, errors: list[str]) -> list[dict[str, Any]]:
    if not record.files:
        return []
    try:
        entries = folder.tools(record.call_id)
    except StorageError as error:
        errors.append(str(error))
        return []
    return [
        {
            "index": entry.index,
            "tool": entry.tool,
            "arguments": dict(entry.arguments),
            "status": entry.status,
            "outcome": entry.outcome,
            "code": entry.code,
            "response": dict(entry.response),
            "at": entry.at,
        }
        for entry in entries
    ]


def _platform_log(folder: RunFolder, record: CallRecord) -> list[str] | None:
    """What the platform's own log of its tool calls has otherwise than ours; None where there is nothing to
    compare.
    """
    theirs = platform_tool_log(record, folder.call_folder(record.call_id))
    if not theirs:
        return None
    try:
        return list(compare_tool_logs(theirs, folder.tools(record.call_id)).lines)
    except StorageError:
        return None  # told where the log itself is shown


def _sound(
    folder: RunFolder, record: CallRecord, errors: list[str], source: SoundSource
) -> dict[str, Any] | None:
    recording = folder.call_folder(record.call_id) / "recording.flac"
    if not is_inside(recording, folder.path):
        errors.append(f"damaged: {recording} leads out of the run's folder")
        return None
    if not recording.is_file():
        return None
    try:
        return attrs.asdict(sound_of(recording, source(folder, record.call_id)))
    except AudioFileError as error:
        errors.append(str(error))
        return None


def _grade(grade: Grade) -> dict[str, Any]:
    return {
        "version": grade.version,
        "kind": grade.kind.value,
        "outcome": grade.outcome.value,
        "summary": grade.summary,
        "numbers": dict(grade.numbers),
        "evidence": dict(grade.evidence),
    }
