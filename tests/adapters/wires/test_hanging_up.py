"""Hanging up is done within about two seconds whatever the platform does, and nothing stays open."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import attrs
import numpy as np
import pytest
from aiohttp import web

from offhook.audio import FRAME_SAMPLES
from offhook.clock import run_real
from offhook.sessions import Ended, SessionError
from offhook_adapters.wires import stream as stream_module
from offhook_adapters.wires.reading import write_until_closed
from offhook_adapters.wires.stream import CallStream

from ._servers import VENDORS, opened

# The package's own time for a goodbye is ten seconds, and it has none for the rest to be taken.
_TOO_LONG = 5.0
_FLOOD = json.dumps({"type": "flood", "setupComplete": {}, "filler": "x" * 64 * 1024})


@attrs.frozen(eq=False)
class Flood:
    begun: asyncio.Event = attrs.field(factory=asyncio.Event)
    over: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def __call__(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        """Sends without end, and takes nothing at all."""
        assert request.transport is not None
        raw = request.transport.get_extra_info("socket")
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        request.transport.pause_reading()  # type: ignore[attr-defined]
        try:
            while True:
                await socket.send_str(_FLOOD)
                self.begun.set()
        finally:
            self.over.set()


async def hung_up(vendor: str) -> float:
    """How long it took to hang up; the connection is gone soon after."""
    flood, loop = Flood(), asyncio.get_running_loop()
    async with opened(vendor, flood) as session:
        await flood.begun.wait()
        for _ in range(499):  # more than the way there holds
            session.send_audio(np.ones(FRAME_SAMPLES, dtype=np.int16))
        await asyncio.sleep(0.1)
        began = loop.time()
        await session.hang_up()
        took = loop.time() - began
        await asyncio.wait_for(flood.over.wait(), _TOO_LONG)
    return took


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_flood_that_nobody_reads(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "_CLOSE_SECONDS", 0.3)
    assert run_real(asyncio.wait_for(hung_up(vendor), 30)) < 1.5  # two seconds if it were not cut


def test_the_time_for_a_goodbye_is_less_than_that_for_hanging_up() -> None:
    assert stream_module._CLOSE_SECONDS < stream_module._HANG_UP_SECONDS <= 2.0


# --- what can't be sent ------------------------------------------------------------------------------------


@asynccontextmanager
async def stream() -> AsyncIterator[CallStream]:
    async def close() -> None:
        return None

    made = CallStream(("secret",), close, patience=1)
    yield made
    await made.hang_up()


def test_a_message_that_can_not_be_sent_ends_the_call() -> None:
    async def broken() -> None:
        "\ud800 secret".encode()

    async def work() -> list[object]:
        async with stream() as made:
            made.spawn(write_until_closed(broken, made, "secret"))
            return [event async for event in made.events()]

    error, ended = run_real(asyncio.wait_for(work(), 10))
    assert isinstance(error, SessionError)
    assert (error.code, error.fatal) == ("not_sent", True)
    assert error.message.startswith("the adapter could not send a message (UnicodeEncodeError: ")
    assert isinstance(ended, Ended)
    assert ended.by == "platform"
