"""Checks that nothing a caller is asked for can be read off what the agent is deployed with."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Final

from offhook._packproblem import PackProblem, error
from offhook.packs import Pack, Trait
from offhook.values import ValueKind, canonical

__all__ = ["leak_problems"]

_IDENTIFYING: Final = frozenset(
    {
        ValueKind.NAME,
        ValueKind.PHONE,
        ValueKind.DIGITS,
        ValueKind.ZIP,
        ValueKind.EMAIL,
        ValueKind.ORDER_NUMBER,
    }
)
_FEWEST_DIGITS: Final = 4  # fewer stand in any text ("12 months") without telling anything of a caller


def leak_problems(pack: Pack) -> Iterator[PackProblem]:
    """An error per text with a value that identifies a caller, and value."""
    held: dict[tuple[ValueKind, str], str] = {}
    for task in pack.tasks:
        for trait in task.traits:
            if trait.kind in _IDENTIFYING:
                held.setdefault((trait.kind, trait.value), f"{trait.name} of {task.id}")
    patterns = {
        (holder, value): _pattern(Trait(holder, kind, value)) for (kind, value), holder in held.items()
    }
    for where, text in _texts(pack):
        plain = " ".join(text.split())
        joined = re.sub(r"(?<=[0-9])[\s().\-]+(?=[0-9])", "", plain)  # however a number is grouped
        for (holder, value), pattern in patterns.items():
            if pattern is not None and (pattern.search(plain) or pattern.search(joined)):
                yield error(where, f"nothing that a caller must know, got {value!r} ({holder})")


def _pattern(trait: Trait) -> re.Pattern[str] | None:
    forms = {" ".join(trait.value.split())}
    with contextlib.suppress(ValueError):  # told with the task
        forms.add(str(canonical(trait.kind, trait.value)))
    if trait.kind is ValueKind.PHONE:
        forms |= {re.sub(r"[^0-9]", "", form) for form in forms}
    if trait.kind is ValueKind.DIGITS:
        forms = {form for form in forms if len(form) >= _FEWEST_DIGITS}
    words = "|".join(re.escape(form) for form in sorted(forms) if form)
    # One name alone may be a word too ("Hope").
    flags = re.NOFLAG if trait.kind is ValueKind.NAME and " " not in trait.value.strip() else re.IGNORECASE
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", flags) if words else None


def _texts(pack: Pack) -> Iterator[tuple[str, str]]:
    """What agent and policy follower are given, with its place."""
    yield f"{pack.name}/agent.prompt", pack.agent.prompt
    yield f"{pack.name}/agent.greeting", pack.agent.greeting
    for desk in pack.graph.specialists if pack.graph is not None else ():
        yield f"{pack.name}/graph/{desk.name}.instructions", desk.instructions
    for tool in pack.tools:
        yield f"{pack.name}/tools/{tool.name}.description", tool.description
        for parameter in tool.parameters:
            yield f"{pack.name}/tools/{tool.name}.{parameter.name}.description", parameter.description
    for field in ("unclear", "closing", "goodbye", "sorry"):
        yield f"{pack.name}/guide.{field}", getattr(pack.guide, field)
    for guide in pack.guide.tools:
        place = f"{pack.name}/guide/{guide.tool}"
        for field in ("hold", "offer", "propose", "say"):
            yield f"{place}.{field}", getattr(guide, field)
        for code, text in guide.refused.items():
            yield f"{place}.refused[{code!r}]", text
        for index, ask in enumerate(guide.asks):
            for field in ("question", "again", "confirm"):
                yield f"{place}.asks[{index}].{field}", getattr(ask, field)
        for index, option in enumerate(guide.options):
            for field in ("label", "question"):
                yield f"{place}.options[{index}].{field}", getattr(option, field)
    for index, aside in enumerate(pack.guide.asides):
        yield f"{pack.name}/guide.asides[{index}].say", aside.say
