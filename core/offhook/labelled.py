"""Labelled turns of an agent, kept in a file beside a pack's tasks.

A line of the file is a JSON object: the ``task`` it is of, the ``sentence``, the ``rule`` that answers it
(``null`` where none does) and the events ``given``, those that happened before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs

from offhook.packs import Example, Task

__all__ = ["read_examples", "with_examples"]


def read_examples(path: Path) -> Mapping[str, tuple[Example, ...]]:
    """The labelled turns of a file by their task's id, in the file's order.

    Raises:
        ValueError: a line that is no labelled turn; the message names file and line.
    """
    found: dict[str, list[Example]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            turn = json.loads(line)
            example = Example(turn["sentence"], turn["rule"] or "", tuple(turn["given"]))
            if not isinstance(example.sentence, str) or not any(map(str.isalnum, example.sentence)):
                raise ValueError("the sentence has no words")
            found.setdefault(turn["task"], []).append(example)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"{path}, line {number}: a JSON object with task, sentence, rule and given: {error}"
            ) from error
    return {task: tuple(examples) for task, examples in found.items()}


def with_examples(tasks: Iterable[Task], path: Path) -> tuple[Task, ...]:
    """The tasks, each with its labelled turns of a file.

    Raises:
        ValueError: a line that is no labelled turn, or turns of a task there is not.
    """
    examples = dict(read_examples(path))
    found = tuple(attrs.evolve(task, examples=examples.pop(task.id, ())) for task in tasks)
    if examples:
        raise ValueError(f"{path}: there is no task {', '.join(sorted(examples))}")
    return found
