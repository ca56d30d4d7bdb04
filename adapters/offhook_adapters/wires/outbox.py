"""What a session still has to send: the caller's sound and events, in one order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

import attrs

from offhook.audio import FRAME_SECONDS, LINE_RATE, Resampler, Samples

__all__ = ["Outbox"]

_FRAMES_TOGETHER: Final = 2
_MOST_FRAMES: Final = round(10 / FRAME_SECONDS)

M = TypeVar("M")


@attrs.frozen
class _Sound:
    pcm: bytes


@attrs.frozen
class _Event(Generic[M]):
    message: M


class Outbox(Generic[M]):
    """A queue that never makes its user wait.

    Args:
        send: takes one message and may take its time.
        sound: makes a message of 16-bit little-endian PCM.
        rate: at which the platform takes sound, in Hz.
    """

    def __init__(
        self, send: Callable[[M], Awaitable[None]], sound: Callable[[bytes], M], *, rate: int = LINE_RATE
    ) -> None:
        self._send = send
        self._sound = sound
        self._resampler = Resampler(LINE_RATE, rate) if rate != LINE_RATE else None
        self._queue: deque[_Sound | _Event[M]] = deque()
        self._frames = 0
        self._filled = asyncio.Event()

    def frame(self, samples: Samples) -> bool:
        """Queues one 20 ms frame. False, and nothing is queued, when the platform has taken none for 10 s."""
        if self._frames >= _MOST_FRAMES:
            return False
        self._frames += 1
        if self._resampler is not None:
            samples = self._resampler.push(samples)
        self._put(_Sound(samples.astype("<i2").tobytes()))
        return True

    def event(self, message: M) -> None:
        """Queues a message."""
        self._put(_Event(message))

    def _put(self, item: _Sound | _Event[M]) -> None:
        self._queue.append(item)
        self._filled.set()

    async def run(self) -> None:
        """Sends until cancelled. Sound that has gathered goes 40 ms at a time.

        Raises:
            Exception: whatever ``send`` raised.
        """
        while True:
            while not self._queue:
                self._filled.clear()
                await self._filled.wait()
            item = self._queue.popleft()
            if isinstance(item, _Event):
                await self._send(item.message)
            elif pcm := self._gathered(item.pcm):
                await self._send(self._sound(pcm))

    def _gathered(self, pcm: bytes) -> bytes:
        frames = 1
        while frames < _FRAMES_TOGETHER and self._queue and isinstance(self._queue[0], _Sound):
            following = self._queue.popleft()
            assert isinstance(following, _Sound)
            pcm += following.pcm
            frames += 1
        self._frames -= frames
        return pcm
