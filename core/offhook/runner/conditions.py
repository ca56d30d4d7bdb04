"""Audio conditions of a run: which there are, which tasks they are placed for, and what a call's line is made
of under one.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs
import numpy as np

from offhook._raised import raised_line
from offhook.host import PluginHost
from offhook.levels import active_dbfs
from offhook.line import CLEAN, AudioProfile, LineSetting, profiled, silent_frame
from offhook.packs import Task, Tier
from offhook.records import CallKey, ProfileStamp
from offhook.runner.plan import UnknownName
from offhook.speech import SpeechStyle, SpeechUnavailable, Voice
from offhook.storage import to_json
from offhook.streams import derive_seed

__all__ = [
    "VARIANTS",
    "LineSound",
    "UnusableProfile",
    "VoiceLevels",
    "WrongCondition",
    "check_conditions",
    "profile_stamps",
    "profiles_of",
    "sound_stream",
    "split_conditions",
    "stamp_of",
    "try_profiles",
    "variant_tasks",
]

VARIANTS: Final = ("easy", "all")
"""Whom conditions other than clean are placed for: the easy tasks, as the benchmark has it, or every task."""

# Where a profile's fault did not happen: in offhook's core, and in the packages that core calls with it.
_OURS: Final = tuple(f"{Path(file).parent.parent}{os.sep}" for file in (__file__, attrs.__file__))
_MEASURED: Final = (
    "Good morning, I have been a customer of yours for about three years now.",
    "There are two things that I would like to ask you about my last order, if you have a minute.",
)


class WrongCondition(Exception):
    """Audio conditions that no call could be placed on as asked; the message is one line."""


class UnusableProfile(Exception):
    """An installed audio profile that no line can be made with; the message is one line."""


@attrs.frozen
class LineSound:
    """What one call's line does to the caller's sound: the profile, its randomness, what it is told."""

    profile: AudioProfile = CLEAN
    rng: np.random.Generator | None = None
    setting: LineSetting = attrs.field(factory=LineSetting)


class VoiceLevels:
    """How loud each voice speaks, measured once a process on two sentences of no task."""

    def __init__(self) -> None:
        self._levels: dict[str, float] = {}
        self._measuring = threading.Lock()

    def active_dbfs(self, voice: Voice) -> float:
        """The voice's active level.

        Raises:
            SpeechUnavailable: the voice's engine or weights are missing.
        """
        with self._measuring:
            if voice.name not in self._levels:
                clips = [voice.speak(sentence, SpeechStyle()) for sentence in _MEASURED]
                samples = np.concatenate([clip.samples for clip in clips])
                self._levels[voice.name] = round(active_dbfs(samples, clips[0].rate), 2)
            return self._levels[voice.name]


def split_conditions(names: Sequence[str]) -> tuple[str, ...]:
    """Conditions as a user gives them, ``("clean,noise", "degraded")``, each once and in that order."""
    parts = [part.strip() for name in names for part in name.split(",")]
    return tuple(dict.fromkeys(part for part in parts if part))


def profiles_of(host: PluginHost) -> Mapping[str, AudioProfile]:
    """Every audio condition by name, ``clean`` first."""
    return {CLEAN.name: CLEAN, **host.audio_profiles()}


def check_conditions(host: PluginHost, audio: Sequence[str], *, line: str) -> None:
    """Raises:
    UnknownName: no profile has that name.
    WrongCondition: none is given, or one that needs sound on a text line.
    """
    known = profiles_of(host)
    for name in audio:
        if name not in known:
            raise UnknownName("audio condition", name, known)
    if not audio:
        raise WrongCondition(f"no audio condition is named; there are {', '.join(known)}")
    other = [name for name in audio if name != CLEAN.name]
    if line == "text" and other:
        raise WrongCondition(
            f"a text line has no sound for audio condition {other[0]}; leave out --line text or --audio"
        )


def variant_tasks(tasks: Sequence[Task], audio: Sequence[str], variants: str) -> tuple[str, ...]:
    """The tasks, ``pack/ID``, that conditions other than clean are placed for.

    Raises:
        ValueError: ``variants`` is none of ``VARIANTS``.
        WrongCondition: no call would be placed at all.
    """
    if variants not in VARIANTS:
        raise ValueError(f"variants must be {' or '.join(map(repr, VARIANTS))}, not {variants!r}")
    chosen = tuple(f"{task.pack}/{task.id}" for task in tasks if variants == "all" or task.tier is Tier.EASY)
    if not chosen and CLEAN.name not in audio:
        raise WrongCondition(
            f"no call to place: {' and '.join(audio)} is for easy tasks and none is chosen; "
            "name one, or add --variants all"
        )
    return chosen


def profile_stamps(host: PluginHost, audio: Sequence[str]) -> Mapping[str, ProfileStamp]:
    """What a run keeps of each condition but clean.

    Raises:
        UnusableProfile: parameters that can't be kept.
    """
    known = profiles_of(host)
    return {name: stamp_of(known[name]) for name in audio if name != CLEAN.name}


def stamp_of(profile: AudioProfile) -> ProfileStamp:
    """The profile in plain JSON values.

    Raises:
        UnusableProfile: it has other ones, or what describes it is no text.
    """
    try:
        parameters = json.loads(to_json(attrs.asdict(profile.parameters)))
    except (TypeError, ValueError, attrs.exceptions.NotAnAttrsClassError) as fault:
        raise UnusableProfile(
            f"audio condition {profile.name!r}: its parameters must be a frozen attrs object of numbers, "
            f"text and lists, so that a run can keep them: {fault}"
        ) from fault
    for field in ("background", "impairment"):
        value = getattr(profile, field)
        if not isinstance(value, str):
            raise UnusableProfile(
                f"audio condition {profile.name!r}: its {field} must be text, got {value!r}"
            )
    return ProfileStamp(profile.background, profile.impairment, parameters)


def try_profiles(host: PluginHost, audio: Sequence[str]) -> None:
    """Opens each profile once and sends a frame through it, so that a missing package, or a profile that does
    not work, stops a run before its first call.

    Raises:
        SpeechUnavailable: says what to install.
        UnusableProfile: it raised, or returned no frame.
    """
    known = profiles_of(host)
    for name in audio:
        profile = known[name]
        try:
            transform = profile.open(np.random.default_rng(0), LineSetting())
            profiled(profile, transform, silent_frame())
        except SpeechUnavailable:
            raise
        except (Exception, SystemExit) as fault:
            plugin = host.components("audio_profile")[name].plugin
            raise UnusableProfile(
                f"audio condition {name!r} of {plugin.name} ({plugin.distribution}) can't be used: "
                f"{raised_line(fault, *_OURS)}"
            ) from fault


def sound_stream(run_seed: int, key: CallKey) -> np.random.Generator:
    """A condition's randomness on one call: by task and run, so that every platform, and every attempt, meets
    the same noise and the same losses."""
    seed = derive_seed(run_seed, key.pack, key.task, key.run, key.audio, "audio profile")
    return np.random.Generator(np.random.PCG64(seed))
