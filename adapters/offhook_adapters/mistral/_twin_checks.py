"""Both directions of Mistral's wires against the SDK's types, which come from the vendor's schema."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any, Final

import attrs
from mistralai.client import models
from pydantic import BaseModel, ValidationError

__all__ = [
    "CLIENT_EARS",
    "CLIENT_VOICE",
    "SERVER_EARS",
    "SERVER_VOICE",
    "WireError",
    "checked",
    "conforms",
    "decoded",
    "read",
]

_MOST_BYTES: Final = 262_144

CLIENT_EARS: Final[Mapping[str, type[BaseModel]]] = {
    "input_audio.append": models.RealtimeTranscriptionInputAudioAppend,
    "input_audio.flush": models.RealtimeTranscriptionInputAudioFlush,
    "input_audio.end": models.RealtimeTranscriptionInputAudioEnd,
    "session.update": models.RealtimeTranscriptionSessionUpdateMessage,
}
CLIENT_VOICE: Final[Mapping[str, type[BaseModel]]] = {
    "input_text.append": models.RealtimeSpeechInputTextAppend,
    "input_text.flush": models.RealtimeSpeechInputTextFlush,
    "input_text.end": models.RealtimeSpeechInputTextEnd,
    "session.update": models.RealtimeSpeechSessionUpdateMessage,
}
SERVER_EARS: Final[Mapping[str, type[BaseModel]]] = {
    "session.created": models.RealtimeTranscriptionSessionCreated,
    "session.updated": models.RealtimeTranscriptionSessionUpdated,
    "error": models.RealtimeTranscriptionError,
    "transcription.text.delta": models.TranscriptionStreamTextDelta,
    "transcription.done": models.TranscriptionStreamDone,
    "turn.start": models.TurnDetectionStartEvent,
    "turn.end": models.TurnDetectionEndEvent,
}
SERVER_VOICE: Final[Mapping[str, type[BaseModel]]] = {
    "session.created": models.RealtimeSpeechSessionCreated,
    "session.updated": models.RealtimeSpeechSessionUpdated,
    "error": models.RealtimeSpeechError,
    "speech.audio.delta": models.SpeechStreamAudioDelta,
    "speech.audio.done": models.SpeechStreamDone,
}


@attrs.frozen
class WireError(Exception):
    """What the vendor answers with an ``error``."""

    code: int
    message: str


def read(message: str | bytes) -> dict[str, Any]:
    """One message of a client.

    Raises:
        WireError: no JSON object.
    """
    try:
        event = json.loads(message)
    except ValueError:
        raise WireError(400, "the message is not JSON") from None
    if not isinstance(event, dict):
        raise WireError(400, "the message is not a JSON object")
    return event


def checked(kinds: Mapping[str, type[BaseModel]], event: Mapping[str, Any]) -> None:
    """Makes sure that an event is one of those, with the fields it has and no others.

    Raises:
        WireError: it is not.
    """
    kind = kinds.get(str(event.get("type")))
    if kind is None:
        raise WireError(400, f"there is no event {event.get('type')!r}")
    conforms(kind, event)


def conforms(kind: type[BaseModel], value: Mapping[str, Any]) -> None:
    """The same for a body whose type is known."""
    try:
        model = kind.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise WireError(422, f"{place}: {first['msg']}") from None
    if extra := _unknown(model, value, ""):
        raise WireError(422, f"{extra}: extra inputs are not permitted")


def decoded(text: str) -> bytes:
    """The sound of one append.

    Raises:
        WireError: no base64, half a sample, or too much.
    """
    try:
        sound = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise WireError(400, "audio is not base64") from None
    if len(sound) % 2 or len(sound) > _MOST_BYTES:
        raise WireError(400, f"audio must be whole samples and at most {_MOST_BYTES} bytes")
    return sound


def _unknown(model: Any, value: Any, place: str) -> str:
    """The first field that the SDK's types do not know; some of them let any pass."""
    if isinstance(model, BaseModel) and isinstance(value, Mapping):
        fields = {field.alias or name: name for name, field in type(model).model_fields.items()}
        for name, inner in value.items():
            if name not in fields:
                return f"{place}{name}"
            if found := _unknown(getattr(model, fields[name]), inner, f"{place}{name}."):
                return found
    if isinstance(model, list) and isinstance(value, list):
        for at, (one, inner) in enumerate(zip(model, value, strict=False)):
            if found := _unknown(one, inner, f"{place}{at}."):
                return found
    return ""
