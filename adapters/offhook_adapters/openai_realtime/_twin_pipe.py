"""What the twin sends, in order, and the faults on its way."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from offhook_adapters.openai_realtime.twin import TwinFaults

__all__ = ["Pipe"]


class Pipe:
    """A queue to one client. ``sent`` keeps every event that went out."""

    def __init__(self, socket: ServerConnection, faults: TwinFaults, sent: list[Mapping[str, Any]]) -> None:
        self._socket = socket
        self._faults = faults
        self._sent = sent
        self._queue: asyncio.Queue[Mapping[str, Any] | tuple[int, str]] = asyncio.Queue()
        self._sounds = 0
        self._strange = 0

    def put(self, event: Mapping[str, Any]) -> None:
        """Sends an event, after all before it."""
        self._queue.put_nowait(event)

    def close(self, code: int, reason: str) -> None:
        """Closes the connection, after all before it was sent."""
        self._queue.put_nowait((code, reason))

    async def run(self) -> None:
        """Sends until the connection is closed or cut."""
        try:
            while True:
                event = await self._queue.get()
                if self._faults.burst:
                    await asyncio.sleep(self._faults.burst)  # the rest gathers behind this one
                for following in (event, *self._gathered()):
                    if isinstance(following, tuple):
                        await self._socket.close(*following)
                        return
                    if not await self._send(following):
                        return
        except ConnectionClosed:
            pass

    def _gathered(self) -> list[Mapping[str, Any] | tuple[int, str]]:
        return [self._queue.get_nowait() for _ in range(self._queue.qsize())]

    async def _send(self, event: Mapping[str, Any]) -> bool:
        """False once the connection is of no more use."""
        if event["type"] == "response.output_audio.delta":
            self._sounds += 1
            if self._faults.cut_after is not None and self._sounds > self._faults.cut_after:
                self._socket.transport.abort()
                return False
            if self._faults.stall_after is not None and self._sounds > self._faults.stall_after:
                await self._socket.wait_closed()
                return False
        self._sent.append(event)
        await self._socket.send(json.dumps(event))
        if self._faults.unknown_event and event["type"] == "response.created":
            self._strange += 1
            strange = {"type": "response.mood.updated", "event_id": f"mood_{self._strange}", "mood": "fine"}
            await self._socket.send(json.dumps(strange))
        return True
