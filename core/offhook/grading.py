"""What grades a call, in three layers over one call's stored evidence:

- a **measurer** reads the recording or needs a speech engine; what it finds is stored beside the call, once;
- a **grader** is a pure function from the evidence and those measurements to one grade;
- a **reviewer** reads the grades of its call besides, and says why they came out as they did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, runtime_checkable

import attrs

from offhook.packs import Pack, Task
from offhook.records import CallRecord, ModelLayer, ToolLogEntry

if TYPE_CHECKING:
    from offhook.speech import Listener, SentenceEmbedder

__all__ = [
    "CallEvidence",
    "FreshMeasurements",
    "Grade",
    "GradeKind",
    "Grader",
    "GradingEngines",
    "Measurement",
    "Measurements",
    "Measurer",
    "NotMeasured",
    "Outcome",
    "Reviewer",
    "measured_grade",
    "not_measured_grade",
]


class Outcome(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    MEASURED = "measured"
    NOT_MEASURED = "not_measured"
    UNCLEAR = "unclear"
    ERROR = "error"


class GradeKind(StrEnum):
    """``VERDICT`` graders decide whether a call passes (all of them must); ``MEASURE`` graders only measure;
    a ``FINDING`` explains or judges and decides nothing.
    """

    VERDICT = "verdict"
    MEASURE = "measure"
    FINDING = "finding"


class NotMeasured(Exception):
    """Something can't be measured on this call; the message says why in one line."""


class GradingEngines(Protocol):
    """The engines a measurer may use, loaded at first use."""

    def embedder(self) -> SentenceEmbedder:
        """Raises SpeechUnavailable."""
        ...

    def listener(self) -> Listener:
        """The reference recogniser. Raises SpeechUnavailable."""
        ...


@attrs.frozen
class Measurement:
    """What one measurer found on one call, as JSON data. ``error`` says why there are no ``values``."""

    measurer: str
    version: str
    call_id: str
    values: Mapping[str, Any] = attrs.field(factory=dict)
    error: str = ""


class Measurements(Protocol):
    """Where a call's measurements come from: a store, or the measurers themselves."""

    def get(self, call: CallEvidence, name: str) -> Measurement:
        """Never raises for a measurer that fails or is not there: the measurement says so in ``error``."""
        ...


@runtime_checkable
class Measurer(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def measure(self, call: CallEvidence, engines: GradingEngines) -> Mapping[str, Any]:
        """Plain JSON data, equal for equal evidence. It may take seconds and use other measurements.

        Raises:
            NotMeasured: there is nothing to measure on this call.
            SpeechUnavailable: an engine is missing.
        """
        ...


@attrs.frozen
class FreshMeasurements:
    """Measures anew each time it is asked. Tests and tools without a run folder use it."""

    measurers: Sequence[Measurer]
    engines: GradingEngines | None = None

    def get(self, call: CallEvidence, name: str) -> Measurement:
        from offhook.speech import SpeechUnavailable

        found = [measurer for measurer in self.measurers if measurer.name == name]
        if not found:
            return Measurement(name, "0", call.record.call_id, error=f"no measurer {name!r} is installed")
        measurer = found[0]
        try:
            if self.engines is None:
                values = measurer.measure(call, _NoEngines())
            else:
                values = measurer.measure(call, self.engines)
        except (NotMeasured, SpeechUnavailable) as error:
            return Measurement(name, measurer.version, call.record.call_id, error=str(error))
        return Measurement(name, measurer.version, call.record.call_id, values)


class _NoEngines:
    def embedder(self) -> SentenceEmbedder:
        self._refuse()

    def listener(self) -> Listener:
        self._refuse()

    def _refuse(self) -> NoReturn:
        from offhook.speech import SpeechUnavailable

        raise SpeechUnavailable("no speech engine was given; pip install 'offhook[speech]'")


@attrs.frozen
class CallEvidence:
    """All a grader may read. Paths lie in the call's folder: ``state`` (SQLite), ``recording`` and
    ``caller_tape`` (FLAC; None on a text line). ``layers`` are the models inside the platform, as the run's
    manifest has them.
    """

    record: CallRecord
    tools: tuple[ToolLogEntry, ...]
    state: Path
    recording: Path | None
    caller_tape: Path | None
    pack: Pack
    task: Task
    layers: tuple[ModelLayer, ...] = ()
    measurements: Measurements = attrs.field(factory=lambda: FreshMeasurements(()), eq=False, repr=False)

    def measured(self, name: str) -> Measurement:
        """What the measurer of that name found on this call, measured at first use and stored."""
        return self.measurements.get(self, name)


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


@runtime_checkable
class Reviewer(Protocol):
    """Comes after the graders. Its grade is always a ``FINDING``."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def review(self, call: CallEvidence, grades: Sequence[Grade]) -> Grade:
        """Pure, of kind ``FINDING``. ``grades`` are the graders' and those of the reviewers named before
        it, by name. May raise; the runner turns that into an ``error`` grade."""
        ...


def measured_grade(
    by: Grader,
    call: CallEvidence,
    summary: str,
    numbers: Mapping[str, float],
    evidence: Mapping[str, Any] | None = None,
) -> Grade:
    """A grader's grade of outcome ``MEASURED``, stamped with its name, version and kind."""
    return Grade(
        grader=by.name,
        version=by.version,
        kind=by.kind,
        call_id=call.record.call_id,
        outcome=Outcome.MEASURED,
        summary=summary,
        numbers=numbers,
        evidence=evidence or {},
    )


def not_measured_grade(
    by: Grader, call: CallEvidence, why: str, evidence: Mapping[str, Any] | None = None
) -> Grade:
    """A grader's grade of outcome ``NOT_MEASURED``, whose summary says why."""
    made = measured_grade(by, call, f"not measured: {why}", {}, evidence)
    return attrs.evolve(made, outcome=Outcome.NOT_MEASURED)
