"""One exchange with nobody on the line, so that what LiveKit and the SDK make on first use is made by then.

In real time it would otherwise hold up the first calls' frames for half a second.
"""

from __future__ import annotations

import json
from typing import Any, Final

from livekit.agents import Agent, AgentSession, function_tool, inference, llm, tokenize
from livekit.plugins.openai import LLM
from openai import AsyncOpenAI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from offhook_adapters.reference.completions import in_process_client

__all__ = ["rehearse"]

_CALL: Final = {
    "index": 0,
    "id": "call_0",
    "type": "function",
    "function": {"name": "none", "arguments": "{}"},
}
_DELTAS: Final[tuple[dict[str, Any], ...]] = (
    {"role": "assistant", "content": "Yes."},
    {"tool_calls": [_CALL]},
    {},
)


async def rehearse() -> None:
    """Starts and ends a session, and has a question answered in process."""
    app = Starlette(
        routes=[Route("/v1/chat/completions", _answer, methods=["POST"]), Route("/v1/models", _models)]
    )
    client = AsyncOpenAI(base_url="http://mind/v1", api_key="none", http_client=in_process_client(app))
    model = LLM(model="none", client=client)
    tool = function_tool(
        _unused, raw_schema={"name": "none", "description": "", "parameters": {"type": "object"}}
    )
    session: AgentSession[None] = AgentSession(
        llm=model, turn_handling={"turn_detection": inference.TurnDetector(version="v1-mini")}
    )
    tokenize.basic.hyphenate_word("ready")  # by which words are timed: its patterns take 100 ms to build
    try:
        await session.start(Agent(instructions="", tools=[tool]), record=False)
        asked = llm.ChatContext.empty()
        asked.add_message(role="user", content="Ready?")
        async with model.chat(chat_ctx=asked, tools=[tool]) as answering:
            async for _ in answering:
                pass
    finally:
        await session.aclose()
        await model.aclose()
        await client.close()


async def _unused(raw_arguments: dict[str, Any]) -> None:
    """Never called: nothing carries the rehearsal's tool calls out."""


async def _models(request: Request) -> Response:
    return Response('{"object": "list", "data": []}', media_type="application/json")


async def _answer(request: Request) -> Response:
    head = {"id": "rehearsal", "object": "chat.completion.chunk", "created": 0, "model": "none"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    chunks = [
        head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None if delta else "stop"}]}
        for delta in _DELTAS
    ]
    lines = [json.dumps(chunk) for chunk in (*chunks, head | {"choices": [], "usage": usage})]
    body = "".join(f"data: {line}\n\n" for line in (*lines, "[DONE]"))
    return Response(body, media_type="text/event-stream")
