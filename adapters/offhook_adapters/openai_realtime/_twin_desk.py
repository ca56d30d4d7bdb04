"""The desk of a mind that sits behind the wire: it talks and listens through the reference platform, and its
tool calls go to the client.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from offhook.sessions import ToolResult
from offhook.values import ValueKind
from offhook_adapters.openai_realtime._twin_checks import WireError
from offhook_adapters.openai_realtime._twin_responses import Responses
from offhook_adapters.reference.minds.desk import Attention, Desk, Mind, Utterance

__all__ = ["ToolDesk", "WireDesk", "WireMind"]


@attrs.define(eq=False)
class _Pending:
    name: str
    answer: asyncio.Future[ToolResult]
    output: str | None = None


class ToolDesk:
    """Tool calls of one conversation, from the response that makes them to the one that goes on from them."""

    def __init__(self, responses: Responses) -> None:
        self._responses = responses
        self._pending: dict[str, _Pending] = {}

    @property
    def waiting(self) -> bool:
        """Whether the mind waits for a result."""
        return bool(self._pending)

    async def call(self, name: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        """Makes a call and waits until the client has answered it and asked for a response. Calls made at the
        same time are one batch of one response.
        """
        loop = asyncio.get_running_loop()
        if not self._responses.has_calls:
            loop.call_soon(self._responses.end)
        call_id = self._responses.call(name, arguments)
        pending = _Pending(name, loop.create_future())
        self._pending[call_id] = pending
        return await pending.answer

    def take(self, call_id: str, output: str) -> None:
        """The client's answer to a call.

        Raises:
            WireError: there is no such call, or it has been answered.
        """
        pending = self._pending.get(call_id)
        if pending is None or pending.output is not None:
            raise WireError(
                "invalid_tool_call_id", f"no call {call_id!r} waits for an output", "item.call_id"
            )
        pending.output = output

    def go_on(self) -> bool:
        """Lets the mind go on from the answers that are there; False where there are none."""
        answered = {
            call_id: pending for call_id, pending in self._pending.items() if pending.output is not None
        }
        for call_id, pending in answered.items():
            del self._pending[call_id]
            pending.answer.set_result(_result(call_id, pending))
        return bool(answered)


def _result(call_id: str, pending: _Pending) -> ToolResult:
    """The answer as a mind reads it. No status crosses the wire: a refusal is known by its ``error``."""
    try:
        body = json.loads(pending.output or "")
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {"output": pending.output}
    return ToolResult(call_id, pending.name, 400 if "error" in body else 200, body)


class WireDesk:
    """The desk of one call. ``sent`` returns once all that was said is on the wire; ``unanswered`` is told
    when the caller stayed silent.
    """

    def __init__(
        self, desk: Desk, tools: ToolDesk, responses: Responses, sent: _Sent, unanswered: Callable[[], None]
    ) -> None:
        self._desk = desk
        self._tools = tools
        self._responses = responses
        self._sent = sent
        self._unanswered = unanswered

    async def say(self, text: str) -> None:
        if text.strip():
            await self._desk.say(text)
            await self._sent.one()

    async def listen(
        self, attention: Attention = Attention.QUICK, expecting: tuple[ValueKind, ...] = ()
    ) -> Utterance | None:
        self._responses.end()
        heard = await self._desk.listen(attention, expecting)
        if heard is None:
            self._unanswered()
        return heard

    async def rehear(
        self, heard: Utterance, attention: Attention, expecting: tuple[ValueKind, ...]
    ) -> Utterance:
        return await self._desk.rehear(heard, attention, expecting)

    def overheard(self) -> tuple[Utterance, ...]:
        return self._desk.overheard()

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        return await self._tools.call(tool, arguments)


class _Sent:
    """Counts what was said against what is on the wire."""

    def __init__(self) -> None:
        self._waits: asyncio.Queue[None] = asyncio.Queue()

    def mark(self) -> None:
        """One thing said is on the wire."""
        self._waits.put_nowait(None)

    async def one(self) -> None:
        """Waits for the next one to be."""
        await self._waits.get()


@attrs.frozen(eq=False)
class WireMind:
    """A mind that is given a WireDesk in place of the platform's own."""

    mind: Mind
    tools: ToolDesk
    responses: Responses
    unanswered: Callable[[], None]
    sent: _Sent = attrs.field(factory=_Sent)

    async def converse(self, desk: Desk) -> None:
        wire = WireDesk(desk, self.tools, self.responses, self.sent, self.unanswered)
        await self.mind.converse(wire)
        self.responses.end()
