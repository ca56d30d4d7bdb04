"""Pipecat as an adapter: on offhook's own mind, or on any model behind OpenAI's Chat Completions."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import attrs

from offhook.clock import compute
from offhook.platforms import PlatformUnusable
from offhook.records import ModelLayer
from offhook.sessions import (
    AgentConfig,
    CallSetup,
    Capabilities,
    Cost,
    Deployment,
    Engines,
    Greeting,
    ToolMode,
)
from offhook.speech import VoiceActivityDetector
from offhook.twins import Behind
from offhook_adapters._frameworks.endpoint import knock
from offhook_adapters._frameworks.twins import InProcessTwin, TwinShelf
from offhook_adapters.openai_realtime.config import OPENAI
from offhook_adapters.pipecat.framework import defaults_in_use, load_framework, missing_framework
from offhook_adapters.pipecat.session import PipecatSession
from offhook_adapters.reference.minds.desk import MindError, MindFactory
from offhook_adapters.reference.minds.follower import make_follower
from offhook_adapters.reference.session import Delays
from offhook_adapters.reference.speech import Mouth, chosen_voice

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = ["PipecatAdapter", "PipecatOpenAIAdapter"]

_VOICE_OPTION: Final = "The voice slot the agent speaks with."
_OPTIONS: Final[Mapping[str, str]] = MappingProxyType({"voice": _VOICE_OPTION})
_OPENAI_OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"model": "The language model; gpt-4.1 unless given.", "voice": _VOICE_OPTION}
)
_DEFAULT_MODEL: Final = "gpt-4.1"
_CONNECT_SECONDS: Final = 20.0
_CAPABILITIES: Final = Capabilities(
    tool_mode=ToolMode.CLIENT,
    call_id_source="wire",
    greeting=Greeting.VERBATIM,
    barge_in_signal=True,
    paced_output=True,
    user_transcript=True,
    record=True,
    cost=True,
)


def _layers(model: str, chosen_by: str) -> tuple[ModelLayer, ...]:
    # Ears and voice are the run's engines, which its manifest names.
    return (
        ModelLayer("stt", "the run's ears", "bundled"),
        ModelLayer("llm", model, chosen_by),
        ModelLayer("tts", "the run's voice", "bundled"),
    )


def _deployed(name: str, agent: AgentConfig) -> Deployment:
    return Deployment(name, f"{name}:{agent.sha256[:12]}", agent, agent.sha256)


def _checked_options(options: Mapping[str, str], known: Mapping[str, str]) -> None:
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise PlatformUnusable(f"there is no option {unknown[0]!r}: choose from {', '.join(known)}")


def _engines(name: str, call: CallSetup) -> Engines:
    if call.engines is None:
        raise ValueError(f"{name} listens and talks with the run's engines: give the call speech engines")
    return call.engines


async def _answer(
    agent: AgentConfig,
    call: CallSetup,
    engines: Engines,
    client: AsyncOpenAI,
    *,
    model: str,
    delays: Delays,
    cost: Cost,
    cause: Callable[[], Exception | None],
    vad: VoiceActivityDetector | None = None,
) -> PipecatSession:
    """A session whose pipeline runs."""
    from offhook_adapters.pipecat._pipeline import CallParts, RunningPipeline, make_models

    models = await compute(make_models, vad)
    raw = {"pipecat": defaults_in_use(models.strategies), "model": model}
    session = PipecatSession(raw, cost, cause)
    mouth = Mouth(chosen_voice(engines, call.options))
    pipeline = RunningPipeline(
        CallParts(agent, engines, mouth, client, model, call.rng, delays, models), session
    )
    load_framework()  # making the pipeline may have imported more of it
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            await pipeline.start()
    except BaseException:
        await pipeline.stop()
        raise
    return session


@attrs.frozen
class PipecatAdapter:
    """Pipecat's own pipeline with the policy follower as its language model, all in this process.

    ``virtual_time`` False runs it on the ordinary clock. ``line_vad`` puts the run's voice activity detection
    in the place of Pipecat's, which hears no speech in sound that only stands for words; so does a twin.
    """

    name: str = "pipecat"
    make_mind: MindFactory = make_follower
    virtual_time: bool = True
    line_vad: bool = False
    delays: Delays = attrs.field(factory=Delays)
    environment: Mapping[str, str] | None = None
    shelf: TwinShelf = attrs.field(factory=TwinShelf, eq=False, repr=False)

    @property
    def capabilities(self) -> Capabilities:
        return attrs.evolve(
            _CAPABILITIES,
            concurrency=100 if self.virtual_time else 4,
            virtual_time=self.virtual_time,
            harness_reference=True,
            layers=_layers("reference", "bundled"),
        )

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return _OPTIONS

    @property
    def can(self) -> frozenset[str]:
        """In process nothing can be refused, cut or held up."""
        return frozenset({"none"})

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return missing_framework()

    def with_environment(self, environment: Mapping[str, str]) -> PipecatAdapter:
        """The same adapter reading ``environment`` in place of the process's."""
        return attrs.evolve(self, environment=dict(environment))

    @asynccontextmanager
    async def twin(self, behind: Behind) -> AsyncIterator[InProcessTwin]:
        """Calls connected inside the block, by an adapter with the twin's environment, think with
        ``behind``.
        """
        with self.shelf.open(behind) as twin:
            yield twin

    def estimate(self, seconds: float) -> Cost:
        """Nobody is paid."""
        return Cost(0.0, "duration")

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing leaves the process, so the configuration in use is the one given.

        Raises:
            PlatformUnusable: Pipecat is not installed.
        """
        await compute(load_framework)
        return _deployed(self.name, agent)

    async def connect(self, deployment: Deployment, call: CallSetup) -> PipecatSession:
        """Answers a call over audio.

        Raises:
            PlatformUnusable: Pipecat is not installed, there is no such option, or the mind can't be made.
            ValueError: the call brings no speech engines, or there is no such voice.
        """
        await compute(load_framework)
        _checked_options(call.options, _OPTIONS)
        twin = self.shelf.named_in(self.environment)
        agent = deployment.config
        if twin is not None:
            call = twin.call(call)
        engines = _engines(self.name, call)
        from openai import AsyncOpenAI

        from offhook_adapters.reference.completions import MODEL, MindCompletions, in_process_client

        try:
            completions = MindCompletions(
                call,
                make_mind=self.make_mind,
                script=None if twin is None else twin.behind.script,
                thinking=self.delays.thinking,
                greeting=agent.greeting,
            )
        except MindError as error:
            raise PlatformUnusable(str(error)) from error
        if twin is not None:
            twin.take(completions)
        client = AsyncOpenAI(
            api_key="none",
            base_url="http://mind/v1",
            http_client=in_process_client(completions.app),
            max_retries=0,
        )
        return await _answer(
            agent,
            call,
            engines,
            client,
            model=MODEL,
            delays=self.delays,
            cost=Cost(0.0, "usage"),
            cause=lambda: next(iter(completions.failures), None),
            vad=engines.vad if self.line_vad or twin is not None else None,
        )

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


@attrs.frozen
class PipecatOpenAIAdapter:
    """Pipecat's own pipeline with a model behind OpenAI's Chat Completions. Environment: ``OPENAI_API_KEY``,
    and ``OPENAI_BASE_URL`` for another endpoint than OpenAI's own.
    """

    name: str = "pipecat-openai"
    delays: Delays = attrs.field(
        factory=lambda: Delays(hearing=(0.0, 0.0), thinking=(0.0, 0.0), speaking=(0.0, 0.0))
    )
    line_vad: bool = False
    environment: Mapping[str, str] | None = None

    @property
    def capabilities(self) -> Capabilities:
        return attrs.evolve(
            _CAPABILITIES, cost=False, concurrency=4, layers=_layers(_DEFAULT_MODEL, "bundled")
        )

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return _OPENAI_OPTIONS

    @property
    def _environment(self) -> Mapping[str, str]:
        return os.environ if self.environment is None else self.environment

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        try:
            self._endpoint()
        except PlatformUnusable as error:
            return str(error)
        return missing_framework()

    def with_environment(self, environment: Mapping[str, str]) -> PipecatOpenAIAdapter:
        """The same adapter reading ``environment`` in place of the process's."""
        return attrs.evolve(self, environment=dict(environment))

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: prompt and tools go with every request.

        Raises:
            PlatformUnusable: the key or Pipecat is missing.
        """
        self._endpoint()
        await compute(load_framework)
        return _deployed(self.name, agent)

    async def connect(self, deployment: Deployment, call: CallSetup) -> PipecatSession:
        """Answers a call over audio.

        Raises:
            PlatformUnusable: no Pipecat, no key or a wrong one, or an option there is not; one line says what
                to do.
            VendorError: the endpoint can't be reached.
            ValueError: the call brings no speech engines, or there is no such voice.
        """
        key, base_url = self._endpoint()
        await compute(load_framework)
        _checked_options(call.options, _OPENAI_OPTIONS)
        engines = _engines(self.name, call)
        from openai import AsyncOpenAI

        client = AsyncOpenAI(api_key=key, base_url=base_url)
        await knock(client, key)
        return await _answer(
            deployment.config,
            call,
            engines,
            client,
            model=call.options.get("model") or _DEFAULT_MODEL,
            delays=self.delays,
            cost=Cost(),
            cause=lambda: None,
            vad=engines.vad if self.line_vad else None,
        )

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""

    def _endpoint(self) -> tuple[str, str | None]:
        environment = self._environment
        if not environment.get("OPENAI_API_KEY", "").strip():
            raise PlatformUnusable(
                "OPENAI_API_KEY is not set: set it to the endpoint's key (any text for one without keys)"
            )
        return OPENAI.api_key(environment), OPENAI.base_url({}, environment)
