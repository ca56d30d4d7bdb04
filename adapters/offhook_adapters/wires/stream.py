"""One call's event stream and what every vendor's session does with it: notes without secrets, calls told
once, an end that comes once, and a watch over a platform that owes an answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final

from offhook.sessions import (
    AgentTranscript,
    Ended,
    PlatformRecord,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolCancelled,
    Usage,
    UserTranscript,
)
from offhook_adapters.wires.trouble import one_line

__all__ = ["LAST_TOOLS", "CallStream", "is_last"]

LAST_TOOLS: Final = ("end_call", "transfer_to_human")
"""The tools after which an agent is done talking."""
_HANG_UP_SECONDS: Final = 2.0
# A goodbye that takes longer than this is cut off, so that the connection is gone when hanging up is done.
_CLOSE_SECONDS: Final = 1.7


def is_last(tool: str, status: int) -> bool:
    """Whether a result ends the call."""
    return tool in LAST_TOOLS and 200 <= status < 300


class CallStream:
    """The stream of one call.

    Args:
        secrets: what must not show in any message.
        close: lets go of the connection; called once, after the stream has ended and ``spawn``ed tasks are
            cancelled.
        patience: how many seconds the platform may owe an answer in silence before that is noted.
        cut: breaks the connection off where ``close`` takes too long: whoever floods the line, or takes
            nothing, may hold it up for ever.
    """

    def __init__(
        self,
        secrets: tuple[str, ...],
        close: Callable[[], Awaitable[None]],
        *,
        patience: float,
        cut: Callable[[], None] | None = None,
    ) -> None:
        self._secrets = secrets
        self._close = close
        self._cut = cut
        self._patience = patience
        self._loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[SessionEvent | None] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._closing: asyncio.Task[None] | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._seen_calls: set[str] = set()
        self._unknown: set[str] = set()
        self._transcript: list[str] = []
        self._tool_log: list[Mapping[str, Any]] = []
        self.ended = False
        self.usage: dict[str, float] = {}
        self.raw: dict[str, Any] = {}

    # --- what the runner reads ------------------------------------------------------------------------------

    async def events(self) -> AsyncIterator[SessionEvent]:
        """The events in order; it ends after Ended."""
        while (event := await self._events.get()) is not None:
            yield event

    @property
    def record(self) -> PlatformRecord:
        """What was told during the call."""
        return PlatformRecord(tuple(self._transcript), tuple(self._tool_log), dict(self.raw))

    # --- what a session tells -------------------------------------------------------------------------------

    def emit(self, event: SessionEvent) -> None:
        """One event, unless the stream has ended."""
        if not self.ended:
            self._events.put_nowait(event)

    def note(self, code: str, message: str) -> None:
        """Something that went wrong and does not end the call."""
        self.emit(SessionError(code, one_line(message, *self._secrets)))

    def unknown(self, kind: str) -> None:
        """An event that the adapter does not know: noted once a kind."""
        if kind not in self._unknown:
            self._unknown.add(kind)
            self.note("unknown_event", f"the platform sent {kind!r}, which this adapter does not know")

    def agent_said(self, text: str) -> None:
        """The final words of an agent's turn or part of one."""
        self._transcript.append(f"agent: {text}")
        self.emit(AgentTranscript(text))

    def caller_said(self, text: str) -> None:
        """What the platform finally heard; nothing is told where it heard no words."""
        if text.strip():
            self._transcript.append(f"caller: {text}")
            self.emit(UserTranscript(text.strip()))

    def called(self, call_id: str, name: str, arguments: Any, *, provisional: bool = False) -> bool:
        """A tool call, told once an id: False where it was told before, or has no id to answer it by, or no
        name. Arguments may be JSON text; what is no JSON object goes on as the text it came as, to be logged
        and refused.
        """
        if not (isinstance(call_id, str) and call_id and isinstance(name, str) and name):
            self.note("bad_call", "the platform called a tool without an id or a name")
            return False
        if call_id in self._seen_calls:
            return False
        self._seen_calls.add(call_id)
        text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        self._tool_log.append({"id": call_id, "name": name, "arguments": text})
        try:
            given = json.loads(text or "{}")
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            self.note("bad_arguments", f"the platform called {name} with arguments that are no JSON object")
            given = text
        self.emit(ToolCall(call_id, name, given, provisional))
        return True

    def cancelled(self, call_id: str) -> None:
        """The platform took a call back."""
        if call_id in self._seen_calls:
            self.emit(ToolCancelled(call_id))

    def metered(self, quantities: Mapping[str, float]) -> None:
        """Quantities used, which add up."""
        for name, amount in quantities.items():
            self.usage[name] = self.usage.get(name, 0.0) + amount
        if quantities:
            self.emit(Usage(quantities))

    # --- time and end ---------------------------------------------------------------------------------------

    def spawn(self, work: Awaitable[None]) -> None:
        """Runs until the stream ends."""
        self._tasks.append(asyncio.ensure_future(work))

    def watch(self, owing: bool) -> None:
        """Starts the wait for the platform's next event anew; ``owing`` says whether it has to send one."""
        if self._watch is not None:
            self._watch.cancel()
        due = owing and not self.ended
        self._watch = self._loop.call_later(self._patience, self._stalled) if due else None

    def _stalled(self) -> None:
        self.note("stalled", f"the platform owes an answer and has sent nothing for {self._patience:g} s")

    def break_off(self, code: str, message: str) -> None:
        """The platform is gone."""
        message = one_line(message, *self._secrets)
        self.emit(SessionError(code, message, fatal=True))
        self.end(Ended("platform", message))

    def end(self, ended: Ended) -> None:
        """Ends the stream, once, and lets go of the connection."""
        if self.ended:
            return
        self.emit(ended)
        self.ended = True
        self._events.put_nowait(None)
        if self._watch is not None:
            self._watch.cancel()
        self._closing = asyncio.ensure_future(self._let_go())

    async def hang_up(self) -> None:
        """The caller hung up. Idempotent; returns once the connection is closed, or after two seconds."""
        self.end(Ended("caller"))
        if self._closing is not None:
            await asyncio.wait({self._closing}, timeout=_HANG_UP_SECONDS)

    async def _let_go(self) -> None:
        for task in self._tasks:
            task.cancel()
        late = None if self._cut is None else self._loop.call_later(_CLOSE_SECONDS, self._cut)
        try:
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._close()
        finally:
            if late is not None:
                late.cancel()
