"""Form-filling accuracy: of the facts that a task's calls need and the caller says, which the transcript has.

A fact is a trait of the caller that is a name, a date, a number or an identifier and that some constrained
argument of the task's expected calls is. It was said where a caller turn states it, and heard where the
transcript of that turn states it too, in any usual spoken or written form (`offhook.spoken.states_value`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs

from offhook.callers import CallerTurn
from offhook.packs import Pack, Task, Trait
from offhook.spoken import states_value
from offhook.values import ValueKind, canonical
from offhook_graders.adherence.matching import same_of_kind
from offhook_graders.hearing.alignment import CallAlignment

__all__ = ["FactHeard", "facts_heard", "facts_needed"]

_NO_FACTS: Final = (ValueKind.TEXT, ValueKind.YES_NO)


@attrs.frozen
class FactHeard:
    """A fact that was said. ``turns`` are the caller turns that state it. ``evidence`` is the stretch of the
    transcript that states it and ``form`` how; where it was not ``heard``, all that was heard there."""

    trait: str
    kind: str
    value: str
    turns: tuple[int, ...]
    heard: bool
    evidence: str
    form: str = ""


def facts_needed(pack: Pack, task: Task) -> tuple[Trait, ...]:
    """The traits that the expected calls need, each value once, in the task's order."""
    wanted = tuple(_arguments(pack, task))
    found: dict[tuple[ValueKind, object], Trait] = {}
    for trait in task.traits:
        if trait.kind in _NO_FACTS:
            continue
        try:
            key = (trait.kind, canonical(trait.kind, trait.value))
        except ValueError:
            continue  # a mistake of the pack, which checking it tells
        if any(_is_same(trait, kind, value) for kind, value in wanted):
            found.setdefault(key, trait)
    return tuple(found.values())


def _arguments(pack: Pack, task: Task) -> Iterator[tuple[ValueKind, Any]]:
    """Kind and value of every constrained argument, listed alternatives too."""
    tools = {tool.name: tool for tool in pack.tools}
    for call in task.expected:
        tool = tools.get(call.tool)
        kinds = {parameter.name: parameter.kind for parameter in tool.parameters} if tool else {}
        for name, value in call.arguments.items():
            for accepted in (value, *call.alternatives.get(name, ())):
                yield kinds.get(name, ValueKind.TEXT), accepted


def _is_same(trait: Trait, kind: ValueKind, value: Any) -> bool:
    if isinstance(value, bool | list | dict):
        return False
    return same_of_kind(trait.kind, value, trait.value) or same_of_kind(kind, value, trait.value)


def facts_heard(
    facts: Sequence[Trait], turns: Sequence[CallerTurn], alignment: CallAlignment, *, today: dt.date
) -> tuple[FactHeard, ...]:
    """The facts that the caller said, each with whether the transcript has it where it was said."""
    found = []
    for fact in facts:
        said = _said_in(fact, turns, today)
        if said:
            found.append(_looked_up(fact, said, alignment, today))
    return tuple(found)


def _said_in(fact: Trait, turns: Sequence[CallerTurn], today: dt.date) -> tuple[int, ...]:
    """The turns that state a fact; of one that is spread over several, those it is spread over."""
    alone = tuple(
        index
        for index, turn in enumerate(turns)
        if any(
            states_value(fact.kind, fact.value, text, today=today).found
            for text in dict.fromkeys((turn.spoken, turn.written))
        )
    )
    if alone:
        return alone
    spread = states_value(fact.kind, fact.value, [turn.spoken for turn in turns], today=today)
    if not spread.found or spread.span is None:
        return ()
    held, at = [], 0
    for index, turn in enumerate(turns):
        if at < spread.span[1] and at + len(turn.spoken) > spread.span[0]:
            held.append(index)
        at += len(turn.spoken) + 1
    return tuple(held)


def _looked_up(fact: Trait, said: tuple[int, ...], alignment: CallAlignment, today: dt.date) -> FactHeard:
    groups = alignment.groups
    places = [index for index, group in enumerate(groups) if set(group.turns) & set(said)]
    texts = [groups[place].text for place in places]
    # A cut between two turns may be a word off, and a fact may be spread over several.
    texts += [
        " ".join(group.text for group in groups[max(0, place - 1) : place + 2] if group.text)
        for place in places
    ]
    texts.append(" ".join(groups[place].text for place in places))
    for text in texts:
        stated = states_value(fact.kind, fact.value, text, today=today)
        if stated.found:
            return FactHeard(fact.name, fact.kind.value, fact.value, said, True, stated.evidence, stated.form)
    return FactHeard(fact.name, fact.kind.value, fact.value, said, False, texts[-1])
