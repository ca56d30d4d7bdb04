"""xAI Grok Voice as an adapter. The vendor keeps no agents: prompt and tools go with every session."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Final

import attrs

from offhook.records import ModelLayer
from offhook.sessions import (
    AgentConfig,
    CallSetup,
    Capabilities,
    Cost,
    Deployment,
    Greeting,
    Session,
    ToolMode,
)
from offhook.twins import FAULTS, Behind, RunningTwin
from offhook_adapters.openai_realtime.adapter import dial, import_sdk
from offhook_adapters.openai_realtime.dialect import SENT_SECONDS
from offhook_adapters.wires.vendor import check_agent
from offhook_adapters.xai.config import OPTIONS, XAI, settings_from
from offhook_adapters.xai.prices import TEXT_ITEMS, catalogue, cost_of

__all__ = ["CAPABILITIES", "XaiAdapter"]

# session_cap: 30 minutes by docs.x.ai/developers/models/voice-agent-api as of 2026-04-04, 120 by the same
# page's undated text version and by .../realtime-api as of 2026-05-25, 60 by a reseller. The shortest is
# safe.
# concurrency: 100 sessions a team, by all of these pages; ten leaves room for others of the team.
CAPABILITIES: Final = Capabilities(
    tool_mode=ToolMode.CLIENT,
    call_id_source="wire",
    greeting=Greeting.VERBATIM,
    barge_in_signal=True,
    paced_output=False,
    user_transcript=True,
    record=True,
    cost=True,
    session_cap=1800.0,
    concurrency=10,
)


@attrs.frozen
class XaiAdapter:
    """Environment: ``XAI_API_KEY``, and ``XAI_BASE_URL`` unless the option ``base_url`` is given.
    ``patience`` is how many seconds the platform may owe an answer before that is noted.
    """

    name: str = "xai"
    patience: float = 15.0
    environment: Mapping[str, str] = attrs.field(default=os.environ, repr=False)

    @property
    def capabilities(self) -> Capabilities:
        # One model hears, thinks and speaks: the vendor's default, unless the option ``model`` names another.
        layers = (ModelLayer("speech", catalogue().default_model, "bundled"),)
        return attrs.evolve(CAPABILITIES, layers=layers)

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return OPTIONS

    @property
    def can(self) -> frozenset[str]:
        """What its twin can do wrong; this wire takes no tool call back."""
        return frozenset(FAULTS) - {"cancel"}

    def missing(self) -> str | None:
        """What of the SDK is not installed, in one line, or None."""
        return XAI.missing()

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return XAI.check(self.environment)

    def estimate(self, seconds: float) -> Cost:
        """What a call of that length costs at list price, greeting included. Dials nothing."""
        published = catalogue()
        return cost_of({SENT_SECONDS: seconds, TEXT_ITEMS: 1.0}, published.models[published.default_model])

    def with_environment(self, environment: Mapping[str, str]) -> XaiAdapter:
        return attrs.evolve(self, environment=environment)

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """xAI's wire on loopback, with the reference platform behind it."""
        from offhook_adapters.openai_realtime.twin import Twin
        from offhook_adapters.twins.agent import agent_behind
        from offhook_adapters.xai._twin_dialect import XaiTwinDialect

        return Twin(agent_behind(behind), faults=behind.faults, dialect=XaiTwinDialect())

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: each session is given the configuration itself.

        Raises:
            VendorUnusable: the SDK or the key is missing.
        """
        XAI.api_key(self.environment)
        check_agent(agent)
        await asyncio.to_thread(import_sdk, XAI)
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> Session:
        """Opens a session and has the greeting spoken.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, a model or an option there is not; one line says what
                to do.
            VendorError: the platform did not take this call.
        """
        settings = settings_from(call.options, self.environment)
        key = XAI.api_key(self.environment)
        return await dial(deployment.config, settings, key=key, patience=self.patience)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""
