"""Whether a caller kept to its task: no identifying value but its own, and every scripted line that was owed.

What is found here is our fault, never the platform's, and voids the call.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from offhook.callers import CallerTurn
from offhook.packs import Task
from offhook_caller.statedvalues import foreign_values

__all__ = ["Owed", "foreign_in", "owed_lines", "strayed"]


@attrs.frozen
class Owed:
    """A scripted line the agent's turn called for. ``said`` tells whether it was said in answer;
    ``ended_by_caller`` whether it was the caller that ended the call before it could be.
    """

    rule: str
    at: float
    said: bool
    ended_by_caller: bool = True


def foreign_in(text: str, task: Task) -> tuple[str, ...]:
    """The identifying values in a text that are neither the caller's traits nor in one of the task's
    authored lines.
    """
    return foreign_values(text, task.traits, _authored(task))


def owed_lines(owed: Iterable[Owed]) -> tuple[str, ...]:
    """One line for each scripted line that was owed and not said. A line that the agent cut off by hanging
    up is no fault of ours.
    """
    return tuple(
        f"the line of rule {entry.rule} was owed at {entry.at:.2f} s and not said"
        for entry in owed
        if not entry.said and entry.ended_by_caller
    )


def strayed(task: Task, turns: Iterable[CallerTurn], owed: Iterable[Owed] = ()) -> tuple[str, ...]:
    """Everything off script about a call, in the order of the turns."""
    stated = tuple(
        f"{turn.source} at {turn.start:.2f} s states {value!r}, which is not one of the caller's values"
        for turn in turns
        for value in foreign_in(turn.written, task)
    )
    altered = tuple(
        f"{turn.source} at {turn.start:.2f} s is not the scripted line: {turn.written!r}"
        for turn in turns
        if not _as_written(turn, task)
    )
    return (*stated, *altered, *owed_lines(owed))


def _authored(task: Task) -> tuple[str, ...]:
    return (task.intent.opening, task.intent.closing, *(rule.line for rule in task.rules))


def _as_written(turn: CallerTurn, task: Task) -> bool:
    lines = {f"rule:{rule.id}": rule.line for rule in task.rules}
    lines |= {"opening": task.intent.opening, "closing": task.intent.closing}
    return turn.source not in lines or turn.written == lines[turn.source]
