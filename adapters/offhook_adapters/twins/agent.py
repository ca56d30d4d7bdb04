"""Who answers behind a twin's wire."""

from __future__ import annotations

import attrs

from offhook.sessions import AgentConfig, CallSetup, Engines
from offhook.speech import SpeechUnavailable
from offhook.twins import Behind, Script
from offhook_adapters.reference.minds.desk import Desk, Mind, MindFactory
from offhook_adapters.reference.minds.follower import make_follower
from offhook_adapters.reference.session import Delays

__all__ = ["TwinAgent", "agent_behind", "script_minds"]


@attrs.frozen(eq=False)
class TwinAgent:
    """``call`` brings what never crosses the wire: the engines, the random streams, and the plan of the
    policy follower. ``voice`` names one of the engines' voices; empty takes the usual one. ``failures``
    gathers what a client can't be told.
    """

    call: CallSetup
    make_mind: MindFactory = make_follower
    delays: Delays = attrs.field(factory=Delays)
    voice: str = ""
    failures: list[SpeechUnavailable] = attrs.field(factory=list)

    @property
    def engines(self) -> Engines:
        """Raises ValueError for a call that brings none."""
        if self.call.engines is None:
            raise ValueError("the twin listens and talks itself: give its call speech engines")
        return self.call.engines


@attrs.frozen
class _Scripted:
    script: Script

    async def converse(self, desk: Desk) -> None:
        await self.script(desk)


def script_minds(script: Script) -> MindFactory:
    """Minds that all do what ``script`` does."""

    def make(agent: AgentConfig, call: CallSetup) -> Mind:
        return _Scripted(script)

    return make


def agent_behind(behind: Behind) -> TwinAgent:
    """The agent that a twin was asked for: the script's, or the policy follower."""
    make_mind = make_follower if behind.script is None else script_minds(behind.script)
    return TwinAgent(behind.call, make_mind, voice=behind.voice)
