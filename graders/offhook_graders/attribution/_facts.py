"""Which facts the calls of a key need from the caller, which of them the caller said, and in which turns.

What the hearing grader counts are the caller's traits (`offhook_graders.hearing.facts`); here a fact is
looked at from the call that needed it, so it has a tool and an argument, and need not be a trait."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from offhook.callers import CallerTurn
from offhook.packs import ExpectedCall, Pack, Parameter
from offhook.values import CanonicalValue, ValueKind, canonical, whole_number

__all__ = ["NeededFact", "SaidFact", "is_stated", "needed_facts", "said_facts"]

# Free text, yes and no, and members of a closed vocabulary are meant, not spelled out: no transcript is
# searched for them.
_NO_FACTS: Final = frozenset({ValueKind.TEXT, ValueKind.YES_NO})


@attrs.frozen
class NeededFact:
    """A value that a constrained argument of the key needs: name, date, number or identifier. ``tool`` and
    ``argument`` are the first that take it, ``alternatives`` further values that the key accepts there.
    Values are canonical."""

    kind: ValueKind
    value: CanonicalValue
    tool: str
    argument: str
    alternatives: tuple[CanonicalValue, ...] = ()


@attrs.frozen
class SaidFact:
    """A needed fact with the indexes of the caller's turns that state it, in order."""

    fact: NeededFact
    turns: tuple[int, ...]


def needed_facts(calls: Iterable[ExpectedCall], pack: Pack) -> tuple[NeededFact, ...]:
    """Every distinct fact (kind and value) among the constrained arguments of some expected calls, in their
    order. What is carried from an earlier result is not among them; values that are not of their parameter's
    kind are left out."""
    found: dict[tuple[ValueKind, CanonicalValue], NeededFact] = {}
    for call in calls:
        parameters = {parameter.name: parameter for parameter in pack.tool(call.tool).parameters}
        for name, value in call.arguments.items():
            parameter = parameters.get(name)
            if parameter is None or not _is_fact(parameter):
                continue
            forms = _forms(parameter.kind, (value, *call.alternatives.get(name, ())))
            if forms:
                fact = NeededFact(parameter.kind, forms[0], call.tool, name, forms[1:])
                found.setdefault((fact.kind, fact.value), fact)
    return tuple(found.values())


def said_facts(
    facts: Iterable[NeededFact], turns: Sequence[CallerTurn], today: dt.date
) -> tuple[SaidFact, ...]:
    """Those of the facts that the caller's turns state, by the text given to the voice or the line as
    written."""
    said = []
    for fact in facts:
        at = tuple(
            index
            for index, turn in enumerate(turns)
            if is_stated(fact, turn.spoken, today) or is_stated(fact, turn.written, today)
        )
        if at:
            said.append(SaidFact(fact, at))
    return tuple(said)


def is_stated(fact: NeededFact, text: str | Sequence[str], today: dt.date) -> bool:
    """Whether a transcript states the fact, or one of its alternatives, whole and in any usual form.

    Of several lines each is looked at by itself, then all together: a number may go on in the next line, yet
    one that is said again, or in part, is not a longer number."""
    places = [text] if isinstance(text, str) else [*text, "\n".join(text)]
    return any(_states(fact, place, today) for place in places)


def _states(fact: NeededFact, text: str, today: dt.date) -> bool:
    from offhook.spoken import states_value

    return any(
        states_value(fact.kind, value, text, today=today).found for value in (fact.value, *fact.alternatives)
    )


def _is_fact(parameter: Parameter) -> bool:
    return parameter.constrained and parameter.kind not in _NO_FACTS and not parameter.choices


def _forms(kind: ValueKind, values: Iterable[object]) -> tuple[CanonicalValue, ...]:
    forms: list[CanonicalValue] = []
    for value in values:
        try:
            forms.append(canonical(kind, whole_number(value)))
        except ValueError:
            continue
    return tuple(dict.fromkeys(forms))
