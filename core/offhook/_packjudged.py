"""Checks of what judges and verifiers are told: facts, rules, criteria, access rules and checks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from offhook._packproblem import PackProblem, error, repeated
from offhook.checks import (
    AccessRules,
    Check,
    ExactEffects,
    Figure,
    FigureRelayed,
    FigureStated,
    NoSecretBefore,
    NoToolBefore,
    OneFigureStated,
    PhraseUsed,
    QuoteThenCreate,
    ToolCalled,
    ToolNotCalled,
)
from offhook.packs import Pack
from offhook.spoken import normalise_words
from offhook.values import canonical

__all__ = ["judged_problems"]


def judged_problems(pack: Pack) -> Iterator[PackProblem]:
    """What is wrong with the parts that only judges and verifiers read."""
    for field in ("facts", "must_not"):
        yield from _told(f"{pack.name}/{field}", [(item.id, item.text) for item in getattr(pack, field)])
    tools = {tool.name for tool in pack.tools}
    if pack.access is not None:
        yield from _access(f"{pack.name}/access", pack.access, tools)
    for task in pack.tasks:
        where = f"{pack.name}/tasks/{task.id}"
        yield from _told(f"{where}.criteria", [(item.id, item.text) for item in task.criteria])
        yield from _told(f"{where}.checks", [(check.id, check.text) for check in task.checks])
        for check in task.checks:
            yield from _check(f"{where}.checks/{check.id}", check, tools)


def _told(where: str, items: list[tuple[str, str]]) -> Iterator[PackProblem]:
    yield from repeated(where, [name for name, _ in items])
    for name, text in items:
        if not name.strip() or name != name.strip():
            yield error(where, f"ids without blanks around them, got {name!r}")
        if not text.strip():
            yield error(f"{where}/{name}", "some text")


def _access(where: str, access: AccessRules, tools: set[str]) -> Iterator[PackProblem]:
    yield from _known(f"{where}.verified_by", (access.verified_by,), tools)
    yield from _known(f"{where}.free_tools", access.free_tools, tools)
    yield from _known(f"{where}.changes", access.changes, tools)


def _check(where: str, check: Check, tools: set[str]) -> Iterator[PackProblem]:
    match check:
        case ExactEffects():
            yield from _known(where, check.tools, tools)
            yield from _known(f"{where}.effects", [effect.tool for effect in check.effects], check.tools)
        case NoToolBefore():
            yield from _access(where, check.access, tools)
        case NoSecretBefore():
            yield from _access(where, check.access, tools)
            yield from _figures(where, check.secrets)
        case ToolCalled() | ToolNotCalled():
            yield from _known(where, (check.tool,), tools)
        case QuoteThenCreate():
            yield from _known(where, (check.quote, check.create), tools)
        case FigureStated():
            yield from _phrases(f"{where}.topic", check.topic)
            yield from _figures(where, (check.figure,))
        case OneFigureStated():
            yield from _phrases(f"{where}.topic", check.topic)
            yield from _figures(where, check.figures)
        case PhraseUsed():
            yield from _phrases(f"{where}.phrases", check.phrases)
        case FigureRelayed():
            yield from _known(where, (check.tool,), tools)
            yield from _phrases(f"{where}.topic", check.topic, needed=False)


def _known(where: str, named: Iterable[str], known: Collection[str]) -> Iterator[PackProblem]:
    for name in named:
        if name not in known:
            yield error(where, f"one of {', '.join(sorted(known)) or 'no tools'}, got {name!r}")


def _figures(where: str, figures: tuple[Figure, ...]) -> Iterator[PackProblem]:
    if not figures:
        yield error(where, "at least one figure")
    for figure in figures:
        try:
            canonical(figure.kind, figure.value)
        except ValueError as fault:
            yield error(where, str(fault))


def _phrases(where: str, phrases: tuple[str, ...], *, needed: bool = True) -> Iterator[PackProblem]:
    if needed and not phrases:
        yield error(where, "at least one phrase")
    for phrase in phrases:
        if not normalise_words(phrase):
            yield error(where, f"phrases of at least one word, got {phrase!r}")
