"""Mistral's chat models as a cascade's mind, through Mistral's SDK."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from offhook.sessions import ToolSchema
from offhook_adapters.cascade.chat import as_functions
from offhook_adapters.cascade.parts import ChatPiece, Metered, PartFailed, Wanted, Words
from offhook_adapters.mistral._trouble import chat_failed
from offhook_adapters.wires.trouble import one_line
from offhook_adapters.wires.vendor import VendorUnusable

if TYPE_CHECKING:
    from mistralai.client import Mistral

__all__ = ["MistralChat", "known_model"]

_ANSWER_MS: Final = 60_000
# What reading an event of no known shape raises, beside the SDK's own error.
_NO_EVENT: Final = (ValueError, TypeError, AttributeError, RecursionError)


async def known_model(client: Mistral, model: str, where: str, key: str) -> None:
    """Makes sure that there is a chat model, and so that the key may use it.

    Raises:
        VendorError: it can't be asked; VendorUnusable where there is none, or the key is refused.
    """
    try:
        await client.models.retrieve_async(model_id=model, timeout_ms=_ANSWER_MS // 3)
    except Exception as error:
        if getattr(error, "status_code", None) == 404:
            raise VendorUnusable(f"there is no model {model!r} at {where}: choose another model") from None
        raise chat_failed(error, where, key) from None


@attrs.frozen(eq=False)
class MistralChat:
    """A chat model. ``key`` is held only to keep it out of messages."""

    client: Mistral
    model: str
    tools: tuple[ToolSchema, ...]
    where: str
    key: str = attrs.field(repr=False)

    async def answer(
        self, messages: Sequence[Mapping[str, Any]], *, with_tools: bool
    ) -> AsyncGenerator[ChatPiece, None]:
        """See ``ChatModel``."""
        from mistralai.client.errors import ResponseValidationError

        request: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        if self.tools:
            request["tools"] = as_functions(self.tools)
            request["tool_choice"] = "auto" if with_tools else "none"
            request["parallel_tool_calls"] = True
        calls: dict[int, Wanted] = {}
        try:
            stream = await self.client.chat.stream_async(**request, timeout_ms=_ANSWER_MS)
            async with stream:
                async for event in stream:
                    for choice in event.data.choices:
                        if text := _text(choice.delta.content):
                            yield Words(text)
                        for call in choice.delta.tool_calls or ():
                            _gather(calls, call)
                    if event.data.usage:
                        yield Metered(_used(event.data.usage))
            for index in sorted(calls):
                yield calls[index]
        except PartFailed:
            raise
        except Exception as error:
            if isinstance(error, (ResponseValidationError, *_NO_EVENT)):
                text = one_line(f"{type(error).__name__}: {error}", self.key)
                raise PartFailed("bad_message", f"the chat model sent what can't be read ({text})") from None
            raise PartFailed("model_failed", str(chat_failed(error, self.where, self.key))) from None


def _gather(calls: dict[int, Wanted], call: Any) -> None:
    """Mistral sends a call whole; one that came in pieces would be put together by its index all the same."""
    given = call.function.arguments
    arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    index = call.index or 0
    before = calls.get(index)
    if before is not None and call.id in (None, "", "null", before.id):
        calls[index] = attrs.evolve(before, arguments=before.arguments + arguments)
        return
    if before is not None:  # another call that was given no index of its own
        index = max(calls) + 1
    # "null" is what the SDK puts in the place of an id that is not there
    call_id = "" if call.id in (None, "null") else call.id
    calls[index] = Wanted(call_id, call.function.name, arguments)


def _text(content: Any) -> str:
    """What a delta says; of a list of parts, the text ones, and no thoughts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part.text for part in content if getattr(part, "type", "") == "text")
    return ""


def _used(usage: Any) -> dict[str, float]:
    return {
        "llm_input_tokens": float(usage.prompt_tokens or 0),
        "llm_output_tokens": float(usage.completion_tokens or 0),
    }
