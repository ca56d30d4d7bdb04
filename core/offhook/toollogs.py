"""A platform's own log of its tool calls, held against what the tool server received.

Nothing here is graded: the request log is what counts. A difference tells where to look, such as a request
that got lost on its way or one that a platform made twice and tells of once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.records import CallRecord, ToolLogEntry

__all__ = ["PLATFORM_FILE", "ToolLogDiff", "ToolLogPair", "compare_tool_logs", "platform_tool_log"]

PLATFORM_FILE: Final = "platform.json"


@attrs.frozen
class ToolLogPair:
    """One tool call in both logs; ``at`` is its place in the platform's."""

    at: int
    theirs: Mapping[str, Any]
    ours: ToolLogEntry


@attrs.frozen
class ToolLogDiff:
    """``missing_here`` are calls that the platform tells of and the tool server never received,
    ``missing_there`` requests that the platform says nothing of. ``other_order`` are calls that the platform
    has after one that reached the tool server later.
    """

    pairs: tuple[ToolLogPair, ...]
    missing_here: tuple[Mapping[str, Any], ...]
    missing_there: tuple[ToolLogEntry, ...]
    other_arguments: tuple[ToolLogPair, ...]
    other_order: tuple[ToolLogPair, ...]

    @property
    def agrees(self) -> bool:
        return not (self.missing_here or self.missing_there or self.other_arguments or self.other_order)

    @property
    def lines(self) -> tuple[str, ...]:
        """One for each difference, in words."""
        return (
            *(f"only the platform tells of {_told(each)}" for each in self.missing_here),
            *(
                f"request {entry.index + 1}: the platform tells of no {entry.tool}({_shown(_ours(entry))})"
                for entry in self.missing_there
            ),
            *(
                f"request {pair.ours.index + 1}: {pair.ours.tool} arrived with "
                f"({_shown(_ours(pair.ours))}), the platform tells of ({_shown(_theirs(pair.theirs))})"
                for pair in self.other_arguments
            ),
            *(
                f"request {pair.ours.index + 1}: {pair.ours.tool} is number {pair.at + 1} of the platform's"
                for pair in self.other_order
            ),
        )


def compare_tool_logs(theirs: Sequence[Mapping[str, Any]], ours: Sequence[ToolLogEntry]) -> ToolLogDiff:
    """Pairs the entries of both logs: by id where the platform gives one that we were given, then by tool and
    arguments, then by tool alone, always the earliest that is left.

    Args:
        theirs: entries with ``name``, ``arguments`` (an object, or its JSON) and perhaps ``id``.
    """
    found: dict[int, int] = {}
    for fits in (_same_id, _same_content, _same_tool):
        for at, told in enumerate(theirs):
            if at in found:
                continue
            taken = set(found.values())
            match = next((n for n, entry in enumerate(ours) if n not in taken and fits(told, entry)), None)
            if match is not None:
                found[at] = match
    pairs = tuple(ToolLogPair(at, theirs[at], ours[found[at]]) for at in sorted(found))
    latest = -1
    displaced = []
    for pair in pairs:
        if pair.ours.index < latest:
            displaced.append(pair)
        latest = max(latest, pair.ours.index)
    return ToolLogDiff(
        pairs=pairs,
        missing_here=tuple(told for at, told in enumerate(theirs) if at not in found),
        missing_there=tuple(entry for n, entry in enumerate(ours) if n not in set(found.values())),
        other_arguments=tuple(pair for pair in pairs if not _equal(pair.theirs, pair.ours)),
        other_order=tuple(displaced),
    )


def platform_tool_log(record: CallRecord, folder: Path) -> tuple[Mapping[str, Any], ...]:
    """The log that a call's platform kept, from the call's folder; empty where it kept none, or none that can
    be read.
    """
    if all(stamp.name != PLATFORM_FILE for stamp in record.files):
        return ()
    try:
        told = json.loads((folder / PLATFORM_FILE).read_text(encoding="utf-8"))
        return tuple(entry for entry in told["tool_log"] if isinstance(entry, Mapping))
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _same_id(told: Mapping[str, Any], entry: ToolLogEntry) -> bool:
    return bool(entry.source_id) and str(told.get("id") or "") == entry.source_id and _same_tool(told, entry)


def _same_content(told: Mapping[str, Any], entry: ToolLogEntry) -> bool:
    return _same_tool(told, entry) and _equal(told, entry)


def _same_tool(told: Mapping[str, Any], entry: ToolLogEntry) -> bool:
    return str(told.get("name", "")) == entry.tool


def _equal(told: Mapping[str, Any], entry: ToolLogEntry) -> bool:
    return _theirs(told) == _ours(entry)


def _ours(entry: ToolLogEntry) -> object:
    """The arguments as they came, also where they were refused as no object."""
    return _plain(entry.raw)


def _theirs(told: Mapping[str, Any]) -> object:
    return _plain(told.get("arguments"))


def _plain(arguments: object) -> object:
    """An object without its nulls, which platforms send and leave out as they like; text that is none."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError):
            return arguments
    if isinstance(arguments, Mapping):
        return {name: value for name, value in arguments.items() if value is not None}
    return {} if arguments is None else arguments


def _told(told: Mapping[str, Any]) -> str:
    call = f"{told.get('name', 'a call without a name')}({_shown(_theirs(told))})"
    return f"{call}, id {told['id']}" if told.get("id") else call


def _shown(arguments: object) -> str:
    if isinstance(arguments, Mapping):
        return ", ".join(
            f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items()
        )
    return json.dumps(arguments, ensure_ascii=False)
