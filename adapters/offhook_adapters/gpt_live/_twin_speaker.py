"""The agent's side of the twin's stream: a piece of sound every 200 ms, silence where nothing is said."""

from __future__ import annotations

import base64
from collections import deque
from collections.abc import Callable
from typing import Final

import attrs
import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook.clock import deadline_ticker
from offhook_adapters.twins.pipe import PIECE_SECONDS

__all__ = ["Speaker"]

_PIECE: Final = round(PIECE_SECONDS * LINE_RATE)
# A voice is sent a little ahead, so that a piece that is late leaves no gap.
_AHEAD: Final = 3 * _PIECE


@attrs.define(eq=False)
class _Utterance:
    text: str
    samples: Samples
    begun: bool = False


class Speaker:
    """Args:
    sound: sends a piece as base64; the second argument says whether it holds a voice.
    words: sends an utterance's words, with its start and end in milliseconds of the stream.
    """

    def __init__(self, sound: Callable[[str, bool], None], words: Callable[[str, int, int], None]) -> None:
        self._sound = sound
        self._words = words
        self._said: deque[_Utterance] = deque()
        self._sent = 0

    @property
    def milliseconds(self) -> int:
        """How much of the stream was sent."""
        return self._sent * 1000 // LINE_RATE

    def say(self, text: str, samples: Samples) -> None:
        """An utterance, after all before it."""
        self._said.append(_Utterance(text, samples))

    def cut(self) -> None:
        """The agent gives way: what was not sent is not said."""
        self._said.clear()

    async def run(self) -> None:
        """Sends until cancelled."""
        async for tick in deadline_ticker(PIECE_SECONDS):
            due = (tick.index + 1) * _PIECE
            while self._sent < due + (_AHEAD if self._said else 0):
                self._piece()

    def _piece(self) -> None:
        piece, filled = np.zeros(_PIECE, dtype="<i2"), 0
        while self._said and filled < _PIECE:
            utterance = self._said[0]
            if not utterance.begun:
                utterance.begun = True
                start = (self._sent + filled) * 1000 // LINE_RATE
                self._words(utterance.text, start, start + len(utterance.samples) * 1000 // LINE_RATE)
            part = utterance.samples[: _PIECE - filled]
            piece[filled : filled + len(part)] = part
            filled += len(part)
            utterance.samples = utterance.samples[len(part) :]
            if not len(utterance.samples):
                self._said.popleft()
        self._sent += _PIECE
        self._sound(base64.b64encode(piece.tobytes()).decode("ascii"), filled > 0)
