"""The desk of a mind that sits behind a wire: it talks and listens through the reference platform, and its
tool calls go to the client.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.sessions import ToolResult
from offhook.values import ValueKind
from offhook_adapters.reference.minds.desk import Attention, Desk, Mind, Utterance

__all__ = ["NoSuchCall", "ToolDesk", "WireCall", "WireDesk", "WireMind", "read_result"]

_CANCELLED: Final = json.dumps({"error": {"code": "cancelled", "message": "the call was taken back"}})


@attrs.frozen
class WireCall:
    """One tool call as it goes to the client; text stands for arguments that are no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | str

    @property
    def arguments_text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(dict(self.arguments))


class NoSuchCall(Exception):
    """An answer to a call that was not made, or has been answered."""


@attrs.define(eq=False)
class _Pending:
    call: WireCall
    answer: asyncio.Future[ToolResult]
    output: str | None = None
    failed: bool = False


class ToolDesk:
    """Tool calls of one conversation. Calls made at the same time are one batch, and the mind goes on once
    all of it is answered.

    Args:
        tell: sends a batch to the client.
        waits: whether the mind waits besides until the client asks it to go on (``go_on``).
        cancel: takes the first call back after it was sent; None leaves all calls alone.
        objects_only: whether the wire has no way to carry arguments that are no JSON object.
    """

    def __init__(
        self,
        tell: Callable[[Sequence[WireCall]], None],
        *,
        waits: bool = False,
        cancel: Callable[[Sequence[str]], None] | None = None,
        objects_only: bool = False,
    ) -> None:
        self._tell = tell
        self._waits = waits
        self._cancel = cancel
        self._objects_only = objects_only
        self._count = 0
        self._batch: list[WireCall] = []
        self._pending: dict[str, _Pending] = {}
        self._cancelled: set[str] = set()

    @property
    def waiting(self) -> bool:
        """Whether the mind waits for a result."""
        return bool(self._pending)

    @property
    def unanswered(self) -> bool:
        """Whether the client still owes a result."""
        return any(pending.output is None for pending in self._pending.values())

    async def call(self, name: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        """Makes a call and waits for what the client answers.

        Raises:
            TypeError: arguments that the wire can't carry.
        """
        if self._objects_only and isinstance(arguments, str):
            raise TypeError("this wire carries arguments as a JSON object only")
        loop = asyncio.get_running_loop()
        self._count += 1
        call = WireCall(f"call_{self._count:04d}", name, arguments)
        self._pending[call.id] = pending = _Pending(call, loop.create_future())
        if not self._batch:
            loop.call_soon(self._send)
        self._batch.append(call)
        return await pending.answer

    def _send(self) -> None:
        batch, self._batch = self._batch, []
        self._tell(batch)
        if self._cancel is not None and not self._cancelled:
            first = batch[0].id
            self._cancelled.add(first)
            self._cancel([first])
            self._take(first, _CANCELLED, failed=True)

    def take(self, call_id: str, output: str, *, failed: bool = False) -> None:
        """The client's answer to a call. One to a call that was taken back is passed over.

        Raises:
            NoSuchCall: there is no such call, or it has been answered.
        """
        if call_id not in self._cancelled:
            self._take(call_id, output, failed=failed)

    def _take(self, call_id: str, output: str, *, failed: bool) -> None:
        pending = self._pending.get(call_id)
        if pending is None or pending.output is not None:
            raise NoSuchCall(f"no call {call_id!r} waits for an output")
        pending.output, pending.failed = output, failed
        if not self._waits and all(each.output is not None for each in self._pending.values()):
            self.go_on()

    def go_on(self) -> bool:
        """Lets the mind go on from the answers that are there; False where there are none."""
        answered = [pending for pending in self._pending.values() if pending.output is not None]
        for pending in answered:
            del self._pending[pending.call.id]
            if not pending.answer.done():
                pending.answer.set_result(read_result(pending.call, pending.output or "", pending.failed))
        return bool(answered)


def read_result(call: WireCall, output: str, failed: bool = False) -> ToolResult:
    """The answer as a mind reads it. No status crosses the wire: a refusal is known by its ``error``."""
    try:
        body = json.loads(output)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {"output": output}
    return ToolResult(call.id, call.name, 400 if failed or "error" in body else 200, body)


class Sent:
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
class WireDesk:
    """The desk of one call. ``listening`` is told when the agent's turn is over, ``unanswered`` when the
    caller stayed silent.
    """

    desk: Desk
    tools: ToolDesk
    sent: Sent
    listening: Callable[[], None]
    unanswered: Callable[[], None]

    async def say(self, text: str) -> None:
        if text.strip():
            await self.desk.say(text)
            await self.sent.one()

    async def listen(
        self, attention: Attention = Attention.QUICK, expecting: tuple[ValueKind, ...] = ()
    ) -> Utterance | None:
        self.listening()
        heard = await self.desk.listen(attention, expecting)
        if heard is None:
            self.unanswered()
        return heard

    async def rehear(
        self, heard: Utterance, attention: Attention, expecting: tuple[ValueKind, ...]
    ) -> Utterance:
        return await self.desk.rehear(heard, attention, expecting)

    def overheard(self) -> tuple[Utterance, ...]:
        return self.desk.overheard()

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        return await self.tools.call(tool, arguments)


@attrs.frozen(eq=False)
class WireMind:
    """A mind that is given a WireDesk in place of the platform's own."""

    mind: Mind
    tools: ToolDesk
    listening: Callable[[], None]
    unanswered: Callable[[], None]
    sent: Sent = attrs.field(factory=Sent)

    async def converse(self, desk: Desk) -> None:
        await self.mind.converse(WireDesk(desk, self.tools, self.sent, self.listening, self.unanswered))
        self.listening()
