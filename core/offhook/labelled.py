"""Labelled turns of an agent, kept in a file beside a pack's tasks.

A line of the file is a JSON object: the ``task`` it is of, the ``sentence``, the ``rule`` that answers it
(``null`` where none does) and the list of events ``given``, those that happened before. Empty lines are
skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.packs import Example, Task

__all__ = ["read_examples", "with_examples"]

_NAMES: Final = ("task", "sentence", "rule", "given")


def read_examples(path: Path) -> Mapping[str, tuple[Example, ...]]:
    """The labelled turns of a file by their task's id, in the file's order.

    Raises:
        ValueError: a line that is no labelled turn; the message names file and line.
    """
    found: dict[str, list[Example]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            turn = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: JSON on one line: {error}") from error
        wrong = _wrong(turn)
        if wrong:
            raise ValueError(f"{path}, line {number}: {wrong}")
        example = Example(turn["sentence"], turn["rule"] or "", tuple(turn["given"]))
        found.setdefault(turn["task"], []).append(example)
    return {task: tuple(examples) for task, examples in found.items()}


def with_examples(tasks: Iterable[Task], path: Path) -> tuple[Task, ...]:
    """The tasks, each with its labelled turns of a file beside those it has.

    Raises:
        ValueError: a line that is no labelled turn, or turns of a task or with a rule there is not.
    """
    examples = dict(read_examples(path))
    found = tuple(_with(task, examples.pop(task.id, ()), path) for task in tasks)
    if examples:
        strange, known = ", ".join(sorted(examples)), ", ".join(task.id for task in found[:3])
        raise ValueError(f"{path}: there is no task {strange}; one goes by its id alone, such as {known}")
    return found


def _with(task: Task, examples: tuple[Example, ...], path: Path) -> Task:
    rules = {rule.id for rule in task.rules} | {""}
    for example in examples:
        if example.rule not in rules:
            raise ValueError(
                f"{path}: task {task.id} has no rule {example.rule!r} to answer {example.sentence!r}"
            )
    return attrs.evolve(task, examples=(*task.examples, *examples))


def _wrong(turn: Any) -> str:
    """What keeps a value from being a labelled turn; empty if nothing does."""
    if not isinstance(turn, dict):
        return "a JSON object is wanted"
    if set(turn) != set(_NAMES):
        missing = ", ".join(name for name in _NAMES if name not in turn)
        strange = ", ".join(sorted(name for name in turn if name not in _NAMES))
        return "; ".join(
            part for part in (missing and f"{missing} missing", strange and f"{strange} unknown") if part
        )
    if not isinstance(turn["task"], str):
        return "task is a text"
    sentence, given = turn["sentence"], turn["given"]
    if not isinstance(sentence, str) or not any(character.isalnum() for character in sentence):
        return "sentence is a text with words in it"
    if not (turn["rule"] is None or (isinstance(turn["rule"], str) and turn["rule"])):
        return "rule is the id of a rule, or null"
    if not isinstance(given, list) or not all(isinstance(event, str) for event in given):
        return "given is a list of events"
    return ""
