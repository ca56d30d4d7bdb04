"""A cascade around Gradium's speech-to-text and text-to-speech as an adapter. Gradium has no chat model;
which one thinks is a layer of its own.
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
from offhook_adapters.cascade.session import CascadeSession
from offhook_adapters.gradium.config import (
    GRADIUM,
    OPTIONS,
    ChatServer,
    GradiumSettings,
    catalogue,
    chat_server,
    credits_used,
    hearing_setup,
    settings_from,
    speech_setup,
)
from offhook_adapters.wires.stream import CallStream
from offhook_adapters.wires.vendor import VendorUnusable, check_agent

__all__ = ["CAPABILITIES", "GradiumAdapter", "dial", "import_sdk"]

# session_cap: none, because a session that reaches its 300 s (docs.gradium.ai, read 2026-11-30) is replaced.
# concurrency: goes by plan and is not published; two is the lowest we would expect.
# cost: Gradium bills credits, whose price depends on the plan, and the chat model is anybody's.
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
    concurrency=2,
)


@attrs.frozen
class GradiumAdapter:
    """Environment: ``GRADIUM_API_KEY``, ``GRADIUM_BASE_URL`` unless the option ``base_url`` is given, and for
    the chat model ``GRADIUM_LLM_API_KEY`` and ``GRADIUM_LLM_BASE_URL``, or else ``OPENAI_API_KEY`` and
    ``OPENAI_BASE_URL``. ``patience`` is how many seconds the platform may owe something before that is noted,
    ``session_seconds`` how long a session lasts at most; None takes what Gradium says.
    """

    name: str = "gradium"
    patience: float = 15.0
    session_seconds: float | None = None
    environment: Mapping[str, str] = attrs.field(default=os.environ, repr=False)
    _trust: SharedTrust = attrs.field(factory=SharedTrust, init=False, repr=False, eq=False)

    @property
    def capabilities(self) -> Capabilities:
        published = catalogue()
        layers = (
            ModelLayer("stt", f"gradium {published.default_model}", "bundled"),
            ModelLayer("llm", published.default_chat, "pinned"),
            ModelLayer("tts", f"gradium {published.default_model}", "bundled"),
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
        """What of the SDKs is not installed, in one line, or None."""
        return GRADIUM.missing()

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        if (missing := GRADIUM.check(self.environment)) is not None:
            return missing
        try:
            chat_server(self.environment)
        except VendorUnusable as error:
            return str(error)
        return None

    def with_environment(self, environment: Mapping[str, str]) -> GradiumAdapter:
        return attrs.evolve(self, environment=environment)

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """Gradium's wires and a chat model's on loopback, with the run's ears, voice and mind behind them."""
        from offhook_adapters.gradium.twin import gradium_twin

        return gradium_twin(behind, session_seconds=self.session_seconds)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: the configuration goes with every question.

        Raises:
            VendorUnusable: an SDK or a key is missing, or no message could carry the agent's texts.
        """
        GRADIUM.api_key(self.environment)
        chat_server(self.environment)
        check_agent(agent)
        await asyncio.to_thread(import_sdk)
        await asyncio.to_thread(self._trust.context)
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> CascadeSession:
        """Opens speech-to-text and text-to-speech, makes sure of the chat model's key, and greets.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, a model or an option there is not; one line says what
                to do.
            VendorError: the platform did not take this call.
        """
        settings = settings_from(call.options, self.environment)
        if self.session_seconds is not None:
            settings = attrs.evolve(settings, session_seconds=self.session_seconds)
        key, server = GRADIUM.api_key(self.environment), chat_server(self.environment)
        return await dial(deployment.config, settings, server, self._trust, key=key, patience=self.patience)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


async def dial(
    agent: AgentConfig,
    settings: GradiumSettings,
    server: ChatServer,
    trust: SharedTrust,
    *,
    key: str,
    patience: float,
) -> CascadeSession:
    """A session whose agent has begun to greet.

    Raises:
        VendorError: see ``GradiumAdapter.connect``.
    """
    import_sdk()
    import aiohttp
    from gradium.client import GradiumClient  # type: ignore[import-untyped]

    from offhook_adapters.cascade.chat import OpenAIChat, chat_client, listed_models
    from offhook_adapters.gradium.ears import GradiumEars, Rotation
    from offhook_adapters.gradium.line import Line, open_line
    from offhook_adapters.gradium.voice import GradiumVoice

    client = GradiumClient(base_url=settings.base_url, api_key=key)
    where = urlsplit(settings.base_url).netloc
    ends = AsyncExitStack()
    stream = CallStream((key, server.key), ends.aclose, patience=patience)
    opened: list[GradiumEars] = []
    try:
        http = await ends.enter_async_context(aiohttp.ClientSession(headers=client.headers))
        chat = chat_client(server.key, server.base_url, trust)
        ends.push_async_callback(chat.close)

        async def hearing() -> Line:
            return await open_line(
                client,
                http,
                "speech/asr",
                hearing_setup(settings),
                part="speech-to-text",
                where=where,
                key=key,
            )

        async def speech() -> Line:
            return await open_line(
                client,
                http,
                "speech/tts",
                speech_setup(settings),
                part="text-to-speech",
                where=where,
                key=key,
            )

        voice = GradiumVoice(speech, settings.session_seconds, stream)
        ends.push_async_callback(voice.close)

        async def listen() -> None:
            ears = GradiumEars(await hearing(), hearing, Rotation.within(settings.session_seconds), stream)
            ends.push_async_callback(ears.close)
            opened.append(ears)

        async def ask() -> None:
            await listed_models(chat, server.vendor, server.key)

        await all_of(listen(), voice.ready(), ask())
    except BaseException:
        await stream.hang_up()
        raise
    stream.raw |= {
        "model": settings.model,
        "hearing_model": settings.hearing_model,
        "speech_model": settings.speech_model,
        "voice": settings.voice,
    }

    def unpriced(usage: Mapping[str, float]) -> Cost:
        stream.raw["credits"] = credits_used(usage)
        return Cost()

    session = CascadeSession(
        agent,
        stream,
        ears=opened[0],
        chat=OpenAIChat(chat, settings.model, agent.tools, server.vendor, server.key),
        voice=voice,
        priced=unpriced,
    )
    session.begin()
    return session


def import_sdk() -> None:
    """Raises VendorUnusable where an SDK is missing. What OpenAI's would load at the first call, on the loop,
    is loaded now.
    """
    try:
        import aiohttp  # noqa: F401
        import gradium.client  # type: ignore[import-untyped]  # noqa: F401
        import openai.resources.chat
        import openai.resources.models  # noqa: F401
    except ImportError:
        raise VendorUnusable(GRADIUM.no_sdk) from None
