"""Constants that only moved to another module of their package: same name, same value, another path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

__all__ = ["with_new_places"]

_Group = Callable[[str], tuple[str, ...]]


def with_new_places(old: Mapping[str, Any], new: Mapping[str, Any]) -> Mapping[str, Any]:
    """``old`` with each moved constant under the name that it has in ``new``; names are ``module.NAME``.

    A constant that is gone is taken for one that is new in the same package if the two alone have its name in
    a module called alike, or else alone have its name. Several of one name that all have one value are as
    good as each other. Whatever could have gone to several places stays where it was.
    """
    gone, came = set(old) - set(new), set(new) - set(old)
    renamed: dict[str, str] = {}
    for group in _GROUPS:
        before, after = _grouped(gone, group), _grouped(came, group)
        for key in sorted(before.keys() & after.keys()):
            pairs = _pairs(before[key], after[key], old, new)
            renamed.update(pairs)
            gone -= pairs.keys()
            came -= set(pairs.values())
    return {renamed.get(name, name): value for name, value in old.items()}


def _pairs(
    before: list[str], after: list[str], old: Mapping[str, Any], new: Mapping[str, Any]
) -> Mapping[str, str]:
    values = [*(old[name] for name in before), *(new[name] for name in after)]
    alike = all(value == values[0] for value in values)
    if len(before) != len(after) or (len(before) > 1 and not alike):
        return {}
    return dict(zip(before, after, strict=True))


def _grouped(names: Iterable[str], group: _Group) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for name in sorted(names):
        found.setdefault(group(name), []).append(name)
    return found


def _by_module(name: str) -> tuple[str, ...]:
    parts = name.split(".")
    return (parts[0], *parts[-2:])


def _by_name(name: str) -> tuple[str, ...]:
    parts = name.split(".")
    return (parts[0], parts[-1])


_GROUPS: Final[tuple[_Group, ...]] = (_by_module, _by_name)
