"""The reference mind served as Chat Completions, for platforms that bring their own ears, voice and turns.

A request holds the whole conversation, so nothing is kept between two of them: each history is played to a
fresh mind, and what that does next is the answer. Turns that were cut off, prepared in vain or asked for
twice can't lead it astray.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs
import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from offhook.sessions import AgentConfig, CallSetup
from offhook.toolserver import serve_app
from offhook.twins import Script
from offhook_adapters.reference.completions_history import (
    BadRequest,
    History,
    as_json,
    read_history,
    read_tools,
)
from offhook_adapters.reference.completions_replay import (
    Answer,
    RememberingEmbedder,
    ScriptMind,
    replay,
)
from offhook_adapters.reference.minds.desk import Mind, MindFactory
from offhook_adapters.reference.minds.follower import make_follower

if TYPE_CHECKING:
    import httpx2

__all__ = ["MODEL", "MindCompletions", "in_process_client", "serve_completions"]

MODEL: Final = "offhook-reference"
"""The name of the only model; a request may name any."""

_WORDS_A_PIECE: Final = 6
_BYTES_A_TOKEN: Final = 4


class MindCompletions:
    """Chat Completions for one call, as an ASGI app: ``POST /v1/chat/completions`` (streamed or whole) and
    ``GET /v1/models``.

    Usage is reckoned at four bytes a token. Each answer takes as long as ``thinking`` says, drawn from the
    call's own stream by what the request holds, so that the order of requests changes nothing.

    Args:
        call: brings what never crosses the wire: the plan, the embedder and the random streams.
        make_mind: makes the mind of each replay.
        script: answers in place of a mind. It must do the same on every replay.
        thinking: seconds from a request to its answer, drawn evenly between the two.
        greeting: what the platform says by itself when it answers the call.

    Raises:
        MindError: the mind can't be made from this call.
    """

    def __init__(
        self,
        call: CallSetup,
        *,
        make_mind: MindFactory = make_follower,
        script: Script | None = None,
        thinking: tuple[float, float] = (0.2, 0.5),
        greeting: str = "",
    ) -> None:
        if call.engines is not None:
            embedder = RememberingEmbedder(call.engines.embedder)
            call = attrs.evolve(call, engines=attrs.evolve(call.engines, embedder=embedder))
        self._call = call
        self._make_mind = make_mind
        self._script = script
        self._thinking = thinking
        self._thinking_seed = int(call.rng("thinking").integers(2**63))
        self._greeting = greeting
        self._arrived: AgentConfig | None = None
        self._requests: list[Mapping[str, Any]] = []
        self._failures: list[Exception] = []
        self._mind(AgentConfig("", "", greeting, (), ""))
        self.app = Starlette(
            routes=[
                Route("/v1/chat/completions", self._complete, methods=["POST"]),
                Route("/v1/models", self._models, methods=["GET"]),
            ]
        )

    @property
    def arrived(self) -> AgentConfig | None:
        """Prompt, tools and greeting as the first request brought them; None before there was one. The
        greeting is filled in by the first request that holds one. Name and hash never cross the wire.
        """
        return self._arrived

    @property
    def requests(self) -> Sequence[Mapping[str, Any]]:
        """Every body that was received, in order."""
        return tuple(self._requests)

    @property
    def failures(self) -> Sequence[Exception]:
        """What broke in the mind. The client was told of an error of the server."""
        return tuple(self._failures)

    def _mind(self, agent: AgentConfig) -> Mind:
        if self._script is not None:
            return ScriptMind(self._script)
        return self._make_mind(agent, self._call)

    async def _models(self, request: Request) -> Response:
        model = {"id": MODEL, "object": "model", "created": self._created, "owned_by": "offhook"}
        return JSONResponse({"object": "list", "data": [model]})

    async def _complete(self, request: Request) -> Response:
        try:
            body = await _body(request)
            self._requests.append(body)
            history, arrived = self._read(body)
        except BadRequest as error:
            return _refusal(400, "invalid_request_error", str(error), error.param)
        await asyncio.sleep(self._pause(history))
        try:
            answer = await replay(self._mind(arrived), history, self._greeting)
        except Exception as error:  # the client is told, whatever it was; the call's owner finds the cause
            self._failures.append(error)
            return _refusal(500, "server_error", f"{type(error).__name__}: {error}", None)
        if body.get("tool_choice") == "none":
            answer = attrs.evolve(answer, calls=())
        made = _Made(answer, history.digest.hex()[:24], self._created, _model(body), body)
        if body.get("stream"):
            return StreamingResponse(made.stream(), media_type="text/event-stream")
        return JSONResponse(made.whole())

    @property
    def _created(self) -> int:
        return int(self._call.now.timestamp())

    def _read(self, body: Mapping[str, Any]) -> tuple[History, AgentConfig]:
        history = read_history(body.get("messages"))
        arrived = AgentConfig("", history.prompt, history.opening, read_tools(body.get("tools")), "")
        if self._arrived is None:
            self._arrived = arrived
        elif not self._arrived.greeting:
            self._arrived = attrs.evolve(self._arrived, greeting=arrived.greeting)
        return history, attrs.evolve(arrived, greeting=self._greeting)

    def _pause(self, history: History) -> float:
        words = np.frombuffer(history.digest, dtype=np.uint32)
        drawn = np.random.default_rng([self._thinking_seed, *words.tolist()])
        return float(drawn.uniform(*self._thinking))


@attrs.frozen
class _Made:
    """An answer as it goes over the wire."""

    answer: Answer
    digest: str
    created: int
    model: str
    body: Mapping[str, Any]

    def whole(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.answer.text or None}
        if self.answer.calls:
            message["tool_calls"] = self._calls()
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": self._finish}
        return self._head("chat.completion") | {"choices": [choice], "usage": self._usage()}

    async def stream(self) -> AsyncIterator[str]:
        """Server-sent events."""
        for chunk in self._chunks():
            yield f"data: {json.dumps(chunk)}\n\n"
        yield "data: [DONE]\n\n"

    def _chunks(self) -> Iterator[dict[str, Any]]:
        head = self._head("chat.completion.chunk")
        yield head | {"choices": [_delta({"role": "assistant", "content": ""})]}
        for piece in _pieces(self.answer.text):
            yield head | {"choices": [_delta({"content": piece})]}
        for index, call in enumerate(self._calls()):
            yield head | {"choices": [_delta({"tool_calls": [{"index": index, **call}]})]}
        yield head | {"choices": [_delta({}, self._finish)]}
        options = self.body.get("stream_options")
        if isinstance(options, Mapping) and options.get("include_usage"):
            yield head | {"choices": [], "usage": self._usage()}

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-{self.digest}",
            "object": kind,
            "created": self.created,
            "model": self.model,
        }

    @property
    def _finish(self) -> str:
        return "tool_calls" if self.answer.calls else "stop"

    def _calls(self) -> list[dict[str, Any]]:
        return [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in self.answer.calls
        ]

    def _usage(self) -> dict[str, int]:
        given = _tokens(as_json([self.body.get("messages"), self.body.get("tools")]))
        made = _tokens(self.answer.text) + sum(
            _tokens(call.name + call.arguments) for call in self.answer.calls
        )
        return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}


def _model(body: Mapping[str, Any]) -> str:
    # JSON may name half of a surrogate pair, which no answer could hold
    return str(body.get("model", MODEL)).encode("utf-8", "replace").decode()


def _tokens(text: str) -> int:
    return math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_A_TOKEN)


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces of some words, which joined are the text."""
    words = text.split(" ")
    for first in range(0, len(words), _WORDS_A_PIECE):
        piece = " ".join(words[first : first + _WORDS_A_PIECE])
        if piece or first:
            yield piece if first + _WORDS_A_PIECE >= len(words) else f"{piece} "


def _delta(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


async def _body(request: Request) -> Mapping[str, Any]:
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise BadRequest("the body is not JSON", "") from None
    if not isinstance(body, dict):
        raise BadRequest("the body is not a JSON object", "")
    return body


def _refusal(status: int, kind: str, message: str, param: str | None) -> Response:
    error = {"message": message, "type": kind, "param": param or None, "code": None}
    return JSONResponse({"error": error}, status)


def in_process_client(app: Any) -> httpx2.AsyncClient:
    """What ``openai.AsyncOpenAI(base_url="http://mind/v1", http_client=...)`` needs to reach an ASGI app
    without a socket, as virtual time demands.

    Raises:
        ModuleNotFoundError: the OpenAI SDK, which brings ``httpx2``, is not installed.
    """
    import httpx2

    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), trust_env=False)


@contextlib.asynccontextmanager
async def serve_completions(completions: MindCompletions, port: int = 0) -> AsyncIterator[str]:
    """Serves them on 127.0.0.1 inside the block, and yields the base URL (with ``/v1``). Port 0 takes a free
    one. Needs the ordinary event loop.

    Raises:
        ServeError: the port is in use or not allowed.
    """
    async with serve_app(completions.app, port=port) as base:
        yield f"{base}/v1"
