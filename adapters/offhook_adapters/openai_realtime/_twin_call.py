"""One connection to the twin: the client's events in, and the reference platform's call as server events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from offhook.audio import FRAME_SAMPLES, LINE_RATE, Samples
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Ended,
    SessionError,
    SessionEvent,
    UserSpeech,
    UserTranscript,
)
from offhook.speech import SpeechUnavailable
from offhook_adapters.openai_realtime._twin_checks import WireError, WireTypes, decoded_audio, read_object
from offhook_adapters.openai_realtime._twin_desk import ToolDesk, WireMind
from offhook_adapters.openai_realtime._twin_pipe import Pipe
from offhook_adapters.openai_realtime._twin_responses import Conversation, Meter, Responses
from offhook_adapters.openai_realtime._twin_session import (
    agent_of,
    first_session,
    turn_settings,
    updated_session,
)
from offhook_adapters.openai_realtime.config import quoted_greeting
from offhook_adapters.openai_realtime.twin import TwinAgent
from offhook_adapters.reference.minds.desk import MindError
from offhook_adapters.reference.session import ReferenceSession
from offhook_adapters.reference.speech import Ears, Mouth, chosen_voice

__all__ = ["TwinCall"]

_RATE_LIMITS: Final = ({"name": "tokens", "limit": 1_000_000, "remaining": 990_000, "reset_seconds": 0.6},)


class TwinCall:
    """A call. ``pipe`` carries what is said to the client; ``received`` keeps what the client said."""

    def __init__(
        self, pipe: Pipe, agent: TwinAgent, types: WireTypes, model: str, received: list[Mapping[str, Any]]
    ) -> None:
        self._pipe = pipe
        self._agent = agent
        self._types = types
        self._received = received
        self._meter = Meter()
        self._conversation = Conversation(self._tell)
        self._responses = Responses(self._tell, self._conversation, self._meter)
        self._tools = ToolDesk(self._responses)
        self._session = first_session(model)
        self._events = 0
        self._platform: ReferenceSession | None = None
        self._mind: WireMind | None = None
        self._pump: asyncio.Task[None] | None = None
        self._rest: Samples = np.zeros(0, dtype=np.int16)
        self._taken_in = 0
        self._speech_began = 0
        self._turn = ""
        self._unheard: list[tuple[str, float]] = []
        self._text = ""

    def begin(self) -> None:
        """Greets the client."""
        self._tell("session.created", session=self._session)

    def take(self, raw: str | bytes) -> None:
        """One message of the client."""
        event_id: str | None = None
        try:
            event = read_object(raw)
            self._received.append(event)
            named = event.get("event_id")
            event_id = named if isinstance(named, str) else None
            self._types.check_client(event)
            self._handle(event)
        except WireError as error:
            self._error(error, event_id)

    async def close(self) -> None:
        """The client is gone."""
        if self._platform is not None:
            await self._platform.hang_up()
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)

    # --- the client's events --------------------------------------------------------------------------------

    def _handle(self, event: Mapping[str, Any]) -> None:
        match event["type"]:
            case "session.update":
                self._update(event["session"])
            case "input_audio_buffer.append":
                self._hear(decoded_audio(event["audio"]))
            case "input_audio_buffer.clear":
                self._rest = self._rest[:0]
                self._tell("input_audio_buffer.cleared")
            case "input_audio_buffer.commit":
                raise WireError("input_audio_buffer_commit_empty", "the server commits turns itself")
            case "conversation.item.create":
                self._add(event["item"])
            case "conversation.item.truncate":
                self._truncate(event["item_id"], event["content_index"], event["audio_end_ms"])
            case "response.create":
                self._respond(event.get("response") or {})
            case "response.cancel":
                if not self._responses.open:
                    raise WireError("response_cancel_not_active", "there is no response to cancel")
                self._responses.end("cancelled", "client_cancelled")
            case kind:
                raise WireError("twin_unsupported", f"this twin takes no {kind}", "type")

    def _update(self, update: Mapping[str, Any]) -> None:
        spoken = bool(self._conversation.spoken)
        after = updated_session(self._session, update, has_spoken=spoken)
        detection = after["audio"]["input"]["turn_detection"]
        if self._platform is not None and detection != self._session["audio"]["input"]["turn_detection"]:
            place = "session.audio.input.turn_detection"
            raise WireError("twin_unsupported", "this twin's turn detection is set before any audio", place)
        self._session = after
        self._tell("session.updated", session=after)

    def _hear(self, sound: bytes) -> None:
        samples = np.concatenate((self._rest, np.frombuffer(sound, dtype="<i2").astype(np.int16)))
        whole = len(samples) // FRAME_SAMPLES * FRAME_SAMPLES
        self._rest = samples[whole:]
        platform = self._opened()
        for start in range(0, whole, FRAME_SAMPLES):
            self._taken_in += FRAME_SAMPLES
            platform.send_audio(samples[start : start + FRAME_SAMPLES])

    def _add(self, item: Mapping[str, Any]) -> None:
        if item["type"] != "function_call_output":
            raise WireError("twin_unsupported", f"this twin takes no {item['type']} items", "item.type")
        self._tools.take(item["call_id"], item["output"])
        self._meter.read(item["output"])
        added = {"id": self._conversation.next_id(), **item}
        self._conversation.added(added)
        self._conversation.done(added)

    def _truncate(self, item_id: str, content_index: int, end_ms: int) -> None:
        length = self._conversation.spoken.get(item_id)
        if length is None or content_index != 0:
            raise WireError("invalid_value", f"there is no audio {item_id!r} to truncate", "item_id")
        if not 0 <= end_ms <= length:
            raise WireError(
                "invalid_value", f"the audio of {item_id} is only {length} ms long", "audio_end_ms"
            )
        self._conversation.spoken[item_id] = end_ms
        self._tell("conversation.item.truncated", item_id=item_id, content_index=0, audio_end_ms=end_ms)

    def _respond(self, asked: Mapping[str, Any]) -> None:
        if self._responses.open:
            raise WireError(
                "conversation_already_has_active_response", "the conversation has an active response already"
            )
        self._responses.begin()
        if self._mind is None:
            self._wake(quoted_greeting(asked.get("instructions") or "") or "")
        elif not self._tools.go_on():
            self._responses.end()  # the mind has nothing to add

    # --- the platform behind --------------------------------------------------------------------------------

    def _opened(self) -> ReferenceSession:
        if self._platform is None:
            engines, call = self._agent.engines, self._agent.call
            self._platform = ReferenceSession(
                ears=Ears(engines.ears, engines.careful_ears),
                mouth=Mouth(chosen_voice(engines, {"voice": self._agent.voice})),
                vad=engines.vad,
                rng=call.rng("delays"),
                turns=turn_settings(self._session),
                delays=self._agent.delays,
            )
            self._pump = asyncio.create_task(self._tell_events(self._platform))
        return self._platform

    def _wake(self, greeting: str) -> None:
        """Lets the mind take the call."""
        agent = agent_of(self._session, greeting)
        self._meter.read(agent.prompt + "".join(tool.name + tool.description for tool in agent.tools))
        try:
            mind = self._agent.make_mind(agent, self._agent.call)
        except MindError as error:
            raise WireError("twin_mind", str(error)) from None
        self._mind = WireMind(mind, self._tools, self._responses, self._unanswered)
        self._opened().begin(self._mind)

    async def _tell_events(self, platform: ReferenceSession) -> None:
        try:
            async for event in platform.events():
                self._translate(event)
        except SpeechUnavailable as error:
            self._agent.failures.append(error)
            self._pipe.close(1011, "an engine of the twin is missing")

    def _translate(self, event: SessionEvent) -> None:
        match event:
            case UserSpeech(speaking=True):
                self._speech_started()
            case UserSpeech(speaking=False):
                self._speech_stopped()
            case UserTranscript(text):
                self._transcribed(text)
            case AgentTranscript(text):
                self._text = text
            case AgentAudio(samples):
                while self._unheard:
                    self._transcribed("")  # sound without words, which the mind has passed over by now
                self._responses.say(self._text, samples)
                assert self._mind is not None
                self._mind.sent.mark()
            case SessionError(code, message):
                self._error(WireError(code, message), None, "server_error")
            case Ended(by="platform"):
                self._pipe.close(1011, "the twin's mind failed")
            case _:
                pass  # what was flushed is the client's to say, and the server never hangs up

    def _speech_started(self) -> None:
        self._responses.end("cancelled", "turn_detected")
        self._turn = self._conversation.next_id()
        detection = self._session["audio"]["input"]["turn_detection"]
        lead = turn_settings(self._session).onset * 1000 + detection["prefix_padding_ms"]
        self._speech_began = max(0, self._milliseconds() - round(lead))
        self._tell("input_audio_buffer.speech_started", item_id=self._turn, audio_start_ms=self._speech_began)

    def _speech_stopped(self) -> None:
        end = self._milliseconds()
        self._tell("input_audio_buffer.speech_stopped", item_id=self._turn, audio_end_ms=end)
        self._tell("input_audio_buffer.committed", item_id=self._turn)
        seconds = (end - self._speech_began) / 1000
        self._meter.heard(seconds)
        item = {
            "id": self._turn,
            "type": "message",
            "role": "user",
            "status": "completed",
            "content": [{"type": "input_audio", "transcript": None}],
        }
        self._conversation.added(item)
        self._conversation.done(item)
        self._unheard.append((self._turn, seconds))
        if self._tools.waiting:
            return
        self._responses.begin()
        self._tell("rate_limits.updated", rate_limits=list(_RATE_LIMITS))
        if self._mind is None:
            self._wake("")

    def _transcribed(self, text: str) -> None:
        if not self._unheard:
            return
        item_id, seconds = self._unheard.pop(0)
        if self._session["audio"]["input"]["transcription"] is None:
            return
        self._tell(
            "conversation.item.input_audio_transcription.completed",
            item_id=item_id,
            content_index=0,
            transcript=text,
            usage={"type": "duration", "seconds": seconds},
        )

    def _unanswered(self) -> None:
        """The caller stayed silent for as long as the session says, so the mind speaks."""
        now = self._milliseconds()
        began = max(0, now - (self._session["audio"]["input"]["turn_detection"]["idle_timeout_ms"] or 0))
        self._tell(
            "input_audio_buffer.timeout_triggered",
            item_id=self._conversation.next_id(),
            audio_start_ms=began,
            audio_end_ms=now,
        )

    def _milliseconds(self) -> int:
        return self._taken_in * 1000 // LINE_RATE

    # --- what is sent ---------------------------------------------------------------------------------------

    def _error(self, error: WireError, event_id: str | None, kind: str = "invalid_request_error") -> None:
        told = {"type": kind, "code": error.code, "message": error.message, "param": error.param}
        self._tell("error", error={**told, "event_id": event_id})

    def _tell(self, kind: str, **fields: Any) -> None:
        self._events += 1
        event = {"type": kind, "event_id": f"event_{self._events:06d}", **fields}
        self._types.check_server(event)
        self._pipe.put(event)
