"""Profile ``noise``: the caller stands beside a busy road. The line itself is as good as ever."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import FRAME_SAMPLES, Samples
from offhook.levels import active_dbfs
from offhook.line import FrameTransform, LineSetting
from offhook_caller.profiles.levels import gain_to
from offhook_caller.profiles.traffic import TRAFFIC_RATE, TrafficParameters, traffic

__all__ = ["NoiseParameters", "NoiseProfile"]


@attrs.frozen
class NoiseParameters:
    """``level_dbfs`` is the active level that speech and noise are both set to before the pack's gain applies
    to the noise."""

    level_dbfs: float = -20.0
    traffic: TrafficParameters = attrs.field(factory=TrafficParameters)


@attrs.frozen
class NoiseProfile:
    """Road traffic from the first frame to the last, also while the caller is silent."""

    name: str = "noise"
    background: str = "road traffic"
    impairment: str = ""
    parameters: NoiseParameters = attrs.field(factory=NoiseParameters)

    def open(self, rng: np.random.Generator, setting: LineSetting) -> FrameTransform:
        """Makes the whole stretch of road now, for its level has to be known before its first sample."""
        wanted = self.parameters.level_dbfs
        road = traffic(rng, self.parameters.traffic)
        gain = setting.noise_gain * gain_to(wanted, active_dbfs(road, TRAFFIC_RATE))
        return _Street(road * gain, gain_to(wanted, setting.speech_dbfs))


class _Street:
    """Adds the road, over and over, to the speech."""

    def __init__(self, road: NDArray[np.floating[Any]], speech_gain: float) -> None:
        # the start again at the end: a frame never has to be put together from two pieces
        self._road = np.concatenate((road, road[:FRAME_SAMPLES])).astype(np.float32)
        self._length = len(road)
        self._speech_gain = np.float32(speech_gain)
        self._at = 0

    def push(self, frame: Samples) -> Samples:
        heard = frame * self._speech_gain
        heard += self._road[self._at : self._at + FRAME_SAMPLES]
        self._at = (self._at + FRAME_SAMPLES) % self._length
        mixed: Samples = np.clip(np.rint(heard), -32768, 32767).astype(np.int16)
        return mixed
