"""A cascade of Mistral's parts as an adapter. The vendor keeps no agents for it: prompt and tools go with
every question to the chat model.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Final
from urllib.parse import urlsplit

import attrs

from offhook.records import ModelLayer
from offhook.sessions import AgentConfig, CallSetup, Capabilities, Cost, Deployment, Greeting, ToolMode
from offhook.twins import FAULTS, Behind, RunningTwin
from offhook_adapters.cascade.dial import SharedTrust, all_of
from offhook_adapters.cascade.meter import HEARD_SECONDS, SPOKEN_CHARACTERS
from offhook_adapters.cascade.session import CascadeSession
from offhook_adapters.mistral.config import MISTRAL, OPTIONS, MistralSettings, settings_from
from offhook_adapters.mistral.prices import catalogue, cost_of
from offhook_adapters.wires.estimates import chat_usage
from offhook_adapters.wires.stream import CallStream
from offhook_adapters.wires.vendor import VendorUnusable, check_agent

__all__ = ["CAPABILITIES", "MistralAdapter", "dial", "import_sdk"]

# session_cap: none is documented for realtime transcription or speech (docs.mistral.ai, read 2026-11-30).
# concurrency: limits go by account and by requests and tokens a minute; four is our own ceiling.
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
    concurrency=4,
)


@attrs.frozen
class MistralAdapter:
    """Environment: ``MISTRAL_API_KEY``, and ``MISTRAL_BASE_URL`` unless the option ``base_url`` is given.
    ``patience`` is how many seconds the platform may owe something before that is noted.
    """

    name: str = "mistral"
    patience: float = 15.0
    environment: Mapping[str, str] = attrs.field(default=os.environ, repr=False)
    _trust: SharedTrust = attrs.field(factory=SharedTrust, init=False, repr=False, eq=False)

    @property
    def capabilities(self) -> Capabilities:
        published = catalogue()
        layers = (
            ModelLayer("stt", published.default_hearing, "bundled"),
            ModelLayer("llm", published.default_chat, "bundled"),
            ModelLayer("tts", published.default_speech, "bundled"),
        )
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
        return MISTRAL.missing()

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return MISTRAL.check(self.environment)

    def with_environment(self, environment: Mapping[str, str]) -> MistralAdapter:
        return attrs.evolve(self, environment=environment)

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """Mistral's wire on loopback, with the run's own ears, voice and mind behind it."""
        from offhook_adapters.mistral.twin import mistral_twin

        return mistral_twin(behind)

    def estimate(self, seconds: float) -> Cost:
        """What a call of that length may cost with the default models."""
        published, used = catalogue(), chat_usage(seconds)
        quantities = {
            "llm_input_tokens": used.tokens_in,
            "llm_output_tokens": used.tokens_out,
            SPOKEN_CHARACTERS: used.characters,
            HEARD_SECONDS: seconds,
        }
        return cost_of(
            quantities,
            published.chat.get(published.default_chat),
            published.hearing.get(published.default_hearing),
            published.speech.get(published.default_speech),
        )

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: the configuration goes with every question.

        Raises:
            VendorUnusable: the SDK or the key is missing, or no message could carry the agent's texts.
        """
        MISTRAL.api_key(self.environment)
        check_agent(agent)
        await asyncio.to_thread(import_sdk)
        await asyncio.to_thread(self._trust.context)
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> CascadeSession:
        """Opens transcription and speech, makes sure of the chat model, and greets.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, a model or an option there is not; one line says what
                to do.
            VendorError: the platform did not take this call.
        """
        settings = settings_from(call.options, self.environment)
        key = MISTRAL.api_key(self.environment)
        return await dial(deployment.config, settings, self._trust, key=key, patience=self.patience)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


async def dial(
    agent: AgentConfig, settings: MistralSettings, trust: SharedTrust, *, key: str, patience: float
) -> CascadeSession:
    """A session whose agent has begun to greet.

    Raises:
        VendorError: see ``MistralAdapter.connect``.
    """
    import_sdk()
    import httpx2
    from mistralai.client import Mistral

    from offhook_adapters.mistral.chat import MistralChat, known_model
    from offhook_adapters.mistral.ears import MistralEars, open_ears
    from offhook_adapters.mistral.voice import MistralVoice

    ends = AsyncExitStack()
    stream = CallStream((key,), ends.aclose, patience=patience)
    opened: list[MistralEars] = []
    try:
        # The SDK's own two, but with the trusted certificates that are read already.
        blocking = ends.enter_context(httpx2.Client(verify=trust.context(), follow_redirects=True))
        http = await ends.enter_async_context(
            httpx2.AsyncClient(verify=trust.context(), follow_redirects=True)
        )
        client = Mistral(api_key=key, server_url=settings.base_url, client=blocking, async_client=http)
        where = urlsplit(client.sdk_configuration.get_server_details()[0]).netloc
        voice = MistralVoice(client, settings, stream, where, key)
        ends.push_async_callback(voice.close)

        async def listen() -> None:
            ears = await open_ears(client, settings, stream, where, key)
            ends.push_async_callback(ears.close)
            opened.append(ears)

        await all_of(listen(), voice.ready(), known_model(client, settings.model, where, key))
    except BaseException:
        await stream.hang_up()
        raise
    published = catalogue()
    session = CascadeSession(
        agent,
        stream,
        ears=opened[0],
        chat=MistralChat(client, settings.model, agent.tools, where, key),
        voice=voice,
        priced=lambda usage: cost_of(
            usage,
            published.chat.get(settings.model),
            published.hearing.get(settings.hearing_model),
            published.speech.get(settings.speech_model),
        ),
    )
    stream.raw |= {
        "model": settings.model,
        "hearing_model": settings.hearing_model,
        "speech_model": settings.speech_model,
        "voice": settings.voice,
    }
    session.begin()
    return session


def import_sdk() -> None:
    """Raises VendorUnusable where the SDK, or what it speaks WebSocket with, is missing. What the SDK would
    load at the first call, on the loop, is loaded now.
    """
    try:
        import mistralai.client.audio
        import mistralai.client.models_
        import mistralai.extra.realtime  # noqa: F401
        import websockets  # noqa: F401
    except ImportError:
        raise VendorUnusable(MISTRAL.no_sdk) from None
