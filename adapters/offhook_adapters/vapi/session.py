"""One call on Vapi: the vendor's messages in, session events out, and the caller's sound the other way. Tool
calls come over the webhook and not here.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from offhook.audio import Samples
from offhook.sessions import (
    AgentAudio,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
    UserSpeech,
)
from offhook_adapters.vapi.config import RATE
from offhook_adapters.vapi.record import is_complete, read_cost, read_record
from offhook_adapters.vapi.rest import OpenedCall, VapiRest
from offhook_adapters.wires.leaving import LastWords
from offhook_adapters.wires.outbox import Outbox
from offhook_adapters.wires.playback import Playback
from offhook_adapters.wires.reading import read_until_closed, write_until_closed
from offhook_adapters.wires.sockets import cut
from offhook_adapters.wires.stream import LAST_TOOLS, CallStream
from offhook_adapters.wires.vendor import VendorError

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

__all__ = ["VapiSession"]

# The platform writes its record after the call. A run waits ten seconds for it.
_RECORD_SECONDS: Final = 8.0
_POLL_SECONDS: Final = 0.5
_BY_AGENT: Final = ("assistant-ended-call", "assistant-said-end-call-phrase", "assistant-forwarded-call")
# Messages that tell nothing a call needs; anything else the adapter doesn't know is noted once.
_IDLE: Final = frozenset(
    {
        "assistant.speechStarted",
        "assistant.started",
        "conversation-update",
        "function-call",
        "function-call-result",
        "language-changed",
        "metadata",
        "model-output",
        "tool.completed",
        "voice-input",
    }
)


class VapiSession:
    """A live call. ``secrets`` are only held to keep them out of messages; ``patience`` is how many seconds
    the platform may owe an answer in silence before that is noted.
    """

    def __init__(
        self,
        connection: ClientConnection,
        opened: OpenedCall,
        rest: VapiRest,
        *,
        secrets: tuple[str, ...],
        greets: bool,
        patience: float,
    ) -> None:
        self._connection = connection
        self._opened = opened
        self._rest = rest
        self._loop = asyncio.get_running_loop()
        self._stream = CallStream(secrets, self._let_go, patience=patience, cut=partial(cut, connection))
        self._outbox: Outbox[bytes] = Outbox(connection.send, _as_it_is, rate=RATE)
        self._playback = Playback()
        self._last_words = LastWords(self._stream)
        self._owing = greets
        self._half_sample = b""
        self._called: dict[str, str] = {}
        self._record: asyncio.Task[Any] | None = None
        self._stream.raw["call"] = opened.id
        self._stream.emit(Ready())
        self._stream.spawn(read_until_closed(self._receive, self._read_one, self._stream, *secrets))
        self._stream.spawn(write_until_closed(self._outbox.run, self._stream, *secrets))

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if not self._stream.ended and not self._outbox.frame(frame):
            self._stream.break_off("not_listening", "the platform has taken no audio for 10 s")

    def events(self) -> AsyncIterator[SessionEvent]:
        return self._stream.events()

    async def send_tool_result(self, result: ToolResult) -> None:
        """Nothing: the platform has its results from the webhook."""

    def played(self, seconds: float) -> None:
        """Nothing: the platform counts by itself how much of an interrupted utterance was heard."""

    async def hang_up(self) -> None:
        await self._stream.hang_up()

    async def fetch_record(self) -> PlatformRecord:
        """The platform's record, or where it has none in time what was told during the call."""
        call = await self._fetched()
        return self._stream.record if call is None else read_record(call)

    async def fetch_cost(self) -> Cost:
        """What the platform says the call cost; unknown where it does not say so in time."""
        call = await self._fetched()
        return Cost() if call is None else read_cost(call)

    async def _fetched(self) -> Any:
        if self._record is None:
            self._record = asyncio.ensure_future(self._poll())
        return await asyncio.shield(self._record)

    async def _poll(self) -> Any:
        """The platform's record once it is complete, or as it stands when time is up; None for none."""
        deadline = self._loop.time() + _RECORD_SECONDS
        call: Any = None
        while self._loop.time() < deadline:
            try:
                async with asyncio.timeout_at(deadline):
                    call = await self._rest.call(self._opened.id)
            except (VendorError, TimeoutError):
                break
            if is_complete(call):
                break
            await asyncio.sleep(_POLL_SECONDS)
        return call

    # --- the wire -------------------------------------------------------------------------------------------

    async def _let_go(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            await self._connection.send(json.dumps({"type": "hangup"}))
        except ConnectionClosed:
            return
        await self._connection.close()

    async def _receive(self) -> Any:
        """Sound as bytes, or a message. Raises ValueError for one that is no JSON."""
        received = await self._connection.recv()
        return received if isinstance(received, bytes) else json.loads(received)

    def _read_one(self, received: Any) -> None:
        if isinstance(received, bytes):
            self._sound(received)
        else:
            # Webhooks wrap a message, the web client's channel does not; nobody documents this channel.
            self._take(received.get("message", received) if "type" not in received else received)
        self._stream.watch(self._owing)

    def _take(self, message: Mapping[str, Any]) -> None:
        match kind := str(message.get("type", "")):
            case "transcript":
                if message["transcriptType"] == "final":
                    self._said(str(message["role"]), str(message["transcript"]))
            case "speech-update":
                self._speech(str(message["role"]), str(message["status"]))
            case "user-interrupted":
                self._interrupted()
            case "tool-calls":
                self._tools_called(message["toolCallList"])
            case "tool-calls-result":
                self._tool_answered(message["toolCallResult"])
            case "hang":
                self._stream.note("hang", "the platform says that its answer is late")
            case "status-update":
                if message["status"] == "ended":
                    self._over(str(message.get("endedReason") or ""))
            case _ if kind not in _IDLE:
                self._stream.unknown(kind)

    # --- what the platform tells ----------------------------------------------------------------------------

    def _sound(self, pcm: bytes) -> None:
        raw = self._half_sample + pcm
        whole = len(raw) // 2 * 2
        self._half_sample = raw[whole:]
        samples = np.frombuffer(raw[:whole], dtype="<i2").astype(np.int16)
        if len(samples):
            self._playback.add("", 0, len(samples) / RATE, self._loop.time())
            self._stream.emit(AgentAudio(samples, RATE))

    def _said(self, role: str, text: str) -> None:
        if role == "assistant":
            self._last_words.stir()
            self._stream.agent_said(text)
        else:
            self._owing = True
            self._stream.caller_said(text)

    def _speech(self, role: str, status: str) -> None:
        """Sound does not say when a turn ends: the platform may send silence between turns."""
        started = status == "started"
        if role == "user":
            self._owing = not started
            if started:
                self._last_words.interrupted()
            self._stream.emit(UserSpeech(started))
        elif started:
            self._owing = True
            self._last_words.stir()
        else:
            self._owing = False
            self._last_words.rest()

    def _interrupted(self) -> None:
        self._half_sample = b""
        if self._playback.cut(self._loop.time()) is not None:
            self._stream.emit(Clear())

    def _tools_called(self, calls: Any) -> None:
        """Only told: the platform posts them to the call's webhook."""
        for call in calls:
            self._called[str(call["id"])] = str(call["function"]["name"])
        self._owing = False

    def _tool_answered(self, result: Mapping[str, Any]) -> None:
        name = str(result.get("name") or self._called.get(str(result.get("toolCallId")), ""))
        self._owing = True
        if name in LAST_TOOLS and not result.get("error"):
            self._last_words.begin(name)

    def _over(self, reason: str) -> None:
        self._stream.raw["ended_reason"] = reason
        self._stream.end(Ended("agent" if reason in _BY_AGENT else "platform", reason))


def _as_it_is(pcm: bytes) -> bytes:
    return pcm
