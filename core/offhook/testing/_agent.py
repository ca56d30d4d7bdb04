"""A platform that does what a script says, at the times the script says."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator

import attrs
import numpy as np

from offhook.audio import Clip, Samples
from offhook.line import PlatformEnd

__all__ = ["AgentStep", "ClearAt", "HangUpAt", "PlayAt", "ScriptedAgent"]


@attrs.frozen
class PlayAt:
    """Sends a clip from line second ``at`` on, in chunks of ``chunk`` seconds, ``pace`` times real time.

    Without ``ends`` the platform doesn't say that the utterance is complete.
    """

    at: float
    clip: Clip
    chunk: float = 0.1
    pace: float = math.inf
    ends: bool = True


@attrs.frozen
class ClearAt:
    """Drops what isn't played at line second ``at``, and what earlier steps would still have sent."""

    at: float


@attrs.frozen
class HangUpAt:
    at: float


AgentStep = PlayAt | ClearAt | HangUpAt


class ScriptedAgent:
    """A platform for tests of the line and what hangs on it. Times are line seconds.

    Args:
        script: the steps, in any order.
    """

    def __init__(self, script: Iterable[AgentStep] = ()) -> None:
        self._script = tuple(script)
        self._heard: list[Samples] = []

    @property
    def heard(self) -> Clip:
        """All it was sent so far."""
        return Clip(np.concatenate(self._heard) if self._heard else np.zeros(0, dtype=np.int16))

    async def serve(self, platform: PlatformEnd) -> None:
        """Takes the caller's audio and plays the script; returns at the end of the call."""
        platform.on_frame(lambda frame, _: self._heard.append(frame))
        actions = [action for step in self._script for action in self._actions(step, platform)]
        for at, act in sorted(actions, key=lambda action: action[0]):
            await platform.sleep_until(at)
            if platform.hung_up:
                break
            act()
        await platform.ended()

    def _actions(
        self, step: AgentStep, platform: PlatformEnd
    ) -> Iterator[tuple[float, Callable[[], object]]]:
        if isinstance(step, ClearAt):
            yield step.at, platform.playout.clear
        elif isinstance(step, HangUpAt):
            yield step.at, platform.hang_up
        else:
            yield from self._sending(step, platform)

    def _sending(self, step: PlayAt, platform: PlatformEnd) -> Iterator[tuple[float, Callable[[], object]]]:
        samples, rate = step.clip.samples, step.clip.rate
        silenced = min((other.at for other in self._script if _silences(other, step)), default=math.inf)
        length = max(1, round(step.chunk * rate))
        for start in range(0, len(samples), length):
            at = step.at + start / rate / step.pace
            if at >= silenced:
                return
            chunk = samples[start : start + length]
            yield at, functools.partial(platform.playout.push, chunk, rate)
            if step.ends and start + length >= len(samples):
                yield at, platform.playout.end


def _silences(other: AgentStep, step: PlayAt) -> bool:
    return isinstance(other, ClearAt) and other.at > step.at
