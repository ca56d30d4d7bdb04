"""Result objects as plain JSON data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

import attrs

__all__ = ["plain"]


def plain(value: object) -> Any:
    """A result object as JSON data: its fields, and beside them what it computes from them (``told``,
    ``share``, ``n``...). A number that is not finite becomes None."""
    if isinstance(value, Enum):
        return value.value
    kind: type[Any] = type(value)
    if attrs.has(kind):
        names = [field.name for field in attrs.fields(kind)]
        names += [name for name in dir(kind) if name[0] != "_" and isinstance(getattr(kind, name), property)]
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
        return [plain(each) for each in items]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
