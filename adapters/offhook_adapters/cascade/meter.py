"""Seconds of the caller's sound, as platforms bill them."""

from __future__ import annotations

from typing import Final

from offhook.audio import FRAME_SECONDS
from offhook_adapters.wires.stream import CallStream

__all__ = ["HEARD_SECONDS", "SPOKEN_CHARACTERS", "SoundMeter"]

HEARD_SECONDS: Final = "heard_seconds"
SPOKEN_CHARACTERS: Final = "spoken_characters"
_STEP_FRAMES: Final = round(5 / FRAME_SECONDS)


class SoundMeter:
    """Counts frames and meters them five seconds at a time."""

    def __init__(self, stream: CallStream) -> None:
        self._stream = stream
        self._frames = 0

    def frame(self) -> None:
        """One more frame was sent."""
        self._frames += 1
        if self._frames >= _STEP_FRAMES:
            self.settle()

    def settle(self) -> None:
        """Meters what is left."""
        frames, self._frames = self._frames, 0
        if frames:
            self._stream.metered({HEARD_SECONDS: round(frames * FRAME_SECONDS, 3)})
