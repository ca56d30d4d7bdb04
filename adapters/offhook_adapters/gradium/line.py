"""One WebSocket to Gradium.

The SDK's client makes it, with its address and headers. Its messages are read here: the SDK's own reader
(gradium 0.6.4, ``stream.Stt.recv``) goes round for ever once a connection is lost without a closing
handshake, and so would stop the whole program.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from offhook_adapters.cascade.parts import PartFailed
from offhook_adapters.gradium.config import GRADIUM
from offhook_adapters.wires.trouble import failed_connect, one_line, refused_status
from offhook_adapters.wires.vendor import VendorError, VendorUnusable

if TYPE_CHECKING:
    import aiohttp
    from gradium.client import GradiumClient  # type: ignore[import-untyped]

__all__ = ["OPEN_SECONDS", "Line", "open_line"]

OPEN_SECONDS: Final = 15.0
# docs.gradium.ai/guides/errors, copied 2026-07-19: 1008 is a key or a setup that is refused, 1011 a failure
# of the server.
_REFUSED: Final = 1008


async def open_line(
    client: GradiumClient,
    session: aiohttp.ClientSession,
    route: str,
    setup: Mapping[str, Any],
    *,
    part: str,
    where: str,
    key: str,
) -> Line:
    """Connects, sets up and waits until the platform is ready.

    Raises:
        VendorError: it did not take the session; VendorUnusable where it never will.
    """
    import aiohttp

    try:
        async with asyncio.timeout(OPEN_SECONDS):
            socket = await client.ws(session, route)
    except aiohttp.WSServerHandshakeError as error:
        raise refused_status(error.status, error.message, GRADIUM, where, key) from None
    except Exception as error:
        raise failed_connect(error, GRADIUM, where, key) from None
    line = Line(socket, part, key)
    try:
        async with asyncio.timeout(OPEN_SECONDS):
            await line.send({**_as_text(setup), "type": "setup"})
            line.ready = await line.next() or {}
    except BaseException as error:
        await line.close()
        if isinstance(error, TimeoutError):
            raise VendorError(
                f"{where} was not ready for {part} within {OPEN_SECONDS:.0f} s: try again later"
            ) from None
        if isinstance(error, PartFailed):
            raise _refused(error, where) from None
        raise
    if line.ready.get("type") != "ready":
        await line.close()
        told = one_line(json.dumps(line.ready), key)
        raise VendorError(
            f"{where} did not open {part} ({told or 'it closed the connection'}): try again later"
        )
    return line


class Line:
    """A session of one part. ``ready`` is what the platform said first."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, part: str, key: str) -> None:
        self._socket = socket
        self._part = part
        self._key = key
        self.ready: Mapping[str, Any] = {}

    @property
    def closed(self) -> bool:
        return self._socket.closed

    async def send(self, message: Mapping[str, Any]) -> None:
        """Sends a message; one to a connection that is gone is lost, and whoever reads is told."""
        if not self._socket.closed:
            await self._socket.send_str(json.dumps(dict(message)))

    async def next(self) -> dict[str, Any] | None:
        """The next message; None once the connection was closed in order.

        Raises:
            PartFailed: it was lost, the platform told of an error, or it can't be understood.
        """
        from aiohttp import WSMsgType

        while True:
            message = await self._socket.receive()
            if message.type is WSMsgType.TEXT:
                return self._read(message.data)
            if message.type is WSMsgType.CLOSE:
                if message.data == 1000:
                    return None
                reason = one_line(str(message.extra or ""), self._key)
                raise PartFailed(
                    "connection_lost", f"{self._part} was closed with code {message.data}: {reason}"
                )
            if message.type in (WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR):
                raise PartFailed("connection_lost", f"{self._part} broke off without a closing handshake")

    async def close(self) -> None:
        """Hangs up. Idempotent."""
        await self._socket.close()

    def _read(self, text: str) -> dict[str, Any]:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise PartFailed("bad_message", f"{self._part} sent what this adapter can't read")
        if message["type"] == "error":
            told = one_line(f"{message.get('code')}: {message.get('message')}", self._key)
            raise PartFailed(f"error_{message.get('code')}", f"{self._part} failed ({told})")
        return message


def _refused(error: PartFailed, where: str) -> VendorError:
    if error.code == f"error_{_REFUSED}":
        return VendorUnusable(f"{where}: {error}: check {GRADIUM.key} and the options")
    return VendorError(f"{where}: {error}: try again later")


def _as_text(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The SDK sends what is in ``json_config`` as text."""
    detail = setup.get("json_config")
    return dict(setup) if detail is None else {**setup, "json_config": json.dumps(detail)}
