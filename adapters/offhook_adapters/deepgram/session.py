"""One call on Deepgram: the vendor's events in, session events out, and what goes the other way."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    Clear,
    Cost,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
    UserSpeech,
)
from offhook_adapters.deepgram._refusals import PROMPT_TOO_LONG, prompt_cut, refused_settings
from offhook_adapters.deepgram.config import AgentSettings, settings_message
from offhook_adapters.deepgram.prices import catalogue
from offhook_adapters.wires.leaving import LastWords
from offhook_adapters.wires.outbox import Outbox
from offhook_adapters.wires.playback import Playback
from offhook_adapters.wires.reading import read_until_closed, send_unless_closed, write_until_closed
from offhook_adapters.wires.stream import CallStream, is_last
from offhook_adapters.wires.vendor import VendorUnusable

if TYPE_CHECKING:
    from deepgram.agent.v1.socket_client import AsyncV1SocketClient

__all__ = ["DeepgramSession"]

# The server closes a connection on which nothing comes, within some ten seconds.
_KEEP_ALIVE_SECONDS: Final = 5.0
# Events that tell nothing a call needs; anything else the adapter doesn't know is noted once.
_IDLE: Final = frozenset({"FunctionCallResponse", "History", "LatencyReport", "SettingsApplied", "Welcome"})


class DeepgramSession:
    """A live call. ``close`` lets go of the connection, ``cut`` breaks it off; ``key`` is only held to keep
    it out of messages; ``patience`` is how many seconds the platform may owe an answer in silence before that
    is noted.
    """

    def __init__(
        self,
        connection: AsyncV1SocketClient,
        settings: AgentSettings,
        *,
        close: Callable[[], Awaitable[None]],
        cut: Callable[[], None],
        key: str,
        patience: float,
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._close = close
        self._key = key
        self._loop = asyncio.get_running_loop()
        self._stream = CallStream((key,), self._let_go, patience=patience, cut=cut)
        self._outbox: Outbox[Mapping[str, Any] | bytes] = Outbox(self._send, _as_it_is)
        self._playback = Playback()
        self._last_words = LastWords(self._stream)
        self._prompt = 0
        self._owing = False
        self._open_calls: set[str] = set()
        self._half_sample = b""
        self._heard_from_us = True
        self._began = self._ended = self._loop.time()
        self._stream.raw |= {
            "think": settings.think,
            "listen": settings.listen,
            "voice": settings.voice,
        }

    async def open(self, agent: AgentConfig) -> None:
        """Configures the session. An agent without a greeting waits to be spoken to.

        Raises:
            VendorError: the platform did not take the configuration; VendorUnusable where it never will.
        """
        self._prompt = len(agent.prompt)
        # Raw, because the SDK's typed call turns 1.0 in a tool's schema into 1.
        await send_unless_closed(self._connection.send_raw(settings_message(agent, self._settings)))
        while (kind := await self._opening()) != "SettingsApplied":
            if kind not in _IDLE:
                self._stream.unknown(kind)
        self._stream.emit(Ready())
        self._owing = bool(agent.greeting.strip())
        self._stream.spawn(read_until_closed(self._connection.recv, self._read_one, self._stream, self._key))
        self._stream.spawn(write_until_closed(self._outbox.run, self._stream, self._key))
        self._stream.spawn(self._keep_alive())

    async def _opening(self) -> str:
        """The next event before the platform has taken the settings."""
        event = await self._connection.recv()
        kind = _kind(event)
        if kind == "Welcome":
            self._stream.raw["request_id"] = str(getattr(event, "request_id", ""))
        elif kind == "Error":
            raise refused_settings(
                str(getattr(event, "code", "")), str(getattr(event, "description", "")), self._key
            )
        elif kind == "Warning" and getattr(event, "code", "") == PROMPT_TOO_LONG:
            raise VendorUnusable(prompt_cut(self._prompt))
        return kind

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if not self._stream.ended and not self._outbox.frame(frame):
            self._stream.break_off("not_listening", "the platform has taken no audio for 10 s")

    def events(self) -> AsyncIterator[SessionEvent]:
        return self._stream.events()

    async def send_tool_result(self, result: ToolResult) -> None:
        """Hands a result back, unless the platform has taken the call back. After a tool that ends the call
        the agent's last words are waited for and the session is over.
        """
        if self._stream.ended or result.id not in self._open_calls:
            return
        self._open_calls.discard(result.id)
        content = json.dumps(dict(result.body), ensure_ascii=False, sort_keys=True)
        self._outbox.event(
            {"type": "FunctionCallResponse", "id": result.id, "name": result.name, "content": content}
        )
        if is_last(result.name, result.status):
            self._last_words.begin(result.name)
        self._owing = not self._open_calls
        self._watch_out()

    def played(self, seconds: float) -> None:
        """Nothing: the platform counts by itself how much of an interrupted utterance was heard."""

    async def hang_up(self) -> None:
        await self._stream.hang_up()

    async def fetch_record(self) -> PlatformRecord:
        """What the platform told during the call; the vendor keeps nothing that could be fetched."""
        return self._stream.record

    async def fetch_cost(self) -> Cost:
        """The length of the connection at the published price."""
        over = self._ended if self._stream.ended else self._loop.time()
        return catalogue().cost(self._settings.think, max(0.0, over - self._began))

    # --- the wire -------------------------------------------------------------------------------------------

    async def _let_go(self) -> None:
        self._ended = self._loop.time()
        await self._close()

    async def _send(self, message: Mapping[str, Any] | bytes) -> None:
        self._heard_from_us = True
        if isinstance(message, bytes):
            await self._connection.send_media(message)
        else:
            await self._connection.send_raw(dict(message))

    async def _keep_alive(self) -> None:
        while True:
            await asyncio.sleep(_KEEP_ALIVE_SECONDS)
            if not self._heard_from_us:
                self._outbox.event({"type": "KeepAlive"})
            self._heard_from_us = False

    def _read_one(self, event: Any) -> None:
        self._take(event)
        self._watch_out()

    def _take(self, event: Any) -> None:
        match kind := _kind(event):
            case "audio":
                self._sound(event)
            case "ConversationText":
                self._said(*_texts(event, "role", "content"))
            case "AgentThinking" | "AgentStartedSpeaking":
                self._owing = True
                self._last_words.stir()
            case "AgentAudioDone":
                self._owing = False
                self._last_words.rest()
            case "UserStartedSpeaking":
                self._caller_began()
            case "FunctionCallRequest":
                for function in event.functions:
                    self._call(function)
            case "FunctionCallCancelled":
                for function in event.functions:
                    self._open_calls.discard(function.id)
                    self._stream.cancelled(function.id)
                self._owing = False
            case "Warning":
                self._warned(str(event.code), str(event.description))
            case "Error":  # the vendor's documentation: treat every one as the end of the session
                self._stream.break_off(str(event.code), str(event.description))
            case _ if kind not in _IDLE:
                self._stream.unknown(kind)

    def _sound(self, pcm: bytes) -> None:
        raw = self._half_sample + pcm
        whole = len(raw) // 2 * 2
        self._half_sample = raw[whole:]
        samples = np.frombuffer(raw[:whole], dtype="<i2").astype(np.int16)
        if len(samples) == 0:
            return
        self._owing = True
        self._last_words.stir()
        self._playback.add("", 0, len(samples) / LINE_RATE, self._loop.time())
        self._stream.emit(AgentAudio(samples, LINE_RATE))

    def _said(self, role: str, text: str) -> None:
        self._owing = True
        if role == "assistant":
            self._last_words.stir()
            self._stream.agent_said(text)
        else:
            self._stream.caller_said(text)

    def _caller_began(self) -> None:
        self._owing = False  # until it has heard the caller out
        self._half_sample = b""
        self._last_words.interrupted()
        self._stream.emit(UserSpeech(True))
        if self._playback.cut(self._loop.time()) is not None:
            self._stream.emit(Clear())

    def _call(self, function: Any) -> None:
        call_id, name, arguments = _texts(function, "id", "name", "arguments")
        if not function.client_side:
            self._stream.note("server_side_call", f"the platform called {name} by itself")
        elif self._stream.called(call_id, name, arguments):
            self._open_calls.add(call_id)
            self._owing = False

    def _warned(self, code: str, description: str) -> None:
        if code == PROMPT_TOO_LONG:
            self._stream.break_off(code, prompt_cut(self._prompt))
        else:
            self._stream.note(code, description)

    def _watch_out(self) -> None:
        """Starts the wait for the platform's next event anew."""
        self._stream.watch(self._owing and not self._open_calls)


def _kind(event: Any) -> str:
    """The SDK gives sound as bytes, and an event that it does not know as the plain object."""
    if isinstance(event, bytes):
        return "audio"
    if isinstance(event, Mapping):
        return str(event.get("type", ""))
    return str(getattr(event, "type", ""))


def _texts(event: Any, *names: str) -> tuple[str, ...]:
    """Fields that have to be text: the SDK checks nothing, and gives None for one that is not there.

    Raises:
        TypeError: one is not.
    """
    values: list[str] = []
    for name in names:
        value = getattr(event, name, None)
        if not isinstance(value, str):
            raise TypeError(f"{name} of {type(event).__name__} is no text")
        values.append(value)
    return tuple(values)


def _as_it_is(pcm: bytes) -> bytes:
    return pcm
