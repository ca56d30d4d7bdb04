"""Everything a call needs that is not the call itself, gathered once per process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs

from offhook.callers import Caller
from offhook.host import PluginHost
from offhook.line import CLEAN, AudioProfile, LineSetting
from offhook.packs import Pack, Task
from offhook.records import CallKey, ComponentInfo
from offhook.runner._switchboard import Switchboard
from offhook.runner.conditions import LineSound, VoiceLevels, profiles_of, sound_stream
from offhook.runner.deployments import Deployments
from offhook.runner.engines import EngineChoice, choose_engines, engine_provenance
from offhook.runner.plan import UnknownName
from offhook.sessions import Adapter, Engines, FollowerPlan, PlanStep
from offhook.toolserver import SeedImages

__all__ = ["CallKit", "follower_plan", "make_kit", "parties_of"]


@attrs.frozen(eq=False)
class CallKit:
    """The parts of a run in one process. ``seed`` is the run's; ``options`` are handed to the platform;
    ``switchboard`` is where a platform that calls tools by itself finds them.
    """

    host: PluginHost
    adapter: Adapter
    caller: Caller
    engines: Engines
    choice: EngineChoice
    packs: Mapping[str, Pack]
    images: SeedImages
    seed: int
    options: Mapping[str, str]
    profiles: Mapping[str, AudioProfile]
    deployments: Deployments = attrs.field(factory=Deployments)
    levels: VoiceLevels = attrs.field(factory=VoiceLevels)
    switchboard: Switchboard | None = None

    def task_of(self, key: CallKey) -> Task:
        return self.packs[key.pack].task(key.task)

    def components(self, key: CallKey, voice: str) -> tuple[ComponentInfo, ...]:
        """Provenance of all that took part in a call."""
        return (
            self.host.provenance("adapter", self.adapter.name),
            self.host.provenance("caller", self.caller.name),
            self.host.provenance("industry", key.pack),
            *engine_provenance(self.host, self.choice, voice),
            *((self.host.provenance("audio_profile", key.audio),) if key.audio != CLEAN.name else ()),
        )

    def sound_of(self, key: CallKey, voice: str) -> LineSound:
        """What a call's line does to the caller's sound. Measures the voice the first time.

        Raises:
            SpeechUnavailable: the voice's engine or weights are missing.
        """
        if key.audio == CLEAN.name:
            return LineSound()
        setting = LineSetting(
            noise_gain=self.packs[key.pack].noise_gain,
            speech_dbfs=self.levels.active_dbfs(self.engines.voices[voice]),
        )
        return LineSound(self.profiles[key.audio], sound_stream(self.seed, key), setting)


def make_kit(
    host: PluginHost,
    *,
    platform: str,
    caller: str,
    choice: EngineChoice,
    images: Path,
    seed: int,
    options: Mapping[str, str],
) -> CallKit:
    """Raises UnknownName for a platform, caller or engine that no plugin provides."""
    adapter, placed_by = parties_of(host, platform, caller)
    return CallKit(
        host=host,
        adapter=adapter,
        caller=placed_by,
        engines=choose_engines(host, choice),
        choice=choice,
        packs=host.packs(),
        images=SeedImages(images),
        seed=seed,
        options=options,
        profiles=profiles_of(host),
    )


def parties_of(host: PluginHost, platform: str, caller: str) -> tuple[Adapter, Caller]:
    """Raises UnknownName for a platform or caller that no plugin provides."""
    adapters, callers = host.adapters(), host.callers()
    if platform not in adapters:
        raise UnknownName("platform", platform, adapters)
    if caller not in callers:
        raise UnknownName("caller", caller, callers)
    return adapters[platform], callers[caller]


def follower_plan(pack: Pack, task: Task) -> FollowerPlan:
    """Which calls a task needs, in which order, with the names of their arguments: no value passes through
    here.
    """
    steps = tuple(
        PlanStep(call.tool, (*call.arguments, *call.free_text, *call.carry)) for call in task.expected
    )
    return FollowerPlan(steps, pack.guide, pack.tools, pack.gates)
