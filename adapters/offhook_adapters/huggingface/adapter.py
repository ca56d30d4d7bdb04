"""A cascade of models on Hugging Face's inference providers as an adapter: whole utterances by HTTP, and
turns found by the run's own voice activity detection.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Final

import attrs

from offhook.records import ModelLayer
from offhook.sessions import AgentConfig, CallSetup, Capabilities, Cost, Deployment, Greeting, ToolMode
from offhook.speech import VoiceActivityDetector
from offhook.twins import Behind, RunningTwin
from offhook_adapters.cascade.dial import SharedTrust, all_of
from offhook_adapters.cascade.session import CascadeSession
from offhook_adapters.huggingface.config import (
    HUGGINGFACE,
    OPTIONS,
    HuggingFaceSettings,
    catalogue,
    settings_from,
)
from offhook_adapters.wires.stream import CallStream
from offhook_adapters.wires.vendor import VendorUnusable, check_agent

__all__ = ["CAPABILITIES", "HuggingFaceAdapter", "dial", "import_sdk"]

# No session lasts longer than one request, so there is no session_cap.
# concurrency: limits go by account and provider; four is our own ceiling.
# cost: prices are the providers' own, and the router chooses among them.
CAPABILITIES: Final = Capabilities(
    tool_mode=ToolMode.CLIENT,
    call_id_source="wire",
    greeting=Greeting.VERBATIM,
    barge_in_signal=True,
    paced_output=False,
    user_transcript=True,
    record=True,
    cost=False,
    session_cap=None,
    concurrency=4,
)
_REQUEST_SECONDS: Final = 45.0


@attrs.frozen
class HuggingFaceAdapter:
    """Environment: ``HF_TOKEN``, and ``HF_BASE_URL`` unless the option ``base_url`` is given. ``patience`` is
    how many seconds the platform may owe something before that is noted.
    """

    name: str = "huggingface"
    patience: float = 15.0
    environment: Mapping[str, str] = attrs.field(default=os.environ, repr=False)
    _trust: SharedTrust = attrs.field(factory=SharedTrust, init=False, repr=False, eq=False)

    @property
    def capabilities(self) -> Capabilities:
        published = catalogue()
        layers = (
            ModelLayer("stt", published.default_hearing, "pinned"),
            ModelLayer("llm", published.default_chat, "pinned"),
            ModelLayer("tts", published.default_speech, "pinned"),
        )
        return attrs.evolve(CAPABILITIES, layers=layers)

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return OPTIONS

    @property
    def can(self) -> frozenset[str]:
        """What its twin can do wrong. Requests have no sessions that expire and no events, and nothing on
        this wire takes a tool call back.
        """
        return frozenset({"none", "refuse", "rate-limit", "quota", "cut", "stall", "burst"})

    def missing(self) -> str | None:
        """What of the SDKs is not installed, in one line, or None."""
        return HUGGINGFACE.missing()

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return HUGGINGFACE.check(self.environment)

    def with_environment(self, environment: Mapping[str, str]) -> HuggingFaceAdapter:
        return attrs.evolve(self, environment=environment)

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """The router on loopback, with the run's own ears, voice and mind behind it."""
        from offhook_adapters.huggingface.twin import huggingface_twin

        return huggingface_twin(behind)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: the configuration goes with every question.

        Raises:
            VendorUnusable: an SDK or the token is missing, or no message could carry the agent's texts.
        """
        HUGGINGFACE.api_key(self.environment)
        check_agent(agent)
        await asyncio.to_thread(import_sdk)
        await asyncio.to_thread(self._trust.context)
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> CascadeSession:
        """Makes sure of the chat model, wakes the ears, has the greeting spoken, and greets.

        Raises:
            VendorUnusable: no SDK, no token, a wrong one, a model or an option there is not, a call without
                voice activity detection; one line says what to do.
            VendorError: the platform did not take this call.
        """
        settings = settings_from(call.options, self.environment)
        key = HUGGINGFACE.api_key(self.environment)
        if call.engines is None:
            raise VendorUnusable(f"{self.name} finds turns with the run's engines: give the call some")
        return await dial(
            deployment.config, settings, call.engines.vad, self._trust, key=key, patience=self.patience
        )

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


async def dial(
    agent: AgentConfig,
    settings: HuggingFaceSettings,
    vad: VoiceActivityDetector,
    trust: SharedTrust,
    *,
    key: str,
    patience: float,
) -> CascadeSession:
    """A session whose agent has begun to greet.

    Raises:
        VendorError: see ``HuggingFaceAdapter.connect``.
    """
    import_sdk()
    from huggingface_hub import AsyncInferenceClient

    from offhook_adapters.cascade.chat import OpenAIChat, chat_client, listed_models
    from offhook_adapters.cascade.endpointed import EndpointedEars
    from offhook_adapters.huggingface.speech import Hearing, Speech

    ends = AsyncExitStack()
    stream = CallStream((key,), ends.aclose, patience=patience)
    try:
        wave = {"Content-Type": "audio/wav"}
        hub = AsyncInferenceClient(token=key, timeout=_REQUEST_SECONDS, headers=wave)
        plain = AsyncInferenceClient(token=key, timeout=_REQUEST_SECONDS)
        chat = chat_client(key, settings.chat_url, trust)
        speaker = chat_client(key, settings.speech_url, trust)
        for client in (hub, plain, chat, speaker):
            ends.push_async_callback(client.close)
        hearing = Hearing(hub, settings, stream, key)
        speech = Speech(plain, speaker, settings, stream, key)

        async def ask() -> None:
            known = await listed_models(chat, HUGGINGFACE, key)
            name = settings.model.partition(":")[0]
            if known is not None and name not in known:
                raise VendorUnusable(
                    f"there is no model {name!r} at {settings.base_url}: choose another model"
                )

        async def greet() -> None:
            if agent.greeting.strip():
                await speech.prepare(agent.greeting)

        await all_of(ask(), hearing.warm(), greet())
    except BaseException:
        await stream.hang_up()
        raise
    stream.raw |= {
        "model": settings.model,
        "hearing_model": settings.hearing_model,
        "speech_model": settings.speech_model,
        "voice": settings.voice,
    }
    session = CascadeSession(
        agent,
        stream,
        ears=EndpointedEars(vad, hearing.transcribe),
        chat=OpenAIChat(chat, settings.model, agent.tools, HUGGINGFACE, key),
        voice=speech,
        priced=lambda usage: Cost(),
    )
    session.begin()
    return session


def import_sdk() -> None:
    """Raises VendorUnusable where an SDK is missing. What OpenAI's would load at the first call, on the loop,
    is loaded now.
    """
    try:
        import huggingface_hub  # noqa: F401
        import openai.resources.audio
        import openai.resources.chat
        import openai.resources.models  # noqa: F401
        from huggingface_hub import AsyncInferenceClient  # noqa: F401
    except ImportError:
        raise VendorUnusable(HUGGINGFACE.no_sdk) from None
