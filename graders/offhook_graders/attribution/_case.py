"""A failed call laid out for attribution: what was expected and did not come, and what each cause's check
says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.packs import ExpectedCall

__all__ = ["Case", "Check", "Miss", "case_of", "does_not_apply", "quoted"]

TOOL_GRADER = "tool-adherence"
STATE_GRADER = "state-adherence"


@attrs.frozen
class Check:
    """Whether a cause applies, why or why not, and what shows it (JSON data)."""

    cause: int
    applies: bool
    why: str
    evidence: Mapping[str, Any] = attrs.field(factory=dict)


def does_not_apply(cause: int, why: str) -> Check:
    return Check(cause, False, why)


@attrs.frozen
class Miss:
    """An expected call that no request stands for. ``differing`` maps each argument that differs in the
    nearest request to ``(expected, observed)``; ``code`` is that request's refusal; ``requested`` says
    whether there is such a request."""

    expected: ExpectedCall
    differing: Mapping[str, tuple[Any, Any]]
    requested: bool
    code: str = ""
    refused: bool = False
    at: float | None = None

    @property
    def tool(self) -> str:
        return self.expected.tool

    @property
    def omitted(self) -> bool:
        """The call was never made, rather than made wrongly."""
        return not self.requested


@attrs.frozen
class Case:
    """A call that failed, or could not be graded. ``misses`` come from the tool grade, ``forbidden`` and
    ``unexpected`` are its requests and the state grade's changes as their evidence has them."""

    call: CallEvidence
    failed: tuple[Grade, ...]
    broken: tuple[Grade, ...]
    misses: tuple[Miss, ...]
    forbidden: tuple[Mapping[str, Any], ...]
    unexpected: tuple[Mapping[str, Any], ...]
    absent: tuple[Mapping[str, Any], ...]

    @property
    def on_text(self) -> bool:
        return self.call.record.key.line == "text"

    @property
    def omitted(self) -> tuple[Miss, ...]:
        return tuple(miss for miss in self.misses if miss.omitted)

    @property
    def breached_at(self) -> float | None:
        """When the agent first did what the task forbids, in line seconds: nothing that comes later can be
        why the call failed."""
        return min((entry["at_s"] for entry in self.forbidden), default=None)

    @property
    def heard(self) -> tuple[str, ...]:
        """The platform's transcript of the caller, line by line."""
        return tuple(line.text for line in self.call.record.user_transcripts)


def case_of(call: CallEvidence, grades: Sequence[Grade]) -> Case | None:
    """None for a call that passed, or that nothing decided."""
    verdicts = [grade for grade in grades if grade.kind is GradeKind.VERDICT]
    failed = tuple(grade for grade in verdicts if grade.outcome is Outcome.FAIL)
    broken = tuple(grade for grade in verdicts if grade.outcome is Outcome.ERROR)
    if not failed and not broken:
        return None
    by_name = {grade.grader: grade for grade in failed}
    tool = by_name[TOOL_GRADER].evidence if TOOL_GRADER in by_name else {}
    state = by_name[STATE_GRADER].evidence if STATE_GRADER in by_name else {}
    return Case(
        call=call,
        failed=failed,
        broken=broken,
        misses=_misses(call, tool.get("expected_calls", ())),
        forbidden=tuple(tool.get("forbidden_requests", ())),
        unexpected=tuple(state.get("unexpected_changes", ())),
        absent=tuple(change for change in state.get("expected_changes", ()) if not change["ok"]),
    )


def _misses(call: CallEvidence, told: Sequence[Mapping[str, Any]]) -> tuple[Miss, ...]:
    """The tool grade tells of the expected calls in the key's order."""
    if len(told) != len(call.task.expected):
        return ()
    return tuple(
        _miss(expected, line)
        for expected, line in zip(call.task.expected, told, strict=True)
        if not line["matched"]
    )


def _miss(expected: ExpectedCall, line: Mapping[str, Any]) -> Miss:
    nearest = line["nearest"]
    differing = {item["what"]: (item["expected"], item["observed"]) for item in line["differences"]}
    refused = "outcome" in differing and nearest is not None and nearest["outcome"] == "refused"
    differing.pop("outcome", None)
    if nearest is None:
        return Miss(expected, {}, requested=False)
    return Miss(expected, differing, True, nearest["code"], refused, nearest["at_s"])


def quoted(text: str, limit: int = 160) -> str:
    """Text from a call inside a line of our own."""
    line = " ".join(text.split())
    return f'"{line if len(line) <= limit else line[: limit - 3] + "..."}"'
