"""What a fault is, and how one knows whether a task gives it a chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import attrs

from offhook.packs import ExpectedCall, Pack, Parameter, Task, Tool, ToolGuide
from offhook.sessions import FollowerPlan
from offhook.toolserver import Replay
from offhook.values import ValueKind

__all__ = ["Extra", "Fault", "Trial", "guide_of", "made_up", "parameters_of"]

_NOBODY: Final = (
    (ValueKind.NAME, "Nobody Inparticular"),
    (ValueKind.PHONE, "202-555-0100"),
    (ValueKind.ZIP, "20001"),
    (ValueKind.DIGITS, "0000"),
    (ValueKind.EMAIL, "nobody@example.com"),
    (ValueKind.DATE, "2026-09-01"),
    (ValueKind.TIME, "10:00"),
    (ValueKind.AMOUNT, 100),
    (ValueKind.SPELLED, "NOBODY"),
    (ValueKind.ORDER_NUMBER, "XX-0000000"),
    (ValueKind.YES_NO, True),
    (ValueKind.TEXT, "Nobody asked for this."),
)

Extra = tuple[str, Mapping[str, Any]]
Plans = Callable[[FollowerPlan], FollowerPlan]
Arguments = Callable[["Tampering", str, Mapping[str, Any]], Mapping[str, Any]]
Bodies = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
Skips = Callable[[FollowerPlan, str], bool]
Extras = Callable[[FollowerPlan], tuple[Extra, ...]]
Applies = Callable[["Trial"], bool]


@attrs.frozen
class Tampering:
    """What a fault of arguments may look at: the plan, and what each tool has answered so far."""

    plan: FollowerPlan
    bodies: Mapping[str, Mapping[str, Any]]


@attrs.frozen
class Trial:
    """A task that a fault is asked about. ``replayed`` is the key's own replay; ``replay`` runs another key
    on the same seed, and returns None where the tool server refuses one of its calls.
    """

    pack: Pack
    task: Task
    replayed: Replay
    replay: Callable[[tuple[ExpectedCall, ...]], Replay | None]

    def arguments(self) -> Iterator[tuple[ExpectedCall, Parameter, Any]]:
        """Every constrained argument of the key, with its parameter and value."""
        for call in self.task.expected:
            parameters = {parameter.name: parameter for parameter in self.pack.tool(call.tool).parameters}
            yield from ((call, parameters[name], value) for name, value in call.arguments.items())


def _same_plan(plan: FollowerPlan) -> FollowerPlan:
    return plan


def _same_arguments(seen: Tampering, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return arguments


def _same_body(tool: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    return body


def _skips_nothing(plan: FollowerPlan, tool: str) -> bool:
    return False


def _nothing_more(plan: FollowerPlan) -> tuple[Extra, ...]:
    return ()


@attrs.frozen
class Fault:
    """What one saboteur does wrong; everything not given stays right.

    ``applies`` tells whether a task gives the fault a chance: such a task it must fail. ``plan`` changes what
    the mind is told to do, ``arguments`` what it sends in a call, ``body`` how it takes an answer. A call
    that ``skips`` is never made but spoken of as done. ``extras`` are calls that nobody asked for: each is
    tried when the caller has first spoken and after every call that worked, until it works. ``breaks_after``
    is how many turns of the caller it takes until the mind breaks down.
    """

    name: str
    what: str
    applies: Applies
    plan: Plans = _same_plan
    arguments: Arguments = _same_arguments
    body: Bodies = _same_body
    skips: Skips = _skips_nothing
    extras: Extras = _nothing_more
    breaks_after: int | None = None


def guide_of(plan: FollowerPlan, tool: str) -> ToolGuide:
    """The pack's words for a tool; empty ones where it has none."""
    return next((guide for guide in plan.guide.tools if guide.tool == tool), ToolGuide(tool))


def parameters_of(plan: FollowerPlan, tool: str) -> tuple[Parameter, ...]:
    """A tool's parameters; none for one that the agent has not."""
    return next((known.parameters for known in plan.tools if known.name == tool), ())


def made_up(tool: Tool) -> Extra:
    """A call of the tool with values that nobody gave."""
    return tool.name, {parameter.name: _filler(parameter) for parameter in tool.parameters}


def _filler(parameter: Parameter) -> Any:
    if parameter.choices:
        return parameter.choices[0].value
    if parameter.kind is ValueKind.DIGITS and parameter.length:
        return "0" * parameter.length
    return dict(_NOBODY)[parameter.kind]
