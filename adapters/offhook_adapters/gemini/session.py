"""One call on Gemini Live: the vendor's messages in, session events out, and what goes the other way."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from offhook.audio import Samples
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
    TranscriptKind,
    UserSpeech,
    UserTranscript,
)
from offhook_adapters.gemini._refusals import is_too_large, told_by
from offhook_adapters.gemini._usage import turn_usage
from offhook_adapters.gemini.config import GeminiSettings, greeting_instruction
from offhook_adapters.gemini.prices import catalogue, cost_of
from offhook_adapters.wires.outbox import Outbox
from offhook_adapters.wires.reading import write_until_closed
from offhook_adapters.wires.sockets import cut
from offhook_adapters.wires.stream import CallStream, is_last
from offhook_adapters.wires.trouble import one_line

if TYPE_CHECKING:
    from google.genai.live import AsyncSession

__all__ = ["IN_RATE", "GeminiLiveSession"]

IN_RATE: Final = 16_000
_OUT_RATE: Final = 24_000
_IN_TYPE: Final = f"audio/pcm;rate={IN_RATE}"
_RATE: Final = re.compile(r"rate=(\d+)")
_CLOSED_WELL: Final = 1000
# After a tool that ends the call the agent may say something or nothing; the line is not held open for ever.
_LEAVE_SECONDS: Final = 8.0

_Send = Callable[[], Awaitable[None]]


class GeminiLiveSession:
    """A live call.

    Args:
        live: the SDK's session, whose setup is complete.
        close: lets go of it.
        key: only held to keep it out of messages.
        patience: seconds the platform may owe an answer in silence before that is noted.
    """

    def __init__(
        self,
        live: AsyncSession,
        settings: GeminiSettings,
        close: Callable[[], Awaitable[None]],
        *,
        key: str,
        patience: float,
    ) -> None:
        self._live = live
        self._settings = settings
        self._key = key
        self._loop = asyncio.get_running_loop()
        self._stream = CallStream((key,), close, patience=patience, cut=lambda: cut(live._ws))
        self._outbox: Outbox[_Send] = Outbox(_sent, self._sound, rate=IN_RATE)
        self._said: list[str] = []
        self._heard: list[str] = []
        self._half_sample = b""
        # The tool calls that wait for an answer. The model goes on once it has all of them.
        self._calls: dict[str, ToolResult | None] = {}
        self._talking = False
        self._generated = True
        self._asked = False
        self._sounded = False
        self._leaving = ""
        self._leave: asyncio.TimerHandle | None = None
        self._playing_until = 0.0
        self._stream.raw |= {
            "model": settings.model,
            "voice": settings.voice,
            "session": live.session_id,
            "turns": 0,
        }

    def open(self, agent: AgentConfig) -> None:
        """Begins to listen, and asks for the greeting. An agent without one waits to be spoken to."""
        self._stream.emit(Ready())
        if agent.greeting.strip():
            # As realtime text: every Live model takes that at any time. 3.1 was seen to refuse client content
            # after the first turn (livekit/agents#5251, 2026-03-27), though its later page allows it.
            text = greeting_instruction(agent.greeting)
            self._outbox.event(partial(self._live.send_realtime_input, text=text))
            self._asked = True
        self._stream.spawn(self._read())
        self._stream.spawn(write_until_closed(self._outbox.run, self._stream, self._key))
        self._watch_out()

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if not self._stream.ended and not self._outbox.frame(frame):
            self._stream.break_off("not_listening", "the platform has taken no audio for 10 s")

    def events(self) -> AsyncIterator[SessionEvent]:
        return self._stream.events()

    async def send_tool_result(self, result: ToolResult) -> None:
        """Hands a result back, with the others of its batch. After a tool that ends the call the agent's last
        words are played out and the session is over. A result of a call that was taken back goes nowhere.
        """
        if self._stream.ended or result.id not in self._calls:
            return
        if is_last(result.name, result.status):
            self._leaving = result.name
        self._calls[result.id] = result
        self._answer()

    def played(self, seconds: float) -> None:
        """Nothing to tell: the server keeps the time of what it sent and cuts its own context."""

    async def hang_up(self) -> None:
        self._stay()
        await self._stream.hang_up()

    async def fetch_record(self) -> PlatformRecord:
        """What the platform told during the call; the vendor keeps nothing that could be fetched."""
        return self._stream.record

    async def fetch_cost(self) -> Cost:
        """Metered tokens at the published prices. Unknown for models without one, for tokens the vendor did
        not tell apart, and where the call ended in a turn, which is metered at its end.
        """
        if self._talking:
            return Cost()
        model = catalogue().models.get(self._settings.model)
        return cost_of(self._stream.usage, None if model is None else model.prices)

    # --- the wire -------------------------------------------------------------------------------------------

    def _sound(self, pcm: bytes) -> _Send:
        from google.genai.types import Blob

        return partial(self._live.send_realtime_input, audio=Blob(data=pcm, mime_type=_IN_TYPE))

    async def _read(self) -> None:
        """Takes every message until the socket is closed. The SDK stops after each turn, so it is asked again
        and again; it tells a closed socket as an ``APIError`` with the close code.
        """
        from google.genai.errors import APIError

        while not self._stream.ended:
            try:
                async with contextlib.aclosing(self._live.receive()) as messages:  # type: ignore[type-var]
                    async for message in messages:
                        self._take(message)
                        # A burst is read without ever waiting: whoever takes the events must get a turn.
                        await asyncio.sleep(0)
            except APIError as error:
                self._closed(error)
            except TypeError:
                # What google-genai 3.6.1 does with a message of which it knows no part: it compares an error
                # code that is not there. The socket is all right, and what was in it can't be had.
                self._stream.unknown("a message of a kind that its SDK can't read")
            except Exception as error:  # a message of another shape must not leave the line open
                text = one_line(f"{type(error).__name__}: {error}", self._key)
                self._stream.break_off(
                    "bad_message", f"the platform sent what this adapter can't read ({text})"
                )

    def _closed(self, error: Any) -> None:
        if is_too_large(error):
            self._stream.break_off("bad_message", told_by(error, self._key))
            return
        text = told_by(error, self._key)
        if error.code == _CLOSED_WELL:
            self._stream.end(Ended("platform", text))
        else:
            self._stream.break_off("connection_lost", text)

    def _take(self, message: Any) -> None:
        if message.usage_metadata is not None:
            self._stream.metered(turn_usage(message.usage_metadata))
        if message.server_content is not None:
            self._content(message.server_content)
        if message.tool_call is not None:
            self._call(message.tool_call.function_calls or ())
        if message.tool_call_cancellation is not None:
            self._take_back(message.tool_call_cancellation.ids or ())
        if message.voice_activity is not None:
            self._activity(message.voice_activity.voice_activity_type)
        if message.go_away is not None:
            left = message.go_away.time_left or "a moment"
            self._stream.note("go_away", f"the platform will close the connection in {left}")
        self._watch_out()

    # --- what the platform tells ----------------------------------------------------------------------------

    def _content(self, content: Any) -> None:
        if (heard := content.input_transcription) is not None:
            self._caller_words(heard.text or "", bool(heard.finished))
        for part in (content.model_turn.parts or ()) if content.model_turn is not None else ():
            if part.inline_data is not None and part.inline_data.data:
                self._agent_sound(part.inline_data)
        if (said := content.output_transcription) is not None and said.text:
            self._begin()
            self._said.append(said.text)
            self._stream.emit(AgentTranscript(said.text, TranscriptKind.DELTA))
        if content.interrupted:
            self._half_sample = b""
            self._stream.emit(Clear())
        if content.generation_complete:
            self._generated = True
            self._tell_said()
        if content.turn_complete:
            self._turn_over()

    def _caller_words(self, text: str, finished: bool) -> None:
        if text:
            self._heard.append(text)
            self._asked, self._sounded = True, False
            self._stream.emit(UserTranscript(text, TranscriptKind.DELTA))
        if finished:
            self._tell_heard()

    def _agent_sound(self, blob: Any) -> None:
        self._begin()
        found = _RATE.search(blob.mime_type or "")
        rate = int(found[1]) if found else _OUT_RATE
        raw = self._half_sample + blob.data
        whole = len(raw) // 2 * 2
        self._half_sample = raw[whole:]
        if whole:
            self._sounded = True
            self._playing_until = max(self._playing_until, self._loop.time()) + whole / 2 / rate
            self._stream.emit(AgentAudio(np.frombuffer(raw[:whole], dtype="<i2").astype(np.int16), rate))

    def _begin(self) -> None:
        """The model answers. What it heard is whole by then; what may still come of it is told by itself."""
        self._tell_heard()
        self._talking, self._generated, self._asked = True, False, False

    def _turn_over(self) -> None:
        self._tell_heard()
        self._tell_said()
        self._half_sample = b""
        self._talking, self._generated, self._asked = False, True, False
        self._stream.raw["turns"] += 1
        if self._leaving and self._sounded:
            self._go()

    def _tell_heard(self) -> None:
        """The vendor has no event for the end of what it heard: ``finished`` seldom comes."""
        text, self._heard = "".join(self._heard), []
        self._stream.caller_said(text)

    def _tell_said(self) -> None:
        text, self._said = "".join(self._said).strip(), []
        if text:
            self._stream.agent_said(text)

    def _activity(self, kind: Any) -> None:
        told = str(getattr(kind, "value", kind))
        if told in ("ACTIVITY_START", "ACTIVITY_END"):
            self._stream.emit(UserSpeech(told == "ACTIVITY_START"))

    # --- tools ----------------------------------------------------------------------------------------------

    def _call(self, calls: Any) -> None:
        self._begin()
        self._tell_said()
        for call in calls:
            if self._stream.called(call.id, call.name, call.args or {}):
                self._calls[call.id] = None

    def _take_back(self, ids: Any) -> None:
        for call_id in ids:
            self._calls.pop(call_id, None)
            self._stream.cancelled(call_id)
        self._answer()

    def _answer(self) -> None:
        """Sends the results once all are there: a batch is answered whole."""
        results = [result for result in self._calls.values() if result is not None]
        if not results or len(results) < len(self._calls):
            return
        self._calls.clear()
        # The body as it is: the vendor reads ``error`` in it as a failure, and anything else as the output.
        responses = [{"id": each.id, "name": each.name, "response": dict(each.body)} for each in results]
        self._outbox.event(partial(self._live.send_tool_response, function_responses=responses))  # type: ignore[arg-type]
        self._generated = False
        self._watch_out()

    # --- time -----------------------------------------------------------------------------------------------

    def _watch_out(self) -> None:
        """Starts the waits for the platform's next message anew. Once an answer is generated the platform
        stays silent until it would have been played, and owes nothing.
        """
        owing = self._asked or (self._talking and not self._generated)
        self._stream.watch(owing and not self._calls)
        if self._leaving and not self._stream.ended:
            self._stay()
            played_out = max(self._playing_until, self._loop.time())
            self._leave = self._loop.call_at(played_out + _LEAVE_SECONDS, self._go)

    def _stay(self) -> None:
        if self._leave is not None:
            self._leave.cancel()

    def _go(self) -> None:
        self._stay()
        self._stream.end(Ended("agent", self._leaving))


async def _sent(send: _Send) -> None:
    await send()
