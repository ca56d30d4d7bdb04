"""The twin's front door: the handshake as the vendor holds it, then one TwinCall for each connection."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from aiohttp import web

from offhook.twins import TwinFaults
from offhook_adapters.openai_realtime._twin_call import TwinCall
from offhook_adapters.openai_realtime.twin_dialect import TwinDialect
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.pipe import Farewell, Pipe
from offhook_adapters.twins.served import TwinLog
from offhook_adapters.twins.server import Conversation, WireSocket, hold, refusal, serving

__all__ = ["serve_twin"]

_PATH: Final = "/v1/realtime"
_LIMITS: Final[Mapping[str, tuple[str, str]]] = {
    "rate_limit": ("rate_limit_exceeded", "the rate limit of this model is reached, try again in 2 s"),
    "no_quota": ("insufficient_quota", "you exceeded your current quota, check your plan and billing"),
}


def serve_twin(
    agent: TwinAgent, dialect: TwinDialect, key: str, faults: TwinFaults, port: int, log: TwinLog
) -> AbstractAsyncContextManager[int]:
    """Listens on 127.0.0.1.

    Raises:
        OSError: the port is taken.
    """
    models = dialect.models
    farewell = Farewell((_expired(dialect.longest),), 1001)

    def refused(status: int, code: str, message: str) -> web.Response:
        return refusal(*dialect.refusal(status, code, message))

    def turned_away(request: web.Request) -> web.Response | None:
        if faults.refuse is not None:
            return refused(faults.refuse, "server_error", "the twin was told to refuse")
        given = request.headers.get("Authorization", "")
        if not given:
            return refused(401, "missing_authorization", "send the key as a bearer token")
        if not hmac.compare_digest(given.encode(), f"Bearer {key}".encode()):
            return refused(401, "invalid_api_key", f"incorrect key provided: {given.removeprefix('Bearer ')}")
        if faults.rate_limit or faults.no_quota:
            return refused(429, *_LIMITS["rate_limit" if faults.rate_limit else "no_quota"])
        return None

    async def answer(request: web.Request) -> web.StreamResponse:
        if (turned := turned_away(request)) is not None:
            return turned
        if _model(request) not in models:
            return refused(404, "model_not_found", f"there is no model {_model(request)!r}")

        def converse(socket: WireSocket) -> tuple[Pipe, Conversation]:
            pipe = Pipe(socket, faults, log.sent, strange=_strange, farewell=farewell)
            return pipe, TwinCall(pipe, agent, dialect, _model(request), log)

        return await hold(request, converse)

    async def lost(request: web.Request) -> web.StreamResponse:
        return turned_away(request) or refused(404, "not_found", f"there is nothing at {request.path}")

    return serving([web.get(_PATH, answer), web.get("/{path:.*}", lost)], port=port)


def _model(request: web.Request) -> str:
    return request.query.get("model", "")


def _expired(message: str) -> Mapping[str, Any]:
    error = {"type": "invalid_request_error", "code": "session_expired", "message": message}
    return {
        "type": "error",
        "event_id": "event_expired",
        "error": {**error, "param": None, "event_id": None},
    }


def _strange(count: int) -> Mapping[str, Any]:
    return {"type": "response.mood.updated", "event_id": f"mood_{count}", "mood": "fine"}
