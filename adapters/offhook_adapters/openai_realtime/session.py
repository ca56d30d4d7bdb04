"""One call on OpenAI Realtime: the vendor's events in, session events out, and what goes the other way."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    Ready,
    SessionError,
    SessionEvent,
    ToolResult,
    TranscriptKind,
    UserSpeech,
)
from offhook_adapters.openai_realtime._refusals import refused_session
from offhook_adapters.openai_realtime._turns import Turns
from offhook_adapters.openai_realtime._usage import response_usage, transcription_usage
from offhook_adapters.openai_realtime.config import (
    OPENAI,
    RealtimeSettings,
    greeting_instruction,
    session_config,
)
from offhook_adapters.openai_realtime.prices import catalogue, cost_of
from offhook_adapters.wires.outbox import Outbox
from offhook_adapters.wires.playback import Cut, Playback
from offhook_adapters.wires.reading import read_until_closed, write_until_closed
from offhook_adapters.wires.stream import CallStream, is_last

if TYPE_CHECKING:
    from openai.resources.realtime.realtime import AsyncRealtimeConnection

__all__ = ["OpenAIRealtimeSession"]

_BUSY: Final = "conversation_already_has_active_response"
# Events that tell nothing a call needs; anything else the adapter doesn't know is noted once.
_IDLE: Final = frozenset(
    {
        "conversation.created",
        "conversation.item.deleted",
        "conversation.item.done",
        "conversation.item.input_audio_transcription.delta",
        "conversation.item.input_audio_transcription.segment",
        "conversation.item.retrieved",
        "conversation.item.truncated",
        "input_audio_buffer.cleared",
        "input_audio_buffer.committed",
        "input_audio_buffer.timeout_triggered",
        "rate_limits.updated",
        "response.content_part.added",
        "response.content_part.done",
        "response.function_call_arguments.delta",
        "response.output_audio.done",
        "response.output_item.added",
        "response.output_text.delta",
        "response.output_text.done",
        "session.created",
        "session.updated",
    }
)


class OpenAIRealtimeSession:
    """A live call. ``key`` is only held to keep it out of messages; ``patience`` is how many seconds the
    platform may owe an answer in silence before that is noted.
    """

    def __init__(
        self, connection: AsyncRealtimeConnection, settings: RealtimeSettings, *, key: str, patience: float
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._key = key
        self._loop = asyncio.get_running_loop()
        self._stream = CallStream((key,), connection.close, patience=patience)
        self._outbox: Outbox[Mapping[str, Any]] = Outbox(self._send, _appended)
        self._playback = Playback()
        self._turns = Turns()
        self._cuts: deque[Cut] = deque()
        self._response = ""
        self._silenced = ""
        self._sounded = False
        self._leaving = ""
        self._last_word = False
        self._asks = 0
        self._half_sample = b""
        self._unmetered = False
        self._responses: list[Mapping[str, Any]] = []
        self._stream.raw |= {"model": settings.model, "voice": settings.voice, "responses": self._responses}

    async def open(self, agent: AgentConfig) -> None:
        """Configures the session and asks for the greeting. An agent without one waits to be spoken to.

        Raises:
            OpenAIRealtimeError: the platform did not take the configuration; OpenAIRealtimeUnusable where it
                never will.
        """
        created = await self._awaited("session.created")
        self._stream.raw["session"] = getattr(created.session, "id", None)
        config: Any = session_config(agent, self._settings)
        await self._connection.session.update(session=config)
        updated = await self._awaited("session.updated")
        self._stream.emit(Ready())
        self._compare(config, updated.session)
        if agent.greeting.strip():
            self._ask({"instructions": greeting_instruction(agent.greeting)})
        self._stream.spawn(read_until_closed(self._connection.recv, self._read_one, self._stream, self._key))
        self._stream.spawn(write_until_closed(self._outbox.run))

    async def _awaited(self, kind: str) -> Any:
        while True:
            event = await self._connection.recv()
            told = getattr(event, "type", "")
            if told == kind:
                return event
            if told == "error":
                raise refused_session(getattr(event, "error", None), OPENAI, self._key)

    def _compare(self, config: Mapping[str, Any], used: Any) -> None:
        """Notes where the platform says it uses another prompt or other tools than it was given."""
        tools = [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in used.tools or ()
        ]
        given = [
            {name: tool[name] for name in ("name", "description", "parameters")} for tool in config["tools"]
        ]
        if used.instructions != config["instructions"] or tools != given:
            self._stream.emit(
                SessionError(
                    "config_differs", "the platform uses another prompt or other tools than it was given"
                )
            )

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if not self._stream.ended and not self._outbox.frame(frame):
            self._stream.break_off("not_listening", "the platform has taken no audio for 10 s")

    def events(self) -> AsyncIterator[SessionEvent]:
        return self._stream.events()

    async def send_tool_result(self, result: ToolResult) -> None:
        """Hands a result back. After a tool that ends the call the agent's last words are played out and the
        session is over.
        """
        if self._stream.ended:
            return
        if is_last(result.name, result.status):
            self._leaving = result.name
        self._answer(result.id, json.dumps(dict(result.body), ensure_ascii=False, sort_keys=True))
        self._go_on()

    def played(self, seconds: float) -> None:
        """Tells the platform how much of what it said was heard."""
        if not self._cuts or self._stream.ended:
            return
        for truncation in self._cuts.popleft().truncations(seconds):
            self._outbox.event(
                {
                    "type": "conversation.item.truncate",
                    "item_id": truncation.item_id,
                    "content_index": truncation.content_index,
                    "audio_end_ms": truncation.audio_end_ms,
                }
            )

    async def hang_up(self) -> None:
        await self._stream.hang_up()

    async def fetch_record(self) -> PlatformRecord:
        """What the platform told during the call; the vendor keeps nothing that could be fetched."""
        return self._stream.record

    async def fetch_cost(self) -> Cost:
        """Metered tokens and transcribed seconds at the published prices. Unknown for models without one, and
        where a response was not metered: it failed to say, or was under way when the call ended.
        """
        if self._unmetered or self._turns.active:
            return Cost()
        published = catalogue()
        return cost_of(
            self._stream.usage,
            published.models.get(self._settings.model),
            published.transcribers.get(self._settings.transcriber),
        )

    # --- the wire -------------------------------------------------------------------------------------------

    async def _send(self, event: Mapping[str, Any]) -> None:
        message: Any = event
        await self._connection.send(message)

    def _read_one(self, event: Any) -> None:
        self._take(event)
        self._watch_out()

    def _take(self, event: Any) -> None:
        match kind := str(getattr(event, "type", "")):
            case "response.created":
                self._response, self._sounded, self._half_sample = str(event.response.id), False, b""
                self._turns.created()
            case "response.output_audio.delta":
                self._sound(event)
            case "response.output_audio_transcript.delta":
                if event.response_id != self._silenced:
                    self._stream.emit(AgentTranscript(event.delta, TranscriptKind.DELTA))
            case "response.output_audio_transcript.done":
                self._stream.agent_said(event.transcript)
            case "conversation.item.input_audio_transcription.completed":
                self._stream.metered(transcription_usage(event.usage))
                self._stream.caller_said(event.transcript)
            case "conversation.item.input_audio_transcription.failed":
                self._stream.note("transcription_failed", event.error.message or "")
            case "input_audio_buffer.speech_started":
                self._caller_began()
            case "input_audio_buffer.speech_stopped":
                self._turns.caller_stopped()
                self._stream.emit(UserSpeech(False))
            case "response.function_call_arguments.done":
                self._call(event.call_id, event.name, event.arguments)
            case "response.output_item.done":
                if event.item.type == "function_call":
                    self._call(event.item.call_id, event.item.name, event.item.arguments)
            case "conversation.item.added" | "conversation.item.created":
                if event.item.type == "function_call_output":
                    self._turns.acknowledged(event.item.call_id)
            case "response.done":
                self._response_over(event.response)
            case "error":
                self._refused(event.error)
            case _ if kind not in _IDLE:
                self._stream.unknown(kind)

    # --- what the platform tells ----------------------------------------------------------------------------

    def _sound(self, event: Any) -> None:
        if event.response_id == self._silenced:
            return  # on its way when the caller broke in
        try:
            raw = self._half_sample + base64.b64decode(event.delta, validate=True)
        except binascii.Error:
            self._stream.note("bad_audio", "the platform sent audio that is not base64; it was left out")
            return
        whole = len(raw) // 2 * 2
        self._half_sample = raw[whole:]
        samples = np.frombuffer(raw[:whole], dtype="<i2").astype(np.int16)
        if len(samples) == 0:
            return
        self._sounded = True
        seconds = len(samples) / LINE_RATE
        self._playback.add(event.item_id, event.content_index, seconds, self._loop.time())
        self._stream.emit(AgentAudio(samples, LINE_RATE))

    def _caller_began(self) -> None:
        self._stream.emit(UserSpeech(True))
        if self._turns.active:  # the server cancels it, and what of it is still on its way is too late
            self._silenced, self._half_sample = self._response, b""
        cut = self._playback.cut(self._loop.time())
        if cut is None:
            return
        self._cuts.append(cut)
        self._stream.emit(Clear())

    def _call(self, call_id: str, name: str, arguments: str) -> None:
        if self._stream.called(call_id, name, arguments):
            self._turns.called(call_id)

    def _answer(self, call_id: str, output: str) -> None:
        item = {"type": "function_call_output", "call_id": call_id, "output": output}
        self._outbox.event({"type": "conversation.item.create", "item": item})
        self._turns.answered(call_id)

    def _response_over(self, response: Any) -> None:
        self._turns.done()
        self._responses.append({"id": response.id, "status": response.status})
        if response.usage is None:
            self._unmetered = True
        self._stream.metered(response_usage(response.usage))
        details = response.status_details
        if response.status == "failed":
            error = getattr(details, "error", None)
            self._stream.note(
                getattr(error, "code", None) or "response_failed", getattr(error, "message", None) or ""
            )
        elif response.status == "incomplete":
            self._stream.note(
                "response_incomplete", f"the answer was cut short: {getattr(details, 'reason', '')}"
            )
        if self._last_word:
            self._stream.end(Ended("agent", self._leaving))
        else:
            self._go_on()

    def _refused(self, error: Any) -> None:
        if error.event_id == f"ask-{self._asks}":
            self._turns.refused(busy=error.code == _BUSY)
            if error.code == _BUSY:
                return
        self._stream.note(error.code or error.type, error.message)

    def _go_on(self) -> None:
        """Asks for what comes after the tools, or leaves once the agent has said goodbye."""
        if not self._turns.due:
            return
        if not self._leaving:
            self._ask(None)
        elif self._sounded:
            self._stream.end(Ended("agent", self._leaving))
        else:
            self._last_word = True
            self._ask({"tool_choice": "none"})

    def _ask(self, response: Mapping[str, Any] | None) -> None:
        self._asks += 1
        event: dict[str, Any] = {"type": "response.create", "event_id": f"ask-{self._asks}"}
        self._outbox.event(event if response is None else {**event, "response": response})
        self._turns.asked()
        self._watch_out()

    def _watch_out(self) -> None:
        """Starts the wait for the platform's next event anew."""
        self._stream.watch(self._turns.waiting)


def _appended(pcm: bytes) -> Mapping[str, Any]:
    return {"type": "input_audio_buffer.append", "audio": base64.b64encode(pcm).decode("ascii")}
