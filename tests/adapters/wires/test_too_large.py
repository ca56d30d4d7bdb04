"""A message over the limit is the platform's breach, told in one line; it is not gathered without end."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from offhook.clock import run_real
from offhook.sessions import Ended, SessionError, SessionEvent
from offhook_adapters.wires.sockets import LARGEST

from ._servers import VENDORS, opened


async def _says_too_much(request: web.Request, socket: web.WebSocketResponse) -> None:
    await socket.send_str("x" * (LARGEST + 1024 * 1024))
    async for _ in socket:
        pass


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_message_of_any_size(vendor: str) -> None:
    async def work() -> list[SessionEvent]:
        async with opened(vendor, _says_too_much) as session:
            events = [event async for event in session.events()]
            await session.hang_up()
            return events

    events = run_real(asyncio.wait_for(work(), 30))
    told = [event for event in events if isinstance(event, SessionError) and event.fatal]
    assert [error.code for error in told] == ["bad_message"]
    assert told[0].message.startswith("the platform sent a message larger than any should be (frame ")
    assert "\n" not in told[0].message
    (ended,) = [event for event in events if isinstance(event, Ended)]
    assert (ended.by, ended.reason) == ("platform", told[0].message)
