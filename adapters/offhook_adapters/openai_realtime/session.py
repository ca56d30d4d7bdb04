"""One call on OpenAI Realtime, or on a platform that speaks its protocol: the vendor's events in, session
events out, and what goes the other way.
"""

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
    UserTranscript,
)
from offhook_adapters.openai_realtime._turns import Turns
from offhook_adapters.openai_realtime._usage import response_usage, transcription_usage
from offhook_adapters.openai_realtime.dialect import SENT_SECONDS, Dialect
from offhook_adapters.openai_realtime.refusals import explained, refused_session
from offhook_adapters.wires.outbox import Outbox
from offhook_adapters.wires.playback import Cut, Playback
from offhook_adapters.wires.reading import read_until_closed, send_unless_closed, write_until_closed
from offhook_adapters.wires.sockets import cut
from offhook_adapters.wires.stream import CallStream, is_last

if TYPE_CHECKING:
    from openai.resources.realtime.realtime import AsyncRealtimeConnection

__all__ = ["OpenAIRealtimeSession"]

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
    """A live call. ``dialect`` says which platform of the family it is on; ``key`` is only held to keep it
    out of messages; ``patience`` is how many seconds the platform may owe an answer in silence before that is
    noted.
    """

    def __init__(
        self, connection: AsyncRealtimeConnection, dialect: Dialect, *, key: str, patience: float
    ) -> None:
        self._connection = connection
        self._dialect = dialect
        self._key = key
        self._loop = asyncio.get_running_loop()
        self._stream = CallStream(
            (key,), connection.close, patience=patience, cut=lambda: cut(connection._connection)
        )
        self._outbox: Outbox[Mapping[str, Any]] = Outbox(self._send, self._sent)
        self._playback = Playback()
        self._turns = Turns(acknowledged=dialect.acknowledges)
        self._cuts: deque[Cut] = deque()
        self._response = ""
        self._silenced = ""
        self._sounded = False
        self._leaving = ""
        self._last_word = False
        self._asks = 0
        self._half_sample = b""
        self._unmetered = False
        self._sent_seconds = self._metered_seconds = 0.0
        self._words: dict[str, str] = {}
        self._responses: list[Mapping[str, Any]] = []
        self._stream.raw |= {"model": dialect.model, "voice": dialect.voice, "responses": self._responses}

    async def open(self, agent: AgentConfig) -> None:
        """Configures the session and asks for the greeting. An agent without one waits to be spoken to.

        Raises:
            VendorError: the platform did not take the configuration; VendorUnusable where it never will.
        """
        created = await self._awaited(self._dialect.opening)
        self._stream.raw["session"] = getattr(getattr(created, "session", None), "id", None)
        config = self._dialect.configuration(agent)
        await send_unless_closed(self._send({"type": "session.update", "session": config}))
        updated = await self._awaited(frozenset({"session.updated"}))
        self._stream.raw["session"] = getattr(updated.session, "id", None) or self._stream.raw["session"]
        self._stream.emit(Ready())
        self._compare(config, updated.session)
        if agent.greeting.strip():
            self._ask(self._dialect.greeting(agent.greeting))
            self._stream.metered(self._dialect.greeting_usage)
        self._stream.spawn(read_until_closed(self._connection.recv, self._read_one, self._stream, self._key))
        self._stream.spawn(write_until_closed(self._outbox.run, self._stream, self._key))

    async def _awaited(self, kinds: frozenset[str]) -> Any:
        while True:
            event = await self._connection.recv()
            told = getattr(event, "type", "")
            if told in kinds:
                return event
            if told == "error":
                error = getattr(event, "error", None)
                known = explained(self._dialect, str(getattr(error, "message", "")), "the platform")
                raise known or refused_session(error, self._dialect.vendor, self._key)

    def _compare(self, config: Mapping[str, Any], used: Any) -> None:
        """Notes where the platform says it uses another prompt or other tools than it was given."""
        told = self._dialect.used(used)
        given = [
            {name: tool[name] for name in ("name", "description", "parameters")} for tool in config["tools"]
        ]
        if told is not None and told != (config["instructions"], given):
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
        """What was metered at the published prices. Unknown for models without one, and where a response was
        not metered: it failed to say, or was under way when the call ended.
        """
        if not self._dialect.meters_responses:
            return self._dialect.cost({**self._stream.usage, SENT_SECONDS: self._sent_seconds})
        if self._unmetered or self._turns.active:
            return Cost()
        return self._dialect.cost(self._stream.usage)

    # --- the wire -------------------------------------------------------------------------------------------

    async def _send(self, event: Mapping[str, Any]) -> None:
        message: Any = event
        await self._connection.send(message)

    def _sent(self, pcm: bytes) -> Mapping[str, Any]:
        self._sent_seconds += len(pcm) / 2 / LINE_RATE
        return _appended(pcm)

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
                self._words[event.item_id] = self._words.get(event.item_id, "") + event.delta
                if event.response_id != self._silenced:
                    self._stream.emit(AgentTranscript(event.delta, TranscriptKind.DELTA))
            case "response.output_audio_transcript.done":
                words = self._words.pop(event.item_id, "")
                self._stream.agent_said(getattr(event, "transcript", None) or words)
            case "conversation.item.input_audio_transcription.updated":
                self._stream.emit(UserTranscript(event.transcript, TranscriptKind.CUMULATIVE))
            case "conversation.item.input_audio_transcription.completed":
                self._stream.metered(transcription_usage(getattr(event, "usage", None)))
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
            case _ if kind not in _IDLE and kind not in self._dialect.idle:
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
        if self._dialect.meters_responses:
            self._unmetered = self._unmetered or response.usage is None
            self._stream.metered(response_usage(response.usage))
        else:
            self._stream.metered({SENT_SECONDS: self._sent_seconds - self._metered_seconds})
            self._metered_seconds = self._sent_seconds
        details = getattr(response, "status_details", None)
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
        if getattr(error, "event_id", None) == f"ask-{self._asks}":
            busy = self._dialect.is_busy(error)
            self._turns.refused(busy=busy)
            if busy:
                return
        code = getattr(error, "code", None) or getattr(error, "type", None)
        self._stream.note(code or "error", error.message)

    def _go_on(self) -> None:
        """Asks for what comes after the tools, or leaves once the agent has said goodbye."""
        if not self._turns.due:
            return
        if not self._leaving:
            self._ask({"type": "response.create"})
        elif self._sounded:
            self._stream.end(Ended("agent", self._leaving))
        else:
            self._last_word = True
            word = self._dialect.last_word
            asked = {} if word is None else {"response": dict(word)}
            self._ask({"type": "response.create", **asked})

    def _ask(self, event: Mapping[str, Any]) -> None:
        self._asks += 1
        self._outbox.event({**event, "event_id": f"ask-{self._asks}"})
        self._turns.asked()
        self._watch_out()

    def _watch_out(self) -> None:
        """Starts the wait for the platform's next event anew."""
        self._stream.watch(self._turns.waiting)


def _appended(pcm: bytes) -> Mapping[str, Any]:
    return {"type": "input_audio_buffer.append", "audio": base64.b64encode(pcm).decode("ascii")}
