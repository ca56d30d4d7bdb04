"""Amounts that the agent named and nobody gave it: no tool result, no prompt, no caller."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from offhook.values import ValueKind, canonical
from offhook_graders.attribution._case import Case

__all__ = ["unfounded_amounts"]

_AMOUNT: Final = re.compile(r"\$ ?[0-9][0-9,]*(?:\.[0-9]{2})?(?![0-9])")


def unfounded_amounts(case: Case) -> tuple[str, ...]:
    """Dollar amounts in the agent's text, as written and each once, that stand in no tool result, in no line
    of the caller's and not in the agent's prompt. An agent may have worked one out, so this supports a
    finding and makes none."""
    record = case.call.record
    given = set(_written(case.call.pack.agent.prompt))
    for turn in record.caller_turns:
        given |= set(_written(turn.written))
    for entry in case.call.tools:
        given |= set(_cents(entry.response))
    found: dict[str, int] = {}
    for line in record.agent_transcripts:
        for text in _AMOUNT.findall(line.text):
            found.setdefault(text, int(canonical(ValueKind.AMOUNT, text)))
    return tuple(text for text, cents in found.items() if cents not in given)


def _written(text: str) -> Iterator[int]:
    for found in _AMOUNT.findall(text):
        yield int(canonical(ValueKind.AMOUNT, found))


def _cents(value: Any) -> Iterator[int]:
    """Every amount a result may mean: written ones, and numbers both as cents and as dollars."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _cents(item)
    elif isinstance(value, str):
        yield from _written(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (round(value), round(value * 100))
