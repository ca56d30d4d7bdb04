"""A chat model's server behind a twin: Chat Completions, its requests held against OpenAI's types."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from aiohttp import web

from offhook.twins import TwinFaults
from offhook_adapters.cascade.twin_parts import House
from offhook_adapters.twins.server import refusal

__all__ = ["ChatRoutes", "openai_refusal", "turned_away"]

# What a request may hold, as openai 3.57.0's CompletionCreateParams has it.
_REQUIRED: Final = ("model", "messages")


class ChatRoutes:
    """The routes of a chat server.

    Args:
        house: who answers.
        models: the names of the models there are.
        turned_away: why a request is refused before it is read, if it is.
    """

    def __init__(
        self,
        house: House,
        models: Collection[str],
        turned_away: Callable[[web.Request], web.Response | None],
    ) -> None:
        self._house = house
        self._models = models
        self._turned_away = turned_away

    async def list_models(self, request: web.Request) -> web.StreamResponse:
        """``GET /models``."""
        if (refused := self._turned_away(request)) is not None:
            return refused
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "twin"} for name in self._models]
        return web.json_response({"object": "list", "data": data})

    async def complete(self, request: web.Request) -> web.StreamResponse:
        """``POST /chat/completions``."""
        if (refused := self._turned_away(request)) is not None:
            return refused
        try:
            body = json.loads(await request.read())
        except ValueError:
            body = None
        if (wrong := _wrong(body)) is not None:
            return openai_refusal(400, "invalid_request_error", wrong)
        if body["model"] not in self._models:
            return openai_refusal(404, "model_not_found", f"the model {body['model']!r} does not exist")
        return await self._house.complete(request, body)


def turned_away(
    faults: TwinFaults, given: str, expected: str, refuse: Callable[[int, str, str], web.Response]
) -> web.Response | None:
    """Why a request is refused: a fault, or the wrong key. ``refuse`` is given status, code and text."""
    if faults.refuse is not None:
        return refuse(faults.refuse, "server_error", "the twin was told to refuse")
    if given != expected:
        return refuse(401, "invalid_api_key", f"incorrect key provided: {given}")
    if faults.rate_limit:
        return refuse(429, "rate_limit_exceeded", "the rate limit is reached, try again in 2 s")
    if faults.no_quota:
        return refuse(402, "insufficient_quota", "the credit of this account is used up")
    return None


def openai_refusal(status: int, code: str, message: str) -> web.Response:
    """An error as OpenAI's API words it."""
    return refusal(status, {"error": {"type": code, "code": code, "message": message, "param": None}})


def _wrong(body: Any) -> str | None:
    """What is wrong with a request, or None."""
    from openai.types.chat import completion_create_params as params
    from pydantic import TypeAdapter, ValidationError

    if not isinstance(body, dict):
        return "the body is not a JSON object"
    known: set[str] = set()
    for kind in (params.CompletionCreateParamsBase, params.CompletionCreateParamsStreaming):
        known |= set(kind.__annotations__)
    if unknown := sorted(set(body) - known):
        return f"unrecognized request argument: {unknown[0]}"
    if missing := [name for name in _REQUIRED if name not in body]:
        return f"you must provide {missing[0]}"
    try:
        adapter: TypeAdapter[Mapping[str, Any]] = TypeAdapter(params.CompletionCreateParamsBase)
        adapter.validate_python({name: value for name, value in body.items() if name != "stream"})
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return None
