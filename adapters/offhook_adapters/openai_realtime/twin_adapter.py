"""OpenAI Realtime's wire end to end, offline: each call gets a twin of its own, and goes to it as it would to
the vendor.

The reference platform behind the twin needs the plan of its task, which must not cross the wire; so this
adapter is a harness reference, and ``openai-realtime`` never sees a plan.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from offhook.audio import Samples
from offhook.sessions import (
    AgentConfig,
    CallSetup,
    Capabilities,
    Cost,
    Deployment,
    PlatformRecord,
    SessionEvent,
    ToolResult,
)
from offhook_adapters.openai_realtime.adapter import CAPABILITIES, dial, import_sdk, missing_sdk, model_layers
from offhook_adapters.openai_realtime.config import (
    OPTIONS,
    OpenAIRealtimeUnusable,
    RealtimeSettings,
    settings_from,
)
from offhook_adapters.openai_realtime.session import OpenAIRealtimeSession
from offhook_adapters.openai_realtime.twin import FAULTS, Twin, TwinAgent, TwinFaults
from offhook_adapters.reference.minds.desk import MindError, MindFactory
from offhook_adapters.reference.minds.follower import make_follower

__all__ = ["OpenAITwinAdapter", "TwinSession"]

# As long as the reference platform waits by itself.
_IDLE_TIMEOUT_MS: Final = 9000
_OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {name: told for name, told in OPTIONS.items() if name != "base_url"}
    | {"fault": f"What goes wrong on the wire: {', '.join(FAULTS)}."}
)


@attrs.frozen
class OpenAITwinAdapter:
    """Options are those of ``openai-realtime`` but for ``base_url``, and ``fault``: one of ``FAULTS``.
    ``faults`` is what goes wrong where a call names none.
    """

    name: str = "openai-twin"
    make_mind: MindFactory = make_follower
    faults: TwinFaults = attrs.field(factory=TwinFaults)
    patience: float = 15.0

    @property
    def capabilities(self) -> Capabilities:
        return attrs.evolve(
            CAPABILITIES, harness_reference=True, session_cap=None, concurrency=100, layers=model_layers()
        )

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return _OPTIONS

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return missing_sdk()

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up.

        Raises:
            OpenAIRealtimeUnusable: the SDK is missing.
        """
        await asyncio.to_thread(import_sdk)
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> TwinSession:
        """Starts a twin and opens a session on it.

        Raises:
            OpenAIRealtimeUnusable: no SDK, an option there is not, a call without engines, or no plan for a
                mind that needs one.
            OpenAIRealtimeError: the twin was told to refuse.
        """
        faults, settings = _chosen(call.options, self.faults)
        if call.engines is None:
            raise OpenAIRealtimeUnusable(f"{self.name} talks itself: give the call speech engines")
        import_sdk()
        try:
            self.make_mind(deployment.config, call)
        except MindError as error:  # behind the wire it would only show as a platform that says nothing
            raise OpenAIRealtimeUnusable(str(error)) from error
        agent = TwinAgent(call, self.make_mind)
        key = secrets.token_urlsafe(24)
        twin = Twin(agent, key=key, faults=faults)
        await twin.__aenter__()
        try:
            settings = attrs.evolve(settings, base_url=twin.base_url)
            session = await dial(deployment.config, settings, key=key, patience=self.patience)
        except BaseException:
            await twin.__aexit__(None, None, None)
            raise
        return TwinSession(session, twin, agent)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


def _chosen(options: Mapping[str, str], faults: TwinFaults) -> tuple[TwinFaults, RealtimeSettings]:
    own = dict(options)
    name = own.pop("fault", "")
    if name and name not in FAULTS:
        raise OpenAIRealtimeUnusable(f"there is no fault {name!r}: choose from {', '.join(FAULTS)}")
    if "base_url" in own:
        raise OpenAIRealtimeUnusable(
            "the twin has an address of its own: leave base_url out, or use openai-realtime"
        )
    own.setdefault("idle_timeout_ms", str(_IDLE_TIMEOUT_MS))
    return (FAULTS[name] if name else faults), settings_from(own)


class TwinSession:
    """A session on a twin that lives as long as the call."""

    def __init__(self, session: OpenAIRealtimeSession, twin: Twin, agent: TwinAgent) -> None:
        self._session = session
        self._twin = twin
        self._agent = agent

    def send_audio(self, frame: Samples) -> None:
        self._session.send_audio(frame)

    async def events(self) -> AsyncIterator[SessionEvent]:
        """The session's stream.

        Raises:
            SpeechUnavailable: an engine that the twin listens or talks with is missing.
        """
        async for event in self._session.events():
            if self._agent.failures:
                break
            yield event
        if self._agent.failures:
            raise self._agent.failures[0]

    async def send_tool_result(self, result: ToolResult) -> None:
        await self._session.send_tool_result(result)

    def played(self, seconds: float) -> None:
        self._session.played(seconds)

    async def hang_up(self) -> None:
        await self._session.hang_up()
        await self._twin.__aexit__(None, None, None)

    async def fetch_record(self) -> PlatformRecord:
        return await self._session.fetch_record()

    async def fetch_cost(self) -> Cost:
        """Nobody is paid for a twin."""
        return Cost(0.0, "usage")
