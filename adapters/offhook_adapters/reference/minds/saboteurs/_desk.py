"""A policy follower at a desk that a fault has got at.

The follower itself stays as it is, so whatever goes wrong is the fault's doing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from offhook.sessions import AgentConfig, CallSetup, FollowerPlan, ToolResult
from offhook.values import ValueKind
from offhook_adapters.reference.minds.desk import Attention, Desk, Mind, MindError, MindFactory, Utterance
from offhook_adapters.reference.minds.follower import PolicyFollower
from offhook_adapters.reference.minds.saboteurs._fault import Extra, Fault, Tampering, guide_of

__all__ = ["saboteur"]


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
        self._extras: list[Extra] = list(fault.extras(plan))
        self._heard = 0

    async def say(self, text: str) -> None:
        await self._desk.say(text)

    async def listen(
        self, attention: Attention = Attention.QUICK, expecting: tuple[ValueKind, ...] = ()
    ) -> Utterance | None:
        heard = await self._desk.listen(attention, expecting)
        if heard is not None and heard.text:
            self._heard += 1
            if self._heard == self._fault.breaks_after:
                raise MindError("this saboteur breaks down in the middle of a call")
            if self._heard == 1:
                await self._meddle()
        return heard

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
        seen = Tampering(self._plan, self._bodies)
        result = await self._desk.call(tool, self._fault.arguments(seen, tool, arguments))
        if result.status < 300:
            self._bodies[tool] = result.body
            await self._meddle()
        return attrs.evolve(result, body=self._fault.body(tool, result.body))

    async def _meddle(self) -> None:
        """Tries what nobody asked for, and drops what has worked."""
        for extra in tuple(self._extras):
            result = await self._desk.call(*extra)
            if result.status < 300:
                self._extras.remove(extra)

    def _claimed(self, tool: str) -> Mapping[str, Any]:
        """What the call would have answered, as far as the results it builds on tell."""
        sources = dict.fromkeys(
            source.partition(".")[0] for source in guide_of(self._plan, tool).carry.values()
        )
        return {name: value for source in sources for name, value in self._bodies.get(source, {}).items()}
