"""Which accepted requests a task forbids, and what would have allowed them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import attrs

from offhook.packs import ForbiddenCall, Pack, Task
from offhook.records import CallRecord, ToolLogEntry
from offhook_graders.adherence.matching import is_given, same_value

__all__ = ["Breach", "breaches"]


@attrs.frozen
class Breach:
    """A request that the task forbids. ``at`` is its place in the log, ``why`` what is wrong with it,
    ``allowed_by`` what would have allowed it and had not happened."""

    at: int
    why: str
    allowed_by: tuple[str, ...] = ()


def breaches(task: Task, pack: Pack, record: CallRecord, log: Sequence[ToolLogEntry]) -> tuple[Breach, ...]:
    """Every accepted request that a forbidden tool or a forbidden call of the task names, one a request."""
    found = []
    for at, entry in enumerate(log):
        if (
            entry.outcome == "accepted"
            and (breach := _breach(at, entry, task, pack, record, log)) is not None
        ):
            found.append(breach)
    return tuple(found)


def _breach(
    at: int, entry: ToolLogEntry, task: Task, pack: Pack, record: CallRecord, log: Sequence[ToolLogEntry]
) -> Breach | None:
    if entry.tool in task.forbidden_tools:
        return Breach(at, f"the task forbids {entry.tool}")
    for rule in task.forbidden:
        if (
            rule.tool == entry.tool
            and _has_arguments(rule, entry, pack)
            and not _allowed(rule, at, record, log)
        ):
            said = tuple(f"the caller says /{pattern}/" for pattern in rule.unless_said)
            return Breach(at, rule.why, (*rule.unless, *said))
    return None


def _has_arguments(rule: ForbiddenCall, entry: ToolLogEntry, pack: Pack) -> bool:
    parameters = {parameter.name: parameter for parameter in pack.tool(rule.tool).parameters}
    return all(
        any(
            is_given(source.get(name)) and same_value(parameters[name], value, source[name])
            for source in (entry.canonical, entry.arguments)
        )
        for name, value in rule.arguments.items()
    )


def _allowed(rule: ForbiddenCall, at: int, record: CallRecord, log: Sequence[ToolLogEntry]) -> bool:
    when = log[at].at
    called = {f"called:{entry.tool}" for entry in log[:at] if entry.outcome == "accepted"}
    if not {*called, *_happened(record, when)}.isdisjoint(rule.unless):
        return True
    lines = [turn.written for turn in record.caller_turns if turn.start <= when]
    return any(_found(pattern, lines) for pattern in rule.unless_said)


def _happened(record: CallRecord, when: float) -> Iterable[str]:
    """Caller events up to a moment. A line counts once it has begun: an agent may act before its last
    word."""
    yield from (event.name for event in record.caller_events if event.at <= when)
    for turn in record.caller_turns:
        if turn.start <= when:
            kind, _, rule = turn.source.partition(":")
            if kind == "rule":
                yield f"said:{rule}"
            elif kind == "opening":
                yield "opened"


def _found(pattern: str, lines: Iterable[str]) -> bool:
    return any(re.search(pattern, line, re.IGNORECASE) for line in lines)
