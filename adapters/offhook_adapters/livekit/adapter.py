"""LiveKit Agents as an adapter: in process, in real or in virtual time."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import attrs

from offhook.clock import is_virtual
from offhook.platforms import PlatformUnusable
from offhook.records import ModelLayer
from offhook.sessions import (
    AgentConfig,
    CallSetup,
    Capabilities,
    Cost,
    Deployment,
    Greeting,
    ToolMode,
)
from offhook.twins import Behind
from offhook_adapters._frameworks.endpoint import knock
from offhook_adapters._frameworks.twins import InProcessTwin, TwinShelf
from offhook_adapters.reference.minds.desk import MindError, MindFactory
from offhook_adapters.reference.minds.follower import make_follower
from offhook_adapters.reference.speech import Mouth, chosen_voice

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from offhook_adapters.livekit.session import LiveKitSession

__all__ = ["DEFAULT_MODEL", "LiveKitAdapter", "LiveKitOpenAIAdapter", "import_livekit", "missing_livekit"]

DEFAULT_MODEL: Final = "gpt-4.1"
"""What LiveKit's own OpenAI plugin takes unless told otherwise."""

_MODULES: Final = ("livekit.agents", "livekit.plugins.openai")
_OPENAI_URL: Final = "https://api.openai.com/v1"
_CONNECT_SECONDS: Final = 20.0
_STEPS: Final = re.compile(r"[0-9]{1,4}")
# As many as were measured to leave 99 of 100 frames less than 20 ms late on two shared cores.
_LIVE_CALLS: Final = 8
_CAPABILITIES: Final = Capabilities(
    tool_mode=ToolMode.CLIENT,
    call_id_source="wire",
    greeting=Greeting.VERBATIM,
    barge_in_signal=True,
    user_transcript=True,
    record=True,
)
_OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "voice": "The voice slot the agent speaks with.",
        "max_tool_steps": "How many rounds of tools one reply may take (LiveKit's own: 3).",
    }
)
_OPENAI_OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"model": f"The model ({DEFAULT_MODEL})."} | dict(_OPTIONS)
)


def missing_livekit() -> str | None:
    """What of LiveKit is not installed, in one line, or None. Imports nothing of it."""
    try:
        complete = all(find_spec(name) for name in _MODULES)
    except ModuleNotFoundError:
        complete = False
    return None if complete else "LiveKit Agents is not installed: run pip install 'offhook[livekit]'"


def import_livekit() -> None:
    """Imports what a call needs, in whatever thread a run is carried out.

    Raises:
        PlatformUnusable: LiveKit is missing.
    """
    missing = missing_livekit()
    if missing is not None:
        raise PlatformUnusable(missing)
    import livekit.agents

    # Its warnings go to whoever has set up logging, and not into a run's progress on stderr.
    log = logging.getLogger("livekit")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    with _plugins_from_any_thread(livekit.agents.Plugin):
        import livekit.plugins.openai


@contextmanager
def _plugins_from_any_thread(plugin: Any) -> Iterator[None]:
    """LiveKit takes plugins in on the main thread alone, which a run in the background does not have. What it
    does there is for its worker processes, which are never started here.
    """
    if threading.current_thread() is threading.main_thread():
        yield
        return
    register = vars(plugin)["register_plugin"]
    plugin.register_plugin = plugin.registered_plugins.append
    try:
        yield
    finally:
        plugin.register_plugin = register


@attrs.frozen
class LiveKitAdapter:
    """LiveKit around the policy follower, which it reaches as it would any Chat Completions endpoint.

    ``virtual_time`` False runs it on the ordinary clock. ``line_vad`` puts the run's voice activity detection
    in the place of LiveKit's, which hears no speech in sound that only stands for words; so does a twin.
    """

    name: str = "livekit"
    make_mind: MindFactory = make_follower
    virtual_time: bool = True
    line_vad: bool = False
    thinking: tuple[float, float] = (0.2, 0.5)
    environment: Mapping[str, str] | None = attrs.field(default=None, repr=False)
    shelf: TwinShelf = attrs.field(factory=TwinShelf, eq=False, repr=False)

    @property
    def capabilities(self) -> Capabilities:
        return attrs.evolve(
            _CAPABILITIES,
            cost=True,
            concurrency=100,
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
        return missing_livekit()

    def with_environment(self, environment: Mapping[str, str]) -> LiveKitAdapter:
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
            PlatformUnusable: LiveKit is not installed.
        """
        import_livekit()
        await _get_ready()
        return _deployed(self.name, agent)

    async def connect(self, deployment: Deployment, call: CallSetup) -> LiveKitSession:
        """Answers a call.

        Raises:
            PlatformUnusable: LiveKit is not installed, an option can't be, or the mind lacks something.
            ValueError: the call brings no speech engines.
        """
        import_livekit()
        twin = self.shelf.named_in(self.environment)
        if twin is not None:
            call = twin.call(call)
        from openai import AsyncOpenAI

        from offhook_adapters.reference.completions import MODEL, MindCompletions, in_process_client

        try:
            served = MindCompletions(
                call,
                make_mind=self.make_mind,
                script=None if twin is None else twin.behind.script,
                thinking=self.thinking,
                greeting=deployment.config.greeting,
            )
        except MindError as error:
            raise PlatformUnusable(str(error)) from error
        if twin is not None:
            twin.take(served)
        client = AsyncOpenAI(
            base_url="http://mind/v1",
            api_key="none",
            http_client=in_process_client(served.app),
            max_retries=0,
        )
        model = _Model(client, MODEL, Cost(0.0, "usage"))
        return await _begin(self, deployment, call, model, line_vad=self.line_vad or twin is not None)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


@attrs.frozen
class LiveKitOpenAIAdapter:
    """LiveKit around a language model of the user's choice, in real time. Environment: ``OPENAI_API_KEY``,
    and ``OPENAI_BASE_URL`` for any endpoint but OpenAI's own. ``line_vad`` is as for ``LiveKitAdapter``.
    """

    name: str = "livekit-openai"
    line_vad: bool = False
    environment: Mapping[str, str] | None = attrs.field(default=None, repr=False)

    @property
    def capabilities(self) -> Capabilities:
        return attrs.evolve(_CAPABILITIES, concurrency=_LIVE_CALLS, layers=_layers(DEFAULT_MODEL, "user"))

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return _OPENAI_OPTIONS

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return missing_livekit() or _key_trouble(self._used)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: the model is sent the configuration with every request.

        Raises:
            PlatformUnusable: LiveKit is not installed, or there is no key that can be one.
        """
        missing = self.check()
        if missing is not None:
            raise PlatformUnusable(missing)
        import_livekit()
        await _get_ready()
        return _deployed(self.name, agent)

    async def connect(self, deployment: Deployment, call: CallSetup) -> LiveKitSession:
        """Answers a call.

        Raises:
            PlatformUnusable: LiveKit is not installed, there is no key or a wrong one, or an option can't be.
            VendorError: the endpoint can't be reached.
            ValueError: the call brings no speech engines.
        """
        missing = self.check()
        if missing is not None:
            raise PlatformUnusable(missing)
        import_livekit()
        from openai import AsyncOpenAI

        key = self._used.get("OPENAI_API_KEY", "").strip()
        client = AsyncOpenAI(
            base_url=self._used.get("OPENAI_BASE_URL") or _OPENAI_URL,
            api_key=key,
            max_retries=0,  # LiveKit tries again by itself
        )
        await knock(client, key)
        model = _Model(client, call.options.get("model") or DEFAULT_MODEL, Cost(), key)
        return await _begin(self, deployment, call, model, line_vad=self.line_vad)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""

    @property
    def _used(self) -> Mapping[str, str]:
        return os.environ if self.environment is None else self.environment


@attrs.frozen(eq=False)
class _Model:
    """The endpoint that answers; ``key`` is never told."""

    client: AsyncOpenAI
    name: str
    cost: Cost
    key: str = attrs.field(default="", repr=False)


async def _begin(
    adapter: LiveKitAdapter | LiveKitOpenAIAdapter,
    deployment: Deployment,
    call: CallSetup,
    model: _Model,
    *,
    line_vad: bool,
) -> LiveKitSession:
    steps = _checked(call.options, adapter.options)
    engines = call.engines
    if engines is None:
        raise ValueError(f"{adapter.name} listens and talks with the run's engines: give the call some")
    voice = chosen_voice(engines, call.options)
    from livekit.plugins.openai import LLM

    from offhook_adapters.livekit._clock import use_loop_time
    from offhook_adapters.livekit.session import LiveKitParts, LiveKitSession

    if is_virtual():
        use_loop_time()
    parts = LiveKitParts(
        model=LLM(model=model.name, client=model.client),
        ears=engines.careful_ears,
        activity=engines.vad,
        mouth=Mouth(voice),
        delays=call.rng("delays"),
        let_go=model.client.close,
        cost=model.cost,
        key=model.key,
        line_vad=line_vad,
        max_tool_steps=steps,
    )
    session = LiveKitSession(deployment.config, parts)
    beginning = asyncio.create_task(session.begin())
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            await asyncio.shield(beginning)
    except BaseException:
        # A start that is broken off half-way leaves tasks behind: it is let finish, and then closed.
        await asyncio.wait({beginning}, timeout=_CONNECT_SECONDS)
        await session.hang_up()
        raise
    return session


async def _get_ready() -> None:
    """In virtual time nobody waits for what is made on first use."""
    if not is_virtual():
        from offhook_adapters.livekit.rehearsal import rehearse

        await rehearse()


def _layers(model: str, chosen_by: str) -> tuple[ModelLayer, ...]:
    # Ears and voice are the run's engines, which its manifest names.
    return (
        ModelLayer("stt", "the run's ears", "bundled"),
        ModelLayer("llm", model, chosen_by),
        ModelLayer("tts", "the run's voice", "bundled"),
    )


def _deployed(name: str, agent: AgentConfig) -> Deployment:
    return Deployment(name, f"{name}:{agent.sha256[:12]}", agent, agent.sha256)


def _key_trouble(environment: Mapping[str, str]) -> str | None:
    key = environment.get("OPENAI_API_KEY", "").strip()
    if not key:
        return "OPENAI_API_KEY is not set: set it to the endpoint's key (any text for one without keys)"
    if not (key.isascii() and key.isprintable()) or " " in key:  # no header could carry it
        return "OPENAI_API_KEY holds a blank or another character that no key has: copy it once more"
    if "@" in environment.get("OPENAI_BASE_URL", ""):  # it would be shown in errors
        return "OPENAI_BASE_URL holds a user or password: put the key in OPENAI_API_KEY instead"
    return None


def _checked(options: Mapping[str, str], known: Mapping[str, str]) -> int | None:
    """How many tool steps the options ask for, None for LiveKit's own."""
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise PlatformUnusable(f"there is no option {unknown[0]!r}: choose from {', '.join(known)}")
    steps = options.get("max_tool_steps", "")
    if steps and not (_STEPS.fullmatch(steps) and int(steps) >= 1):
        raise PlatformUnusable(f"max_tool_steps must be a number of 1 to 9999, not {steps[:40]!r}")
    return int(steps) if steps else None
