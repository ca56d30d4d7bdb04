"""xAI's messages where they differ from OpenAI's. The vendor has no SDK for them: these follow its reference
(docs.x.ai, voice agent API) and the shapes that Pipecat 1.14.0 sends and takes, as read on 2026-11-30.

A field that is not named here is one too many, as it is to the vendor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from openai.types.realtime import (
    RealtimeConversationItemFunctionCallOutput,
    RealtimeConversationItemUserMessage,
)
from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "CLIENT_SHAPES",
    "SERVER_SHAPES",
]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="allow")  # so that what is too much can be named


class _Format(_Shape):
    type: Literal["audio/pcm", "audio/pcmu", "audio/pcma"]
    rate: Literal[8000, 11025, 16000, 22050, 24000, 32000, 44100, 48000] | None = None


class _Detection(_Shape):
    type: Literal["server_vad"]
    threshold: Annotated[float, Field(ge=0.1, le=0.9)] | None = None
    silence_duration_ms: int | None = None
    prefix_padding_ms: int | None = None
    idle_timeout_ms: int | None = None


class _Transcription(_Shape):
    model: str | None = None
    language_hint: str | None = None
    keyterms: list[str] | None = None


class _Input(_Shape):
    format: _Format | None = None
    transcription: _Transcription | None = None
    transport: Literal["json", "binary"] | None = None


class _Output(_Shape):
    format: _Format | None = None
    speed: Annotated[float, Field(ge=0.7, le=1.5)] | None = None
    transport: Literal["json", "binary"] | None = None


class _Audio(_Shape):
    input: _Input | None = None
    output: _Output | None = None


class _Tool(_Shape):
    type: Literal["function"]
    name: str
    description: str
    parameters: dict[str, Any]


class _Reasoning(_Shape):
    effort: Literal["high", "none"]


class _Session(_Shape):
    instructions: str | None = None
    voice: str | None = None
    turn_detection: _Detection | None = None
    audio: _Audio | None = None
    tools: list[_Tool] | None = None
    reasoning: _Reasoning | None = None


class _SessionSnapshot(_Session):
    id: str
    object: Literal["realtime.session"]
    model: str


class _SessionUpdate(_Shape):
    type: Literal["session.update"]
    event_id: str | None = None
    session: _Session


class _Text(_Shape):
    type: Literal["output_text", "text"] | None = None
    text: str


class _ForceMessage(_Shape):
    type: Literal["force_message"]
    role: Literal["assistant"]
    content: Annotated[list[_Text], Field(min_length=1)]
    interruptible: bool | None = None


class _ItemCreate(_Shape):
    type: Literal["conversation.item.create"]
    event_id: str | None = None
    previous_item_id: str | None = None
    item: Annotated[
        _ForceMessage | RealtimeConversationItemFunctionCallOutput | RealtimeConversationItemUserMessage,
        Field(discriminator="type"),
    ]


class _ResponseSettings(_Shape):
    modalities: list[Literal["text", "audio"]] | None = None
    instructions: str | None = None


class _ResponseCreate(_Shape):
    type: Literal["response.create"]
    event_id: str | None = None
    response: _ResponseSettings | None = None


class _Told(_Shape):
    event_id: str


class _SessionTold(_Told):
    type: Literal["session.created", "session.updated"]
    session: _SessionSnapshot


class _Ping(_Told):
    type: Literal["ping"]
    timestamp: int


class _Transcribed(_Told):
    type: Literal[
        "conversation.item.input_audio_transcription.updated",
        "conversation.item.input_audio_transcription.completed",
    ]
    item_id: str
    content_index: int | None = None
    transcript: str


class _Speech(_Told):
    type: Literal["input_audio_buffer.speech_started", "input_audio_buffer.speech_stopped"]
    item_id: str


class _Silence(_Told):
    type: Literal["input_audio_buffer.timeout_triggered"]
    item_id: str | None = None


class _SpokenWords(_Told):
    type: Literal["response.output_audio_transcript.done"]
    response_id: str
    item_id: str


CLIENT_SHAPES: Final[Mapping[str, type[BaseModel]]] = {
    "conversation.item.create": _ItemCreate,
    "response.create": _ResponseCreate,
    "session.update": _SessionUpdate,
}
SERVER_SHAPES: Final[Mapping[str, type[BaseModel]]] = {
    "conversation.item.input_audio_transcription.completed": _Transcribed,
    "conversation.item.input_audio_transcription.updated": _Transcribed,
    "input_audio_buffer.speech_started": _Speech,
    "input_audio_buffer.speech_stopped": _Speech,
    "input_audio_buffer.timeout_triggered": _Silence,
    "ping": _Ping,
    "response.output_audio_transcript.done": _SpokenWords,
    "session.created": _SessionTold,
    "session.updated": _SessionTold,
}
