"""Regular expressions that take longer than a call: repeats within repeats, tried on what they are slow at.

Which patterns could be slow is read off their structure; whether they are is found by running them on growing
texts, so that a repeat within a repeat that can match a text in one way only is let through.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, Final

import attrs

from offhook._packproblem import PackProblem, error
from offhook.packs import Pack

__all__ = ["pattern_problems", "without_slow_patterns"]

_parser: Final[Any] = import_module("re._parser")
_MANY: Final = 12  # a repeat that may come so often is as bad as one without a limit
# Texts grow by one character at first: each may take ten times as long, and no search can be stopped.
_LENGTHS: Final = (*range(4, 28), *range(28, 60, 3), *range(60, 201, 12))
_IN_A_ROW: Final = 4  # so many repeats without a limit are tried though none lies within another
# Processor time, not the clock: a busy machine makes no pattern slow. A sound one needs under a millisecond.
_TOO_LONG_S: Final = 0.15
_SPOILERS: Final = ("\x00", "!", " ~")
_SAMPLES: Final = {
    "CATEGORY_DIGIT": "1",
    "CATEGORY_NOT_DIGIT": "a",
    "CATEGORY_SPACE": " ",
    "CATEGORY_NOT_SPACE": "a",
    "CATEGORY_WORD": "a",
    "CATEGORY_NOT_WORD": "-",
}
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT")


def pattern_problems(pack: Pack) -> Iterator[PackProblem]:
    """An error per pattern of the pack that takes exponentially long on some text."""
    for where, source in _patterns(pack):
        text = _slow_on(source)
        if text:
            yield error(
                where,
                f"a pattern whose repeats match a text in one way only, got {source!r}, which takes ever "
                f"longer on texts such as {text!r}",
            )


def without_slow_patterns(pack: Pack) -> Pack:
    """The pack without the tasks that have such a pattern: trying one on a sentence might never end."""
    sound = (
        task
        for task in pack.tasks
        if not any(_slow_on(source) for _, source in _patterns(attrs.evolve(pack, tasks=(task,))))
    )
    return attrs.evolve(pack, tasks=tuple(sound))


def _patterns(pack: Pack) -> Iterator[tuple[str, str]]:
    for index, aside in enumerate(pack.guide.asides):
        place = f"{pack.name}/guide.asides[{index}].heard"
        yield from ((f"{place}[{number}]", source) for number, source in enumerate(aside.heard))
    for task in pack.tasks:
        where = f"{pack.name}/tasks/{task.id}"
        cues = [(f"{where}.topics[{index}].cues", topic.cues) for index, topic in enumerate(task.topics)]
        cues += [(f"{where}.rules[{index}].cues", rule.cues) for index, rule in enumerate(task.rules)]
        for place, cue in cues:
            for field in ("all_of", "none_of"):
                for number, source in enumerate(getattr(cue, field)):
                    yield f"{place}.{field}[{number}]", source
        for index, call in enumerate(task.forbidden):
            for number, source in enumerate(call.unless_said):
                yield f"{where}.forbidden[{index}].unless_said[{number}]", source


@cache  # packs say many patterns again
def _slow_on(source: str) -> str:
    """A text that the pattern is slow on; empty for a sound pattern, or one that is none."""
    try:
        tree, pattern = _parser.parse(source, re.IGNORECASE), re.compile(source, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError):
        return ""
    for before, body in dict.fromkeys(_pumps(tree, "")):
        for spoiler in _SPOILERS:
            for length in _LENGTHS:
                text = before + (body * length)[:length] + spoiler
                began = time.thread_time()
                pattern.search(text)
                if time.thread_time() - began > _TOO_LONG_S:
                    return before + body * 3 + "..."
    return ""


def _pumps(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """What may come before a risky repeat, and what it repeats."""
    row = sum(str(operation) in _REPEATS and argument[1] >= _MANY for operation, argument in tree)
    for operation, argument in tree:
        name = str(operation)
        if name in _REPEATS:
            _, most, body = argument
            if most >= _MANY and (_forks(body) or row >= _IN_A_ROW):
                yield from ((before, example) for example in _examples(body) if example)
        for inner in _inner(name, argument):
            yield from _pumps(inner, before)
        before += _example(name, argument)


def _forks(tree: Any) -> bool:
    """Whether there is a choice inside: a repeat or alternatives."""
    for operation, argument in tree:
        name = str(operation)
        if name == "BRANCH" or (name in _REPEATS and argument[0] != argument[1]):
            return True
        if any(_forks(inner) for inner in _inner(name, argument)):
            return True
    return False


def _inner(name: str, argument: Any) -> list[Any]:
    if name in (*_REPEATS, "POSSESSIVE_REPEAT"):
        return [argument[2]]
    if name == "SUBPATTERN":
        return [argument[3]]
    if name == "BRANCH":
        return list(argument[1])
    if name in ("ASSERT", "ASSERT_NOT"):
        return [argument[1]]
    return [argument] if name == "ATOMIC_GROUP" else []


def _examples(tree: Any) -> Iterator[str]:
    """Texts that match, one for each alternative at the top, and one in which repeats come twice."""
    yield "".join(_example(str(operation), argument) for operation, argument in tree)
    yield "".join(_example(str(operation), argument, least=2) for operation, argument in tree)
    for operation, argument in tree:
        for inner in _inner(str(operation), argument):
            if str(operation) in ("BRANCH", "SUBPATTERN"):
                yield from _examples(inner)


def _example(name: str, argument: Any, least: int = 1) -> str:
    if name in ("LITERAL", "NOT_LITERAL"):
        return chr(argument) if name == "LITERAL" else "b" if argument == ord("a") else "a"
    if name == "ANY":
        return "a"
    if name == "IN":
        return _member(argument)
    if name in (*_REPEATS, "POSSESSIVE_REPEAT"):
        low, high, body = argument
        once = "".join(_example(str(operation), inner) for operation, inner in body)
        times: int = min(max(low, least if high > 1 else low), 4)
        return once * times
    if name in ("SUBPATTERN", "BRANCH", "ATOMIC_GROUP"):
        return "".join(
            _example(str(operation), inner, least) for operation, inner in _inner(name, argument)[0]
        )
    return ""


def _member(items: Any) -> str:
    """A character of a class."""
    barred = str(items[0][0]) == "NEGATE"
    for operation, argument in items:
        name = str(operation)
        if name == "CATEGORY" and not barred:
            return _SAMPLES.get(str(argument), "a")
        if name == "LITERAL" and not barred:
            return chr(argument)
        if name == "RANGE" and not barred:
            return chr(argument[0])
    if not barred:
        return "a"
    listed = {chr(argument) for operation, argument in items if str(operation) == "LITERAL"}
    return next(char for char in "ab1 -xyz_" if char not in listed) if len(listed) < 9 else "a"
