"""What an integrator's program brings: a small world of its own and an adapter that was never packaged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.packs import Pack
from offhook.sessions import (
    Adapter,
    AgentConfig,
    CallSetup,
    Capabilities,
    Deployment,
    Session,
)
from offhook.testing import FakeSpeech
from offhook.testing_pack import bicycle_pack
from offhook.textline import TextSession
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.follower import make_follower
from offhook_adapters.reference.minds.saboteurs import FAULTS, saboteur
from offhook_caller.caller import SimulatedCaller
from offhook_graders.plugin import offhook_graders as first_party_graders


@attrs.frozen
class OwnAdapter:
    """A platform defined in the program itself: the reference agent behind another name. With ``refuses``
    it takes no call, and says that.
    """

    name: str = "my-agent"
    refuses: str = ""

    @property
    def capabilities(self) -> Capabilities:
        return self._agent().capabilities

    def _agent(self) -> ReferenceAdapter:
        return ReferenceAdapter(self.name, make_follower)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        return await self._agent().deploy(agent)

    async def connect(self, deployment: Deployment, call: CallSetup) -> Session:
        if self.refuses:
            raise ConnectionRefusedError(self.refuses)
        return await self._agent().connect(deployment, call)

    async def connect_text(self, deployment: Deployment, call: CallSetup) -> TextSession:
        if self.refuses:
            raise ConnectionRefusedError(self.refuses)
        return await self._agent().connect_text(deployment, call)

    async def teardown(self, deployment: Deployment) -> None:
        await self._agent().teardown(deployment)


class World(FakeSpeech):
    """Everything a run needs, with engines that load no weights under the default names."""

    @hookimpl
    def offhook_adapters(self) -> Sequence[Adapter]:
        faults = [ReferenceAdapter(f"saboteur-{fault.name}", saboteur(fault)) for fault in FAULTS]
        return [ReferenceAdapter("reference", make_follower), *faults]

    @hookimpl
    def offhook_callers(self) -> Sequence[Any]:
        return [SimulatedCaller("scripted")]

    @hookimpl
    def offhook_industries(self) -> Sequence[Pack]:
        return [bicycle_pack()]

    @hookimpl
    def offhook_graders(self) -> Sequence[Any]:
        return first_party_graders()


def world_host(*plugins: object) -> PluginHost:
    host = PluginHost()
    assert host.register(World(), name="world")
    for number, plugin in enumerate(plugins):
        assert host.register(plugin, name=f"program-{number}")
    return host
