"""One conversation on the twin: the client's messages in, and the reference platform's call as the vendor's
events.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook_adapters.elevenlabs._twin_checks import Bad, read_message
from offhook_adapters.elevenlabs._twin_house import Agent, House
from offhook_adapters.elevenlabs.models import catalogue
from offhook_adapters.reference.minds.desk import MindError
from offhook_adapters.reference.turns import TurnSettings
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.desk import NoSuchCall, ToolDesk, WireCall
from offhook_adapters.twins.pipe import PIECE_SECONDS, Pipe
from offhook_adapters.twins.platform import TwinPlatform
from offhook_adapters.twins.served import TwinLog

__all__ = ["TwinCall"]

_IN_FORMAT: Final = "pcm_16000"
_OUT_FORMAT: Final = "pcm_24000"
_IN_RATE: Final = 16_000
_PIECE: Final = round(PIECE_SECONDS * LINE_RATE)
_POLICY: Final = 1008
_INTERNAL: Final = 1011
_LIMIT: Final = 1002
_TURN_TIMEOUT: Final = 7.0  # the vendor's default
_LONGEST_REASON: Final = 120  # bytes that a close frame has room for


class TwinCall:
    """A conversation. ``pipe`` carries what is said to the client; ``log`` keeps what the client said;
    ``refusal`` is what it is told in place of a beginning.
    """

    def __init__(
        self, pipe: Pipe, agent: TwinAgent, house: House, hosted: Agent, log: TwinLog, refusal: str = ""
    ) -> None:
        self._pipe = pipe
        self._hosted = hosted
        self._house = house
        self._log = log
        self._refusal = refusal
        self._loop = asyncio.get_running_loop()
        self._config = hosted.config(house.tools)
        self._conversation = house.converse(hosted.agent_id)
        self._tools = ToolDesk(self._call_tools, objects_only=True)
        self._platform = TwinPlatform(agent, self, self._tools, _IN_RATE)
        talk = hosted.body["conversation_config"].get("conversation", {})
        self._wanted = frozenset(talk.get("client_events", ()))
        self._names: dict[str, str] = {}
        self._begun = False
        self._events = 0
        self._response = 0
        self._said = ""
        self._seconds = 0.0
        self._playing_until = 0.0

    def begin(self) -> None:
        """The vendor waits for the client's data."""

    def take(self, message: str | bytes) -> None:
        """One message of the client. One the vendor does not take ends the conversation."""
        try:
            kind, event = read_message(message)
            self._log.received.append(_without_sound(event))
            self._handle(kind, event)
        except Bad as bad:
            self._close(_POLICY, f"Invalid message received: {bad.message}")

    async def close(self) -> None:
        """The client is gone."""
        self._conversation.over()
        await self._platform.close()

    # --- the client's messages ------------------------------------------------------------------------------

    def _handle(self, kind: str, event: Mapping[str, Any]) -> None:
        match kind:
            case "conversation_initiation_client_data":
                self._begin(event)
            case "user_audio_chunk":
                self._platform.hear(_decoded(event["user_audio_chunk"]))
            case "client_tool_result":
                self._answered(event)
            case "pong":
                pass

    def _begin(self, event: Mapping[str, Any]) -> None:
        if self._begun:
            raise Bad("the conversation has begun")
        if self._refusal:
            self._close(_LIMIT, self._refusal)
            return
        self._override(event.get("conversation_config_override") or {})
        self._begun = True
        self._log.arrived = self._config
        told = {
            "conversation_id": self._conversation.conversation_id,
            "agent_output_audio_format": _OUT_FORMAT,
            "user_input_audio_format": _IN_FORMAT,
        }
        self._tell("conversation_initiation_metadata", conversation_initiation_metadata_event=told)
        self._ping()
        turn = self._hosted.body["conversation_config"].get("turn", {})
        give_up = float(turn.get("turn_timeout", _TURN_TIMEOUT))
        self._platform.open(attrs.evolve(TurnSettings(), give_up=give_up))
        if self._config.greeting.strip():
            self._wake()

    def _override(self, override: Mapping[str, Any]) -> None:
        """A language model or a voice for this conversation, where the agent leaves them open."""
        llm = override.get("agent", {}).get("prompt", {}).get("llm")
        if llm is not None and llm not in catalogue().llms:
            raise Bad(f"override of llm: there is no model {llm!r}")
        voice = override.get("tts", {}).get("voice_id")
        if voice is not None and voice not in catalogue().voices.values():
            raise Bad(f"override of voice_id: there is no voice {voice!r}")

    def _answered(self, event: Mapping[str, Any]) -> None:
        call_id, result = event["tool_call_id"], event["result"]
        try:
            self._tools.take(call_id, result, failed=event["is_error"])
        except NoSuchCall as error:
            raise Bad(str(error)) from None
        self._conversation.answered(call_id, self._names.get(call_id, ""), result, event["is_error"])

    # --- the platform behind --------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Lets the mind take the call, which greets with the first message."""
        self._log.arrived = self._config
        try:
            self._platform.wake(self._config)
        except MindError as error:
            self.broke(str(error))

    def caller_started(self) -> None:
        """Nothing of it crosses the wire: the vendor decides by itself whether to stop."""

    def caller_stopped(self) -> None:
        if not self._platform.awake:
            self._wake()

    def caller_said(self, text: str) -> None:
        self._conversation.said("user", text)
        told = {"user_transcript": text, "event_id": self._next_event()}
        self._tell("user_transcript", user_transcription_event=told)

    def agent_says(self, text: str, samples: Samples) -> None:
        self._response, self._said = self._next_event(), text
        self._conversation.said("agent", text)
        self._ping()
        self._pipe.odd()
        told = {
            "agent_response": text,
            "event_id": self._response,
            "response_id": f"resp_{self._response:04d}",
        }
        self._tell("agent_response", agent_response_event=told)
        for sound in _pieces(samples):
            chunk = {"audio_base_64": base64.b64encode(sound).decode("ascii"), "event_id": self._response}
            self._tell("audio", PIECE_SECONDS, audio_event=chunk)
        self._seconds = len(samples) / LINE_RATE
        self._playing_until = max(self._playing_until, self._loop.time()) + self._seconds

    def agent_cut(self) -> None:
        left = max(0.0, self._playing_until - self._loop.time())
        heard = max(0.0, 1 - left / self._seconds) if self._seconds else 0.0
        self._playing_until = self._loop.time()
        self._tell("interruption", interruption_event={"event_id": self._response})
        corrected = self._said[: int(len(self._said) * heard)] + "..."
        told = {
            "original_agent_response": self._said,
            "corrected_agent_response": corrected,
            "event_id": self._response,
        }
        self._tell("agent_response_correction", agent_response_correction_event=told)

    def agent_listens(self) -> None:
        self._tell("agent_response_complete", agent_response_complete_event={"event_id": self._response})

    def caller_silent(self) -> None:
        """The agent speaks again, and nothing else tells of it."""

    def trouble(self, code: str, message: str) -> None:
        self._tell("client_error", error_event={"code": _INTERNAL, "message": f"{code}: {message}"})

    def broke(self, reason: str) -> None:
        self._close(_INTERNAL, reason)

    def _call_tools(self, calls: Sequence[WireCall]) -> None:
        for call in calls:
            self._names[call.id] = call.name
            self._conversation.called(call)
            told = {
                "tool_name": call.name,
                "tool_call_id": call.id,
                "parameters": call.arguments,
                "event_id": self._next_event(),
                "expects_response": True,
            }
            self._tell("client_tool_call", client_tool_call=told)

    # --- what is sent ---------------------------------------------------------------------------------------

    def _ping(self) -> None:
        self._tell("ping", ping_event={"event_id": self._next_event(), "ping_ms": None})

    def _next_event(self) -> int:
        self._events += 1
        return self._events

    def _tell(self, kind: str, seconds: float = 0.0, **fields: Any) -> None:
        """One event, if the agent was told to send such ones."""
        if kind in self._wanted:
            self._pipe.put(json.loads(json.dumps({"type": kind, **fields})), seconds)

    def _close(self, code: int, reason: str) -> None:
        self._pipe.close(code, reason.encode()[:_LONGEST_REASON].decode("utf-8", "ignore"))


def _decoded(chunk: str) -> bytes:
    try:
        sound = base64.b64decode(chunk, validate=True)
    except binascii.Error:
        raise Bad("user_audio_chunk is not base64") from None
    if len(sound) % 2:
        raise Bad("user_audio_chunk ends within a 16-bit sample")
    return sound


def _pieces(samples: Samples) -> Iterator[bytes]:
    sound = np.ascontiguousarray(samples, dtype="<i2")
    for start in range(0, len(sound), _PIECE):
        yield sound[start : start + _PIECE].tobytes()


def _without_sound(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message as it is kept: of sound only how much there was."""
    if (chunk := event.get("user_audio_chunk")) is None:
        return event
    return {"user_audio_chunk": f"{len(chunk)} characters"}
