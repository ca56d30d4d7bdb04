"""Checks of a task: its script, its key, and the key against its replay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

import attrs

from offhook._packevents import event_problems
from offhook._packproblem import PackProblem, error, note, repeated
from offhook.packs import Cues, ExpectedCall, ForbiddenCall, Pack, Rule, Task, Tool, ToolRefusal
from offhook.spoken import states_value
from offhook.toolserver import Replay, validate_arguments
from offhook.values import canonical

__all__ = ["task_problems"]

_TESTS_EACH_WAY: Final = 3


def task_problems(
    pack: Pack, task: Task, replayed: Replay | None, *, rows_known: bool = True, tools_known: bool = True
) -> Iterator[PackProblem]:
    """``replayed`` is None where the key does not run, which is another problem. Where tables or tools are
    not as they should be, neither rows nor calls can be checked against them.
    """
    where = f"{pack.name}/tasks/{task.id}"
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", task.id):
        yield error(f"{where}.id", "letters, digits, dots, hyphens and underscores")
    if task.pack != pack.name:
        yield error(f"{where}.pack", f"{pack.name!r}, got {task.pack!r}")
    yield from repeated(f"{where}.rules", [rule.id for rule in task.rules])
    yield from repeated(f"{where}.topics", [topic.name for topic in task.topics])
    yield from repeated(f"{where}.traits", [trait.name for trait in task.traits])
    yield from _script(where, task)
    yield from _traits(where, task, pack.now.date())
    if tools_known:
        yield from _key(where, pack, task)
    yield from _structure(where, task, replayed if rows_known else None)


def _events_of(task: Task) -> set[str]:
    return (
        {"opened"}
        | {f"said:{rule.id}" for rule in task.rules}
        | {f"heard:{topic.name}" for topic in task.topics}
    )


def _script(where: str, task: Task) -> Iterator[PackProblem]:
    events = _events_of(task)
    for field in ("opening", "closing"):
        if not getattr(task.intent, field).strip():
            yield error(f"{where}.intent.{field}", "a line")
    yield from _events(f"{where}.intent.satisfied", task.intent.satisfied, events)
    for index, topic in enumerate(task.topics):
        yield from _cues(f"{where}.topics[{index}].cues", topic.cues)
    for index, rule in enumerate(task.rules):
        yield from _rule(f"{where}.rules[{index}]", rule, events)
    yield from _examples(where, task, events)
    yield from event_problems(where, task)


def _examples(where: str, task: Task, events: set[str]) -> Iterator[PackProblem]:
    rules = {rule.id for rule in task.rules}
    labels: dict[tuple[str, tuple[str, ...]], str] = {}
    for index, example in enumerate(task.examples):
        if example.rule and example.rule not in rules:
            yield error(f"{where}.examples[{index}].rule", f"a rule of this task, got {example.rule!r}")
        yield from _events(f"{where}.examples[{index}].given", example.given, events)
        told = labels.setdefault((example.sentence, example.given), example.rule)
        if told != example.rule:
            yield error(
                f"{where}.examples[{index}].rule",
                f"one answer to {example.sentence!r}, got {example.rule or 'none'!r} and {told or 'none'!r}",
            )


def _rule(where: str, rule: Rule, events: set[str]) -> Iterator[PackProblem]:
    for field in ("id", "when", "line"):
        if not getattr(rule, field).strip():
            yield error(f"{where}.{field}", "some text")
    if rule.first_n is not None and rule.first_n < 1:
        yield error(f"{where}.first_n", f"at least 1, or None for always, got {rule.first_n}")
    yield from _cues(f"{where}.cues", rule.cues)
    yield from _events(f"{where}.after", rule.after, events)
    yield from _events(f"{where}.unless", rule.unless, events)
    for index, test in enumerate(rule.tests):
        yield from _events(f"{where}.tests[{index}].given", test.given, events)
    firing = sum(test.fires for test in rule.tests)
    if min(firing, len(rule.tests) - firing) < _TESTS_EACH_WAY:
        found = f"{firing} and {len(rule.tests) - firing}"
        yield error(
            f"{where}.tests",
            f"{_TESTS_EACH_WAY} sentences that must fire and {_TESTS_EACH_WAY} that must not, got {found}",
        )


def _cues(where: str, cues: Cues) -> Iterator[PackProblem]:
    if not cues.like and not cues.all_of:
        yield error(where, "sentences in like or patterns in all_of, got neither: it can never match")
    if not 0 < cues.threshold <= 1:
        yield error(f"{where}.threshold", f"a cosine above 0 and up to 1, got {cues.threshold}")
    for field in ("all_of", "none_of"):
        yield from _patterns(where, field, getattr(cues, field))


def _patterns(where: str, field: str, patterns: tuple[str, ...]) -> Iterator[PackProblem]:
    for index, pattern in enumerate(patterns):
        try:
            re.compile(pattern, re.IGNORECASE)
        except re.error as fault:
            yield error(f"{where}.{field}[{index}]", f"a regular expression, got {pattern!r}: {fault}")


def _events(where: str, names: tuple[str, ...], events: set[str]) -> Iterator[PackProblem]:
    for name in names:
        if name not in events:
            yield error(where, f"opened, said:<rule id> or heard:<topic> of this task, got {name!r}")


def _traits(where: str, task: Task, today: date) -> Iterator[PackProblem]:
    lines = (task.intent.opening, *(rule.line for rule in task.rules))
    folded = [_folded(line) for line in lines]
    for index, trait in enumerate(task.traits):
        place = f"{where}.traits[{index}]"
        try:
            form = canonical(trait.kind, trait.value)
        except ValueError as fault:
            yield PackProblem(f"{place}.value", str(fault))
            continue
        written = any(_folded(value) in line for value in (trait.value, str(form)) for line in folded)
        if not written and not any(states_value(trait.kind, form, line, today=today).found for line in lines):
            yield note(place, f"a line that states {trait.name} ({trait.value}), in whatever words")


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _key(where: str, pack: Pack, task: Task) -> Iterator[PackProblem]:
    tools = {tool.name: tool for tool in pack.tools if tool.name in pack.agent.tools}
    for name in task.forbidden_tools:
        if name not in tools:
            yield error(f"{where}.forbidden_tools", f"tools of the agent, got {name!r}")
        elif any(call.tool == name for call in task.expected):
            yield error(f"{where}.forbidden_tools", f"nothing that the key calls, got {name!r}")
    for index, call in enumerate(task.expected):
        if call.tool in tools:  # if not, the replay has said so
            yield from _expected(f"{where}.expected[{index}]", call, tools[call.tool])
    for index, forbidden in enumerate(task.forbidden):
        yield from _forbidden(f"{where}.forbidden[{index}]", forbidden, task, tools)


def _forbidden(
    where: str, forbidden: ForbiddenCall, task: Task, tools: Mapping[str, Tool]
) -> Iterator[PackProblem]:
    if forbidden.tool not in tools:
        yield error(f"{where}.tool", f"a tool of the agent, got {forbidden.tool!r}")
        return
    if not forbidden.why.strip():
        yield error(f"{where}.why", "what is wrong with the call")
    known = {parameter.name: parameter for parameter in tools[forbidden.tool].parameters}
    for name, value in forbidden.arguments.items():
        if name not in known:
            yield error(f"{where}.arguments", f"arguments of {forbidden.tool}, got {name!r}")
        else:
            only = attrs.evolve(tools[forbidden.tool], parameters=(known[name],))
            yield from _alternatives(f"{where}.arguments[{name!r}]", only, name, (value,))
    events = _events_of(task) | {f"called:{name}" for name in tools if name != forbidden.tool}
    for name in forbidden.unless:
        if name not in events:
            yield error(
                f"{where}.unless",
                f"opened, said:<rule id>, heard:<topic> or called:<another tool>, got {name!r}",
            )
    yield from _patterns(where, "unless_said", forbidden.unless_said)
    if forbidden.unless or forbidden.unless_said or forbidden.arguments:
        return  # whether the key itself would be forbidden depends on the call
    if any(call.tool == forbidden.tool and call.outcome != "refused" for call in task.expected):
        yield error(where, f"nothing that the key calls, got {forbidden.tool!r}")


def _expected(where: str, call: ExpectedCall, tool: Tool) -> Iterator[PackProblem]:
    if call.outcome not in (None, "accepted", "refused"):
        yield error(f"{where}.outcome", f"accepted, refused or None, got {call.outcome!r}")
    known = {parameter.name: parameter for parameter in tool.parameters}
    constrained = {name for name in known if known[name].constrained}
    for name in call.arguments:
        if name in known and name not in constrained:
            yield error(
                f"{where}.arguments",
                f"constrained parameters of {tool.name}; {name!r} belongs in free_text or carry",
            )
    for name in call.free_text:
        if name in constrained:
            yield error(f"{where}.free_text", f"free-text parameters of {tool.name}; {name!r} is constrained")
    for name in sorted(
        set(call.arguments) & set(call.free_text)
        | (set(call.arguments) | set(call.free_text)) & set(call.carry)
    ):
        yield error(where, f"each argument in one of arguments, free_text and carry, got {name!r} in two")
    for name, values in call.alternatives.items():
        if name not in call.arguments:
            yield error(f"{where}.alternatives", f"arguments of this call, got {name!r}")
        elif name in known:
            yield from _alternatives(
                f"{where}.alternatives[{name!r}]", attrs.evolve(tool, parameters=(known[name],)), name, values
            )


def _alternatives(where: str, tool: Tool, name: str, values: tuple[object, ...]) -> Iterator[PackProblem]:
    for value in values:
        try:
            validate_arguments(tool, {name: value})
        except ToolRefusal as refusal:
            yield error(where, f"values that {tool.name} takes, got {value!r}: {refusal.message}")


def _structure(where: str, task: Task, replayed: Replay | None) -> Iterator[PackProblem]:
    counted = {
        "tool_calls": len(task.expected),
        "constrained_args": sum(len(call.arguments) for call in task.expected),
    }
    if replayed is not None:
        counted["rows_written"] = replayed.rows_written
    for field, number in counted.items():
        stated = getattr(task.structure, field)
        if stated != number:
            yield error(f"{where}.structure.{field}", f"{number}, as its key comes to, got {stated}")
