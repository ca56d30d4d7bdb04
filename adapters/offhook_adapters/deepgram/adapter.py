"""Deepgram's Voice Agent as an adapter. Prompt and tools go with every session, the vendor keeps nothing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import attrs

from offhook.records import ModelLayer
from offhook.sessions import AgentConfig, CallSetup, Capabilities, Cost, Deployment, Greeting, ToolMode
from offhook.twins import FAULTS, Behind, RunningTwin
from offhook_adapters.deepgram._refusals import refused_handshake
from offhook_adapters.deepgram.config import DEEPGRAM, OPTIONS, AgentSettings, settings_from
from offhook_adapters.deepgram.prices import catalogue
from offhook_adapters.deepgram.session import DeepgramSession
from offhook_adapters.wires.opening import opening
from offhook_adapters.wires.quiet import unlogged
from offhook_adapters.wires.sockets import LARGEST, cut
from offhook_adapters.wires.vendor import VendorUnusable, check_agent

__all__ = ["CAPABILITIES", "DeepgramAdapter", "dial", "import_sdk"]

# session_cap: none is published that was found (developers.deepgram.com, read 2026-11-30).
# concurrency: pay as you go is limited to 45 connections by a newer copy of
# developers.deepgram.com/reference/api-rate-limits and to 15 by an older one (neither is dated): the smaller.
CAPABILITIES: Final = Capabilities(
    tool_mode=ToolMode.CLIENT,
    call_id_source="wire",
    greeting=Greeting.VERBATIM,
    barge_in_signal=True,
    paced_output=False,
    user_transcript=True,
    record=True,
    cost=True,
    session_cap=None,
    concurrency=15,
)
_OPEN_SECONDS: Final = 15.0
_PATH: Final = "/v1/agent/converse"


@attrs.frozen
class DeepgramAdapter:
    """Environment: ``DEEPGRAM_API_KEY``, and ``DEEPGRAM_BASE_URL`` unless the option ``base_url`` is given.
    ``patience`` is how many seconds the platform may owe an answer before that is noted.
    """

    name: str = "deepgram"
    patience: float = 15.0
    environment: Mapping[str, str] = attrs.field(default=os.environ, repr=False)

    @property
    def capabilities(self) -> Capabilities:
        published = catalogue()
        layers = (
            ModelLayer("stt", published.default_listen, "bundled"),
            ModelLayer("llm", published.default_think, "bundled"),
            ModelLayer("tts", published.default_voice, "bundled"),
        )
        return attrs.evolve(CAPABILITIES, layers=layers)

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return OPTIONS

    @property
    def can(self) -> frozenset[str]:
        """What its twin can do wrong; no end of a session that has grown too long is documented."""
        return frozenset(FAULTS) - {"expire"}

    def missing(self) -> str | None:
        """What of the SDK is not installed, in one line, or None."""
        return DEEPGRAM.missing()

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return DEEPGRAM.check(self.environment)

    def estimate(self, seconds: float) -> Cost:
        """What a call of that length costs with the default language model."""
        published = catalogue()
        return published.cost(published.default_think, seconds)

    def with_environment(self, environment: Mapping[str, str]) -> DeepgramAdapter:
        return attrs.evolve(self, environment=environment)

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """Deepgram's wire on loopback, with the reference platform behind it."""
        from offhook_adapters.deepgram.twin import running_twin
        from offhook_adapters.twins.agent import agent_behind

        return running_twin(agent_behind(behind), behind.faults)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: each session is given the configuration itself.

        Raises:
            VendorUnusable: the SDK or the key is missing.
        """
        DEEPGRAM.api_key(self.environment)
        check_agent(agent)
        await asyncio.to_thread(import_sdk)
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> DeepgramSession:
        """Opens a session.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, a model or an option there is not; one line says what
                to do.
            VendorError: the platform did not take this call.
        """
        settings = settings_from(call.options, self.environment)
        key = DEEPGRAM.api_key(self.environment)
        return await dial(deployment.config, settings, key=key, patience=self.patience)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


async def dial(agent: AgentConfig, settings: AgentSettings, *, key: str, patience: float) -> DeepgramSession:
    """A session that is configured.

    Raises:
        VendorError: see ``DeepgramAdapter.connect``.
    """
    import_sdk()
    from deepgram.agent.v1.socket_client import AsyncV1SocketClient
    from deepgram.core.client_wrapper import BaseClientWrapper
    from deepgram.environment import DeepgramClientEnvironment
    from websockets.asyncio.client import connect

    environment = DeepgramClientEnvironment.PRODUCTION
    if settings.base_url is not None:
        rest = settings.base_url.rstrip("/")
        socket = "ws" + rest.removeprefix("http")
        environment = DeepgramClientEnvironment(base=rest, production=socket, agent=socket, agent_rest=rest)
    where = urlsplit(environment.agent).netloc
    # The SDK would dial with the old client of websockets, which waits until its time is up where a refusal
    # is longer than its buffer. What it sends in the handshake is taken from it.
    headers = BaseClientWrapper(api_key=key, environment=environment).get_headers()
    try:
        with unlogged(key):
            wire = await connect(
                f"{environment.agent}{_PATH}",
                additional_headers=headers,
                user_agent_header=None,
                max_size=LARGEST,
                open_timeout=_OPEN_SECONDS,
            )
    except Exception as error:
        raise refused_handshake(error, where, key) from None
    connection = AsyncV1SocketClient(websocket=wire)  # type: ignore[arg-type]
    session = DeepgramSession(
        connection, settings, close=wire.close, cut=partial(cut, wire), key=key, patience=patience
    )
    async with opening(session, DEEPGRAM, where, key, seconds=_OPEN_SECONDS):
        await session.open(agent)
    return session


def import_sdk() -> None:
    """Raises VendorUnusable where the SDK, or what it speaks WebSocket with, is missing."""
    try:
        import websockets.asyncio.client  # noqa: F401
        from deepgram.agent.v1.socket_client import AsyncV1SocketClient  # noqa: F401
        from deepgram.core.client_wrapper import BaseClientWrapper  # noqa: F401
        from deepgram.environment import DeepgramClientEnvironment  # noqa: F401
    except ImportError:
        raise VendorUnusable(DEEPGRAM.no_sdk) from None
