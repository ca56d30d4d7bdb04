"""A local server that speaks Gemini Live's wire over TLS, with the reference platform listening and talking
behind it.

Each message of a client is held against the SDK's own types, and so is each of the twin's, so the twin can't
just confirm how the adapter reads the vendor.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from offhook.twins import TwinFaults
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.served import ServedTwin, TwinLog, new_key

if TYPE_CHECKING:
    from aiohttp import web

__all__ = ["serve_twin"]

_PATH: Final = re.compile(
    r"/ws/google\.ai\.generativelanguage\.v1\w*\.GenerativeService\.BidiGenerateContent"
)
_RATE_LIMIT: Final = "Resource has been exhausted (e.g. check rate limit)."
_NO_QUOTA: Final = "You exceeded your current quota, please check your plan and billing details."
_EXPIRED: Final = "Deadline expired before operation could complete."


@asynccontextmanager
async def serve_twin(
    agent: TwinAgent, faults: TwinFaults | None = None, *, port: int = 0
) -> AsyncIterator[ServedTwin]:
    """Listens on 127.0.0.1 for any number of connections; ``port`` 0 takes a free one.

    Raises:
        ModuleNotFoundError: the SDK is missing.
        OSError: the port is taken.
    """
    from aiohttp import web

    from offhook_adapters.twins.server import serving
    from offhook_adapters.twins.tls import loopback_tls

    key, log = new_key(), TwinLog()

    async def answer(request: web.Request) -> web.StreamResponse:
        return await _answer(request, agent, faults or TwinFaults(), key, log)

    with loopback_tls() as tls:
        async with serving([web.get("/{path:.*}", answer)], port=port, tls=tls.context) as taken:
            environment: Mapping[str, str] = {
                "GEMINI_API_KEY": key,
                "GOOGLE_GEMINI_BASE_URL": f"https://127.0.0.1:{taken}",
                "SSL_CERT_FILE": str(tls.ca_file),
            }
            yield ServedTwin(key, environment, log, agent.failures)


async def _answer(
    request: web.Request, agent: TwinAgent, faults: TwinFaults, key: str, log: TwinLog
) -> web.StreamResponse:
    from offhook_adapters.gemini._twin_call import Door, TwinCall
    from offhook_adapters.twins.pipe import Farewell, Pipe
    from offhook_adapters.twins.server import Conversation, WireSocket, hold

    if faults.refuse is not None:
        return _refusal(faults.refuse, "the twin was told to refuse")
    if not _PATH.fullmatch(request.path):
        return _refusal(404, f"there is nothing at {request.path}")
    told = _RATE_LIMIT if faults.rate_limit else _NO_QUOTA if faults.no_quota else ""
    door = Door(key, request.headers.get("x-goog-api-key", ""), told)

    def converse(socket: WireSocket) -> tuple[Pipe, Conversation]:
        farewell = Farewell(({"goAway": {"timeLeft": "0s"}},), 1011, _EXPIRED)
        pipe = Pipe(socket, faults, log.sent, strange=_strange, farewell=farewell)
        return pipe, TwinCall(pipe, agent, door, log, cancels=faults.cancel_tool)

    return await hold(request, converse)


def _strange(count: int) -> Mapping[str, Any]:
    return {"moodUpdate": {"mood": "fine", "count": count}}


def _refusal(status: int, message: str) -> web.Response:
    from offhook_adapters.twins.server import refusal

    return refusal(status, {"error": {"code": status, "message": message, "status": "UNAVAILABLE"}})
