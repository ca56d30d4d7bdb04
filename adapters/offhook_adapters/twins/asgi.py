"""An ASGI app on a twin's own server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from aiohttp import web

__all__ = ["answered_by"]

AsgiApp = Callable[
    [
        MutableMapping[str, Any],
        Callable[[], Awaitable[MutableMapping[str, Any]]],
        Callable[[MutableMapping[str, Any]], Awaitable[None]],
    ],
    Awaitable[None],
]


async def answered_by(app: AsgiApp, request: web.Request, path: str, body: bytes) -> web.StreamResponse:
    """Hands a request to the app, with ``body``, and its answer to the client as it comes.

    Raises:
        ConnectionError: the client is gone.
    """
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": request.query_string.encode(),
        "headers": [
            (name.lower().encode(), value.encode())
            for name, value in request.headers.items()
            if name.lower() not in ("content-length", "transfer-encoding")
        ],
        "server": ("127.0.0.1", 0),
        "client": ("127.0.0.1", 0),
    }
    given = [{"type": "http.request", "body": body, "more_body": False}]
    response: web.StreamResponse | None = None

    async def receive() -> MutableMapping[str, Any]:
        return given.pop() if given else {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal response
        if message["type"] == "http.response.start":
            headers = [
                (name.decode(), value.decode())
                for name, value in message.get("headers", ())
                if name.lower() not in (b"content-length", b"transfer-encoding")
            ]
            response = web.StreamResponse(status=message["status"], headers=dict(headers))
            await response.prepare(request)
        elif response is not None and message.get("body"):
            await response.write(message["body"])

    await app(scope, receive, send)
    if response is None:
        return web.Response(status=500)
    await response.write_eof()
    return response
