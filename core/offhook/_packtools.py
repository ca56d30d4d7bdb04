"""Checks of a pack's tools and of the agent that is deployed with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from offhook._packproblem import PackProblem, error, note, repeated
from offhook.packs import Pack, Parameter
from offhook.toolserver import choice_words
from offhook.values import ValueKind

__all__ = ["agent_problems", "tool_problems"]

# What every platform takes as a function name.
_IDENTIFIER: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


def tool_problems(pack: Pack) -> Iterator[PackProblem]:
    for tool in pack.tools:
        where = f"{pack.name}/tools/{tool.name}"
        if not _IDENTIFIER.fullmatch(tool.name):
            yield error(where, "a name of at most 64 lower-case letters, digits and underscores")
        if not tool.description.strip():
            yield error(f"{where}.description", "a sentence on when to call the tool")
        yield from repeated(f"{where}.parameters", [parameter.name for parameter in tool.parameters])
        for parameter in tool.parameters:
            yield from _parameter(f"{where}.{parameter.name}", parameter)


def agent_problems(pack: Pack) -> Iterator[PackProblem]:
    where = f"{pack.name}/agent"
    for field in ("company", "prompt", "greeting"):
        if not getattr(pack.agent, field).strip():
            yield error(f"{where}.{field}", "some text")
    yield from repeated(f"{where}.tools", pack.agent.tools)
    known = {tool.name for tool in pack.tools}
    for name in pack.agent.tools:
        if name not in known:
            yield error(f"{where}.tools", f"tools of the pack, got {name!r}")
    for name in sorted(known - set(pack.agent.tools)):
        yield note(f"{where}.tools", f"every tool of the pack; {name!r} can't be called by anybody")


def _parameter(where: str, parameter: Parameter) -> Iterator[PackProblem]:
    if not _IDENTIFIER.fullmatch(parameter.name):
        yield error(where, "a name of at most 64 lower-case letters, digits and underscores")
    if not parameter.description.strip():
        yield error(f"{where}.description", "a phrase that says what to pass")
    if parameter.length is not None and (parameter.kind is not ValueKind.DIGITS or parameter.length < 1):
        yield error(f"{where}.length", "a length of at least 1, on a digits parameter only")
    if not parameter.choices:
        return
    if parameter.kind is not ValueKind.TEXT:
        yield error(f"{where}.choices", f"choices on a text parameter only, got kind {parameter.kind.value}")
    named: dict[str, str] = {}
    for choice in parameter.choices:
        if not choice.meaning.strip():
            yield error(f"{where}.choices", f"a meaning for {choice.value!r}")
        for word in sorted(choice_words(choice)):
            other = named.setdefault(word, choice.value)
            if other != choice.value:
                yield error(
                    f"{where}.choices",
                    f"names that tell choices apart; {word!r} names {other!r} and {choice.value!r}",
                )
