"""Pauses within what the agent says. Whether a silence is one is known only when the agent goes on, so it
goes to the line bit by bit, each when it is due: what is never played is not sent there either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import numpy as np

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, Samples

__all__ = ["Pauses"]

_SOON_SECONDS: Final = 0.001
# A quarter of a frame at a time, so that the line always has a frame to take and hardly more.
_PART: Final = FRAME_SAMPLES // 4
_NOTHING: Final = np.zeros(0, dtype=np.int16)


class Pauses:
    """Args:
    play: sends sound to the line.
    waiting: how many seconds of sound the line still has to play.
    """

    def __init__(self, play: Callable[[Samples], None], waiting: Callable[[], float]) -> None:
        self._play = play
        self._waiting = waiting
        self._loop = asyncio.get_running_loop()
        self._silence: Samples = _NOTHING
        self._timer: asyncio.TimerHandle | None = None

    def add(self, samples: Samples) -> None:
        """More silence."""
        self._silence = np.concatenate((self._silence, samples))
        if self._timer is None:
            self._go_on()

    def taken(self) -> Samples:
        """What of it has not gone to the line, which no longer goes there by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        silence, self._silence = self._silence, _NOTHING
        return silence

    def _go_on(self) -> None:
        while len(self._silence) and self._waiting() <= FRAME_SECONDS:
            part, self._silence = self._silence[:_PART], self._silence[_PART:]
            self._play(part)
        self._timer = None
        if len(self._silence):
            due = max(self._waiting() - FRAME_SECONDS, _SOON_SECONDS)
            self._timer = self._loop.call_later(due, self._go_on)
