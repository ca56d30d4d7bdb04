"""When the caller's turn begins and ends, from the speech probability of each 20 ms frame.

A turn begins after ``onset`` seconds of speech and ends after ``hangover`` seconds without any. The clip of a
turn starts ``lead`` seconds before its first speech frame, so that a soft first consonant is not cut off.
"""

from __future__ import annotations

from collections import deque

import attrs
import numpy as np

from offhook.audio import FRAME_SECONDS, Clip, Samples

__all__ = ["Edge", "Endpointer", "Started", "Stopped", "TurnSettings"]


@attrs.frozen
class TurnSettings:
    """Endpointing thresholds. Probabilities in 0..1, durations in seconds.

    ``release`` is lower than ``threshold``, so that a dip within a word does not end it. ``barge_in`` is how
    long the caller must talk over the agent before it stops; a cough is shorter. ``longest`` ends a turn that
    never ends, as in steady noise. ``give_up`` is the silence after which a caller is taken not to answer.
    """

    threshold: float = 0.5
    release: float = 0.35
    onset: float = 0.06
    hangover: float = 0.6
    lead: float = 0.3
    barge_in: float = 0.24
    longest: float = 30.0
    give_up: float = 9.0


@attrs.frozen
class Started:
    """Speech began; ``at`` is the clock time of its first frame."""

    at: float


@attrs.frozen(eq=False)
class Stopped:
    """A turn ended. ``start`` and ``end`` are clock times of its first and last speech; ``clip`` has some
    lead-in before and the hang-over after.
    """

    start: float
    end: float
    clip: Clip


Edge = Started | Stopped


class Endpointer:
    """Follows one channel. Feed it every frame in order."""

    def __init__(self, settings: TurnSettings) -> None:
        self._settings = settings
        self._lead: deque[Samples] = deque(maxlen=_frames(settings.lead) + _frames(settings.onset))
        self._turn: list[Samples] = []
        self._run = 0
        self._quiet = 0
        self._start = 0.0
        self._speech_frames = 0

    @property
    def speaking(self) -> bool:
        """Whether a turn is open. It stays open through the hang-over."""
        return bool(self._turn)

    @property
    def voiced(self) -> float:
        """Seconds of speech in the open turn; 0 without one."""
        return self._speech_frames * FRAME_SECONDS if self._turn else 0.0

    def push(self, frame: Samples, probability: float, now: float) -> Edge | None:
        """Takes one frame that began at clock time ``now``."""
        if not self._turn:
            return self._before(frame, probability, now)
        return self._within(frame, probability, now)

    def _before(self, frame: Samples, probability: float, now: float) -> Started | None:
        self._lead.append(frame)
        self._run = self._run + 1 if probability >= self._settings.threshold else 0
        if self._run < _frames(self._settings.onset):
            return None
        self._start = now - (self._run - 1) * FRAME_SECONDS
        self._turn = list(self._lead)
        self._speech_frames = self._run
        self._quiet = 0
        return Started(self._start)

    def _within(self, frame: Samples, probability: float, now: float) -> Stopped | None:
        self._turn.append(frame)
        if probability >= self._settings.release:
            self._quiet = 0
            self._speech_frames += 1
        else:
            self._quiet += 1
        too_long = len(self._turn) >= _frames(self._settings.longest)
        if self._quiet < _frames(self._settings.hangover) and not too_long:
            return None
        stopped = Stopped(
            self._start, now + FRAME_SECONDS - self._quiet * FRAME_SECONDS, Clip(np.concatenate(self._turn))
        )
        self._turn = []
        self._run = 0
        self._lead.clear()
        return stopped


def _frames(seconds: float) -> int:
    return max(1, round(seconds / FRAME_SECONDS))
