"""The caller's ears: cuts the audio received from the line into the agent's utterances by voice activity.

Times are line seconds. An utterance lies between its first and its last voiced frame; its sound keeps a
little before and after, because detectors notice soft consonants late. Recognition is elsewhere: an ear
only listens.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import attrs
import numpy as np

from offhook.audio import FRAME_SECONDS, Clip, Samples
from offhook.speech import VoiceActivity

__all__ = ["Ear", "EarSettings", "Utterance"]

_QUIET_PEAK: Final = 33
"""-60 dBFS: a frame whose loudest sample is below is silence to anyone, so the detector need not run."""


@attrs.frozen
class EarSettings:
    """When speech begins and ends. Probabilities are the detector's, the rest is seconds.

    Speech begins at the first of ``onset_frames`` frames in a row of at least ``onset`` and ends when no
    frame has reached ``release`` for ``hangover`` seconds. Utterances with less than ``shortest`` seconds
    of voice are noise; one is cut after ``longest``.
    """

    onset: float = 0.5
    release: float = 0.35
    onset_frames: int = 3
    hangover: float = 0.4
    shortest: float = 0.12
    longest: float = 28.0
    lead: float = 0.24
    tail: float = 0.2


@attrs.frozen(eq=False)
class Utterance:
    """A stretch of the agent's speech."""

    clip: Clip
    start: float
    end: float

    @property
    def seconds(self) -> float:
        return self.end - self.start


class Ear:
    """Takes every frame the caller's side of the line plays, in order."""

    def __init__(self, activity: VoiceActivity, settings: EarSettings | None = None) -> None:
        self._activity = activity
        self._settings = settings or EarSettings()
        self._lead: deque[Samples] = deque(maxlen=max(1, round(self._settings.lead / FRAME_SECONDS)))
        self._frames: list[Samples] = []
        self._rising = 0
        self._voiced = 0
        self._start = 0.0
        self._last_voiced = 0.0
        self._speaking = False
        self._finished: list[Utterance] = []

    @property
    def speaking(self) -> bool:
        """Whether the agent is in an utterance; stays true for the hang-over."""
        return self._speaking

    @property
    def stirring(self) -> bool:
        """Whether voice has been noticed that may become an utterance, or is one."""
        return self._rising > 0 or self._speaking

    @property
    def waiting(self) -> bool:
        """Whether finished utterances wait to be taken."""
        return bool(self._finished)

    def take(self) -> tuple[Utterance, ...]:
        """The utterances finished since the last call, oldest first."""
        finished, self._finished = tuple(self._finished), []
        return finished

    def push(self, frame: Samples, at: float) -> bool:
        """Hears one 20 ms frame that began at ``at``. True when an utterance began or ended with it."""
        probability = self._probability(frame)
        if self._speaking:
            return self._go_on(frame, at, probability)
        self._lead.append(frame)
        self._rising = self._rising + 1 if probability >= self._settings.onset else 0
        if self._rising < self._settings.onset_frames:
            return False
        self._speaking = True
        self._start = at - (self._rising - 1) * FRAME_SECONDS
        self._last_voiced = at + FRAME_SECONDS
        self._voiced = self._rising
        self._rising = 0
        self._frames = list(self._lead)
        self._lead.clear()
        return True

    def finish(self) -> None:
        """Closes an utterance the line's end cut off."""
        if self._speaking:
            self._close()

    def _go_on(self, frame: Samples, at: float, probability: float) -> bool:
        self._frames.append(frame)
        end = at + FRAME_SECONDS
        if probability >= self._settings.release:
            self._last_voiced = end
            self._voiced += 1
        if end - self._last_voiced < self._settings.hangover and end - self._start < self._settings.longest:
            return False
        self._close(end)
        return True

    def _close(self, now: float | None = None) -> None:
        if self._voiced * FRAME_SECONDS >= self._settings.shortest:
            over = 0.0 if now is None else max(0.0, now - self._last_voiced - self._settings.tail)
            kept = self._frames[: len(self._frames) - int(over / FRAME_SECONDS + 1e-6)]
            self._finished.append(Utterance(Clip(np.concatenate(kept)), self._start, self._last_voiced))
        self._frames = []
        self._speaking = False

    def _probability(self, frame: Samples) -> float:
        quiet = int(frame.max(initial=0)) < _QUIET_PEAK and int(frame.min(initial=0)) > -_QUIET_PEAK
        return 0.0 if quiet else self._activity.push(frame)
