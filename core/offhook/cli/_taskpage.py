"""One task as a person reads it, and the same as plain data."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.cli._output import count
from offhook.packs import ExpectedCall, ForbiddenCall, Pack, Rule, TableRole, Task
from offhook.toolserver import ChangeKind, RowChange

__all__ = ["TaskView", "task_json", "task_lines"]

_WIDTH: Final = 88
_COUNTED: Final = frozenset({TableRole.WRITE, TableRole.LOG, TableRole.QUOTE})
_HOW: Final = {
    TableRole.WRITE: "must be as here",
    TableRole.LOG: "may have further rows",
    TableRole.QUOTE: "not compared",
}


@attrs.frozen
class TaskView:
    """A task with what follows from its pack: ``changes`` between seed and expected end state, or ``fault``,
    why its key can't be replayed. ``voice`` is empty where there is no voice.
    """

    pack: Pack
    task: Task
    voice: str
    changes: tuple[RowChange, ...]
    fault: str = ""

    @property
    def gates(self) -> tuple[str, ...]:
        """The gates that the key goes through."""
        called = dict.fromkeys(call.tool for call in self.task.expected)
        return tuple(name for name in called if name in self.pack.gates)

    @property
    def counted(self) -> tuple[RowChange, ...]:
        """The changes that count as rows written."""
        roles = {table.name: table.role for table in self.pack.tables}
        return tuple(change for change in self.changes if roles[change.table] in _COUNTED)

    def volatile(self, table: str) -> frozenset[str]:
        """The columns of a table that are not compared."""
        found = next(item for item in self.pack.tables if item.name == table)
        return frozenset(found.volatile)

    def role(self, table: str) -> TableRole:
        return next(item.role for item in self.pack.tables if item.name == table)


def task_json(view: TaskView) -> dict[str, object]:
    """Everything ``task_lines`` shows, as plain data."""
    task = view.task
    return {
        "pack": task.pack,
        "id": task.id,
        "title": task.title,
        "tier": task.tier.value,
        "category": task.category,
        "gates": list(view.gates),
        "voice": view.voice,
        "tool_calls": task.structure.tool_calls,
        "constrained_args": task.structure.constrained_args,
        "rows_written": task.structure.rows_written,
        "opening": task.intent.opening,
        "conduct": list(task.intent.conduct),
        "closing": task.intent.closing,
        "satisfied": list(task.intent.satisfied),
        "knows": {trait.name: str(trait.value) for trait in task.traits},
        "topics": [{"name": topic.name, **_cues(topic.cues)} for topic in task.topics],
        "says": [
            {
                "rule": rule.id,
                "line": rule.line,
                "when": rule.when,
                "not_when": list(rule.not_when),
                "first_n": rule.first_n,
                "after": list(rule.after),
                "unless": list(rule.unless),
                "order": rule.order,
                "ends_call": rule.ends_call,
                "cues": _cues(rule.cues),
                "tests": [attrs.asdict(test) for test in rule.tests],
            }
            for rule in _in_order(task)
        ],
        "expected": [_call_json(call) for call in task.expected],
        "forbidden_tools": list(task.forbidden_tools),
        "forbidden": [attrs.asdict(call) for call in task.forbidden],
        "criteria": [{"id": item.id, "text": item.text} for item in task.criteria],
        "checks": [{"id": check.id, "text": check.text} for check in task.checks],
        "changes": [
            {
                "table": change.table,
                "role": view.role(change.table).value,
                "key": [_plain(value) for value in change.key],
                "kind": change.kind.value,
                "columns": {
                    name: {
                        "seed": _plain(before),
                        "expected": _plain(after),
                        "compared": name not in view.volatile(change.table)
                        and view.role(change.table) is not TableRole.QUOTE,
                    }
                    for name, (before, after) in change.columns.items()
                },
            }
            for change in view.counted
        ],
        "replay_fault": view.fault,
    }


def task_lines(view: TaskView) -> Iterator[str]:
    """The page for a terminal of 88 columns."""
    task, structure = view.task, view.task.structure
    yield f"{task.pack}/{task.id}  {task.title}"
    yield from _wrapped(
        f"{task.tier.value}, {task.category}: {count(structure.tool_calls, 'tool call')}, "
        f"{count(structure.constrained_args, 'constrained argument')}, "
        f"{count(structure.rows_written, 'row')} written (a report lists the changed columns of these rows)",
        further="  ",
    )
    if view.gates:
        yield from _wrapped(f"behind a gate: {', '.join(view.gates)}", further="  ")
    if view.voice:
        yield from _wrapped(f"voice: {view.voice}, in every run and audio condition", further="  ")
    yield ""
    yield from _wrapped(f"Opens with: {task.intent.opening}", further="  ")
    for item in task.intent.conduct:
        yield from _wrapped(item, first="  - ", further="    ")
    yield from _wrapped(f"Closes with: {task.intent.closing}", further="  ")
    if task.intent.satisfied:
        yield from _wrapped(f"Has what it wants once {_all(task, task.intent.satisfied)}", further="  ")
    yield ""
    yield "Knows"
    for trait in task.traits:
        yield from _wrapped(f"{trait.name}: {trait.value}", first="  ", further="      ")
    if task.topics:
        yield ""
        yield from _wrapped(f"Listens for: {', '.join(topic.name for topic in task.topics)}", further="  ")
    yield ""
    yield "Says (where several fit, the first)"
    for rule in _in_order(task):
        yield from _rule_lines(task, rule)
    yield from _verdict_lines(view)


def _verdict_lines(view: TaskView) -> Iterator[str]:
    task = view.task
    yield ""
    if task.expected:
        yield "Passes when these calls are made and the database is as they leave it"
    else:
        yield "Passes when nothing is written: no call is needed"
    for call in task.expected:
        yield from _call_lines(call)
    if view.fault:
        yield ""
        yield from _wrapped(f"These calls can't be replayed: {view.fault}", further="  ")
    if view.counted:
        yield ""
        yield "The database, seed -> expected"
        yield from _state_lines(view)
    if task.forbidden or task.forbidden_tools:
        yield ""
        yield "Fails when one of these calls is accepted"
        for name in task.forbidden_tools:
            yield f"  {name}"
        for forbidden in task.forbidden:
            yield from _forbidden_lines(task, forbidden)
    told = [*(item.text for item in task.criteria), *(check.text for check in task.checks)]
    if told:
        yield ""
        yield "Beside the score, judged or verified"
        for text in told:
            yield from _wrapped(text, first="  - ", further="    ")


def _in_order(task: Task) -> list[Rule]:
    ordered = sorted(enumerate(task.rules), key=lambda entry: (entry[1].order, entry[0]))
    return [rule for _, rule in ordered]


def _rule_lines(task: Task, rule: Rule) -> Iterator[str]:
    often = "always" if rule.first_n is None else f"first {rule.first_n}"
    ending = ", then hangs up" if rule.ends_call else ""
    yield from _wrapped(f"{rule.id} ({often}{ending}): {rule.line}", first="  ", further="      ")
    yield from _wrapped(f"when: {rule.when}", first="      ", further="        ")
    for exception in rule.not_when:
        yield from _wrapped(f"not when: {exception}", first="      ", further="        ")
    if rule.after:
        yield from _wrapped(f"only after {_all(task, rule.after)}", first="      ", further="        ")
    if rule.unless:
        told = " or ".join(_worded(task, event) for event in rule.unless)
        yield from _wrapped(f"not once {told}", first="      ", further="        ")


def _all(task: Task, events: Iterable[str]) -> str:
    return " and ".join(_worded(task, event) for event in events)


def _worded(task: Task, event: str) -> str:
    """``said:verify`` as "it has said 'verify'"."""
    kind, _, name = event.partition(":")
    match kind:
        case "opened":
            return "the call has opened"
        case "said":
            return f"it has said {name!r}"
        case "heard":
            return f"it has heard {name!r}"
        case "called":
            return f"{name} was accepted"
    return event


def _call_lines(call: ExpectedCall) -> Iterator[str]:
    arguments = ", ".join(f"{name}={value!r}" for name, value in _arguments(call).items())
    ending = ", refused" if call.outcome == "refused" else ""
    yield from _wrapped(f"{call.tool}({arguments}){ending}", first="  ", further="      ")
    for name, values in call.alternatives.items():
        others = " or ".join(map(repr, values))
        yield from _wrapped(f"or {name}={others}", first="      ", further="        ")
    if call.free_text:
        yield from _wrapped(f"in any words: {', '.join(call.free_text)}", first="      ", further="        ")


def _forbidden_lines(task: Task, call: ForbiddenCall) -> Iterator[str]:
    arguments = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    shown = f"{call.tool}({arguments})" if arguments else call.tool
    yield from _wrapped(f"{shown}: {call.why}", first="  ", further="      ")
    allowed = [_worded(task, event) for event in call.unless]
    allowed += [f"the caller says something like /{pattern}/" for pattern in call.unless_said]
    if allowed:
        yield from _wrapped(f"allowed once {' or '.join(allowed)}", first="      ", further="        ")


def _state_lines(view: TaskView) -> Iterator[str]:
    table = ""
    for change in view.counted:
        if change.table != table:
            table = change.table
            yield f"  {table} ({_HOW[view.role(table)]})"
        volatile = view.volatile(table)
        key = ", ".join(_shown(value) for value in change.key)
        named = "" if change.kind is ChangeKind.NEW and volatile & set(_key(view, table)) else f"{key}, "
        yield from _wrapped(f"{named}{change.kind.value} row", first="    ", further="      ")
        width = max(map(len, change.columns), default=0)
        for name, (before, after) in change.columns.items():
            text = f"{_shown(before)} -> {_shown(after)}"
            if change.kind is ChangeKind.NEW:
                text = _shown(after)
            loose = "  (any)" if name in volatile else ""
            yield from _wrapped(
                f"{name:<{width}}  {text}{loose}", first="      ", further=" " * (min(width, 24) + 8)
            )


def _key(view: TaskView, table: str) -> Sequence[str]:
    return next(item.key for item in view.pack.tables if item.name == table)


def _arguments(call: ExpectedCall) -> dict[str, object]:
    """What a call is expected with; a value carried over from an earlier answer stands as ``<path>``."""
    return {**call.arguments, **call.free_text, **{name: f"<{path}>" for name, path in call.carry.items()}}


def _call_json(call: ExpectedCall) -> dict[str, object]:
    return {
        "tool": call.tool,
        "arguments": _arguments(call),
        "constrained": list(call.arguments),
        "free_text": list(call.free_text),
        "carry": dict(call.carry),
        "alternatives": {name: list(values) for name, values in call.alternatives.items()},
        "outcome": call.outcome or "accepted",
    }


def _cues(cues: Any) -> Mapping[str, object]:
    return {name: list(v) if isinstance(v, tuple) else v for name, v in attrs.asdict(cues).items()}


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def _shown(value: object) -> str:
    return "-" if value is None else str(_plain(value))


def _wrapped(text: str, *, first: str = "", further: str = "") -> Iterator[str]:
    yield from textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=True,
        break_on_hyphens=False,
    )
