"""xAI's dialect on the server's side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import attrs

from offhook.sessions import AgentConfig
from offhook_adapters.openai_realtime.twin_checks import WireError, WireTypes, wire_types
from offhook_adapters.openai_realtime.twin_dialect import Told
from offhook_adapters.openai_realtime.twin_settings import agent_of, detected_turns, merged
from offhook_adapters.reference.turns import TurnSettings
from offhook_adapters.xai._twin_shapes import CLIENT_SHAPES, SERVER_SHAPES
from offhook_adapters.xai.config import XAI
from offhook_adapters.xai.prices import catalogue

__all__ = ["XaiTwinDialect"]

_PCM: Final = {"type": "audio/pcm", "rate": 24_000}
# What the vendor's reference lists of OpenAI's, the rest of which it does not take.
_CLIENT: Final = (
    "conversation.item.delete",
    "conversation.item.truncate",
    "input_audio_buffer.append",
    "input_audio_buffer.clear",
    "input_audio_buffer.commit",
    "response.cancel",
)
_UNTOLD: Final = frozenset({"conversation.item.done", "rate_limits.updated"})
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "input_audio_buffer.speech_started": ("item_id",),
    "input_audio_buffer.speech_stopped": ("item_id",),
    "input_audio_buffer.timeout_triggered": ("item_id",),
    "response.output_audio_transcript.done": ("response_id", "item_id"),
}


@attrs.frozen
class XaiTwinDialect:
    """xAI Grok Voice as the twin speaks it."""

    key_name: ClassVar[str] = XAI.key
    url_name: ClassVar[str] = XAI.url
    longest: ClassVar[str] = "the session has reached its maximum duration of 30 minutes"

    @property
    def models(self) -> frozenset[str]:
        return frozenset(catalogue().models)

    def types(self) -> WireTypes:
        theirs = wire_types()
        client = {name: theirs.client[name] for name in _CLIENT}
        return WireTypes({**client, **CLIENT_SHAPES}, {**theirs.server, **SERVER_SHAPES})

    def first_session(self, model: str) -> dict[str, Any]:
        return {
            "id": "sess_0001",
            "object": "realtime.session",
            "model": model,
            "instructions": "",
            "voice": catalogue().default_voice,
            "tools": [],
            "turn_detection": {
                "type": "server_vad",
                "threshold": 0.5,
                "prefix_padding_ms": 300,
                "silence_duration_ms": 500,
                "idle_timeout_ms": None,
            },
            "audio": {
                "input": {"format": dict(_PCM), "transcription": None},
                "output": {"format": dict(_PCM)},
            },
        }

    def opening(self, session: Mapping[str, Any]) -> Sequence[Told]:
        conversation = {"id": "conv_0001", "object": "realtime.conversation"}
        return (
            ("conversation.created", {"conversation": conversation}),
            ("ping", {"timestamp": 0}),
            ("session.created", {"session": session}),
        )

    def updated_session(
        self, session: Mapping[str, Any], update: Mapping[str, Any], *, has_spoken: bool
    ) -> dict[str, Any]:
        after: dict[str, Any] = merged(session, update)
        if str(after["voice"]).lower() not in catalogue().voices:
            raise WireError("invalid_value", f"there is no voice {after['voice']!r}", "session.voice")
        for way in ("input", "output"):
            if after["audio"][way]["format"] != _PCM or after["audio"][way].get("transport") == "binary":
                place = f"session.audio.{way}"
                raise WireError("twin_unsupported", "this twin speaks audio/pcm at 24000 as JSON only", place)
        if after["turn_detection"] is None:
            place = "session.turn_detection"
            raise WireError("twin_unsupported", "this twin answers by itself, after server_vad", place)
        return after

    def detection(self, session: Mapping[str, Any]) -> Mapping[str, Any]:
        found: Mapping[str, Any] = session["turn_detection"]
        return found

    def turn_settings(self, session: Mapping[str, Any]) -> TurnSettings:
        return detected_turns(self.detection(session))

    def agent_of(self, session: Mapping[str, Any], greeting: str) -> AgentConfig:
        return agent_of(session, greeting)

    def spoken_as_is(self, item: Mapping[str, Any]) -> str | None:
        if item["type"] != "force_message":
            return None
        return "".join(part["text"] for part in item["content"])

    def transcribed(self, session: Mapping[str, Any], text: str, seconds: float) -> Sequence[Told]:
        transcription = session["audio"]["input"]["transcription"]
        if transcription is None:
            return ()
        done = ("conversation.item.input_audio_transcription.completed", {"transcript": text})
        if transcription["model"] != catalogue().default_transcriber:
            return (done,)
        half = " ".join(text.split()[: len(text.split()) // 2])
        kind = "conversation.item.input_audio_transcription.updated"
        return (kind, {"transcript": half}), (kind, {"transcript": text}), done

    def adapted(self, kind: str, fields: Mapping[str, Any]) -> Mapping[str, Any] | None:
        if kind in _UNTOLD or (kind == "conversation.item.added" and _is_result(fields["item"])):
            return None
        if kind == "response.done":
            return {"response": {**fields["response"], "usage": {}}}
        kept = _FIELDS.get(kind)
        return fields if kept is None else {name: fields[name] for name in kept}

    def refusal(self, status: int, code: str, message: str) -> tuple[int, Mapping[str, Any]]:
        match code:
            case "invalid_api_key" | "missing_authorization":
                told = f"Incorrect API key provided: {message.rpartition(' ')[2]}"
                return 400, {"code": "Client specified an invalid argument", "error": told}
            case "insufficient_quota":
                told = "The team has used up its credits or has come to its monthly spending limit"
                return 429, {"code": "Some resource has been exhausted", "error": told}
            case _:
                return status, {"code": code, "error": message}


def _is_result(item: Mapping[str, Any]) -> bool:
    return bool(item["type"] == "function_call_output")
