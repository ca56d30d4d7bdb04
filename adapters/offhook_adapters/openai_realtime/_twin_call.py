"""One connection to the twin: the client's events in, and the reference platform's call as server events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from offhook.audio import Samples
from offhook_adapters.openai_realtime._twin_responses import Conversation, Meter, Responses
from offhook_adapters.openai_realtime.config import quoted_greeting
from offhook_adapters.openai_realtime.twin_checks import WireError, decoded_audio, read_object
from offhook_adapters.openai_realtime.twin_dialect import TwinDialect
from offhook_adapters.reference.minds.desk import MindError
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.desk import NoSuchCall, ToolDesk, WireCall
from offhook_adapters.twins.pipe import PIECE_SECONDS, Pipe
from offhook_adapters.twins.platform import TwinPlatform
from offhook_adapters.twins.served import TwinLog

__all__ = ["TwinCall"]

_RATE_LIMITS: Final = ({"name": "tokens", "limit": 1_000_000, "remaining": 990_000, "reset_seconds": 0.6},)


class TwinCall:
    """A call. ``pipe`` carries what is said to the client; ``log`` keeps what the client said."""

    def __init__(self, pipe: Pipe, agent: TwinAgent, dialect: TwinDialect, model: str, log: TwinLog) -> None:
        self._pipe = pipe
        self._dialect = dialect
        self._types = dialect.types()
        self._log = log
        self._meter = Meter()
        self._conversation = Conversation(self._tell)
        self._responses = Responses(self._tell, self._conversation, self._meter)
        self._tools = ToolDesk(self._call_tools, waits=True)
        self._platform = TwinPlatform(agent, self, self._tools)
        self._session = dialect.first_session(model)
        self._events = 0
        self._opened = False
        self._speech_began = 0
        self._turn = ""
        self._unheard: list[tuple[str, float]] = []

    def begin(self) -> None:
        """Greets the client."""
        for kind, fields in self._dialect.opening(self._session):
            self._tell(kind, **fields)

    def take(self, message: str | bytes) -> None:
        """One message of the client."""
        event_id: str | None = None
        try:
            event = read_object(message)
            self._log.received.append(event)
            named = event.get("event_id")
            event_id = named if isinstance(named, str) else None
            self._types.check_client(event)
            self._handle(event)
        except WireError as error:
            self._error(error, event_id)

    async def close(self) -> None:
        """The client is gone."""
        await self._platform.close()

    # --- the client's events --------------------------------------------------------------------------------

    def _handle(self, event: Mapping[str, Any]) -> None:
        match event["type"]:
            case "session.update":
                self._update(event["session"])
            case "input_audio_buffer.append":
                self._hear(decoded_audio(event["audio"]))
            case "input_audio_buffer.clear":
                self._platform.forget_rest()
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
        after = self._dialect.updated_session(self._session, update, has_spoken=spoken)
        if self._opened and self._dialect.detection(after) != self._detection:
            raise WireError("twin_unsupported", "this twin's turn detection is set before any audio")
        self._session = after
        if not self._platform.awake:  # a client that asks for no greeting wakes it late, or never
            self._log.arrived = self._dialect.agent_of(after, "")
        self._tell("session.updated", session=after)

    def _hear(self, pcm: bytes) -> None:
        self._open()
        self._platform.hear(pcm)

    @property
    def _detection(self) -> Mapping[str, Any]:
        return self._dialect.detection(self._session)

    def _add(self, item: Mapping[str, Any]) -> None:
        words = self._dialect.spoken_as_is(item)
        if words is not None:
            self._greet(words)
            return
        if item["type"] != "function_call_output":
            raise WireError("twin_unsupported", f"this twin takes no {item['type']} items", "item.type")
        try:
            self._tools.take(item["call_id"], item["output"])
        except NoSuchCall as error:
            raise WireError("invalid_tool_call_id", str(error), "item.call_id") from None
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

    def _greet(self, words: str) -> None:
        if self._platform.awake or self._responses.open:
            raise WireError("twin_unsupported", "this twin says words as they are only as a greeting", "item")
        self._responses.begin()
        self._wake(words)

    def _respond(self, asked: Mapping[str, Any]) -> None:
        if self._responses.open:
            raise WireError(
                "conversation_already_has_active_response", "the conversation has an active response already"
            )
        self._responses.begin()
        if not self._platform.awake:
            self._wake(quoted_greeting(asked.get("instructions") or "") or "")
        elif not self._tools.go_on():
            self._responses.end()  # the mind has nothing to add

    # --- the platform behind --------------------------------------------------------------------------------

    def _open(self) -> None:
        self._opened = True
        self._platform.open(self._dialect.turn_settings(self._session))

    def _wake(self, greeting: str) -> None:
        """Lets the mind take the call."""
        agent = self._dialect.agent_of(self._session, greeting)
        self._log.arrived = agent
        self._meter.read(agent.prompt + "".join(tool.name + tool.description for tool in agent.tools))
        self._open()
        try:
            self._platform.wake(agent)
        except MindError as error:
            raise WireError("twin_mind", str(error)) from None

    def caller_started(self) -> None:
        self._responses.end("cancelled", "turn_detected")
        self._turn = self._conversation.next_id()
        lead = self._dialect.turn_settings(self._session).onset * 1000 + self._detection["prefix_padding_ms"]
        self._speech_began = max(0, self._platform.milliseconds - round(lead))
        self._tell("input_audio_buffer.speech_started", item_id=self._turn, audio_start_ms=self._speech_began)

    def caller_stopped(self) -> None:
        end = self._platform.milliseconds
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
        if not self._platform.awake:
            self._wake("")

    def caller_said(self, text: str) -> None:
        if not self._unheard:
            return
        item_id, seconds = self._unheard.pop(0)
        for kind, fields in self._dialect.transcribed(self._session, text, seconds):
            self._tell(kind, item_id=item_id, content_index=0, **fields)

    def agent_says(self, text: str, samples: Samples) -> None:
        while self._unheard:
            self.caller_said("")  # sound without words, which the mind has passed over by now
        self._responses.say(text, samples)

    def agent_cut(self) -> None:
        """What was flushed is the client's to say."""

    def agent_listens(self) -> None:
        self._responses.end()

    def caller_silent(self) -> None:
        """The caller stayed silent for as long as the session says, so the mind speaks."""
        now = self._platform.milliseconds
        began = max(0, now - (self._detection["idle_timeout_ms"] or 0))
        self._tell(
            "input_audio_buffer.timeout_triggered",
            item_id=self._conversation.next_id(),
            audio_start_ms=began,
            audio_end_ms=now,
        )

    def trouble(self, code: str, message: str) -> None:
        self._error(WireError(code, message), None, "server_error")

    def broke(self, reason: str) -> None:
        self._pipe.close(1011, reason)

    def _call_tools(self, calls: Sequence[WireCall]) -> None:
        for call in calls:
            self._responses.call(call.id, call.name, call.arguments_text)
        self._responses.end()

    # --- what is sent ---------------------------------------------------------------------------------------

    def _error(self, error: WireError, event_id: str | None, kind: str = "invalid_request_error") -> None:
        told = {"type": kind, "code": error.code, "message": error.message, "param": error.param}
        self._tell("error", error={**told, "event_id": event_id})

    def _tell(self, kind: str, **fields: Any) -> None:
        told = self._dialect.adapted(kind, fields)
        if told is None:
            return
        self._events += 1
        event = {"type": kind, "event_id": f"event_{self._events:06d}", **told}
        self._types.check_server(event)
        self._pipe.put(event, PIECE_SECONDS if kind == "response.output_audio.delta" else 0.0)
        if kind == "response.created":
            self._pipe.odd()
