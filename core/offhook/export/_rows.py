"""The rows that one call gives to each table, by column name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from offhook.grading import Grade
from offhook.records import CallRecord, RunManifest, ToolLogEntry, lateness_fault
from offhook.scoring import HEARING_GRADER, LATENCY_GRADER, CallResult, own_cause, void_reason
from offhook.storage import to_json

__all__ = ["ReadCall", "call_rows", "grade_rows", "tool_rows", "turn_rows"]

Row = Mapping[str, Any]


@attrs.frozen
class ReadCall:
    """A stored call. ``result`` is what the planned call came to; None for an attempt that was
    followed by another.
    """

    run_folder: Path
    manifest: RunManifest
    record: CallRecord
    tools: tuple[ToolLogEntry, ...]
    grades: tuple[Grade, ...]
    result: CallResult | None

    def grade(self, name: str) -> Grade | None:
        return next((grade for grade in self.grades if grade.grader == name), None)


def _identity(call: ReadCall) -> dict[str, Any]:
    key = call.record.key
    return {
        "run": call.manifest.run_id,
        "run_folder": str(call.run_folder),
        "seed": call.record.run_seed,
        "platform": key.platform,
        "repeat": key.run,
        "attempt": key.attempt,
        "call_id": call.record.call_id,
        "pack": key.pack,
        "task": key.task,
        "audio": key.audio,
        "line": key.line,
    }


def call_rows(call: ReadCall) -> list[Row]:
    record, result = call.record, call.result
    wall = record.wall
    return [
        {
            **_identity(call),
            "caller": call.manifest.caller,
            "voice": record.voice,
            "ending": record.ending,
            "state": result.state if result else "void",
            "passed": result.state == "passed" if result and result.graded else None,
            "counted": result is not None,
            "harness_reference": call.manifest.harness_reference,
            "cause": record.cause,
            "why": result.why if result else own_cause(call.grades) or record.cause,
            "ended_by": record.ended_by,
            "hung_up_because": record.hung_up_because,
            "started": wall.get("started", ""),
            "seconds": record.seconds,
            "took_s": float(wall["took_s"]) if "took_s" in wall else None,
            "caller_turns": len(record.caller_turns),
            "agent_turns": len(record.caller_heard),
            "tool_calls": len(call.tools),
            "tool_refusals": sum(entry.outcome == "refused" for entry in call.tools),
            "clears": len(record.clears),
            "underruns": record.underruns,
            "late_p50_ms": record.late.p50_ms,
            "late_p99_ms": record.late.p99_ms,
            "late_max_ms": record.late.max_ms,
            "latency_reliable": not lateness_fault(record),
            "cost_usd": record.cost_usd,
            "cost_basis": record.cost_basis,
            **_hearing(call.grade(HEARING_GRADER)),
            **_latency(call.grade(LATENCY_GRADER)),
            "outcomes": to_json({grade.grader: grade.outcome for grade in call.grades}),
            "numbers": to_json({grade.grader: grade.numbers for grade in call.grades}),
            "usage": to_json(record.usage),
            "session_errors": to_json(record.session_errors),
            "off_script": to_json(record.off_script),
            **_standing(call),
        }
    ]


def _standing(call: ReadCall) -> Row:
    """How the call stands among those that its task was to have."""
    result, manifest = call.result, call.manifest
    void = result is None or result.state == "void"
    return {
        "planned_runs": manifest.runs,
        "attempts_allowed": manifest.attempts,
        "void_reason": void_reason(call.record, call.grades) if void else "",
        "manifest_version": manifest.frozen.version if manifest.frozen else "",
    }


def _hearing(grade: Grade | None) -> Row:
    numbers = grade.numbers if grade is not None else {}
    kinds = ("substitutions", "deletions", "insertions")
    measured = all(kind in numbers for kind in (*kinds, "reference_words"))
    return {
        "wer_errors": int(sum(numbers[kind] for kind in kinds)) if measured else None,
        "wer_reference_words": int(numbers["reference_words"]) if measured else None,
        **{
            name: int(numbers[name]) if name in numbers else None
            for name in (
                "semantic_errors",
                "plain_semantic_errors",
                "not_judged",
                "facts_needed",
                "facts_heard",
            )
        },
    }


def _latency(grade: Grade | None) -> Row:
    numbers = grade.numbers if grade is not None else {}
    told: dict[str, Any] = {}
    for measure in ("published", "ours"):
        turns = numbers.get(f"{measure}_turns")
        told[f"{measure}_turns"] = None if turns is None else int(turns)
        told[f"{measure}_median_s"] = numbers.get(f"{measure}_median_s")
        told[f"{measure}_p95_s"] = numbers.get(f"{measure}_p95_s")
    return told


def turn_rows(call: ReadCall) -> list[Row]:
    grade = call.grade(LATENCY_GRADER)
    measured = {measure: _by_turn(grade, measure) for measure in ("published", "ours")}
    turns: list[dict[str, Any]] = [
        {
            "who": "caller",
            "text": turn.spoken,
            "written": turn.written,
            "source": turn.source,
            "start_s": turn.start,
            "end_s": turn.end,
            "caller_turn": number,
            **{f"{name}_latency_s": of.get(number, {}).get("latency_s") for name, of in measured.items()},
            **{f"{name}_excluded": of.get(number, {}).get("excluded", "") for name, of in measured.items()},
        }
        for number, turn in enumerate(call.record.caller_turns)
    ]
    turns += [
        {
            "who": "agent",
            "text": heard.text,
            "written": "",
            "source": "",
            "start_s": heard.start,
            "end_s": heard.end,
            "caller_turn": None,
            **{f"{name}_latency_s": None for name in measured},
            **{f"{name}_excluded": "" for name in measured},
        }
        for heard in call.record.caller_heard
    ]
    turns.sort(key=lambda turn: (turn["start_s"], turn["end_s"], turn["who"]))
    reliable = not lateness_fault(call.record)
    return [
        {**_identity(call), "position": position, "latency_reliable": reliable, **turn}
        for position, turn in enumerate(turns)
    ]


def _by_turn(grade: Grade | None, measure: str) -> dict[int, Mapping[str, Any]]:
    turns = grade.evidence.get(measure, ()) if grade is not None else ()
    return {turn["turn"]: turn for turn in turns}


def tool_rows(call: ReadCall) -> list[Row]:
    return [
        {
            **_identity(call),
            "position": entry.index,
            "tool": entry.tool,
            "arguments": to_json(entry.arguments),
            "canonical": to_json(entry.canonical),
            "raw": entry.raw,
            "outcome": entry.outcome,
            "code": entry.code,
            "status": entry.status,
            "response": to_json(entry.response),
            "at_s": entry.at,
            "source_id": entry.source_id,
        }
        for entry in call.tools
    ]


def grade_rows(call: ReadCall) -> list[Row]:
    return [
        {
            **_identity(call),
            "grader": grade.grader,
            "version": grade.version,
            "kind": grade.kind.value,
            "outcome": grade.outcome.value,
            "summary": grade.summary,
            "numbers": to_json(grade.numbers),
            "evidence": to_json(grade.evidence),
        }
        for grade in call.grades
    ]
