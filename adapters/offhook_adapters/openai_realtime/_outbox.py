"""What a session still has to send: the caller's sound and events, in one order."""

from __future__ import annotations

import asyncio
import base64
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from offhook.audio import FRAME_SECONDS, Samples

__all__ = ["Outbox"]

_FRAMES_TOGETHER: Final = 2
_MOST_FRAMES: Final = round(10 / FRAME_SECONDS)


class Outbox:
    """A queue that never makes its user wait. ``send`` takes one client event and may take its time."""

    def __init__(self, send: Callable[[Mapping[str, Any]], Awaitable[None]]) -> None:
        self._send = send
        self._queue: deque[bytes | Mapping[str, Any]] = deque()
        self._frames = 0
        self._filled = asyncio.Event()

    def frame(self, samples: Samples) -> bool:
        """Queues one 20 ms frame. False, and nothing is queued, when the platform has taken none for 10 s."""
        if self._frames >= _MOST_FRAMES:
            return False
        self._frames += 1
        self._put(samples.astype("<i2").tobytes())
        return True

    def event(self, event: Mapping[str, Any]) -> None:
        """Queues a client event."""
        self._put(event)

    def _put(self, item: bytes | Mapping[str, Any]) -> None:
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
            await self._send(self._appended(item) if isinstance(item, bytes) else item)

    def _appended(self, sound: bytes) -> Mapping[str, Any]:
        frames = 1
        while frames < _FRAMES_TOGETHER and self._queue and isinstance(self._queue[0], bytes):
            following = self._queue.popleft()
            assert isinstance(following, bytes)
            sound += following
            frames += 1
        self._frames -= frames
        return {"type": "input_audio_buffer.append", "audio": base64.b64encode(sound).decode("ascii")}
