"""One call over the WebSocket of a Pipecat bot: protobuf frames, with RTVI messages among them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final

import numpy as np

from offhook.audio import FRAME_SECONDS, LINE_RATE, Resampler, Samples
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
from offhook.storage import clean_text, one_line

__all__ = ["BotSession"]

_IN_RATE: Final = 16_000
_VERSION: Final = "2.2.0"
_MOST_FRAMES: Final = round(10 / FRAME_SECONDS)


class BotSession:
    """A live call. ``stop`` ends the bot's process; ``trouble`` says what it wrote when it broke down."""

    def __init__(
        self, socket: Any, stop: Callable[[], Awaitable[None]], trouble: Callable[[], Awaitable[str]]
    ) -> None:
        from pipecat.serializers.protobuf import ProtobufFrameSerializer

        self._socket = socket
        self._stop = stop
        self._trouble = trouble
        self._wire = ProtobufFrameSerializer()
        self._down = Resampler(LINE_RATE, _IN_RATE)
        self._events: asyncio.Queue[SessionEvent | None] = asyncio.Queue()
        self._frames: asyncio.Queue[Samples] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._ended = False
        self._transcript: list[str] = []

    async def begin(self) -> None:
        """Tells the bot that a client is there, and starts the streams."""
        about = {"library": "offhook"}
        await self._tell("client-ready", {"version": _VERSION, "about": about})
        self._emit(Ready())
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if self._ended:
            return
        if self._frames.qsize() >= _MOST_FRAMES:
            reason = "the bot has taken no audio for 10 s"
            self._emit(SessionError("not_listening", reason, fatal=True))
            self._end(Ended("platform", reason))
            return
        self._frames.put_nowait(frame)

    async def events(self) -> AsyncIterator[SessionEvent]:
        while (event := await self._events.get()) is not None:
            yield event

    async def send_tool_result(self, result: ToolResult) -> None:
        """The bot calls its tools by itself."""

    def played(self, seconds: float) -> None:
        """Nothing to tell: the bot goes by what it has sent."""

    async def hang_up(self) -> None:
        self._end(Ended("caller"))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await self._socket.close()
        finally:
            await self._stop()

    async def fetch_record(self) -> PlatformRecord:
        return PlatformRecord(tuple(self._transcript))

    async def fetch_cost(self) -> Cost:
        """What the bot uses is its own affair."""
        return Cost()

    # --- the wire -------------------------------------------------------------------------------------------

    async def _tell(self, kind: str, data: Mapping[str, Any]) -> None:
        from pipecat.frames.frames import OutputTransportMessageFrame

        message = {"label": "rtvi-ai", "type": kind, "id": kind, "data": dict(data)}
        await self._socket.send(await self._wire.serialize(OutputTransportMessageFrame(message=message)))

    async def _write(self) -> None:
        from pipecat.frames.frames import OutputAudioRawFrame
        from websockets.exceptions import ConnectionClosed

        with contextlib.suppress(ConnectionClosed):  # the reader gets the same and knows why
            while True:
                sound = self._down.push(await self._frames.get())
                frame = OutputAudioRawFrame(sound.tobytes(), _IN_RATE, 1)
                await self._socket.send(await self._wire.serialize(frame))

    async def _read(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            async for data in self._socket:
                self._take(await self._wire.deserialize(data))
        except ConnectionClosed as error:
            told = f"the bot's connection broke: {await self._trouble() or error}"
            reason = one_line(told)
            self._emit(SessionError("connection_lost", reason, fatal=True))
            self._end(Ended("platform", reason))
        except Exception as error:  # a message of another shape must not leave the line open
            told = f"the bot sent what this adapter can't read ({type(error).__name__}: {error})"
            reason = one_line(told)
            self._emit(SessionError("bad_message", reason, fatal=True))
            self._end(Ended("platform", reason))
        else:
            self._end(Ended("agent", "the bot closed the connection"))

    def _take(self, frame: object) -> None:
        from pipecat.frames.frames import InputAudioRawFrame, InputTransportMessageFrame, InterruptionFrame

        match frame:
            case InputAudioRawFrame(audio=audio, sample_rate=rate):
                self._emit(AgentAudio(np.frombuffer(audio, dtype=np.int16), rate))
            case InterruptionFrame():
                self._emit(Clear())
            case InputTransportMessageFrame(message=message):
                told = json.loads(message) if isinstance(message, str | bytes) else message
                if isinstance(told, Mapping):
                    self._told(str(told.get("type")), told.get("data"))
            case _:
                pass

    def _told(self, kind: str, data: Any) -> None:
        given = data if isinstance(data, Mapping) else {}
        match kind:
            case "user-started-speaking":
                self._emit(UserSpeech(True))
            case "user-stopped-speaking":
                self._emit(UserSpeech(False))
            case "user-transcription" if given.get("final"):
                self._transcript.append(f"caller: {given.get('text', '')}")
                self._emit(UserTranscript(str(given.get("text", ""))))
            case "bot-output" if given.get("spoken_status") == "completed":
                self._transcript.append(f"agent: {given.get('text', '')}")
                self._emit(AgentTranscript(str(given.get("text", ""))))
            case "error" | "error-response":
                self._emit(SessionError("bot_error", clean_text(str(given.get("error") or given))))
            case _:
                pass

    def _emit(self, event: SessionEvent) -> None:
        if not self._ended:
            self._events.put_nowait(event)

    def _end(self, ended: Ended) -> None:
        if not self._ended:
            self._emit(ended)
            self._ended = True
            self._events.put_nowait(None)
