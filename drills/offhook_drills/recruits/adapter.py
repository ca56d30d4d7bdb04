"""Recruits as platforms."""

from __future__ import annotations

import attrs

from offhook.platforms import PlatformUnusable
from offhook.sessions import Ability, AgentConfig, CallSetup, Capabilities, Deployment, Engines, Greeting
from offhook.speech import Voice
from offhook_drills.recruits.habits import Habits
from offhook_drills.recruits.minds import obeying
from offhook_drills.recruits.session import RecruitSession

__all__ = ["Recruit"]

_VOICE = "us-female-heart"


@attrs.frozen
class Recruit:
    """An adapter in process that takes part in drills, and only in those."""

    name: str
    habits: Habits = attrs.field(factory=Habits)

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            greeting=Greeting.NONE,
            concurrency=1000,
            virtual_time=True,
            harness_reference=True,
            record=True,
            cost=True,
            meeting=frozenset({Ability.AUDIO}),
        )

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing leaves the process."""
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> RecruitSession:
        """Joins a meeting.

        Raises:
            PlatformUnusable: it is no meeting but a call about a task.
            ValueError: the meeting brings no engine to listen or talk with.
        """
        if call.plan is not None:
            raise PlatformUnusable(f"it only takes part in drills: offhook drill all --platform {self.name}")
        engines = call.engines
        if engines is None or not engines.voices:
            raise ValueError(f"{self.name} listens and talks itself: give it speech engines")
        session = RecruitSession(engines, _voice(engines))
        session.begin(obeying(self.habits))
        return session

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


def _voice(engines: Engines) -> Voice:
    """Another than the sergeant's, where there is one."""
    return engines.voices.get(_VOICE) or engines.voices[max(engines.voices)]
