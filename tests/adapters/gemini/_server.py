"""A server that says what a test wants it to say, over TLS, and keeps what it was sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import attrs
from aiohttp import web

from offhook_adapters.twins.server import serving
from offhook_adapters.twins.tls import loopback_tls

KEY = "AIzaSyA-made-up-key-0123456789abcdef"


@attrs.define(eq=False)
class Script:
    """``first`` answers the setup, unless it is empty; ``says`` goes out next. Then the server closes, or
    listens where ``close`` is None.
    """

    says: Sequence[Mapping[str, Any] | str]
    close: tuple[int, str] | None = None
    first: Mapping[str, Any] = attrs.field(factory=lambda: {"setupComplete": {"sessionId": "s-1"}})
    received: list[Mapping[str, Any]] = attrs.field(factory=list)
    answered: asyncio.Event = attrs.field(factory=asyncio.Event)


@asynccontextmanager
async def saying(script: Script) -> AsyncIterator[Mapping[str, str]]:
    """The environment in which an adapter finds the server."""

    async def answer(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        script.received.append(await socket.receive_json())
        if script.first:
            await socket.send_json(dict(script.first))
        for message in script.says:
            await socket.send_str(message if isinstance(message, str) else json.dumps(message))
        if script.close is not None:
            await socket.close(code=script.close[0], message=script.close[1].encode())
            return socket
        async for told in socket:
            received = json.loads(told.data)
            if "tool_response" in received or "realtime_input" not in received:
                script.received.append(received)
                script.answered.set()
        return socket

    with loopback_tls() as tls:
        async with serving([web.get("/{path:.*}", answer)], tls=tls.context) as port:
            yield {
                "GEMINI_API_KEY": KEY,
                "GOOGLE_GEMINI_BASE_URL": f"https://127.0.0.1:{port}",
                "SSL_CERT_FILE": str(tls.ca_file),
            }
