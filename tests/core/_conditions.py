"""Audio profiles for tests: hiss that is drawn from the call's stream, and what profiles were told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from offhook.audio import Samples
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.line import AudioProfile, FrameTransform, LineSetting
from tests.core._marks import MarksPlugin
from tests.core._stand import RealTimePlatform

__all__ = ["HissParameters", "HissProfile", "Profiles", "hissing_host", "left_of"]


@attrs.frozen
class HissParameters:
    loudest: int = 50
    band_hz: tuple[float, float] = (0.0, 12000.0)


class _Hiss:
    def __init__(self, rng: np.random.Generator, loudest: int) -> None:
        self._rng, self._loudest = rng, loudest

    def push(self, frame: Samples) -> Samples:
        return (frame + self._rng.integers(1, self._loudest, len(frame))).astype(np.int16)


@attrs.frozen(eq=False)
class HissProfile:
    """``told`` collects the settings it was opened with, and whether an event loop was running there."""

    name: str = "hiss"
    background: str = "hiss"
    impairment: str = ""
    parameters: HissParameters = attrs.field(factory=HissParameters)
    told: list[tuple[LineSetting, bool]] = attrs.field(factory=list)

    def open(self, rng: np.random.Generator, setting: LineSetting) -> FrameTransform:
        try:
            asyncio.get_running_loop()
            in_loop = True
        except RuntimeError:
            in_loop = False
        self.told.append((setting, in_loop))
        return _Hiss(rng, self.parameters.loudest)


@attrs.frozen(eq=False)
class Profiles:
    """A plugin with profiles and one more platform."""

    profiles: tuple[Any, ...]

    @hookimpl
    def offhook_audio_profiles(self) -> Sequence[AudioProfile]:
        return list(self.profiles)

    @hookimpl
    def offhook_adapters(self) -> Sequence[Any]:
        return [RealTimePlatform("other", virtual_time=True)]


def hissing_host(*profiles: Any, plugin: object | None = None) -> PluginHost:
    """The marks plugin (calls of a second, in virtual time) and these profiles, by default ``hiss``."""
    host = PluginHost()
    assert host.register(plugin or MarksPlugin(), name="marks")
    assert host.register(Profiles(profiles or (HissProfile(),)), name="profiles")
    return host


def left_of(folder: Path) -> Samples:
    """What the platform of a call was sent."""
    from offhook.line import read_flac

    samples, _ = read_flac(folder / "recording.flac")
    left: Samples = samples[:, 0]
    return left
