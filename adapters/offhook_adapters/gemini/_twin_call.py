"""One connection to the twin: the client's messages in, and the reference platform's call as the vendor's."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.audio import Samples
from offhook.sessions import AgentConfig, ToolSchema
from offhook_adapters.gemini._twin_checks import Refused, Setup, check_server, read_message, read_setup
from offhook_adapters.gemini._twin_turns import Meter, Turns, fragments
from offhook_adapters.gemini.config import quoted_greeting
from offhook_adapters.gemini.prices import catalogue
from offhook_adapters.reference.minds.desk import MindError
from offhook_adapters.reference.turns import TurnSettings
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.desk import NoSuchCall, ToolDesk, WireCall
from offhook_adapters.twins.pipe import Pipe
from offhook_adapters.twins.platform import TwinPlatform
from offhook_adapters.twins.served import TwinLog

__all__ = ["Door", "TwinCall"]

_RATE: Final = 16_000
_TYPE: Final = f"audio/pcm;rate={_RATE}"
_INTERNAL: Final = 1011
_LONGEST_REASON: Final = 120  # bytes that a close frame has room for
# The vendor never speaks into a silence by itself.
_NEVER: Final = 86_400.0


@attrs.frozen
class Door:
    """Whether a session is let in once it is set up: the key it has to bring, the one it brought, and what is
    said instead where the twin was told to refuse.
    """

    key: str = attrs.field(repr=False)
    given: str = attrs.field(repr=False)
    refusal: str = ""

    def check(self) -> None:
        """Raises Refused where it is not."""
        if not hmac.compare_digest(self.given.encode(), self.key.encode()):
            raise Refused("API key not valid. Please pass a valid API key.")
        if self.refusal:
            raise Refused(self.refusal, _INTERNAL)


class TwinCall:
    """A call. ``pipe`` carries what is said to the client; ``log`` keeps what the client said."""

    def __init__(self, pipe: Pipe, agent: TwinAgent, door: Door, log: TwinLog, *, cancels: bool) -> None:
        self._pipe = pipe
        self._door = door
        self._log = log
        self._meter = Meter()
        self._tools = ToolDesk(
            self._call_tools, cancel=self._cancel_tools if cancels else None, objects_only=True
        )
        self._platform = TwinPlatform(agent, self, self._tools, _RATE)
        self._setup: Setup | None = None
        self._config = AgentConfig("twin", "", "", (), "")
        self._turns: Turns | None = None
        self._spoke_at = 0

    def begin(self) -> None:
        """The vendor says nothing before it is set up."""

    def take(self, message: str | bytes) -> None:
        """One message of the client. One the vendor does not take ends the connection."""
        try:
            kind, value = read_message(message)
            self._log.received.append({kind: _without_sound(value)})
            self._handle(kind, value)
        except Refused as refused:
            self._pipe.close(refused.code, _short(refused.reason))

    async def close(self) -> None:
        """The client is gone."""
        if self._turns is not None:
            self._turns.close()
        await self._platform.close()

    # --- the client's messages ------------------------------------------------------------------------------

    def _handle(self, kind: str, value: Mapping[str, Any]) -> None:
        if (kind == "setup") != (self._setup is None):
            raise Refused("Request contains an invalid argument.")
        match kind:
            case "setup":
                self._begin(value)
            case "realtime_input":
                self._realtime(value)
            case "tool_response":
                self._answered(value)
            case _:
                raise Refused(f"this twin takes no {kind}")

    def _begin(self, value: Mapping[str, Any]) -> None:
        published = catalogue()
        self._door.check()
        self._setup = told = read_setup(value, published.models, published.voices)
        self._config = _agent_of(told, value)
        self._log.arrived = self._config
        transcribed = told.setup.output_audio_transcription is not None
        self._turns = Turns(self._tell, self._pipe.odd, self._meter, transcribed=transcribed)
        self._platform.open(_turn_settings(told))
        self._tell({"setupComplete": {}}, 0.0)

    def _realtime(self, value: Mapping[str, Any]) -> None:
        match value:
            case {"audio": {"data": str(data)} as blob} if len(value) == 1:
                if blob.get("mime_type", blob.get("mimeType")) != _TYPE:
                    raise Refused(f"this twin listens to {_TYPE} only")
                self._platform.hear(_decoded(data))
            case {"text": str(text)} if len(value) == 1:
                if self._platform.awake:
                    raise Refused("this twin takes text only before its first turn")
                self._wake(quoted_greeting(text) or text)
            case _:
                raise Refused("this twin takes realtime audio, and one text")

    def _answered(self, value: Mapping[str, Any]) -> None:
        for each in value.get("functionResponses", value.get("function_responses")) or ():
            text = json.dumps(each["response"], ensure_ascii=False)
            self._meter.read(text)
            try:
                self._tools.take(str(each["id"]), text)
            except NoSuchCall as error:
                raise Refused(f"Request contains an invalid argument: {error}") from None

    # --- the platform behind --------------------------------------------------------------------------------

    def _wake(self, greeting: str) -> None:
        """Lets the mind take the call."""
        config = self._log.arrived = attrs.evolve(self._config, greeting=greeting)
        self._meter.read(config.prompt + "".join(tool.name + tool.description for tool in config.tools))
        try:
            self._platform.wake(config)
        except MindError as error:
            raise Refused(str(error), _INTERNAL) from None

    def caller_started(self) -> None:
        self._spoke_at = self._platform.milliseconds
        if self._turns is not None:
            self._turns.interrupt()

    def caller_stopped(self) -> None:
        self._meter.heard((self._platform.milliseconds - self._spoke_at) / 1000)
        if not self._platform.awake:
            try:
                self._wake("")
            except Refused as refused:
                self.broke(refused.reason)

    def caller_said(self, text: str) -> None:
        if self._setup is not None and self._setup.setup.input_audio_transcription is not None:
            for piece in fragments(text):
                self._tell({"serverContent": {"inputTranscription": {"text": piece}}}, 0.0)

    def agent_says(self, text: str, samples: Samples) -> None:
        assert self._turns is not None
        self._turns.say(text, samples)

    def agent_cut(self) -> None:
        """The client was told when the caller began."""

    def agent_listens(self) -> None:
        assert self._turns is not None
        self._turns.generated()

    def caller_silent(self) -> None:
        """Nothing of it crosses the wire."""

    def trouble(self, code: str, message: str) -> None:
        self.broke(f"Internal error encountered ({code}): {message}")

    def broke(self, reason: str) -> None:
        self._pipe.close(_INTERNAL, _short(reason))

    def _call_tools(self, calls: Sequence[WireCall]) -> None:
        assert self._turns is not None
        self._turns.call(calls)

    def _cancel_tools(self, ids: Sequence[str]) -> None:
        self._tell({"toolCallCancellation": {"ids": list(ids)}}, 0.0)

    def _tell(self, message: dict[str, Any], seconds: float) -> None:
        check_server(message)
        self._pipe.put(message, seconds)


def _agent_of(told: Setup, raw: Mapping[str, Any]) -> AgentConfig:
    """The agent that came over the wire; schemas as they stood in the message."""
    instruction = raw.get("systemInstruction") or {}
    prompt = "".join(part.get("text", "") for part in instruction.get("parts", ()))
    tools = tuple(
        ToolSchema(each["name"], each.get("description", ""), each.get("parameters_json_schema", {}))
        for tool in raw.get("tools", ())
        for each in tool["functionDeclarations"]
    )
    return AgentConfig("twin", prompt, "", tools, "")


def _turn_settings(told: Setup) -> TurnSettings:
    """The reference platform's endpointing with the session's figures."""
    usual, detection = TurnSettings(), told.listening.automatic_activity_detection
    silence = detection.silence_duration_ms if detection is not None else None
    hangover = usual.hangover if silence is None else silence / 1000
    return attrs.evolve(usual, hangover=hangover, give_up=_NEVER)


def _decoded(data: str) -> bytes:
    # The vendor's JSON takes both alphabets of base64; the SDK writes the one for URLs.
    try:
        sound = base64.b64decode(data.replace("-", "+").replace("_", "/"), validate=True)
    except binascii.Error:
        raise Refused("Invalid value at 'realtime_input.audio.data': Base64 decoding failed") from None
    if len(sound) % 2:
        raise Refused("audio ends within a 16-bit sample")
    return sound


def _without_sound(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message as it is kept: of sound only how much there was."""
    audio = value.get("audio")
    if not isinstance(audio, dict) or not isinstance(audio.get("data"), str):
        return value
    return {**value, "audio": {**audio, "data": f"{len(audio['data'])} characters"}}


def _short(reason: str) -> str:
    return reason.encode()[:_LONGEST_REASON].decode("utf-8", "ignore")
