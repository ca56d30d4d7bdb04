"""LiveKit's console wire: a running agent process at one end, a line at the other."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import numpy as np
from livekit.protocol.agent_pb import agent_session as wire

from offhook.audio import LINE_RATE, Resampler, Samples
from offhook.clock import sleep_until
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
    ToolResult,
    UserSpeech,
    UserTranscript,
)
from offhook_adapters._frameworks.child import AgentChild

__all__ = ["ConsoleSession"]

# Both ways; the agent's process resamples to what it needs.
_WIRE_RATE: Final = 48_000
_HEADER: Final = struct.Struct(">I")
_LARGEST: Final = 1 << 20
_PATIENCE_SECONDS: Final = 10
_MOST_UNREAD: Final = _PATIENCE_SECONDS * _WIRE_RATE * np.dtype(np.int16).itemsize
_EXIT_SECONDS: Final = 2.0
_CLOSING: Final = ("end_call", "transfer_to_human")
_Message = wire.AgentSessionMessage


class ConsoleSession:
    """A live call with an agent's process. Its tools are its own business: what they did is told by the
    record, and by the tool server.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, child: AgentChild) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = reader
        self._writer = writer
        self._child = child
        self._events: asyncio.Queue[SessionEvent | None] = asyncio.Queue()
        self._to_wire = Resampler(LINE_RATE, _WIRE_RATE)
        self._transcript: list[str] = []
        self._tools: list[Mapping[str, Any]] = []
        self._ended = False
        self._over = False
        self._playing_until = 0.0
        self._finishing: asyncio.Task[None] | None = None
        self._emit(Ready())
        self._reading = asyncio.create_task(self._read())

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if self._writer.transport.get_write_buffer_size() > _MOST_UNREAD:
            self._fail("not_listening", f"the agent has taken no audio for {_PATIENCE_SECONDS} s")
        if not self._ended:
            samples = self._to_wire.push(frame)
            sound = wire.AgentSessionMessage.ConsoleIO.AudioFrame(
                data=samples.tobytes(),
                sample_rate=_WIRE_RATE,
                num_channels=1,
                samples_per_channel=len(samples),
            )
            self._send(_Message(audio_input=sound))

    async def events(self) -> AsyncIterator[SessionEvent]:
        """The one stream."""
        while (event := await self._events.get()) is not None:
            yield event

    async def send_tool_result(self, result: ToolResult) -> None:
        """The process calls its tools itself."""

    def played(self, seconds: float) -> None:
        """The process keeps count itself."""

    async def hang_up(self) -> None:
        self._end(Ended("caller"))
        tasks = [task for task in (self._reading, self._finishing) if task is not None]
        for task in tasks:
            if task is not asyncio.current_task():
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._writer.close()
        await self._child.stop()

    async def fetch_record(self) -> PlatformRecord:
        return PlatformRecord(tuple(self._transcript), tuple(self._tools))

    async def fetch_cost(self) -> Cost:
        """What the agent's models cost is not told over this wire."""
        return Cost()

    # --- the agent's side -----------------------------------------------------------------------------------

    async def _read(self) -> None:
        try:
            while True:
                (length,) = _HEADER.unpack(await self._reader.readexactly(_HEADER.size))
                if length > _LARGEST:
                    self._fail("wire", f"the agent's process sent a message of {length} bytes")
                    return
                self._take(_Message.FromString(await self._reader.readexactly(length)))
        except (OSError, EOFError):
            await self._left()
        except Exception as error:  # a wire nobody knows must end the call, not leave it silent
            self._fail("wire", f"the agent's process sent what can't be read: {type(error).__name__}")

    async def _left(self) -> None:
        """The process closed the connection. One that broke down ends with it; one that has had enough of
        the call lives on.
        """
        code = None if self._over else await self._child.exit_code(_EXIT_SECONDS)
        if code:
            said = f": {self._child.last_words}" if self._child.last_words else ""
            self._fail("process_ended", f"the agent's process ended with code {code}{said}")
        else:
            self._end(Ended("agent", "" if self._over else "the agent's process hung up"))

    def _take(self, message: Any) -> None:
        match message.WhichOneof("message"):
            case "audio_output":
                self._play(message.audio_output)
            case "audio_playback_flush":
                self._finishing = asyncio.create_task(self._finish())
            case "audio_playback_clear":
                self._playing_until = self._loop.time()
                self._emit(Clear())
                if self._finishing is not None:
                    self._finishing.cancel()
            case "event":
                self._note(message.event)
            case _:  # requests and their answers are for LiveKit's own console
                pass

    def _play(self, sound: Any) -> None:
        samples = np.frombuffer(sound.data, dtype=np.int16)
        self._playing_until = max(self._playing_until, self._loop.time()) + len(samples) / sound.sample_rate
        self._emit(AgentAudio(samples, sound.sample_rate))

    async def _finish(self) -> None:
        """Tells the process when all of a segment has been played."""
        await sleep_until(self._playing_until)
        self._send(
            _Message(audio_playback_finished=wire.AgentSessionMessage.ConsoleIO.AudioPlaybackFinished())
        )
        if self._over:
            self._end(Ended("agent"))

    def _note(self, event: Any) -> None:
        match event.WhichOneof("event"):
            case "user_state_changed":
                states = (event.user_state_changed.old_state, event.user_state_changed.new_state)
                if wire.US_SPEAKING in states:
                    self._emit(UserSpeech(states[1] == wire.US_SPEAKING))
            case "user_input_transcribed":
                heard = event.user_input_transcribed
                if heard.is_final and heard.transcript:
                    self._transcript.append(f"caller: {heard.transcript}")
                    self._emit(UserTranscript(heard.transcript))
            case "conversation_item_added":
                self._said(event.conversation_item_added.item)
            case "function_tools_executed":
                self._used(event.function_tools_executed)
            case "error":
                self._emit(SessionError("agent", event.error.message))
            case _:
                pass

    def _said(self, item: Any) -> None:
        if item.WhichOneof("item") == "message" and item.message.role == wire.ASSISTANT:
            text = " ".join(part.text for part in item.message.content if part.text)
            if text:
                self._transcript.append(f"agent: {text}")
                self._emit(AgentTranscript(text))

    def _used(self, used: Any) -> None:
        failed = {output.call_id for output in used.function_call_outputs if output.is_error}
        for call in used.function_calls:
            self._tools.append({"id": call.call_id, "name": call.name, "arguments": _read(call.arguments)})
            if call.name in _CLOSING and call.call_id not in failed:
                self._over = True
        if self._over and self._playing_until <= self._loop.time():
            self._end(Ended("agent"))

    # --- helpers --------------------------------------------------------------------------------------------

    def _send(self, message: Any) -> None:
        if not self._writer.is_closing():
            data = message.SerializeToString()
            self._writer.write(_HEADER.pack(len(data)) + data)

    def _fail(self, code: str, message: str) -> None:
        self._emit(SessionError(code, message, fatal=True))
        self._end(Ended("platform", message))

    def _end(self, ended: Ended) -> None:
        if not self._ended:
            self._emit(ended)
            self._ended = True
            self._events.put_nowait(None)

    def _emit(self, event: SessionEvent) -> None:
        if not self._ended:
            self._events.put_nowait(event)


def _read(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
