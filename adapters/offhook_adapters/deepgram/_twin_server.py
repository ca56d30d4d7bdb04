"""The twin's front door: the handshake as the vendor holds it, then one TwinCall for each connection."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from aiohttp import web

from offhook.twins import TwinFaults
from offhook_adapters.deepgram._twin_call import TwinCall
from offhook_adapters.deepgram._twin_checks import wire_types
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.pipe import Farewell, Pipe
from offhook_adapters.twins.served import TwinLog
from offhook_adapters.twins.server import Conversation, WireSocket, hold, refusal, serving

__all__ = ["serve_twin"]

_PATH: Final = "/v1/agent/converse"


def serve_twin(
    agent: TwinAgent, key: str, faults: TwinFaults, log: TwinLog
) -> AbstractAsyncContextManager[int]:
    """Listens on a free port of 127.0.0.1."""
    types = wire_types()

    def turned_away(request: web.Request) -> web.Response | None:
        if faults.refuse is not None:
            return _refusal(faults.refuse, "SERVICE_UNAVAILABLE", "The twin was told to refuse.")
        given = request.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Token {key}".encode()):
            return _refusal(401, "INVALID_AUTH", "Invalid credentials.")
        if faults.rate_limit:
            return _refusal(429, "TOO_MANY_REQUESTS", "Too many requests. Please try again later.")
        if faults.no_quota:
            return _refusal(402, "ASR_PAYMENT_REQUIRED", "Project does not have enough credits.")
        return None

    async def answer(request: web.Request) -> web.StreamResponse:
        if (refused := turned_away(request)) is not None:
            return refused

        def converse(socket: WireSocket) -> tuple[Pipe, Conversation]:
            # the vendor documents no end of a session that has grown too long
            pipe = Pipe(socket, faults, log.sent, strange=_strange, farewell=Farewell())
            return pipe, TwinCall(pipe, agent, types, log, cancels=faults.cancel_tool)

        return await hold(request, converse)

    async def lost(request: web.Request) -> web.StreamResponse:
        return turned_away(request) or _refusal(404, "NOT_FOUND", f"There is nothing at {request.path}.")

    return serving([web.get(_PATH, answer), web.get("/{path:.*}", lost)])


def _strange(count: int) -> Mapping[str, Any]:
    return {"type": "MoodUpdated", "mood": "fine", "count": count}


def _refusal(status: int, code: str, message: str) -> web.Response:
    return refusal(status, {"err_code": code, "err_msg": message}, {"dg-error": message})
