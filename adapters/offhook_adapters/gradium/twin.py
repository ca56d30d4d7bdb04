"""A local server that speaks the wires of Gradium's parts, and those of a chat model besides."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from offhook.twins import Behind
from offhook_adapters.cascade.twin_chat import ChatRoutes, openai_refusal, turned_away
from offhook_adapters.cascade.twin_parts import House, house_behind
from offhook_adapters.gradium._twin_wires import EarsWire, VoiceWire, strange
from offhook_adapters.gradium.config import CHAT, GRADIUM, catalogue
from offhook_adapters.twins.pipe import Farewell, Pipe
from offhook_adapters.twins.served import ServedTwin
from offhook_adapters.twins.server import Conversation, WireSocket, hold, refusal, serving

__all__ = ["gradium_twin"]

_EXPIRED: Final = Farewell(
    ({"type": "error", "message": "the session has reached its longest", "code": 1008},), 1008, "session over"
)


@asynccontextmanager
async def gradium_twin(
    behind: Behind, port: int = 0, session_seconds: float | None = None
) -> AsyncIterator[ServedTwin]:
    """The twin on a port of 127.0.0.1; 0 takes a free one. A session of speech-to-text ends after
    ``session_seconds`` of sound; None takes what the vendor says.

    Raises:
        MindError: the mind behind it can't be made.
        OSError: the port is taken.
    """
    house = house_behind(behind)
    routes = _Routes(house, session_seconds or catalogue().session_seconds)
    chat = ChatRoutes(house, (catalogue().default_chat,), routes.chat_turned_away)
    listed = [
        web.get("/api/speech/asr", routes.ears),
        web.get("/api/speech/tts", routes.voice),
        web.post("/v1/chat/completions", chat.complete),
        web.get("/v1/models", chat.list_models),
        web.route("*", "/{path:.*}", routes.lost),
    ]
    async with serving(listed, port=port) as taken:
        environment = {
            GRADIUM.key: house.key,
            GRADIUM.url: f"http://127.0.0.1:{taken}/api",
            CHAT.key: house.key,
            CHAT.url: f"http://127.0.0.1:{taken}/v1",
        }
        yield ServedTwin(house.key, environment, house.log, house.failures)


class _Routes:
    """What the server answers to whom."""

    def __init__(self, house: House, longest: float) -> None:
        self._house = house
        self._longest = longest

    async def ears(self, request: web.Request) -> web.StreamResponse:
        return await self._hold(
            request, lambda pipe, refused: EarsWire(pipe, self._house, refused, self._longest)
        )

    async def voice(self, request: web.Request) -> web.StreamResponse:
        return await self._hold(request, lambda pipe, refused: VoiceWire(pipe, self._house, refused))

    async def lost(self, request: web.Request) -> web.StreamResponse:
        return web.Response(status=404, text=f"there is nothing at {request.path}")

    def chat_turned_away(self, request: web.Request) -> web.Response | None:
        given = request.headers.get("Authorization", "")
        return turned_away(self._house.faults, given, f"Bearer {self._house.key}", openai_refusal)

    async def _hold(
        self, request: web.Request, wire: Callable[[Pipe, str], Conversation]
    ) -> web.StreamResponse:
        house = self._house
        given = request.headers.get("x-api-key", "")
        # A wrong key is told after the handshake (docs.gradium.ai/guides/errors); how a limit that is reached
        # shows is not documented, so it is taken to be a plain HTTP status.
        refused = turned_away(house.faults, house.key, house.key, _refusal)
        if refused is not None:
            return refused
        wrong = "" if given == house.key else f"invalid API key: {given}"

        def converse(socket: WireSocket) -> tuple[Pipe, Conversation]:
            pipe = Pipe(
                socket,
                house.faults,
                house.log.sent,
                strange=strange,
                farewell=_EXPIRED,
                count=house.count,
            )
            return pipe, wire(pipe, wrong)

        return await hold(request, converse)


def _refusal(status: int, code: str, message: str) -> web.Response:
    return refusal(status, {"detail": message})
