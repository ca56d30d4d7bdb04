"""What Pipecat is given of a model's stream, and of a tool's schema."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from offhook.sessions import ToolSchema
from offhook.testing import run_virtual
from offhook_adapters.pipecat.framework import load_framework

load_framework()
from openai.types.chat import ChatCompletionChunk  # noqa: E402

from offhook_adapters.pipecat._model import ExactSchema, ModelService, given_arguments  # noqa: E402
from offhook_adapters.pipecat._services import word_times  # noqa: E402


def _chunk(delta: dict[str, Any], finish: str | None = None) -> ChatCompletionChunk:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return ChatCompletionChunk.model_validate(
        {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    )


def _fragment(index: int, text: str, *, name: str | None = None) -> ChatCompletionChunk:
    call: dict[str, Any] = {"index": index, "function": {"arguments": text}}
    if name:
        call |= {"id": f"call-{index}", "type": "function"}
        call["function"]["name"] = name
    return _chunk({"tool_calls": [call]})


class _Completions:
    """A client whose only answer is a stream of chunks."""

    def __init__(self, chunks: Sequence[ChatCompletionChunk]) -> None:
        self.chat = self
        self.completions = self
        self.closed = False
        self._chunks = chunks

    async def create(self, **params: Any) -> _Completions:
        return self

    async def __aiter__(self) -> AsyncIterator[ChatCompletionChunk]:
        for chunk in self._chunks:
            yield chunk

    async def close(self) -> None:
        self.closed = True


def _through(*chunks: ChatCompletionChunk) -> list[ChatCompletionChunk]:
    """The chunks as Pipecat's service is handed them."""
    from pipecat.processors.aggregators.llm_context import LLMContext

    async def read() -> list[ChatCompletionChunk]:
        client: Any = _Completions(chunks)
        service = ModelService(client, "m", "prompt")
        stream = await service.get_chat_completions(LLMContext())
        got = [chunk async for chunk in stream]
        await stream.close()
        assert client.closed
        return got

    return run_virtual(read())


def _arguments(chunks: Sequence[ChatCompletionChunk]) -> dict[int, str]:
    texts: dict[int, str] = {}
    for chunk in chunks:
        for call in chunk.choices[0].delta.tool_calls or ():
            assert call.function is not None
            texts[call.index] = texts.get(call.index, "") + (call.function.arguments or "")
    return texts


def test_good_arguments_go_on_untouched_and_words_are_not_held_back() -> None:
    given = (
        _fragment(0, '{"service":', name="price"),
        _chunk({"content": "One moment."}),
        _fragment(0, ' "wheel"}'),
        _fragment(1, "", name="hours"),
    )
    before = [chunk.model_dump() for chunk in given]
    got = [chunk.model_dump() for chunk in _through(*given)]
    assert got == [before[1], before[0], before[2], before[3]]


@pytest.mark.parametrize("text", ["tune_up, please", '["wheel"]', '{"service": "wh', '"wheel"'])
def test_arguments_that_are_no_object_go_on_as_the_text_they_are(text: str) -> None:
    half = len(text) // 2
    got = _through(
        _fragment(0, '{"a": 1}', name="first"),
        _fragment(1, text[:half], name="second"),
        _fragment(1, text[half:]),
    )
    arguments = _arguments(got)
    assert json.loads(arguments[0]) == {"a": 1}
    assert given_arguments(json.loads(arguments[1])) == text
    assert given_arguments(json.loads(arguments[0])) == {"a": 1}


def test_a_schema_reaches_the_model_whole() -> None:
    parameters = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"service": {"type": "string", "enum": ["wheel", "brakes"]}},
        "required": ["service"],
        "$defs": {"unused": {"type": "null"}},
    }
    schema = ExactSchema(ToolSchema("price", "What it costs.", parameters), handler=None)
    expected = {"name": "price", "description": "What it costs.", "parameters": parameters}
    assert json.dumps(schema.to_default_dict()) == json.dumps(expected)


def test_words_are_timed_by_their_letters() -> None:
    assert word_times("to be  ornate", 2.0, 5.0) == [("to", 2.0), ("be", 3.0), ("ornate", 4.0)]
    assert word_times("", 1.0, 1.0) == []
