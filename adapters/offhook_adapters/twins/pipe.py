"""What a twin sends, in order, and the faults on its way."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

import attrs

from offhook.twins import TwinFaults

__all__ = ["PIECE_SECONDS", "Farewell", "Pipe", "Socket", "SoundCount"]

PIECE_SECONDS: Final = 0.2
"""Faults count the agent's sound in pieces of this length."""

Message = Mapping[str, Any] | str | bytes


class Socket(Protocol):
    """A WebSocket of the server."""

    async def send(self, message: str | bytes) -> None:
        """Raises ConnectionError once the client is gone."""
        ...

    async def close(self, code: int, reason: str) -> None: ...

    def abort(self) -> None:
        """Breaks the connection off without a goodbye."""
        ...

    async def wait_closed(self) -> None: ...


@attrs.frozen
class Farewell:
    """How the vendor ends a session at its longest: what it sends, and how it closes."""

    messages: Sequence[Message] = ()
    code: int = 1000
    reason: str = ""


@attrs.define
class SoundCount:
    """How many pieces of the agent's sound went out, where several connections carry it."""

    pieces: float = 0.0


@attrs.frozen
class _Item:
    message: Message
    seconds: float


@attrs.frozen
class _Close:
    code: int
    reason: str


class Pipe:
    """A queue to one client. ``sent`` keeps every JSON message that went out; ``strange`` makes the n-th
    event that nobody documented. ``count`` is shared by the connections of a call whose sound is counted
    together for the faults.
    """

    def __init__(
        self,
        socket: Socket,
        faults: TwinFaults,
        sent: list[Mapping[str, Any]],
        *,
        strange: Callable[[int], Message],
        farewell: Farewell,
        count: SoundCount | None = None,
    ) -> None:
        self._socket = socket
        self._faults = faults
        self._sent = sent
        self._strange = strange
        self._farewell = farewell
        self._queue: asyncio.Queue[_Item | _Close] = asyncio.Queue()
        self._count = SoundCount() if count is None else count
        self._strangers = 0

    def put(self, message: Message, seconds: float = 0.0) -> None:
        """Sends a message after all before it. ``seconds`` is how much of the agent's sound it holds."""
        self._queue.put_nowait(_Item(message, seconds))

    def odd(self) -> None:
        """A place where an undocumented event goes, if that fault is set."""
        if self._faults.unknown_event:
            self._strangers += 1
            self.put(self._strange(self._strangers))

    def close(self, code: int, reason: str) -> None:
        """Closes the connection, after all before it was sent."""
        self._queue.put_nowait(_Close(code, reason))

    async def run(self) -> None:
        """Sends until the connection is closed or cut."""
        try:
            while True:
                item = await self._queue.get()
                if self._faults.burst:
                    await asyncio.sleep(self._faults.burst)  # the rest gathers behind this one
                for following in (item, *self._gathered()):
                    if isinstance(following, _Close):
                        await self._socket.close(following.code, following.reason)
                        return
                    if not await self._send(following):
                        return
        except ConnectionError:
            pass

    def _gathered(self) -> list[_Item | _Close]:
        return [self._queue.get_nowait() for _ in range(self._queue.qsize())]

    async def _send(self, item: _Item) -> bool:
        """False once the connection is of no more use."""
        if item.seconds:
            self._count.pieces += item.seconds / PIECE_SECONDS
            if _passed(self._count.pieces, self._faults.cut_after):
                self._socket.abort()
                return False
            if _passed(self._count.pieces, self._faults.stall_after):
                await self._socket.wait_closed()
                return False
            if _passed(self._count.pieces, self._faults.expire_after):
                for message in self._farewell.messages:
                    await self._out(message)
                await self._socket.close(self._farewell.code, self._farewell.reason)
                return False
        await self._out(item.message)
        return True

    async def _out(self, message: Message) -> None:
        if isinstance(message, (str, bytes)):
            await self._socket.send(message)
            return
        self._sent.append(message)
        await self._socket.send(json.dumps(message))


def _passed(pieces: float, limit: int | None) -> bool:
    return limit is not None and pieces > limit + 1e-6
