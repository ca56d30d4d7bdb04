"""What the agent's side of a full-duplex wire says without words: when it speaks, and when it has given way.

The platform sends sound all the time, silence too, and has no event for turns or interruptions. It stops by
itself when the caller talks over it. Its stream is live, so hardly any of it waits to be played; what does
has piled up on the way. So a Clear here means: the platform fell silent while the caller talked over it, by
the times of its sound and of its transcript, and sound of before that is still waiting. Playing it would have
the agent talk on after it had given way.

A live stream that comes in bursts has to be held back by as much as its pieces are late, or it is played with
gaps. How late they are is known all the time, from the silence as well.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import attrs
import numpy as np

from offhook.audio import FRAME_SAMPLES, LINE_RATE, Samples

__all__ = ["HOLD_SECONDS", "Floor", "Passage"]

# LiveKit Agents 1.8.9 measured zeros for silence and speech an order of magnitude above this level (0.0006 of
# full scale; llm/_realtime/gpt_live.py, read 2026-11-30), and takes 0.8 s for the end of an utterance.
_SILENCE_LEVEL: Final = 0.0006 * 32768
HOLD_SECONDS: Final = 0.8
"""Silence of this length is the end of what the agent says, and of what the caller does."""
# How long before the agent fell silent the caller's last words may have ended, to have been the reason.
_REASON_SECONDS: Final = 1.0
_PILED_UP_SECONDS: Final = 0.5
# Lateness is looked at over this much of the stream; more than a second is a breakdown, and no jitter.
_JITTER_SECONDS: Final = 5.0
_MOST_HELD_SECONDS: Final = 1.0


@attrs.frozen
class Passage:
    """A piece of the agent's stream. ``plays`` says whether it belongs to what the agent says, pauses of up
    to 0.8 s included; ``voiced`` whether something is to be heard; ``held_back`` by how many samples of
    silence it is to be held back; ``over`` whether an utterance has ended with it.
    """

    plays: bool
    voiced: bool
    held_back: int = 0
    over: bool = False


class Floor:
    """Follows who speaks. ``now`` is the time of a clock, in seconds."""

    def __init__(self) -> None:
        self._stream = 0.0
        self._quiet = HOLD_SECONDS
        self._onset = 0.0
        self._caller: tuple[float, float] = (-1.0, -1.0)
        self._until = 0.0
        self._late: deque[tuple[float, float]] = deque()

    def caller_spoke(self, start_ms: int, end_ms: int) -> None:
        """The platform wrote down words of the caller, spoken at those times of the session."""
        self._caller = (start_ms / 1000, end_ms / 1000)

    def push(self, samples: Samples, now: float) -> Passage:
        """Takes the next piece of the agent's stream, of 24 kHz."""
        early, began = self._earliness(now), self._stream
        self._stream += len(samples) / LINE_RATE
        if _is_voiced(samples):
            if self._quiet >= HOLD_SECONDS:
                self._onset = began
            self._quiet = 0.0
            return Passage(True, True, round(early * LINE_RATE) if self._until <= now else 0)
        before, self._quiet = self._quiet, self._quiet + len(samples) / LINE_RATE
        return Passage(before < HOLD_SECONDS, False, over=before < HOLD_SECONDS <= self._quiet)

    def emitted(self, samples: Samples, now: float) -> None:
        """Sound went to the line."""
        self._until = max(self._until, now) + len(samples) / LINE_RATE

    def waiting(self, now: float) -> float:
        """How many seconds of the agent's sound are still to be played."""
        return max(0.0, self._until - now)

    def gives_way(self, now: float) -> bool:
        """Whether what still waits is to be dropped; true once an interruption."""
        fell_silent = self._stream - self._quiet
        start, end = self._caller
        interrupted = start >= self._onset and fell_silent - _REASON_SECONDS <= end
        if self._quiet == 0.0 or not interrupted or self.waiting(now) <= _PILED_UP_SECONDS:
            return False
        self._quiet, self._until = max(self._quiet, HOLD_SECONDS), now
        return True

    def _earliness(self, now: float) -> float:
        """By how many seconds this piece came sooner than the latest of the last few did, by the stream's own
        time.
        """
        late = now - self._stream
        self._late.append((self._stream, late))
        while self._stream - self._late[0][0] > _JITTER_SECONDS:
            self._late.popleft()
        return min(max(each for _, each in self._late) - late, _MOST_HELD_SECONDS)


def _is_voiced(samples: Samples) -> bool:
    """Whether any 20 ms of it is louder than silence."""
    whole = -(-len(samples) // FRAME_SAMPLES) * FRAME_SAMPLES
    padded = np.zeros(whole, dtype=np.float64)
    padded[: len(samples)] = samples
    levels = np.sqrt(np.mean(padded.reshape(-1, FRAME_SAMPLES) ** 2, axis=1))
    return bool((levels > _SILENCE_LEVEL).any())
