"""One conversation with an ElevenLabs agent: the vendor's events in, session events out, and what goes the
other way.

The SDK's own conversation class hides tool call ids, the agreed formats, and every event it does not know; so
the socket is a plain one.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from offhook.audio import Samples
from offhook.sessions import (
    AgentAudio,
    Clear,
    Cost,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
)
from offhook_adapters.elevenlabs._record import Account, fetch_account
from offhook_adapters.elevenlabs._rest import Rest
from offhook_adapters.elevenlabs.config import ElevenLabsSettings, initiation
from offhook_adapters.wires.leaving import LastWords
from offhook_adapters.wires.outbox import Outbox
from offhook_adapters.wires.reading import read_until_closed, send_unless_closed, write_until_closed
from offhook_adapters.wires.sockets import cut
from offhook_adapters.wires.stream import CallStream, is_last
from offhook_adapters.wires.vendor import VendorError

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

__all__ = ["ElevenLabsSession"]

_FORMAT: Final = re.compile(r"pcm_(\d+)")
# Events that tell nothing a call needs; anything else the adapter doesn't know is noted once.
_IDLE: Final = frozenset(
    {
        "agent_chat_response_part",
        "agent_response_metadata",
        "agent_tool_request",
        "agent_tool_response",
        "asr_initiation_metadata",
        "context_usage",
        "tentative_user_transcript",
        "vad_score",
    }
)


class ElevenLabsSession:
    """A live conversation.

    Args:
        socket: connected to the signed URL.
        rest: where its record is fetched.
        secrets: what must not show in any message.
        patience: seconds the platform may owe an answer in silence before that is noted.
    """

    def __init__(
        self,
        socket: ClientConnection,
        rest: Rest,
        settings: ElevenLabsSettings,
        *,
        secrets: tuple[str, ...],
        patience: float,
    ) -> None:
        self._socket = socket
        self._rest = rest
        self._settings = settings
        self._secrets = secrets
        self._stream = CallStream(secrets, socket.close, patience=patience, cut=partial(cut, socket))
        self._outbox: Outbox[Mapping[str, Any]] = Outbox(self._send, _chunk)
        self._last_words = LastWords(self._stream)
        self._out_rate = 0
        self._conversation = ""
        self._interrupted = 0
        self._half_sample = b""
        self._owing = False
        self._calls: set[str] = set()
        self._account: Account | None = None

    async def open(self, *, greets: bool) -> None:
        """Begins the conversation. ``greets`` says whether the agent has the first word.

        Raises:
            VendorError: the platform did not begin it.
            ConnectionClosed: it closed the socket.
        """
        await send_unless_closed(self._send(initiation(self._settings)))
        told = await self._metadata()
        self._conversation = str(told["conversation_id"])
        self._out_rate = _rate(told["agent_output_audio_format"])
        self._outbox = Outbox(self._send, _chunk, rate=_rate(told["user_input_audio_format"]))
        self._stream.raw |= {"conversation": self._conversation}
        self._owing = greets
        self._stream.emit(Ready())
        self._stream.spawn(read_until_closed(self._receive, self._take, self._stream, *self._secrets))
        self._stream.spawn(write_until_closed(self._outbox.run, self._stream, *self._secrets))
        self._watch_out()

    async def _metadata(self) -> Mapping[str, Any]:
        while True:
            event = await self._receive()
            match event.get("type"):
                case "conversation_initiation_metadata":
                    told: Mapping[str, Any] = event["conversation_initiation_metadata_event"]
                    return told
                case "client_error":
                    raise VendorError(f"the platform did not begin the conversation: {_error(event)}")
                case "ping":
                    await self._send(_pong(event))

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
        if self._stream.ended or result.id not in self._calls:
            return
        self._calls.discard(result.id)
        answer = {
            "type": "client_tool_result",
            "tool_call_id": result.id,
            "result": json.dumps(dict(result.body), ensure_ascii=False, sort_keys=True),
            "is_error": result.status >= 400,
        }
        self._outbox.event(answer)
        self._owing = True
        if is_last(result.name, result.status):
            self._last_words.begin(result.name)
        self._watch_out()

    def played(self, seconds: float) -> None:
        """Nothing to tell: the server keeps the time of what it sent and corrects its own transcript."""

    async def hang_up(self) -> None:
        await self._stream.hang_up()

    async def fetch_record(self) -> PlatformRecord:
        """The vendor's own account, once it has finished with the conversation.

        Raises:
            VendorError: the platform can't be reached, or refuses.
        """
        return (await self._fetched()).record

    async def fetch_cost(self) -> Cost:
        """What the vendor says the conversation cost; unknown where it does not say."""
        return (await self._fetched()).cost

    async def _fetched(self) -> Account:
        if self._account is None:
            self._account = await fetch_account(self._rest, self._conversation, self._stream.record)
        return self._account

    # --- the wire -------------------------------------------------------------------------------------------

    async def _send(self, message: Mapping[str, Any]) -> None:
        await self._socket.send(json.dumps(message))

    async def _receive(self) -> Mapping[str, Any]:
        """Raises ValueError for what is no JSON object."""
        event = json.loads(await self._socket.recv())
        if not isinstance(event, dict):
            raise ValueError("not a JSON object")
        return event

    def _take(self, event: Mapping[str, Any]) -> None:
        match kind := str(event.get("type", "")):
            case "ping":
                self._outbox.event(_pong(event))
                return  # comes whether or not the platform has something to say
            case "audio":
                self._sound(event["audio_event"])
            case "agent_response":
                self._stream.agent_said(event["agent_response_event"]["agent_response"].strip())
                self._last_words.stir()
            case "agent_response_correction":
                told = event["agent_response_correction_event"]
                cut = self._stream.raw.setdefault("corrections", [])
                cut.append(told["corrected_agent_response"])
            case "agent_response_complete":
                self._owing = False
                self._last_words.rest()
            case "user_transcript":
                self._stream.caller_said(event["user_transcription_event"]["user_transcript"])
                self._owing = True
            case "interruption":
                self._interrupt(int(event["interruption_event"]["event_id"]))
            case "client_tool_call":
                self._call(event["client_tool_call"])
            case "client_error":
                self._stream.note("client_error", _error(event))
            case _ if kind not in _IDLE:
                self._stream.unknown(kind)
        self._watch_out()

    def _sound(self, told: Mapping[str, Any]) -> None:
        if int(told["event_id"]) <= self._interrupted:
            return  # on its way when the caller broke in
        try:
            raw = self._half_sample + base64.b64decode(told["audio_base_64"], validate=True)
        except binascii.Error:
            self._stream.note("bad_audio", "the platform sent audio that is not base64; it was left out")
            return
        whole = len(raw) // 2 * 2
        self._half_sample = raw[whole:]
        self._owing = True  # until the response is complete
        if whole:
            samples = np.frombuffer(raw[:whole], dtype="<i2").astype(np.int16)
            self._last_words.stir()
            self._stream.emit(AgentAudio(samples, self._out_rate))

    def _interrupt(self, event_id: int) -> None:
        self._interrupted = max(self._interrupted, event_id)
        self._half_sample, self._owing = b"", False
        self._last_words.interrupted()
        self._stream.emit(Clear())

    def _call(self, call: Mapping[str, Any]) -> None:
        self._owing = False
        call_id = call["tool_call_id"]
        if self._stream.called(call_id, call["tool_name"], call.get("parameters") or {}):
            self._calls.add(call_id)

    def _watch_out(self) -> None:
        """Starts the wait for the platform's next event anew."""
        self._stream.watch(self._owing and not self._calls)


def _chunk(pcm: bytes) -> Mapping[str, Any]:
    return {"user_audio_chunk": base64.b64encode(pcm).decode("ascii")}


def _pong(ping: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "pong", "event_id": ping["ping_event"]["event_id"]}


def _error(event: Mapping[str, Any]) -> str:
    told = event.get("error_event") or event.get("client_error_event") or {}
    return str(told.get("message") or told.get("reason") or told.get("error_type") or json.dumps(told))


def _rate(name: str) -> int:
    """Raises VendorError for anything but PCM."""
    found = _FORMAT.fullmatch(name)
    if found is None:
        raise VendorError(f"the agent speaks {name!r}: set its audio formats to PCM")
    return int(found[1])
