"""Pipecat's OpenAI service on a client of ours, with all that the model does reaching the tool server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from openai import AsyncOpenAI, AsyncStream
from openai.types.chat import ChatCompletionChunk
from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.services.openai.llm import OpenAILLMService

from offhook.sessions import ToolSchema

__all__ = ["ExactSchema", "ModelService", "given_arguments"]

_AS_TEXT: Final = "arguments that are no JSON object"


class ModelService(OpenAILLMService):
    """Pipecat's OpenAI service, on a client that is handed to it.

    A tool call whose arguments are no JSON object, which Pipecat would drop and fall silent, goes on as text:
    the tool server logs and refuses it, and the model is told.
    """

    def __init__(self, client: AsyncOpenAI, model: str, prompt: str) -> None:
        self._given = client
        super().__init__(settings=OpenAILLMService.Settings(model=model, system_instruction=prompt))

    def create_client(self, *args: Any, **kwargs: Any) -> AsyncOpenAI:
        return self._given

    async def get_chat_completions(self, context: LLMContext) -> Any:
        return _Readable(await super().get_chat_completions(context))


class ExactSchema(FunctionSchema):
    """A tool whose JSON Schema reaches the model as it is: Pipecat's own keeps two of its members only."""

    def __init__(self, tool: ToolSchema, handler: Any) -> None:
        parameters = dict(tool.parameters)
        super().__init__(
            tool.name,
            tool.description,
            dict(parameters.get("properties", {})),
            list(parameters.get("required", [])),
            handler=handler,
        )
        self._exact = parameters

    def to_default_dict(self) -> dict[str, Any]:
        return {"name": self.name, "description": self.description, "parameters": self._exact}


def given_arguments(arguments: Mapping[str, Any]) -> Mapping[str, Any] | str:
    """The arguments as the model gave them: an object, or the text it gave for one."""
    text = arguments.get(_AS_TEXT)
    return text if isinstance(text, str) else dict(arguments)


class _Readable:
    """A stream of chunks in which every tool call's arguments are a JSON object. Chunks of tool calls are
    held back to the stream's end; Pipecat makes the calls no sooner.
    """

    def __init__(self, stream: AsyncStream[ChatCompletionChunk]) -> None:
        self._stream = stream

    async def close(self) -> None:
        await self._stream.close()

    async def __aiter__(self) -> AsyncIterator[ChatCompletionChunk]:
        held: list[ChatCompletionChunk] = []
        async for chunk in self._stream:
            if chunk.choices and chunk.choices[0].delta.tool_calls:
                held.append(chunk)
            else:
                yield chunk
        for chunk in _readable(held):
            yield chunk


def _readable(chunks: list[ChatCompletionChunk]) -> list[ChatCompletionChunk]:
    texts: dict[int, str] = {}
    for call in _calls(chunks):
        given = call.function.arguments if call.function is not None else None
        texts[call.index] = texts.get(call.index, "") + (given or "")
    bad: dict[int, str | None] = {index: text for index, text in texts.items() if not _is_object(text)}
    for call in _calls(chunks):
        if call.index in bad and call.function is not None:
            # all of it with the call's first chunk, nothing with the others
            text = bad[call.index]
            call.function.arguments = "" if text is None else json.dumps({_AS_TEXT: text})
            bad[call.index] = None
    return chunks


def _calls(chunks: list[ChatCompletionChunk]) -> list[Any]:
    return [call for chunk in chunks for call in chunk.choices[0].delta.tool_calls or ()]


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text or "{}"), dict)
    except ValueError:
        return False
