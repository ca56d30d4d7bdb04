"""ElevenLabs Agents as an adapter: an agent is set up with its tools, and called through a signed URL."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import attrs

from offhook.records import ModelLayer
from offhook.sessions import AgentConfig, CallSetup, Capabilities, Deployment, Greeting, ToolMode
from offhook.twins import FAULTS, Behind, RunningTwin
from offhook_adapters.elevenlabs._agents import make_agent, remove_agents
from offhook_adapters.elevenlabs._rest import NO_RETRIES, Gone, Rest
from offhook_adapters.elevenlabs.config import (
    ELEVENLABS,
    ELEVENLABS_URL,
    OPTIONS,
    SESSION_SECONDS,
    ElevenLabsSettings,
    settings_from,
)
from offhook_adapters.elevenlabs.models import catalogue
from offhook_adapters.elevenlabs.session import ElevenLabsSession
from offhook_adapters.wires.opening import opening
from offhook_adapters.wires.quiet import unlogged
from offhook_adapters.wires.sockets import LARGEST
from offhook_adapters.wires.trouble import closed_text, failed_connect
from offhook_adapters.wires.vendor import VendorError, VendorUnusable, check_agent

__all__ = ["CAPABILITIES", "ElevenLabsAdapter", "dial", "import_sdk"]

# session_cap: set on the agent by this adapter; the vendor's own default is ten minutes.
# concurrency: it depends on the plan, and no current figures were found (2026-11-30). Five is our own
# ceiling; an account with less room answers HTTP 429, and the call is tried again.
CAPABILITIES: Final = Capabilities(
    tool_mode=ToolMode.CLIENT,
    call_id_source="wire",
    greeting=Greeting.VERBATIM,
    barge_in_signal=True,
    paced_output=False,
    user_transcript=True,
    record=True,
    cost=True,
    session_cap=float(SESSION_SECONDS),
    concurrency=5,
)
_OPEN_SECONDS: Final = 20.0


@attrs.frozen
class ElevenLabsAdapter:
    """Environment: ``ELEVENLABS_API_KEY``, and ``ELEVENLABS_BASE_URL`` for another server than the vendor's
    own, such as one of its regions. ``patience`` is how many seconds the platform may owe an answer before
    that is noted.
    """

    name: str = "elevenlabs"
    patience: float = 15.0
    environment: Mapping[str, str] = attrs.field(default=os.environ, repr=False)

    @property
    def capabilities(self) -> Capabilities:
        # Who hears is the platform's affair and not told; the language model is neither the platform's choice
        # nor a frozen selection, so nothing is said of it.
        layers = (ModelLayer("tts", catalogue().tts_model, "bundled"),)
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
        return ELEVENLABS.missing()

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return ELEVENLABS.check(self.environment)

    def with_environment(self, environment: Mapping[str, str]) -> ElevenLabsAdapter:
        return attrs.evolve(self, environment=environment)

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """ElevenLabs' REST API and conversation on loopback, with the reference platform behind them."""
        from offhook_adapters.elevenlabs.twin import serve_twin
        from offhook_adapters.twins.agent import agent_behind

        return serve_twin(agent_behind(behind), behind.faults)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Sets the agent up with its tools, unless it is there already.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, or a prompt or tool that the vendor refuses.
            VendorError: the platform can't be reached or is busy.
        """
        rest = self._rest()
        check_agent(agent)
        await asyncio.to_thread(import_sdk)
        hosted = await make_agent(rest, agent)
        return Deployment(self.name, hosted.agent_id, agent, hosted.used_sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> ElevenLabsSession:
        """Opens a conversation. An agent that another process has taken down is set up once more.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, a model or an option there is not; one line says what
                to do.
            VendorError: the platform did not take this call.
        """
        settings, rest = settings_from(call.options), self._rest()
        await asyncio.to_thread(import_sdk)
        try:
            url = await _signed_url(rest, deployment.reference)
        except Gone:
            url = await _signed_url(rest, (await make_agent(rest, deployment.config)).agent_id)
        greets = bool(deployment.config.greeting.strip())
        return await dial(url, rest, settings, greets=greets, patience=self.patience)

    async def teardown(self, deployment: Deployment) -> None:
        """Takes the agent down, and its tools. Nothing happens where there is none.

        Raises:
            VendorError: the platform can't be reached, or refuses.
        """
        await remove_agents(self._rest(), deployment.config)

    def _rest(self) -> Rest:
        base_url = ELEVENLABS.base_url({}, self.environment) or ELEVENLABS_URL
        return Rest(base_url.rstrip("/"), ELEVENLABS.api_key(self.environment))


async def _signed_url(rest: Rest, agent_id: str) -> str:
    """Raises Gone where there is no such agent."""

    def ask(api: Any) -> str:
        told = api.conversations.get_signed_url(agent_id=agent_id, request_options=NO_RETRIES)
        return str(told.signed_url)

    return await rest.ask(ask)


async def dial(
    url: str, rest: Rest, settings: ElevenLabsSettings, *, greets: bool, patience: float
) -> ElevenLabsSession:
    """A conversation that has begun, at a signed URL.

    Raises:
        VendorError: see ``ElevenLabsAdapter.connect``.
    """
    from websockets.asyncio.client import connect

    where = urlsplit(url).netloc
    # Whoever has the URL may talk at the account's cost.
    secrets = (rest.key, *(value for name, value in parse_qsl(urlsplit(url).query) if name != "agent_id"))
    try:
        with unlogged(*secrets):
            socket = await connect(url, max_size=LARGEST, open_timeout=_OPEN_SECONDS)
    except Exception as error:
        if getattr(error, "response", None) is None:
            raise rest.unreached(error) from None
        raise failed_connect(error, ELEVENLABS, where, rest.key, check=ELEVENLABS.url) from None
    session = ElevenLabsSession(socket, rest, settings, secrets=secrets, patience=patience)
    async with opening(
        session,
        ELEVENLABS,
        where,
        *secrets,
        seconds=_OPEN_SECONDS,
        closed=lambda error: _closed(error, where, *secrets),
    ):
        await session.open(greets=greets)
    return session


def _closed(error: Any, where: str, *secrets: str) -> VendorError:
    """The vendor says in words why it closes a conversation before it has begun."""
    text = closed_text(error, *secrets)
    low = text.lower()
    if "quota" in low or "credits" in low or "billing" in low:
        return VendorUnusable(f"{where}: {text}: check the plan and billing of the account")
    if "override" in low or "llm" in low or "voice" in low:
        return VendorUnusable(f"{where}: {text}: check the options model and voice")
    return VendorError(f"{where} did not begin the conversation: {text}: try again later")


def import_sdk() -> None:
    """Raises VendorUnusable where the SDK, or what speaks WebSocket, is missing."""
    try:
        import elevenlabs.client  # noqa: F401
        import httpx  # noqa: F401
        import websockets  # noqa: F401
    except ImportError:
        raise VendorUnusable(ELEVENLABS.no_sdk) from None
