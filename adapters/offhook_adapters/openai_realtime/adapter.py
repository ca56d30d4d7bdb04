"""OpenAI Realtime as an adapter. The vendor keeps no agents: prompt and tools go with every session."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Final
from urllib.parse import urlsplit

import attrs

from offhook.records import ModelLayer
from offhook.sessions import AgentConfig, CallSetup, Capabilities, Cost, Deployment, Greeting, ToolMode
from offhook.twins import FAULTS, Behind, RunningTwin
from offhook_adapters.openai_realtime.config import OPENAI, OPTIONS, settings_from
from offhook_adapters.openai_realtime.dialect import Dialect
from offhook_adapters.openai_realtime.prices import catalogue, cost_of, usual_usage
from offhook_adapters.openai_realtime.refusals import refused_connect
from offhook_adapters.openai_realtime.session import OpenAIRealtimeSession
from offhook_adapters.wires.opening import opening
from offhook_adapters.wires.quiet import unlogged
from offhook_adapters.wires.sockets import LARGEST
from offhook_adapters.wires.vendor import Vendor, VendorUnusable, check_agent

__all__ = ["CAPABILITIES", "OpenAIRealtimeAdapter", "dial", "import_sdk"]

# session_cap: the vendor's guide to realtime conversations names 60 minutes, as copied on 2026-11-06
# (developers.openai.com/api/docs/guides/realtime-conversations).
# concurrency: the vendor limits tokens and requests a minute, by account, and names no number of sessions
# (developers.openai.com/api/docs/models/gpt-realtime-2.1, read 2026-11-30). Ten is our own ceiling; an
# account with less room answers rate_limit_exceeded, which is noted in the record.
CAPABILITIES: Final = Capabilities(
    tool_mode=ToolMode.CLIENT,
    call_id_source="wire",
    greeting=Greeting.PROMPTED,
    barge_in_signal=True,
    paced_output=False,
    user_transcript=True,
    record=True,
    cost=True,
    session_cap=3600.0,
    concurrency=10,
)
_OPEN_SECONDS: Final = 20.0


@attrs.frozen
class OpenAIRealtimeAdapter:
    """Environment: ``OPENAI_API_KEY``, and ``OPENAI_BASE_URL`` unless the option ``base_url`` is given.
    ``patience`` is how many seconds the platform may owe an answer before that is noted.
    """

    name: str = "openai-realtime"
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
        return OPENAI.missing()

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return OPENAI.check(self.environment)

    def estimate(self, seconds: float) -> Cost:
        """About what a call of that length costs at list price, by ``usual_usage``. Dials nothing."""
        published = catalogue()
        model, transcriber = published.default_model, published.default_transcriber
        return cost_of(usual_usage(seconds), published.models[model], published.transcribers[transcriber])

    def with_environment(self, environment: Mapping[str, str]) -> OpenAIRealtimeAdapter:
        return attrs.evolve(self, environment=environment)

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """OpenAI's wire on loopback, with the reference platform behind it."""
        from offhook_adapters.openai_realtime.twin import Twin
        from offhook_adapters.twins.agent import agent_behind

        return Twin(agent_behind(behind), faults=behind.faults)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: each session is given the configuration itself.

        Raises:
            VendorUnusable: the SDK or the key is missing.
        """
        OPENAI.api_key(self.environment)
        check_agent(agent)
        await asyncio.to_thread(import_sdk)
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> OpenAIRealtimeSession:
        """Opens a session and asks for the greeting.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, a model or an option there is not; one line says what
                to do.
            VendorError: the platform did not take this call.
        """
        settings = settings_from(call.options, self.environment)
        key = OPENAI.api_key(self.environment)
        return await dial(deployment.config, settings, key=key, patience=self.patience)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


async def dial(agent: AgentConfig, dialect: Dialect, *, key: str, patience: float) -> OpenAIRealtimeSession:
    """A session on a platform of the family that is configured and has been asked for its greeting.

    Raises:
        VendorError: see ``OpenAIRealtimeAdapter.connect``.
    """
    vendor = dialect.vendor
    import_sdk(vendor)
    from openai import AsyncOpenAI

    client = AsyncOpenAI(api_key=key, base_url=dialect.base_url)
    if vendor is not OPENAI:  # the SDK reads them from the environment, and they are nobody else's business
        client.organization = client.project = None
    where = urlsplit(str(client.base_url)).netloc.rpartition("@")[2]
    try:
        with unlogged(key):
            async with asyncio.timeout(_OPEN_SECONDS):
                # as the SDK has it, but for its messages of any size
                connection = await client.realtime.connect(
                    model=dialect.model,
                    websocket_connection_options={"max_size": LARGEST, "compression": None},
                ).enter()
    except Exception as error:
        raise refused_connect(error, dialect, where, key) from None
    finally:
        await client.close()  # its HTTP half; the socket is a connection of its own
    session = OpenAIRealtimeSession(connection, dialect, key=key, patience=patience)
    async with opening(session, vendor, where, key, seconds=_OPEN_SECONDS):
        await session.open(agent)
    return session


def import_sdk(vendor: Vendor = OPENAI) -> None:
    """Raises VendorUnusable where the SDK, or what it speaks WebSocket with, is missing."""
    try:
        import openai  # noqa: F401
        import websockets  # noqa: F401
        from openai.resources.realtime.realtime import AsyncRealtimeConnection  # noqa: F401
    except ImportError:
        raise VendorUnusable(vendor.no_sdk) from None
