"""A call's tool and state adherence as lines of text for people: what was expected, what was observed, and
what the database holds against what it should hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from offhook.grading import Grade, Outcome

__all__ = ["STATE_GRADER", "TOOL_GRADER", "adherence_lines"]

TOOL_GRADER: Final = "tool-adherence"
STATE_GRADER: Final = "state-adherence"

_WIDEST: Final = 44


def adherence_lines(grades: Iterable[Grade]) -> tuple[str, ...]:
    """The differences that the grades ``tool-adherence`` and ``state-adherence`` hold, line by line; grades
    of other graders are passed over.

    One line an expected call (✓ or ✗, what became of it, its arguments), below it what the nearest request
    had instead; then forbidden and further requests; then one line an expected change of the database (``seed
    → expected``, observed, ✓ or ✗) and one a change that nobody expected. A grade that is an error, or whose
    evidence is not of this shape, gives its summary.
    """
    found = {grade.grader: grade for grade in grades}
    lines: list[str] = []
    for name, title, told in (
        (TOOL_GRADER, "Tool adherence", _tool_lines),
        (STATE_GRADER, "State adherence", _state_lines),
    ):
        if name not in found:
            continue
        lines.append(f"{title}: {found[name].summary}")
        if found[name].outcome in (Outcome.PASS, Outcome.FAIL):
            try:
                lines += list(told(found[name].evidence))
            except (AttributeError, KeyError, TypeError):
                lines.append("  (its evidence was written by another version: grade the run again)")
    return tuple(lines)


def _tool_lines(evidence: Mapping[str, Any]) -> Iterator[str]:
    calls = evidence["expected_calls"]
    notes = [("✓ " if call["matched"] else "✗ ") + call["note"] for call in calls]
    tools = [call["tool"] + (" (refused)" if call.get("outcome") == "refused" else "") for call in calls]
    wide, broad = _width(notes), _width(tools)
    for number, (call, note, tool) in enumerate(zip(calls, notes, tools, strict=True), start=1):
        yield f"  {number} {note:{wide}}  {tool:{broad}}  {_arguments(call)}".rstrip()
        yield from _instead(call)
    for entry in evidence["forbidden_requests"]:
        yield f"  ✗ forbidden: {_request(entry)}: {entry.get('why', 'the task forbids it')}"
    extra = [_request(entry) for entry in evidence["extra_requests"]]
    if extra:
        yield f"  also requested: {', '.join(extra)}"


def _arguments(call: Mapping[str, Any]) -> str:
    told = [
        f"{name} {' or '.join(map(_text, (value, *call['alternatives'].get(name, ()))))}"
        for name, value in call["arguments"].items()
    ]
    return " · ".join((*told, *(f"{name} (any text)" for name in call["free_text"])))


def _instead(call: Mapping[str, Any]) -> Iterator[str]:
    if call["nearest"] is None:
        return
    yield f"      nearest: {_request(call['nearest'])}"
    for difference in call["differences"]:
        observed = "nothing" if difference["observed"] is None else _text(difference["observed"])
        yield f"      {difference['what']}: expected {_text(difference['expected'])}, observed {observed} ✗"


def _request(entry: Mapping[str, Any]) -> str:
    refused = f", refused: {entry['code']}" if entry["code"] else ""
    return f"{entry['tool']} (request {entry['index']} at {entry['at_s']:.1f} s{refused})"


def _state_lines(evidence: Mapping[str, Any]) -> Iterator[str]:
    changes = evidence["expected_changes"]
    if changes:
        yield "  (seed → expected)"
    columns: tuple[Sequence[str], ...] = (
        [change["table"] for change in changes],
        [change["column"] for change in changes],
        [change["change_text"] for change in changes],
        [f"observed {change['observed_text']}" for change in changes],
    )
    widths = [_width(column) for column in columns]
    for change, *cells in zip(changes, *columns, strict=True):
        row = "  ".join(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True))
        yield f"  {row}  {'✓' if change['ok'] else '✗'}"
    for change in evidence["unexpected_changes"]:
        told = ", ".join(
            f"{column} {_text(pair['seed'])} → {_text(pair['observed'])}"
            for column, pair in change["columns"].items()
            if pair["seed"] != pair["observed"]
        )
        yield f"  {change['table']}  {change['kind']} row nobody expected: {told}  ✗"


def _text(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _width(cells: Sequence[str]) -> int:
    """Wide enough for all but the few that are very long; these only push their own line out."""
    return min(_WIDEST, max(map(len, cells), default=0))
