"""The twin's front door: the handshake as the vendor holds it, then one TwinCall for each connection."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from offhook_adapters.openai_realtime._twin_call import TwinCall
from offhook_adapters.openai_realtime._twin_checks import wire_types
from offhook_adapters.openai_realtime._twin_pipe import Pipe
from offhook_adapters.openai_realtime.prices import catalogue
from offhook_adapters.openai_realtime.twin import TwinAgent, TwinFaults

__all__ = ["serve_twin"]

_PATH: Final = "/v1/realtime"
_LARGEST: Final = 24 * 1024 * 1024


async def serve_twin(
    agent: TwinAgent,
    key: str,
    faults: TwinFaults,
    port: int,
    *,
    received: list[Mapping[str, Any]],
    sent: list[Mapping[str, Any]],
) -> Server:
    """Listens on 127.0.0.1.

    Raises:
        OSError: the port is taken.
    """
    models, types = frozenset(catalogue().models), wire_types()

    def admit(socket: ServerConnection, request: Request) -> Response | None:
        if faults.refuse is not None:
            return _refusal(faults.refuse, "server_error", "the twin was told to refuse")
        url = urlsplit(request.path)
        if url.path != _PATH:
            return _refusal(404, "not_found", f"there is nothing at {url.path}")
        given = request.headers.get("Authorization", "")
        if not given:
            return _refusal(401, "missing_authorization", "send the key as a bearer token")
        if not hmac.compare_digest(given.encode(), f"Bearer {key}".encode()):
            return _refusal(
                401, "invalid_api_key", f"incorrect key provided: {given.removeprefix('Bearer ')}"
            )
        if _model(request) not in models:
            return _refusal(404, "model_not_found", f"there is no model {_model(request)!r}")
        return None

    async def hold(socket: ServerConnection) -> None:
        assert socket.request is not None
        pipe = Pipe(socket, faults, sent)
        call = TwinCall(pipe, agent, types, _model(socket.request), received)
        call.begin()
        sending = asyncio.create_task(pipe.run())
        try:
            async for message in socket:
                call.take(message)
        except ConnectionClosed:
            pass
        finally:
            await call.close()
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    return await serve(
        hold, "127.0.0.1", port, process_request=admit, max_size=_LARGEST, compression=None, close_timeout=1
    )


def _model(request: Request) -> str:
    return parse_qs(urlsplit(request.path).query).get("model", [""])[0]


def _refusal(status: int, code: str, message: str) -> Response:
    body = json.dumps({"error": {"type": "invalid_request_error", "code": code, "message": message}}).encode()
    headers = Headers({"Content-Type": "application/json", "Content-Length": str(len(body))})
    headers["Connection"] = "close"
    return Response(status, "Refused", headers, body)
