"""Types of a pack's pieces against their annotations: attrs does not check them, and a list or a None in the
wrong place would only show in the middle of a call."""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, Final

import attrs

from offhook._packproblem import PackProblem, error
from offhook.packs import Agent, FollowerGuide, Pack, Table, Task, Tool, ToolGuide

__all__ = ["shape_problems", "sound_parts"]

# Pieces that are spoken of by name, not by their place in a tuple.
_NAMED: Final[Mapping[type, str]] = {Tool: "name", Table: "name", Task: "id", ToolGuide: "tool"}


def shape_problems(pack: object) -> Iterator[PackProblem]:
    """A problem per value that is not of its field's type."""
    if not isinstance(pack, Pack):
        yield error(type(pack).__name__, "an offhook.packs.Pack")
        return
    root = pack.name if isinstance(pack.name, str) else "pack"
    hints = typing.get_type_hints(Pack)
    for field in attrs.fields(Pack):
        yield from _check(getattr(pack, field.name), hints[field.name], f"{root}/{field.name}")


# What stands in for a part that is not of its type, so that the others can be looked at.
_EMPTY_GUIDE: Final = FollowerGuide((), "-", "-", "-", "-")
_STAND_IN: Final[Mapping[str, Any]] = {
    "name": "pack",
    "title": "-",
    "version": "0",
    "now": datetime(1970, 1, 1),  # noqa: DTZ001 - a scenario clock has no zone
    "schema": "",
    "seed": bool,
    "agent": Agent("-", "-", "-", ()),
    "guide": _EMPTY_GUIDE,
    "folder": None,
    "access": None,
    "graph": None,
    "noise_gain": 0.0,
}


def sound_parts(pack: Pack) -> tuple[Pack, frozenset[str]]:
    """The pack without what is not of its type, and the names of the fields that lack something or all:
    of tasks, tools and other lists the sound ones are left.
    """
    hints = typing.get_type_hints(Pack)
    kept: dict[str, Any] = {}
    for field in attrs.fields(Pack):
        value, hint = getattr(pack, field.name), hints[field.name]
        if not any(_check(value, hint, "")):
            continue
        if field.name in _STAND_IN:
            kept[field.name] = _STAND_IN[field.name]
        else:
            inner = typing.get_args(hint)[0]
            items = value if isinstance(value, tuple) else ()
            kept[field.name] = tuple(item for item in items if not any(_check(item, inner, "")))
    return attrs.evolve(pack, **kept), frozenset(kept)


def _check(value: Any, hint: Any, where: str) -> Iterator[PackProblem]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return
    if origin is types.UnionType or origin is typing.Union:
        if all(any(_check(value, member, where)) for member in arguments):
            yield error(where, f"{' or '.join(map(_named, arguments))}, got {_shown(value)}")
    elif origin is tuple:
        yield from _check_items(value, arguments[0], where)
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        yield from _check_mapping(value, arguments, where)
    elif origin is Callable:
        if not callable(value):
            yield error(where, f"a function, got {_shown(value)}")
    elif not _is_a(value, hint):
        yield error(where, f"{_named(hint)}, got {_shown(value)}")
    elif attrs.has(hint):
        kind: type = type(value)
        hints = _hints(kind, hint)
        for field in attrs.fields(type(value)):
            if field.name not in hints:
                continue
            inner = where if field.name == "tools" and where.endswith("/guide") else f"{where}.{field.name}"
            yield from _check(getattr(value, field.name), hints[field.name], inner)


@cache  # a pack has thousands of pieces and a handful of types
def _hints(kind: type, declared: type) -> dict[str, Any]:
    """The types of a piece's fields: a check has fields that its base class does not name. A plugin's class
    may name types that only a type checker imports; then only the base class's fields are checked."""
    try:
        return typing.get_type_hints(kind)
    except NameError:
        return typing.get_type_hints(declared)


def _check_items(value: Any, hint: Any, where: str) -> Iterator[PackProblem]:
    if not isinstance(value, tuple):
        yield error(where, f"a tuple, got {_shown(value)}")
        return
    for index, item in enumerate(value):
        attribute = _NAMED.get(type(item), "")
        name = getattr(item, attribute) if attribute else None
        yield from _check(item, hint, f"{where}/{name}" if isinstance(name, str) else f"{where}[{index}]")


def _check_mapping(value: Any, arguments: tuple[Any, ...], where: str) -> Iterator[PackProblem]:
    if not isinstance(value, Mapping):
        yield error(where, f"a mapping, got {_shown(value)}")
        return
    for key, item in value.items():
        yield from _check(key, arguments[0], f"{where} (key {key!r})")
        yield from _check(item, arguments[1], f"{where}[{key!r}]")


def _is_a(value: Any, hint: Any) -> bool:
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint is str:
        return isinstance(value, str) and not isinstance(value, Enum)
    return isinstance(value, hint)


def _named(hint: Any) -> str:
    return "None" if hint is type(None) else getattr(hint, "__name__", str(hint))


def _shown(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
