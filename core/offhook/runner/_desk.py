"""Reads a session's one event stream: sound to the line, tool calls to the tool server, the rest to the
record.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from offhook.audio import Samples
from offhook.records import TimedTranscript
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Clear,
    Ended,
    Ready,
    Session,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolCancelled,
    TranscriptKind,
    Usage,
    UserSpeech,
    UserTranscript,
)
from offhook.speech import SpeechUnavailable
from offhook.toolserver import ToolServer

__all__ = ["FAREWELL_SECONDS", "AgentSink", "SessionDesk", "ToolForwarder"]

FAREWELL_SECONDS: Final = 10.0


class AgentSink(Protocol):
    """Where the agent's sound or words go."""

    def audio(self, samples: Samples, rate: int) -> None: ...

    def clear(self) -> float:
        """Flushes what was not played and returns how many seconds of the utterance were."""
        ...

    def text(self, text: str) -> None: ...


class ToolForwarder:
    """Carries client-side tool calls to the tool server and the answers back, each in a task of its own."""

    def __init__(self, server: ToolServer, call_id: str, token: str, session: Session) -> None:
        self._server = server
        self._call_id = call_id
        self._token = token
        self._session = session
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, call: ToolCall) -> None:
        self._tasks[call.id] = asyncio.create_task(self._forward(call))

    def cancel(self, call_id: str) -> None:
        """A call the platform took back. One that has reached the server stands: the log keeps what
        arrived.
        """
        task = self._tasks.get(call_id)
        if task is not None:
            task.cancel()

    async def finish(self) -> tuple[str, ...]:
        """Waits for the requests under way, so that the freeze sees them; what failed, one line each. A
        platform that will not take an answer is not waited for any longer than for a farewell.
        """
        if self._tasks:
            _, stuck = await asyncio.wait(self._tasks.values(), timeout=FAREWELL_SECONDS)
            for task in stuck:
                task.cancel()
        results = await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        return tuple(
            f"tool call {call_id}: {type(result).__name__}: {' '.join(str(result).split())}"
            for call_id, result in zip(self._tasks, results, strict=True)
            if isinstance(result, Exception)
        )

    async def _forward(self, call: ToolCall) -> None:
        result = await self._server.call(
            self._call_id, self._token, call.name, call.arguments, source_id=call.id
        )
        await self._session.send_tool_result(result)


class _Transcript:
    """Finals as they come; deltas are joined and cumulative texts replaced until a final closes them."""

    def __init__(self) -> None:
        self.finals: list[TimedTranscript] = []
        self._open = ""

    def add(self, text: str, kind: TranscriptKind, at: float) -> bool:
        """Whether this closed an utterance."""
        if kind is TranscriptKind.DELTA:
            self._open += text
            return False
        if kind is TranscriptKind.CUMULATIVE:
            self._open = text
            return False
        self._open = ""
        self.finals.append(TimedTranscript(text, at))
        return True

    def close(self, at: float) -> None:
        if self._open.strip():
            self.finals.append(TimedTranscript(self._open.strip(), at))
            self._open = ""


class SessionDesk:
    """Keeps what a session told, with receive times in line seconds."""

    def __init__(
        self, session: Session, tools: ToolForwarder, sink: AgentSink, now: Callable[[], float]
    ) -> None:
        self._session = session
        self.tools = tools
        self._sink = sink
        self._now = now
        self.user = _Transcript()
        self.agent = _Transcript()
        self.errors: list[str] = []
        self.usage: dict[str, float] = {}
        self.clears: list[float] = []
        self.spoke = False

    async def run(self) -> Ended:
        """Until the session ends. A stream that breaks, or just stops, was ended by the platform.

        Raises:
            SpeechUnavailable: the platform talks in process and an engine is missing.
        """
        try:
            async for event in self._session.events():
                if isinstance(event, Ended):
                    return event
                self._take(event)
            return Ended("platform", "the event stream stopped")
        except SpeechUnavailable:
            raise
        except Exception as error:
            self.note_break(error)
            return Ended("platform", self.errors[-1])
        finally:
            self._close()

    async def shut(self, session: Session) -> None:
        """Hangs up on the platform; one that fails at it has still been hung up on."""
        try:
            await asyncio.wait_for(session.hang_up(), FAREWELL_SECONDS)
        except Exception as error:
            self.note_break(error)

    def note_break(self, error: Exception) -> None:
        """Keeps what broke, as one line."""
        self.errors.append(f"platform broke: {type(error).__name__}: {' '.join(str(error).split())}")

    def _close(self) -> None:
        self.user.close(self._now())
        self.agent.close(self._now())

    def _take(self, event: SessionEvent) -> None:
        match event:
            case AgentAudio(samples, rate):
                self.spoke = self.spoke or bool(len(samples))
                self._sink.audio(samples, rate)
            case Clear():
                self.clears.append(self._now())
                self._session.played(self._sink.clear())
            case AgentTranscript(text, kind):
                if self.agent.add(text, kind, self._now()):
                    self._sink.text(text)
            case UserTranscript(text, kind):
                self.user.add(text, kind, self._now())
            case ToolCall():
                self.tools.start(event)
            case ToolCancelled(call_id):
                self.tools.cancel(call_id)
            case Usage(quantities):
                for name, amount in quantities.items():
                    self.usage[name] = self.usage.get(name, 0.0) + amount
            case SessionError(code, message):
                self.errors.append(f"{code}: {message}")
            case Ready() | UserSpeech() | Ended():
                pass
