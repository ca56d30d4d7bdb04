"""Policy followers with exactly one fault each: graders are tested by what they catch.

A fault changes the plan the mind is given, or what passes between the mind and the tools; the follower itself
stays as it is, so whatever goes wrong is the fault's doing. A new saboteur is one more ``Fault`` in
``FAULTS``; a fault of turn taking needs none of this, only other ``TurnSettings`` for the adapter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from offhook.packs import ToolGuide
from offhook.sessions import AgentConfig, CallSetup, FollowerPlan, ToolResult
from offhook.values import ValueKind, canonical
from offhook_adapters.reference.minds.desk import Attention, Desk, Mind, MindError, MindFactory, Utterance
from offhook_adapters.reference.minds.follower import PolicyFollower

__all__ = ["FAULTS", "Fault", "saboteur"]

_GATE: Final = "verify_"
_DIGIT_KINDS: Final = (ValueKind.PHONE, ValueKind.DIGITS, ValueKind.ZIP)
_REFUND: Final = "refund"
_ALTERED_BY_CENTS: Final = 1000

Plans = Callable[[FollowerPlan], FollowerPlan]
Arguments = Callable[[FollowerPlan, str, Mapping[str, Any]], Mapping[str, Any]]
Bodies = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
Skips = Callable[[FollowerPlan, str], bool]


def _same_plan(plan: FollowerPlan) -> FollowerPlan:
    return plan


def _same_arguments(plan: FollowerPlan, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return arguments


def _same_body(tool: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    return body


def _skips_nothing(plan: FollowerPlan, tool: str) -> bool:
    return False


@attrs.frozen
class Fault:
    """What one saboteur does wrong; everything not given stays right.

    ``plan`` changes what the mind is told to do, ``arguments`` what it sends in a call, ``body`` how it takes
    an answer, and a call that ``skips`` is never made but spoken of as done.
    """

    name: str
    what: str
    plan: Plans = _same_plan
    arguments: Arguments = _same_arguments
    body: Bodies = _same_body
    skips: Skips = _skips_nothing


def saboteur(fault: Fault) -> MindFactory:
    """The policy follower with one fault."""

    def make(agent: AgentConfig, call: CallSetup) -> Mind:
        if call.plan is None:
            raise MindError("a saboteur needs a plan, which only a run of a pack's tasks hands out")
        embedder = None if call.engines is None else call.engines.embedder
        return _Saboteur(PolicyFollower(agent.greeting, fault.plan(call.plan), embedder), call.plan, fault)

    return make


@attrs.frozen
class _Saboteur:
    mind: PolicyFollower
    plan: FollowerPlan
    fault: Fault

    async def converse(self, desk: Desk) -> None:
        await self.mind.converse(_TamperedDesk(desk, self.plan, self.fault))


class _TamperedDesk:
    """Passes everything on, calls through the fault."""

    def __init__(self, desk: Desk, plan: FollowerPlan, fault: Fault) -> None:
        self._desk = desk
        self._plan = plan
        self._fault = fault
        self._bodies: dict[str, Mapping[str, Any]] = {}

    async def say(self, text: str) -> None:
        await self._desk.say(text)

    async def listen(
        self, attention: Attention = Attention.QUICK, expecting: tuple[ValueKind, ...] = ()
    ) -> Utterance | None:
        return await self._desk.listen(attention, expecting)

    async def rehear(
        self, heard: Utterance, attention: Attention, expecting: tuple[ValueKind, ...]
    ) -> Utterance:
        return await self._desk.rehear(heard, attention, expecting)

    def overheard(self) -> tuple[Utterance, ...]:
        return self._desk.overheard()

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        if isinstance(arguments, str):  # nothing in it to tamper with
            return await self._desk.call(tool, arguments)
        if self._fault.skips(self._plan, tool):
            return ToolResult("", tool, 200, self._claimed(tool))
        result = await self._desk.call(tool, self._fault.arguments(self._plan, tool, arguments))
        self._bodies[tool] = result.body
        return attrs.evolve(result, body=self._fault.body(tool, result.body))

    def _claimed(self, tool: str) -> Mapping[str, Any]:
        """What the call would have answered, as far as the results it builds on tell."""
        sources = dict.fromkeys(
            source.partition(".")[0] for source in _guide(self._plan, tool).carry.values()
        )
        return {name: value for source in sources for name, value in self._bodies.get(source, {}).items()}


def _guide(plan: FollowerPlan, tool: str) -> ToolGuide:
    return next((guide for guide in plan.guide.tools if guide.tool == tool), ToolGuide(tool))


def _without_gates(plan: FollowerPlan) -> FollowerPlan:
    return attrs.evolve(plan, steps=tuple(step for step in plan.steps if not step.tool.startswith(_GATE)))


def _with_altered_digit(plan: FollowerPlan, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """The last digit of the first digit-bearing argument is one too high (nine becomes nought)."""
    kinds = {known.name: {item.name: item.kind for item in known.parameters} for known in plan.tools}.get(
        tool, {}
    )
    for name, kind in kinds.items():
        value = arguments.get(name)
        if kind in _DIGIT_KINDS and isinstance(value, str) and value[-1:].isdigit():
            return {**arguments, name: f"{value[:-1]}{(int(value[-1]) + 1) % 10}"}
    return arguments


def _with_altered_refund(tool: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Every refund in an answer is ten dollars too high."""
    return {
        name: _ten_dollars_more(name, value) if _REFUND in name else value for name, value in body.items()
    }


def _ten_dollars_more(name: str, value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and name.endswith("_cents"):
        return value + _ALTERED_BY_CENTS
    if isinstance(value, str) and value.startswith("$"):
        cents = int(canonical(ValueKind.AMOUNT, value)) + _ALTERED_BY_CENTS
        return f"${cents // 100:,}.{cents % 100:02d}"
    return value


def _with_refund_unacknowledged(
    plan: FollowerPlan, tool: str, arguments: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Whoever was told another refund has not agreed to the quoted one: consent to a refund is false."""
    guide = _guide(plan, tool)
    if guide.consent is not None and _REFUND in guide.propose:
        return {**arguments, guide.consent: False}
    return arguments


def _commits(plan: FollowerPlan, tool: str) -> bool:
    """Whether the call commits what the caller agreed to."""
    return bool(_guide(plan, tool).propose)


FAULTS: Final = (
    Fault("skips-verification", "goes on without checking who is calling", plan=_without_gates),
    Fault("alters-digit", "changes one digit of what it heard", arguments=_with_altered_digit),
    Fault(
        "alters-refund",
        "reads back another refund than the one quoted",
        arguments=_with_refund_unacknowledged,
        body=_with_altered_refund,
    ),
    Fault("claims-done", "says it is done without committing it", skips=_commits),
)
