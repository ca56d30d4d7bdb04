"""The reference platform as an adapter: one deployment is one agent configuration, one session one mind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from offhook.platforms import PlatformUnusable
from offhook.records import ModelLayer
from offhook.sessions import AgentConfig, CallSetup, Capabilities, Cost, Deployment, Greeting, ToolMode
from offhook_adapters.reference.minds.desk import Mind, MindError, MindFactory
from offhook_adapters.reference.session import Delays, ReferenceSession
from offhook_adapters.reference.speech import Ears, Mouth, chosen_voice
from offhook_adapters.reference.text import ReferenceTextSession
from offhook_adapters.reference.turns import TurnSettings

__all__ = ["ReferenceAdapter"]

_OPTIONS: Final[Mapping[str, str]] = MappingProxyType({"voice": "The voice slot the agent speaks with."})


def _nothing_missing() -> None:
    """Most minds need nothing but the package itself."""


def _capabilities(virtual_time: bool, mind: str) -> Capabilities:
    return Capabilities(
        tool_mode=ToolMode.CLIENT,
        greeting=Greeting.VERBATIM,
        barge_in_signal=True,
        user_transcript=True,
        record=True,
        cost=True,
        concurrency=1000,
        virtual_time=virtual_time,
        harness_reference=True,
        # Ears and voice are the run's engines, which its manifest names.
        layers=(
            ModelLayer("stt", "the run's ears", "bundled"),
            ModelLayer("llm", mind, "bundled"),
            ModelLayer("tts", "the run's voice", "bundled"),
        ),
    )


@attrs.frozen
class ReferenceAdapter:
    """An in-process voice agent around any mind. ``virtual_time`` is False for minds that need a real
    network. ``missing`` says in one line what the mind lacks on this machine.
    """

    name: str
    make_mind: MindFactory
    virtual_time: bool = True
    turns: TurnSettings = attrs.field(factory=TurnSettings)
    delays: Delays = attrs.field(factory=Delays)
    missing: Callable[[], str | None] = _nothing_missing

    @property
    def capabilities(self) -> Capabilities:
        return _capabilities(self.virtual_time, self.name)

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return _OPTIONS

    def check(self) -> str | None:
        """What the mind lacks on this machine, in one line, or None. Dials nothing."""
        return self.missing()

    def estimate(self, seconds: float) -> Cost:
        """Nobody is paid, unless for a mind that calls a vendor, of which nothing is known beforehand."""
        return Cost(0.0, "duration") if self.virtual_time else Cost()

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing leaves the process, so the configuration in use is the one given."""
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> ReferenceSession:
        """Answers a call over audio.

        Raises:
            ValueError: the call brings no speech engines.
            PlatformUnusable: there is no such voice, or what the mind needs is missing; one line says what to
                do.
        """
        engines = call.engines
        if engines is None:
            raise ValueError(
                f"{self.name} listens and talks itself: give the call speech engines, or use --line text"
            )
        mind = self._mind(deployment, call)
        session = ReferenceSession(
            ears=Ears(engines.ears, engines.careful_ears),
            mouth=Mouth(chosen_voice(engines, call.options)),
            vad=engines.vad,
            rng=call.rng("delays"),
            turns=self.turns,
            delays=self.delays,
        )
        session.begin(mind)
        return session

    async def connect_text(self, deployment: Deployment, call: CallSetup) -> ReferenceTextSession:
        """Answers a call over text.

        Raises:
            PlatformUnusable: what the mind needs is missing; one line says what to do.
        """
        session = ReferenceTextSession()
        session.begin(self._mind(deployment, call))
        return session

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""

    def _mind(self, deployment: Deployment, call: CallSetup) -> Mind:
        try:
            return self.make_mind(deployment.config, call)
        except MindError as error:
            raise PlatformUnusable(str(error)) from error
