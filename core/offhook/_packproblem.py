"""One thing wrong with a pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

import attrs

__all__ = ["PackProblem", "Severity", "error", "note", "repeated"]


class Severity(StrEnum):
    """An ``ERROR`` makes grades wrong or calls impossible; a ``NOTE`` is worth a look."""

    ERROR = "error"
    NOTE = "note"


@attrs.frozen
class PackProblem:
    """``where`` is a path inside the pack such as ``customer-support/tasks/T4-H1.rules[2].cues``,
    ``expected`` says what should be there and what is. ``file`` is where in the pack's source that stands
    (``/.../tools.py:31``), empty where it can't be known."""

    where: str
    expected: str
    severity: Severity = Severity.ERROR
    file: str = ""

    def __str__(self) -> str:
        text = f"{self.severity}: {self.where}: {self.expected}" + (f" ({self.file})" if self.file else "")
        return _one_line(text)


def _one_line(text: str) -> str:
    """What a tool raised, and how a task is called, may hold anything; a problem stays one line."""
    words = " ".join(text.split())
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in words)


def error(where: str, expected: str) -> PackProblem:
    return PackProblem(where, f"expected {expected}")


def note(where: str, expected: str) -> PackProblem:
    return PackProblem(where, f"expected {expected}", Severity.NOTE)


def repeated(where: str, names: Sequence[str]) -> Iterator[PackProblem]:
    """An error per name that comes more than once."""
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield error(where, f"each name once, got {name!r} {names.count(name)} times")
