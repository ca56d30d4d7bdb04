"""The tool server on a real socket, for platforms in other processes and webhooks."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import AsyncIterator, Iterator

import uvicorn
from starlette.types import ASGIApp

from offhook.toolserver._server import ToolServer

__all__ = ["ServeError", "quieted", "serve", "serve_app"]


class ServeError(Exception):
    """The server can't listen where it was told to. One line that says what to do."""


class _Uvicorn(uvicorn.Server):
    """Tells when it listens, and leaves signals to whoever runs the loop."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def serve(
    server: ToolServer, host: str = "127.0.0.1", port: int = 0
) -> contextlib.AbstractAsyncContextManager[str]:
    """Serves ``server.app`` as ``serve_app`` does. On a virtual loop use ``server.call``."""
    return serve_app(server.app, host, port)


@contextlib.asynccontextmanager
async def serve_app(app: ASGIApp, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[str]:
    """Serves an application over HTTP inside the block and yields its base URL. Port 0 takes any free one.
    Needs the ordinary event loop.

    Raises:
        ServeError: the port is in use or not allowed, or the host is not this machine's.
    """
    listener = _listen(host, port)
    quieted("uvicorn")
    config = uvicorn.Config(
        app, lifespan="off", log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=5
    )
    uvicorn_server = _Uvicorn(config)
    running = asyncio.create_task(uvicorn_server.serve(sockets=[listener]))
    listening = asyncio.create_task(uvicorn_server.listening.wait())
    try:
        await asyncio.wait({running, listening}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
            raise ServeError(f"the tool server stopped while starting on {host}:{port}")
        shown = f"[{host}]" if ":" in host else host
        yield f"http://{shown}:{listener.getsockname()[1]}"
    finally:
        listening.cancel()
        uvicorn_server.should_exit = True
        await running
        listener.close()


def quieted(logger: str) -> None:
    """What a server says of its clients, such as of one that speaks no HTTP, goes to whoever has set up
    logging, and not into a run's progress on stderr.
    """
    log = logging.getLogger(logger)
    if not log.handlers:
        log.addHandler(logging.NullHandler())


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ServeError(
                f"port {port} on {host} is in use; choose another, or 0 for any free one"
            ) from None
        raise ServeError(f"can't listen on {host}:{port}: {error.strerror or error}") from None
