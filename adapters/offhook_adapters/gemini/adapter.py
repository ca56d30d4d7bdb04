"""Gemini Live as an adapter. The vendor keeps no agents: prompt and tools go with every session."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Final
from urllib.parse import urlsplit

import attrs

from offhook.audio import LINE_RATE, Resampler
from offhook.records import ModelLayer
from offhook.sessions import AgentConfig, CallSetup, Capabilities, Cost, Deployment, Greeting, ToolMode
from offhook.twins import FAULTS, Behind, RunningTwin
from offhook_adapters.gemini._refusals import closed_before
from offhook_adapters.gemini.config import (
    GEMINI,
    OPTIONS,
    GeminiSettings,
    session_config,
    settings_from,
    vendor_in,
)
from offhook_adapters.gemini.prices import catalogue, cost_of
from offhook_adapters.gemini.session import IN_RATE, GeminiLiveSession
from offhook_adapters.wires.estimates import speech_usage
from offhook_adapters.wires.quiet import unlogged
from offhook_adapters.wires.sockets import cut
from offhook_adapters.wires.trouble import failed_connect, unread_opening
from offhook_adapters.wires.vendor import Vendor, VendorError, VendorUnusable, check_agent

__all__ = ["CAPABILITIES", "GeminiLiveAdapter", "dial", "import_sdk"]

# session_cap: a connection lives about ten minutes and is announced its end by goAway; this adapter does not
# resume sessions (ai.google.dev/gemini-api/docs/live-session, read 2026-11-30).
# concurrency: the limit depends on the account's tier and is not published as a number; ten is our own
# ceiling.
CAPABILITIES: Final = Capabilities(
    tool_mode=ToolMode.CLIENT,
    call_id_source="wire",
    greeting=Greeting.PROMPTED,
    barge_in_signal=True,
    paced_output=False,
    user_transcript=True,
    record=True,
    cost=True,
    session_cap=600.0,
    concurrency=10,
)
_OPEN_SECONDS: Final = 20.0
_CA_FILE: Final = "SSL_CERT_FILE"


@attrs.frozen
class GeminiLiveAdapter:
    """Environment: ``GEMINI_API_KEY`` (or ``GOOGLE_API_KEY``), ``GOOGLE_GEMINI_BASE_URL`` unless the option
    ``base_url`` is given, and ``SSL_CERT_FILE`` for a server whose certificate an own authority signed.
    ``patience`` is how many seconds the platform may owe an answer before that is noted.
    """

    name: str = "gemini-live"
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
        """What its twin can do wrong: everything there is."""
        return frozenset(FAULTS)

    def missing(self) -> str | None:
        """What of the SDK is not installed, in one line, or None."""
        return GEMINI.missing()

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return vendor_in(self.environment).check(self.environment)

    def with_environment(self, environment: Mapping[str, str]) -> GeminiLiveAdapter:
        return attrs.evolve(self, environment=environment)

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """Gemini Live's wire on loopback, with the reference platform behind it."""
        from offhook_adapters.gemini.twin import serve_twin
        from offhook_adapters.twins.agent import agent_behind

        return serve_twin(agent_behind(behind), behind.faults)

    def estimate(self, seconds: float) -> Cost:
        """What a call of that length may cost with the default model. The vendor counts 25 tokens for a
        second of sound and bills the whole conversation with each answer.
        """
        used = speech_usage(seconds, heard_a_second=25, spoken_a_second=25)
        billed = {name: amount for name, amount in used.items() if not name.startswith("cached")}
        published = catalogue()
        return cost_of(billed, published.models[published.default_model].prices)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: each session is given the configuration itself.

        Raises:
            VendorUnusable: the SDK or the key is missing.
        """
        vendor_in(self.environment).api_key(self.environment)
        check_agent(agent)
        await asyncio.to_thread(import_sdk)
        # the first one brings in scipy's filters, which is not to hold calls up that are under way
        await asyncio.to_thread(Resampler, LINE_RATE, IN_RATE)
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> GeminiLiveSession:
        """Opens a session and asks for the greeting.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, a model or an option there is not; one line says what
                to do.
            VendorError: the platform did not take this call.
        """
        settings = settings_from(call.options, self.environment)
        vendor = vendor_in(self.environment)
        key = vendor.api_key(self.environment)
        trust = trusted(self.environment)
        return await dial(deployment.config, settings, vendor, key=key, trust=trust, patience=self.patience)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


def trusted(environment: Mapping[str, str]) -> ssl.SSLContext:
    """The certificate authorities that the environment names, or the SDK's own.

    Raises:
        VendorUnusable: SSL_CERT_FILE can't be read.
    """
    import_sdk()
    import certifi  # what the SDK takes by itself

    named = environment.get(_CA_FILE)
    try:
        return ssl.create_default_context(cafile=named or certifi.where())
    except OSError:
        raise VendorUnusable(
            f"{_CA_FILE} is {named!r}: set it to a file of certificates, or unset it"
        ) from None


async def dial(
    agent: AgentConfig,
    settings: GeminiSettings,
    vendor: Vendor,
    *,
    key: str,
    trust: ssl.SSLContext,
    patience: float,
) -> GeminiLiveSession:
    """A session that is set up and has been asked for its greeting.

    Raises:
        VendorError: see ``GeminiLiveAdapter.connect``.
    """
    import_sdk()
    from google.genai.errors import APIError

    where = urlsplit(settings.base_url).netloc
    client = _client(settings, key, trust)
    config: Any = session_config(agent, settings)
    stack = AsyncExitStack()
    try:
        with unlogged(key):
            async with asyncio.timeout(_OPEN_SECONDS):
                live = await stack.enter_async_context(
                    client.aio.live.connect(model=settings.model, config=config)
                )
    except APIError as error:
        model = catalogue().models.get(settings.model)
        raise closed_before(error, vendor, where, key, settings.model, model) from None
    except TimeoutError:
        raise VendorError(f"{where} did not open the session within {_OPEN_SECONDS:.0f} s") from None
    except ssl.SSLCertVerificationError:
        raise VendorUnusable(
            f"{where} has a certificate that is not trusted here: set {_CA_FILE} to its authority's file"
        ) from None
    except Exception as error:
        if _is_unread(error):
            raise unread_opening(error, where, key) from None
        raise failed_connect(error, vendor, where, key) from None
    if live.setup_complete is None:
        cut(live._ws)  # whoever this is need not take notice of a goodbye
        await stack.aclose()
        raise VendorError(f"{where} began with something else than setupComplete: check base_url")
    session = GeminiLiveSession(live, settings, stack.aclose, key=key, patience=patience)
    session.open(agent)
    return session


def _is_unread(error: Exception) -> bool:
    """Whether the SDK was connected and could not read the answer to the setup. It has no error of its own
    for that; a host's name that can't be encoded is a ValueError, too, and so is a broken certificate.
    """
    if isinstance(error, (OSError, UnicodeError)):
        return isinstance(error, UnicodeDecodeError)
    return isinstance(error, (ValueError, TypeError, AttributeError, LookupError, RecursionError))


def _client(settings: GeminiSettings, key: str, trust: ssl.SSLContext) -> Any:
    """A client that takes nothing from the process's environment. ``ssl`` is what the SDK hands to its
    WebSocket; ``verify`` spares it from loading the authorities for HTTP clients that are never used.
    """
    from google.genai import Client
    from google.genai.types import HttpOptions

    return Client(
        vertexai=False,
        api_key=key,
        http_options=HttpOptions(
            base_url=settings.base_url,
            client_args={"verify": trust},
            async_client_args={"ssl": trust, "verify": trust},
        ),
    )


def import_sdk() -> None:
    """Raises VendorUnusable where the SDK, or what it speaks WebSocket with, is missing."""
    try:
        import google.genai.live  # noqa: F401
        import websockets  # noqa: F401
    except ImportError:
        raise VendorUnusable(GEMINI.no_sdk) from None
