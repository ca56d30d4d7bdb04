"""OpenAI GPT-Live as an adapter. The vendor keeps no agents: prompt and tools go with every session."""

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
from offhook_adapters.gpt_live.config import GPT_LIVE, OPTIONS, LiveSettings, settings_from
from offhook_adapters.gpt_live.prices import Duration, catalogue, cost_of
from offhook_adapters.gpt_live.session import GptLiveSession
from offhook_adapters.wires.opening import opening
from offhook_adapters.wires.quiet import unlogged
from offhook_adapters.wires.sockets import LARGEST
from offhook_adapters.wires.trouble import failed_connect
from offhook_adapters.wires.vendor import VendorUnusable, check_agent

__all__ = ["CAPABILITIES", "GptLiveAdapter", "dial", "import_sdk"]

# session_cap: the platform tells each session when it expires, and publishes no figure that was found.
# concurrency: separate limits by model and account, whose values are the account's own
# (developers.openai.com/api/docs/models/gpt-live-1.1, read 2026-11-30). Ten is our own ceiling.
# barge_in_signal: full duplex, no event says that the caller talks or that the agent was cut off.
CAPABILITIES: Final = Capabilities(
    tool_mode=ToolMode.CLIENT,
    call_id_source="wire",
    greeting=Greeting.PROMPTED,
    barge_in_signal=False,
    paced_output=True,
    user_transcript=True,
    record=True,
    cost=True,
    session_cap=None,
    concurrency=10,
)
_OPEN_SECONDS: Final = 20.0
# What a call's backend is reckoned at beforehand: one delegation every so many seconds, and its tokens.
_DELEGATION_SECONDS: Final = 20.0
_DELEGATION_TOKENS: Final = {"backend_input_tokens": 8000.0, "backend_output_tokens": 300.0}


@attrs.frozen
class GptLiveAdapter:
    """Environment: ``OPENAI_API_KEY``, and ``OPENAI_BASE_URL`` unless the option ``base_url`` is given.
    ``patience`` is how many seconds the platform may send nothing before that is noted.
    """

    name: str = "gpt-live"
    patience: float = 15.0
    environment: Mapping[str, str] = attrs.field(default=os.environ, repr=False)

    @property
    def capabilities(self) -> Capabilities:
        # One model hears and speaks, another thinks and calls the tools; the options ``model`` and
        # ``backend`` may name others. The second is the user's to choose; the vendor's examples take this.
        published = catalogue()
        layers = (
            ModelLayer("speech", published.default_model, "bundled"),
            ModelLayer("llm", published.default_backend, "recommended"),
        )
        return attrs.evolve(CAPABILITIES, layers=layers)

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return OPTIONS

    @property
    def can(self) -> frozenset[str]:
        """What its twin can do wrong; this wire takes no single tool call back."""
        return frozenset(FAULTS) - {"cancel"}

    def missing(self) -> str | None:
        """What of the SDK is not installed, in one line, or None."""
        return GPT_LIVE.missing()

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return GPT_LIVE.check(self.environment)

    def estimate(self, seconds: float) -> Cost:
        """About what a call of that length costs at list price: its minutes, and a delegation every 20 s of
        8,000 tokens in and 300 out. Dials nothing.
        """
        published = catalogue()
        times = seconds / _DELEGATION_SECONDS
        usage = {name: amount * times for name, amount in _DELEGATION_TOKENS.items()}
        minute, backend = published.models[published.default_model], published.backends
        return cost_of(usage, Duration(None, seconds), minute, backend[published.default_backend])

    def with_environment(self, environment: Mapping[str, str]) -> GptLiveAdapter:
        return attrs.evolve(self, environment=environment)

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """GPT-Live's wire on loopback, with the reference platform behind it."""
        from offhook_adapters.gpt_live.twin import serve_twin
        from offhook_adapters.twins.agent import agent_behind

        return serve_twin(agent_behind(behind), faults=behind.faults)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: each session is given the configuration itself.

        Raises:
            VendorUnusable: the SDK or the key is missing.
        """
        GPT_LIVE.api_key(self.environment)
        check_agent(agent)
        await asyncio.to_thread(import_sdk)
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> GptLiveSession:
        """Opens a session and asks for the greeting.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, a model or an option there is not, a prompt that is
                too long; one line says what to do.
            VendorError: the platform did not take this call.
        """
        settings = settings_from(call.options, self.environment)
        key = GPT_LIVE.api_key(self.environment)
        return await dial(deployment.config, settings, key=key, patience=self.patience)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


async def dial(agent: AgentConfig, settings: LiveSettings, *, key: str, patience: float) -> GptLiveSession:
    """A session that is started and has been asked for its greeting.

    Raises:
        VendorError: see ``GptLiveAdapter.connect``.
    """
    import_sdk()
    from openai import AsyncOpenAI

    client = AsyncOpenAI(api_key=key, base_url=settings.base_url)
    where = urlsplit(str(client.base_url)).netloc.rpartition("@")[2]
    try:
        with unlogged(key):
            async with asyncio.timeout(_OPEN_SECONDS):
                # as the SDK has it, but for its messages of any size
                connection = await client.live.connect(
                    websocket_connection_options={"max_size": LARGEST, "compression": None}
                ).enter()
    except Exception as error:
        raise failed_connect(error, GPT_LIVE, where, key) from None
    finally:
        await client.close()  # its HTTP half; the socket is a connection of its own
    session = GptLiveSession(connection, settings, key=key, patience=patience)
    async with opening(session, GPT_LIVE, where, key, seconds=_OPEN_SECONDS):
        await session.open(agent)
    return session


def import_sdk() -> None:
    """Raises VendorUnusable where the SDK, or what it speaks WebSocket with, is missing or too old."""
    try:
        import openai  # noqa: F401
        import websockets  # noqa: F401
        from openai.resources.live.live import AsyncLiveConnection  # noqa: F401
    except ImportError:
        raise VendorUnusable(GPT_LIVE.no_sdk) from None
