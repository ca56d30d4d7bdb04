"""The server of a twin: HTTP and WebSocket on one port of 127.0.0.1, with TLS where the vendor's SDK
insists.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from aiohttp import WSMsgType, web

from offhook_adapters.twins.pipe import Pipe

__all__ = ["Conversation", "WireSocket", "hold", "refusal", "serving"]

_LARGEST: Final = 24 * 1024 * 1024
_SHUTDOWN_SECONDS: Final = 1.0


class Conversation(Protocol):
    """One connection from the server's side."""

    def begin(self) -> None:
        """The connection is open."""
        ...

    def take(self, message: str | bytes) -> None:
        """One message of the client."""
        ...

    async def close(self) -> None:
        """The client is gone."""
        ...


class WireSocket:
    """A WebSocket of aiohttp's as a ``Socket``."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        self._request = request
        self._socket = socket
        self._closed = asyncio.Event()

    async def send(self, message: str | bytes) -> None:
        if isinstance(message, str):
            await self._socket.send_str(message)
        else:
            await self._socket.send_bytes(message)

    async def close(self, code: int, reason: str) -> None:
        await self._socket.close(code=code, message=reason.encode())

    def abort(self) -> None:
        if self._request.transport is not None:
            self._request.transport.abort()

    async def wait_closed(self) -> None:
        await self._closed.wait()

    def gone(self) -> None:
        """The client has left."""
        self._closed.set()


@asynccontextmanager
async def serving(
    routes: Iterable[web.RouteDef], *, port: int = 0, tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Serves the routes inside the block and yields the port. Open WebSockets are closed at its end.

    Raises:
        OSError: the port is taken.
    """
    app = web.Application(client_max_size=_LARGEST)
    app.add_routes(routes)
    runner = web.AppRunner(
        app, access_log=None, shutdown_timeout=_SHUTDOWN_SECONDS, handler_cancellation=True
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port, ssl_context=tls)
        await site.start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


async def hold(
    request: web.Request,
    converse: Callable[[WireSocket], tuple[Pipe, Conversation]],
    *,
    protocols: Iterable[str] = (),
) -> web.WebSocketResponse:
    """Takes a WebSocket and holds its conversation until the client is gone."""
    socket = web.WebSocketResponse(max_msg_size=_LARGEST, compress=False, timeout=1.0, protocols=protocols)
    await socket.prepare(request)
    wire = WireSocket(request, socket)
    pipe, conversation = converse(wire)
    conversation.begin()
    sending = asyncio.create_task(pipe.run())
    try:
        async for message in socket:
            if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                conversation.take(message.data)
    finally:
        wire.gone()
        # a client that has gone cancels this handler, maybe while it is tidying up
        await asyncio.shield(_over(conversation, sending))
    return socket


async def _over(conversation: Conversation, sending: asyncio.Task[None]) -> None:
    sending.cancel()
    await conversation.close()
    await asyncio.gather(sending, return_exceptions=True)


def refusal(status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> web.Response:
    """An answer that turns a client away."""
    return web.json_response(dict(body), status=status, headers={"Connection": "close", **(headers or {})})
