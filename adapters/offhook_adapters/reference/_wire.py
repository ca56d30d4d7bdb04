"""What the audio and the text session share: the ordered event stream, tool calls in flight, and the mind's
task.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from offhook.sessions import (
    AgentTranscript,
    Ended,
    PlatformRecord,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolResult,
    UserTranscript,
)
from offhook.speech import SpeechUnavailable
from offhook_adapters.reference.minds.desk import Desk, Mind, MindError

__all__ = ["Wire"]


class Wire:
    """One session's outgoing events. They end after the first ``Ended``; later ones are dropped."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[SessionEvent | SpeechUnavailable | None] = asyncio.Queue()
        self._results: dict[str, asyncio.Future[ToolResult]] = {}
        self._ended = False
        self._transcript: list[str] = []
        self._tools: list[Mapping[str, Any]] = []
        self._task: asyncio.Task[None] | None = None

    @property
    def ended(self) -> bool:
        return self._ended

    @property
    def record(self) -> PlatformRecord:
        return PlatformRecord(tuple(self._transcript), tuple(self._tools))

    def emit(self, event: SessionEvent) -> None:
        """Appends to the stream."""
        if self._ended:
            return
        match event:
            case AgentTranscript():
                self._transcript.append(f"agent: {event.text}")
            case UserTranscript():
                self._transcript.append(f"caller: {event.text}")
            case Ended():
                self._ended = True
            case _:
                pass
        self._events.put_nowait(event)
        if self._ended:
            self._events.put_nowait(None)

    async def events(self) -> AsyncIterator[SessionEvent]:
        """The stream.

        Raises: SpeechUnavailable: an engine the mind hears or speaks with is missing; that is not the
        agent's fault.
        """
        while (event := await self._events.get()) is not None:
            if isinstance(event, SpeechUnavailable):
                raise event
            yield event

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        """Emits a tool call and waits for its result."""
        call_id = f"tool-{len(self._tools) + 1}"
        given = arguments if isinstance(arguments, str) else dict(arguments)
        self._tools.append({"id": call_id, "name": tool, "arguments": given})
        answer: asyncio.Future[ToolResult] = asyncio.get_running_loop().create_future()
        self._results[call_id] = answer
        self.emit(ToolCall(call_id, tool, given))
        return await answer

    def resolve(self, result: ToolResult) -> None:
        """Hands a result to whoever waits for it; one nobody waits for is ignored."""
        answer = self._results.pop(result.id, None)
        if answer is not None and not answer.done():
            answer.set_result(result)

    def start(self, mind: Mind, desk: Desk, finish: Callable[[], Awaitable[None]]) -> None:
        """Runs the mind; when it returns, ``finish`` is awaited and the agent has ended the call."""
        self._task = asyncio.create_task(self._run(mind, desk, finish))

    async def _run(self, mind: Mind, desk: Desk, finish: Callable[[], Awaitable[None]]) -> None:
        try:
            await mind.converse(desk)
            await finish()
        except SpeechUnavailable as error:
            self._ended = True
            self._events.put_nowait(error)
        except MindError as error:
            self._fail("unavailable", str(error))
        except Exception as error:  # a defect must end the call with its reason, not leave the line open
            self._fail("mind_failed", f"{type(error).__name__}: {error}")
        else:
            self.emit(Ended("agent"))

    def _fail(self, code: str, message: str) -> None:
        self.emit(SessionError(code, message, fatal=True))
        self.emit(Ended("platform", message))

    async def close(self, by: str) -> None:
        """Ends the session from outside: the mind stops where it is."""
        task, self._task = self._task, None
        if task is not None and not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self.emit(Ended(by))
