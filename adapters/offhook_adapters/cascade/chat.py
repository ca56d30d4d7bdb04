"""Any chat model that speaks OpenAI's Chat Completions, through OpenAI's SDK."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import attrs

from offhook.sessions import ToolSchema
from offhook_adapters.cascade.dial import SharedTrust
from offhook_adapters.cascade.parts import ChatPiece, Metered, PartFailed, Wanted, Words
from offhook_adapters.wires.trouble import failed_connect, one_line
from offhook_adapters.wires.vendor import Vendor, VendorError, VendorUnusable

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = ["OpenAIChat", "as_functions", "chat_client", "gathered_calls", "listed_models"]

_ANSWER_SECONDS: Final = 60.0


def as_functions(tools: Sequence[ToolSchema]) -> list[dict[str, Any]]:
    """The tools as Chat Completions declares them, byte for byte."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


def chat_client(key: str, base_url: str, trust: SharedTrust) -> AsyncOpenAI:
    """A client that gives an answer a minute; ``base_url`` ends in ``/v1`` or what the server has there."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    return AsyncOpenAI(
        api_key=key,
        base_url=base_url,
        timeout=_ANSWER_SECONDS,
        max_retries=1,
        http_client=DefaultAsyncHttpxClient(verify=trust.context()),
    )


async def listed_models(client: AsyncOpenAI, vendor: Vendor, key: str) -> frozenset[str] | None:
    """The models a server names; None where it has no such list.

    Raises:
        VendorError: it can't be reached or refuses the key; VendorUnusable where it always will.
    """
    import openai

    where = urlsplit(str(client.base_url)).netloc
    try:
        return frozenset([model.id async for model in client.models.list()])
    except openai.APIStatusError as error:
        if error.status_code in (404, 405, 501):
            return None
        raise failed_connect(error, vendor, where, key) from None
    except openai.OpenAIError as error:
        raise failed_connect(error, vendor, where, key) from None
    except (ValueError, TypeError, AttributeError, RecursionError) as error:  # a list of another shape
        raise VendorUnusable(
            f"{where} did not answer with a list of models ({type(error).__name__}): check base_url"
        ) from None


@attrs.define
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


def gathered_calls(calls: dict[int, _Call], deltas: Sequence[Any]) -> None:
    """Adds what a chunk brought to the calls, by their index."""
    for delta in deltas:
        call = calls.setdefault(delta.index or 0, _Call())
        call.id = delta.id or call.id
        if delta.function is not None:
            call.name += delta.function.name or ""
            call.arguments += delta.function.arguments or ""


@attrs.frozen(eq=False)
class OpenAIChat:
    """A model on a server. ``key`` is held only to keep it out of messages."""

    client: AsyncOpenAI
    model: str
    tools: tuple[ToolSchema, ...]
    vendor: Vendor
    key: str = attrs.field(repr=False)

    async def answer(
        self, messages: Sequence[Mapping[str, Any]], *, with_tools: bool
    ) -> AsyncGenerator[ChatPiece, None]:
        """See ``ChatModel``."""
        import openai

        body: dict[str, Any] = {"messages": list(messages)}
        if self.tools:
            body["tools"] = as_functions(self.tools)
            if not with_tools:
                body["tool_choice"] = "none"
        calls: dict[int, _Call] = {}
        try:
            # As extra_body it is sent as it is. As arguments the SDK (openai 3.57.0) goes through all of it
            # field by field and holds the loop for 3 to 5 ms, though it has nothing to change in it.
            stream = await self.client.chat.completions.create(
                model=self.model,
                messages=(),
                stream=True,
                stream_options={"include_usage": True},
                extra_body=body,
            )
            async with stream:
                async for chunk in stream:
                    for choice in chunk.choices or ():
                        if choice.delta.content:
                            yield Words(choice.delta.content)
                        gathered_calls(calls, choice.delta.tool_calls or ())
                    if chunk.usage is not None:
                        yield Metered(_used(chunk.usage))
            for index in sorted(calls):
                call = calls[index]
                yield Wanted(call.id, call.name, call.arguments)
        except openai.APIStatusError as error:
            raise PartFailed("model_refused", self._told(error)) from None
        except openai.APIConnectionError as error:
            raise PartFailed("model_unreachable", self._told(error)) from None
        except openai.APIError as error:
            text = one_line(str(error.message), self.key)
            raise PartFailed("model_failed", f"the chat model broke off: {text}") from None
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            text = one_line(f"{type(error).__name__}: {error}", self.key)
            raise PartFailed("bad_message", f"the chat model sent what can't be read ({text})") from None

    def _told(self, error: Exception) -> str:
        told: VendorError = failed_connect(
            error, self.vendor, urlsplit(str(self.client.base_url)).netloc, self.key, check="model and prompt"
        )
        return str(told)


def _used(usage: Any) -> dict[str, float]:
    counts = {"llm_input_tokens": usage.prompt_tokens, "llm_output_tokens": usage.completion_tokens}
    return {name: float(count) for name, count in counts.items() if count is not None}
