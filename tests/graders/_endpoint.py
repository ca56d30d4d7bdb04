"""A chat completions server on a loopback socket, with scripted answers."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import attrs
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

__all__ = ["KEY", "Endpoint", "completion", "serving"]

KEY = "key-made-up-4711"

Scripted = Response | Callable[[dict[str, Any]], Response | Awaitable[Response]]


def completion(answer: Any, model: str = "made-up-2026-01-01") -> Response:
    """A reply as the API gives it; ``answer`` is the message's text, or JSON data."""
    content = answer if isinstance(answer, str) else json.dumps(answer)
    message = {"role": "assistant", "content": content}
    return JSONResponse(
        {"model": model, "system_fingerprint": "fp_1", "choices": [{"index": 0, "message": message}]}
    )


@attrs.define
class Endpoint:
    """``answers`` are used up in order, the last one for ever; a function answers from the request's body."""

    url: str = ""
    answers: list[Scripted] = attrs.field(factory=list)
    asked: list[dict[str, Any]] = attrs.field(factory=list)
    keys: list[str] = attrs.field(factory=list)

    async def complete(self, request: Request) -> Response:
        body = await request.json()
        self.asked.append(body)
        self.keys.append(request.headers["authorization"])
        scripted = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        answer = scripted if isinstance(scripted, Response) else scripted(body)
        return answer if isinstance(answer, Response) else await answer

    def shown(self, index: int = -1) -> dict[str, Any]:
        """The JSON object that the model was shown."""
        found: dict[str, Any] = json.loads(self.asked[index]["messages"][1]["content"])
        return found


@contextmanager
def serving() -> Iterator[Endpoint]:
    made = Endpoint()
    app = Starlette(routes=[Route("/v1/chat/completions", made.complete, methods=["POST"])])
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="error", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    made.url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    try:
        yield made
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
