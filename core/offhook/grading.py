"""What a grader is: a pure function from one call's evidence to one grade that carries its own evidence."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import attrs

from offhook.packs import Pack, Task
from offhook.records import CallRecord, ToolLogEntry

__all__ = ["CallEvidence", "Grade", "GradeKind", "Grader", "Outcome"]


class Outcome(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    MEASURED = "measured"
    NOT_MEASURED = "not_measured"
    ERROR = "error"


class GradeKind(StrEnum):
    """``VERDICT`` graders decide whether a call passes (all of them must); ``MEASURE`` graders only
    measure.
    """

    VERDICT = "verdict"
    MEASURE = "measure"


@attrs.frozen
class CallEvidence:
    """All a grader may read. Paths lie in the call's folder: ``state`` (SQLite), ``recording`` and
    ``caller_tape`` (FLAC; None on a text line).
    """

    record: CallRecord
    tools: tuple[ToolLogEntry, ...]
    state: Path
    recording: Path | None
    caller_tape: Path | None
    pack: Pack
    task: Task


@attrs.frozen
class Grade:
    """``numbers`` are the pooled counts or measured values scoring adds up; ``evidence`` is JSON: matched
    pairs, diffs, windows.
    """

    grader: str
    version: str
    kind: GradeKind
    call_id: str
    outcome: Outcome
    summary: str
    numbers: Mapping[str, float] = attrs.field(factory=dict)
    evidence: Mapping[str, Any] = attrs.field(factory=dict)


@runtime_checkable
class Grader(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def kind(self) -> GradeKind: ...

    def grade(self, call: CallEvidence) -> Grade:
        """Pure: equal evidence, equal grade. May raise; the runner turns that into an ``error`` grade."""
        ...
