"""OpenAI's own dialect on the server's side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import attrs

from offhook.sessions import AgentConfig
from offhook_adapters.openai_realtime.config import OPENAI
from offhook_adapters.openai_realtime.prices import catalogue
from offhook_adapters.openai_realtime.twin_checks import WireError, WireTypes, wire_types
from offhook_adapters.openai_realtime.twin_dialect import Told
from offhook_adapters.openai_realtime.twin_settings import agent_of, detected_turns, merged
from offhook_adapters.reference.turns import TurnSettings

__all__ = ["OpenAITwinDialect"]

_PCM: Final = {"type": "audio/pcm", "rate": 24_000}


@attrs.frozen
class OpenAITwinDialect:
    """OpenAI Realtime as the twin speaks it."""

    key_name: ClassVar[str] = OPENAI.key
    url_name: ClassVar[str] = OPENAI.url
    longest: ClassVar[str] = "Your session hit the maximum duration of 60 minutes."

    @property
    def models(self) -> frozenset[str]:
        return frozenset(catalogue().models)

    def types(self) -> WireTypes:
        return wire_types()

    def first_session(self, model: str) -> dict[str, Any]:
        return {
            "type": "realtime",
            "model": model,
            "output_modalities": ["audio"],
            "instructions": "",
            "tools": [],
            "tool_choice": "auto",
            "audio": {
                "input": {
                    "format": dict(_PCM),
                    "transcription": None,
                    "noise_reduction": None,
                    "turn_detection": {
                        "type": "server_vad",
                        "threshold": 0.5,
                        "prefix_padding_ms": 300,
                        "silence_duration_ms": 500,
                        "idle_timeout_ms": None,
                        "create_response": True,
                        "interrupt_response": True,
                    },
                },
                "output": {"format": dict(_PCM), "voice": "alloy", "speed": 1.0},
            },
        }

    def opening(self, session: Mapping[str, Any]) -> Sequence[Told]:
        return (("session.created", {"session": session}),)

    def updated_session(
        self, session: Mapping[str, Any], update: Mapping[str, Any], *, has_spoken: bool
    ) -> dict[str, Any]:
        if update["type"] != "realtime":
            raise WireError("invalid_value", "this is a realtime session", "session.type")
        after: dict[str, Any] = merged(session, update)
        if after["model"] != session["model"]:
            raise WireError("invalid_value", "the model of a session can't be changed", "session.model")
        sound, voice = after["audio"], after["audio"]["output"]["voice"]
        if voice != session["audio"]["output"]["voice"] and has_spoken:
            raise WireError("cannot_update_voice", "the voice can't be changed after the agent has spoken")
        if voice not in catalogue().voices:
            raise WireError("invalid_value", f"there is no voice {voice!r}", "session.audio.output.voice")
        for way in ("input", "output"):
            if sound[way]["format"] != _PCM:
                place = f"session.audio.{way}.format"
                raise WireError("twin_unsupported", "this twin speaks audio/pcm at 24000 only", place)
        detection = sound["input"]["turn_detection"]
        if detection is None or detection["type"] != "server_vad" or detection["create_response"] is False:
            place = "session.audio.input.turn_detection"
            raise WireError("twin_unsupported", "this twin answers by itself, after server_vad", place)
        if after["output_modalities"] != ["audio"]:
            raise WireError(
                "twin_unsupported", "this twin answers in audio only", "session.output_modalities"
            )
        return after

    def detection(self, session: Mapping[str, Any]) -> Mapping[str, Any]:
        found: Mapping[str, Any] = session["audio"]["input"]["turn_detection"]
        return found

    def turn_settings(self, session: Mapping[str, Any]) -> TurnSettings:
        return detected_turns(self.detection(session))

    def agent_of(self, session: Mapping[str, Any], greeting: str) -> AgentConfig:
        return agent_of(session, greeting)

    def spoken_as_is(self, item: Mapping[str, Any]) -> str | None:
        return None

    def transcribed(self, session: Mapping[str, Any], text: str, seconds: float) -> Sequence[Told]:
        if session["audio"]["input"]["transcription"] is None:
            return ()
        told = {"transcript": text, "usage": {"type": "duration", "seconds": seconds}}
        return (("conversation.item.input_audio_transcription.completed", told),)

    def adapted(self, kind: str, fields: Mapping[str, Any]) -> Mapping[str, Any] | None:
        return fields

    def refusal(self, status: int, code: str, message: str) -> tuple[int, Mapping[str, Any]]:
        return status, {"error": {"type": "invalid_request_error", "code": code, "message": message}}
