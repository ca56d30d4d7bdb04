"""A local server that speaks GPT-Live's wire, with the reference platform listening and talking behind it.

Each message of a client is held against the SDK's own types, and so is each of the twin's.
"""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from offhook.clock import compute
from offhook.twins import TwinFaults
from offhook_adapters.gpt_live.config import GPT_LIVE
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.served import ServedTwin, TwinLog, new_key

if TYPE_CHECKING:
    from aiohttp import web

    from offhook_adapters.gpt_live._twin_types import LiveTypes

__all__ = ["serve_twin"]

_PATH: Final = "/v1/live/sessions"


@asynccontextmanager
async def serve_twin(
    agent: TwinAgent, *, key: str = "", faults: TwinFaults | None = None, port: int = 0
) -> AsyncIterator[ServedTwin]:
    """Serves inside the block. It takes any number of connections.

    Args:
        agent: who answers.
        key: the only key that is let in; a new one where none is given.
        faults: what goes wrong.
        port: where it listens on 127.0.0.1; 0 takes a free port.

    Raises:
        ModuleNotFoundError: the OpenAI SDK is missing.
        OSError: the port is taken.
    """
    from aiohttp import web

    types = await compute(_types)  # imports the SDK as well, which takes a second; calls go on meanwhile

    from offhook_adapters.gpt_live._twin_call import TwinCall
    from offhook_adapters.twins.pipe import Farewell, Message, Pipe
    from offhook_adapters.twins.server import Conversation, WireSocket, hold, serving

    log = TwinLog()
    key, shown = key or new_key(), faults or TwinFaults()

    async def answer(request: web.Request) -> web.StreamResponse:
        turned = _turned_away(request, key, shown)
        if turned is None and request.query_string:
            turned = _refused(400, "unknown_parameter", "a Live session takes no query parameters")
        if turned is not None:
            return turned

        def converse(socket: WireSocket) -> tuple[Pipe, Conversation]:
            last: list[Message] = []
            pipe = Pipe(socket, shown, log.sent, strange=_strange, farewell=Farewell(last, 1000))
            return pipe, TwinCall(pipe, agent, types, shown, last, log)

        return await hold(request, converse)

    async def lost(request: web.Request) -> web.StreamResponse:
        return _turned_away(request, key, shown) or _refused(
            404, "not_found", f"there is nothing at {request.path}"
        )

    routes = [web.get(_PATH, answer), web.get("/{path:.*}", lost)]
    async with serving(routes, port=port) as taken:
        environment = {GPT_LIVE.key: key, GPT_LIVE.url: f"http://127.0.0.1:{taken}/v1"}
        yield ServedTwin(key, environment, log, agent.failures)


def _types() -> LiveTypes:
    from offhook_adapters.gpt_live._twin_types import live_types

    return live_types()


def _turned_away(request: web.Request, key: str, faults: TwinFaults) -> web.Response | None:
    if faults.refuse is not None:
        return _refused(faults.refuse, "server_error", "the twin was told to refuse")
    given = request.headers.get("Authorization", "")
    if not hmac.compare_digest(given.encode(), f"Bearer {key}".encode()):
        return _refused(401, "invalid_api_key", f"incorrect key provided: {given.removeprefix('Bearer ')}")
    return None


def _strange(count: int) -> Mapping[str, Any]:
    return {"type": "session.mood.updated", "event_id": f"mood_{count}", "mood": "fine"}


def _refused(status: int, code: str, message: str) -> web.Response:
    from offhook_adapters.twins.server import refusal

    return refusal(status, {"error": {"type": "invalid_request_error", "code": code, "message": message}})
