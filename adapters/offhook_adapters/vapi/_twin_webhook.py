"""Posting tool calls to a call's server, as the vendor does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import aiohttp
import attrs

from offhook_adapters.twins.desk import WireCall
from offhook_adapters.vapi._twin_checks import Refused, check_results, check_webhook

__all__ = ["ToolServerPost", "tool_call"]

# The vendor's default for server.timeoutSeconds.
_SECONDS: Final = 20.0


@attrs.frozen
class ToolServerPost:
    """Where one call's tools are called. ``answered`` is told of each result: the call, the text, and whether
    it is an error.
    """

    url: str
    headers: Mapping[str, str] = attrs.field(repr=False)
    answered: Callable[[WireCall, str, bool], None]

    async def post(self, calls: Sequence[WireCall]) -> None:
        """Posts one batch. Whatever goes wrong is an error of each of its calls."""
        try:
            results = await self._results(calls)
        except (aiohttp.ClientError, TimeoutError, Refused) as error:
            for call in calls:
                self.answered(call, f"the server gave no result ({type(error).__name__})", True)
            return
        for call in calls:
            result = results.get(call.id)
            if result is None:
                self.answered(call, "no result returned", True)
            else:
                failed = result.get("error") is not None
                self.answered(call, str(result["error"] if failed else result.get("result", "")), failed)

    async def _results(self, calls: Sequence[WireCall]) -> dict[str, dict[str, Any]]:
        message = self._message(calls)
        check_webhook(message)
        timeout = aiohttp.ClientTimeout(total=_SECONDS)
        async with (
            aiohttp.ClientSession(timeout=timeout) as client,
            client.post(self.url, json={"message": message}, headers=dict(self.headers)) as answer,
        ):
            if answer.status != 200:
                raise Refused(f"the server answered HTTP {answer.status}")
            try:
                told = json.loads(await answer.read())
            except ValueError:
                raise Refused("the server answered no JSON") from None
        return {result["toolCallId"]: result for result in check_results(told)}

    def _message(self, calls: Sequence[WireCall]) -> dict[str, Any]:
        wire = [tool_call(call) for call in calls]
        paired = [
            {"type": "function", "function": {"name": call.name}, "toolCall": told}
            for call, told in zip(calls, wire, strict=True)
        ]
        return {"type": "tool-calls", "toolCallList": wire, "toolWithToolCallList": paired}


def tool_call(call: WireCall) -> dict[str, Any]:
    """A tool call as the vendor writes it."""
    function = {"name": call.name, "arguments": call.arguments_text}
    return {"id": call.id, "type": "function", "function": function}


async def finished(tasks: set[asyncio.Task[None]]) -> None:
    """Cancels what is still posted."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
