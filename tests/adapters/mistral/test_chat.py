"""What Mistral's chat server may answer, and what becomes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from aiohttp import web

from offhook.testing import run_real
from offhook_adapters.cascade.parts import ChatPiece, Metered, PartFailed, Wanted, Words
from offhook_adapters.mistral.chat import MistralChat
from offhook_adapters.twins.server import serving
from tests.adapters._calls import AGENT

KEY = "a-key-of-no-known-shape"
QUESTION = ({"role": "user", "content": "Ça va?"},)


def event(delta: dict[str, Any], **more: Any) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    return f"data: {json.dumps({'id': 'x', 'model': 'm', 'choices': [choice], **more})}\n\n"


def answered(
    body: str, status: int = 200, *, with_tools: bool = True
) -> tuple[list[ChatPiece] | PartFailed, Any]:
    """The pieces that an answer of the server's makes, or how it failed; and what the server was asked."""
    asked: list[web.Request] = []
    bodies: list[Any] = []

    async def complete(request: web.Request) -> web.StreamResponse:
        asked.append(request)
        bodies.append(await request.json())
        kind = "text/event-stream" if status == 200 else "application/json"
        return web.Response(text=body, status=status, content_type=kind)

    async def work() -> list[ChatPiece] | PartFailed:
        from mistralai.client import Mistral

        async with serving([web.post("/v1/chat/completions", complete)]) as port:
            url = f"http://127.0.0.1:{port}/"
            async with Mistral(api_key=KEY, server_url=url) as client:
                chat = MistralChat(client, "m", AGENT.tools, "there", KEY)
                try:
                    return [piece async for piece in chat.answer(QUESTION, with_tools=with_tools)]
                except PartFailed as error:
                    return error

    pieces = run_real(work())
    assert asked[0].headers["Authorization"] == f"Bearer {KEY}"
    return pieces, bodies[0]


def test_it_is_asked_what_it_is_to_be_asked() -> None:
    for with_tools, choice in ((True, "auto"), (False, "none")):
        _, asked = answered("data: [DONE]\n\n", with_tools=with_tools)
        assert asked.pop("tools")[0]["function"]["name"] == AGENT.tools[0].name
        assert asked == {
            "model": "m",
            "messages": list(QUESTION),
            "stream": True,
            "tool_choice": choice,
            "parallel_tool_calls": True,
        }


def test_words_calls_and_tokens_are_taken_as_they_come() -> None:
    call = {"id": "abc123def", "function": {"name": "look_up", "arguments": '{"a": 1}'}, "index": 0}
    used = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    stream = (
        event({"content": "One, "}) + event({"content": "two."}) + event({"tool_calls": [call]}, usage=used)
    )
    pieces, _ = answered(f"{stream}data: [DONE]\n\n")
    assert pieces == [
        Words("One, "),
        Words("two."),
        Metered({"llm_input_tokens": 7.0, "llm_output_tokens": 3.0}),
        Wanted("abc123def", "look_up", '{"a": 1}'),
    ]


@pytest.mark.parametrize(
    ("status", "body", "code", "told"),
    [
        (429, '{"message": "slow down"}', "model_failed", "slow down"),
        (500, "<html>oh</html>", "model_failed", "500"),
        (401, f'{{"message": "no such key {KEY}"}}', "model_failed", "MISTRAL_API_KEY"),
        (200, "data: {\n\n", "bad_message", "ResponseValidationError"),
        (200, 'data: {"choices": 5}\n\n', "bad_message", "ResponseValidationError"),
    ],
)
def test_what_is_no_answer_is_one_line(status: int, body: str, code: str, told: str) -> None:
    failed, _ = answered(body, status)
    assert isinstance(failed, PartFailed)
    assert failed.code == code
    assert told in str(failed)
    assert KEY not in str(failed)
    assert "\n" not in str(failed)
