"""One call on Pipecat, from the runner's side: the event stream, tool calls in flight, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from offhook.audio import LINE_RATE, Samples
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    Ready,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolCancelled,
    ToolResult,
    Usage,
    UserSpeech,
    UserTranscript,
)
from offhook.speech import SpeechUnavailable
from offhook.storage import clean_text

if TYPE_CHECKING:
    from pipecat.metrics.metrics import MetricsData

__all__ = ["CallPipeline", "PipecatSession"]

# The tools after which an agent is done talking.
_LAST_TOOLS: Final = ("end_call", "transfer_to_human")


class CallPipeline(Protocol):
    """The running pipeline of one call."""

    def push(self, frame: Samples) -> None:
        """One frame of the line. Never blocks."""
        ...

    async def finish(self) -> None:
        """Ends it once all that was begun has been said."""
        ...

    async def stop(self) -> None:
        """Ends it where it is. Idempotent."""
        ...


class PipecatSession:
    """A live call. ``cost`` is what it is known to cost; ``cause`` finds what made a request to the model
    fail, where that is known better on this side.
    """

    def __init__(self, raw: Mapping[str, Any], cost: Cost, cause: Callable[[], Exception | None]) -> None:
        self._events: asyncio.Queue[SessionEvent | SpeechUnavailable | None] = asyncio.Queue()
        self._results: dict[str, asyncio.Future[ToolResult]] = {}
        self._closed_by: set[str] = set()
        self._pipeline: CallPipeline | None = None
        self._ended = False
        self._leaving = ""
        self._last_answer = False
        self._raw = dict(raw)
        self._cost = cost
        self._cause = cause
        self._transcript: list[str] = []
        self._tools: list[Mapping[str, Any]] = []

    def begin(self, pipeline: CallPipeline) -> None:
        """The pipeline is running."""
        self._pipeline = pipeline
        self._emit(Ready())

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if self._pipeline is not None and not self._ended:
            self._pipeline.push(frame)

    async def events(self) -> AsyncIterator[SessionEvent]:
        """The stream.

        Raises:
            SpeechUnavailable: an engine the agent hears or speaks with is missing.
        """
        while (event := await self._events.get()) is not None:
            if isinstance(event, SpeechUnavailable):
                raise event
            yield event

    async def send_tool_result(self, result: ToolResult) -> None:
        if result.name in _LAST_TOOLS and 200 <= result.status < 300:
            self._closed_by.add(result.id)
        answer = self._results.pop(result.id, None)
        if answer is not None and not answer.done():
            answer.set_result(result)

    def played(self, seconds: float) -> None:
        """Nothing to tell: Pipecat goes by what its transport has taken."""

    async def hang_up(self) -> None:
        self._end(Ended("caller"))
        if self._pipeline is not None:
            await self._pipeline.stop()

    async def fetch_record(self) -> PlatformRecord:
        return PlatformRecord(tuple(self._transcript), tuple(self._tools), dict(self._raw))

    async def fetch_cost(self) -> Cost:
        return self._cost

    # --- the pipeline's side --------------------------------------------------------------------------------

    def heard(self, text: str) -> None:
        """The ears understood something."""
        self._transcript.append(f"caller: {text}")
        self._emit(UserTranscript(text))

    def broken(self, error: SpeechUnavailable) -> None:
        """An engine is missing: no call can go on without."""
        if not self._ended:
            self._ended = True
            self._events.put_nowait(error)

    async def call(self, call_id: str, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        """Has a tool run. Cancelled where an interruption made Pipecat drop the call."""
        given = arguments if isinstance(arguments, str) else dict(arguments)
        self._tools.append({"id": call_id, "name": tool, "arguments": given})
        answer: asyncio.Future[ToolResult] = asyncio.get_running_loop().create_future()
        self._results[call_id] = answer
        self._emit(ToolCall(call_id, tool, given))
        try:
            return await answer
        except asyncio.CancelledError:
            self._results.pop(call_id, None)
            self._emit(ToolCancelled(call_id))
            raise

    def trouble(self, code: str, message: str, *, permanent: bool) -> None:
        """A part of the pipeline failed. ``permanent``: it will do nothing any more."""
        cause = self._cause()
        if isinstance(cause, SpeechUnavailable):
            self.broken(cause)
            return
        line = clean_text(" ".join(message.split()))
        fatal = permanent or cause is not None
        self._emit(SessionError(code, line, fatal=fatal))
        if fatal:
            self._end(Ended("platform", line))

    def finished(self) -> None:
        """The pipeline is over."""
        if self._leaving:
            self._end(Ended("agent", self._leaving))
        else:
            self._end(Ended("platform", "the pipeline ended by itself"))

    def play(self, samples: Samples) -> None:
        self._emit(AgentAudio(samples, LINE_RATE))

    def clear(self) -> None:
        self._emit(Clear())

    def said(self, text: str) -> None:
        self._transcript.append(f"agent: {text}")
        self._emit(AgentTranscript(text))

    def user(self, speaking: bool) -> None:
        self._emit(UserSpeech(speaking))

    def tool_done(self, name: str, call_id: str) -> None:
        if call_id in self._closed_by:
            self._leaving = name

    def answer_began(self) -> None:
        self._last_answer = bool(self._leaving)

    async def answer_ended(self) -> None:
        if self._last_answer and self._pipeline is not None:
            await self._pipeline.finish()

    def metered(self, data: MetricsData) -> None:
        from pipecat.metrics.metrics import LLMUsageMetricsData, STTUsageMetricsData, TTSUsageMetricsData

        match data:
            case LLMUsageMetricsData():
                used = data.value
                self._emit(
                    Usage({"prompt_tokens": used.prompt_tokens, "completion_tokens": used.completion_tokens})
                )
            case STTUsageMetricsData():
                self._emit(Usage({"heard_seconds": data.value.audio_seconds}))
            case TTSUsageMetricsData():
                self._emit(Usage({"spoken_characters": data.value}))
            case _:
                pass

    # --- the stream -----------------------------------------------------------------------------------------

    def _emit(self, event: SessionEvent) -> None:
        if not self._ended:
            self._events.put_nowait(event)

    def _end(self, ended: Ended) -> None:
        if not self._ended:
            self._emit(ended)
            self._ended = True
            self._events.put_nowait(None)
