"""A local server that speaks the wires of Mistral's parts: transcription and speech by WebSocket, and chat by
HTTP. Each message is held against the SDK's own types, those of the twin as well.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from aiohttp import web
from mistralai.client.models import ChatCompletionStreamRequest

from offhook.twins import Behind
from offhook_adapters.cascade.twin_parts import House, house_behind
from offhook_adapters.mistral._twin_checks import WireError, conforms
from offhook_adapters.mistral._twin_wires import EarsWire, VoiceWire, strange
from offhook_adapters.mistral.prices import catalogue
from offhook_adapters.twins.pipe import Farewell, Pipe
from offhook_adapters.twins.served import ServedTwin
from offhook_adapters.twins.server import Conversation, WireSocket, hold, refusal, serving

__all__ = ["mistral_twin"]

_EXPIRED: Final = Farewell((), 1001, "the session has reached its longest")

Wire = Callable[[Pipe, House, str], Conversation]


@asynccontextmanager
async def mistral_twin(behind: Behind, port: int = 0) -> AsyncIterator[ServedTwin]:
    """The twin on a port of 127.0.0.1; 0 takes a free one.

    Raises:
        MindError: the mind behind it can't be made.
        OSError: the port is taken.
    """
    house = house_behind(behind)
    routes = _Routes(house)
    listed = [
        web.get("/v1/audio/transcriptions/realtime", routes.ears),
        web.get("/v1/audio/speech/realtime", routes.voice),
        web.post("/v1/chat/completions", routes.chat),
        web.get("/v1/models/{model:.+}", routes.model),
        web.route("*", "/{path:.*}", routes.lost),
    ]
    async with serving(listed, port=port) as taken:
        environment = {
            "MISTRAL_API_KEY": house.key,
            "MISTRAL_BASE_URL": f"http://127.0.0.1:{taken}",
        }
        yield ServedTwin(house.key, environment, house.log, house.failures)


class _Routes:
    """What the server answers to whom."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._published = catalogue()

    async def ears(self, request: web.Request) -> web.StreamResponse:
        return await self._hold(request, self._published.hearing, EarsWire)

    async def voice(self, request: web.Request) -> web.StreamResponse:
        return await self._hold(request, self._published.speech, VoiceWire)

    async def chat(self, request: web.Request) -> web.StreamResponse:
        if (refused := self._turned_away(request)) is not None:
            return refused
        try:
            body = json.loads(await request.read())
        except ValueError:
            return _refused(400, "the body is not JSON")
        try:
            conforms(ChatCompletionStreamRequest, body)
        except WireError as error:
            return _refused(error.code, error.message)
        if body["model"] not in self._published.chat:
            return _refused(400, f"Invalid model: {body['model']}")
        # Mistral tells the usage without being asked.
        return await self._house.complete(request, {**body, "stream_options": {"include_usage": True}})

    async def model(self, request: web.Request) -> web.StreamResponse:
        if (refused := self._turned_away(request)) is not None:
            return refused
        name = request.match_info["model"]
        if name not in self._published.chat:
            return _refused(404, f"there is no model {name}")
        abilities = {"completion_chat": True, "function_calling": True}
        return web.json_response({"id": name, "object": "model", "type": "base", "capabilities": abilities})

    async def lost(self, request: web.Request) -> web.StreamResponse:
        return self._turned_away(request) or _refused(404, f"there is nothing at {request.path}")

    async def _hold(self, request: web.Request, models: Mapping[str, Any], wire: Wire) -> web.StreamResponse:
        if (refused := self._turned_away(request)) is not None:
            return refused
        model = request.query.get("model", "")
        if model not in models:
            return _refused(400, f"Invalid model: {model}")
        house = self._house

        def converse(socket: WireSocket) -> tuple[Pipe, Conversation]:
            pipe = Pipe(
                socket,
                house.faults,
                house.log.sent,
                strange=strange,
                farewell=_EXPIRED,
                count=house.count,
            )
            return pipe, wire(pipe, house, model)

        return await hold(request, converse)

    def _turned_away(self, request: web.Request) -> web.Response | None:
        faults = self._house.faults
        if faults.refuse is not None:
            return _refused(faults.refuse, "the twin was told to refuse")
        given = request.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {self._house.key}".encode()):
            return _refused(401, f"Unauthorized: {given.removeprefix('Bearer ')}")
        if faults.rate_limit:
            return _refused(429, "Requests rate limit exceeded")
        if faults.no_quota:
            return _refused(402, "the monthly limit of this workspace is reached")
        return None


def _refused(status: int, message: str) -> web.Response:
    return refusal(status, {"object": "error", "message": message, "type": "error", "code": status})
